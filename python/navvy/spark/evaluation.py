"""How well nearest rows have the label of their query, asked from Spark."""

import math
import os
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, count, count_if

from .. import _navvy
from ..evaluation import ClassPrecision, Evaluation
from ..fields import columns_named
from ..options import check_count
from .all_pairs import knn, rows
from .searching import search
from .stages import open_shards, session_for, stage

Intervals = tuple[dict[int, float], dict[int, tuple[float, float]]]


def evaluate(
    path: str | os.PathLike[str],
    measures: str | Iterable[str] = "act-1",
    tops: Iterable[int] = (1, 16),
    *,
    test: DataFrame | None = None,
    query: str = "query",
    column: str | None = None,
    label: str = "label",
    coordinates: Any = None,
    session: SparkSession | None = None,
    **run: Any,
) -> dict[str, Evaluation]:
    """Precision of the nearest rows against labels under each measure.

    All rows with a label ask, or the queries of a DataFrame `test`, whose columns are those of
    `search` and one of labels. What comes back is what Index.evaluate gives, with a share for each
    that asked, which the driver has to have room for; `asked` has row numbers, or places among the
    keys of the test in order. `cpu_seconds` are unknown (NaN), `unknown_labels` are not counted.
    """
    session = session_for(session if test is None else test.sparkSession)
    names = measures.split(",") if isinstance(measures, str) else list(measures)
    lengths = [check_count("top", top, 1) for top in tops]
    others = open_shards(path).rows - (test is None)
    if not lengths or max(lengths) > others:
        raise ValueError(f"tops are {lengths}; expected lengths from 1 to {others}")
    if test is not None:
        columns_named([query, label], test.columns, "the DataFrame of the test")
    named = rows(path, session=session) if test is None else None
    made = {}
    try:
        for name in names:
            begin = time.perf_counter()
            if test is not None:
                asked = {"query": query, "column": column, "coordinates": coordinates}
                found = search(test, path, max(lengths), name, **asked, **{"for_": "similar"} | run)
                askers = test.select(query, col(label).cast("string"))
            else:
                assert named is not None
                found = knn(path, max(lengths), name, session=session, **run)
                askers = named.select("row", "label")
            seconds = time.perf_counter() - begin
            try:
                with stage(session, "evaluate: equal labels"):
                    counted = _counted(found, askers.toDF("query", "label"), named, lengths)
            finally:
                found.unpersist()
            made[name] = _evaluation(name, lengths, counted, test is None, others, seconds)
    finally:
        if named is not None:
            named.unpersist()
    return made


def _counted(
    found: DataFrame, askers: DataFrame, named: DataFrame | None, tops: Sequence[int]
) -> Any:
    """A line for each that might ask: its label, how many it found, and of these how many have its
    label at each length. Labels of what was found stand beside it, or by row in `named`."""
    if named is None:
        found = found.withColumnRenamed("label", "of_row")
    else:
        found = found.join(named.select("row", col("label").alias("of_row")), "row")
    same = (col("of_row") == col("label")) & (col("label") != "")
    joined = askers.fillna({"label": ""}).join(
        found.select("query", "rank", "of_row"), "query", "left"
    )
    equal = [
        count_if(same & (col("rank") <= top)).alias(f"equal {place}")
        for place, top in enumerate(tops)
    ]
    lines = joined.groupBy("query", "label").agg(count("rank").alias("found"), *equal)
    return lines.orderBy("query").toArrow()


def _evaluation(
    measure: str, tops: Sequence[int], counted: Any, of_rows: bool, rows: int, seconds: float
) -> Evaluation:
    """What the lines say."""
    labels = np.asarray(counted["label"].to_pylist(), dtype=np.str_)
    weighty = counted["found"].to_numpy() > 0
    able = (labels != "") & weighty
    if not able.any():
        what = "rows" if of_rows else "queries"
        raise ValueError(f"nothing can ask: none of {len(labels)} {what} has a label and weight")
    equal = {top: counted[f"equal {i}"].to_numpy()[able] for i, top in enumerate(tops)}
    asked = counted["query"].to_numpy() if of_rows else np.arange(len(labels))
    others = int(weighty.sum()) - 1 if of_rows else rows
    of_each = {top: counts / top for top, counts in equal.items()}
    precision, intervals = _precision(equal, np.ones(int(able.sum()), dtype=bool))
    known = labels[able]
    classes: dict[str | int, ClassPrecision] = {
        str(label): ClassPrecision(int((known == label).sum()), *_precision(equal, known == label))
        for label in np.unique(known)
    }
    return Evaluation(
        measure=measure,
        precision=precision,
        intervals=intervals,
        classes=classes,
        queries=int(able.sum()),
        candidates=int(able.sum()),
        seed=0,
        unlabelled=int((labels == "").sum()),
        empty=int(((labels != "") & ~able).sum()),
        unknown_labels=0,
        distances=int(able.sum()) * others,
        seconds=seconds,
        cpu_seconds=math.nan,
        asked=asked[able],
        of_each=of_each,
    )


def _precision(equal: dict[int, npt.NDArray[Any]], which: npt.NDArray[np.bool_]) -> Intervals:
    """Means and their 95 % intervals."""
    means, intervals = {}, {}
    for top, counts in equal.items():
        values = counts[which].astype(float)
        mean, low, high = _navvy.estimate(values.tolist(), 0.0, float(top))
        means[top], intervals[top] = mean / top, (low / top, high / top)
    return means, intervals
