"""Graphs and distances in the hands of others: scikit-learn, UMAP, scanpy."""

import navvy
import numpy as np
import pytest
from navvy.sklearn import EMDKNeighborsTransformer, kneighbors_graph
from sklearn.cluster import HDBSCAN
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
from sklearn.pipeline import make_pipeline

pytestmark = pytest.mark.peer("scikit-learn", "scikit-learn")

GRID = np.indices((8, 8)).reshape(2, -1).T
COSTS = np.linalg.norm(GRID[:, np.newaxis] - GRID, axis=2)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:200], y[:200]


@pytest.fixture(scope="module")
def distances(digits):
    return navvy.Index.from_histograms(digits[0], GRID).distances().astype(float)


def one_of_a_kind(layout, y):
    """The share of samples whose nearest in a layout is of their kind."""
    nearest = NearestNeighbors(n_neighbors=1).fit(layout).kneighbors(return_distance=False)[:, 0]
    return np.mean(y[nearest] == y)


@pytest.mark.parametrize("include_self", [False, True, "auto"])
@pytest.mark.parametrize("mode", ["connectivity", "distance"])
def test_kneighbors_graph_is_that_of_scikit_learn(digits, distances, mode, include_self):
    from sklearn.neighbors import kneighbors_graph as theirs

    X, _ = digits
    for count in (1, 4):
        found = kneighbors_graph(X, count, mode=mode, include_self=include_self, coordinates=GRID)
        # On distances that are given, as on a table: each sample as one number.
        expected = theirs(
            np.arange(len(X))[:, np.newaxis],
            count,
            mode=mode,
            metric=lambda a, b: distances[int(a[0]), int(b[0])],
            include_self=include_self,
        )
        np.testing.assert_allclose(found.toarray(), expected.toarray(), rtol=1e-6)
        assert found.nnz == expected.nnz == len(X) * count
    with pytest.raises(ValueError, match="expected True, False or 'auto'"):
        kneighbors_graph(X, 3, include_self="x", coordinates=GRID)


def test_a_fitted_estimator_serves_as_samples(digits):
    X, _ = digits
    fitted = navvy.sklearn.EMDNeighbors(coordinates=GRID).fit(X)
    assert (kneighbors_graph(fitted, 3) != kneighbors_graph(X, 3, coordinates=GRID)).nnz == 0
    with pytest.raises(TypeError, match="measure is given beside an EMDNeighbors"):
        kneighbors_graph(fitted, 3, measure="emd")


@pytest.mark.differs("scikit-learn lists equals in any order, the sample itself anywhere")
def test_each_sample_is_its_own_first_among_equals():
    X = np.array([[1.0, 0], [1, 0], [0, 1], [1, 0]])
    graph = EMDKNeighborsTransformer(n_neighbors=1).fit_transform(X)
    assert graph.indices.reshape(4, 2)[:, 0].tolist() == [0, 1, 2, 3]
    assert graph.data.reshape(4, 2)[:, 0].tolist() == [0, 0, 0, 0]


def test_local_outlier_factor_looks_at_the_graph(digits, distances):
    X, _ = digits
    expected = LocalOutlierFactor(10, metric="precomputed").fit(distances)
    factor = LocalOutlierFactor(10, metric="precomputed")
    make_pipeline(EMDKNeighborsTransformer(n_neighbors=10, coordinates=GRID), factor).fit_predict(X)
    np.testing.assert_allclose(
        factor.negative_outlier_factor_, expected.negative_outlier_factor_, rtol=1e-5
    )
    X = X[:40]
    part = navvy.Index.from_histograms(X, GRID).distances(measure="emd").astype(float)
    as_metric = LocalOutlierFactor(
        5, algorithm="brute", metric=navvy.emd, metric_params={"C": COSTS}
    ).fit(X)
    expected = LocalOutlierFactor(5, metric="precomputed").fit(part)
    np.testing.assert_allclose(
        as_metric.negative_outlier_factor_, expected.negative_outlier_factor_, rtol=1e-4
    )


