"""What runs on executors: pure functions from Arrow batches to columns by name.

Same arguments, same rows: a task may be lost, repeated, or run twice at once. What a worker opened
it keeps for its next task.
"""

import os
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyspark import TaskContext

from ..index import Index
from ..lists import Lists, merge_lists
from ..rows import rows_like
from ..shards import Shards, joined_vocabulary

Batches = Iterable[pa.RecordBatch]
Made = Iterator[dict[str, Any]]

QUERIES_OF_A_BLOCK = 1024
READY_SHARDS = 2  # of a worker; each takes the memory of its rows


@dataclass(frozen=True)
class Corpus:
    """What a build asks its tasks: where files go, and how texts become rows."""

    folder: str
    run: str  # stands in the name of every file that this build writes
    vectors: str
    fields: tuple[str, ...] = ()
    recipe: dict[str, Any] = field(default_factory=dict)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def new_name(self, what: str) -> str:
        """No other attempt has it, so that none writes over another's file."""
        return f"{what}-{self.run}-{uuid.uuid4().hex[:12]}.navvy"


@dataclass(frozen=True)
class Question:
    """What a search or a knn asks its tasks."""

    folder: str
    identity: str
    run: dict[str, Any]  # the keywords


def opened_shards(folder: str, identity: str) -> Shards:
    shards = Shards.open(folder)
    if shards.identity != identity:
        raise ValueError(f"{folder}: its shards were replaced while Spark worked on them")
    return shards


@lru_cache(maxsize=2)
def shards_of(folder: str, identity: str) -> Shards:
    return opened_shards(folder, identity)


@lru_cache(maxsize=READY_SHARDS)
def ready(folder: str, identity: str, shard: int) -> Shards:
    """Shards of which this one is asked alone, so that it stays ready for the next block."""
    return opened_shards(folder, identity)


@lru_cache(maxsize=1)
def maker(folder: str, identity: str) -> Index:
    """What makes queries for all shards: of texts their vocabulary, otherwise any of them."""
    shards = shards_of(folder, identity)
    return shards.vocabulary() if shards.kind == "text" else shards.shard(0)


@lru_cache(maxsize=1)
def opened(path: str) -> Index:
    return Index.open(path)


@lru_cache(maxsize=4)
def names_of(folder: str, identity: str, shard: int) -> tuple[Any, Any, Any]:
    """The numbers in the whole, ids and labels of the rows of a shard."""
    shards = shards_of(folder, identity)
    index = shards.shard(shard)
    rows = shards.rows_of(shard)
    ids = rows.astype(np.str_) if shards.numbered else index.ids
    # A column of Spark has one type, whatever the labels of an index are.
    labels = ["" if label is None else str(label) for label in index.labels]
    return rows, ids, np.array(labels, dtype=np.str_)


def place() -> int:
    """That of the task among those of its stage."""
    return TaskContext.get().partitionId()  # type: ignore[union-attr]


def numbers_of(batches: Batches) -> Iterator[int]:
    """Of a task whose rows are numbers."""
    for each in batches:
        yield from each.column(0).to_pylist()


# --- building ------------------------------------------------------------------------------------


def texts_of(column: Any) -> list[str]:
    return ["" if value is None else value for value in column.to_pylist()]


def build_part(batches: Batches, corpus: Corpus) -> Made:
    """Texts of one partition, ordered by id, into an index that knows itself alone."""
    made = list(batches)
    if not any(len(each) for each in made):
        return
    table = pa.Table.from_batches(made)
    if table["navvy id"].null_count:
        raise ValueError("a row has no id; ids tell the order of the rows")
    given: dict[str, Any] = {
        f"{part}s": texts_of(table[f"navvy {part}"])
        for part in ("text", "id", "label", "title")
        if f"navvy {part}" in table.column_names
    }
    fields = table.select(list(corpus.fields)) if corpus.fields else None
    index = Index.from_texts(vectors=corpus.vectors, fields=fields, **given, **corpus.recipe)
    name = corpus.new_name(f"part-{place():05}")
    index.save(corpus.path(name))
    yield dict(part=[place()], file=[name])


def join_vocabularies(batches: Batches, corpus: Corpus, groups: list[list[str]]) -> Made:
    """The words of several parts, or of vocabularies, with the frequencies of all of them."""
    for number in numbers_of(batches):
        joined = joined_vocabulary([Index.open(corpus.path(name)) for name in groups[number]])
        name = corpus.new_name("vocabulary")
        joined.save(corpus.path(name))
        yield dict(part=[number], file=[name])


def weigh_part(batches: Batches, corpus: Corpus, parts: list[str], vocabulary: str) -> Made:
    """A part, weighed against all documents: a shard."""
    for number in numbers_of(batches):
        part = Index.open(corpus.path(parts[number]))
        name = corpus.new_name(f"shard-{number:05}")
        part.reweighed(opened(corpus.path(vocabulary))).save(corpus.path(name))
        yield dict(part=[number], file=[name])


# --- searching -----------------------------------------------------------------------------------


