"""Look-alikes of POT's emd and sinkhorn, for what calls `ot` today.

    >>> import navvy.pot as ot
    >>> ot.emd2([0.5, 0.5], [0.2, 0.8], [[0, 1], [1, 0]])
    0.3

As in POT, an empty list stands for equal weights, a and b have the same sum, and costs are in their
units: masses of 2 cost twice what masses of 1 do. Sums that differ by less than 1.5e-6 count
as equal, and b is then scaled to the sum of a; nothing else is. (navvy.emd and its kin scale both
sides to sum 1, whatever they were.) POT itself is not needed. What differs is on the page about
peers: arrays are NumPy's, without gradients, costs are dense and not negative.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _navvy
from .options import Run, Sinkhorn, check_count, options
from .pair import DoubleArray, as_doubles, weights_of

SAME_MASS = 1.5e-6  # what POT takes for equal


class _Pair(NamedTuple):
    """One problem, and its solution."""

    cost: float
    plan: DoubleArray
    u: DoubleArray
    v: DoubleArray
    done: dict[str, Any]


class _Problem:
    """Arguments as they were given; b may be several histograms, one per column."""

    def __init__(self, a: Any, b: Any, M: Any) -> None:
        self.costs = as_doubles(M, "M", 2)
        self.a = weights_of(a, "a", self.costs.shape[0])
        self.several = np.ndim(b) == 2
        self.targets: list[DoubleArray]
        columns = self.costs.shape[1]
        if not self.several:
            self.targets = [weights_of(b, "b", columns)]
            return
        histograms = as_doubles(b, "b", 2)
        if len(histograms) != columns:
            raise ValueError(
                f"b has {len(histograms)} rows; expected {columns}, one per column of M"
            )
        self.targets = [np.ascontiguousarray(column) for column in histograms.T]

    def check_marginals(self) -> None:
        mass = self.a.sum()
        for number, b in enumerate(self.targets):
            if not abs(b.sum() - mass) < SAME_MASS:
                which = f"column {number} of b" if self.several else "b"
                raise ValueError(
                    f"a sums to {mass:.6g}, {which} to {b.sum():.6g}; expected the same sum"
                )

    def solved(self, measure: str, settings: Sinkhorn | None = None) -> list[_Pair]:
        return [self._solved(b, measure, settings) for b in self.targets]

    def _solved(self, b: DoubleArray, measure: str, settings: Sinkhorn | None) -> _Pair:
        run: Run = {} if settings is None else {"sinkhorn": settings}
        with options(measure, **run) as wanted:
            done = _navvy.transport_costs(self.a, b, self.costs, wanted, True)
        mass = float(self.a.sum())
        plan = np.zeros(self.costs.shape)
        sources, targets, moved, _ = done["flow"]
        plan[sources, targets] = moved * mass
        u, v = done["potentials"]
        if measure == "sinkhorn":
            u = u + np.log(mass)
        return _Pair(float(done["distance"]) * mass, plan, u, v, done)


def emd(
    a: Any,
    b: Any,
    M: Any,
    numItermax: int = 100000,
    log: bool = False,
    center_dual: bool = True,
    numThreads: int | str = 1,
    check_marginals: bool = True,
    potentials_init: Any = None,
) -> Any:
    """The plan of the exact Earth Mover's Distance, like ot.emd.

    Parameters
    ----------
    a : array of shape (n_sources,)
        Weights of the sources; equal ones where it is empty.
    b : array of shape (n_targets,)
        Weights of the targets; equal ones where it is empty.
    M : array of shape (n_sources, n_targets)
        Costs.
    log : bool, default=False
        Whether a dictionary is returned as well.
    center_dual, check_marginals
        As in `emd2`.
    numItermax, numThreads, potentials_init
        For the sake of POT: the simplex runs until it is done, in one thread.

    Returns
    -------
    plan : array of shape (n_sources, n_targets)
    log : dict
        As in `emd2`. Only with `log`.

    Examples
    --------
    >>> import navvy.pot as ot
    >>> ot.emd([], [0.25, 0.75], [[0, 1], [1, 0]])
    array([[0.25, 0.25],
           [0.  , 0.5 ]])
    """
    problem = _problem(a, b, M, check_marginals)
    if problem.several:
        raise ValueError("b has 2 dimensions; expected 1, since a plan is of one pair: see emd2")
    (pair,) = problem.solved("emd")
    return (pair.plan, _emd_log(pair, problem, 0, center_dual)) if log else pair.plan


def emd2(
    a: Any,
    b: Any,
    M: Any,
    processes: int = 1,
    numItermax: int = 100000,
    log: bool = False,
    return_matrix: bool = False,
    center_dual: bool = True,
    numThreads: int | str = 1,
    check_marginals: bool = True,
    potentials_init: Any = None,
) -> Any:
    """The cost of the exact Earth Mover's Distance, like ot.emd2.

    Parameters
    ----------
    a : array of shape (n_sources,)
        Weights of the sources; equal ones where it is empty.
    b : array of shape (n_targets,) or (n_targets, n_histograms)
        Weights of the targets; equal ones where it is empty, several targets where it has columns.
    M : array of shape (n_sources, n_targets)
        Costs.
    log : bool, default=False
        Whether a dictionary is returned as well.
    return_matrix : bool, default=False
        Whether the plan is in the dictionary, which is then returned in any case.
    center_dual : bool, default=True
        Whether the dual values are shifted so that both sides have the same share of the cost.
    check_marginals : bool, default=True
        Whether a and b that do not have the same sum are refused; b is scaled otherwise.
    processes, numItermax, numThreads, potentials_init
        For the sake of POT: the simplex runs until it is done, in one thread.

    Returns
    -------
    cost : float, or list of float
        A list where b has columns.
    log : dict
        "cost"; the dual values "u" and "v", of which u[i] + v[j] <= M[i, j]; "warning", None;
        "result_code", 1; and the plan "G" with `return_matrix`. Only with `log`; where b has
        columns, the list is then of pairs.

    Examples
    --------
    >>> import navvy.pot as ot
    >>> cost, log = ot.emd2([], [0.25, 0.75], [[0, 1], [1, 0]], log=True)
    >>> cost, log["u"].tolist(), log["v"].tolist()
    (0.25, [0.625, -0.375], [-0.625, 0.375])
    """
    problem = _problem(a, b, M, check_marginals)
    answers: list[Any] = []
    for number, pair in enumerate(problem.solved("emd")):
        if not (log or return_matrix):
            answers.append(pair.cost)
            continue
        said = _emd_log(pair, problem, number, center_dual)
        answers.append((pair.cost, said | {"G": pair.plan} if return_matrix else said))
    return answers if problem.several else answers[0]


def sinkhorn(
    a: Any,
    b: Any,
    M: Any,
    reg: float,
    method: str = "sinkhorn",
    numItermax: int = 1000,
    stopThr: float = 1e-9,
    verbose: bool = False,
    log: bool = False,
    warn: bool = True,
    warmstart: Any = None,
) -> Any:
    """The plan of the regularised problem, or costs where b has columns, like ot.sinkhorn.

    Parameters
    ----------
    a, b, M
        As in `emd2`.
    reg : float
        The weight of the entropy, in the units of M: the kernel is exp(-M / reg).
    method : {"sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"}
        One and the same here, which takes logarithms where plain numbers would underflow.
    numItermax : int, default=1000
        Iterations at most.
    stopThr : float, default=1e-9
        How far the plan may be from a and b, as the sum of all differences.
    verbose : bool
        For the sake of POT: nothing is printed.
    log : bool, default=False
        Whether a dictionary is returned as well.
    warn : bool, default=True
        Whether a result that has not converged is warned of.
    warmstart
        For the sake of POT: the iterations begin anew.

    Returns
    -------
    plan : array of shape (n_sources, n_targets), or costs, an array of shape (n_histograms,)
    log : dict
        The scalings "u" and "v", and their logarithms "log_u" and "log_v", with a column for each
        of b where it has columns; "niter", of all columns the most; "converged", whether all have;
        and "err", a list of one number: how far the plan (or all of them) is from a and b at last.
        Only with `log`.

    Examples
    --------
    >>> import navvy.pot as ot
    >>> ot.sinkhorn([], [], [[0, 1], [1, 0]], reg=0.1).round(4)
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    settings = _settings(reg, method, numItermax, stopThr)
    return _sinkhorn(_problem(a, b, M, True), settings, log, warn, lambda pair: pair.plan)


