"""Queries without weight, and what computations have to say of their answers."""

import os
import sys
import warnings
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from . import _navvy

OnEmpty = Literal["raise", "skip"]

NO_ROW = {"rows": -1, "exact": 0}


def check_on_empty(on_empty: OnEmpty) -> bool:
    """Whether queries without weight are skipped."""
    if on_empty not in get_args(OnEmpty):
        raise ValueError(f"on_empty is {on_empty!r}; expected 'raise' or 'skip'")
    return on_empty == "skip"


def require_weight(queries: _navvy.Handle) -> None:
    weighted = queries.with_weight()
    if len(weighted) < len(queries):
        first = np.setdiff1d(np.arange(len(queries)), weighted)[0]
        raise ValueError(f"query {first} has no weight")


def answered(
    handle: _navvy.Handle,
    asked: _navvy.Handle | npt.NDArray[np.uint32],
    wanted: _navvy.Options,
    skip: bool,
) -> dict[str, Any]:
    """What a search finds for queries, or for rows of the index by number; with `skip`, those
    without weight are left out and have no matches."""
    if isinstance(asked, _navvy.Handle):
        weighted = asked.with_weight() if skip else None
        if weighted is None or len(weighted) == len(asked):
            return handle.search(asked, wanted)
        return spread(handle.search(asked.chosen(weighted), wanted), weighted, len(asked))
    if not skip:
        return handle.search_rows(asked, wanted)
    places = np.flatnonzero(np.isin(asked, handle.with_weight()))
    return spread(handle.search_rows(asked[places], wanted), places, len(asked))


def spread(found: dict[str, Any], places: npt.NDArray[Any], queries: int) -> dict[str, Any]:
    """The answers to some queries as those to so many, at the places given."""
    for name in ("rows", "distances", "lower", "upper", "exact"):
        if name in found:
            some = found[name]
            nothing = NO_ROW.get(name, np.nan)
            found[name] = np.full((queries, some.shape[1]), nothing, dtype=some.dtype)
            found[name][places] = some
    return found


def warn(text: str, kind: type[Warning]) -> None:
    """A warning that names the line of the user's program."""
    folder = os.path.dirname(__file__)
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, kind, stacklevel=level)


def warn_of_unconverged(pairs: int) -> None:
    if pairs:
        warn(
            f"sinkhorn stopped at its iteration limit for {pairs} pairs, whose distances are not "
            "final; a larger max_iterations or tolerance, or a smaller lam, lets it converge",
            RuntimeWarning,
        )


def warn_of_empty(report: dict[str, Any]) -> None:
    """Where most of the texts that were read have no word left."""
    empty, documents = len(report["empty"]), report["documents"]
    if 2 * empty > documents:
        warn(
            f"{empty} of {documents} texts have no word left and will never be found: of "
            f"{report['tokens']} words {report['stop_tokens']} are stop words and "
            f"{report['unknown_tokens']} have no vector",
            UserWarning,
        )
