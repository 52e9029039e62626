"""How work reaches Spark: as stages with names, and failures as one line."""

import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql.functions import array, col, count, explode, lit, raise_error, sequence, when
from pyspark.sql.functions import max as max_of
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ..options import length_of
from ..shards import Shards
from .tasks import Question

# From batches of Arrow to columns by name.
Task = Callable[[Iterable[pa.RecordBatch]], Iterator[dict[str, Any]]]

ENOUGH_FAILURES = 20

SETTINGS: dict[str, bool | float | int | str | None] = {
    # An executor that dies counts as a failure of the task that it had; the default, 4, ends a long
    # job on a cluster that loses machines. Spark reads it once, when a session starts.
    "spark.task.maxFailures": "100",
    # Without a bound, a standalone cluster that shuts down restarts executors without end.
    "spark.deploy.maxExecutorRetries": "100",
}
"""What a session should be started with: ``SparkSession.builder.config(map=SETTINGS)``."""

_KINDS = (OSError, TypeError, ValueError, MemoryError, RuntimeError)


def one_line(error: Exception) -> str:
    """The kind of an error and what it says."""
    kind = next((kind for kind in _KINDS if isinstance(error, kind)), None)
    text = " ".join(str(error).splitlines())
    if kind is None:  # its name says more than its text, which may be a key
        return f"RuntimeError: {type(error).__name__}: {text}"
    return f"{kind.__name__}: {text}"


def raised(line: str) -> Exception:
    """The error of such a line."""
    name, _, text = line.partition(": ")
    return {kind.__name__: kind for kind in _KINDS}[name](text)


def spark_error(error: Exception) -> Exception:
    """The error of a task, or one line about what Spark itself gave up on."""
    text = str(error)
    if told := re.search(r"\[USER_RAISED_EXCEPTION\] (.*?)( SQLSTATE: \w+)?$", text, re.MULTILINE):
        return raised(told[1])
    line = next((line.strip() for line in text.splitlines() if line.strip()), repr(error))
    if "ExecutorLostFailure" in text:
        line += f" (spark.task.maxFailures should be {ENOUGH_FAILURES} or more)"
    return RuntimeError(f"Spark: {line}")


@contextmanager
def stage(session: SparkSession, name: str) -> Iterator[None]:
    """What runs inside has this name in Spark's page."""
    context = session.sparkContext
    before = context.getLocalProperty("spark.job.description")
    context.setLocalProperty("spark.job.description", f"navvy {name}")
    try:
        yield
    except PySparkException as error:
        raise spark_error(error) from None
    finally:
        context.setLocalProperty("spark.job.description", before)  # type: ignore[arg-type]


def mapped(frame: DataFrame, task: Task, schema: str, *, of_tasks: bool = False) -> DataFrame:
    """What a task makes of each partition, with a column that tells its error, if any.

    An error that is raised would be tried again as often as executors may be lost, each time in a
    new Python. Rows `of_tasks` have such a column, and their errors are handed on.
    """
    columns = StructType.fromDDL(f"error string, {schema}")
    assert isinstance(columns, StructType)
    arrow = to_arrow_schema(columns)

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            for made in task(sound(batches) if of_tasks else batches):
                rows = len(next(iter(made.values())))
                yield pa.RecordBatch.from_pydict({"error": [None] * rows} | made, arrow)
        except Exception as error:
            nothing = dict.fromkeys(arrow.names, [None])
            yield pa.RecordBatch.from_pydict(nothing | {"error": [one_line(error)]}, arrow)

    return frame.mapInArrow(run, columns)


