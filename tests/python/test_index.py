"""The index of histograms: making, searching, keeping."""

import pickle

import navvy
import numpy as np
import pytest
import scipy.sparse
from scipy.spatial.distance import cdist

from .conftest import random_histograms

MEASURES = ["bow", "wcd", "rwmd", "omr", "act-1", "act-3", "act-15", "ict", "sinkhorn", "emd"]


def reference(histograms, coordinates, measure, rows=None):
    """Distances of all pairs by the pair functions, in double."""
    dense = histograms.toarray().astype(np.float64)
    costs = cdist(coordinates, coordinates)
    function = {"act-1": navvy.act, "act-3": lambda *args: navvy.act(*args, 3)}.get(
        measure, getattr(navvy, measure, None)
    )
    result = np.zeros((len(dense), len(dense)))
    for i in range(len(dense)) if rows is None else rows:
        for j in range(len(dense)):
            p, q = dense[i] > 0, dense[j] > 0
            result[i, j] = function(dense[i][p], dense[j][q], costs[np.ix_(p, q)])
    return result


@pytest.mark.parametrize("measure", ["rwmd", "omr", "act-1", "act-3", "ict", "emd"])
def test_distances_are_those_of_the_pair_functions(histograms, coordinates, measure):
    index = navvy.Index.from_histograms(histograms, coordinates)
    expected = reference(histograms, coordinates, measure, rows=range(5))[:5]
    found = index.distances(measure=measure, query_rows=range(0, 5))
    np.testing.assert_allclose(found, expected, atol=2e-6)
    np.testing.assert_allclose(index.distances(histograms[:5], measure), expected, atol=2e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_distances_of_queries_are_those_of_a_search_for_every_row(histograms, coordinates, measure):
    index = navvy.Index.from_histograms(histograms, coordinates)
    queries = random_histograms(6, seed=7)
    matches = index.search(queries, len(index), measure)
    expected = np.empty(matches.rows.shape)
    np.put_along_axis(expected, matches.rows, matches.distances, axis=1)
    found = index.distances(queries, measure)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)
    some = index.distances(queries, measure, rows=range(3, 11))
    np.testing.assert_array_equal(some, found[:, 3:11])


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("measure", ["act-1", "sinkhorn", "emd"])
def test_distances_are_undefined_without_weight(coordinates, measure):
    rows = random_histograms(6).toarray()
    rows[2] = 0
    index = navvy.Index.from_histograms(rows, coordinates)
    found = np.isnan(index.distances(rows, measure))
    empty = np.arange(6) == 2
    np.testing.assert_array_equal(found, empty | empty[:, np.newaxis])
    with pytest.raises(TypeError, match="queries or query_rows, not both"):
        index.distances(rows, query_rows=range(2))


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("measure", MEASURES)
def test_search_finds_the_smallest_of_all_distances(histograms, coordinates, measure):
    index = navvy.Index.from_histograms(histograms, coordinates)
    matches = index.search(histograms[:4], top=7, measure=measure)
    assert matches.rows.shape == matches.distances.shape == (4, 7)
    assert matches.rows.dtype == np.int64 and matches.distances.dtype == np.float64
    every = index.distances(measure=measure, query_rows=range(0, 4))
    np.testing.assert_allclose(matches.distances, np.sort(every, axis=1)[:, :7], atol=2e-6)
    assert list(matches.rows[:, 0]) == [0, 1, 2, 3]


def test_a_threshold_caps_every_way(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates)
    (found,) = index.distances(measure="emd-hat", query_rows=range(0, 1), threshold=0.5)
    costs = np.minimum(cdist(coordinates, coordinates), 0.5)
    dense = histograms.toarray().astype(np.float64)
    expected = [navvy.emd(dense[0], row, costs) for row in dense]
    np.testing.assert_allclose(found, expected, atol=2e-6)
    matches = index.search(histograms[0], top=5, measure="emd-hat", threshold=0.5)
    np.testing.assert_allclose(matches.distances[0], np.sort(expected)[:5], atol=2e-6)
    assert matches.exact.all()
    with pytest.raises(ValueError, match="emd-hat with threshold 0"):
        index.search(histograms[0], measure="emd-hat")


def test_rows_as_queries_do_not_find_themselves(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates)
    matches = index.search(rows=[3, 5], top=4)
    assert 3 not in matches.rows[0] and 5 not in matches.rows[1]
    np.testing.assert_array_equal(matches.rows[0], index.search(histograms[3], top=5).rows[0][1:])


def test_knn_is_a_sorted_graph_of_search(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates)
    graph = index.knn(5, "act-1")
    matches = index.search(rows=range(len(index)), top=5, measure="act-1")
    assert graph.shape == (40, 40) and graph.nnz == 200 and graph.format == "csr"
    np.testing.assert_array_equal(graph.indices.reshape(40, 5), matches.rows)
    np.testing.assert_array_equal(graph.data.reshape(40, 5), matches.distances)
    assert np.all(np.diff(graph.data.reshape(40, 5)) >= 0)


