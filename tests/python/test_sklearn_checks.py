"""scikit-learn's own checks of estimators: those of check_estimator, and those that it keeps for
its own estimators. docs/python.md says which run."""

import re

import navvy.sklearn
import pandas as pd
import pytest
import sklearn
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

pytestmark = pytest.mark.peer("scikit-learn", "scikit-learn")

ESTIMATORS = [
    getattr(navvy.sklearn, name)() for name in navvy.sklearn.__all__ if name.startswith("EMD")
]
FURTHER = [
    "check_dataframe_column_names_consistency",
    "check_n_features_in_after_fitting",
    "check_do_not_raise_errors_in_init_or_set_params",
]
OF_TRANSFORMERS = [
    "check_get_feature_names_out_error",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_set_output_transform_polars",
    "check_global_output_transform_pandas",
    "check_global_set_output_transform_polars",
]


@parametrize_with_checks(ESTIMATORS)
def test_the_checks_of_check_estimator(estimator, check):
    check(estimator)


def further_checks():
    for estimator in ESTIMATORS:
        transforms = hasattr(estimator, "transform")
        for name in FURTHER + (OF_TRANSFORMERS if transforms else []):
            yield pytest.param(estimator, name, id=f"{type(estimator).__name__}-{name}")


# The checks of set_output fit and transform now tables, now arrays.
@pytest.mark.filterwarnings("ignore:X (does not have valid|has) feature names:UserWarning")
@pytest.mark.parametrize(("estimator", "check"), list(further_checks()))
def test_checks_that_scikit_learn_keeps_for_itself(estimator, check):
    getattr(estimator_checks, check)(type(estimator).__name__, sklearn.clone(estimator))


def test_swapped_columns_are_refused():
    X = pd.DataFrame({"a": [1.0, 0, 0], "b": [0, 1.0, 0], "c": [0, 0, 1.0]})
    swapped = X[["b", "a", "c"]]
    for estimator in ESTIMATORS:
        few = {"n_neighbors": 1} if "n_neighbors" in estimator.get_params() else {}
        model = sklearn.clone(estimator).set_params(**few)
        model.fit(X, [0, 1, 2])
        assert list(model.feature_names_in_) == ["a", "b", "c"]
        asked = "kneighbors" if hasattr(model, "kneighbors") else "radius_neighbors"
        with pytest.raises(ValueError, match="same order as they were in fit"):
            getattr(model, asked)(swapped)


def test_the_docs_name_every_further_check(root):
    text = (root / "docs" / "python.md").read_text()
    named = set(re.findall(r"`(check_\w+)`", text))
    assert named >= {*FURTHER, *OF_TRANSFORMERS}
