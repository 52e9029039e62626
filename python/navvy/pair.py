"""One pair at a time, in double, as the paper prints it: for small cases and as reference."""

from typing import Any, Literal, Protocol, cast, overload

import numpy as np
import numpy.typing as npt

from . import _navvy
from .options import Run, Sinkhorn, check_count, options
from .queries import warn_of_unconverged

DoubleArray = npt.NDArray[np.float64]
Flowed = tuple[float, DoubleArray]


def as_doubles(values: Any, name: str, dimensions: int) -> DoubleArray:
    array = np.asarray(values)
    if not (np.issubdtype(array.dtype, np.number) or array.dtype == bool) or np.iscomplexobj(array):
        raise TypeError(f"{name} is {array.dtype}; expected real numbers")
    if array.ndim != dimensions:
        raise ValueError(f"{name} has {array.ndim} dimensions; expected {dimensions}")
    return np.ascontiguousarray(array, dtype=np.float64)


def weights_of(values: Any, name: str, bins: int) -> DoubleArray:
    """Weights of so many bins, equal ones where none are given; the library checks their number."""
    weights = as_doubles(values, name, 1)
    return weights if weights.size else np.full(bins, 1 / max(bins, 1))


def _transport(
    measure: str,
    p: Any,
    q: Any,
    costs: Any,
    direction: str,
    return_flow: bool,
    sinkhorn: Sinkhorn | None = None,
) -> float | Flowed:
    matrix = as_doubles(costs, "C", 2)
    run: Run = {"direction": direction}
    if sinkhorn is not None:
        run["sinkhorn"] = sinkhorn
    with options(measure, **run) as wanted:
        done = _navvy.transport_costs(
            weights_of(p, "p", matrix.shape[0]),
            weights_of(q, "q", matrix.shape[1]),
            matrix,
            wanted,
            return_flow,
        )
    warn_of_unconverged(0 if done["converged"] else 1)
    distance = float(done["distance"])
    if not return_flow:
        return distance
    flow = np.zeros(matrix.shape)
    source, target, mass, _ = done["flow"]
    np.add.at(flow, (source, target), mass)
    return distance, flow


# What all functions take and give. What return_flow means for the type of the result is said once
# for all functions of one shape.

_PARAMETERS = """

    Parameters
    ----------
    p : array of shape (n_p,)
        Weights, which are scaled to sum 1; equal ones where it is empty.
    q : array of shape (n_q,)
        The same of the other histogram.
    C : array of shape (n_p, n_q)
        The cost of moving from each bin of p to each of q; finite, not negative.
    return_flow : bool, default=False
        Whether the flow is returned as well.
    direction : str, default="symmetric"
        "rows" moves p into q, "query" moves q into p, "symmetric" is the larger of both, and
        "mix:0.3" 0.3 of the first and 0.7 of the second.

    Returns
    -------
    distance : float
        A lower bound of emd, but for mixes.
    flow : array of shape (n_p, n_q)
        What moves where; it satisfies the dearer side alone. Only with `return_flow`.

    Examples
    --------
    >>> import navvy
    >>> p, q, C = [0.5, 0.5], [0.2, 0.8], [[0, 1], [1, 0]]
"""


class _Relaxation(Protocol):
    @overload
    def __call__(
        self, p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ..., direction: str = ...
    ) -> float: ...
    @overload
    def __call__(
        self, p: Any, q: Any, C: Any, *, return_flow: Literal[True], direction: str = ...
    ) -> Flowed: ...


def _relaxation(measure: str, text: str, example: float) -> _Relaxation:
    def distance(
        p: Any, q: Any, C: Any, *, return_flow: bool = False, direction: str = "symmetric"
    ) -> float | Flowed:
        return _transport(measure, p, q, C, direction, return_flow)

    distance.__name__ = distance.__qualname__ = measure
    distance.__doc__ = (
        f"{text}{_PARAMETERS}    >>> round(navvy.{measure}(p, q, C), 9)\n    {example}\n"
    )
    return cast(_Relaxation, distance)


rwmd: _Relaxation = _relaxation(
    "rwmd", "Relaxed Word Mover's Distance: every bin goes to its nearest bin.", 0.0
)
omr: _Relaxation = _relaxation(
    "omr", "Overlapping Mass Reduction: rwmd, but coinciding bins take no more than they hold.", 0.3
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
    """Approximate Constrained Transfers: ict cut off after some iterations.

    Parameters
    ----------
    p, q, C, return_flow, direction
        As in `rwmd`.
    iterations : int, default=1
        How many nearest bins are filled before the rest goes to the next one; 0 is rwmd.

    Returns
    -------
    distance : float
        A lower bound of emd, the larger the more iterations, but for mixes of directions.
    flow : array of shape (n_p, n_q)
        What moves where; it satisfies the dearer side alone. Only with `return_flow`.

    Examples
    --------
    >>> import navvy
    >>> distance, flow = navvy.act([0.5, 0.5], [0.2, 0.8], [[0, 1], [1, 0]], return_flow=True)
    >>> round(distance, 9)
    0.3
    >>> flow.round(9)
    array([[0.2, 0.3],
           [0. , 0.5]])
    """
    measure = f"act-{check_count('iterations', iterations, 0)}"
    return _transport(measure, p, q, C, direction, return_flow)


ict: _Relaxation = _relaxation(
    "ict", "Iterative Constrained Transfers: every bin fills its nearest bins in turn.", 0.3
)


@overload
def emd(p: Any, q: Any, C: Any, *, return_flow: Literal[False] = ...) -> float: ...
@overload
def emd(p: Any, q: Any, C: Any, *, return_flow: Literal[True]) -> Flowed: ...
def emd(p: Any, q: Any, C: Any, *, return_flow: bool = False) -> float | Flowed:
    """The exact Earth Mover's Distance.

    Parameters
    ----------
    p, q, C, return_flow
        As in `rwmd`. Both sides are scaled to sum 1, whatever their masses were; emd2 refuses
        masses that differ.

    Returns
    -------
    distance : float
        The least cost of moving p into q.
    flow : array of shape (n_p, n_q)
        The plan of that cost. Only with `return_flow`.

    Examples
    --------
    >>> import navvy
    >>> distance, flow = navvy.emd([1, 1], [1, 4], [[0, 1], [1, 0]], return_flow=True)
    >>> round(distance, 9)
    0.3
    >>> flow.round(9)
    array([[0.2, 0.3],
           [0. , 0.5]])
    """
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
    """The cost of the plan of Cuturi's regularised problem, in the units of C.

    Parameters
    ----------
    p, q, C, return_flow
        As in `rwmd`.
    settings : Sinkhorn, default=None
        How strong the regularisation is, and when iterations stop.

    Returns
    -------
    distance : float
        The cost of the plan, without its entropy; not less than emd, up to the tolerance.
    flow : array of shape (n_p, n_q)
        The plan. Only with `return_flow`.

    Examples
    --------
    >>> import navvy
    >>> round(navvy.sinkhorn([0.5, 0.5], [0.2, 0.8], [[0, 1], [1, 0]]), 6)
    0.3
    """
    return _transport("sinkhorn", p, q, C, "symmetric", return_flow, settings)
