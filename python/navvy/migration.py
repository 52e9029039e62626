"""For users of the authors' earlier library."""

from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from .index import Index
from .options import Run

LEVELS = ("rwmd", "act-1", "act-3", "act-7", "act-15")


def word_movers_distance(
    W: Any, X: Any, Y: Any, optimization_level: int = 0, **run: Unpack[Run]
) -> npt.NDArray[np.floating[Any]]:
    """Distances of all rows of X to all rows of Y, histograms over the word vectors W.

    Levels 0 to 4 are rwmd (ACT-0), act-1, act-3, act-7 and act-15. The result has a row for each
    row of X. Prefer Index.search: it finds the nearest rows without the whole matrix.
    """
    if optimization_level not in range(len(LEVELS)):
        raise ValueError(f"optimization_level is {optimization_level!r}; expected 0 to 4")
    return Index.from_histograms(Y, W).distances(X, LEVELS[optimization_level], **run)