def sinkhorn2(
    a: Any,
    b: Any,
    M: Any,
    reg: float,
    method: str = "sinkhorn",
    numItermax: int = 1000,
    stopThr: float = 1e-9,
    verbose: bool = False,
    log: bool = False,
    warn: bool = False,
    warmstart: Any = None,
) -> Any:
    """The cost of the plan of the regularised problem, like ot.sinkhorn2.

    Parameters
    ----------
    a, b, M, reg, method, numItermax, stopThr, verbose, log, warn, warmstart
        As in `sinkhorn`.

    Returns
    -------
    cost : float, or array of shape (n_histograms,)
        Without the entropy.
    log : dict
        As in `sinkhorn`. Only with `log`.

    Examples
    --------
    >>> import navvy.pot as ot
    >>> round(ot.sinkhorn2([], [0.25, 0.75], [[0, 1], [1, 0]], reg=0.5), 4)
    0.2668
    """
    settings = _settings(reg, method, numItermax, stopThr)
    return _sinkhorn(_problem(a, b, M, True), settings, log, warn, lambda pair: pair.cost)


def _problem(a: Any, b: Any, M: Any, check_marginals: bool) -> _Problem:
    problem = _Problem(a, b, M)
    if check_marginals:
        problem.check_marginals()
    return problem


