"""Arrays of all sorts as the library takes them, without a copy where nothing has to change."""

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy

FloatArray = npt.NDArray[np.float32]
LARGEST = 2**31 - 1


def is_sparse(value: Any) -> bool:
    """Whether scipy made it; scipy is loaded by who has such a thing."""
    return hasattr(value, "tocsr")


def as_coordinates(coordinates: Any) -> FloatArray:
    """Points as rows of float32; a single column where there is one dimension."""
    array = np.asarray(coordinates)
    if array.dtype == object or not np.issubdtype(array.dtype, np.number):
        raise TypeError(f"coordinates are {array.dtype}; expected numbers")
    if np.iscomplexobj(array):
        raise TypeError("coordinates are complex; expected real numbers")
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise ValueError(f"coordinates have {array.ndim} dimensions; expected 2, a point per row")
    return np.ascontiguousarray(array, dtype=np.float32)


def as_csr(matrix: Any) -> Any:
    """A CSR matrix of numbers; the very object where it is one."""
    if is_sparse(matrix):
        if matrix.ndim != 2:
            raise ValueError(f"histograms have {matrix.ndim} dimensions; expected 2")
        return matrix if matrix.format == "csr" else matrix.tocsr()
    array = np.asarray(matrix)
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

    array = np.asarray(matrix)
    rows, columns = array.shape
    return scipy.sparse.csr_matrix(
        (array.ravel(), np.tile(np.arange(columns), rows), np.arange(rows + 1) * columns),
        shape=array.shape,
    )


def as_rows(matrix: Any, keep_zeros: bool = False) -> tuple[_navvy.Rows, int]:
    """Histograms, one per row of a matrix, and the number of its columns."""
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
    array = np.asarray(images)
    if array.ndim != 3:
        raise ValueError(f"images have {array.ndim} dimensions; expected 3: image, line and column")
    if array.dtype == object or not (
        array.dtype == bool
        or np.issubdtype(array.dtype, np.integer)
        or np.issubdtype(array.dtype, np.floating)
    ):
        raise TypeError(f"pixels are {array.dtype}; expected real numbers")
    return array


def as_names(values: Any, what: str) -> list[str] | None:
    """Labels or ids as text; whole numbers lose no digit, and None stays."""
    if values is None:
        return None
    if isinstance(values, str):
        raise TypeError(f"{what} are one string; expected a sequence, one per row")
    return ["" if value is None else str(value) for value in values]
