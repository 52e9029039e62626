"""navvy.spark on a standalone master with two workers, whose executors are killed 20 times."""

import os

import navvy
import numpy as np
import pytest

from .clusters import Killer, require_spark, same_lists, session, standalone

require_spark()

pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(
        "NAVVY_THOROUGH" not in os.environ, reason="takes minutes: ./dev test --thorough"
    ),
]
KILLS = 20
MEASURES = ["bow", "wcd", "rwmd", "omr", "act-1", "ict", "sinkhorn", "emd"]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    cores = {"spark.executor.cores": "1", "spark.executor.memory": "512m"}
    with standalone(folder, [[], []]) as address, session(address, folder, **cores) as made:
        yield made


def spots(count):
    """Blurred spots, some of them twice."""
    pixels = (np.random.default_rng(4).random((count, 10, 10)) ** 6 * 255).astype(np.uint8)
    pixels[:, 5, 5] = 200
    pixels[count * 2 // 3] = pixels[30]
    return pixels


@pytest.fixture(scope="module")
def index():
    return navvy.Index.from_images(spots(2500))


def test_twenty_executors_are_killed_in_one_job(spark, index, tmp_path):
    navvy.split(index, tmp_path / "shards", 14)
    expected = index.knn_matches(9, "act-3")
    with Killer(spark, KILLS, apart=2) as killer:
        same_lists(navvy.spark.knn(tmp_path / "shards", 9, "act-3", session=spark), expected)
    assert len(killer.killed) == KILLS


@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_every_measure_has_the_bytes_of_one_index(spark, tmp_path, count, hashed):
    pixels = spots(160)
    index = navvy.Index.from_images(pixels[20:])
    navvy.split(index, tmp_path / "shards", count, hashed=hashed)
    lines = [(i, bytearray(image.tobytes())) for i, image in enumerate(pixels[:20])]
    queries = spark.createDataFrame(lines, "query int, image binary")
    for measure in MEASURES:
        found = navvy.spark.search(queries, tmp_path / "shards", 6, measure)
        same_lists(found, index.search(pixels[:20], 6, measure))
        found = navvy.spark.knn(tmp_path / "shards", 4, measure, session=spark)
        same_lists(found, index.knn_matches(4, measure))