def as_queries(column: pa.Array, like: Index, coordinates: Any) -> Index:
    """Queries as they stand in a column, as rows that shards can be searched for."""
    if like.kind == "text":
        return like.encode(texts_of(column))
    if column.null_count:
        raise ValueError("a query is null; expected one number for each coordinate")
    if pa.types.is_binary(column.type):
        lengths = [len(value) for value in column.to_pylist()]
        numbers = np.frombuffer(b"".join(column.to_pylist()), np.uint8)
    else:
        lengths = column.value_lengths().to_pylist()
        numbers = column.flatten().to_numpy(zero_copy_only=False)
    if len(set(lengths)) != 1:
        raise ValueError("queries of different lengths; expected one number for each coordinate")
    made = numbers.reshape(len(lengths), -1)
    if like.kind == "images":
        height, width = (int(like.properties[side]) for side in ("height", "width"))
        if made.shape[1] != height * width:
            raise ValueError(
                f"queries of {made.shape[1]} pixels; expected {height} x {width}, as in the shards"
            )
        pictures = made.reshape(-1, height, width)
        return Index(rows_like(like._handle, pictures, coordinates, known=True))
    return Index(rows_like(like._handle, made, coordinates, known=True))


def encode_queries(batches: Batches, asked: Question, coordinates: Any) -> Made:
    """Queries of one partition, ordered by their keys, in blocks."""
    like = maker(asked.folder, asked.identity)
    last = None
    block = 0
    for each in batches:
        if each.column(0).null_count:
            raise ValueError("a query has no key; keys tell queries apart")
        for begin in range(0, len(each), QUERIES_OF_A_BLOCK):
            part = each.slice(begin, QUERIES_OF_A_BLOCK)
            keys = part.column(0).to_pylist()
            for before, key in zip([last, *keys], keys, strict=False):
                if before == key:
                    raise ValueError(f"two queries have the key {key!r}; keys tell queries apart")
            last = keys[-1]
            queries = as_queries(part.column(1), like, coordinates).to_bytes()
            yield dict(place=[place()], block=[block], keys=[keys], queries=[queries])
            block += 1


def search_shard(batches: Batches, asked: Question) -> Made:
    """The nearest rows in one shard for one block of queries."""
    for each in batches:
        for number in range(len(each)):
            line = each.slice(number, 1)
            (shard,) = line.column("shard").to_pylist()
            shards = ready(asked.folder, asked.identity, shard)
            queries = Index.from_bytes(line.column("queries")[0].as_py())
            lists = shards.search(shard, queries, **asked.run)
            found = np.unique(lists.rows[lists.rows >= 0])
            rows, ids, labels = names_of(asked.folder, asked.identity, shard)
            local = np.searchsorted(rows, found)
            yield dict(
                number=line.column("number"),
                keys=line.column("keys"),
                lists=[lists.to_bytes()],
                rows=[found.tolist()],
                ids=[ids[local].tolist()],
                labels=[labels[local].tolist()],
            )


def merge_block(batches: Batches) -> Made:
    """The lists of all shards for one block of queries, as rows of the answer."""
    made = list(batches)
    if not made:
        return
    parts = pa.Table.from_batches(made)
    merged = merge_lists([Lists.from_bytes(each.as_py()) for each in parts["lists"]])
    rows, ids, labels = (
        np.concatenate([np.asarray(each.values) for each in parts[name]])
        for name in ("rows", "ids", "labels")
    )
    order = np.argsort(rows)
    query, rank, found, distances = listed(merged)
    where = order[np.searchsorted(rows, found, sorter=order)]
    keys = parts["keys"][0].values
    yield dict(
        query=keys.take(pa.array(query)),
        rank=rank,
        row=found,
        id=ids[where].tolist(),
        distance=distances,
        label=labels[where].tolist(),
    )


def listed(lists: Lists) -> tuple[npt.NDArray[Any], ...]:
    """Place of the query, rank from 1, row and distance of every match."""
    query, rank = np.nonzero(lists.rows >= 0)
    places = query, rank
    return query, (rank + 1).astype(np.int32), lists.rows[places], lists.distances[places]


# --- all pairs -----------------------------------------------------------------------------------


def knn_of_shard(batches: Batches, asked: Question) -> Made:
    """All pairs within a shard, and what they already say of every row's list."""
    shards = shards_of(asked.folder, asked.identity)
    for shard in numbers_of(batches):
        lists = shards.knn(shard, shard, **asked.run)
        limits = lists.limits().astype("<f8").tobytes()
        yield dict(shard=[shard], lists=[lists.to_bytes()], limits=[limits])


def knn_of_pair(batches: Batches, asked: Question) -> Made:
    """All pairs between two shards, for the lists of both."""
    both = [line for each in batches for line in each.to_pylist()]
    if not both:
        return
    first, second = sorted(both, key=lambda side: side["shard"])
    limits = tuple(np.frombuffer(side["limits"], "<f8") for side in (first, second))
    shards = shards_of(asked.folder, asked.identity)
    i, j = first["shard"], second["shard"]
    lists = shards.knn(i, j, limits=limits, **asked.run)
    for shard in (i, j):
        part = lists.of_shard(shard).to_bytes()
        yield dict(shard=[shard], lists=[part])


def merge_shard(batches: Batches) -> Made:
    """The lists of the rows of one shard, as rows of the answer."""
    parts = [Lists.from_bytes(part) for each in batches for part in each.column(1).to_pylist()]
    if not parts:
        return
    merged = merge_lists(parts)
    query, rank, found, distances = listed(merged)
    yield dict(query=merged.queries[query], rank=rank, row=found, distance=distances)


def rows_of_shard(batches: Batches, asked: Question) -> Made:
    """Number, id and label of every row."""
    for shard in numbers_of(batches):
        rows, ids, labels = names_of(asked.folder, asked.identity, shard)
        yield dict(
            row=rows,
            id=ids.tolist(),
            label=labels.tolist(),
        )
