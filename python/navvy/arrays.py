"""Arrays of all sorts as the library takes them, without a copy where nothing has to change."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy

FloatArray = npt.NDArray[np.float32]
LARGEST = 2**31 - 1
NO_NAMES = (bytes, bytearray, list, tuple, dict, set, np.ndarray)
LONGEST = 64
"""Characters of a text up to which an array of such has places of one width."""


def is_sparse(value: Any) -> bool:
    """Whether scipy made it; scipy is loaded by who has such a thing."""
    return hasattr(value, "tocsr")


def as_array(values: Any) -> npt.NDArray[Any]:
    """What NumPy reads, tensors on any device, and columns whose cells are lists."""
    if hasattr(values, "detach") and hasattr(values, "cpu"):  # of torch
        values = values.detach().cpu()
    if hasattr(values, "__dlpack__") and not hasattr(values, "__array__"):
        values = np.from_dlpack(values)
    array = np.asarray(values)
    if array.dtype == object and array.ndim == 1 and array.size:
        return stacked(array)
    if array.dtype == object and array.ndim == 2 and hasattr(values, "columns"):
        return numbers_of(array)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def numbers_of(cells: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Numbers that pandas has as objects, since some might be missing."""
    try:
        return cells.astype(np.float64)
    except TypeError:
        place = next((place for place, cell in np.ndenumerate(cells) if is_missing(cell)), None)
        if place is None:
            raise
    where = ", column ".join(map(str, place))
    raise ValueError(f"row {where} has no value; expected a number everywhere")


