"""navvy.spark on a real Spark of three executors that are killed: the bytes of one index."""

import random
import re
import runpy
import shutil
import sys
import warnings

import navvy
import numpy as np
import pytest

from .clusters import Killer, require_spark, same_bytes, session

require_spark()

import navvy.spark  # noqa: E402
from navvy.spark import all_pairs, searching, stages  # noqa: E402
from pyspark.sql.functions import col  # noqa: E402

# What pyspark and py4j themselves warn of is not ours.
pytestmark = pytest.mark.filterwarnings("default")

WORDS = [f"word{a}{b}" for a in "abcdefghij" for b in "abcdefgh"]
TOP = 5


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    with session("local-cluster[3,1,512]", tmp_path_factory.mktemp("spark")) as made:
        yield made


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    rng = np.random.default_rng(3)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in rng.normal(size=6))}\n" for word in WORDS]
    path = tmp_path_factory.mktemp("vectors") / "vectors.txt"
    path.write_text("".join(lines))
    return path


@pytest.fixture(scope="module")
def documents():
    """Texts that use the front of the words more than their back; one has no known word."""
    rng = random.Random(5)
    made = []
    for number in range(90):
        words = [WORDS[int(len(WORDS) * rng.random() ** 2)] for _ in range(rng.randint(3, 20))]
        made.append({"id": f"d{number:03}", "text": " ".join(words), "label": f"l{number % 4}"})
    made[40]["text"] = "nothing known"
    made[41]["label"] = None
    return made


@pytest.fixture(scope="module")
def index(documents, vectors):
    """The same rows on one machine."""
    texts, ids = ([document[part] for document in documents] for part in ("text", "id"))
    labels = [document["label"] or "" for document in documents]
    return navvy.Index.from_texts(texts, vectors, labels=labels, ids=ids)


@pytest.fixture(scope="module")
def frame(spark, documents):
    """In another order, and in more partitions than there are shards."""
    mixed = documents.copy()
    random.Random(7).shuffle(mixed)
    return spark.createDataFrame(mixed, "id string, text string, label string").repartition(5)


@pytest.fixture(scope="module")
def folder(frame, vectors, tmp_path_factory):
    """Shards of texts that Spark built."""
    path = tmp_path_factory.mktemp("shards") / "texts"
    shards = navvy.spark.build(frame, vectors, path, label="label", shards=4)
    # What another attempt leaves, whose executor died while its Python went on.
    content = (path / shards.files[0]).read_bytes()
    (path / "shard-00000-orphan.navvy").write_bytes(content[:1000])
    return path


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    """Shards of images, and the index that was split."""
    rng = np.random.default_rng(11)
    pixels = (rng.integers(1, 250, (140, 6, 6)) * (rng.random((140, 6, 6)) < 0.4)).astype(np.uint8)
    pixels[:, 0, 0] = 1
    pixels[90] = pixels[20]  # a tie
    index = navvy.Index.from_images(pixels, labels=np.arange(140) % 3)
    path = tmp_path_factory.mktemp("shards") / "images"
    navvy.split(index, path, 6)
    return index, path


def texts_asked(spark):
    """Texts by key, and as a frame in which one more has no known word."""
    asked = {f"q{i:02}": f"{WORDS[i]} {WORDS[79 - i]} {WORDS[3 * i]}" for i in range(12)}
    rows = [("q031", "unheard"), *sorted(asked.items(), reverse=True)]
    return asked, spark.createDataFrame(rows, "query string, text string")


def test_texts_that_spark_built(spark, folder, index):
    asked, queries = texts_asked(spark)
    found = navvy.spark.search(queries, folder, TOP)
    same_bytes(found, list(asked), index.search(list(asked.values()), TOP))
    assert navvy.spark.search(queries.where("query = 'x'"), folder, TOP).count() == 0


def test_a_radius_is_not_cut(spark, folder, index):
    asked, queries = texts_asked(spark)
    radius = index.search(list(asked.values()), 30).distances[0, 20]
    expected = index.search(list(asked.values()), within=radius)
    assert expected.rows.shape[1] > 20
    found = navvy.spark.search(queries, folder, within=radius)
    same_bytes(found, list(asked), expected)


