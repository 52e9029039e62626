"""How well nearest rows have the label of their query."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .options import CONCERNED, Chosen, check_count, is_asked, options, run_of
from .queries import warn_of_unconverged


@dataclass(frozen=True)
class ClassPrecision:
    """Precision over the queries of one label."""

    queries: int
    precision: dict[int, float]
    intervals: dict[int, tuple[float, float]]


@dataclass(frozen=True)
class Evaluation:
    """Precision of nearest-neighbour lists against labels, leave-one-out by row or of a test set.

    `intervals` are those of 95 % for the mean over queries (Student's t); `classes` has the same
    for each label. `queries` asked, of `candidates` that could; `unlabelled` and `empty`
    could not, and `unknown_labels` asked with a label that no row has. `asked` numbers the rows (or
    the queries of the test set), `of_each` has the precision of each of them. `seconds` are wall
    time, `cpu_seconds` those of the whole process.
    """

    measure: str
    precision: dict[int, float]
    intervals: dict[int, tuple[float, float]]
    classes: dict[str | int, ClassPrecision] = field(repr=False)
    queries: int
    candidates: int
    seed: int
    unlabelled: int
    empty: int
    unknown_labels: int
    distances: int
    seconds: float
    cpu_seconds: float
    asked: npt.NDArray[np.uint32] = field(repr=False)
    of_each: dict[int, npt.NDArray[np.float64]] = field(repr=False)

    def difference(self, other: "Evaluation", top: int) -> tuple[float, float, float]:
        """By how much this is more precise, query by query.

        Parameters
        ----------
        other : Evaluation
            Of the same queries.
        top : int
            The length of lists.

        Returns
        -------
        mean, low, high : float
            The mean and its 95 % interval. Where it holds 0, neither is clearly better.

        Examples
        --------
        >>> import navvy
        >>> X = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0.1, 0.9]]
        >>> index = navvy.Index.from_histograms(X, [0, 1, 3], labels=["a", "a", "b", "b"])
        >>> found = index.evaluate("emd,bow", tops=[1])
        >>> found["emd"].difference(found["bow"], 1)[0]
        0.25
        """
        if not np.array_equal(self.asked, other.asked):
            raise ValueError("evaluations with different queries cannot be compared in pairs")
        apart = self.of_each[top] - other.of_each[top]
        return _navvy.estimate(apart.tolist(), -1.0, 1.0)


def class_of(label: str, handle: _navvy.Handle) -> str | int:
    """A label as the index has it; a test set may have others."""
    return int(label) if handle.integer_labels and label.lstrip("-").isdecimal() else label


def evaluation_of(
    handle: _navvy.Handle, measure: str, tops: list[int], seed: int, done: dict[str, Any]
) -> Evaluation:
    """What the library found, by length of lists."""

    def by_top(triples: Any) -> tuple[dict[int, float], dict[int, tuple[float, float]]]:
        means = {top: mean for top, (mean, _, _) in zip(tops, triples, strict=True)}
        return means, {top: (low, high) for top, (_, low, high) in zip(tops, triples, strict=True)}

    warn_of_unconverged(done.pop("unconverged"))
    equal = done.pop("equal")
    precision, intervals = by_top(done.pop("precision"))
    classes = {
        class_of(label, handle): ClassPrecision(queries, *by_top(triples))
        for label, queries, triples in done.pop("classes")
    }
    of_each = {top: equal[:, i] / top for i, top in enumerate(tops)}
    return Evaluation(
        measure=measure,
        precision=precision,
        intervals=intervals,
        classes=classes,
        seed=seed,
        of_each=of_each,
        **done,
    )


@dataclass(frozen=True)
class Asked:
    """Lengths of lists, and who asks: how many of the rows or of a test set, by which seed."""

    tops: Iterable[int]
    queries: int
    seed: int
    test: tuple[_navvy.Handle, list[str]] | None


def evaluate(
    handle: _navvy.Handle, measures: str | Iterable[str], asked: Asked, run: Chosen
) -> dict[str, Evaluation]:
    """The precision of each measure."""
    names = measures.split(",") if isinstance(measures, str) else list(measures)
    tops = [check_count("top", top, 1) for top in asked.tops]
    queries = check_count("queries", asked.queries, 0)
    seed = check_count("seed", asked.seed, 0)
    for key, concerned in CONCERNED.items():
        if is_asked(run, key) and not set(concerned) & set(names):
            raise ValueError(f"{key} is for {' and '.join(concerned)}, which is not evaluated")
    result = {}
    for name in names:
        with options(name, 1, None, handle, **run_of(name, run)) as wanted:
            if asked.test is None:
                done = handle.evaluate(tops, queries, seed, wanted)
            else:
                done = handle.evaluate_test(*asked.test, tops, (queries, seed), wanted)
            measure = wanted.measure
        result[measure] = evaluation_of(handle, measure, tops, seed, done)
    return result
