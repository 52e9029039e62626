"""Fields of rows out of what users have: dictionaries of sequences, and tables of all sorts."""

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import is_missing, text_array

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
NO_DATE = np.iinfo(np.int64).min  # NumPy's NaT
LARGEST_WHOLE = 2**53  # beyond it, not every whole number is a float


def as_fields(fields: Any, rows: int, known: Mapping[str, str] | None = None) -> list[_navvy.Field]:
    """Fields by name, one value per row; `known` tells the types of those without any value."""
    if fields is None:
        return []
    made = []
    for name in column_names(fields):
        values = as_values(fields[name])
        if values.ndim != 1 or len(values) != rows:
            shape = f"{len(values)} values" if values.ndim == 1 else f"shape {values.shape}"
            raise ValueError(f"field {name!r} has {shape}; expected {rows}, one per row")
        made.append(as_field(str(name), values, (known or {}).get(str(name))))
    return made


def column_names(table: Any) -> list[Any]:
    """The names of a dictionary or of a table of pyarrow, pandas or polars."""
    if isinstance(table, Mapping):
        return list(table)
    for attribute in ("column_names", "columns"):
        if hasattr(table, attribute) and hasattr(table, "__getitem__"):
            return list(getattr(table, attribute))
    raise TypeError(
        f"fields are {type(table).__name__}; expected a dictionary of sequences, or a table with "
        "columns"
    )


def as_values(column: Any) -> npt.NDArray[Any]:
    """An array; of a column with missing values one of Python's, since NumPy has no whole number
    for none, and pyarrow turns a missing entry of a dictionary into another one."""
    values = np.asarray(column)
    missing = getattr(column, "null_count", 0)
    if not (missing() if callable(missing) else missing) or values.dtype.kind == "M":
        return values
    listed = column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()
    values = np.empty(len(listed), dtype=object)
    values[:] = listed
    return values


def as_field(name: str, values: npt.NDArray[Any], known: str | None) -> _navvy.Field:
    kind = values.dtype.kind
    if kind == "O":
        return object_field(name, values.tolist(), known)
    if kind == "M":
        return _navvy.date_field(name, values.astype("datetime64[s]").astype(np.int64))
    if kind == "b":
        return _navvy.text_field(name, ["true" if value else "false" for value in values])
    if kind in "iu" and any(
        abs(int(value)) > LARGEST_WHOLE for value in (values.min(initial=0), values.max(initial=0))
    ):
        return _navvy.text_field(name, [str(value) for value in values])
    if kind in "iuf":
        return number_field(name, values.astype(np.float64))
    if kind in "UT":
        return _navvy.text_field(name, [str(value) for value in values])
    raise TypeError(f"field {name!r} is {values.dtype}; expected text, numbers or dates")


def number_field(name: str, numbers: npt.NDArray[np.float64]) -> _navvy.Field:
    infinite = np.flatnonzero(np.isinf(numbers))
    if infinite.size:
        raise ValueError(f"field {name!r}, row {infinite[0]} is infinite; expected a number")
    return _navvy.number_field(name, np.ascontiguousarray(numbers))


def object_field(name: str, values: Sequence[Any], known: str | None) -> _navvy.Field:
    """Python's own values, some of which may be missing."""
    types = {type_name(name, row, value) for row, value in enumerate(values)} - {None}
    if len(types) > 1:
        raise TypeError(
            f"field {name!r} has values of several types ({', '.join(sorted(map(str, types)))}); "
            "expected one"
        )
    found = types.pop() if types else known or "text"
    if found == "number":
        numbers = [math.nan if is_missing(value) else float(value) for value in values]
        return number_field(name, np.array(numbers, np.float64))
    if found == "date":
        return _navvy.date_field(name, np.array([seconds(value) for value in values], np.int64))
    return _navvy.text_field(name, [text(value) for value in values])


def type_name(name: str, row: int, value: Any) -> str | None:
    if is_missing(value):
        return None
    if isinstance(value, str | bool | np.bool_):
        return "text"
    if isinstance(value, int | np.integer) and abs(int(value)) > LARGEST_WHOLE:
        raise ValueError(
            f"field {name!r}, row {row} is {value}, which float64 cannot hold; expected text"
        )
    if isinstance(value, int | float | np.integer | np.floating):
        return "number"
    if isinstance(value, datetime.date | np.datetime64):
        return "date"
    raise TypeError(
        f"field {name!r}, row {row} is {type(value).__name__}; expected text, a number or a date"
    )


def text(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return "" if is_missing(value) else str(value)


def seconds(value: Any) -> int:
    """Since 1970; times without a zone are in UTC."""
    if is_missing(value):
        return int(NO_DATE)
    if isinstance(value, np.datetime64):
        return int(value.astype("datetime64[s]").astype(np.int64))
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=datetime.UTC)
    return int((value - EPOCH) // datetime.timedelta(seconds=1))


def as_arrays(handle: _navvy.Handle) -> dict[str, npt.NDArray[Any]]:
    """The fields of an index: float64, datetime64[s] or text, see text_array."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for name, kind, values in handle.fields():
        if kind == "date":
            arrays[name] = values.view("datetime64[s]")
        else:
            arrays[name] = values if kind == "number" else text_array(values)
    return arrays


def field_array(handle: _navvy.Handle, name: str, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """One field of some rows, with what stands for none where a row is -1."""
    values = handle.field_at(name, rows)
    if values is None:
        raise KeyError(name)
    if isinstance(values, list):
        return text_array(values)
    array: npt.NDArray[Any] = values
    return array.view("datetime64[s]") if array.dtype == np.int64 else array


def with_fields(handle: _navvy.Handle, fields: Any) -> _navvy.Handle:
    made = as_fields(fields, len(handle))
    return handle.with_fields(made) if made else handle


def types_of(handle: _navvy.Handle) -> dict[str, str]:
    return {name: kind for name, kind, _ in handle.fields()}


def columns_named(names: Iterable[str], available: Sequence[str], file: str) -> list[str]:
    """The names, each of which has to be there."""
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name not in available:
            raise ValueError(f"{file}: no column {name!r}; it has {', '.join(available)}")
    return wanted
