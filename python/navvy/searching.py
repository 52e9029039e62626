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
        """The nearest rows of each query, 10 unless `top` (or `k`, the same) says otherwise.

        Queries are what the index is made of: texts, images, or histograms over the coordinates it
        was made with (to be given once more as `coordinates` after open, where queries use some
        that no row uses). Instead of `queries`, `rows` names rows of the index; each is left out of
        its own matches.

        `for_` says what is asked: "contains", the default of texts, finds rows that contain the
        meaning of a query; "similar", the default of all else, rows that are like it as a whole.
        It sets measure, direction and `mix_bow` where they are not given, and the matches say to
        what. `mix_bow` is the share of bow in the ranking, such as 0.2, for rare names; distances
        are then no bounds of emd.

        Among the keywords `where` is a filter such as "label in (a, b) and year >= 1990" and `ids`
        names rows: only what passes both is found. `within` is a radius: without `top` all rows
        inside are found, and the matches are as wide as the longest list. A query without weight (a
        text: without a known word) is an error, or with `on_empty="skip"` has no matches.
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
        """The nearest rows of every row as a CSR matrix of distances, n x n.

        Each row holds its neighbours, nearest first, with distances of zero as explicit entries,
        but not itself. With `where` or `ids`, as in search, both sides are the rows that are left;
        the lines of the others are empty.
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
        """The same as Matches."""
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
        """All distances of the queries, or of all rows, to the rows; NaN where one has no weight.

        `rows` chooses a range of columns and, without `queries`, `query_rows` one of lines. A query
        without weight has a line of NaN, or with `on_empty="raise"` is an error.
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

        Each is a row number, a text (for an index of texts), the id of a row (for others), an
        image, or a histogram.
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
        """Precision of the nearest rows against labels under each measure, by its name.

        All rows ask, or `queries` of them by chance, the same for a `seed` everywhere; with `where`
        or `ids`, as in search, those that are left, which alone are found. A `test` set of queries
        and their labels asks instead: queries as in search, labels compared by name.
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
