"""One pair at a time, in double, as the paper prints it: for small cases and as reference."""

from typing import Any, Literal, Protocol, cast, overload

import numpy as np
import numpy.typing as npt

from . import _navvy
from .options import Sinkhorn, check_count, options

DoubleArray = npt.NDArray[np.float64]
Flowed = tuple[float, DoubleArray]


def _as_doubles(values: Any, name: str, dimensions: int) -> DoubleArray:
    array = np.asarray(values)
    if not (np.issubdtype(array.dtype, np.number) or array.dtype == bool) or np.iscomplexobj(array):
        raise TypeError(f"{name} is {array.dtype}; expected real numbers")
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions; expected {dimensions}")
    return np.ascontiguousarray(array, dtype=np.float64)


def _transport(
    measure: str,
    p: Any,
    q: Any,
    costs: Any,
    direction: str,
    return_flow: bool,
    sinkhorn: Sinkhorn | None = None,
) -> float | Flowed:
    matrix = _as_doubles(costs, "C", 2)
    with options(measure, direction=direction, sinkhorn=sinkhorn or Sinkhorn()) as wanted:
        done = _navvy.transport_costs(
            _as_doubles(p, "p", 1), _as_doubles(q, "q", 1), matrix, wanted, return_flow
        )
    distance = float(done["distance"])
    if not return_flow:
        return distance
    flow = np.zeros(matrix.shape)
    source, target, mass, _ = done["flow"]
    np.add.at(flow, (source, target), mass)
    return distance, flow


# Each takes weights p and q, which are scaled to sum 1, and a cost matrix C with a row per bin of p
# and a column per bin of q. With return_flow, the result is (distance, flow); the flow of a
# relaxation satisfies the dearer side alone. What return_flow means for the type of the result is
# said once for all functions of one shape.


class _Relaxation(Protocol):
    @overload
    def __call__(
        self, p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., direction: str = ...
    ) -> float: ...
    @overload
    def __call__(
        self, p: Any, q: Any, C: Any, *, return_flow: Literal[True], direction: str = ...
    ) -> Flowed: ...


def _relaxation(measure: str, text: str) -> _Relaxation:
    def distance(
        p: Any, q: Any, C: Any, *, return_flow: bool = False, direction: str = "symmetric"
    ) -> float | Flowed:
        return _transport(measure, p, q, C, direction, return_flow)

    distance.__name__ = distance.__qualname__ = measure
    distance.__doc__ = text
    return cast(_Relaxation, distance)


rwmd = _relaxation("rwmd", "Relaxed Word Mover's Distance: every bin goes to its nearest bin.")
omr = _relaxation(
    "omr", "Overlapping Mass Reduction: rwmd, but coinciding bins take no more than they hold."
)


@overload
def act(
    p: Any,
    q: Any,
    C: Any,
    iterations: int = ...,
    *,
    return_flow: Literal[False] = ...,
    direction: str = ...,
) -> float: ...
@overload
def act(
    p: Any,
    q: Any,
    C: Any,
    iterations: int = ...,
    *,
    return_flow: Literal[True],
    direction: str = ...,
) -> Flowed: ...
def act(
    p: Any,
    q: Any,
    C: Any,
    iterations: int = 1,
    *,
    return_flow: bool = False,
    direction: str = "symmetric",
) -> float | Flowed:
    """Approximate Constrained Transfers: ict cut off after some iterations; act with 0 is rwmd."""
    measure = f"act-{check_count('iterations', iterations, 0)}"
    return _transport(measure, p, q, C, direction, return_flow)


ict = _relaxation(
    "ict", "Iterative Constrained Transfers: every bin fills its nearest bins in turn."
)


@overload
def emd(p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ...) -> float: ...
@overload
def emd(p: Any, q: Any, C: Any, *, return_flow: Literal[True]) -> Flowed: ...
def emd(p: Any, q: Any, C: Any, *, return_flow: bool = False) -> float | Flowed:
    """The exact Earth Mover's Distance."""
    return _transport("emd", p, q, C, "symmetric", return_flow)


@overload
def sinkhorn(
    p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., settings: Sinkhorn | None = ...
) -> float: ...
@overload
def sinkhorn(
    p: Any, q: Any, C: Any, *, return_flow: Literal[True], settings: Sinkhorn | None = ...
) -> Flowed: ...
def sinkhorn(
    p: Any, q: Any, C: Any, *, return_flow: bool = False, settings: Sinkhorn | None = None
) -> float | Flowed:
    """The cost of the plan of Cuturi's regularised problem, in the units of C."""
    return _transport("sinkhorn", p, q, C, "symmetric", return_flow, settings)
