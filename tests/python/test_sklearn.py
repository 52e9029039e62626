"""The estimators, and their use with other parts of scikit-learn."""

import navvy
import numpy as np
import pytest
from navvy.sklearn import EMDKNeighborsClassifier, EMDKNeighborsTransformer, EMDNeighbors
from sklearn.cluster import DBSCAN
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline

pytestmark = pytest.mark.peer("scikit-learn", "scikit-learn")

GRID = np.indices((8, 8)).reshape(2, -1).T


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return X[:300], y[:300]


def exact_distances(a, b):
    index = navvy.Index.from_histograms(b, GRID)
    return index.distances(a, "act-1")


def test_kneighbors_are_those_of_scikit_learn_on_the_distances(digits):
    X, _ = digits
    ours = EMDNeighbors(4, coordinates=GRID).fit(X[:200])
    distances = exact_distances(X, X[:200])
    theirs = NearestNeighbors(n_neighbors=4, metric="precomputed").fit(distances[:200])
    for query, matrix in ((X[200:], distances[200:]), (X[:200], distances[:200])):
        found, rows = ours.kneighbors(query)
        expected, expected_rows = theirs.kneighbors(matrix)
        np.testing.assert_allclose(found, expected)
        assert np.mean(rows == expected_rows) > 0.99  # ties may be ordered otherwise
    own_distances, own_rows = ours.kneighbors()
    np.testing.assert_allclose(own_distances, theirs.kneighbors()[0], atol=1e-6)
    assert not np.any(own_rows == np.arange(200)[:, np.newaxis])


def test_graphs_have_the_modes_of_scikit_learn(digits):
    X, _ = digits
    ours = EMDNeighbors(3, coordinates=GRID).fit(X[:50])
    assert ours.kneighbors_graph().nnz == 150
    assert set(ours.kneighbors_graph().data) == {1.0}
    graph = ours.kneighbors_graph(X[:50], mode="distance")
    assert graph.nnz == 150 and np.all(graph.diagonal() == 0)
    with pytest.raises(ValueError, match="expected 'connectivity' or 'distance'"):
        ours.kneighbors_graph(mode="other")


def test_transformer_gives_one_neighbour_more_sorted_with_zeros(digits):
    X, _ = digits
    graph = EMDKNeighborsTransformer(n_neighbors=4, coordinates=GRID).fit_transform(X[:60])
    assert graph.nnz == 60 * 5
    data = graph.data.reshape(60, 5)
    assert np.all(data[:, 0] == 0) and np.all(np.diff(data, axis=1) >= 0)


def test_precomputed_graphs_feed_other_estimators(digits):
    X, y = digits
    transformer = EMDKNeighborsTransformer(n_neighbors=40, coordinates=GRID)
    graph = transformer.fit_transform(X)
    direct = EMDKNeighborsClassifier(3, coordinates=GRID).fit(X[:200], y[:200])
    staged = make_pipeline(
        EMDKNeighborsTransformer(n_neighbors=10, coordinates=GRID),
        KNeighborsClassifier(3, metric="precomputed"),
    ).fit(X[:200], y[:200])
    agreement = np.mean(staged.predict(X[200:]) == direct.predict(X[200:]))
    assert agreement > 0.97  # votes may be tied
    few = DBSCAN(eps=np.quantile(graph.data, 0.1), metric="precomputed")
    clusters = few.fit_predict(graph)
    assert len(set(clusters)) > 2
    np.testing.assert_array_equal(clusters, few.fit_predict(exact_distances(X, X)))


def test_classifier_in_a_grid_search(digits):
    X, y = digits
    pipeline = make_pipeline(EMDKNeighborsClassifier(coordinates=GRID))
    parameters = {
        "emdkneighborsclassifier__measure": ["bow", "act-1"],
        "emdkneighborsclassifier__weights": ["uniform", "distance"],
    }
    search = GridSearchCV(pipeline, parameters, cv=3).fit(X, y)
    assert search.best_score_ > 0.9


def test_weights_by_distance():
    points = np.arange(4)
    X, y = np.eye(4), ["a", "b", "b", "c"]
    model = EMDKNeighborsClassifier(3, weights="distance", coordinates=points, measure="emd").fit(
        X, y
    )
    np.testing.assert_allclose(model.predict_proba([[1, 0, 0, 0]]), [[1, 0, 0]])
    shares = model.predict_proba([[0.5, 0.5, 0, 0]])[0]  # distances 0.5, 0.5, 1.5
    np.testing.assert_allclose(shares, np.array([2, 2 + 2 / 3, 0]) / (4 + 2 / 3))
    assert model.predict([[0, 0.4, 0.6, 0]]) == ["b"]


@pytest.mark.differs("such a sample is at no distance from anything, so it has no neighbours")
def test_samples_without_weight_have_no_neighbours():
    X, y = np.vstack([np.eye(3), np.zeros((1, 3))]), ["a", "b", "b", "b"]
    queries = np.array([[0, 0, 0], [1, 0, 0]])
    found = EMDNeighbors(2).fit(X)
    for distances, rows in (found.kneighbors(queries), found.kneighbors(X[[3, 0]])):
        assert list(rows[0]) == [-1, -1] and np.isnan(distances[0]).all()
        assert list(rows[1]) == [0, 1] and distances[1][0] == 0
    assert list(found.kneighbors()[1][3]) == [-1, -1]
    near = found.radius_neighbors(queries, 9, return_distance=False)
    assert [len(rows) for rows in near] == [0, 3]
    graph = EMDKNeighborsTransformer(n_neighbors=1).fit(X).transform(queries)
    assert list(np.diff(graph.indptr)) == [0, 2]
    for weights in ("uniform", "distance"):
        model = EMDKNeighborsClassifier(2, weights=weights).fit(X, y)
        np.testing.assert_array_equal(model.predict_proba(queries)[0], [0.25, 0.75])
        assert list(model.predict(np.zeros((1, 3)))) == ["b"]


def test_bad_parameters_are_refused(digits):
    X, y = digits
    with pytest.raises(ValueError, match="do not fit 3 coordinates"):
        EMDNeighbors(coordinates=np.zeros((3, 1))).fit(X)
    with pytest.raises(ValueError, match="n_neighbors <= n_samples_fit"):
        EMDNeighbors(11).fit(X[:10]).kneighbors(X)
    with pytest.raises(ValueError, match="n_jobs is 0"):
        EMDNeighbors(n_jobs=0).fit(X).kneighbors(X)
    with pytest.raises(ValueError, match="expected 'uniform'"):
        EMDKNeighborsClassifier(weights="x").fit(X, y).predict(X)


def test_n_jobs_changes_no_bit(digits):
    X, _ = digits
    one, all_cores = (EMDNeighbors(coordinates=GRID, n_jobs=n).fit(X) for n in (1, -1))
    np.testing.assert_array_equal(one.kneighbors()[0], all_cores.kneighbors()[0])
