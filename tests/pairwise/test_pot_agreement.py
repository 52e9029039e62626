"""The exact and the entropic distance against POT, an independent implementation."""

import os
import subprocess
from pathlib import Path

import numpy as np
import ot

ROOT = Path(__file__).resolve().parents[2]
PROBE = ROOT / "build" / "release" / "tests" / "pairwise_probe"
THOROUGH = "NAVVY_THOROUGH" in os.environ
SEED = int(os.environ.get("NAVVY_SEED", "1"))


def random_problem(rng, most_bins):
    """Weights and Euclidean costs, with ties, coinciding places and very uneven weights."""
    rows, columns = rng.integers(1, most_bins + 1, size=2)
    dimensions = rng.choice([1, 2, 3, 30, 300])
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


def probe(measure, problems, reg=1.0):
    """Distances by navvy. POT's kernel is exp(-C / reg): lambda 1 and cost scale reg here."""
    assert PROBE.is_file(), f"{PROBE} is missing: build the release preset first"
    lines = []
    for p, q, costs in problems:
        numbers = np.concatenate([p, q, costs.ravel()])
        head = f"{measure} 1 {reg!r} {len(p)} {len(q)} "
        lines.append(head + " ".join(map(repr, numbers.tolist())))
    run = subprocess.run([PROBE], input="\n".join(lines), text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
    found = np.array(run.stdout.split(), dtype=float)
    assert len(found) == len(problems)
    return found


def test_emd_agrees_with_pot():
    rng = np.random.default_rng(SEED)
    # Ten thousand pairs, most of them small: text and POT take longer than the distances.
    problems = [random_problem(rng, 12) for _ in range(9_000)]
    problems += [random_problem(rng, 100 if THOROUGH else 40) for _ in range(1_000)]
    expected = np.array([ot.emd2(*problem, numItermax=10**6) for problem in problems])
    scale = np.array([costs.max() for _, _, costs in problems])
    # Where everything coincides both are 0 up to rounding of the weights.
    np.testing.assert_array_less(
        np.abs(probe("emd", problems) - expected), 1e-6 * expected + 1e-15 * scale + 1e-300
    )


def test_sinkhorn_agrees_with_pot():
    rng = np.random.default_rng(SEED)
    problems = [random_problem(rng, 12) for _ in range(1_000 if THOROUGH else 200)]
    # The default: lambda 20, on costs divided by the largest.
    scaled = [(p, q, costs / max(costs.max(), 1e-300)) for p, q, costs in problems]
    reg = 1 / 20
    expected = [
        ot.sinkhorn2(
            *problem, reg, method="sinkhorn_log", stopThr=1e-9, numItermax=100_000, warn=True
        )
        for problem in scaled
    ]
    np.testing.assert_allclose(probe("sinkhorn", scaled, reg), expected, rtol=1e-4, atol=1e-9)
