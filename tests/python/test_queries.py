"""Queries of all sorts: what they leave behind, and those without weight."""

import navvy
import numpy as np
import pytest
import scipy.sparse

from .conftest import random_histograms


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_queries_leave_no_trace(coordinates):
    rng = np.random.default_rng(3)
    index = navvy.Index.from_histograms(random_histograms(200, 20), coordinates[:20])
    whole = random_histograms(1, 30, seed=5, density=0.9)
    before = None
    for trial in range(1000):
        points = np.vstack([coordinates[:20], rng.random((10, 3))]).astype(np.float32)
        found = index.search(whole, 3, coordinates=points)
        if trial % 250 == 0:  # as if no query had been there before
            alone = navvy.Index.from_histograms(random_histograms(200, 20), coordinates[:20])
            expected = alone.search(whole, 3, coordinates=points)
            np.testing.assert_array_equal(found.distances, expected.distances)
            np.testing.assert_array_equal(
                index.distances(whole, coordinates=points),
                alone.distances(whole, coordinates=points),
            )
        if trial == 20:
            before = resident()
    assert resident() - before < 5 << 20
    with pytest.raises(ValueError, match="has other values than in the index"):
        index.search(whole, 3, coordinates=points + 1)
    wide = scipy.sparse.csr_matrix(np.pad(whole.toarray(), ((0, 0), (0, 30))))
    for _ in range(3):  # ever new places
        index.search(wide, 3, coordinates=np.vstack([points, rng.random((30, 3))]))


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("measure", ["act-1", "sinkhorn", "emd"])
def test_empty_queries_are_refused_or_skipped(histograms, coordinates, measure):
    index = navvy.Index.from_histograms(histograms, coordinates)
    queries = scipy.sparse.vstack([histograms[:1], histograms[:1] * 0, histograms[2:3]]).tocsr()
    for call in (index.search, index.distances):
        with pytest.raises(ValueError, match="query 1 has no weight"):
            call(queries, measure=measure, on_empty="raise")
        with pytest.raises(ValueError, match="on_empty is 'no'; expected 'raise' or 'skip'"):
            call(queries, measure=measure, on_empty="no")
    with pytest.raises(ValueError, match="query 1 has no weight"):
        index.search(queries, 3, measure)
    matches = index.search(queries, 3, measure, on_empty="skip")
    whole = index.search(histograms[[0, 2]], 3, measure)
    for name in ("rows", "distances", "lower", "upper"):
        found, expected = getattr(matches, name), getattr(whole, name)
        if expected is not None:
            np.testing.assert_array_equal(found[[0, 2]], expected)
    assert np.all(matches.rows[1] == -1) and np.isnan(matches.distances[1]).all()
    assert matches[1] == [] and matches[2] == whole[1]
    matrix = index.distances(queries, measure)
    assert np.isnan(matrix[1]).all()
    np.testing.assert_array_equal(matrix[[0, 2]], index.distances(histograms[[0, 2]], measure))
    none = index.search(queries[1:2], 3, measure, on_empty="skip")
    assert none.rows.shape == (1, 3) and np.all(none.rows == -1)


def test_rows_without_weight_as_queries(coordinates):
    rows = random_histograms(6).toarray()
    rows[2] = 0
    index = navvy.Index.from_histograms(rows, coordinates)
    with pytest.raises(ValueError, match="query 1 has no weight"):
        index.search(rows=[0, 2], k=2)
    matches = index.search(rows=[0, 2, 2, 3], k=2, on_empty="skip")
    assert [len(found) for found in matches] == [2, 0, 0, 2]
    np.testing.assert_array_equal(matches.rows[[0, 3]], index.search(rows=[0, 3], k=2).rows)


def test_texts_without_a_known_word():
    index = navvy.Index.from_texts(["A king", "An apple"], Words)
    texts = ["queen", "turnip", "pear"]
    with pytest.raises(ValueError, match="no word"):
        index.search(texts)
    matches = index.search(texts, k=1, on_empty="skip")
    assert matches.rows[:, 0].tolist() == [0, -1, 1] and matches.unknown[1] == ["turnip"]
    with pytest.raises(ValueError, match="no word"):
        index.distances(texts, on_empty="raise")
    matrix = index.distances(texts)
    assert np.isnan(matrix).tolist() == [[False, False], [True, True], [False, False]]
