"""Rows of an index out of what users have."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import (
    FloatArray,
    are_integers,
    as_array,
    as_names,
    as_pixels,
    as_rows,
    is_missing,
    listed,
    text_array,
)


def named(
    handle: _navvy.Handle,
    labels: Iterable[object] | None,
    ids: Iterable[object] | None,
    label_names: Iterable[str] | None = None,
) -> _navvy.Handle:
    if label_names is not None:
        labels = names_of_numbers(labels, list(label_names))
    if labels is None and ids is None:
        return handle
    labels = None if labels is None else as_given(labels)
    made = handle.labelled(as_names(labels, "labels"), as_names(ids, "ids"))
    return made.with_integer_labels() if are_integers(labels) else made


def as_given(values: Iterable[object]) -> Iterable[object]:
    """Something that can be gone through more than once."""
    return values if isinstance(values, str) or hasattr(values, "__len__") else list(values)


def typed_labels(handle: _navvy.Handle, names: list[str]) -> list[Any]:
    """Labels as they were given: integers, with None for none, or text with ""."""
    if not handle.integer_labels:
        return names
    return [int(name) if name else None for name in names]


def label_array(handle: _navvy.Handle, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The labels of some rows: text, or int64, or objects where some of the integers are none."""
    if not handle.has_labels:
        return np.full(len(rows), "", dtype=np.str_)
    numbers = np.where(rows < 0, -1, handle.label_numbers()[rows])
    # An index may have a label for every row: only those of these rows are looked up.
    _, first, places = np.unique(numbers, return_index=True, return_inverse=True)
    labels = typed_labels(handle, handle.labels_at(rows[first]))
    if not handle.integer_labels:
        return text_array(labels)[places]
    kind: Any = object if None in labels else np.int64
    return np.array(labels, dtype=kind)[places]


def names_of_numbers(labels: Iterable[object] | None, names: list[str]) -> list[str]:
    """The name of each label that is a number from 0 on."""
    if labels is None:
        raise TypeError("label_names needs labels")
    found = []
    for row, label in enumerate(labels):
        if isinstance(label, bool) or not isinstance(label, int | np.integer):
            raise TypeError(f"label {row} is {label!r}; expected the number of a name")
        if not 0 <= label < len(names):
            raise ValueError(f"label {row} is {label}, but there are {len(names)} label_names")
        found.append(names[int(label)])
    return found


def one_size(images: Any, height: int, width: int) -> npt.NDArray[Any]:
    array = as_array(images)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim != 3 or array.shape[1:] != (height, width):
        raise ValueError(f"images of shape {array.shape}; expected (n, {height}, {width})")
    return array


def image_handle(images: Any, keep_background: bool) -> _navvy.Handle:
    array = as_pixels(images)
    if array.dtype == bool:
        array = array.astype(np.uint8)
    if array.dtype == np.uint8:
        return _navvy.Handle.from_images(np.ascontiguousarray(array), keep_background)
    count, height, width = array.shape
    rows, _ = as_rows(array.reshape(count, height * width), keep_background)
    return _navvy.Handle.from_pixels(rows, height, width, keep_background)


def texts_of(texts: Iterable[str | None]) -> list[str]:
    """Texts of a sequence or a column; one that is missing there is empty."""
    made = ["" if is_missing(text) else text for text in listed(texts)]
    for i, text in enumerate(made):
        text = made[i] = plain_text(text)
        if not isinstance(text, str):
            raise TypeError(f"text {i} is {type(text).__name__}; expected str")
    return made


def plain_text(text: Any) -> Any:
    """The text of what has one, such as a document of spaCy; all else as it is."""
    inside = getattr(text, "text", None)
    return inside if isinstance(inside, str) else text


def documents_of(
    texts: Iterable[str],
    labels: Iterable[object] | None,
    ids: Iterable[object] | None,
    titles: Iterable[object] | None,
) -> list[tuple[str, str, str, str]]:
    if isinstance(plain_text(texts), str):
        what = "string" if isinstance(texts, str) else type(texts).__name__
        raise TypeError(f"texts are one {what}; expected a sequence of texts")
    made = texts_of(texts)
    parts = []
    for what, values in (("ids", ids), ("labels", labels), ("titles", titles)):
        names = as_names(values, what)
        if names is not None and len(names) != len(made):
            raise ValueError(f"{len(names)} {what}, expected {len(made)}, one per row")
        parts.append(names if names is not None else [""] * len(made))
    return list(zip(*parts, made, strict=True))


def row_numbers(rows: Any, count: int) -> npt.NDArray[np.uint32]:
    numbers = np.atleast_1d(np.asarray(rows))
    if numbers.size == 0:
        return np.empty(0, dtype=np.uint32)
    if not np.issubdtype(numbers.dtype, np.integer) or numbers.ndim != 1:
        raise TypeError(f"rows are {numbers.dtype}; expected row numbers")
    if numbers.min() < 0 or numbers.max() >= count:
        wrong = numbers.min() if numbers.min() < 0 else numbers.max()
        raise ValueError(f"row {wrong} does not exist: the index has {count} rows, numbered from 0")
    return numbers.astype(np.uint32)


def row_range(rows: range | slice | None, count: int) -> tuple[int, int]:
    if rows is None:
        return 0, count
    if not isinstance(rows, range | slice) or rows.step not in (None, 1):
        raise TypeError(f"rows are {rows!r}; expected a range without steps")
    if isinstance(rows, slice):
        rows = range(*rows.indices(count))
    return rows.start, max(rows.start, rows.stop)


def rows_like(
    handle: _navvy.Handle, rows: Any, points: FloatArray | None, known: bool
) -> _navvy.Handle:
    """Rows made as those of an index were; histograms over `points`, or over what it uses. Texts
    without a known word have no weight, or are an error where all must be `known`."""
    if handle.kind == "text":
        rows = plain_text(rows)
        return handle.encode_texts(texts_of([rows] if isinstance(rows, str) else rows), known)
    keep_zeros = handle.keeps_zeros
    if handle.kind == "images":
        height, width = (int(handle.properties[key]) for key in ("height", "width"))
        return image_handle(one_size(rows, height, width), keep_zeros)
    if not hasattr(rows, "tocsr"):
        rows = np.atleast_2d(as_array(rows))
    made, columns = as_rows(rows, keep_zeros)
    if points is None:
        return handle.encode_histograms(made)
    if columns != len(points):
        raise ValueError(
            f"queries over {columns} coordinates, but the index was made with {len(points)}"
        )
    return _navvy.Handle.from_histograms(made, points, None, keep_zeros)


def bin_names(handle: _navvy.Handle, row: int) -> list[str]:
    """Words; or lines and columns of pixels; or numbers of coordinates."""
    offsets, coordinates, _ = handle.histograms()
    bins = coordinates[offsets[row] : offsets[row + 1]]
    words = handle.words_at(bins)
    if words:
        return words
    numbers = handle.numbers()[bins]
    if handle.kind == "images":
        width = int(handle.properties["width"])
        return [f"({number // width}, {number % width})" for number in numbers]
    return [str(number) for number in numbers]