def test_texts_and_queries_from_parquet(spark, frame, vectors, index, tmp_path):
    asked, queries = texts_asked(spark)
    frame.write.parquet(str(tmp_path / "texts.parquet"))
    queries.write.parquet(str(tmp_path / "queries.parquet"))
    path = tmp_path / "shards"
    made = navvy.spark.build(tmp_path / "texts.parquet", vectors, path, label="label", shards=2)
    assert made.rows == 90 and len(made) == 2
    found = navvy.spark.search(str(tmp_path / "queries.parquet"), path, TOP, session=spark)
    same_bytes(found, list(asked), index.search(list(asked.values()), TOP))
    new = tmp_path / "new"
    refused(RuntimeError, "none.parquet", navvy.spark.search, tmp_path / "none.parquet", path)
    refused(TypeError, "expected a DataFrame, or the path", navvy.spark.build, [], vectors, new)


def test_what_counts_is_all_that_is_left(folder):
    shards = navvy.Shards.open(folder)
    assert shards.rows == 90 and len(shards) == 4
    (vocabulary,) = folder.glob("vocabulary-*")
    named = {folder / name for name in (*shards.files, vocabulary.name, "manifest.json")}
    assert {*folder.iterdir()} == named | {folder / "shard-00000-orphan.navvy"}


def test_all_pairs_of_texts(spark, folder, index):
    found = navvy.spark.knn(folder, TOP, "act-2", session=spark)
    same_bytes(found, range(90), index.knn_matches(TOP, "act-2"))


def test_images_as_arrays_and_as_bytes(spark, images):
    index, folder = images
    pixels = np.asarray(index.histograms.todense())[:7] > 0
    pixels = (pixels * np.arange(1, 37)).astype(np.uint8).reshape(-1, 6, 6)
    expected = index.search(pixels, TOP, "ict")
    arrays = [(i, image.ravel().tolist()) for i, image in enumerate(pixels)]
    queries = spark.createDataFrame(arrays, "query int, image array<int>")
    same_bytes(navvy.spark.search(queries, folder, TOP, "ict"), range(7), expected)
    raw = [(i, bytearray(image.tobytes())) for i, image in enumerate(pixels)]
    queries = spark.createDataFrame(raw, "key int, pixels binary")
    found = navvy.spark.search(queries, folder, TOP, "ict", query="key", column="pixels")
    same_bytes(found, range(7), expected)


def test_three_executors_are_killed(spark, images):
    index, folder = images
    expected = index.knn_matches(TOP, "act-1")
    with Killer(spark, 3) as killer:
        while len(killer.killed) < 3:
            same_bytes(navvy.spark.knn(folder, TOP, session=spark), range(140), expected)
    assert len(killer.killed) == 3


def test_evaluation(spark, folder, index):
    found = navvy.spark.evaluate(folder, "act-1", (1, 5), session=spark)["act-1"]
    expected = index.evaluate("act-1", (1, 5))["act-1"]
    for name in ("queries", "candidates", "unlabelled", "empty", "distances", "precision"):
        assert getattr(found, name) == getattr(expected, name), name
    assert found.asked.tolist() == expected.asked.tolist()
    assert found.classes.keys() == expected.classes.keys()
    for top in (1, 5):
        assert found.of_each[top].tolist() == expected.of_each[top].tolist()
        assert found.intervals[top] == pytest.approx(expected.intervals[top], rel=1e-12)
    assert found.difference(expected, 1)[0] == 0


def test_evaluation_of_a_test_set(spark, folder, index):
    texts = [f"{WORDS[i]} {WORDS[2 * i]}" for i in range(8)]
    labels = [f"l{i % 5}" for i in range(8)]
    lines = [(i, *line) for i, line in enumerate(zip(texts, labels, strict=True))]
    test = spark.createDataFrame(lines, "query int, text string, label string")
    found = navvy.spark.evaluate(folder, "rwmd", (3,), test=test)["rwmd"]
    expected = index.evaluate("rwmd", (3,), test=(texts, labels))["rwmd"]
    assert found.of_each[3].tolist() == expected.of_each[3].tolist()
    assert found.precision == expected.precision


def test_each_value_has_a_task_of_its_own(spark):
    """Adaptive execution joins small partitions of other shuffles."""

    def task(batches):
        values = [value for each in batches for value in each.column(0).to_pylist()]
        yield {"values": [values]}

    numbers = spark.range(21).selectExpr("id % 7 id", "string(null) error")
    made = stages.task_per_value(numbers, 7, col("id"), task, "values array<long>")
    assert sorted(line["values"] for line in made.collect()) == [[i] * 3 for i in range(7)]


