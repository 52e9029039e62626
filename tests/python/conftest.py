"""What the tests of the package share. They run on an installed navvy, never on the tree."""

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, settings

# The other tests run where the package is not installed.
pytest.importorskip("navvy", reason="the package is tested from its wheel, by ./dev test")

# How long an example takes says something about the machine, nothing about the package.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def random_histograms(rows=40, columns=30, seed=0, density=0.3):
    """Rows with weight, canonical, float32 and scaled to sum 1."""
    rng = np.random.default_rng(seed)
    dense = rng.random((rows, columns)) * (rng.random((rows, columns)) < density)
    dense[np.arange(rows), rng.integers(0, columns, rows)] += 0.5
    return scipy.sparse.csr_matrix((dense / dense.sum(axis=1, keepdims=True)).astype(np.float32))


@pytest.fixture
def histograms():
    return random_histograms()


@pytest.fixture
def coordinates():
    return np.random.default_rng(1).random((30, 3)).astype(np.float32)
