"""Estimators for scikit-learn.

Samples are histograms: rows of nonnegative weights, one column per coordinate. `coordinates` gives
the place of each column (a row per column); without it, columns are points 0, 1, 2, ... on a line.

A sample without any weight is at no distance from anything: it has no neighbours (row -1, distance
NaN, nothing in a graph) and is none, and a classifier gives it the shares that the classes had in
fit.

`device` says who computes, as for navvy.Index: None for what NAVVY_DEVICE names, else the
processor.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .arrays import as_coordinates
from .index import Index
from .options import Run, check_count, threads_of


class _Neighbors(BaseEstimator):  # type: ignore[misc]
    """What all have in common: an index of the samples seen in fit."""

    def __init__(
        self,
        n_neighbors: int,
        measure: str,
        coordinates: Any,
        direction: str,
        n_jobs: int | None,
        device: str | Sequence[str] | None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.measure = measure
        self.coordinates = coordinates
        self.direction = direction
        self.n_jobs = n_jobs
        self.device = device

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        return tags

    def _samples(self, X: Any, reset: bool) -> Any:
        """Checked as scikit-learn does; what is float32 or float64 stays so."""
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float32, np.float64], reset=reset)
        data = X.data if hasattr(X, "tocsr") else X
        if data.size and data.min() < 0:
            raise ValueError(f"Negative values in data passed to {type(self).__name__}")
        return X

    def _fit_index(self, X: Any) -> Any:
        X = self._samples(X, reset=True)
        points = np.arange(X.shape[1]) if self.coordinates is None else self.coordinates
        self.index_ = Index.from_histograms(X, as_coordinates(points))
        self.n_samples_fit_ = X.shape[0]
        return X

    def _run(self) -> Run:
        threads = threads_of(self.n_jobs)
        return {"direction": self.direction, "threads": threads, "device": self.device}

    def _find(self, X: Any, count: int) -> tuple[Any, Any]:
        """Distances and rows for samples, or for the fitted ones without themselves."""
        check_is_fitted(self, "index_")
        check_count("n_neighbors", count, 1)
        others = self.n_samples_fit_ - (X is None)
        if count > others:
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {count}, "
                f"n_samples_fit = {self.n_samples_fit_}"
            )
        if X is None:
            matches = self.index_.knn_matches(count, self.measure, **self._run())
            return matches.distances, matches.rows
        X = self._samples(X, reset=False)
        asking = np.asarray(X.sum(axis=1)).ravel() > 0
        distances = np.full((len(asking), count), np.nan)
        rows = np.full((len(asking), count), -1)
        if asking.any():
            matches = self.index_.search(X[asking], count, self.measure, **self._run())
            distances[asking], rows[asking] = matches.distances, matches.rows
        return distances, rows

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Distances and rows of the nearest fitted samples; without X, of each fitted sample."""
        distances, rows = self._find(X, self.n_neighbors if n_neighbors is None else n_neighbors)
        return (distances, rows) if return_distance else rows

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """The same as a CSR matrix of ones ("connectivity") or of distances ("distance")."""
        if mode not in ("connectivity", "distance"):
            raise ValueError(f"mode is {mode!r}; expected 'connectivity' or 'distance'")
        distances, rows = self.kneighbors(X, n_neighbors)
        return _graph(distances, rows, self.n_samples_fit_, mode)


def _graph(distances: Any, rows: Any, columns: int, mode: str) -> Any:
    import scipy.sparse

    found = rows >= 0
    offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
    data = distances[found] if mode == "distance" else np.ones(int(found.sum()))
    return scipy.sparse.csr_matrix((data, rows[found], offsets), shape=(len(rows), columns))


class EMDNeighbors(_Neighbors):
    """Unsupervised nearest neighbours, like sklearn.neighbors.NearestNeighbors."""

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        radius: float = 1.0,
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.radius = radius
        super().__init__(n_neighbors, measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any = None) -> "EMDNeighbors":
        self._fit_index(X)
        return self

    def radius_neighbors(
        self,
        X: Any = None,
        radius: float | None = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """Distances and rows within the radius, as arrays of arrays; always nearest first."""
        limit = self.radius if radius is None else radius
        check_is_fitted(self, "index_")
        all_distances, all_rows = self._find(X, self.n_samples_fit_ - (X is None))
        near = all_distances <= limit  # false where there is no match
        distances = np.empty(len(near), dtype=object)
        rows = np.empty(len(near), dtype=object)
        for i, chosen in enumerate(near):
            distances[i], rows[i] = all_distances[i][chosen], all_rows[i][chosen]
        return (distances, rows) if return_distance else rows


class EMDKNeighborsTransformer(TransformerMixin, _Neighbors):  # type: ignore[misc]
    """Samples into the graph of their nearest fitted samples, for metric="precomputed".

    As in sklearn.neighbors.KNeighborsTransformer, mode "distance" counts a sample among its own
    neighbours, so that transform gives one neighbour more than n_neighbors; rows are sorted by
    distance and zeros are explicit.
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
        super().__init__(n_neighbors, measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any = None) -> "EMDKNeighborsTransformer":
        self._fit_index(X)
        self._n_features_out = self.n_samples_fit_
        return self

    def transform(self, X: Any) -> Any:
        check_is_fitted(self, "index_")
        return self.kneighbors_graph(X, self.n_neighbors + (self.mode == "distance"), self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        return self.fit(X).transform(X)


class EMDKNeighborsClassifier(ClassifierMixin, _Neighbors):  # type: ignore[misc]
    """Classification by the nearest fitted samples, like sklearn.neighbors.KNeighborsClassifier.

    `weights` is "uniform" or "distance" (the inverse of it; samples at distance zero decide alone).
    """

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: str = "uniform",
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.weights = weights
        super().__init__(n_neighbors, measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any) -> "EMDKNeighborsClassifier":
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=[np.float32, np.float64], reset=True
        )
        check_classification_targets(y)
        self._fit_index(X)
        self.classes_, self._y = np.unique(y, return_inverse=True)
        return self

    def predict_proba(self, X: Any) -> Any:
        """The share of each class among the neighbours."""
        check_is_fitted(self, "index_")
        if self.weights not in ("uniform", "distance"):
            raise ValueError(f"weights is {self.weights!r}; expected 'uniform' or 'distance'")
        distances, rows = self._find(X, self.n_neighbors)
        votes = np.where(rows >= 0, 1.0, 0.0)
        if self.weights == "distance":
            zero = distances == 0
            with np.errstate(divide="ignore"):
                votes = np.where(np.isnan(distances), 0, 1 / distances)
            votes = np.where(zero.any(axis=1, keepdims=True), zero, votes)
        shares = np.zeros((len(votes), len(self.classes_)))
        np.add.at(shares, (np.arange(len(votes))[:, np.newaxis], self._y[rows]), votes)
        shares[(rows < 0).all(axis=1)] = np.bincount(self._y)
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> Any:
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]