def test_equal_rows_are_explicit_zeros_of_the_graph(coordinates):
    twice = scipy.sparse.vstack([random_histograms(5), random_histograms(5)], format="csr")
    graph = navvy.Index.from_histograms(twice, coordinates).knn(1, "act-3")
    assert graph.nnz == 10 and np.all(graph.data == 0)


def test_matches_have_ids_and_labels(histograms, coordinates):
    names = [f"row {i}" for i in range(40)]
    index = navvy.Index.from_histograms(histograms, coordinates, labels=range(40), ids=names)
    matches = index.search(histograms[7], top=3)
    assert matches.ids[0, 0] == "row 7" and matches.labels[0, 0] == 7
    assert matches[0][0] == navvy.Match(7, "row 7", 7, 0.0)
    assert [len(found) for found in matches] == [3]
    assert list(index.ids[:2]) == names[:2] and index.labels[3] == 3


def test_fewer_rows_than_asked_for(coordinates):
    index = navvy.Index.from_histograms(random_histograms(3), coordinates)
    matches = index.search(random_histograms(1), top=5)
    assert list(matches.rows[0, 3:]) == [-1, -1] and np.isnan(matches.distances[0, 3:]).all()
    assert list(matches.ids[0, 3:]) == ["", ""] and len(matches[0]) == 3


def test_a_file_gives_the_same_answers(histograms, coordinates, tmp_path):
    index = navvy.Index.from_histograms(histograms, coordinates, labels=np.arange(40) % 3)
    index.save(tmp_path / "a.navvy")
    opened = navvy.Index.open(str(tmp_path / "a.navvy"))
    for other in (opened, pickle.loads(pickle.dumps(index))):
        assert len(other) == 40 and list(other.labels) == list(index.labels)
        np.testing.assert_array_equal(
            other.search(histograms, 5, "ict").distances,
            index.search(histograms, 5, "ict").distances,
        )


def test_queries_may_use_coordinates_that_no_row_uses(coordinates, tmp_path):
    rows = random_histograms(10, 20)
    wide = scipy.sparse.hstack([rows, scipy.sparse.csr_matrix((10, 10))], format="csr")
    index = navvy.Index.from_histograms(wide, coordinates)
    assert index.coordinates.shape == (20, 3)
    query = random_histograms(3, 30, seed=5)
    expected = navvy.Index.from_histograms(
        scipy.sparse.vstack([wide, query], format="csr"), coordinates
    ).distances(measure="act-1", query_rows=range(10, 13), rows=range(0, 10))
    np.testing.assert_array_equal(index.distances(query), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(index)).distances(query), expected)
    index.save(tmp_path / "a.navvy")
    opened = navvy.Index.open(tmp_path / "a.navvy")
    with pytest.raises(ValueError, match="which no row of the index uses; pass coordinates"):
        opened.distances(query)
    np.testing.assert_array_equal(opened.distances(query, coordinates=coordinates), expected)
    moved = coordinates + 1
    with pytest.raises(ValueError, match="has other values than in the index"):
        opened.distances(query, coordinates=moved)


def test_add_and_remove_are_as_building_at_once(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms[:10], coordinates)
    index.add(histograms[10:])
    whole = navvy.Index.from_histograms(histograms, coordinates)
    np.testing.assert_array_equal(index.distances(), whole.distances())
    index.remove([0, "39"])
    assert len(index) == 38 and index.ids[0] == "1"
    np.testing.assert_array_equal(index.distances(), whole.distances()[1:39, 1:39])
    with pytest.raises(ValueError, match="no row has the id 'x'"):
        index.remove("x")
    with pytest.raises(ValueError, match="expected ids of the new rows"):
        index.add(histograms[:1])
    index.add(histograms[:1], ids=["new"])
    assert index.ids[-1] == "new"


def test_evaluate_counts_equal_labels(histograms, coordinates):
    labels = np.arange(40) % 4
    index = navvy.Index.from_histograms(histograms, coordinates, labels=labels)
    done = index.evaluate(["rwmd", "act-1"], tops=(1, 5), queries=20)
    assert list(done) == ["rwmd", "act-1"] and list(done["rwmd"].precision) == [1, 5]
    act = done["act-1"]
    assert len(act.asked) == act.queries == 20 and act.candidates == 40
    again, other = (index.evaluate(queries=20, seed=seed)["act-1"].asked for seed in (1, 2))
    assert list(again) == list(act.asked) != list(other)
    rows = index.search(rows=act.asked, top=5, measure="act-1").rows
    equal = labels[rows] == labels[act.asked][:, np.newaxis]
    assert act.precision[5] == pytest.approx(equal.mean())
    each = equal.mean(axis=1)
    np.testing.assert_allclose(act.of_each[5], each)
    half = 2.093024 * each.std(ddof=1) / np.sqrt(20)
    assert act.intervals[5] == pytest.approx((each.mean() - half, each.mean() + half), rel=1e-5)
    by_label = {label: part.queries for label, part in act.classes.items()}
    assert by_label == {label: int((labels[act.asked] == label).sum()) for label in range(4)}
    assert act.seconds > 0 and act.cpu_seconds > 0
    mean, low, high = act.difference(done["rwmd"], 5)
    assert mean == pytest.approx(act.precision[5] - done["rwmd"].precision[5])
    assert low <= mean <= high
    with pytest.raises(ValueError, match="different queries"):
        act.difference(index.evaluate()["act-1"], 1)


