"""Matches as tables of pandas and pyarrow, a line for each row that was found."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .matches import Matches


def columns_of(matches: "Matches") -> dict[str, Any]:
    """By name: query, rank from 1, row, id, label, distance, under emd bounds and proof, and the
    fields of the rows, with "field_" before a name that is taken."""
    queries, ranks = np.nonzero(matches.rows >= 0)
    found = queries, ranks
    columns: dict[str, Any] = {
        "query": queries,
        "rank": ranks + 1,
        "row": matches.rows[found],
        "id": matches.ids[found],
        "label": matches.labels[found],
        "distance": matches.distances[found],
    }
    for name in ("lower", "upper", "exact"):
        values = getattr(matches, name)
        if values is not None:
            columns[name] = values[found]
    for name in matches.field_names:
        columns[f"field_{name}" if name in columns else name] = matches.fields(name)[found]
    return columns


def to_pandas(matches: "Matches") -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_pandas needs pandas: pip install pandas") from error
    return pandas.DataFrame(columns_of(matches))


def to_arrow(matches: "Matches") -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("to_arrow needs pyarrow: pip install pyarrow") from error
    columns = columns_of(matches)
    return pyarrow.table(
        {
            name: values.tolist() if values.dtype.kind in "UO" else values
            for name, values in columns.items()
        }
    )
