"""What every computation understands, as keywords."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast, get_args

from . import _navvy
from .arrays import as_names

USUAL_TOP = 10

Purpose = Literal["contains", "similar"]

ProgressFunction = Callable[[str, int, int], object]


@dataclass(frozen=True)
class Sinkhorn:
    """Entropic regularisation: the kernel is exp(-lam * C / cost_scale).

    A `cost_scale` of 0 stands for the largest cost of each pair; the distance is in the units of C
    either way.
    """

    lam: float = 20.0
    cost_scale: float = 0.0
    tolerance: float = 1e-9
    max_iterations: int = 10000


class Run(TypedDict, total=False):
    """Keywords of every long computation."""

    direction: str
    """"symmetric" (the larger cost of both: the default, but for texts in search), "query" (moved
    into rows), "rows" (moved into the query), or "mix:0.23": that share of "rows", the rest of
    "query"."""
    threads: int
    """How many; 0 for all cores. Results do not depend on it."""
    memory: int
    """A budget in bytes, held; 0 for half of the RAM."""
    device: str | Sequence[str] | None
    """Who computes: "cpu", "gpu" (the first), "cuda:0", "opencl:1", or several of these together;
    results do not depend on it. None for what NAVVY_DEVICE names, else the processor."""
    device_memory: int
    """A budget in bytes on each device, held; 0 for what is good there."""
    progress: bool | ProgressFunction
    """True for a bar (of tqdm, where installed), or a function of (phase, done, total)."""
    sinkhorn: Sinkhorn
    threshold: float
    """For emd-hat, and only that: no ground distance counts for more."""
    price: float
    """Of emd one way ("query" or "rows"): what a unit of mass pays that finds no room; no way is
    dearer. 0 for 2 between vectors of length 1, and the diagonal of images."""
    deadline: float
    """Seconds per query after which a search under emd stops, with intervals; 0 for none."""
    max_solves: int
    """Exact distances per query after which it stops; 0 for no limit."""
    tolerance: float
    """The share up to which the order under emd has to be proven; 0 for wholly."""


class Chosen(Run, total=False):
    """Keywords of what may look at some of the rows alone."""

    where: str | None
    """A filter such as "label in (a, b) and year >= 1990"; rows that do not pass are left out."""
    ids: str | Iterable[object] | None
    """The ids of rows; others are left out."""


def threads_of(n_jobs: int | None) -> int:
    """What joblib means by n_jobs: None is 1, -1 all cores, -2 all but one."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        raise ValueError("n_jobs is 0; expected None, a positive or a negative number")
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


