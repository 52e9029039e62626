"""Emd one way: the mass of a query is moved into rows that may be larger, for a price."""

import json

import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

TEXT = "a concert of chamber music"


def partial_emd(query, row, costs, price: float) -> float:
    """The mean cost of a unit of the query: what linear programming finds."""
    query, row = np.asarray(query), np.asarray(row)
    costs = np.minimum(costs, price)
    h, n = costs.shape
    leave = np.hstack([costs.ravel(), np.full(h, price)])
    all_of_query = np.hstack([np.kron(np.eye(h), np.ones(n)), np.eye(h)])
    room_of_row = np.hstack([np.kron(np.ones(h), np.eye(n)), np.zeros((n, h))])
    found = linprog(leave, A_eq=all_of_query, b_eq=query, A_ub=room_of_row, b_ub=row)
    return found.fun / query.sum()


@pytest.fixture(scope="module")
def counts(navvy, tmp_path_factory):
    """Rows of very different masses between coordinates of length 1."""
    folder = tmp_path_factory.mktemp("counts")
    random = np.random.default_rng(4)
    masses = random.integers(0, 4, (30, 12)) * (random.random((30, 12)) < 0.5)
    masses[:, 0] += 1
    masses[::3] *= 7
    points = random.normal(size=(12, 4))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    scipy.sparse.save_npz(folder / "x.npz", scipy.sparse.csr_matrix(masses.astype(float)))
    np.save(folder / "v.npy", points)
    return folder, masses.astype(float), points


@pytest.fixture
def index(call, counts):
    folder, _, _ = counts
    source = ["--histograms", folder / "x.npz", "--coordinates", folder / "v.npy"]
    call("build", *source, "--normalize-coordinates", "-o", "x.navvy")
    return "x.navvy"


@pytest.mark.parametrize("price", [None, 0.9])
def test_distances_are_those_of_linear_programming(call, index, counts, tmp_path, price):
    _, masses, points = counts
    asked = ["--measure", "emd"] + ([] if price is None else ["--price", price])
    for direction in ("query", "rows"):
        call("distances", index, *asked, "--direction", direction, "-o", "D.npy")
        found = np.load(tmp_path / "D.npy")
        for query, row in [(0, 1), (1, 0), (2, 3), (3, 2), (4, 29), (8, 8)]:
            p, q = (query, row) if direction == "query" else (row, query)
            p_bins, q_bins = np.flatnonzero(masses[p]), np.flatnonzero(masses[q])
            costs = cdist(points[p_bins], points[q_bins])
            expected = partial_emd(masses[p][p_bins], masses[q][q_bins], costs, price or 2)
            assert found[query, row] == pytest.approx(expected, abs=1e-5)


def test_every_verb_finds_the_same(call, index, tmp_path):
    asked = ["--measure", "emd", "--direction", "query"]
    document = call.json("search", index, "--row", 4, "--top", 5, *asked)
    assert document["direction"] == "query" and document["price"] == 2
    [query] = document["queries"]
    assert query["proof"]["certain"] == 5 and query["proof"]["undecided"] == 0
    call("knn", index, "--top", 5, *asked, "-o", "graph.npz")
    nearest = scipy.sparse.load_npz(tmp_path / "graph.npz")[4]
    rows = [match["row"] for match in query["matches"]]
    assert sorted(nearest.indices) == sorted(rows)
    call("distances", index, *asked, "-o", "D.npy")
    line = np.load(tmp_path / "D.npy")[4]
    line[4] = np.inf
    assert rows == list(np.argsort(line, kind="stable")[:5])
    within = call.json("search", index, "--row", 4, "--within", line[rows[2]] * 1.0001, *asked)
    assert [match["row"] for match in within["queries"][0]["matches"]] == rows[:3]