def test_evaluate_a_test_set(histograms, coordinates):
    labels = np.arange(40) % 4
    index = navvy.Index.from_histograms(histograms[:30], coordinates, labels=labels[:30])
    names = [*labels[30:39], "new"]
    done = index.evaluate("act-1", tops=[3], test=(histograms[30:], names))["act-1"]
    found = index.search(histograms[30:], top=3).rows
    equal = labels[:30][found] == labels[30:][:, np.newaxis]
    equal[9] = False  # no row has its label
    assert done.precision[3] == pytest.approx(equal.mean())
    assert done.queries == 10 and done.unknown_labels == 1
    assert done.classes["new"].precision == {3: 0.0}
    with pytest.raises(ValueError, match="10 queries with 2 labels"):
        index.evaluate(test=(histograms[30:], ["0", "1"]))


def test_explain_shows_the_flow(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates, ids=[f"r{i}" for i in range(40)])
    why = index.explain(0, histograms[1])
    assert why.distance == pytest.approx(sum(move.cost for move in why.moves))
    assert sum(move.mass for move in why.moves) == pytest.approx(1)
    assert why.moves == sorted(why.moves, key=lambda move: -move.cost)
    assert why.distance == index.explain("r0", "r1").distance
    assert "<table>" in why._repr_html_() and str(why).startswith("emd = ")
    with pytest.raises(ValueError, match="no row has the id 'x'"):
        index.explain("x", 0)


def test_html_is_escaped():
    why = navvy.Explanation("<a>", "b", "emd", 1.0, "", True, [navvy.Move("<b>", "&", 1.0, 1.0)])
    assert "<a>" not in why._repr_html_() and "<b>" not in why._repr_html_()
    assert "&lt;b&gt;" in why._repr_html_()


def test_images_as_histograms_of_pixels():
    pixels = np.random.default_rng(2).integers(0, 4, (20, 6, 5)).astype(np.uint8)
    index = navvy.Index.from_images(pixels, labels=np.arange(20) % 2)
    points = np.indices((6, 5)).reshape(2, -1).T
    same = navvy.Index.from_histograms(pixels.reshape(20, -1), points)
    np.testing.assert_array_equal(index.distances(), same.distances())
    floats = navvy.Index.from_images(pixels / 8)
    np.testing.assert_array_equal(index.distances(), floats.distances())
    assert index.kind == floats.kind == "images" and index.properties == floats.properties
    np.testing.assert_array_equal(index.distances(pixels[:3]), index.distances()[:3])
    assert index.explain(0, pixels[1]).moves[0].source.startswith("(")
    index.add(pixels[:2], labels=[0, 1])
    assert len(index) == 22
    with pytest.raises(ValueError, match=r"expected \(n, 6, 5\)"):
        index.search(np.zeros((1, 5, 5)))


def test_labels_that_are_numbers_get_names():
    pixels = np.random.default_rng(3).integers(1, 9, (4, 3, 2)).astype(np.uint8)
    names = ["shirt", "coat", "boot"]
    index = navvy.Index.from_images(pixels, np.array([2, 0, 1, 2]), label_names=names)
    assert index.labels.tolist() == ["boot", "shirt", "coat", "boot"]
    with pytest.raises(ValueError, match="label 1 is 3, but there are 3 label_names"):
        navvy.Index.from_images(pixels, [0, 3, 1, 2], label_names=names)
    with pytest.raises(TypeError, match="label 0 is 'boot'; expected the number of a name"):
        navvy.Index.from_images(pixels, ["boot"] * 4, label_names=names)
    with pytest.raises(TypeError, match="label_names needs labels"):
        navvy.Index.from_images(pixels, label_names=names)


def test_background_receives():
    pixels = np.zeros((3, 3, 3), dtype=np.uint8)
    pixels[0, 0, 0] = pixels[1, 2, 2] = pixels[2, 1, 1] = 9
    dropped = navvy.Index.from_images(pixels).distances(measure="rwmd")
    kept = navvy.Index.from_images(pixels, keep_background=True)
    assert dropped[0, 1] == pytest.approx(8**0.5) and kept.distances(measure="rwmd")[0, 1] == 0
    assert kept.distances(pixels[:1], "rwmd")[0, 1] == 0
