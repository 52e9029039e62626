"""Neighbours as UMAP takes them."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .matches import Matches


def for_umap(
    matches: "Matches",
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Matches of all rows of an index, as `precomputed_knn` of umap.UMAP.

    Parameters
    ----------
    matches : Matches
        What `Index.knn_matches` gave, or a search with the rows themselves in their order.

    Returns
    -------
    indices, distances : arrays of shape (n_rows, n_neighbors)
        Each row is the first of its own neighbours, as UMAP counts: `knn_matches(14)` is for
        `n_neighbors=15`. What is missing is -1, at infinity.

    Examples
    --------
    >>> import navvy
    >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
    >>> indices, distances = navvy.umap.for_umap(index.knn_matches(1))
    >>> indices.tolist(), distances.tolist()
    ([[0, 1], [1, 0], [2, 1]], [[0.0, 1.0], [0.0, 1.0], [0.0, 2.0]])
    """
    count, top = matches.rows.shape
    own = np.arange(count)[:, np.newaxis]
    itself = matches.rows == own
    missing = matches.rows < 0
    # What is its own neighbour already moves to the front; the others stay in their order.
    order = np.argsort(itself, axis=1, kind="stable")
    rows = np.take_along_axis(np.where(missing, -1, matches.rows), order, axis=1)
    distances = np.where(missing, np.inf, matches.distances)
    distances = np.take_along_axis(distances, order, axis=1)
    others = top - bool(itself.any())
    return (
        np.hstack([own, rows[:, :others]]).astype(np.int32),
        np.hstack([np.zeros((count, 1)), distances[:, :others]]).astype(np.float32),
    )
