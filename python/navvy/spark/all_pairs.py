"""The nearest rows of every row, asked from Spark."""

import os
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, explode, greatest, least

from . import tasks
from .stages import (
    answer,
    kept,
    numbers_below,
    open_shards,
    question,
    session_for,
    task_per_number,
    task_per_value,
)

LISTS = "shard int, lists binary"


def knn(
    path: str | os.PathLike[str],
    top: int = 10,
    measure: str = "act-1",
    *,
    session: SparkSession | None = None,
    **run: Any,
) -> DataFrame:
    """The nearest rows of every row: a DataFrame of query, rank, row and distance, where query and
    row are numbers of rows; `rows` tells their ids and labels.

    Pairs of shards are the tasks. Those of a shard with itself come first: what they find tells the
    others how near a row has to be. Keywords as in Index.knn: `direction`, `threads` (of a task;
    spark.task.cpus unless told), `memory`, `sinkhorn`. Kept as that of `search` is.
    """
    session = session_for(session)
    shards = open_shards(path)
    asked = question(session, shards, {"top": top, "measure": measure} | run)
    count = len(shards)
    within = task_per_number(
        session,
        count,
        lambda batches: tasks.knn_of_shard(batches, asked),
        f"{LISTS}, limits binary",
    )
    made = [kept(session, "knn: each shard with itself", within, "shard")[0]]
    try:
        if count > 1:
            between = _between(made[0], count, asked)
            made.append(kept(session, "knn: pairs of shards", between, "shard")[0])
        lists = made[0].select("error", "shard", "lists")
        for others in made[1:]:
            lists = lists.union(others)
        return answer(session, "knn: lists merged", _merged(lists, count))
    finally:
        for frame in made:
            frame.unpersist()


def _between(within: DataFrame, count: int, asked: tasks.Question) -> DataFrame:
    """The lists of all pairs of shards; of both, the limits of each go to their task."""
    i, j = least("shard", "other"), greatest("shard", "other")
    # Pairs (0, 1), (0, 2), ..., (1, 2), ... are numbered in this order.
    pair = (i * (2 * count - i - 1) / 2).cast("int") + j - i - 1
    others = explode(numbers_below(count)).alias("other")
    sides = within.select("error", "shard", "limits", others)
    return task_per_value(
        sides.where("error is not null or shard != other").select(
            "error", "shard", "limits", pair.alias("pair")
        ),
        count * (count - 1) // 2,
        col("pair"),
        lambda batches: tasks.knn_of_pair(batches, asked),
        LISTS,
    )


def _merged(lists: DataFrame, count: int) -> DataFrame:
    schema = "query long, rank int, row long, distance double"
    return task_per_value(lists, count, col("shard"), tasks.merge_shard, schema)


def rows(path: str | os.PathLike[str], *, session: SparkSession | None = None) -> DataFrame:
    """A DataFrame of row, id and label: the number and the names of every row."""
    session = session_for(session)
    shards = open_shards(path)
    asked = question(session, shards, {})
    made = task_per_number(
        session,
        len(shards),
        lambda batches: tasks.rows_of_shard(batches, asked),
        "row long, id string, label string",
    )
    return answer(session, "rows", made)