def _emd_log(pair: _Pair, problem: _Problem, number: int, center: bool) -> dict[str, Any]:
    u, v = pair.u, pair.v
    if center:
        a, b = problem.a, problem.targets[number]
        b = b * (a.sum() / b.sum())
        shift = (b @ v - a @ u) / (a.sum() + b.sum())
        u, v = u + shift, v - shift
    return {"cost": pair.cost, "u": u, "v": v, "warning": None, "result_code": 1}


def _settings(reg: float, method: str, iterations: int, tolerance: float) -> Sinkhorn:
    if method not in ("sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"):
        raise ValueError(
            f"method is {method!r}; expected 'sinkhorn', 'sinkhorn_log' or 'sinkhorn_stabilized'"
        )
    if not reg > 0:
        raise ValueError(f"reg is {reg!r}; expected a positive number")
    return Sinkhorn(1.0, float(reg), tolerance, check_count("numItermax", iterations, 1))


def _sinkhorn(
    problem: _Problem, settings: Sinkhorn, log: bool, warn: bool, chosen: Callable[[_Pair], Any]
) -> Any:
    pairs = problem.solved("sinkhorn", settings)
    if warn and not all(pair.done["converged"] for pair in pairs):
        warnings.warn(
            f"sinkhorn has not converged in {settings.max_iterations} iterations; expected a "
            "larger numItermax or reg",
            stacklevel=3,
        )
    found = np.array([pair.cost for pair in pairs]) if problem.several else chosen(pairs[0])
    return (found, _sinkhorn_log(problem, pairs)) if log else found


def _sinkhorn_log(problem: _Problem, pairs: list[_Pair]) -> dict[str, Any]:
    """One for all targets, as in POT: what has a value for each bin has a column for each."""
    sides = {"log_u": [pair.u for pair in pairs], "log_v": [pair.v for pair in pairs]}
    logarithms = {name: np.array(values).T for name, values in sides.items()}
    if not problem.several:
        logarithms = {name: values[:, 0] for name, values in logarithms.items()}
    with np.errstate(over="ignore", under="ignore"):
        scalings = {name.removeprefix("log_"): np.exp(of) for name, of in logarithms.items()}
    apart = [_apart(problem.a, b, pair) for b, pair in zip(problem.targets, pairs, strict=True)]
    kept = {
        "err": [float(np.linalg.norm(apart))],
        "niter": max(pair.done["iterations"] for pair in pairs),
        "converged": all(pair.done["converged"] for pair in pairs),
    }
    return scalings | logarithms | kept


def _apart(a: DoubleArray, b: DoubleArray, pair: _Pair) -> float:
    """How far the sums of a plan are from those that it should have."""
    rows, columns = pair.plan.sum(axis=1) - a, pair.plan.sum(axis=0) - b * (a.sum() / b.sum())
    return float(np.hypot(np.linalg.norm(rows), np.linalg.norm(columns)))
