"""Classes and numbers out of neighbours: weights, several outputs, against scikit-learn's own."""

import navvy
import numpy as np
import pytest
import sklearn.neighbors
from navvy.sklearn import EMDKNeighborsClassifier, EMDKNeighborsRegressor
from sklearn.datasets import load_digits
from sklearn.exceptions import DataConversionWarning
from sklearn.model_selection import cross_val_score

pytestmark = pytest.mark.peer("scikit-learn", "scikit-learn")

GRID = np.indices((8, 8)).reshape(2, -1).T


def fading(distances):
    return np.exp(-3 * distances)


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    X, y = X[:250], y[:250]
    index = navvy.Index.from_histograms(X[:200], GRID)
    return X, y, index.distances().astype(float), index.distances(X[200:])


@pytest.mark.parametrize("weights", ["uniform", "distance", None, fading])
def test_predictions_are_those_of_scikit_learn_on_the_distances(digits, weights):
    X, y, of_fitted, of_others = digits
    several = np.column_stack([y, y % 3, y > 4])
    for targets in (y, several):
        ours = EMDKNeighborsClassifier(4, weights=weights, coordinates=GRID)
        theirs = sklearn.neighbors.KNeighborsClassifier(4, weights=weights, metric="precomputed")
        ours.fit(X[:200], targets[:200])
        theirs.fit(of_fitted, targets[:200])
        np.testing.assert_array_equal(ours.predict(X[200:]), theirs.predict(of_others))
        found, expected = ours.predict_proba(X[200:]), theirs.predict_proba(of_others)
        for share, wanted in zip(found, expected, strict=True):
            np.testing.assert_allclose(share, wanted, atol=1e-6)
        assert isinstance(found, list) == isinstance(expected, list) == (targets is several)
        ours = EMDKNeighborsRegressor(4, weights=weights, coordinates=GRID)
        theirs = sklearn.neighbors.KNeighborsRegressor(4, weights=weights, metric="precomputed")
        ours.fit(X[:200], targets[:200])
        theirs.fit(of_fitted, targets[:200])
        np.testing.assert_allclose(ours.predict(X[200:]), theirs.predict(of_others), rtol=1e-6)


def test_names_of_several_outputs():
    X, y = np.eye(3), np.array([["a", "x"], ["b", "x"], ["b", "y"]])
    model = EMDKNeighborsClassifier(1).fit(X, y)
    assert [list(names) for names in model.classes_] == [["a", "b"], ["x", "y"]]
    assert model.predict([[0, 0, 1]]).tolist() == [["b", "y"]]


def test_a_column_is_flattened_with_a_warning(digits):
    X, y, _, _ = digits
    with pytest.warns(DataConversionWarning, match="column-vector"):
        model = EMDKNeighborsClassifier(1, coordinates=GRID).fit(X[:50], y[:50, np.newaxis])
    assert model.predict(X[:3]).shape == (3,)


def test_a_line_is_learned(digits):
    rng = np.random.default_rng(0)
    middle = rng.uniform(2, 18, 300)
    X = np.exp(-((np.arange(20) - middle[:, np.newaxis]) ** 2))
    model = EMDKNeighborsRegressor(3, weights="distance")
    assert cross_val_score(model, X, middle, cv=3).min() > 0.99


def test_samples_without_weight_get_the_mean():
    X, y = np.vstack([np.eye(3), np.zeros((1, 3))]), [1.0, 2, 3, 10]
    for weights in ("uniform", "distance", fading):
        model = EMDKNeighborsRegressor(2, weights=weights).fit(X, y)
        np.testing.assert_allclose(model.predict(np.zeros((1, 3))), [4])
        assert np.isfinite(model.predict(None)).all()


@pytest.mark.parametrize("estimator", [EMDKNeighborsClassifier, EMDKNeighborsRegressor])
def test_bad_weights_are_refused(estimator):
    X, y = np.eye(3), [0, 1, 2]
    with pytest.raises(ValueError, match="expected 'uniform', 'distance' or a function"):
        estimator(weights="x").fit(X, y)
    with pytest.raises(ValueError, match=r"weights made \(2,\) out of distances \(1, 2\)"):
        estimator(2, weights=lambda distances: distances[0]).fit(X, y).predict([[0, 1, 0]])
