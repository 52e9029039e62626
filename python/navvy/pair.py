"""One pair at a time, in double, as the paper prints it: for small cases and as reference."""

from typing import Any, Literal, overload

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
# relaxation satisfies the dearer side alone.


@overload
def rwmd(
    p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., direction: str = ...
) -> float: ...
@overload
def rwmd(p: Any, q: Any, C: Any, *, return_flow: Literal[True], direction: str = ...) -> Flowed: ...
def rwmd(
    p: Any, q: Any, C: Any, *, return_flow: bool = False, direction: str = "symmetric"
) -> float | Flowed:
    """Relaxed Word Mover's Distance: every bin goes to its nearest bin."""
    return _transport("rwmd", p, q, C, direction, return_flow)


@overload
def omr(
    p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., direction: str = ...
) -> float: ...
@overload
def omr(p: Any, q: Any, C: Any, *, return_flow: Literal[True], direction: str = ...) -> Flowed: ...
def omr(
    p: Any, q: Any, C: Any, *, return_flow: bool = False, direction: str = "symmetric"
) -> float | Flowed:
    """Overlapping Mass Reduction: rwmd, but coinciding bins take no more than they hold."""
    return _transport("omr", p, q, C, direction, return_flow)


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
    return _transport(
        f"act-{check_count('iterations', iterations, 0)}", p, q, C, direction, return_flow
    )


@overload
def ict(
    p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., direction: str = ...
) -> float: ...
@overload
def ict(p: Any, q: Any, C: Any, *, return_flow: Literal[True], direction: str = ...) -> Flowed: ...
def ict(
    p: Any, q: Any, C: Any, *, return_flow: bool = False, direction: str = "symmetric"
) -> float | Flowed:
    """Iterative Constrained Transfers: every bin fills its nearest bins in turn."""
    return _transport("ict", p, q, C, direction, return_flow)


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
