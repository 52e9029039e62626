"""Pair functions against scipy and POT."""

import navvy
import numpy as np
import ot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog

weights = (
    st.integers(1, 6)
    .flatmap(lambda n: hnp.arrays(np.float64, n, elements=st.integers(0, 9).map(float)))
    .filter(lambda values: values.sum() > 0)
)


@st.composite
def pairs(draw):
    p, q = draw(weights), draw(weights)
    costs = draw(hnp.arrays(np.float64, (len(p), len(q)), elements=st.integers(0, 99).map(float)))
    return p, q, costs


def exact_cost(p, q, costs):
    """The transport problem as a linear program."""
    m, n = costs.shape
    sums = np.vstack([np.kron(np.eye(m), np.ones(n)), np.kron(np.ones(m), np.eye(n))])
    done = linprog(costs.ravel(), A_eq=sums, b_eq=np.concatenate([p / p.sum(), q / q.sum()]))
    return done.fun


@given(pairs())
@settings(max_examples=60)
def test_emd_is_the_optimum_of_the_linear_program(pair):
    p, q, costs = pair
    distance, flow = navvy.emd(*pair, return_flow=True)
    assert distance == pytest.approx(exact_cost(*pair), abs=1e-6)
    assert (flow * costs).sum() == pytest.approx(distance, abs=1e-9)
    np.testing.assert_allclose(flow.sum(axis=1), p / p.sum(), atol=1e-9)
    np.testing.assert_allclose(flow.sum(axis=0), q / q.sum(), atol=1e-9)


@given(pairs())
@settings(max_examples=100)
def test_relaxations_are_ordered_bounds(pair):
    values = [navvy.rwmd(*pair), navvy.omr(*pair), navvy.act(*pair)]
    values += [navvy.act(*pair, 3), navvy.ict(*pair)]
    assert np.all(np.diff(values) >= -1e-12)  # sums of the same terms in another order
    assert values[-1] <= navvy.emd(*pair) + 1e-9
    assert navvy.act(*pair, 0) == navvy.rwmd(*pair)


@given(pairs())
@settings(max_examples=60)
def test_rwmd_is_the_larger_side_of_nearest_bins(pair):
    p, q, costs = pair
    there = (p / p.sum()) @ costs[:, q > 0].min(axis=1)
    back = (q / q.sum()) @ costs[p > 0].min(axis=0)
    kept = (p[p > 0], q[q > 0], costs[np.ix_(p > 0, q > 0)])
    assert navvy.rwmd(*kept) == pytest.approx(max(there, back))
    assert navvy.rwmd(*kept, direction="forward") == pytest.approx(there)
    _, flow = navvy.rwmd(*kept, direction="forward", return_flow=True)
    np.testing.assert_allclose(flow.sum(axis=1), kept[0] / p.sum())


def test_emd_and_sinkhorn_are_those_of_pot():
    rng = np.random.default_rng(3)
    p, q, costs = rng.random(20), rng.random(15), rng.random((20, 15))
    p, q = p / p.sum(), q / q.sum()
    assert navvy.emd(p, q, costs) == pytest.approx(ot.emd2(p, q, costs), rel=1e-6)
    plan = ot.sinkhorn(p, q, costs, costs.max() / 20, stopThr=1e-10, numItermax=10000)
    distance, flow = navvy.sinkhorn(p, q, costs, return_flow=True)
    np.testing.assert_allclose(flow, plan, atol=1e-7)
    assert distance == pytest.approx((plan * costs).sum(), rel=1e-6)
    looser = navvy.sinkhorn(p, q, costs, settings=navvy.Sinkhorn(lam=5))
    assert looser > distance


@pytest.mark.parametrize(
    ("p", "q", "costs", "error", "text"),
    [
        ([1, -1], [1], [[1], [2]], ValueError, "weight 1 of p is -1"),
        ([1, 1], [1], [[1]], ValueError, "the cost matrix is 1 x 1"),
        ([0], [1], [[1]], ValueError, "has no weight"),
        ([1], [1], [[np.nan]], ValueError, "expected a finite number"),
        ([1], [1], [1], ValueError, "C has 1 dimensions; expected 2"),
        (["a"], [1], [[1]], TypeError, "p is <U1; expected real numbers"),
        ([1j], [1], [[1]], TypeError, "expected real numbers"),
    ],
)
def test_bad_input_is_refused(p, q, costs, error, text):
    with pytest.raises(error, match=text):
        navvy.emd(p, q, costs)


def test_bad_iterations_are_refused():
    with pytest.raises(ValueError, match="iterations is -1"):
        navvy.act([1], [1], [[1]], -1)
    with pytest.raises(TypeError, match="iterations is 1.5"):
        navvy.act([1], [1], [[1]], 1.5)


def test_migration_levels_are_act():
    rng = np.random.default_rng(4)
    points, x, y = rng.random((12, 4)), rng.random((3, 12)), rng.random((5, 12))
    for level, measure in enumerate(["rwmd", "act-1", "act-3", "act-7", "act-15"]):
        found = navvy.word_movers_distance(points, x, y, level)
        expected = navvy.Index.from_histograms(y, points).distances(x, measure)
        assert found.shape == (3, 5)
        np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="expected 0 to 4"):
        navvy.word_movers_distance(points, x, y, 5)
