"""Rows of an index out of what users have."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import as_names, as_pixels, as_rows


def named(
    handle: _navvy.Handle, labels: Iterable[object] | None, ids: Iterable[object] | None
) -> _navvy.Handle:
    if labels is None and ids is None:
        return handle
    return handle.labelled(as_names(labels, "labels"), as_names(ids, "ids"))


def one_size(images: Any, height: int, width: int) -> npt.NDArray[Any]:
    array = np.asarray(images)
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


def texts_of(texts: Iterable[str]) -> list[str]:
    made = list(texts)
    for i, text in enumerate(made):
        if not isinstance(text, str):
            raise TypeError(f"text {i} is {type(text).__name__}; expected str")
    return made


def documents_of(
    texts: Iterable[str],
    labels: Iterable[object] | None,
    ids: Iterable[object] | None,
    titles: Iterable[object] | None,
) -> list[tuple[str, str, str, str]]:
    if isinstance(texts, str):
        raise TypeError("texts are one string; expected a sequence of texts")
    made = texts_of(texts)
    parts = []
    for what, values in (("ids", ids), ("labels", labels), ("titles", titles)):
        names = as_names(values, what)
        if names is not None and len(names) != len(made):
            raise ValueError(f"{len(names)} {what}, expected {len(made)}, one per row")
        parts.append(names if names is not None else [""] * len(made))
    return list(zip(*parts, made, strict=True))


def bin_names(handle: _navvy.Handle, row: int) -> list[str]:
    """Words; or lines and columns of pixels; or numbers of coordinates."""
    offsets, coordinates, _ = handle.histograms()
    bins = coordinates[offsets[row] : offsets[row + 1]]
    words = handle.words()
    if words:
        return [words[i] for i in bins]
    numbers = handle.numbers()[bins]
    if handle.kind == "images":
        width = int(handle.properties["width"])
        return [f"({number // width}, {number % width})" for number in numbers]
    return [str(number) for number in numbers]
