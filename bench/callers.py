"""Many callers on one index: do threads of Python share the cores, or wait for each other?

Written to bench/results/callers.md: queries per second from 1, 2, 4 and 16 threads on one
navvy.Index, each call with one thread of its own, over MNIST and 20 Newsgroups. Needs the public
data sets; says so and stops without them.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import engine
import navvy
import numpy as np

RESULTS = engine.ROOT / "bench" / "results" / "callers.md"
HEAD = """# Callers

Written by `./dev bench callers`: single queries under act-1, top 16, each with one thread, from so
many threads of Python on one index. Answers are compared with those of one caller, to the bit.
"""
ROUNDS = 3


def answer(index: navvy.Index, row: int) -> np.ndarray:
    return index.search(rows=[row], top=16, measure="act-1", threads=1).distances


def table(name: str, index: navvy.Index, queries: int) -> str:
    text = f"\n## {name}: {len(index)} rows, {queries} queries, {os.cpu_count()} cores\n\n"
    text += "| callers | queries per second | of one caller |\n|---|---|---|\n"
    rows = np.linspace(0, len(index) - 1, queries).astype(int).tolist()
    expected = [answer(index, row) for row in rows]
    alone = 0.0
    for callers in (1, 2, 4, 16):
        best = 0.0
        for _ in range(ROUNDS):
            with ThreadPoolExecutor(callers) as pool:
                start = time.perf_counter()
                found = list(pool.map(lambda row: answer(index, row), rows))
                best = max(best, queries / (time.perf_counter() - start))
            assert all(map(np.array_equal, found, expected))
        alone = alone or best
        text += f"| {callers} | {best:.0f} | {best / alone:.2f} x |\n"
    return text


def main() -> int:
    if not engine.has_data("callers"):
        return 0
    text = HEAD + table("MNIST", navvy.Index.open(engine.mnist("mnist.navvy")), 64)
    text += table("20 Newsgroups", navvy.Index.open(engine.news()), 64)
    RESULTS.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
