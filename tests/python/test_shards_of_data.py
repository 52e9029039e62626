"""Shards of real images and texts answer with the bytes of one index, under every measure."""

import gzip
import os
import tarfile

import navvy
import numpy as np
import pytest

# NAVVY_THOROUGH tries every number of shards both ways, and every measure in both verbs.
THOROUGH = "NAVVY_THOROUGH" in os.environ
CHEAP = ["bow", "wcd", "rwmd", "omr", "act-1", "act-7", *(["ict", "sinkhorn"] if THOROUGH else [])]
DEAR = {"emd": {}, "emd-hat": {"threshold": 0.9}}
COUNTS = (
    [(count, hashed) for count in (1, 2, 4, 7) for hashed in (False, True)]
    if THOROUGH
    else [(1, False), (2, True), (4, False), (7, True)]
)
OF_PAIRS = {measure: {} for measure in CHEAP} | (DEAR if THOROUGH else {})
ROWS = int(os.environ.get("NAVVY_SHARDED_ROWS", "200"))


def images(data):
    """Some rows of MNIST, and others to ask with."""
    packed = (data / "mnist" / "t10k-images-idx3-ubyte.gz").read_bytes()
    pictures = np.frombuffer(gzip.decompress(packed)[16:], np.uint8).reshape(-1, 28, 28)
    return navvy.Index.from_images(pictures[:ROWS]), navvy.Index.from_images(
        pictures[ROWS : ROWS + 3]
    )


def news(data, weighting):
    """Some posts of 20 Newsgroups, and others to ask with."""
    with tarfile.open(data / "20news" / "20news-18828.tar.xz") as archive:
        posts = [
            archive.extractfile(m).read().decode("latin1")
            for m in files(archive, ROWS * 4 // 5 + 3)
        ]
    vectors = data / "vectors" / "glove-6b-100d-20news.bin.gz"
    recipe = {
        "stop_words": "english",
        "query_words": "corpus",
        "weighting": weighting,
        "max_bins": 40,
    }
    return navvy.Index.from_texts(posts[3:], vectors, **recipe), posts[:3]


def files(archive, count):
    for member in archive:
        if member.isfile():
            yield member
            count -= 1
        if count == 0:
            return


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("name", ["mnist", "tf", "tfidf"])
def test_shards_of_data_answer_like_one_index(shared_data, tmp_path, name):
    index, asked = images(shared_data) if name == "mnist" else news(shared_data, name)
    measures = {measure: {} for measure in CHEAP} | DEAR
    found = {m: index.search(asked, 7, m, for_="similar", **run) for m, run in measures.items()}
    graphs = {m: index.knn_matches(6, m, **run) for m, run in OF_PAIRS.items()}
    for count, hashed in COUNTS:
        shards = navvy.split(index, tmp_path / f"{count}{hashed}", count, hashed=hashed)
        encoded = asked if name == "mnist" else shards.vocabulary().encode(asked)
        lists = [
            {
                m: shards.search(k, encoded, 7, m, for_="similar", **run)
                for m, run in measures.items()
            }
            for k in range(count)
        ]
        for measure in measures:
            merged = navvy.merge_lists([part[measure] for part in lists])
            assert np.array_equal(merged.rows, found[measure].rows), (measure, count)
            assert merged.distances.tobytes() == found[measure].distances.tobytes()
        # All measures of one part: its shards are made ready once.
        pairs = [
            {m: shards.knn(i, j, 6, m, **run) for m, run in OF_PAIRS.items()}
            for i, j in shards.parts()
        ]
        for measure, one in graphs.items():
            graph = navvy.merge_lists([part[measure] for part in pairs])
            order = np.argsort(graph.queries)
            assert np.array_equal(graph.rows[order], one.rows), (measure, count)
            assert graph.distances[order].tobytes() == one.distances.tobytes()
