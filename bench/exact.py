"""Exact search against solving every pair with POT: solves, time, and what each bound is worth.

    python bench/exact.py NAME=FILE.navvy... [--queries 100] [--write]

For each index: `exact_bench` with all bounds and with each family left out, on one thread; then
POT's `emd2` on a sample of pairs of the same rows, on one thread, extrapolated to all rows. Last,
one solve by POT's C++ core and by navvy on the same random pairs. --write puts the tables into
bench/results/exact.md.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
import ot  # noqa: E402
from ot.lp import emd_c  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "build" / "release" / "bench" / "exact_bench"
POT_PAIRS = 300
SOLVER_PAIRS = {80: 200, 150: 50, 500: 8}


def search_lines(index, queries):
    """One record per variant; the first is the warm-up, which makes the projections."""
    run = subprocess.run([BENCH, index, str(queries)], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in run.stdout.splitlines()][1:]


def pairs_of(index, count):
    """Pairs of rows as weights and costs, written by exact_bench."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs"
        subprocess.run([BENCH, "--pairs", index, str(count), path], check=True)
        values = np.fromfile(path)
    place = 0
    while place < len(values):
        rows, columns = int(values[place]), int(values[place + 1])
        parts = np.split(
            values[place + 2 :], [rows, rows + columns, rows + columns + rows * columns]
        )
        yield parts[0], parts[1], parts[2].reshape(rows, columns)
        place += 2 + rows + columns + rows * columns


def pot_seconds(problems):
    """Seconds per pair of POT's emd2, the costs at hand."""
    start = time.perf_counter()
    for p, q, costs in problems:
        ot.emd2(p / p.sum(), q / q.sum(), costs)
    return (time.perf_counter() - start) / len(problems)


def index_table(name, index, queries):
    records = search_lines(index, queries)
    each = pot_seconds(list(pairs_of(index, POT_PAIRS)))
    full = records[0]
    rows = full["rows"]
    lines = [
        f"## {name}: {rows} rows, {full['queries']} queries, top 16, one thread",
        "",
        f"POT `emd2`: {1e3 * each:.3f} ms per pair over {POT_PAIRS} pairs, "
        f"so {each * rows:.1f} s for all rows of a query; "
        f"navvy answers exactly in {full['median_seconds']:.3f} s (median), "
        f"**{each * rows / full['median_seconds']:.0f} times** faster.",
        "",
        "| bounds | median solves | most solves | median seconds |",
        "|---|---|---|---|",
    ]
    for record in records:
        lines.append(
            f"| {record['variant']} | {record['median_solves']:.0f} | {record['max_solves']:.0f} "
            f"| {record['median_seconds']:.3f} |"
        )
    lines += ["", "| stage | rows per query | ms per query |", "|---|---|---|"]
    for stage, value in full["stages"].items():
        lines.append(f"| {stage} | {value['rows']:.0f} | {1e3 * value['seconds']:.1f} |")
    return [*lines, ""]


def solver_table():
    lines = [
        "## One solve",
        "",
        "Random weights at random pixels of a 28 x 28 grid, costs at hand; best of three rounds.",
        "",
        "| bins | navvy ms | POT C++ core ms |",
        "|---|---|---|",
    ]
    for bins, count in SOLVER_PAIRS.items():
        rng = np.random.default_rng(1)
        problems = []
        for _ in range(count):
            p, q = rng.random((2, bins))
            a, b = rng.integers(0, 28, size=(2, bins, 2)).astype(float)
            costs = np.sqrt(((a[:, None] - b[None]) ** 2).sum(axis=-1))
            problems.append((p / p.sum(), q / q.sum(), np.ascontiguousarray(costs)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pairs"
            np.concatenate(
                [np.concatenate([[bins, bins], p, q, c.ravel()]) for p, q, c in problems]
            ).tofile(path)
            run = subprocess.run(
                [BENCH, "--solve", path], check=True, capture_output=True, text=True
            )
        rounds = []
        for _ in range(3):
            start = time.perf_counter()
            total = sum(emd_c(p, q, c, 1_000_000, 1)[1] for p, q, c in problems)
            rounds.append((time.perf_counter() - start) / count)
        ours, our_total = map(float, run.stdout.split())
        if abs(our_total - total) > 1e-9 * total:
            sys.exit(f"{bins} bins: the sum of distances is {our_total}, POT says {total}")
        lines.append(f"| {bins} | {1e3 * ours:.3f} | {1e3 * min(rounds):.3f} |")
    return [*lines, ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("indexes", nargs="+", metavar="NAME=FILE")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = [
        "# Exact search",
        "",
        f"Made by `{' '.join(['python', *sys.argv])}` with POT {ot.__version__}.",
        "",
    ]
    for entry in options.indexes:
        name, index = entry.split("=", 1)
        lines += index_table(name, index, options.queries)
    lines += solver_table()
    text = "\n".join(lines)
    print(text)
    if options.write:
        results = ROOT / "bench" / "results"
        results.mkdir(exist_ok=True)
        (results / "exact.md").write_text(text)


if __name__ == "__main__":
    main()
