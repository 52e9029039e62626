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

    Prefer Index.search: it finds the nearest rows without the whole matrix.

    Parameters
    ----------
    W : array of shape (n_words, n_dimensions)
        The vectors of words.
    X, Y : arrays or sparse matrices of shape (n_x, n_words), (n_y, n_words)
        Histograms.
    optimization_level : int, default=0
        0 to 4 for rwmd (ACT-0), act-1, act-3, act-7 and act-15.
    **run
        Keywords of every computation, such as `threads`; see navvy.options.Run.

    Returns
    -------
    distances : array of shape (n_x, n_y)

    Examples
    --------
    >>> import navvy
    >>> W = [[0.0], [1.0], [3.0]]
    >>> navvy.word_movers_distance(W, [[1, 0, 0]], [[0, 1, 0], [0, 0.5, 0.5]], 1).tolist()
    [[1.0, 2.0]]
    """
    if optimization_level not in range(len(LEVELS)):
        raise ValueError(f"optimization_level is {optimization_level!r}; expected 0 to 4")
    return Index.from_histograms(Y, W).distances(X, LEVELS[optimization_level], **run)