def test_errors_of_what_was_made_again_are_handed_on(spark, images):
    """A shard may be gone when what was kept of it is lost."""
    _, folder = images
    shards = navvy.Shards.open(folder)
    asked = stages.question(spark, shards, {"top": TOP})
    lost = "OSError: shard-1: gone"
    limits = np.zeros(len(shards.rows_of(0))).tobytes()
    lists = shards.knn(0, 0, TOP).to_bytes()
    within = spark.createDataFrame(
        [(None, 0, lists, limits), (lost, None, None, None)],
        "error string, shard int, lists binary, limits binary",
    )
    made = all_pairs._between(within, 2, asked)
    assert [line.error for line in made.collect()] == [lost]
    made = all_pairs._merged(within.select("error", "shard", "lists"), 2)
    assert {line.error for line in made.collect()} == {lost}
    blocks = spark.createDataFrame(
        [(lost, None, None, None, None)],
        "error string, place int, block int, keys array<int>, queries binary",
    )
    made = searching._lists(blocks, {0: 1}, asked, 2)
    assert {line.error for line in made.collect()} == {lost}
    with pytest.raises(OSError, match="^shard-1: gone$"):
        stages.answer(spark, "lists merged", searching._merged(made, 1))
    text = "[USER_RAISED_EXCEPTION] OSError: shard-1: gone SQLSTATE: P0001\n at ..."
    assert repr(stages.spark_error(Exception(text))) == repr(OSError("shard-1: gone"))


def test_what_was_kept_is_given_up(spark, folder):
    kept = spark.sparkContext._jsc.sc().getPersistentRDDs
    before = kept().size()
    found = navvy.spark.knn(folder, 2, session=spark)
    assert kept().size() == before + 1
    assert found.count() == 2 * 89 and found.cache().unpersist() is found
    assert kept().size() == before
    navvy.spark.evaluate(folder, "bow,rwmd", (1,), session=spark)
    assert kept().size() == before


def test_an_error_that_nobody_expects_is_told_once(spark):
    """One that a task raised would be tried again as often as executors may be lost."""

    def task(batches):
        yield {"value": [{}["a key"] for _ in batches]}

    made = stages.task_per_number(spark, 1, task, "value int")
    refused(RuntimeError, "^KeyError: 'a key'$", stages.answer, spark, "nothing", made)


def test_few_queries_are_few_blocks(spark, folder, monkeypatch):
    """However many partitions Spark makes of what it sorts."""
    seen = []
    monkeypatch.setattr(
        searching, "kept", lambda *given: seen.append(given[2]) or stages.kept(*given)
    )
    _, queries = texts_asked(spark)
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", 50)
    try:
        navvy.spark.search(queries, folder, TOP).unpersist()
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", partitions)
    assert seen[0].count() == 1  # four shards for three cores


def test_blocks_of_a_shard_follow_each_other(spark, monkeypatch):
    """Workers get tasks by number, and keep few shards ready."""
    columns = "error string, place int, block int, keys array<int>, queries binary"
    blocks = [(None, place, block, [], b"") for place in (0, 2) for block in range(3)]
    monkeypatch.setattr(
        searching,
        "task_per_value",
        lambda frame, count, number, *_: (frame.withColumn("task", number), count),
    )
    frame = spark.createDataFrame(blocks, columns)
    frame, count = searching._lists(frame, {0: 3, 2: 3}, None, 4)
    lines = frame.orderBy("task").collect()
    assert [line.task for line in lines] == list(range(24)) and count == 24
    assert [line.shard for line in lines] == [shard for shard in range(4) for _ in range(6)]
    assert [line.number for line in lines] == [*range(6)] * 4


def test_stages_have_names(spark, folder):
    navvy.spark.knn(folder, 2, session=spark).unpersist()
    jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    names = {jobs.apply(i).description().toString() for i in range(jobs.size())}
    assert {"Some(navvy knn: each shard with itself)", "Some(navvy knn: pairs of shards)"} <= names


def spoil_missing(path):
    path.unlink()


