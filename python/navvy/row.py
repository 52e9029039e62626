"""One row of an index: its names, its histogram, what else is known of it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import FloatArray
from .fields import field_array
from .rows import typed_labels


@dataclass(frozen=True, eq=False)
class Row:
    """What an index holds of a row.

    Its bins have `weights`, which sum to 1, `coordinates`, a line for each, and, where these are
    words, `words`. `numbers` are columns of the matrix, or pixels; `places` are lines of the
    `coordinates` of the index.
    """

    row: int
    id: str
    label: str | int | None
    title: str
    fields: dict[str, Any]
    weights: npt.NDArray[np.float32] = field(repr=False)
    coordinates: FloatArray = field(repr=False)
    words: list[str] = field(repr=False)
    numbers: npt.NDArray[np.uint32] = field(repr=False)
    places: npt.NDArray[np.uint32] = field(repr=False)


def row_of(handle: _navvy.Handle, row: int) -> Row:
    """The row of a number that is known to be there."""
    offsets, coordinates, weights = handle.histograms()
    bins = slice(int(offsets[row]), int(offsets[row + 1]))
    places = coordinates[bins]
    alone = np.array([row])
    (label,) = typed_labels(handle, handle.labels_at(alone))
    return Row(
        row=row,
        id=handle.id(row),
        label=label,
        title=handle.titles_at(alone)[0],
        fields={name: field_array(handle, name, alone)[0] for name in handle.field_names},
        weights=weights[bins],
        coordinates=handle.coordinates()[places],
        words=handle.words_at(places),
        numbers=handle.numbers()[places],
        places=places,
    )


def dense(row: Row, places: npt.NDArray[np.uint32], length: int) -> npt.NDArray[np.float32]:
    """The weights of a row at some places of so many."""
    values = np.zeros(length, dtype=np.float32)
    values[places] = row.weights
    return values
