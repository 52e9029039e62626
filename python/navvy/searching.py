"""What an index answers: nearest rows, distances, flows, precision."""

from collections.abc import Iterable
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import FloatArray, as_coordinates, as_names
from .contents import Contents
from .evaluation import Asked, Evaluation, evaluate
from .explanation import Explanation, explained
from .log import logger
from .matches import Matches
from .options import Chosen, Purpose, Run, length_of, options, without_limits
from .queries import OnEmpty, answered, check_on_empty, require_weight, warn_of_unconverged
from .rows import row_numbers, row_range, rows_like


class Searching(Contents):
    """The part of an index that searches and measures."""

    _coordinates: FloatArray | None

    def search(
        self,
        queries: Any = None,
        top: int | None = None,
        measure: str | None = None,
        *,
        k: int | None = None,
        rows: Any = None,
        for_: Purpose | None = None,
        mix_bow: float | None = None,
        coordinates: Any = None,
        within: float | None = None,
        on_empty: OnEmpty = "raise",
        **run: Unpack[Chosen],
    ) -> Matches:
        """The nearest rows of each query.

        Parameters
        ----------
        queries : texts, images, histograms, or Index, default=None
            What the index is made of, or an index of such.
        top : int, default=None
            How many rows for each; 10 unless a radius is given.
        measure : str, default=None
            Such as "act-1" or "emd"; by default what is usual for what is asked, see `for_`.
        k : int, default=None
            The same as `top`.
        rows : int or sequence of int, default=None
            Instead of `queries`: rows of the index; each is left out of its own matches.
        for_ : {"contains", "similar"}, default=None
            "contains", the default of texts, finds rows that contain the meaning of a query;
            "similar", the default of all else, rows that are like it as a whole. It sets measure,
            direction and `mix_bow` where they are not given, and the matches say to what.
        mix_bow : float, default=None
            The share of bow in the ranking, such as 0.2, for rare names; distances are then no
            bounds of emd.
        coordinates : array of shape (n_columns,) or (n_columns, n_dimensions), default=None
            Of queries that are histograms: by default those that the index was made with, to be
            given once more after open, where queries use some that no row uses.
        within : float, default=None
            A radius: without `top` all rows inside are found, and the matches are as wide as the
            longest list.
        on_empty : {"raise", "skip"}, default="raise"
            Whether a query without weight (a text: without a known word) is an error or has no
            matches.
        **run
            Keywords of every computation, such as `threads`, and of a choice of rows: `where`, a
            filter such as "label in (a, b) and year >= 1990", and `ids`; see navvy.options.Chosen.

        Returns
        -------
        matches : Matches

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> matches = index.search([[0.5, 0.5, 0]], k=2)
        >>> matches.rows.tolist(), matches.distances.tolist()
        ([[0, 1]], [[0.5, 0.5]])
        >>> index.search(rows=0, measure="emd", within=2).rows.tolist()
        [[1]]
        """
        if (queries is None) == (rows is None):
            raise TypeError("search needs queries or rows, and not both")
        handle = self._handle
        typed = rows is None and self.kind == "text" and not isinstance(queries, Searching)
        purpose = for_ if for_ is not None else "contains" if typed else "similar"
        skip = check_on_empty(on_empty)
        with options(measure, length_of(top, k), within, handle, purpose, mix_bow, **run) as wanted:
            if rows is not None:
                asked = row_numbers(rows, len(handle))
                found = answered(handle, asked, wanted, skip)
            else:
                histograms = self._queries(queries, coordinates, known=not skip)
                found = answered(handle, histograms, wanted, skip)
                found["unknown"] = histograms.unknown
        return _matches(handle, found, wanted)

    def knn(
        self,
        top: int | None = None,
        measure: str = "act-1",
        *,
        k: int | None = None,
        **run: Unpack[Chosen],
    ) -> Any:
        """The nearest rows of every row, as a graph.

        Parameters
        ----------
        top, measure, k
            As in `search`.
        **run
            As in `search`. With `where` or `ids` both sides are the rows that are left; the lines
            of the others are empty.

        Returns
        -------
        graph : CSR matrix of shape (n_rows, n_rows)
            Distances: each line holds the neighbours of a row, nearest first, with distances of
            zero as explicit entries, but not the row itself.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.knn(1).toarray().tolist()
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
        """
        import scipy.sparse

        matches = self.knn_matches(top, measure, k=k, **run)
        found = matches.rows >= 0
        offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
        shape = len(matches), len(matches)
        return scipy.sparse.csr_matrix(
            (matches.distances[found], matches.rows[found], offsets), shape=shape
        )

    def knn_matches(
        self,
        top: int | None = None,
        measure: str = "act-1",
        *,
        k: int | None = None,
        **run: Unpack[Chosen],
    ) -> Matches:
        """The nearest rows of every row, as matches.

        Parameters
        ----------
        top, measure, k, **run
            As in `knn`.

        Returns
        -------
        matches : Matches

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.knn_matches(1).rows.tolist()
        [[1], [0], [1]]
        """
        handle = self._handle
        with options(measure, length_of(top, k), None, handle, **run) as wanted:
            return _matches(handle, handle.knn(wanted), wanted)

    def distances(
        self,
        queries: Any = None,
        measure: str = "act-1",
        *,
        query_rows: range | None = None,
        rows: range | None = None,
        coordinates: Any = None,
        on_empty: OnEmpty = "skip",
        **run: Unpack[Run],
    ) -> npt.NDArray[np.floating[Any]]:
        """All distances of the queries, or of all rows, to the rows.

        Parameters
        ----------
        queries, coordinates
            As in `search`; without queries all rows ask.
        measure : str, default="act-1"
            Such as "act-1" or "emd".
        query_rows : range, default=None
            Without `queries`: which rows ask.
        rows : range, default=None
            To which rows.
        on_empty : {"skip", "raise"}, default="skip"
            Whether a query without weight has a line of NaN or is an error.
        **run
            Keywords of every computation, such as `threads`; see navvy.options.Run.

        Returns
        -------
        distances : array of shape (n_queries, n_rows)
            NaN where a side has no weight.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.distances([[0.5, 0.5, 0]], "emd").tolist()
        [[0.5, 0.5, 2.5]]
        """
        if queries is not None and query_rows is not None:
            raise TypeError("distances takes queries or query_rows, not both")
        handle = self._handle
        of_rows = row_range(rows, len(handle))
        skip = check_on_empty(on_empty)
        with options(measure, **without_limits(run)) as wanted:
            if queries is None:
                lines = row_range(query_rows, len(handle))
                values, unconverged = handle.distances(lines, of_rows, wanted)
            else:
                histograms = self._queries(queries, coordinates, known=not skip)
                if not skip:
                    require_weight(histograms)
                values, unconverged = handle.distances(histograms, of_rows, wanted)
        warn_of_unconverged(unconverged)
        return values

    def explain(
        self, a: Any, b: Any, measure: str = "emd", *, coordinates: Any = None, **run: Unpack[Run]
    ) -> Explanation:
        """The flow behind the distance of two histograms.

        Parameters
        ----------
        a, b : int, str, image or histogram
            A row number, a text (for an index of texts), the id of a row (for others), an image, or
            a histogram.
        measure : str, default="emd"
            Such as "act-1" or "emd".
        coordinates
            As in `search`.
        **run
            Keywords of every computation, such as `threads`; see navvy.options.Run.

        Returns
        -------
        explanation : Explanation

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> why = index.explain(0, [[0, 1, 1]])
        >>> why.distance, [(move.source, move.target, move.mass) for move in why.moves]
        (2.0, [('0', '2', 0.5), ('0', '1', 0.5)])
        """
        source, target = self._one(a, coordinates), self._one(b, coordinates)
        with options(measure, **without_limits(run)) as wanted:
            return explained(source, target, wanted)

    def evaluate(
        self,
        measures: str | Iterable[str] = "act-1",
        tops: Iterable[int] = (1, 16),
        queries: int = 0,
        *,
        seed: int = 1,
        test: tuple[Any, Iterable[object]] | None = None,
        coordinates: Any = None,
        **run: Unpack[Chosen],
    ) -> dict[str, Evaluation]:
        """Precision of the nearest rows against labels.

        Parameters
        ----------
        measures : str or iterable of str, default="act-1"
            Names, or several in one, with commas between.
        tops : iterable of int, default=(1, 16)
            Lengths of lists.
        queries : int, default=0
            So many rows ask, by chance, the same for a `seed` everywhere; 0 for all.
        seed : int, default=1
            Of that choice.
        test : pair of queries and their labels, default=None
            They ask instead of rows: queries as in `search`, labels compared by name.
        coordinates
            As in `search`, of a test set.
        **run
            As in `search`. With `where` or `ids` those rows ask that are left, which alone are
            found.

        Returns
        -------
        evaluations : dict of Evaluation
            By the name of the measure.

        Examples
        --------
        >>> import navvy
        >>> X = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.1, 0.9]]
        >>> index = navvy.Index.from_histograms(X, [0, 1, 3], labels=["a", "a", "b", "b"])
        >>> index.evaluate("emd", tops=[1])["emd"].precision
        {1: 1.0}
        """
        chosen = None
        if test is not None:
            histograms = self._queries(test[0], coordinates, known=False)
            chosen = histograms, as_names(list(test[1]), "labels") or []
        asked = Asked(tops, queries, seed, chosen)
        return evaluate(self._handle, measures, asked, without_limits(run))

    def _queries(self, queries: Any, coordinates: Any = None, known: bool = True) -> _navvy.Handle:
        """Rows made as those of the index were; see rows_like."""
        if isinstance(queries, Searching):
            # Words that both use are compared by value; of others nothing else would tell.
            for key in ("condition", "normalized_vectors"):
                own, theirs = (index.properties.get(key, "none") for index in (self, queries))
                if own != theirs:
                    raise ValueError(
                        f"the word vectors of the queries were made otherwise: {key} is {theirs}, "
                        f"but {own} in the index"
                    )
            return queries._handle
        points = self._coordinates if coordinates is None else as_coordinates(coordinates)
        return rows_like(self._handle, queries, points, known)

    def _one(self, what: Any, coordinates: Any) -> tuple[_navvy.Handle, int, str]:
        """A histogram, as an index, its row there, and a name for it."""
        if isinstance(what, int | np.integer) and not isinstance(what, bool):
            (row,) = row_numbers([int(what)], len(self))
            return self._handle, int(row), self._handle.id(int(row))
        if isinstance(what, str) and self.kind != "text":
            return self._handle, self._handle.row_with_id(what), what
        queries = self._queries(what, coordinates)
        if len(queries) != 1:
            raise ValueError(f"{len(queries)} histograms; expected one")
        return queries, 0, repr(what[:40]) if isinstance(what, str) else "the query"


def _matches(handle: _navvy.Handle, found: dict[str, Any], wanted: _navvy.Options) -> Matches:
    """What was found in the rows of a handle, which keep their names whatever becomes of the
    index."""
    warn_of_unconverged(found["unconverged"])
    rows = found["rows"]
    logger.debug(
        "%d queries under %s (%s): %d matches each, rows costed: %s",
        *(len(rows), wanted.measure, wanted.direction, rows.shape[1], found["stages"]),
    )
    return Matches(
        distances=found["distances"],
        rows=rows,
        measure=wanted.measure,
        direction=wanted.direction,
        bow_share=wanted.bow_share,
        stages=found["stages"],
        _handle=handle,
        lower=found.get("lower"),
        upper=found.get("upper"),
        exact=found["exact"].astype(bool) if "exact" in found else None,
        unknown=found.get("unknown") or [[] for _ in rows],
    )
