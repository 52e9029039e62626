"""What it costs to cut an index, in CPU seconds; to bench/results/shards.md.

Pairs of rows across two shards against as many within one knn that starts from the same limits, and
all pairs in 1, 2, 4 and 7 shards against one index. With --small all is a tenth, and the figures
are printed, not written. Needs the public data sets; says so and stops without them.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engine
import navvy
import numpy as np
import scale

RESULTS = engine.ROOT / "bench" / "results" / "shards.md"
TURNS = 2
MOST = 1.2  # times as many pairs within one knn that pairs across two shards may take
PAIRED = {"MNIST": 40_000, "20 Newsgroups": 18_828}  # rows of two shards
COUNTED = {"MNIST": 20_000, "20 Newsgroups": 6000}  # rows of 1 to 7 shards
HEAD = f"""# Shards

Written by `./dev bench shards`. CPU seconds of all threads, the least of {TURNS} runs taken in
turns; act-1, top {scale.TOP}; rows shared out by a hash. Answers are compared with those of one
index, to the bit.

Every part starts from limits: what the own pairs of a shard gave. *Across* are the pairs of two
shards, for the lists of both; *one* is a single knn of all their rows from the same limits, of
which the pairs across are a share; *within* are the pairs of each shard with itself, about as many
as across, in tasks of their own with tables made for as many rows.
"""


def cpu(work: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def least(works: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], dict[str, Any]]:
    """In turns, so that what else the machine does meets all of them; and what each found."""
    seconds, found = dict.fromkeys(works, np.inf), {}
    for _ in range(TURNS):
        for name, work in works.items():
            taken, found[name] = cpu(work)
            seconds[name] = min(seconds[name], taken)
    return seconds, found


def same(found: navvy.Lists, matches: navvy.Matches) -> None:
    order = np.argsort(found.queries, kind="stable")
    assert found.rows[order].tobytes() == matches.rows.tobytes()
    assert found.distances[order].tobytes() == matches.distances.tobytes()


def pairs_of_two_shards(index: navvy.Index, matches: navvy.Matches, folder: Path) -> str:
    shards = navvy.split(index, folder / "two", 2, hashed=True)
    own = [shards.knn(k, k, scale.TOP) for k in range(2)]
    limits = [lists.limits() for lists in own]
    both = np.concatenate(limits)[np.argsort(np.concatenate([s.queries for s in own]))]
    navvy.split(index, folder / "one", 1)

    def task(name: str, a: int, b: int, given: Any) -> Callable[[], object]:
        ready = navvy.Shards.open(folder / name)
        return lambda: ready.knn(a, b, scale.TOP, limits=given)

    seconds, found = least(
        {
            "one": task("one", 0, 0, both),
            "across": task("two", 0, 1, limits),
            "first": task("two", 0, 0, limits[0]),
            "second": task("two", 1, 1, limits[1]),
        }
    )
    same(found["one"], matches)
    same(navvy.merge_lists([*own, found["across"]]), matches)
    a, b = (len(lists) for lists in own)
    share = a * b / ((a + b) * (a + b - 1) / 2)
    across, part = seconds["across"], share * seconds["one"]
    within = (seconds["first"] + seconds["second"]) * a * b / (a * (a - 1) / 2 + b * (b - 1) / 2)
    text = "| one | its share for the pairs across | across | within |\n|---|---|---|---|\n"
    text += f"| {seconds['one']:.2f} s | {part:.2f} s ({100 * share:.0f} %) "
    text += f"| {across:.2f} s, {across / part:.2f} of the share, {across / within:.2f} of within "
    text += f"| {within:.2f} s |\n\n"
    text += engine.bar(f"across at most {MOST} x the share of one", across <= MOST * part) + "\n"
    text += engine.bar(f"across at most {MOST} x within", across <= MOST * within) + "\n"
    return text


def numbers_of_shards(index: navvy.Index, matches: navvy.Matches, folder: Path) -> str:
    works: dict[str, Callable[[], Any]] = {"one index": lambda: index.knn_matches(scale.TOP)}
    for count in scale.COUNTS:
        shards = navvy.split(index, folder / str(count), count, hashed=True)
        works[f"{count}"] = lambda shards=shards: scale.knn_all(shards)
    seconds, found = least(works)
    text = "| shards | all pairs, merged | of one index, without limits |\n|---|---|---|\n"
    for name, taken in seconds.items():
        if name != "one index":
            same(found[name], matches)
        text += f"| {name} | {taken:.2f} s | {taken / seconds['one index']:.2f} |\n"
    return text


def index_of(name: str, rows: int) -> navvy.Index:
    if name == "MNIST":
        return navvy.Index.from_images(scale.images()[:rows])
    return navvy.Index.from_texts(scale.posts(rows), scale.vectors(), **scale.RECIPE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="a tenth, printed and not written")
    options = parser.parse_args()
    if not engine.has_data("shards"):
        return 0
    text = HEAD
    with tempfile.TemporaryDirectory(dir=engine.WORK) as work:
        for title, rows_of, table in (
            ("the pairs of two shards", PAIRED, pairs_of_two_shards),
            ("all pairs", COUNTED, numbers_of_shards),
        ):
            for name, rows in rows_of.items():
                index = index_of(name, rows // 10 if options.small else rows)
                matches = index.knn_matches(scale.TOP)
                text += f"\n## {name}, {len(index)} rows: {title}\n\n"
                text += table(index, matches, Path(tempfile.mkdtemp(dir=work)))
    text += """
A share of one is little for small shards: tables are made for all rows, whichever pairs are asked
for, and for texts they are most of the work up to some thousand rows.
"""
    print(text)
    if not options.small:
        RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
