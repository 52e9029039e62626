"""What notebooks show of indexes, matches and explanations; pictures are those of the reports."""

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _navvy

if TYPE_CHECKING:
    from .matches import Matches

QUERIES = 5
ROWS = 10
LABELS = 8
LENGTH = 60
LARGEST = 512
"""Pixels along a side of an image that is still drawn."""


def shown(value: object) -> str:
    """Text of a user: short, printable, and without any markup of its own."""
    text = _navvy.printable(str(value))
    return escape(text if len(text) <= LENGTH else text[: LENGTH - 1] + "\u2026")


def as_image(svg: str, width: int) -> str:
    """A picture that no style of the page reaches, nor the other way round."""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img width="{width}" src="data:image/svg+xml;base64,{data}" alt="">'


def table(caption: str, heads: Sequence[str], lines: Iterable[Sequence[str]], rest: str) -> str:
    """Cells are HTML."""
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>" for cells in lines
    )
    more = f'<tr><td colspan="{len(heads)}">{rest}</td></tr>' if rest else ""
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}{more}</tbody></table>"
    )


def more(count: int, what: str) -> str:
    return f"{count} more {what}" if count > 0 else ""


def image_size(handle: _navvy.Handle) -> tuple[int, int] | None:
    """Height and width of images that are drawn."""
    if handle.kind != "images" or handle.coordinates().shape[1] != 2:
        return None
    height, width = (int(handle.properties[key]) for key in ("height", "width"))
    return (height, width) if max(height, width) <= LARGEST else None


def picture_of(handle: _navvy.Handle, row: int) -> str:
    """The image of a row; nothing for other rows."""
    size = image_size(handle)
    if size is None:
        return ""
    offsets, places, weights = handle.histograms()
    bins = slice(int(offsets[row]), int(offsets[row + 1]))
    shades = np.zeros(size[0] * size[1], dtype=np.float32)
    shades[handle.numbers()[places[bins]]] = weights[bins]
    most = shades.max()
    svg = _navvy.picture(size[1], size[0], shades / most if most > 0 else shades, f"row {row}")
    return as_image(svg, 48)


def html_of_index(handle: _navvy.Handle) -> str:
    """What is in an index, and its first rows."""
    coordinates = handle.coordinates()
    facts = [
        ("rows", f"{len(handle):,}"),
        ("coordinates", f"{len(coordinates):,} of {coordinates.shape[1]} dimensions"),
    ]
    if handle.has_labels:
        names = handle.label_names()
        rest = more(len(names) - LABELS, "labels")
        first_names = [shown(name) for name in names[:LABELS]]
        facts.append(("labels", ", ".join([*first_names, *([rest] if rest else [])])))
    if handle.field_names:
        facts.append(("fields", ", ".join(map(shown, handle.field_names))))
    first = np.arange(min(len(handle), QUERIES))
    head = table(f"navvy.Index of {handle.kind}", ("", ""), facts, "")
    return head + rows_table(handle, first, [], more(len(handle) - len(first), "rows"))


def rows_table(
    handle: _navvy.Handle,
    rows: npt.NDArray[np.int64],
    distances: Sequence[float],
    rest: str,
    caption: str = "",
) -> str:
    """Rows with all that they have: pictures, labels, titles, and where they were found."""
    pictures = [picture_of(handle, int(row)) for row in rows]
    columns: list[tuple[str, Sequence[Any]]] = [
        ("row", [str(row) for row in rows]),
        ("", pictures),
        ("id", [shown(name) for name in handle.ids_at(rows)] if handle.has_ids else []),
        ("label", [shown(name) for name in handle.labels_at(rows)]),
        ("title", [shown(title) for title in handle.titles_at(rows)]),
        ("distance", [f"{distance:.6g}" for distance in distances]),
    ]
    kept = [(name, cells) for name, cells in columns if any(cells)]
    lines = zip(*(cells for _, cells in kept), strict=True)
    return table(caption, [name for name, _ in kept], lines, rest)


def html_of_matches(matches: "Matches", handle: _navvy.Handle | None) -> str:
    """The first matches of the first queries."""
    asked = f"{shown(matches.measure)}, {shown(matches.direction)}"
    parts = [f"<p>navvy.Matches of {len(matches)} queries under {asked}</p>"]
    for query in range(min(len(matches), QUERIES)):
        found = matches[query]
        caption = f"query {query}"
        rest = more(len(found) - ROWS, "matches")
        first = found[:ROWS]
        if handle is not None:
            rows = np.array([match.row for match in first], dtype=np.int64)
            distances = [match.distance for match in first]
            parts.append(rows_table(handle, rows, distances, rest, caption))
            continue
        lines = [
            (str(match.row), shown(match.id), shown(match.label), f"{match.distance:.6g}")
            for match in first
        ]
        parts.append(table(caption, ("row", "id", "label", "distance"), lines, rest))
    left = more(len(matches) - QUERIES, "queries")
    return "".join(parts) + (f"<p>{left}</p>" if left else "")
