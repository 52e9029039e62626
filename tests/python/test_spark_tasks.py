"""What workers of Spark do, in this process: no session, hence none of its time."""

import shutil

import navvy
import numpy as np
import pytest

from .clusters import require_spark

require_spark()

import pyarrow as pa  # noqa: E402
from navvy.spark import tasks  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(autouse=True)
def worker(monkeypatch):
    """A worker that has opened nothing yet."""
    for kept in (tasks.shards_of, tasks.ready, tasks.maker, tasks.names_of, tasks.opened):
        kept.cache_clear()
    monkeypatch.setattr(tasks, "place", lambda: 0)
    monkeypatch.setattr(tasks, "QUERIES_OF_A_BLOCK", 4)


@pytest.fixture
def pixels():
    made = np.random.default_rng(2).integers(0, 9, (30, 5, 5)).astype(np.uint8)
    made[:, 2, 2] = 9
    return made


@pytest.fixture
def index(pixels):
    return navvy.Index.from_images(pixels)


def asked_of(shards, top=3, measure="act-1", **run):
    return tasks.Question(
        str(shards.folder), shards.identity, {"top": top, "measure": measure} | run
    )


def batches_of(**columns):
    return [pa.RecordBatch.from_pydict(columns)]


def blocks_of(queries, asked):
    batches = batches_of(query=list(range(len(queries))), what=queries)
    return list(tasks.encode_queries(batches, asked, None))


def search(block, shard, number, asked):
    batches = batches_of(number=[number], shard=[shard], **{k: block[k] for k in KEPT})
    (found,) = tasks.search_shard(batches, asked)
    return found


KEPT = ("keys", "queries")


def test_a_worker_keeps_what_it_made_ready(index, pixels, tmp_path):
    """What is not opened again is not missed either."""
    shards = navvy.split(index, tmp_path / "shards", 2)
    asked = asked_of(shards)
    queries = [image.tobytes() for image in pixels[:9]]
    (first,) = blocks_of(queries[:4], asked)
    found = [search(first, shard, 0, asked)["lists"] for shard in (0, 1)]
    for file in shards.files:
        (shards.folder / file).unlink()
    assert len(blocks_of(queries, asked)) == 3
    assert [search(first, shard, 0, asked)["lists"] for shard in (0, 1)] == found


def test_a_worker_keeps_the_vocabulary(tmp_path):
    (tmp_path / "vectors.txt").write_text("king 1 0\nqueen 0.8 0.6\npear 0 1\n")
    index = navvy.Index.from_texts(["king queen", "pear"], tmp_path / "vectors.txt")
    shards = navvy.split(index, tmp_path / "shards", 2)
    before = blocks_of(["pear"], asked_of(shards))
    shutil.rmtree(shards.folder)
    assert blocks_of(["pear"], asked_of(shards)) == before


def test_shards_that_were_replaced_are_not_searched(index, pixels, tmp_path):
    shards = navvy.split(index, tmp_path / "shards", 2)
    asked = asked_of(shards)
    (block,) = blocks_of([pixels[0].tobytes()], asked)
    shutil.rmtree(shards.folder)
    navvy.split(navvy.Index.from_images(pixels[:20]), shards.folder, 2)
    with pytest.raises(ValueError, match="replaced while Spark worked on them"):
        search(block, 0, 0, asked)


def merged(blocks, shards, asked):
    """What a search gives, as lists by column."""
    rows = []
    for block in blocks:
        lists = [search(block, shard, 0, asked) for shard in range(len(shards))]
        batches = [pa.RecordBatch.from_pydict(part) for part in lists]
        rows += list(tasks.merge_block(batches))
    return {name: np.concatenate([np.asarray(row[name]) for row in rows]) for name in rows[0]}


@pytest.mark.parametrize("top", [None, 12])
def test_all_rows_within_a_radius(index, pixels, tmp_path, top):
    shards = navvy.split(index, tmp_path / "shards", 3, hashed=True)
    expected = index.search(pixels[:6], within=0.14, measure="rwmd", top=top)
    asked = asked_of(shards, top, "rwmd", within=0.14)
    found = merged(blocks_of([image.tobytes() for image in pixels[:6]], asked), shards, asked)
    places = expected.rows >= 0
    assert expected.rows.shape[1] > 10
    assert found["row"].tolist() == expected.rows[places].tolist()
    assert found["distance"].tobytes() == expected.distances[places].tobytes()
    assert found["query"].tolist() == np.nonzero(places)[0].tolist()


@pytest.mark.parametrize("given", [False, True])
def test_rows_without_ids_are_called_by_their_numbers(index, pixels, tmp_path, given):
    """Also where shards were made apart and each knows its own numbers alone."""
    if given:
        ids = [f"image {number}" for number in range(30)]
        index = navvy.Index.from_images(pixels, ids=ids)
    (tmp_path / "apart").mkdir()
    for name, rows in (("a", slice(13)), ("b", slice(13, 30))):
        part = navvy.Index.from_images(pixels[rows], ids=ids[rows] if given else None)
        part.save(tmp_path / "apart" / name)
    apart = navvy.write_manifest(tmp_path / "apart", ["a", "b"])
    hashed = navvy.split(index, tmp_path / "hashed", 2, hashed=True)
    expected = index.search(pixels[:5], 4)
    for shards in (apart, hashed):
        assert shards.numbered is not given
        asked = asked_of(shards, 4)
        found = merged(blocks_of([image.tobytes() for image in pixels[:5]], asked), shards, asked)
        assert found["id"].tolist() == expected.ids.ravel().tolist()
        named = list(tasks.rows_of_shard(batches_of(number=[0, 1]), asked))
        rows, ids_found = ([x for part in named for x in part[what]] for what in ("row", "id"))
        assert dict(zip(rows, ids_found, strict=True)) == dict(enumerate(index.ids))
