"""Filters, ids from files and radii: which rows searches, graphs and evaluations look at."""

import numpy as np
import pytest
import scipy.sparse

FILTER = "label in ('group 1', 'group 2') and not row < 10"


@pytest.fixture
def matrix(call, data, tmp_path):
    """All distances under act-1, a row infinitely far from itself."""
    call("distances", data.index, "-o", "all.npy")
    values = np.load(tmp_path / "all.npy")
    np.fill_diagonal(values, np.inf)
    return values


def left_by(data) -> list[int]:
    """The rows that FILTER leaves."""
    return [
        row for row in range(10, len(data.labels)) if data.labels[row] in ("group 1", "group 2")
    ]


def nearest(matrix, row, left):
    order = sorted((matrix[row, other], other) for other in left if other != row)
    return [other for _, other in order]


def rows_of(query):
    return [match["row"] for match in query["matches"]]


def test_search_where(call, data, matrix):
    document = call.json("search", data.index, "--row", "7:12", "--where", FILTER, "--top", 5)
    left = left_by(data)
    assert document["where"] == FILTER and document["left"] == len(left)
    for query in document["queries"]:
        assert rows_of(query) == nearest(matrix, query["query"], left)[:5]


def test_search_ids(call, data, matrix, tmp_path):
    file = tmp_path / "ids.txt"
    file.write_text("\r\n".join(data.ids[row] for row in (30, 3, 17, 7)) + "\n\n")
    document = call.json("search", data.index, "--row", 7, "--ids", file)
    assert document["left"] == 4 and "where" not in document
    assert rows_of(document["queries"][0]) == nearest(matrix, 7, (3, 17, 30))
    document = call.json("search", data.index, "--row", 7, "--ids", file, "--where", "row > 7")
    assert rows_of(document["queries"][0]) == nearest(matrix, 7, (17, 30))


def test_the_short_filter_is_one_of_them(call, data):
    short = ["--filter", "label=group 1"]
    long = ["--where", "label = 'group 1'"]
    (a,), (b,), (both,) = (
        call.json("search", data.index, "--row", 7, *which)["queries"]
        for which in (short, long, [*short, "--where", "label = 'group 1' or row = 0"])
    )
    assert a["matches"] == b["matches"] == both["matches"]


def test_search_where_under_emd_is_proven(call, data):
    question = ["search", data.index, "--row", 7, "--measure", "emd", "--top", 3]
    (whole,) = call.json(*question[:-1], 60)["queries"]
    (query,) = call.json(*question, "--where", FILTER)["queries"]
    left = left_by(data)
    assert query["proof"]["rows"] == len(left) and query["proof"]["certain"] == 3
    assert rows_of(query) == [row for row in rows_of(whole) if row in left][:3]


def test_knn_where_restricts_both_sides(call, data, matrix, tmp_path):
    file = tmp_path / "graph.npz"
    arguments = ["knn", data.index, "--top", 3, "--where", FILTER, "-o", file]
    document = call.json(*arguments)
    left = left_by(data)
    assert document["left"] == len(left) and document["where"] == FILTER
    assert document["rows"] == len(data.labels)
    graph = scipy.sparse.load_npz(file)
    assert graph.shape == (len(data.labels), len(data.labels))
    for row in range(len(data.labels)):
        found = list(graph.indices[graph.indptr[row] : graph.indptr[row + 1]])
        assert found == (nearest(matrix, row, left)[:3] if row in left else [])
    assert f"{len(left)} of {len(data.labels)} rows" in call(*arguments).stderr


def test_knn_where_goes_on_after_an_interruption(call, data, tmp_path):
    plain, saved = tmp_path / "plain.npz", tmp_path / "saved.npz"
    call("knn", data.index, "--where", FILTER, "--top", 3, "-o", plain)
    call(
        *("knn", data.index, "--where", FILTER, "--top", 3, "-o", saved),
        *("--resume", "--save-every", 0),
    )
    assert plain.read_bytes() == saved.read_bytes()


def test_evaluate_where(call, data, matrix):
    document = call.json(
        *("evaluate", data.index, "--measures", "act-1", "--top", "1,4", "--where", FILTER)
    )
    left = left_by(data)
    assert document["left"] == document["queries"] == len(left)
    right = [
        data.labels[found] == data.labels[row]
        for row in left
        for found in nearest(matrix, row, left)[:4]
    ]
    assert document["measures"][0]["precision"]["4"] == pytest.approx(np.mean(right))


def test_evaluate_where_writes_its_page(call, data, tmp_path):
    page = tmp_path / "page.html"
    call(
        *("evaluate", data.index, "--measures", "rwmd,act-1", "--top", "1,4"),
        *("--where", FILTER, "--report", page),
    )
    assert "Queries and their neighbours" in page.read_text()


@pytest.mark.parametrize("measure", ["act-1", "emd", "bow", "sinkhorn"])
def test_within(call, data, measure):
    question = ["search", data.index, "--row", 7, "--row", 20, "--measure", measure]
    whole = call.json(*question, "--top", 60)
    radius = whole["queries"][0]["matches"][20]["distance"]
    document = call.json(*question, "--within", radius)
    assert document["within"] == radius
    for query, all_of_it in zip(document["queries"], whole["queries"], strict=True):
        inside = [match for match in all_of_it["matches"] if match["distance"] <= radius]
        assert query["matches"] == inside
    assert len(document["queries"][0]["matches"]) >= 21
    cut = call.json(*question, "--within", radius, "--top", 2)
    assert [len(query["matches"]) for query in cut["queries"]] == [2, 2]
    none = call.json(*question, "--within", 0)
    assert [query["matches"] for query in none["queries"]] == [[], []]


def test_within_says_what_is_proven(call, data):
    question = ["search", data.index, "--row", 7, "--measure", "emd"]
    assert "proven: these are all within 1.5 of 59 rows" in call(*question, "--within", 1.5).stdout


def test_a_wrong_filter_is_pointed_at(call, data):
    filter = "label in (a) and year >= "
    done = call("search", data.index, "--row", 0, "--where", filter, code=2)
    assert done.stdout == ""
    line, shown, caret = done.stderr.splitlines()
    assert line.startswith("navvy: filter, character 26: expected a value after '>='")
    assert shown == filter and caret == " " * 25 + "^"
    for verb in (["knn", "-o", "never.npz"], ["evaluate"]):
        done = call(verb[0], data.index, "--where", "yaer = 1", *verb[1:], code=2)
        line, shown, caret = done.stderr.splitlines()
        assert "there is no field 'yaer'; there are label, id, title, row" in line
        assert caret == "^"


def test_nothing_left_is_an_error(call, data, tmp_path):
    file = tmp_path / "ids.txt"
    file.write_text(data.ids[3] + "\n")
    question = ["search", data.index, "--row", 0]
    assert "no row is left of 60: none meets the filter" in call.fails(
        2, *question, "--where", "row > 100"
    )
    assert "none meets the labels and the filter and the ids of" in call.fails(
        *(2, *question, "--ids", file, "--where", "row != 3", "--filter", "label=group 1")
    )
    file.write_text("nobody\nnowhere\n")
    assert "no row has the id 'nobody' (nor 1 more of the ids)" in call.fails(
        2, *question, "--ids", file
    )
    call.fails(1, *question, "--ids", tmp_path / "absent.txt")
    assert "rows within -1 were asked for" in call.fails(2, *question, "--within", "-1")