def stacked(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Lists of one length as lines of an array; what holds no lists stays as it is."""
    if any(isinstance(cell, str) or not hasattr(cell, "__len__") for cell in cells):
        return cells
    for place, cell in enumerate(cells):
        if len(cell) != len(cells[0]):
            raise ValueError(
                f"row {place} has {len(cell)} values, but row 0 has {len(cells[0])}; "
                "expected one for each column"
            )
    return np.stack([np.asarray(cell) for cell in cells])


def owned(array: npt.NDArray[Any], given: Any) -> npt.NDArray[Any]:
    """A copy where the array lies in memory that somebody else may write."""
    return array.copy() if np.may_share_memory(array, given) else array


def as_coordinates(coordinates: Any, copy: bool = False) -> FloatArray:
    """Points as rows of float32; a single column where there is one dimension."""
    array = as_array(coordinates)
    if array.dtype == object or not np.issubdtype(array.dtype, np.number):
        raise TypeError(f"coordinates are {array.dtype}; expected numbers")
    if np.iscomplexobj(array):
        raise TypeError("coordinates are complex; expected real numbers")
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise ValueError(f"coordinates have {array.ndim} dimensions; expected 2, a point per row")
    points = np.ascontiguousarray(array, dtype=np.float32)
    return owned(points, array) if copy else points


def as_csr(matrix: Any) -> Any:
    """A CSR matrix of numbers; the very object where it is one."""
    if is_sparse(matrix):
        if matrix.ndim != 2:
            raise ValueError(f"histograms have {matrix.ndim} dimensions; expected 2")
        csr = matrix if matrix.format == "csr" else matrix.tocsr()
        return csr if csr.data.dtype.isnative else csr.astype(csr.data.dtype.newbyteorder("="))
    array = as_array(matrix)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"weights are {array.dtype}; expected real numbers")
    if array.dtype == np.float16:  # which scipy does not take
        array = array.astype(np.float32)
    if array.ndim != 2:
        raise ValueError(
            f"histograms have {array.ndim} dimensions; expected 2, a histogram per row"
        )
    import scipy.sparse

    return scipy.sparse.csr_matrix(array)


def dense_with_zeros(matrix: Any) -> Any:
    """A dense array as a CSR matrix whose zeros are entries."""
    import scipy.sparse

    array = as_array(matrix)
    rows, columns = array.shape
    return scipy.sparse.csr_matrix(
        (array.ravel(), np.tile(np.arange(columns), rows), np.arange(rows + 1) * columns),
        shape=array.shape,
    )


def as_rows(matrix: Any, keep_zeros: bool = False, copy: bool = False) -> tuple[_navvy.Rows, int]:
    """Histograms, one per row of a matrix, and the number of its columns. Without `copy` they may
    lie in the arrays of the matrix."""
    dense = not is_sparse(matrix)
    csr = dense_with_zeros(matrix) if keep_zeros and dense else as_csr(matrix)
    if csr.data.dtype == bool:
        csr = csr.astype(np.float32)
    if not (
        np.issubdtype(csr.data.dtype, np.integer) or np.issubdtype(csr.data.dtype, np.floating)
    ):
        raise TypeError(f"weights are {csr.data.dtype}; expected real numbers")
    columns = csr.shape[1]
    if columns > LARGEST:
        raise ValueError(f"histograms have {columns} columns; expected at most {LARGEST}")
    indices = np.ascontiguousarray(csr.indices)
    if indices.dtype != np.int32:
        if indices.size and not (0 <= indices.min() and indices.max() < columns):
            raise ValueError(f"a column is out of range; expected 0 to {columns - 1}")
        indices = indices.astype(np.int32)
    offsets = np.ascontiguousarray(csr.indptr, dtype=np.int64)
    check_offsets(offsets, len(indices))
    make: Any = _navvy.rows_from_double
    data = csr.data
    if data.dtype == np.float32:
        make = _navvy.rows_from_float
        if copy and csr is matrix and csr.has_canonical_format:  # what else is made is new
            data, indices = data.copy(), owned(indices, csr.indices)
            offsets = owned(offsets, csr.indptr)
    else:
        data = data.astype(np.float64)
    rows = make(
        columns=columns,
        offsets=offsets,
        indices=indices,
        weights=np.ascontiguousarray(data),
        canonical=bool(csr.has_canonical_format),
        keep_zeros=keep_zeros,
    )
    return rows, columns


def check_offsets(offsets: npt.NDArray[np.int64], entries: int) -> None:
    """A CSR matrix may have been made by hand."""
    if offsets[0] != 0 or offsets[-1] > entries or np.any(np.diff(offsets) < 0):
        raise ValueError(f"indptr does not ascend from 0 to {entries}; expected a valid CSR matrix")


def as_pixels(images: Any) -> npt.NDArray[Any]:
    """Images as an array of three dimensions: image, line, column."""
    array = as_array(images)
    if array.ndim != 3:
        raise ValueError(f"images have {array.ndim} dimensions; expected 3: image, line and column")
    if array.dtype == object or not (
        array.dtype == bool
        or np.issubdtype(array.dtype, np.integer)
        or np.issubdtype(array.dtype, np.floating)
    ):
        raise TypeError(f"pixels are {array.dtype}; expected real numbers")
    return array


def text_array(texts: list[str]) -> npt.NDArray[Any]:
    """Texts as an array of str_; of objects where one is long, whose length all would take."""
    long = max(map(len, texts), default=0) > LONGEST
    return np.array(texts, dtype=object if long else np.str_)


def is_missing(value: Any) -> bool:
    """None, and what stands for it in pandas and NumPy."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return isinstance(value, float | np.floating) and math.isnan(value)


def listed(values: Iterable[Any]) -> list[Any]:
    """The values of a sequence or a column of pyarrow, polars or pandas, as those of Python."""
    for method in ("to_pylist", "tolist", "to_list"):  # to_list of pandas' categories is to go
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)


def known_values(values: Iterable[Any]) -> list[Any]:
    """The same with None for what is missing. Whole numbers beside a missing one, which tables turn
    into floats, are integers again."""
    found = [None if is_missing(value) else value for value in listed(values)]
    known = [value for value in found if value is not None]
    floats = all(isinstance(value, float | np.floating) for value in known)
    if len(known) == len(found) or not floats or not all(map(float.is_integer, map(float, known))):
        return found
    return [None if value is None else int(value) for value in found]


def as_names(values: Any, what: str) -> list[str] | None:
    """Labels or ids as text; whole numbers lose no digit, and None stays. A missing label is none,
    a missing id an error; so is what has no text of its own."""
    if values is None:
        return None
    if isinstance(values, str):
        raise TypeError(f"{what} are one string; expected a sequence, one per row")
    names = known_values(values)
    for row, value in enumerate(names):
        if value is None and what == "ids":
            raise ValueError(f"the id of row {row} is missing; expected an id for every row")
        if isinstance(value, NO_NAMES):
            raise TypeError(
                f"{what}: that of row {row} is {type(value).__name__}; expected text or a number"
            )
    return ["" if value is None else str(value) for value in names]


def are_integers(values: Any) -> bool:
    """Whether labels are whole numbers, but for those that are missing."""
    if values is None or isinstance(values, str):
        return False
    known = [value for value in known_values(values) if value is not None]
    return bool(known) and all(
        isinstance(value, int | np.integer) and not isinstance(value, bool) for value in known
    )