def sound(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows that tasks made, up to the first that is an error: it is raised."""
    for each in batches:
        for line in each.column("error").drop_null().to_pylist():
            raise raised(line)
        yield each.drop_columns(["error"])


def task_per_number(session: SparkSession, count: int, task: Task, schema: str) -> DataFrame:
    """A task for each of the numbers 0, 1, ..., which is its only row."""
    return mapped(session.range(count, numPartitions=count), task, schema)


def task_per_value(
    frame: DataFrame, count: int, number: Column, task: Task, schema: str
) -> DataFrame:
    """A task for each value of an expression, 0, 1, ..., count - 1, that gets its rows, which other
    tasks made. What was kept may be lost and made again, and this time fail: all tasks get such an
    error, since each may lack what it stands for."""
    numbers = when(col("error").isNull(), array(number.cast("int"))).otherwise(numbers_below(count))
    # Not repartition(), whose hashes leave some tasks without any value and others with several.
    made = frame.select("*", explode(numbers).alias("task")).repartitionById(count, col("task"))
    return mapped(made.drop("task"), task, schema, of_tasks=True)


def kept(session: SparkSession, name: str, frame: DataFrame, by: str) -> tuple[DataFrame, Any]:
    """The rows of tasks, computed now and kept on the disks of the executors; where one of these
    is lost, Spark computes again what it kept. And how many rows there are of each `by`."""
    made, counts = _counted(session, name, frame, by)
    return made, {value: rows for value, rows, _ in counts}


def _counted(
    session: SparkSession, name: str, frame: DataFrame, *by: str
) -> tuple[DataFrame, list[Row]]:
    made = frame.persist(StorageLevel.DISK_ONLY)
    try:
        with stage(session, name):
            counts = made.groupBy(*by).agg(count("*"), max_of("error")).collect()
        for *_, error in counts:
            if error is not None:
                raise raised(error)
    except BaseException:
        made.unpersist()
        raise
    return made, counts


def answer(session: SparkSession, name: str, frame: DataFrame) -> DataFrame:
    """Rows for the user, kept as others are; `unpersist` gives up what was kept."""
    rows, _ = _counted(session, name, frame)
    # Only what was lost and made again can still have an error.
    failing = when(col("error").isNull(), True).otherwise(raise_error(col("error")))
    made = rows.where(failing).drop("error")

    def unpersist(blocking: bool = False) -> DataFrame:
        rows.unpersist(blocking)
        return type(made).unpersist(made, blocking)

    made.unpersist = unpersist  # type: ignore[method-assign]
    return made


def session_for(session: SparkSession | None) -> SparkSession:
    """The session, or the active one; warns where it would give up after few losses."""
    found = session or SparkSession.getActiveSession()
    if found is None:
        raise RuntimeError("no Spark session is active; expected one, or session=")
    configuration = found.sparkContext.getConf()
    failures = int(configuration.get("spark.task.maxFailures", "4") or 4)
    local = configuration.get("spark.master", "").startswith("local[")
    if failures < ENOUGH_FAILURES and not local:
        warnings.warn(
            f"spark.task.maxFailures is {failures}: a job ends when a task loses so many executors;"
            " start the session with navvy.spark.SETTINGS",
            stacklevel=3,
        )
    return found


def frame_of(source: DataFrame | str | os.PathLike[str], session: SparkSession) -> DataFrame:
    """A DataFrame, or that of Parquet files."""
    if isinstance(source, DataFrame):
        return source
    if not isinstance(source, str | os.PathLike):
        what = type(source).__name__
        raise TypeError(f"{what} given; expected a DataFrame, or the path of Parquet files")
    with stage(session, "reading Parquet"):
        return session.read.parquet(os.fspath(source))


def question(session: SparkSession, shards: Shards, run: dict[str, Any]) -> Question:
    """What tasks are asked, with as many threads as Spark counts CPUs for each."""
    refused = {"deadline", "max_solves", "tolerance", "progress"} & run.keys()
    if refused:
        raise TypeError(f"no {min(refused)} on Spark, whose answers are whole")
    threads = int(session.sparkContext.getConf().get("spark.task.cpus", "1") or 1)
    length_of(run.get("top"), None)  # no task has to find out
    return Question(str(shards.folder), shards.identity, {"threads": threads} | run)


def open_shards(path: str | os.PathLike[str]) -> Shards:
    """A folder of shards, by the name that executors are told: their own folder is another."""
    shards = Shards.open(os.path.abspath(path))
    # Tasks would find out as well, but not before others have worked for long.
    for file in shards.files:
        if not (shards.folder / file).is_file():
            raise FileNotFoundError(f"{shards.folder / file}: cannot open: no such file")
    return shards


def numbers_below(count: int) -> Column:
    return sequence(lit(0), lit(count - 1))
