"""Filters, ids and radii: which rows are found, by every way to search."""

import navvy
import numpy as np
import pytest

ROWS = 40


@pytest.fixture(scope="module")
def index():
    random = np.random.default_rng(3)
    weights = random.random((ROWS, 12)) * (random.random((ROWS, 12)) < 0.5) + np.eye(ROWS, 12)
    weights[:, 0] += 0.1
    points = random.normal(size=(12, 2))
    return navvy.Index.from_histograms(
        weights,
        points,
        labels=["even" if row % 2 == 0 else "odd" for row in range(ROWS)],
        ids=[f"row-{row}" for row in range(ROWS)],
    )


def left_of(whole, left, top=ROWS, radius=np.inf):
    """What is left of the matches of all rows."""
    return [
        [match for match in list_ if match.row in left and match.distance <= radius][:top]
        for list_ in whole
    ]


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("measure", ["bow", "rwmd", "act-1", "sinkhorn", "emd"])
def test_search_where_and_ids(index, measure):
    whole = index.search(rows=[3, 4], top=ROWS, measure=measure)
    even = [row for row in range(10, ROWS) if row % 2 == 0]
    found = index.search(rows=[3, 4], top=5, measure=measure, where="label = even and row >= 10")
    assert list(found) == left_of(whole, even, 5)
    named = [f"row-{row}" for row in (30, 11, 4, 12)]
    found = index.search(rows=[3, 4], measure=measure, ids=named)
    assert list(found) == left_of(whole, [30, 11, 4, 12])
    found = index.search(rows=[3, 4], measure=measure, ids=named, where="label = even")
    assert list(found) == left_of(whole, [30, 4, 12])
    assert [match.row for match in index.search(rows=[3], ids="row-7")[0]] == [7]


def test_queries_with_coordinates_that_no_row_left_has(index):
    query = np.zeros((1, 12))
    query[0, 11] = 1
    whole = index.search(query, top=ROWS)
    assert list(index.search(query, where="id in (row-0, row-1)")) == left_of(whole, [0, 1])


@pytest.mark.parametrize("measure", ["act-1", "emd"])
def test_within(index, measure):
    whole = index.search(rows=[3, 4], top=ROWS, measure=measure)
    radius = whole.distances[0, 15]
    found = index.search(rows=[3, 4], measure=measure, within=radius)
    assert list(found) == left_of(whole, range(ROWS), radius=radius)
    assert found.rows.shape[1] == max(len(list_) for list_ in found) >= 16
    assert list(index.search(rows=[3, 4], top=2, measure=measure, within=radius)) == left_of(
        whole, range(ROWS), 2, radius
    )
    few = index.search(rows=[3, 4], measure=measure, within=radius, where="row < 9")
    assert list(few) == left_of(whole, range(9), radius=radius)
    assert index.search(rows=[3], measure=measure, within=0).rows.shape == (1, 0)


def test_knn_restricts_both_sides(index):
    whole = index.knn_matches(top=ROWS)
    left = [row for row in range(ROWS) if row % 2 == 1]
    found = index.knn_matches(top=3, where="label = odd")
    expected = left_of(whole, left, 3)
    assert list(found) == [expected[row] if row in left else [] for row in range(ROWS)]
    graph = index.knn(top=3, where="label = odd")
    assert graph.shape == (ROWS, ROWS)
    assert list(np.diff(graph.indptr)) == [3 if row in left else 0 for row in range(ROWS)]


def test_evaluate_where(index):
    everything = index.evaluate("act-1", tops=[1])["act-1"]
    odd = index.evaluate("act-1", tops=[1, 5], where="label = odd")["act-1"]
    assert everything.queries == ROWS and odd.queries == ROWS // 2
    assert odd.precision == {1: 1.0, 5: 1.0}
    some = index.evaluate("act-1", tops=[1], ids=[f"row-{row}" for row in range(9)], queries=4)
    assert some["act-1"].queries == 4


def test_what_is_wrong(index):
    with pytest.raises(ValueError, match="character 9: expected a value after '='") as caught:
        index.search(rows=[0], where="label = ")
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="there is no field 'year'"):
        index.knn(where="year > 1990")
    with pytest.raises(ValueError, match="no row is left of 40: none meets the filter and the ids"):
        index.evaluate(where="row < 1", ids=["row-2"])
    with pytest.raises(ValueError, match=r"no row has the id 'x' \(nor 1 more"):
        index.search(rows=[0], ids=["x", "y"])
    with pytest.raises(ValueError, match="none meets the ids"):
        index.search(rows=[0], ids=[])
    with pytest.raises(ValueError, match="rows within -1"):
        index.search(rows=[0], within=-1)
    with pytest.raises(TypeError, match="where is 3"):
        index.search(rows=[0], where=3)
    with pytest.raises(TypeError, match="unknown keyword 'where'"):
        index.distances(where="row = 1")
