"""Texts and their fields out of Parquet files, by way of pyarrow."""

import os
from collections.abc import Iterable
from typing import Any

from .fields import columns_named


def read_parquet(
    path: str | os.PathLike[str],
    text: str,
    parts: dict[str, str | None],
    keep_fields: Iterable[str],
) -> dict[str, Any]:
    """The arguments of Index.from_texts, `parts` of it by the names of their columns."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError("Parquet files are read by pyarrow: pip install pyarrow") from error

    file = os.fspath(path)
    available = pyarrow.parquet.read_schema(file).names
    kept = columns_named(keep_fields, available, file)
    named = {part: column for part, column in parts.items() if column is not None}
    columns = columns_named([text, *named.values()], available, file)
    table = pyarrow.parquet.read_table(file, columns=list(dict.fromkeys([*columns, *kept])))
    texts = ["" if value is None else value for value in table[text].to_pylist()]
    found = {part: table[column].to_pylist() for part, column in named.items()}
    return {"texts": texts, "fields": {name: table[name] for name in kept}, **found}
