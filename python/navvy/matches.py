"""What searches give."""

import dis
import operator
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from types import FrameType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import text_array
from .fields import field_array
from .notebook import html_of_matches
from .rows import label_array, typed_labels
from .tables import to_arrow, to_pandas
from .umap import for_umap


class Match(NamedTuple):
    """One row that was found."""

    row: int
    id: str
    label: str | int | None
    distance: float


def is_unpacking(caller: FrameType) -> bool:
    """Whether a line such as `a, b = matches` asks. After faiss it is often meant to give distances
    and rows, and where there happen to be two queries nobody would notice what it gives instead."""
    return dis.opname[caller.f_code.co_code[caller.f_lasti]].startswith("UNPACK_")


@dataclass(frozen=True, eq=False, repr=False)
class Matches:
    """The nearest rows of each query, nearest first; ties go to the lower row.

    `distances` and `rows` have the shape (queries, top). Where there are fewer matches, `rows` is
    -1 and `distances` NaN. `measure`, `direction` and `bow_share`, the share of bow in the ranking,
    say what was asked, `stages` how many rows were costed by which measure.

    Under emd, the true distances lie within `lower` and `upper`, which differ only where a search
    was stopped early and `exact` is false; under other measures these three are None.

    `unknown` are the words of each query, where it was a text, that have no vector: matches speak
    of the others alone, also where they are proven.

    `matches[query]` is a list of `Match`, and iterating gives that of each query. Names, labels and
    fields are those that rows had when they were found, whatever becomes of the index; they are
    looked up when they are first asked for, and pickled with the matches.
    """

    distances: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    measure: str
    direction: str
    bow_share: float
    stages: dict[str, int]
    # The rows as they were: a handle never changes. None where all has been looked up.
    _handle: _navvy.Handle | None
    lower: npt.NDArray[np.float64] | None = None
    upper: npt.NDArray[np.float64] | None = None
    exact: npt.NDArray[np.bool_] | None = None
    unknown: list[list[str]] = field(default_factory=list)
    _looked_up: dict[str, npt.NDArray[Any]] = field(default_factory=dict)

    @cached_property
    def ids(self) -> npt.NDArray[Any]:
        """The ids of the rows; "" where there is none.

        Texts are an array of `str_`, or of objects where one has more than 64 characters: so are
        labels, titles and fields.
        """
        return self._texts(self._source.ids_at(self.rows.ravel()))

    @cached_property
    def labels(self) -> npt.NDArray[Any]:
        """The labels of the rows, integers where they were given so; "" or None for none."""
        return label_array(self._source, self.rows.ravel()).reshape(self.rows.shape)

    @cached_property
    def titles(self) -> npt.NDArray[Any]:
        """The titles of the rows; "" where there is none."""
        return self._texts(self._source.titles_at(self.rows.ravel()))

    def fields(self, name: str) -> npt.NDArray[Any]:
        """The values of a field of the rows.

        Parameters
        ----------
        name : str
            One of `field_names`.

        Returns
        -------
        values : array of shape (n_queries, top)
            NaN, NaT or "" where there is none.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0], [0, 1]], [0, 1], fields={"year": [1, 2]})
        >>> index.search(rows=0, k=1).fields("year").tolist()
        [[2.0]]
        """
        if name not in self._looked_up:
            if self._handle is None:
                raise KeyError(name)
            values = field_array(self._handle, name, self.rows.ravel())
            self._looked_up[name] = values.reshape(self.rows.shape)
        return self._looked_up[name]

    @property
    def field_names(self) -> list[str]:
        """The names that `fields` takes."""
        return list(self._looked_up) if self._handle is None else self._handle.field_names

    def as_arrays(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Distances and rows, in the order of faiss.

        Returns
        -------
        distances, rows : arrays of shape (n_queries, top)

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> D, I = index.search([[0, 0, 1]], k=2).as_arrays()
        >>> D.tolist(), I.tolist()
        ([[0.0, 2.0]], [[2, 1]])
        """
        return self.distances, self.rows

    def to_pandas(self) -> Any:
        """A table with a line for each row found.

        Returns
        -------
        table : pandas.DataFrame
            query, rank, row, id, label, distance, under emd `lower`, `upper` and `exact`, and the
            fields of the rows.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.search([[0, 0, 1]], k=2).to_pandas()[["rank", "row", "distance"]]
           rank  row  distance
        0     1    2       0.0
        1     2    1       2.0
        """
        return to_pandas(self)

    def to_arrow(self) -> Any:
        """The same table as `to_pandas`, of pyarrow.

        Returns
        -------
        table : pyarrow.Table
            What polars.from_arrow and Parquet take.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.search([[0, 0, 1]], k=2).to_arrow()["row"].to_pylist()
        [2, 1]
        """
        return to_arrow(self)

    def _repr_html_(self) -> str:
        return html_of_matches(self, self._handle)

    def __repr__(self) -> str:
        names = ("distances", "rows", "measure", "direction", "bow_share")
        shown = [f"{name}={getattr(self, name)!r}" for name in names]
        # Of many queries those alone that answers leave something out of.
        unknown = {query: words for query, words in enumerate(self.unknown) if words}
        shown += [f"unknown={unknown!r}"] if unknown else []
        return f"Matches({', '.join(shown)})"

    def for_umap(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
        """Neighbours of all rows as UMAP takes them; see navvy.umap.for_umap.

        Returns
        -------
        indices, distances : arrays of shape (n_rows, n_neighbors)
            `precomputed_knn` of UMAP.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.knn_matches(1).for_umap()[0].tolist()
        [[0, 1], [1, 0], [2, 1]]
        """
        return for_umap(self)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, query: int) -> list[Match]:
        place = operator.index(query)
        rows = self.rows[place]
        if self._handle is None:
            ids, labels = self.ids[place].tolist(), self.labels[place].tolist()
        else:
            ids = self._handle.ids_at(rows)
            labels = typed_labels(self._handle, self._handle.labels_at(rows))
        found = zip(rows, ids, labels, self.distances[place], strict=True)
        return [
            Match(int(row), name, label, float(distance))
            for row, name, label, distance in found
            if row >= 0
        ]

    def __iter__(self) -> Iterator[list[Match]]:
        if is_unpacking(sys._getframe(1)):
            raise TypeError(
                "matches are one list for each query; .as_arrays() gives distances and rows"
            )
        return (self[query] for query in range(len(self)))

    def __getstate__(self) -> dict[str, Any]:
        """Without the index: what the rows found are called is looked up now."""
        for name in self.field_names:
            self.fields(name)
        looked_up = {"ids": self.ids, "labels": self.labels, "titles": self.titles}
        return self.__dict__ | looked_up | {"_handle": None}

    @property
    def _source(self) -> _navvy.Handle:
        assert self._handle is not None, "a copy without the index has looked up everything"
        return self._handle

    def _texts(self, texts: list[str]) -> npt.NDArray[Any]:
        return text_array(texts).reshape(self.rows.shape)
