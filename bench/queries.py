"""Latency of queries with the stage of signatures on and off; to bench/results/queries.md.

Needs the public data sets (see CONTRIBUTING.md); says so and stops without them.
"""

import re
import subprocess
import sys

import engine

BENCH = engine.ROOT / "build" / "release" / "bench" / "queries_bench"
RESULTS = engine.ROOT / "bench" / "results" / "queries.md"
HEAD = """# Queries

Written by `./dev bench queries`. Milliseconds of one thread per query, rows of the index as
queries, those of both columns in turns and equal to the bit. *Before*: the backend "cpu-unsigned",
without the stage of signatures. From 32 queries on both go through tables of many queries.
"""
LINE = re.compile(r"(\S+) +batch +(\d+) +p50 +(\S+) +p95 +(\S+) +p99 +(\S+) ms")
JOBS = [("act-1", 10), ("act-1", 128), ("act-7", 10), ("omr", 10), ("ict", 10)]


def table(index, measure: str, top: int) -> str:
    queries = 64 if measure == "ict" else 256
    command = [BENCH, index, measure, top, queries, 1, 8, 64]
    out = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    print(out, file=sys.stderr, flush=True)
    found = {(name, int(batch)): figures for name, batch, *figures in LINE.findall(out)}
    text = f"\n## MNIST, {measure}, top {top}\n\n"
    text += "| queries together | median | 95 % | 99 % | before: median | 95 % | 99 % | times |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    for batch in (1, 8, 64):
        now, before = found["cpu", batch], found["cpu-unsigned", batch]
        gain = float(before[0]) / float(now[0])
        cells = [f"{float(value):.2f}" for value in (*now, *before)]
        text += f"| {batch} | {' | '.join(cells)} | {gain:.1f} |\n"
    return text


def main() -> int:
    if not engine.has_data("queries"):
        return 0
    index = engine.mnist("mnist.navvy")
    text = HEAD + "".join(table(index, measure, top) for measure, top in JOBS)
    print(text)
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
