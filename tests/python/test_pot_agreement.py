"""The exact and the entropic distance against POT, an independent implementation."""

import os

import navvy
import numpy as np
import ot
import pytest

pytestmark = pytest.mark.peer("POT", "POT")

THOROUGH = "NAVVY_THOROUGH" in os.environ


def random_problem(rng, most_bins):
    """Weights and Euclidean costs, with ties, coinciding places and very uneven weights."""
    rows, columns = rng.integers(1, most_bins + 1, size=2)
    dimensions = rng.choice([1, 2, 3, 30, 300], p=[0.3, 0.3, 0.3, 0.08, 0.02])
    places = rng.normal(size=(rows + columns, dimensions))
    if rng.random() < 0.4:
        places = np.round(2 * places)
    weights = rng.random(rows + columns) + 0.01
    if rng.random() < 0.3:
        weights = 10.0 ** (-6 * weights)
    p = weights[:rows] / weights[:rows].sum()
    q = weights[rows:] / weights[rows:].sum()
    costs = np.sqrt(((places[:rows, None] - places[None, rows:]) ** 2).sum(axis=-1))
    return p, q, costs


def test_emd_agrees_with_pot():
    for seed in range(1_000_000 if THOROUGH else 20_000):
        rng = np.random.default_rng(seed)
        problem = random_problem(rng, 40 if seed % 20 == 0 else 8)
        expected = ot.emd2(*problem, numItermax=10**6)
        # Where everything coincides both are 0 up to rounding of the weights.
        slack = 1e-6 * expected + 1e-15 * problem[2].max()
        assert abs(navvy.emd(*problem) - expected) <= slack, f"seed {seed}"


def test_sinkhorn_agrees_with_pot():
    for seed in range(1_000 if THOROUGH else 200):
        p, q, costs = random_problem(np.random.default_rng(seed), 12)
        # The default: lambda 20, on costs divided by the largest.
        costs /= max(costs.max(), 1e-300)
        reg = 1 / 20
        expected = ot.sinkhorn2(
            p, q, costs, reg, method="sinkhorn_log", stopThr=1e-9, numItermax=100_000, warn=True
        )
        found = navvy.sinkhorn(p, q, costs, settings=navvy.Sinkhorn(lam=1, cost_scale=reg))
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-9, err_msg=f"seed {seed}")