@pytest.mark.filterwarnings("ignore:.*default value of.*copy:FutureWarning")
def test_hdbscan_clusters_the_graph(digits, distances):
    X, _ = digits
    expected = HDBSCAN(min_cluster_size=5, metric="precomputed", copy=True).fit(distances)
    graph = EMDKNeighborsTransformer(n_neighbors=199, coordinates=GRID).fit_transform(X)
    found = HDBSCAN(min_cluster_size=5, metric="precomputed", copy=True).fit(graph)
    assert len(set(found.labels_)) > 2
    assert adjusted_rand_score(found.labels_, expected.labels_) > 0.9  # ties join in any order
    as_metric = HDBSCAN(
        min_cluster_size=5,
        metric=navvy.emd,
        metric_params={"C": COSTS},
        algorithm="brute",
        copy=True,
    ).fit(X[:40])
    part = navvy.Index.from_histograms(X[:40], GRID).distances(measure="emd").astype(float)
    of_part = HDBSCAN(min_cluster_size=5, metric="precomputed", copy=True).fit(part)
    assert adjusted_rand_score(as_metric.labels_, of_part.labels_) > 0.9


def test_tsne_and_isomap_lay_the_graph_out(digits):
    X, y = digits
    make = EMDKNeighborsTransformer(n_neighbors=31, coordinates=GRID)
    layout = TSNE(
        metric="precomputed", init="random", perplexity=10, max_iter=250, random_state=0
    ).fit_transform(make.fit_transform(X))
    assert one_of_a_kind(layout, y) > 0.6
    staged = make_pipeline(make, Isomap(n_neighbors=10, metric="precomputed"))
    assert one_of_a_kind(staged.fit_transform(X), y) > 0.5


@pytest.mark.peer("UMAP", "umap-learn")
def test_matches_for_umap_count_each_row_first(digits):
    X, _ = digits
    index = navvy.Index.from_histograms(X, GRID)
    indices, distances = index.knn_matches(4).for_umap()
    assert indices.dtype == np.int32 and distances.dtype == np.float32
    assert indices.shape == distances.shape == (200, 5)
    np.testing.assert_array_equal(indices[:, 0], np.arange(200))
    np.testing.assert_array_equal(indices[:, 1:], index.knn_matches(4).rows)
    searched = index.search(X, 5).for_umap()
    np.testing.assert_array_equal(searched[0], indices)
    np.testing.assert_allclose(searched[1], distances)


@pytest.mark.peer("UMAP", "umap-learn")
def test_what_umap_misses_is_at_infinity():
    X = np.vstack([np.eye(2), np.zeros((1, 2))])
    indices, distances = navvy.Index.from_histograms(X, [0, 1]).knn_matches(2).for_umap()
    assert indices.tolist() == [[0, 1, -1], [1, 0, -1], [2, -1, -1]]
    assert distances.tolist() == [[0, 1, np.inf], [0, 1, np.inf], [0, np.inf, np.inf]]


@pytest.mark.peer("UMAP", "umap-learn")
@pytest.mark.filterwarnings("ignore")  # of numba and of what umap says of seeds
def test_umap_lays_matches_out(digits):
    umap = pytest.importorskip("umap", reason="umap-learn brings numba and LLVM, 200 MB")
    X, y = digits
    matches = navvy.Index.from_histograms(X, GRID).knn_matches(14)
    layout = umap.UMAP(
        n_neighbors=15, precomputed_knn=matches.for_umap(), random_state=0, n_epochs=100
    ).fit_transform(X)
    assert one_of_a_kind(layout, y) > 0.8


@pytest.mark.peer("scanpy", "scanpy")
@pytest.mark.filterwarnings("ignore")
def test_scanpy_takes_the_transformer(digits):
    scanpy = pytest.importorskip("scanpy", reason="scanpy brings numba and LLVM, 200 MB")
    X, _ = digits
    cells = scanpy.AnnData(X.astype(np.float32))
    transformer = EMDKNeighborsTransformer(n_neighbors=14, coordinates=GRID)
    scanpy.pp.neighbors(cells, transformer=transformer, use_rep="X")
    expected = EMDKNeighborsTransformer(n_neighbors=14, coordinates=GRID).fit_transform(X)
    np.testing.assert_allclose(cells.obsp["distances"].toarray(), expected.toarray(), rtol=1e-6)
    links = cells.obsp["connectivities"]
    assert links.shape == (200, 200) and links.nnz > 200 * 7
