"""What searches give."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .index import Index


class Match(NamedTuple):
    """One row that was found."""

    row: int
    id: str
    label: str
    distance: float


@dataclass(frozen=True)
class Matches:
    """The nearest rows of each query, nearest first; ties go to the lower row.

    `distances` and `rows` have the shape (queries, top). Where there are fewer matches, `rows` is
    -1 and `distances` NaN. `stages` says how many rows were costed by which measure.

    Under emd, the true distances lie within `lower` and `upper`, which differ only where a search
    was stopped early and `exact` is false; under other measures these three are None.
    """

    distances: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    measure: str
    stages: dict[str, int] = field(repr=False)
    _index: "Index" = field(repr=False)
    lower: npt.NDArray[np.float64] | None = field(default=None, repr=False)
    upper: npt.NDArray[np.float64] | None = field(default=None, repr=False)
    exact: npt.NDArray[np.bool_] | None = field(default=None, repr=False)

    @cached_property
    def ids(self) -> npt.NDArray[np.str_]:
        """The ids of the rows; "" where there is none."""
        return self._names(self._index.ids)

    @cached_property
    def labels(self) -> npt.NDArray[np.str_]:
        """The labels of the rows; "" where there is none."""
        return self._names(self._index.labels)

    def fields(self, name: str) -> npt.NDArray[Any]:
        """The values of a field of the rows; NaN, NaT or "" where there is none."""
        values = self._index.fields[name]
        none = {"f": "nan", "M": "NaT"}.get(values.dtype.kind, "")
        return np.append(values, np.array(none, dtype=values.dtype))[self.rows]

    def _names(self, names: npt.NDArray[np.str_]) -> npt.NDArray[np.str_]:
        return np.append(names, "")[self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, query: int) -> list[Match]:
        found = zip(
            self.rows[query],
            self.ids[query],
            self.labels[query],
            self.distances[query],
            strict=True,
        )
        return [
            Match(int(row), str(name), str(label), float(distance))
            for row, name, label, distance in found
            if row >= 0
        ]

    def __iter__(self) -> Iterator[list[Match]]:
        return (self[query] for query in range(len(self)))


@dataclass(frozen=True)
class Evaluation:
    """Precision of nearest-neighbour lists against labels, leave-one-out by row."""

    measure: str
    precision: dict[int, float]
    queries: int
    distances: int
    seconds: float
