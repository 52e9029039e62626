"""Shards from a DataFrame of texts."""

import os
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col

from ..fields import columns_named
from ..shards import Shards, write_manifest
from . import tasks
from .stages import Task, frame_of, mapped, raised, session_for, stage, task_per_number

FILES = "part int, file string"
VOCABULARIES_OF_A_TASK = 16


def build(
    df: DataFrame | str | os.PathLike[str],
    vectors: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    text: str = "text",
    id: str = "id",
    label: str | None = None,
    title: str | None = None,
    keep_fields: Iterable[str] = (),
    shards: int | None = None,
    session: SparkSession | None = None,
    **recipe: Any,
) -> Shards:
    """Shards of the texts in a DataFrame, or in Parquet files whose path is given, in a new folder.

    `text`, `id`, `label`, `title` and `keep_fields` are names of columns. Ids have to differ; rows
    are in their order, so that the shards are, to the bit, those of one index that
    Index.from_texts makes of the same rows in the order of their ids. `vectors` is a file, and
    `path` a folder, that driver and executors see under these names. Few large `shards` are better
    than many: one for each executor, unless told. The rest is as in Index.from_texts.

    Spark goes through the DataFrame twice, first for a sample of the ids that tells how to share
    rows out: cache what is dear to make. Each part is made into an index, Spark adds up in how many
    documents each word stands, and the parts are weighed by that. The folder counts once its
    manifest is there, which is written last and names the files of the attempts that count.
    """
    session = session_for(getattr(df, "sparkSession", session))
    df = frame_of(df, session)
    folder = Path(path).absolute()
    if (folder / "manifest.json").exists():
        raise FileExistsError(f"{folder}: has shards; expected a new folder")
    if not isinstance(vectors, str | os.PathLike):
        raise TypeError(f"vectors are {type(vectors).__name__}; expected a file, which tasks read")
    fields = tuple(columns_named(keep_fields, df.columns, "the DataFrame"))
    named = {"text": text, "id": id, "label": label, "title": title}
    columns = {part: name for part, name in named.items() if name is not None}
    columns_named(columns.values(), df.columns, "the DataFrame")
    corpus = tasks.Corpus(
        str(folder), uuid.uuid4().hex[:8], os.path.abspath(vectors), fields, recipe
    )
    texts = df.select(
        *(col(name).cast("string").alias(f"navvy {part}") for part, name in columns.items()),
        *fields,
        col(id).alias("navvy order"),
    )
    folder.mkdir(parents=True, exist_ok=True)
    counting: list[str] = []
    try:
        made, counting = _written(session, texts, corpus, shards or _executors(session))
        return made
    finally:
        _clear(folder, corpus.run, counting)


def _written(
    session: SparkSession, texts: DataFrame, corpus: tasks.Corpus, shards: int
) -> tuple[Shards, list[str]]:
    """The shards, and the names of the files that count."""
    ordered = texts.repartitionByRange(shards, "navvy order").sortWithinPartitions("navvy order")
    parts = _files(
        session,
        "build: parts",
        mapped(ordered, lambda batches: tasks.build_part(batches, corpus), FILES),
    )
    if not parts:
        raise ValueError("the DataFrame has no rows; expected texts")
    vocabulary = _vocabulary(session, corpus, parts)
    files = _numbered(
        session,
        "build: shards",
        len(parts),
        lambda batches: tasks.weigh_part(batches, corpus, parts, vocabulary),
    )
    made = write_manifest(corpus.folder, files, vocabulary=vocabulary)
    return made, [*files, vocabulary]


def _vocabulary(session: SparkSession, corpus: tasks.Corpus, parts: list[str]) -> str:
    """The file with the words of all parts and in how many documents each stands."""
    files = parts
    while True:
        size = VOCABULARIES_OF_A_TASK
        groups = [files[begin : begin + size] for begin in range(0, len(files), size)]
        files = _joined(session, corpus, groups)
        if len(files) == 1:
            return files[0]


def _joined(session: SparkSession, corpus: tasks.Corpus, groups: list[list[str]]) -> list[str]:
    return _numbered(
        session,
        "build: document frequencies",
        len(groups),
        lambda batches: tasks.join_vocabularies(batches, corpus, groups),
    )


def _numbered(session: SparkSession, name: str, count: int, task: Task) -> list[str]:
    return _files(session, name, task_per_number(session, count, task, FILES))


def _files(session: SparkSession, name: str, frame: DataFrame) -> list[str]:
    """What tasks wrote, by number: of each the attempt that Spark took."""
    with stage(session, name):
        made = frame.collect()
    for line in made:
        if line.error is not None:
            raise raised(line.error)
    return [line.file for line in sorted(made, key=lambda line: line.part)]


def _executors(session: SparkSession) -> int:
    """How many there are, not counting the driver."""
    known: int = session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
    return max(1, known - 1)


def _clear(folder: Path, run: str, counting: list[str]) -> None:
    """Takes away what this build wrote and does not count: parts, lost and repeated attempts."""
    for file in folder.glob(f"*-{run}-*"):
        if file.name not in counting:
            file.unlink(missing_ok=True)
