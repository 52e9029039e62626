"""The nearest rows of queries, asked from Spark."""

import os
from itertools import accumulate
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import array, col, element_at, explode, lit

from ..arrays import as_coordinates
from ..fields import columns_named
from . import tasks
from .stages import (
    answer,
    frame_of,
    kept,
    mapped,
    numbers_below,
    open_shards,
    question,
    session_for,
    task_per_value,
)

COLUMNS = {"text": "text", "images": "image", "histograms": "histogram"}


def search(
    queries: DataFrame | str | os.PathLike[str],
    path: str | os.PathLike[str],
    top: int | None = None,
    measure: str | None = None,
    *,
    query: str = "query",
    column: str | None = None,
    coordinates: Any = None,
    session: SparkSession | None = None,
    **run: Any,
) -> DataFrame:
    """The nearest rows of each query: a DataFrame of query, rank, row, id, distance and label.

    Queries come from a DataFrame or the path of Parquet files. The column `query` holds keys, which
    have to differ, and `column` what is looked for: texts, images as arrays of their pixels (or
    bytes), or histograms as arrays with a weight for each of `coordinates`; unless told it is
    called "text", "image" or "histogram". A query without any known word has no matches. Without
    `top` there are 10 for each, or within a radius `within` all. The other keywords are those of
    Index.search: `for_`, `mix_bow`, `direction`, `threads` (of a task; spark.task.cpus unless
    told), `memory`, `sinkhorn`.

    It is computed when this is called, and kept on the disks of the executors until `unpersist`.
    """
    session = session_for(getattr(queries, "sparkSession", session))
    queries = frame_of(queries, session)
    shards = open_shards(path)
    column = column or COLUMNS[shards.kind]
    columns_named([query, column], queries.columns, "the DataFrame of queries")
    asked = question(session, shards, {"top": top, "measure": measure} | run)
    points = None if coordinates is None else as_coordinates(coordinates)
    # As many blocks as give every core a task; spark.sql.shuffle.partitions makes 200, however few
    # queries there are, and each shard would be asked for each.
    parts = -(-session.sparkContext.defaultParallelism // len(shards))
    made = _blocks(queries.select(query, column), parts, asked, points)
    blocks, counts = kept(session, "search: queries", made, "place")
    try:
        lists = _lists(blocks, counts, asked, len(shards))
        found, numbers = kept(session, "search: shards", lists, "number")
    finally:
        blocks.unpersist()
    try:
        return answer(session, "search: lists merged", _merged(found, max(1, len(numbers))))
    finally:
        found.unpersist()


def _key_type(frame: DataFrame) -> str:
    """That of the keys of blocks."""
    return frame.schema["keys"].dataType.elementType.simpleString()  # type: ignore[attr-defined, no-any-return]


def _blocks(queries: DataFrame, parts: int, asked: tasks.Question, coordinates: Any) -> DataFrame:
    """Queries as rows for the shards, in blocks that are the same however often they are made."""
    name = queries.columns[0]
    key = queries.schema[0].dataType.simpleString()
    ordered = queries.repartitionByRange(parts, name).sortWithinPartitions(name)
    return mapped(
        ordered,
        lambda batches: tasks.encode_queries(batches, asked, coordinates),
        f"place int, block int, keys array<{key}>, queries binary",
    )


def _lists(
    blocks: DataFrame, counts: dict[int, int], asked: tasks.Question, shards: int
) -> DataFrame:
    """What every shard has for every block. Tasks start by number: a worker meets the blocks of a
    shard in a row, and makes it ready once."""
    number = _number(counts)
    numbers = max(1, sum(counts.values()))
    pairs = blocks.select(
        "error",
        number.alias("number"),
        "keys",
        "queries",
        explode(numbers_below(shards)).alias("shard"),
    )
    return task_per_value(
        pairs,
        numbers * shards,
        col("shard") * numbers + col("number"),
        lambda batches: tasks.search_shard(batches, asked),
        f"number int, keys array<{_key_type(blocks)}>, lists binary, "
        "rows array<long>, ids array<string>, labels array<string>",
    )


def _number(counts: dict[int, int]) -> Column:
    """An expression that numbers the blocks of all places 0, 1, ..."""
    ends = list(accumulate(counts.get(place, 0) for place in range(max(counts, default=0) + 1)))
    first = array(*(lit(begin) for begin in [0, *ends[:-1]]))
    return element_at(first, col("place") + 1) + col("block")


def _merged(lists: DataFrame, count: int) -> DataFrame:
    """The lists of all shards for each block put together."""
    return task_per_value(
        lists,
        count,
        col("number"),
        tasks.merge_block,
        f"query {_key_type(lists)}, rank int, row long, id string, distance double, label string",
    )
