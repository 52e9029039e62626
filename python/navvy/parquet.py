"""Texts or histograms and their fields out of Parquet files, by way of pyarrow."""

import os
from collections.abc import Iterable
from typing import Any

from .fields import columns_named


def read_parquet(
    path: str | os.PathLike[str],
    data: str,
    parts: dict[str, str | None],
    keep_fields: Iterable[str],
) -> tuple[Any, dict[str, Any]]:
    """The column of texts or histograms, and what else makes an index: `parts` by the names of
    their columns, and fields."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("Parquet files are read by pyarrow: pip install pyarrow") from error

    file = os.fspath(path)
    with open(file, "rb"):  # pyarrow's errors have no file name, and some no number
        pass
    try:
        available = pyarrow.parquet.read_schema(file).names
    except pyarrow.ArrowInvalid as error:
        raise ValueError(f"{file}: is no Parquet file: {error}") from error
    kept = columns_named(keep_fields, available, file)
    named = {part: column for part, column in parts.items() if column is not None}
    columns = columns_named([data, *named.values()], available, file)
    table = pyarrow.parquet.read_table(file, columns=list(dict.fromkeys([*columns, *kept])))
    found = {part: table[column] for part, column in named.items()}
    return table[data], {"fields": {name: table[name] for name in kept}, **found}
