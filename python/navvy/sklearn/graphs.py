"""Graphs of samples among each other, in one call."""

from typing import Any, Literal

from sklearn.utils.validation import check_is_fitted

from .base import check_mode, graph_of
from .neighbors import EMDNeighbors

IncludeSelf = bool | Literal["auto"]


def kneighbors_graph(
    X: Any,
    n_neighbors: int,
    *,
    mode: str = "connectivity",
    include_self: IncludeSelf = False,
    **parameters: Any,
) -> Any:
    """The graph of the nearest neighbours of samples, like sklearn.neighbors.kneighbors_graph.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features), or a fitted EMDNeighbors
        The samples.
    n_neighbors : int
        How many neighbours each sample has.
    mode : {"connectivity", "distance"}, default="connectivity"
        Whether entries are ones or distances.
    include_self : bool or "auto", default=False
        Whether each sample counts as the first of its own neighbours; "auto" for where entries are
        ones.
    **parameters
        Those of EMDNeighbors, such as `coordinates`, where X are samples.

    Returns
    -------
    graph : CSR matrix of shape (n_samples, n_samples)

    Examples
    --------
    >>> from navvy.sklearn import kneighbors_graph
    >>> X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    >>> kneighbors_graph(X, 2, include_self=True).toarray()
    array([[1., 1., 0.],
           [1., 1., 0.],
           [0., 1., 1.]])
    """
    check_mode(mode)
    neighbors = _fitted(X, parameters)
    if not _includes_self(include_self, mode):
        return neighbors.kneighbors_graph(None, n_neighbors, mode)
    distances, rows = neighbors._find_with_self(n_neighbors)
    return graph_of(distances, rows, neighbors.n_samples_fit_, mode)


def radius_neighbors_graph(
    X: Any,
    radius: float,
    *,
    mode: str = "connectivity",
    include_self: IncludeSelf = False,
    **parameters: Any,
) -> Any:
    """The graph of all neighbours within a radius, like sklearn.neighbors.radius_neighbors_graph.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features), or a fitted EMDNeighbors
        The samples.
    radius : float
        Distances up to this count.
    mode : {"connectivity", "distance"}, default="connectivity"
        Whether entries are ones or distances.
    include_self : bool or "auto", default=False
        Whether each sample counts as the first of its own neighbours; "auto" for where entries are
        ones.
    **parameters
        Those of EMDNeighbors, such as `coordinates`, where X are samples.

    Returns
    -------
    graph : CSR matrix of shape (n_samples, n_samples)

    Examples
    --------
    >>> from navvy.sklearn import radius_neighbors_graph
    >>> X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    >>> radius_neighbors_graph(X, 1, mode="distance").toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    check_mode(mode)
    neighbors = _fitted(X, parameters)
    found = neighbors._lists(None, radius, with_self=_includes_self(include_self, mode))
    return neighbors._graph(found, mode)


def _fitted(X: Any, parameters: dict[str, Any]) -> EMDNeighbors:
    if not isinstance(X, EMDNeighbors):
        return EMDNeighbors(**parameters).fit(X)
    check_is_fitted(X, "index_")
    if parameters:
        name = min(parameters)
        raise TypeError(f"{name} is given beside an EMDNeighbors, which has its own")
    return X


def _includes_self(include_self: IncludeSelf, mode: str) -> bool:
    if include_self == "auto":
        return mode == "connectivity"
    if not isinstance(include_self, bool):
        raise ValueError(f"include_self is {include_self!r}; expected True, False or 'auto'")
    return include_self
