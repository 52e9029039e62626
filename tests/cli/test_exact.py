"""Exact search with its proof, emd-hat, and Sinkhorn against POT."""

import tarfile

import numpy as np
import ot
import pytest

EXACT = ("search", "--measure", "emd")


def brute_force(call, index, queries, measure="emd", *options):
    """The distances of some rows to all, every pair solved; a row to itself is left out."""
    call(
        *("distances", index, "--queries", f"{queries[0]}:{queries[-1] + 1}"),
        *("--measure", measure, *options, "-o", "d.npy"),
    )
    matrix = np.load(call.folder / "d.npy")
    for line, query in enumerate(queries):
        matrix[line, query] = np.inf
    return matrix


def expect_nearest(answer, distances, top):
    order = np.argsort(distances, kind="stable")[:top]
    found = [match["distance"] for match in answer["matches"]]
    # The matrix is in float32, so rows that differ by less may be exchanged.
    np.testing.assert_allclose(found, distances[order], rtol=2e-7)
    for match in answer["matches"]:
        assert match["exact"] and match["lower"] == match["upper"] == match["distance"]
        assert match["distance"] == pytest.approx(distances[match["row"]], rel=2e-7)
    assert answer["proof"]["certain"] == answer["proof"]["matches"] == top


def test_the_proof(call, data):
    document = call.json("search", data.index, "--row", "2:7", "--top", 4, "--measure", "emd")
    matrix = brute_force(call, data.index, range(2, 7))
    for answer, distances in zip(document["queries"], matrix, strict=True):
        expect_nearest(answer, distances, 4)
        proof = answer["proof"]
        assert proof["rows"] == 59 and proof["undecided"] == 0
        assert proof["pruned"] == pytest.approx(1 - proof["solves"] / 59)
        assert 0 < sum(stage["seconds"] for stage in proof["stages"]) <= proof["seconds"]
        assert {stage["measure"]: stage["rows"] for stage in proof["stages"]}["emd"] == proof[
            "solves"
        ]
    assert document["counters"]["stages"]


def test_a_summary_line(call, data):
    shown = call("search", data.index, "--row", 2, "--top", 4, "--measure", "emd").stdout
    assert "proven: these are the nearest of 59 rows" in shown
    assert "% of rows pruned" in shown and "projections 59 in " in shown


@pytest.mark.parametrize("limit", [("--deadline", "1ms"), ("--max-solves", "5")])
def test_stopped_early_it_claims_what_it_knows(call, data, limit):
    document = call.json("search", data.index, "--row", 2, "--top", 20, "--measure", "emd", *limit)
    (answer,) = document["queries"]
    (distances,) = brute_force(call, data.index, range(2, 3))
    nearest = set(np.argsort(distances, kind="stable")[:20])
    for match in answer["matches"]:
        slack = 1e-6 * match["upper"]
        assert match["lower"] - slack <= distances[match["row"]] <= match["upper"] + slack
    assert answer["proof"]["certain"] <= sum(m["row"] in nearest for m in answer["matches"])


def test_a_threshold(call, data):
    hat = ("--measure", "emd-hat", "--threshold", 1.2)
    document = call.json("search", data.index, "--row", "2:4", "--top", 5, *hat)
    assert (document["measure"], document["threshold"]) == ("emd-hat", 1.2)
    matrix = brute_force(call, data.index, range(2, 4), "emd-hat", "--threshold", 1.2)
    assert (matrix[np.isfinite(matrix)] <= 1.2).all()
    for answer, distances in zip(document["queries"], matrix, strict=True):
        expect_nearest(answer, distances, 5)
    entry = call.json("compare", data.index, 2, 3, "--threshold", 1.2)["measures"][-1]
    assert entry["name"] == "emd-hat" and entry["gap_percent"] > 0
    assert entry["distance"] == pytest.approx(matrix[0, 3])
    far = call.json("compare", data.index, 2, 3, "--threshold", 1e6)["measures"]
    value = {entry["name"]: entry["distance"] for entry in far}
    assert value["emd-hat"] == value["emd"]


def test_thresholds_that_mean_nothing(call, data):
    row = ("search", data.index, "--row", 2)
    assert "threshold" in call.fails(2, *row, "--measure", "emd-hat")
    assert "emd takes no threshold" in call.fails(2, *row, "--measure", "emd", "--threshold", 1)
    assert "threshold" in call.fails(2, *row, "--measure", "emd-hat", "--threshold", -1)


def test_the_ladder(call, data):
    lines = call("compare", data.index, 3, 8).stdout.splitlines()
    names = ["wcd", "rwmd", "omr", "act-1", "act-15", "ict", "emd", "upper bound", "sinkhorn"]
    places = [next(i for i, line in enumerate(lines) if line.startswith(name)) for name in names]
    assert places == sorted(places)
    assert "-" in lines[places[1]].split()[-2] and "+" in lines[places[-1]]
    document = call.json("compare", data.index, 3, 8)
    assert document["upper_bound_gap_percent"] <= 0
    gaps = {entry["name"]: entry.get("gap_percent") for entry in document["measures"]}
    assert gaps["rwmd"] >= gaps["act-1"] >= gaps["ict"] >= 0 > gaps["sinkhorn"]


def test_sinkhorn_of_many_rows_is_that_of_pot(call, data):
    matrix = brute_force(call, data.index, range(3), "sinkhorn")
    for query in range(3):
        for row in range(10, 20):
            a, b = data.weights[row], data.weights[query]
            rows, columns = np.flatnonzero(a), np.flatnonzero(b)
            costs = np.linalg.norm(data.points[rows][:, None] - data.points[columns][None], axis=2)
            plan = ot.sinkhorn(
                *(a[rows] / a.sum(), b[columns] / b.sum(), costs, costs.max() / 20),
                **dict(method="sinkhorn_log", stopThr=1e-9, numItermax=100_000),
            )
            assert matrix[query, row] == pytest.approx((plan * costs).sum(), rel=1e-4)


def test_exact_search_of_posts_is_brute_force(call, shared_data, tmp_path):
    """A thousand posts of 20 Newsgroups."""
    with tarfile.open(shared_data / "20news" / "20news-18828.tar.xz") as archive:
        posts = [member for member in archive if member.isfile()][::18][:1000]
        archive.extractall(tmp_path, posts, filter="data")
    call(
        *("build", "--corpus", "20news-18828", "--encoding", "latin1", "--as-in-paper"),
        *("--vectors", shared_data / "vectors" / "glove-6b-100d-20news.bin.gz"),
        *("-o", "news.navvy"),
    )
    queries = range(300, 302)
    document = call.json("search", "news.navvy", "--row", "300:302", "--top", 16, *EXACT[1:])
    matrix = brute_force(call, "news.navvy", queries)
    for answer, distances in zip(document["queries"], matrix, strict=True):
        expect_nearest(answer, distances, 16)
        assert answer["proof"]["solves"] < 999
