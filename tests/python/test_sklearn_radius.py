"""Neighbours within a radius: against all distances, in DBSCAN, and within little memory."""

import subprocess
import sys

import navvy
import numpy as np
import pytest
from navvy.sklearn import EMDNeighbors, EMDRadiusNeighborsTransformer, radius_neighbors_graph
from navvy.sklearn import radius as blocks
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors, RadiusNeighborsTransformer
from sklearn.pipeline import make_pipeline

pytestmark = pytest.mark.peer("scikit-learn", "scikit-learn")

GRID = np.indices((8, 8)).reshape(2, -1).T


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:300], y[:300]


@pytest.fixture(scope="module")
def distances(digits):
    return navvy.Index.from_histograms(digits[0], GRID).distances().astype(float)


@pytest.fixture(params=[1 << 24, 40_000], ids=["one block", "blocks of 8"])
def block_bytes(request, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK_BYTES", request.param)


@pytest.mark.parametrize("radius", [0, 0.4, 0.8, 100])
def test_lists_are_all_within(digits, distances, radius, block_bytes):
    X, _ = digits
    ours = EMDNeighbors(radius=radius, coordinates=GRID).fit(X)
    found, rows = ours.radius_neighbors(X)
    others, other_rows = ours.radius_neighbors()
    for i, line in enumerate(distances):
        near = np.nonzero(line <= radius)[0]
        order = near[np.argsort(line[near], kind="stable")]
        np.testing.assert_array_equal(rows[i], order)
        np.testing.assert_allclose(found[i], line[order], rtol=1e-6)
        np.testing.assert_array_equal(other_rows[i], order[order != i])
        np.testing.assert_array_equal(others[i], found[i][order != i])


def test_graphs_are_those_of_scikit_learn(digits, distances, block_bytes):
    X, _ = digits
    theirs = NearestNeighbors(radius=0.5, metric="precomputed").fit(distances)
    ours = EMDNeighbors(radius=0.5, coordinates=GRID).fit(X)
    for mode in ("connectivity", "distance"):
        found = ours.radius_neighbors_graph(mode=mode)
        expected = theirs.radius_neighbors_graph(mode=mode)
        np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)
        np.testing.assert_array_equal(np.diff(found.indptr), np.diff(expected.indptr))
        alone = radius_neighbors_graph(X, 0.5, mode=mode, coordinates=GRID)
        assert (found != alone).nnz == 0
        whole = radius_neighbors_graph(X, 0.5, mode=mode, coordinates=GRID, include_self=True)
        assert whole.nnz == found.nnz + len(X)
        assert np.all(whole.indices[whole.indptr[:-1]] == np.arange(len(X)))
    with pytest.raises(ValueError, match="expected 'connectivity' or 'distance'"):
        ours.radius_neighbors_graph(mode="other")
    with pytest.raises(ValueError, match="radius is -1"):
        ours.radius_neighbors(radius=-1)


def test_transformer_is_that_of_scikit_learn_on_the_distances(digits, distances):
    X, y = digits
    ours = EMDRadiusNeighborsTransformer(radius=0.6, coordinates=GRID)
    theirs = RadiusNeighborsTransformer(radius=0.6, metric="precomputed")
    expected = theirs.fit(distances[:200, :200]).transform(distances[200:, :200])
    found = ours.fit(X[:200]).transform(X[200:])
    np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)
    graph = ours.fit_transform(X)
    assert np.all(graph.indices[graph.indptr[:-1]] == np.arange(300))
    again = ours.transform(X)
    assert graph.nnz == again.nnz and np.array_equal(graph.toarray(), again.toarray())
    assert list(ours.get_feature_names_out()[:2]) == [
        "emdradiusneighborstransformer0",
        "emdradiusneighborstransformer1",
    ]
    staged = make_pipeline(
        EMDRadiusNeighborsTransformer(radius=3, coordinates=GRID),
        KNeighborsClassifier(1, metric="precomputed"),
    )
    assert staged.fit(X[:200], y[:200]).score(X[200:], y[200:]) > 0.9


@pytest.mark.parametrize("eps", [0.15, 0.18, 0.2])
def test_dbscan_on_the_graph_is_dbscan_on_all_distances(digits, distances, eps):
    X, _ = digits
    graph = EMDRadiusNeighborsTransformer(radius=eps, coordinates=GRID).fit_transform(X)
    scan = DBSCAN(eps=eps, min_samples=3, metric="precomputed")
    found, expected = scan.fit(graph), DBSCAN(**scan.get_params()).fit(distances)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.core_sample_indices_, expected.core_sample_indices_)
    assert len(set(found.labels_)) > 2


@pytest.mark.parametrize("measure", ["act-1", "emd"])
def test_a_radius_that_is_a_distance_counts_it(digits, measure):
    X = digits[0][:60]
    distances = navvy.Index.from_histograms(X, GRID).distances(X, measure)
    found = EMDNeighbors(measure=measure, coordinates=GRID).fit(X)
    for radius in np.sort(distances, axis=None)[60:600:60]:
        graph = found.radius_neighbors_graph(X, radius)
        np.testing.assert_array_equal(graph.toarray(), distances <= radius)
        scan = DBSCAN(eps=radius, min_samples=3, metric="precomputed")
        near = EMDRadiusNeighborsTransformer(radius=radius, measure=measure, coordinates=GRID)
        labels = scan.fit_predict(near.fit_transform(X))
        np.testing.assert_array_equal(labels, scan.fit_predict(distances))


@pytest.mark.differs("such a sample is at no distance from anything, so it has no neighbours")
def test_samples_without_weight_are_near_nothing():
    X = np.vstack([np.eye(3), np.zeros((1, 3))])
    graph = EMDRadiusNeighborsTransformer(radius=9).fit_transform(X)
    assert list(np.diff(graph.indptr)) == [3, 3, 3, 0]
    graph = EMDNeighbors(radius=9).fit(X).radius_neighbors_graph(X)
    assert list(np.diff(graph.indptr)) == [3, 3, 3, 0]


PROGRAM = """
import resource
import numpy as np
from navvy.sklearn import EMDNeighbors

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

rng = np.random.default_rng(0)
X = rng.random((7188, 8)) ** 8
neighbors = EMDNeighbors(coordinates=np.arange(8), n_jobs=2).fit(X)
neighbors.radius_neighbors(X[:10], 0.01)
before = peak()
found = sum(len(rows) for rows in neighbors.radius_neighbors(radius=0.05)[1])
print(found, peak() - before)
"""


def test_7188_rows_take_less_than_100_mb():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found, grown = map(int, done.stdout.split())
    assert found > 7188 and grown < 100e6