def spoil_damaged(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def spoil_version(path):
    content = bytearray(path.read_bytes())
    content[8:12] = (999).to_bytes(4, "little")
    path.write_bytes(content)


ASKED = {
    "search": lambda spark, path: navvy.spark.search(texts_asked(spark)[1], path, TOP),
    "knn": lambda spark, path: navvy.spark.knn(path, TOP, session=spark),
    "rows": lambda spark, path: navvy.spark.rows(path, session=spark),
    "evaluate": lambda spark, path: navvy.spark.evaluate(path, tops=(1,), session=spark),
}


@pytest.mark.parametrize(
    ("spoil", "verb"),
    [(spoil_missing, "search"), (spoil_version, "search")]
    + [(spoil_damaged, verb) for verb in ASKED],
)
def test_a_spoilt_shard_is_named_in_one_line(spark, folder, tmp_path, spoil, verb):
    copy = shutil.copytree(folder, tmp_path / "copy")
    shard = copy / navvy.Shards.open(copy).files[1]
    spoil(shard)
    with pytest.raises((OSError, ValueError)) as caught:
        ASKED[verb](spark, copy)
    assert shard.name in str(caught.value) and "\n" not in str(caught.value)


def refused(kind, text, call, *arguments, **keywords):
    with pytest.raises(kind, match=text) as caught:
        call(*arguments, **keywords)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_asked_is_told(spark, folder, frame, vectors, tmp_path):
    _, queries = texts_asked(spark)
    search, build, new = navvy.spark.search, navvy.spark.build, tmp_path / "new"
    refused(ValueError, r"two queries have the key 'q\d\d'", search, queries.union(queries), folder)
    no_key = queries.selectExpr("nullif(query, 'q03') query", "text")
    refused(ValueError, "a query has no key", search, no_key, folder)
    refused(ValueError, "no column 'question'", search, queries, folder, query="question")
    refused(ValueError, "measure", search, queries, folder, measure="nearest")
    refused(TypeError, "no deadline on Spark", search, queries, folder, deadline=1.0)
    refused(OSError, "manifest", search, queries, tmp_path)
    refused(FileExistsError, "has shards", build, frame, vectors, folder)
    refused(ValueError, "'d0", build, frame.union(frame), vectors, new)
    refused(OSError, "none.txt", build, frame, tmp_path / "none.txt", new)
    refused(TypeError, "expected a file", build, frame, navvy.load_vectors(vectors), new)
    assert not list(new.iterdir())  # nothing is left of what failed


def limit_files(size):
    """Ends files of workers at a size, as a full disk would."""

    def task(batches):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size or most, most))
        yield from batches

    return task


def test_a_full_disk_is_told_in_one_line(spark, frame, vectors, tmp_path):
    def limit(size):
        # Barrier: all three at once, so that each worker has one of them.
        spark.range(3, numPartitions=3).mapInArrow(limit_files(size), "id long", True).count()

    limit(1000)
    try:
        refused(
            OSError, "File too large: .*part-", navvy.spark.build, frame, vectors, tmp_path / "x"
        )
    finally:
        limit(0)
    assert not list((tmp_path / "x").iterdir())


class FewFailures:
    """As much of a session as is looked at."""

    sparkContext = property(lambda self: self)  # noqa: N815
    getConf = lambda self: {"spark.master": "spark://host:7077"}  # noqa: E731, N815


def test_too_few_failures_are_warned_of(spark):
    with pytest.warns(UserWarning, match="spark.task.maxFailures is 4: .*SETTINGS"):
        stages.session_for(FewFailures())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stages.session_for(spark)


@pytest.fixture
def example(spark, root, monkeypatch, capsys):
    """What the example says to some arguments."""

    def run(*arguments):
        monkeypatch.setattr(type(spark), "stop", lambda self: None)
        monkeypatch.setattr(sys, "argv", ["spark_search.py", *map(str, arguments)])
        runpy.run_path(str(root / "examples/spark_search.py"), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_the_example(example):
    out = example()
    assert "180 texts in 2 shards" in out and out.count(" 1. ") == 3
    assert "'chopin in vienna'" in out and "music-" in out
    assert float(out.split("nearest 1: ")[1].split()[0]) > 0.9


def test_the_example_on_news(example, shared_data):
    archive = shared_data / "20news" / "20news-18828.tar.xz"
    vectors = shared_data / "vectors" / "glove-6b-100d-20news.bin.gz"
    if not (archive.exists() and vectors.exists()):
        pytest.skip(f"no {archive} or {vectors}")
    out = example(archive, vectors, "--rows", 300, "--shards", 3)
    assert re.search(r"^(29\d|300) texts in 3 shards$", out, re.MULTILINE), out
    lines = [line for line in out.splitlines() if line.startswith("'shuttle launch to the moon' ")]
    assert len(lines) == 3 and any("sci.space/" in line for line in lines), out
    assert float(out.split("nearest 1: ")[1].split()[0]) > 0.3  # 1 of 20 groups by chance


def test_the_page_of_the_site(spark, root, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "virtuoso performed chopin sonata engineers postponed liftoff rocket launched vienna"
    lines = [f"{word} {i} {i * i % 5} {i % 3}\n" for i, word in enumerate(words.split(), 1)]
    (tmp_path / "vectors.txt").write_text("".join(lines))
    page = (root / "docs/spark.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(block, {})
