"""Why two histograms are near or far: the flow between them, as a table."""

from dataclasses import dataclass
from typing import NamedTuple

from . import _navvy
from .rows import bin_names

SHOWN = 12


class Move(NamedTuple):
    """`mass` goes from a bin of one histogram to a bin of the other at this ground distance."""

    source: str
    target: str
    mass: float
    distance: float

    @property
    def cost(self) -> float:
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
        return "\n".join(line for line in [self._head(), *lines, self._rest()] if line)

    def _repr_html_(self) -> str:
        from html import escape

        names = "".join(f"<th>{name}</th>" for name in ("from", "to", "mass", "distance", "share"))
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
            for cells in self._cells()
        )
        rest = f'<tr><td colspan="5">{escape(self._rest())}</td></tr>' if self._rest() else ""
        return (
            f"<table><caption>{escape(self._head())}</caption>"
            f"<thead><tr>{names}</tr></thead><tbody>{rows}{rest}</tbody></table>"
        )


def explained(
    a: tuple[_navvy.Handle, int, str],
    b: tuple[_navvy.Handle, int, str],
    measure: str,
    wanted: _navvy.Options,
) -> Explanation:
    """The flow between two histograms, each a row of an index and a name."""
    source, source_row, source_name = a
    target, target_row, target_name = b
    done = _navvy.transport_rows(source, source_row, target, target_row, wanted, True)
    source_bins = bin_names(source, source_row)
    target_bins = bin_names(target, target_row)
    moves = [
        Move(source_bins[i], target_bins[j], float(mass), float(distance))
        for i, j, mass, distance in zip(*done["flow"], strict=True)
    ]
    moves.sort(key=lambda move: (-move.cost, -move.mass))
    return Explanation(
        a=source_name,
        b=target_name,
        measure=measure,
        distance=done["distance"],
        direction=done["direction"],
        converged=done["converged"],
        moves=moves,
    )