def test_evaluate_asks_one_way_too(call, data):
    asked = ["evaluate", data.index, "--top", 3, "--measures", "bow,emd,rwmd", "--direction"]
    line = call.fails(2, *asked, "query")
    assert "needs a price" in line and "ground distance, as price" in line
    measures = call.json(*asked, "query", "--price", 9)["measures"]
    emd = call.json(
        "evaluate", *asked[1:4], "--measures", "emd", "--direction", "query", "--price", 9
    )
    assert measures[1]["precision"] == emd["measures"][0]["precision"]
    assert "emd one way" in call.fails(2, *asked, "symmetric", "--price", 9)
    assert "above 0" in call.fails(2, *asked, "query", "--price", "-1")
    assert "mix directions" in call.fails(2, *asked, "mix:0.5")
    for verb in ("knn", "distances"):
        of = ["--measure", "emd", "--direction", "rows", "--price", 9, "-o", verb]
        told = call.json(verb, data.index, *of)
        assert (told["direction"], told["price"]) == ("rows", 9)


def test_what_a_row_contains_is_at_no_distance(call, texts):
    line = call("export", texts, "--rows", "7", "-o", "-").stdout
    words = sorted(json.loads(line)["bins"])[:3]
    found = call.json("search", texts, "--text", " ".join(words), "--measure", "emd", "--top", 9)
    assert found["direction"] == "query" and found["price"] == 2
    matches = found["queries"][0]["matches"]
    assert 7 in [match["row"] for match in matches if match["distance"] == 0]
    assert all(match["exact"] for match in matches)


def test_masses_live_with_the_index(call, texts, tmp_path):
    """Added, removed, compacted, exported and built again, rows weigh what they did."""
    asked = ["--text", TEXT, "--measure", "emd", "--top", 20]
    expected = call.json("search", texts, *asked)["queries"][0]["matches"]
    (tmp_path / "x.navvy").write_bytes(texts.read_bytes())
    (tmp_path / "more.jsonl").write_text(json.dumps({"id": "new", "text": TEXT * 3}) + "\n")
    call("add", "x.navvy", "--corpus", "more.jsonl")
    [query] = call.json("search", "x.navvy", *asked)["queries"]
    assert query["matches"][0]["id"] == "new" and query["matches"][0]["distance"] == 0
    call("remove", "x.navvy", "--ids", "new")
    call("compact", "x.navvy")
    assert call.json("search", "x.navvy", *asked)["queries"][0]["matches"] == expected

    call("export", texts, "-o", "x.npz")
    with np.load(tmp_path / "x.npz") as arrays:
        assert (arrays["masses"] >= 1).all()
    call("build", "--histograms", "x.npz", "--coordinates", "x.npz", "-o", "again.navvy")
    one_way = ["--row", 3, "--measure", "emd", "--direction", "query", "--top", 9]
    distances = [
        [
            match["distance"]
            for match in call.json("search", file, *one_way)["queries"][0]["matches"]
        ]
        for file in (texts, "again.navvy")
    ]
    assert distances[0] == distances[1]


def test_an_index_without_masses_says_so(call, root, texts):
    golden = root / "tests" / "data" / "index-v2.navvy"
    one_way = ["--row", 1, "--measure", "emd", "--direction", "query"]
    assert "build it anew" in call.fails(2, "search", golden, *one_way)
    call("search", golden, "--row", 1, "--measure", "emd")


def test_prices_and_directions_that_are_none(call, data, index):
    one_way = ["--row", 0, "--measure", "emd", "--direction", "query"]
    assert "needs a price" in call.fails(2, "search", data.index, *one_way)
    found = call.json("search", data.index, *one_way, "--price", 20)
    assert found["price"] == 20 and found["measure"] == "emd"
    mixed = [*one_way[:-1], "mix:0.3"]
    assert "does not mix directions" in call.fails(2, "search", index, *mixed)
    assert "above 0" in call.fails(2, "search", index, *one_way, "--price", -1)
    assert "emd one way" in call.fails(2, "search", index, "--row", 0, "--price", 1)
    hat = ["--measure", "emd-hat", "--threshold", 1, "--direction", "query"]
    assert "threshold" in call.fails(2, "search", index, "--row", 0, *hat, "--price", 1)
    by_threshold = call.json("search", index, "--row", 0, *hat)["queries"][0]["matches"]
    by_price = call.json("search", index, *one_way, "--price", 1)["queries"][0]["matches"]
    assert by_threshold == by_price
