"""Samples into graphs of their neighbours, for metric="precomputed"."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from .base import KNeighbors, check_mode, graph_of
from .radius import RadiusNeighbors


class EMDKNeighborsTransformer(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    KNeighbors,
):
    """Samples into the graph of their nearest fitted samples.

    As in sklearn.neighbors.KNeighborsTransformer, mode "distance" counts a sample among its own
    neighbours, so that transform gives one neighbour more than n_neighbors; rows are sorted by
    distance and zeros are explicit. fit_transform puts each sample first in its own row, also among
    others at distance zero.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Whether entries are distances or ones.
    n_neighbors : int, default=5
        How many neighbours each sample has.
    measure, coordinates, direction, n_jobs, device
        As in EMDNeighbors, which has its attributes as well.

    Examples
    --------
    >>> from navvy.sklearn import EMDKNeighborsTransformer
    >>> X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    >>> EMDKNeighborsTransformer(n_neighbors=1).fit_transform(X).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 2., 0.]])
    """

    def __init__(
        self,
        *,
        mode: str = "distance",
        n_neighbors: int = 5,
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.mode = mode
        self.n_neighbors = n_neighbors
        super().__init__(measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any = None) -> "EMDKNeighborsTransformer":
        """Makes an index of the samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        check_mode(self.mode)
        self._fit_index(self._samples(X, reset=True))
        self._n_features_out = self.n_samples_fit_
        return self

    def _count(self) -> int:
        return self.n_neighbors + (self.mode == "distance")

    def transform(self, X: Any) -> Any:
        """The graph from samples to those of fit.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.

        Returns
        -------
        graph : CSR matrix of shape (n_samples, n_samples_fit)
        """
        check_is_fitted(self, "index_")
        return self.kneighbors_graph(X, self._count(), self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The graph of samples among each other, each the first of its own neighbours.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : None
            Ignored.

        Returns
        -------
        graph : CSR matrix of shape (n_samples, n_samples)
        """
        distances, rows = self.fit(X)._find_with_self(self._count())
        return graph_of(distances, rows, self.n_samples_fit_, self.mode)


class EMDRadiusNeighborsTransformer(
    ClassNamePrefixFeaturesOutMixin,  # type: ignore[misc]
    TransformerMixin,  # type: ignore[misc]
    RadiusNeighbors,
):
    """Samples into the graph of all fitted samples within a radius.

    Like sklearn.neighbors.RadiusNeighborsTransformer; rows are sorted by distance and zeros are
    explicit, that of a sample to itself included, which fit_transform puts first.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Whether entries are distances or ones.
    radius : float, default=1.0
        Distances up to this count.
    measure, coordinates, direction, n_jobs, device
        As in EMDNeighbors, which has its attributes as well.

    Examples
    --------
    >>> from navvy.sklearn import EMDRadiusNeighborsTransformer
    >>> X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    >>> EMDRadiusNeighborsTransformer(radius=1).fit_transform(X).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """

    def __init__(
        self,
        *,
        mode: str = "distance",
        radius: float = 1.0,
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.mode = mode
        self.radius = radius
        super().__init__(measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any = None) -> "EMDRadiusNeighborsTransformer":
        """Makes an index of the samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        check_mode(self.mode)
        self._fit_index(self._samples(X, reset=True))
        self._n_features_out = self.n_samples_fit_
        return self

    def transform(self, X: Any) -> Any:
        """The graph from samples to those of fit.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.

        Returns
        -------
        graph : CSR matrix of shape (n_samples, n_samples_fit)
        """
        check_is_fitted(self, "index_")
        return self.radius_neighbors_graph(X, mode=self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The graph of samples among each other, each the first of its own neighbours.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : None
            Ignored.

        Returns
        -------
        graph : CSR matrix of shape (n_samples, n_samples)
        """
        return self.fit(X)._graph(self._lists(None, None, with_self=True), self.mode)
