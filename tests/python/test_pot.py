"""Look-alikes of POT's functions against POT itself."""

import navvy
import navvy.pot
import numpy as np
import ot
import pytest

pytestmark = pytest.mark.peer("POT", "POT")


def problem(seed, mass=1.0, targets=None):
    """Weights with zeros among them, and costs."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 12, 2)
    a = rng.random(rows) * (rng.random(rows) < 0.8)
    b = rng.random((columns, targets or 1)) * (rng.random((columns, targets or 1)) < 0.8)
    a[0] += 0.1
    b[0] += 0.1
    a, b = mass * a / a.sum(), mass * b / b.sum(axis=0)
    return a, b if targets else b[:, 0], rng.random((rows, columns))


def check_duals(log, a, b, costs):
    """That they prove the cost to be the least."""
    assert np.all(log["u"][:, np.newaxis] + log["v"] <= costs + 1e-12)
    assert a @ log["u"] + b @ log["v"] == pytest.approx(log["cost"], abs=1e-9)


@pytest.mark.parametrize("mass", [1.0, 7.5])
def test_costs_and_plans_of_emd(mass):
    for seed in range(60):
        a, b, costs = problem(seed, mass)
        cost, log = navvy.emd2(a, b, costs, log=True, return_matrix=True)
        expected = ot.emd2(a, b, costs)
        assert cost == pytest.approx(expected, rel=1e-9, abs=1e-12)
        assert cost == navvy.emd2(a, b, costs) == log["cost"]
        np.testing.assert_array_equal(navvy.pot.emd(a, b, costs), log["G"])
        np.testing.assert_allclose(log["G"].sum(axis=1), a, atol=1e-9)
        np.testing.assert_allclose(log["G"].sum(axis=0), b, atol=1e-9)
        assert (log["G"] * costs).sum() == pytest.approx(cost)
        check_duals(log, a, b, costs)
        # Both sides have the same share, as POT centres them.
        assert a @ log["u"] == pytest.approx(b @ log["v"], abs=1e-9)
        plan, other = navvy.pot.emd(a, b, costs, log=True, center_dual=False)
        check_duals(other, a, b, costs)
        assert (plan * costs).sum() == pytest.approx(other["cost"])


def test_the_log_has_the_keys_of_pot():
    a, b, costs = problem(3)
    _, ours = navvy.emd2(a, b, costs, log=True, return_matrix=True)
    _, theirs = ot.emd2(a, b, costs, log=True, return_matrix=True)
    assert set(ours) == set(theirs)
    assert ours["warning"] is theirs["warning"] is None
    assert ours["result_code"] == theirs["result_code"]


def test_empty_weights_are_equal_ones():
    _, b, costs = problem(4)
    for p, q in (([], b), ([], [])):
        assert navvy.emd2(p, q, costs) == pytest.approx(ot.emd2(p, q, costs))
        assert navvy.emd(p, q, costs) == pytest.approx(ot.emd2(p, q, costs))
        np.testing.assert_allclose(
            navvy.pot.sinkhorn(p, q, costs, 0.1), ot.sinkhorn(p, q, costs, 0.1), atol=1e-7
        )
    assert navvy.rwmd([], [], costs) <= navvy.act([], [], costs) <= navvy.emd([], [], costs)


def test_several_targets_at_once():
    a, b, costs = problem(5, targets=4)
    a = (a + 0.1) / (a + 0.1).sum()
    expected = [ot.emd2(a, column, costs) for column in b.T]
    assert navvy.emd2(a, b, costs) == pytest.approx(expected)
    for cost, log in navvy.emd2(a, b, costs, log=True):
        assert cost == log["cost"]
    found = navvy.sinkhorn2(a, b, costs, 0.2)
    np.testing.assert_allclose(found, ot.sinkhorn2(a, b, costs, 0.2), rtol=1e-5)
    assert isinstance(found, np.ndarray)
    with pytest.raises(ValueError, match="b has 2 dimensions; expected 1"):
        navvy.pot.emd(a, b, costs)


@pytest.mark.parametrize("function", ["sinkhorn", "sinkhorn2"])
@pytest.mark.parametrize("targets", [None, 1, 4])
def test_the_log_of_sinkhorn_has_the_shape_of_pot(function, targets):
    a, b, costs = problem(5, targets=targets)
    a, b = (a + 0.1) / (a + 0.1).sum(), (b + 0.1) / (b + 0.1).sum(axis=0)
    _, ours = getattr(navvy.pot, function)(a, b, costs, 0.2, log=True)
    _, theirs = getattr(ot, function)(a, b, costs, 0.2, log=True)
    assert set(theirs) <= set(ours) and isinstance(ours["err"], list)
    assert ours["err"][-1] < 1e-8 and ours["niter"] > 0
    for name in ("u", "v"):
        assert ours[name].shape == theirs[name].shape
    plans = [
        np.einsum("i...,ij,j...->ij...", log["u"], np.exp(-costs / 0.2), log["v"])
        for log in (ours, theirs)
    ]
    np.testing.assert_allclose(*plans, atol=1e-7)


@pytest.mark.differs("the iterations begin anew; from anywhere they lead to the same plan")
def test_a_warm_start_changes_nothing():
    a, b, costs = problem(6)
    a, b = (a + 0.1) / (a + 0.1).sum(), (b + 0.1) / (b + 0.1).sum()
    start = np.ones(len(a)), np.ones(len(b))
    ours = navvy.pot.sinkhorn(a, b, costs, 0.2, warmstart=start)
    np.testing.assert_array_equal(ours, navvy.pot.sinkhorn(a, b, costs, 0.2))
    np.testing.assert_allclose(ours, ot.sinkhorn(a, b, costs, 0.2, warmstart=start), atol=1e-7)
    cost = navvy.pot.sinkhorn2(a, b, costs, 0.2, warmstart=start)
    assert cost == pytest.approx(ot.sinkhorn2(a, b, costs, 0.2, warmstart=start), rel=1e-6)


@pytest.mark.parametrize("mass", [1.0, 3.0])
@pytest.mark.parametrize("method", ["sinkhorn", "sinkhorn_log", "sinkhorn_stabilized"])
def test_plans_and_costs_of_sinkhorn(mass, method):
    for seed in range(20):
        a, b, costs = problem(seed, mass)
        a, b = a + 0.1, b + 0.1
        b *= a.sum() / b.sum()
        expected = ot.sinkhorn(a, b, costs, 0.1, method=method, numItermax=5000, stopThr=1e-10)
        plan, log = navvy.pot.sinkhorn(
            a, b, costs, 0.1, method=method, numItermax=5000, stopThr=1e-10, log=True
        )
        np.testing.assert_allclose(plan, expected, atol=1e-8)
        kernel = np.exp(-costs / 0.1)
        np.testing.assert_allclose(log["u"][:, np.newaxis] * kernel * log["v"], plan, rtol=1e-9)
        np.testing.assert_allclose(np.exp(log["log_u"]), log["u"])
        assert log["niter"] > 0 and log["converged"]
        cost = navvy.sinkhorn2(a, b, costs, 0.1, numItermax=5000, stopThr=1e-10)
        assert cost == pytest.approx((plan * costs).sum(), rel=1e-9)


def test_bins_without_weight_have_no_scaling():
    _, log = navvy.pot.sinkhorn([0, 1], [0.5, 0.5], [[0, 1], [1, 0]], 0.5, log=True)
    assert log["u"][0] == 0 and log["log_u"][0] == -np.inf


def test_what_has_not_converged_is_warned_of():
    arguments = ([0.4, 0.6], [0.5, 0.5], [[0, 1], [1, 0]], 0.05)
    with pytest.warns(UserWarning, match="has not converged in 2 iterations"):
        navvy.pot.sinkhorn(*arguments, numItermax=2, stopThr=1e-15)
    navvy.sinkhorn2(*arguments, numItermax=2, stopThr=1e-15)  # as in POT, silent unless asked
    _, log = navvy.sinkhorn2(*arguments, numItermax=2, stopThr=1e-15, log=True)
    assert not log["converged"] and log["niter"] == 2


def test_unequal_masses_are_refused():
    costs = [[0, 1], [1, 0]]
    for function in (navvy.emd2, navvy.pot.emd):
        with pytest.raises(ValueError, match="a sums to 1, b to 2; expected the same sum"):
            function([0.5, 0.5], [1, 1], costs)
    with pytest.raises(ValueError, match="column 1 of b to 2"):
        navvy.emd2([0.5, 0.5], [[0.5, 1], [0.5, 1]], costs)
    with pytest.raises(ValueError, match="expected the same sum"):
        navvy.sinkhorn2([0.5, 0.5], [1, 1], costs, 0.1)
    unchecked = navvy.emd2([0.5, 0.5], [1, 3], costs, check_marginals=False)
    assert unchecked == pytest.approx(ot.emd2([0.5, 0.5], [1.0, 3.0], costs, check_marginals=False))
    assert navvy.emd([0.5, 0.5], [1, 3], costs) == pytest.approx(unchecked)  # scales both


@pytest.mark.differs("POT casts a plan to the integers that weights are, with a warning")
def test_integers_are_numbers():
    a, b, costs = np.array([1, 1]), np.array([2, 0]), np.array([[0, 1.5], [1.5, 0]])
    assert navvy.pot.emd(a, b, costs).dtype == float
    with pytest.warns(UserWarning, match="consists of integer"):
        assert ot.emd(a, b, costs).dtype == int


@pytest.mark.differs("costs are distances here; POT takes negative ones too")
def test_negative_costs_are_refused():
    with pytest.raises(ValueError, match="expected a finite number of at least 0"):
        navvy.emd2([1.0], [1.0], [[-1.0]])
    assert ot.emd2([1.0], [1.0], np.array([[-1.0]])) == -1


@pytest.mark.differs("bad values are a ValueError, where POT fails an assertion")
def test_masses_that_differ_are_a_value_error():
    with pytest.raises(ValueError, match="expected the same sum"):
        navvy.emd2([1.0], [2.0], [[1.0]])
    with pytest.raises(AssertionError):
        ot.emd2([1.0], [2.0], np.array([[1.0]]))


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (([1], [1], [[1]], 0), ValueError, "reg is 0; expected a positive number"),
        (([1], [1], [[1]], 1, "greenkhorn"), ValueError, "method is 'greenkhorn'"),
        (([1], [1], [[-1]], 1), ValueError, "expected a finite number of at least 0"),
        (([1], [[1], [1]], [[1]], 1), ValueError, "b has 2 rows; expected 1"),
        (([1], [1], [[1]], 1, "sinkhorn", 0), ValueError, "numItermax is 0"),
        (([np.nan], [1], [[1]], 1), ValueError, "expected the same sum"),
    ],
)
def test_bad_input_is_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        navvy.sinkhorn2(*arguments)