class _TextBar:
    """A line on standard error, for want of tqdm."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, phase: str, done: int, total: int) -> None:
        share = f"{done / total:4.0%}" if total else f"{done}"
        print(f"\r{phase}: {share}", end="", file=sys.stderr, flush=True)
        self._shown = True

    def close(self) -> None:
        if self._shown:
            print(file=sys.stderr)


class _TqdmBar:
    def __init__(self, tqdm: Any) -> None:
        self._bar = tqdm()

    def __call__(self, phase: str, done: int, total: int) -> None:
        self._bar.set_description(phase, refresh=False)
        self._bar.total = total or None
        self._bar.n = done
        self._bar.refresh()

    def close(self) -> None:
        self._bar.close()


@contextmanager
def progress_function(progress: bool | ProgressFunction) -> Iterator[ProgressFunction | None]:
    """The function that the library calls; a bar is closed at the end."""
    if progress is not True:
        if progress is not False and not callable(progress):
            raise TypeError(f"progress is {progress!r}; expected a bool or a function")
        yield progress or None
        return
    bar: _TqdmBar | _TextBar
    try:
        from tqdm.auto import tqdm
    except ImportError:
        bar = _TextBar()
    else:
        bar = _TqdmBar(tqdm)
    try:
        yield bar
    finally:
        bar.close()


def check_count(name: str, value: int, least: int) -> int:
    """An int that fits what the library counts with."""
    number = value.__index__() if hasattr(value, "__index__") else None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; expected an integer")
    if not least <= number < 2**62:
        raise ValueError(f"{name} is {number}; expected at least {least}")
    return number


def device_name(device: str | Sequence[str] | None) -> str:
    """One name for all devices, as the library takes it; "" where nobody is named."""
    if device is None or isinstance(device, str):
        return device or ""
    names = list(device) if hasattr(device, "__iter__") else []
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"device is {device!r}; expected a name such as 'opencl:0', or several")
    return ",".join(names)


def choose(wanted: _navvy.Options, index: _navvy.Handle, run: Chosen) -> None:
    """Leaves the rows of an index that pass."""
    where, ids = run.get("where"), run.get("ids")
    if where is None and ids is None:
        return
    if where is not None and not isinstance(where, str):
        raise TypeError(f"where is {where!r}; expected a filter such as 'label = a'")
    index.choose(wanted, where, [ids] if isinstance(ids, str) else as_names(ids, "ids"))


def check_number(name: str, value: Any) -> float:
    if isinstance(value, bool | str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} is {value!r}; expected a number")
    return float(value)


AnyRun = TypeVar("AnyRun", bound=Run)


def length_of(top: int | None, k: int | None) -> int | None:
    """`k` is what others call `top`."""
    if top is not None and k is not None:
        raise TypeError("top and k are the same; expected one of them")
    if k is not None:
        return check_count("k", k, 1)
    return None if top is None else check_count("top", top, 1)


# Which measures a keyword says something to.
CONCERNED = {
    "sinkhorn": ("sinkhorn",),
    "threshold": ("emd-hat",),
    "price": ("emd", "emd-hat"),
    "deadline": ("emd", "emd-hat"),
    "max_solves": ("emd", "emd-hat"),
    "tolerance": ("emd", "emd-hat"),
}
LIMITS = ("deadline", "max_solves", "tolerance")


def is_asked(run: Chosen, name: str) -> bool:
    """Whether a keyword says something: None never does, and 0 stands for none of a number."""
    value = run.get(name)
    return value is not None if name == "sinkhorn" else bool(value)


def check_concerned(wanted: _navvy.Options, run: Chosen) -> None:
    """Nothing is passed over that was asked for."""
    for name, measures in CONCERNED.items():
        if is_asked(run, name) and wanted.measure not in measures:
            raise ValueError(
                f"{name} is for {' and '.join(measures)}; {wanted.measure} takes no {name}"
            )
    if run.get("price") and not wanted.one_way:
        raise ValueError(
            f"price is for emd one way; the direction is {wanted.direction!r}, expected 'query' "
            "or 'rows'"
        )


def without_limits(run: AnyRun) -> AnyRun:
    """The keywords of what computes every distance, and cannot stop early."""
    for name in LIMITS:
        if run.get(name):
            raise TypeError(f"{name} is for searches; every distance is computed here")
    return run


def run_of(measure: str, run: Chosen) -> Chosen:
    """Of keywords for several measures those that concern one."""
    kept = {
        name: value for name, value in run.items() if measure in CONCERNED.get(name, (measure,))
    }
    return cast(Chosen, kept)


def set_sinkhorn(made: _navvy.Options, wanted: Sinkhorn) -> None:
    if not isinstance(wanted, Sinkhorn):
        raise TypeError(f"sinkhorn is {wanted!r}; expected navvy.Sinkhorn(lam=..., ...)")
    made.set_sinkhorn(
        check_number("lam", wanted.lam),
        check_number("cost_scale", wanted.cost_scale),
        check_number("tolerance", wanted.tolerance),
        check_count("max_iterations", wanted.max_iterations, 0),
    )


@contextmanager
def options(
    measure: str | None,
    top: int | None = 1,
    within: float | None = None,
    index: _navvy.Handle | None = None,
    purpose: Purpose = "similar",
    mix_bow: float | None = None,
    **run: Unpack[Chosen],
) -> Iterator[_navvy.Options]:
    """The keywords as the library wants them, those that choose rows only with their index.

    Without `measure`, direction and `mix_bow`, they are the usual ones of the purpose. Without
    `top`, lists within a radius are not cut, and others are of the usual length.
    """
    known = (Run if index is None else Chosen).__annotations__
    unknown = run.keys() - known.keys()
    if unknown:
        raise TypeError(f"unknown keyword {min(unknown)!r}; known: {', '.join(known)}")
    if measure is not None and not isinstance(measure, str):
        raise TypeError(f"measure is {measure!r}; expected a name such as 'act-1'")
    direction = run.get("direction")
    if direction is not None and not isinstance(direction, str):
        raise TypeError(f"direction is {direction!r}; expected a name such as 'query'")
    if purpose not in get_args(Purpose):
        raise ValueError(f"for_ is {purpose!r}; expected 'contains' or 'similar'")
    with progress_function(run.get("progress", False)) as progress:
        made = _navvy.Options(
            contains=purpose == "contains",
            measure=measure,
            direction=direction,
            threshold=check_number("threshold", run.get("threshold", 0.0)),
            mix_bow=None if mix_bow is None else check_number("mix_bow", mix_bow),
            top=check_count("top", USUAL_TOP if top is None else top, 1),
            threads=check_count("threads", run.get("threads", 0), 0),
            memory=check_count("memory", run.get("memory", 0), 0),
            progress=progress,
        )
        made.set_price(check_number("price", run.get("price", 0.0)))
        if within is not None:
            made.set_within(check_number("within", within), top is not None)
        if index is not None:
            choose(made, index, run)
        made.set_device(
            device_name(run.get("device")),
            check_count("device_memory", run.get("device_memory", 0), 0),
        )
        settings = run.get("sinkhorn")
        set_sinkhorn(made, Sinkhorn() if settings is None else settings)
        made.set_limits(
            check_number("deadline", run.get("deadline", 0.0)),
            check_count("max_solves", run.get("max_solves", 0), 0),
            check_number("tolerance", run.get("tolerance", 0.0)),
        )
        check_concerned(made, run)
        yield made
