"""Why two histograms are near or far: the flow between them, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _navvy
from .notebook import as_image, image_size
from .queries import warn_of_unconverged
from .row import row_of
from .rows import bin_names

SHOWN = 12
CELLS = 64
"""Along a side of the plane in which points are drawn."""
WORD_LENGTH = 14
PICTURE_WIDTH = 480

Bins = Sequence[tuple[str, float, float, float]]
Grid = tuple[int, int, bool]


class Move(NamedTuple):
    """`mass` goes from a bin of one histogram to a bin of the other at this ground distance."""

    source: str
    target: str
    mass: float
    distance: float

    @property
    def cost(self) -> float:
        """Mass times distance."""
        return self.mass * self.distance


@dataclass(frozen=True)
class Explanation:
    """The flow behind one distance, dearest moves first.

    The flow of a relaxation may overfill bins of the side it goes to; `direction` says which way it
    goes.
    """

    a: str
    b: str
    measure: str
    distance: float
    direction: str
    converged: bool
    moves: list[Move]
    unknown: list[str] = field(default_factory=list)
    """The words of a text that have no vector: the flow is that of the others."""
    # What pictures need: the bins of both sides, and the flow by their places.
    _bins: tuple[Bins, Bins] = field(default=((), ()), repr=False)
    _flow: list[tuple[int, int, float, float]] = field(default_factory=list, repr=False)
    _grid: Grid | None = field(default=None, repr=False)

    def picture(self) -> str:
        """The flow as reports draw it: bands between words, arrows between pixels or points of the
        plane.

        Returns
        -------
        picture : str
            SVG.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_images([[[1, 0], [0, 0]], [[0, 1], [0, 0]]])
        >>> index.explain(0, 1).picture().startswith("<svg ")
        True
        """
        return _navvy.flow_picture(*self._bins, self._flow, self.measure, self._grid)

    def _head(self) -> str:
        note = "" if self.converged else ", stopped at its iteration limit"
        names = _navvy.printable(f"from {self.a} to {self.b}")
        return f"{self.measure} = {self.distance:.6g} {names}{note}"

    def _cells(self) -> list[tuple[str, str, str, str, str]]:
        return [
            (
                _navvy.printable(move.source),
                _navvy.printable(move.target),
                f"{move.mass:.4f}",
                f"{move.distance:.4f}",
                f"{move.cost / self.distance:.1%}" if self.distance > 0 else "",
            )
            for move in self.moves[:SHOWN]
        ]

    def _rest(self) -> str:
        rest = self.moves[SHOWN:]
        return f"{len(rest)} more, cost {sum(move.cost for move in rest):.6g}" if rest else ""

    def _without(self) -> str:
        words = _navvy.printable(", ".join(self.unknown))
        return f"without words that have no vector: {words}" if words else ""

    def __str__(self) -> str:
        table = [("from", "to", "mass", "distance", "share"), *self._cells()]
        widths = [max(len(cells[i]) for cells in table) for i in range(5)]
        lines = [
            "  ".join(
                [
                    *(cells[i].ljust(widths[i]) for i in range(2)),
                    *(cells[i].rjust(widths[i]) for i in range(2, 5)),
                ]
            ).rstrip()
            for cells in table
        ]
        below = [self._rest(), self._without()]
        return "\n".join(line for line in [self._head(), *lines, *below] if line)

    def _repr_html_(self) -> str:
        names = "".join(f"<th>{name}</th>" for name in ("from", "to", "mass", "distance", "share"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
            for cells in self._cells()
        )
        below = [line for line in (self._rest(), self._without()) if line]
        rest = "".join(f'<tr><td colspan="5">{escape(line)}</td></tr>' for line in below)
        picture = as_image(self.picture(), PICTURE_WIDTH) if self._flow else ""
        return (
            f"{picture}<table><caption>{escape(self._head())}</caption>"
            f"<thead><tr>{names}</tr></thead><tbody>{rows}{rest}</tbody></table>"
        )


def explained(
    a: tuple[_navvy.Handle, int, str],
    b: tuple[_navvy.Handle, int, str],
    wanted: _navvy.Options,
) -> Explanation:
    """The flow between two histograms, each a row of an index and a name."""
    source, source_row, source_name = a
    target, target_row, target_name = b
    done = _navvy.transport_rows(source, source_row, target, target_row, wanted, True)
    warn_of_unconverged(0 if done["converged"] else 1)
    flow = list(zip(*(values.tolist() for values in done["flow"]), strict=True))
    names = bin_names(source, source_row), bin_names(target, target_row)
    moves = [Move(names[0][i], names[1][j], mass, distance) for i, j, mass, distance in flow]
    moves.sort(key=lambda move: (-move.cost, -move.mass))
    return Explanation(
        a=source_name,
        b=target_name,
        measure=wanted.measure,
        distance=done["distance"],
        direction=done["direction"],
        converged=done["converged"],
        moves=moves,
        unknown=[
            word
            for handle, row in ((source, source_row), (target, target_row))
            if handle.unknown
            for word in handle.unknown[row]
        ],
        **drawn_bins(a, b, names),
        _flow=flow,
    )


def drawn_bins(
    a: tuple[_navvy.Handle, int, str],
    b: tuple[_navvy.Handle, int, str],
    names: tuple[list[str], list[str]],
) -> dict[str, Any]:
    """What Explanation.picture draws."""
    sides = [row_of(handle, row) for handle, row, _ in (a, b)]
    size = image_size(a[0])
    grid: Grid | None = None
    places = [np.zeros((len(side.weights), 2)) for side in sides]
    if size is not None:
        grid = size[1], size[0], False
        places = [side.coordinates[:, ::-1].astype(np.float64) for side in sides]
    elif a[0].kind == "histograms" and sides[0].coordinates.shape[1] == 2:
        grid = CELLS, CELLS, True
        places = on_plane([side.coordinates.astype(np.float64) for side in sides])
    bins = tuple(
        [
            (name[:WORD_LENGTH], float(weight), float(x), float(y))
            for name, weight, (x, y) in zip(of_side, side.weights, at, strict=True)
        ]
        for of_side, side, at in zip(names, sides, places, strict=True)
    )
    return {"_bins": bins, "_grid": grid}


def on_plane(points: list[npt.NDArray[np.float64]]) -> list[npt.NDArray[np.float64]]:
    """Points in cells of the plane: the first dimension to the right, the second upwards."""
    both = np.vstack(points)
    low, extent = both.min(axis=0), float(np.ptp(both, axis=0).max())
    scaled = [(side - low) / (extent or 1.0) * (CELLS - 1) for side in points]
    return [side * (1, -1) + (0, CELLS - 1) for side in scaled]
