"""Neighbours within a radius, found in blocks: memory grows with what is found alone."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..matches import Matches
from .base import Neighbors, check_mode, has_weight

# Of a block of queries that may each match every row: a distance and a row of 8 bytes each.
BLOCK_BYTES = 1 << 25
MATCH_BYTES = 16


class RadiusNeighbors(Neighbors):
    """Those that ask for all neighbours within a radius."""

    radius: float

    def _lists(
        self, X: Any, radius: float | None, with_self: bool = False
    ) -> Iterator[tuple[Any, Any]]:
        """Distances and rows of each query in turn; those of fitted samples, where there is no X,
        begin with themselves or leave them out."""
        check_is_fitted(self, "index_")
        limit = float(self.radius if radius is None else radius)
        if not limit >= 0:
            raise ValueError(f"radius is {limit}; expected a number of at least 0")
        if X is not None:
            X = self._samples(X, reset=False)
            return self._asked(has_weight(X), lambda who: self._within(limit, queries=X[who]))
        weighted = self._fitted_weight()
        found = self._asked(weighted, lambda who: self._within(limit, rows=who))
        return _with_self(found, weighted) if with_self else found

    def _asked(self, asking: Any, ask: Callable[[Any], Matches]) -> Iterator[tuple[Any, Any]]:
        """Lists for all, asked in blocks for those who ask."""
        block = max(1, BLOCK_BYTES // (MATCH_BYTES * self.n_samples_fit_))
        for begin in range(0, len(asking), block):
            who = begin + np.nonzero(asking[begin : begin + block])[0]
            lists = _found(ask(who)) if len(who) else iter(())
            for asks in asking[begin : begin + block]:
                yield next(lists) if asks else (np.empty(0), np.empty(0, dtype=np.int64))

    def _within(self, limit: float, **who: Any) -> Matches:
        return self.index_.search(measure=self.measure, within=limit, **who, **self._run())

    def radius_neighbors(
        self,
        X: Any = None,
        radius: float | None = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """All fitted samples within a radius.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_queries, n_features), default=None
            Who asks; without it each fitted sample, which is then not its own neighbour.
        radius : float, default=None
            Distances up to this count; by default the radius given to the constructor.
        return_distance : bool, default=True
            Whether distances are returned as well.
        sort_results : bool, default=False
            For the sake of scikit-learn: results are always sorted.

        Returns
        -------
        distances : array of n_queries arrays
            Nearest first, ties by row. Only with `return_distance`.
        rows : array of n_queries arrays
            Rows of the fitted samples.
        """
        lists = list(self._lists(X, radius))
        distances = np.empty(len(lists), dtype=object)
        rows = np.empty(len(lists), dtype=object)
        for i, (near, which) in enumerate(lists):
            distances[i], rows[i] = near, which
        return (distances, rows) if return_distance else rows

    def radius_neighbors_graph(
        self,
        X: Any = None,
        radius: float | None = None,
        mode: str = "connectivity",
        sort_results: bool = False,
    ) -> Any:
        """All fitted samples within a radius, as a graph.

        Parameters
        ----------
        X, radius, sort_results
            As in `radius_neighbors`.
        mode : {"connectivity", "distance"}, default="connectivity"
            Whether entries are ones or distances.

        Returns
        -------
        graph : CSR matrix of shape (n_queries, n_samples_fit)
            Entries of a row stand nearest first; distances of zero are explicit.
        """
        check_mode(mode)
        return self._graph(self._lists(X, radius), mode)

    def _graph(self, found: Iterator[tuple[Any, Any]], mode: str) -> Any:
        import scipy.sparse

        lists = list(found)
        offsets = np.concatenate([[0], np.cumsum([len(rows) for _, rows in lists])]).astype(int)
        rows = np.concatenate([np.empty(0, dtype=np.int64), *(rows for _, rows in lists)])
        data = np.ones(len(rows))
        if mode == "distance":
            data = np.concatenate([np.empty(0), *(distances for distances, _ in lists)])
        return scipy.sparse.csr_matrix(
            (data, rows, offsets), shape=(len(lists), self.n_samples_fit_)
        )


def _found(matches: Matches) -> Iterator[tuple[Any, Any]]:
    """The lists of a block, as arrays that do not keep the block."""
    for distances, rows in zip(matches.distances, matches.rows, strict=True):
        count = int((rows >= 0).sum())
        yield distances[:count].copy(), rows[:count].copy()


def _with_self(found: Iterator[tuple[Any, Any]], weighted: Any) -> Iterator[tuple[Any, Any]]:
    """Lists of fitted samples, each with the sample before its neighbours."""
    for number, (distances, rows) in enumerate(found):
        if weighted[number]:
            distances, rows = np.append(0.0, distances), np.append(number, rows)
        yield distances, rows
