"""What the estimators have in common: an index of the samples seen in fit, and who asks it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from ..arrays import as_coordinates
from ..index import Index
from ..options import Run, check_count, threads_of

MODES = ("connectivity", "distance")


class Neighbors(BaseEstimator):  # type: ignore[misc]
    """What each estimator is told about distances, and the index that fit makes."""

    index_: Index
    n_samples_fit_: int

    def __init__(
        self,
        measure: str,
        coordinates: Any,
        direction: str,
        n_jobs: int | None,
        device: str | Sequence[str] | None,
    ) -> None:
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

    def _samples(self, X: Any, reset: bool, **y: Any) -> Any:
        """Checked as scikit-learn does, with y where it is given; what is float32 or float64 stays
        so."""
        checked = validate_data(
            self, X, **y, accept_sparse="csr", dtype=[np.float32, np.float64], reset=reset
        )
        X = checked[0] if y else checked
        data = X.data if hasattr(X, "tocsr") else X
        if data.size and data.min() < 0:
            raise ValueError(f"Negative values in data passed to {type(self).__name__}")
        return checked

    def _fit_index(self, X: Any) -> None:
        """An index of samples that were checked."""
        points = np.arange(X.shape[1]) if self.coordinates is None else self.coordinates
        self.index_ = Index.from_histograms(X, as_coordinates(points))
        self.n_samples_fit_ = X.shape[0]

    def _fitted_weight(self) -> Any:
        """Which of the fitted samples have any weight."""
        return np.diff(self.index_.histograms.indptr) > 0

    def _run(self) -> Run:
        threads = threads_of(self.n_jobs)
        return {"direction": self.direction, "threads": threads, "device": self.device}


class KNeighbors(Neighbors):
    """Those that ask for so many neighbours."""

    n_neighbors: int

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
        asking = has_weight(X)
        distances = np.full((len(asking), count), np.nan)
        rows = np.full((len(asking), count), -1)
        if asking.any():
            matches = self.index_.search(X[asking], count, self.measure, **self._run())
            distances[asking], rows[asking] = matches.distances, matches.rows
        return distances, rows

    def _find_with_self(self, count: int) -> tuple[Any, Any]:
        """Distances and rows for the fitted samples, each the first of its own `count` neighbours.
        A sample without weight has none."""
        samples = self.n_samples_fit_
        distances, rows = np.empty((samples, 0)), np.empty((samples, 0), dtype=np.int64)
        if check_count("n_neighbors", count, 1) > 1:
            distances, rows = self._find(None, count - 1)
        weighted = self._fitted_weight()
        return (
            np.column_stack([np.where(weighted, 0.0, np.nan), distances]),
            np.column_stack([np.where(weighted, np.arange(samples), -1), rows]),
        )

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """The nearest fitted samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_queries, n_features), default=None
            Who asks; without it each fitted sample, which is then not its own neighbour.
        n_neighbors : int, default=None
            How many; by default the number given to the constructor.
        return_distance : bool, default=True
            Whether distances are returned as well.

        Returns
        -------
        distances : array of shape (n_queries, n_neighbors)
            Nearest first, ties by row; NaN where there are fewer. Only with `return_distance`.
        rows : array of shape (n_queries, n_neighbors)
            Rows of the fitted samples; -1 where there are fewer.
        """
        distances, rows = self._find(X, self.n_neighbors if n_neighbors is None else n_neighbors)
        return (distances, rows) if return_distance else rows

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """The nearest fitted samples as a graph.

        Parameters
        ----------
        X, n_neighbors
            As in `kneighbors`.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are ones or distances.

        Returns
        -------
        graph : CSR matrix of shape (n_queries, n_samples_fit)
            Entries of a row stand nearest first; distances of zero are explicit.
        """
        check_mode(mode)
        distances, rows = self.kneighbors(X, n_neighbors)
        return graph_of(distances, rows, self.n_samples_fit_, mode)


def has_weight(X: Any) -> Any:
    """Which samples have any weight."""
    return np.asarray(X.sum(axis=1)).ravel() > 0


def check_mode(mode: str) -> None:
    if mode not in MODES:
        raise ValueError(f"mode is {mode!r}; expected 'connectivity' or 'distance'")


def graph_of(distances: Any, rows: Any, columns: int, mode: str) -> Any:
    """A CSR matrix of lists of one length, without what is missing in them."""
    import scipy.sparse

    found = rows >= 0
    offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
    data = distances[found] if mode == "distance" else np.ones(int(found.sum()))
    return scipy.sparse.csr_matrix((data, rows[found], offsets), shape=(len(rows), columns))
