"""navvy.spark on real images and texts, under every measure and however rows are shared out: the
bytes of one index, on a local cluster and on a master with two workers."""

import gzip
import os
import tarfile
from contextlib import ExitStack
from functools import lru_cache
from itertools import islice

import navvy
import numpy as np
import pytest

from .clusters import require_spark, same_lists, session, standalone

require_spark()

pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(
        "NAVVY_THOROUGH" not in os.environ, reason="takes minutes: ./dev test --thorough"
    ),
]
RELAXED = ["bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"]
EXACT = {"emd": {}, "emd-hat": {"threshold": 0.9}}
SHARED = [(1, False), *((count, hashed) for count in (2, 4, 7) for hashed in (False, True))]
ALL_PAIRS = (4, True)  # shards whose pairs are asked under all measures, elsewhere under act-1
ASKED = 6
RECIPE = {"stop_words": "english", "query_words": "corpus", "max_bins": 40}


@pytest.fixture(scope="module", params=["local-cluster", "standalone"])
def spark(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    cores = {"spark.executor.cores": "1", "spark.executor.memory": "512m"}
    with ExitStack() as stack:
        if request.param == "standalone":
            address = stack.enter_context(standalone(folder, [[], []]))
        else:
            address = "local-cluster[2,1,512]"
        yield stack.enter_context(session(address, folder, **cores))


class Images:
    """300 rows of MNIST, and others to ask with."""

    measures = dict.fromkeys([*RELAXED, "sinkhorn"], {}) | EXACT

    def __init__(self, data):
        packed = (data / "mnist" / "t10k-images-idx3-ubyte.gz").read_bytes()
        pictures = np.frombuffer(gzip.decompress(packed)[16:], np.uint8).reshape(-1, 28, 28)
        self.index = navvy.Index.from_images(pictures[:300])
        self.asked = pictures[300 : 300 + ASKED]

    def queries(self, spark):
        lines = [(number, bytearray(each.tobytes())) for number, each in enumerate(self.asked)]
        return spark.createDataFrame(lines, "query int, image binary")

    def shards(self, spark, path, count, hashed):
        return navvy.split(self.index, path, count, hashed=hashed)


class Posts:
    """400 posts of 20 Newsgroups, and others to ask with."""

    measures = {None: {}} | dict.fromkeys(RELAXED, {}) | EXACT

    def __init__(self, data, weighting):
        with tarfile.open(data / "20news" / "20news-18828.tar.xz") as archive:
            files = islice((member for member in archive if member.isfile()), 0, 3 * 406, 3)
            posts = [archive.extractfile(member).read().decode("latin1") for member in files]
        self.asked, self.texts = posts[:ASKED], posts[ASKED:]
        self.ids = [f"{number:04}" for number in range(len(self.texts))]
        self.vectors = data / "vectors" / "glove-6b-100d-20news.bin.gz"
        self.recipe = RECIPE | {"weighting": weighting}
        self.index = navvy.Index.from_texts(self.texts, self.vectors, ids=self.ids, **self.recipe)

    def queries(self, spark):
        return spark.createDataFrame(list(enumerate(self.asked)), "query int, text string")

    def shards(self, spark, path, count, hashed):
        if hashed:
            return navvy.split(self.index, path, count, hashed=True)
        lines = list(zip(self.ids, self.texts, strict=True))
        frame = spark.createDataFrame(lines, "id string, text string")
        return navvy.spark.build(frame, self.vectors, path, shards=count, **self.recipe)


@lru_cache
def made(name, data):
    return Images(data) if name == "mnist" else Posts(data, name)


@lru_cache
def searched(name, data, measure):
    it = made(name, data)
    run = it.measures[measure] if measure is None else it.measures[measure] | {"for_": "similar"}
    return run, it.index.search(it.asked, 7, measure, **run)


@lru_cache
def all_pairs(name, data, measure):
    it = made(name, data)
    return it.index.knn_matches(5, measure, **it.measures[measure])


CASES = [(name, *shared) for name in ("mnist", "tf", "tfidf") for shared in SHARED]


@pytest.mark.parametrize(("name", "count", "hashed"), [*CASES, ("bm25", 4, False)])
def test_data_on_spark_has_the_bytes_of_one_index(
    spark, shared_data, tmp_path, name, count, hashed
):
    if not (shared_data / "mnist").is_dir() or not (shared_data / "20news").is_dir():
        pytest.skip(f"no mnist or 20news in {shared_data}")
    it = made(name, shared_data)
    path = tmp_path / "shards"
    assert len(it.shards(spark, path, count, hashed)) == count
    queries = it.queries(spark)
    for measure in it.measures:
        run, expected = searched(name, shared_data, measure)
        same_lists(navvy.spark.search(queries, path, 7, measure, **run), expected)
    for measure in [*RELAXED, *EXACT] if (count, hashed) == ALL_PAIRS else ["act-1"]:
        found = navvy.spark.knn(path, 5, measure, session=spark, **it.measures[measure])
        same_lists(found, all_pairs(name, shared_data, measure))
