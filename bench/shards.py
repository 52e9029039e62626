"""What shards cost, in CPU seconds: pairs across two shards against the same pairs within one index
from the same limits, and all pairs in 1, 2, 4 and 7 shards against one index.

    python3 bench/shards.py INDEX.navvy ROWS [MEASURE]

takes the first ROWS of an index. Each figure is the least of three, taken in turns.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import navvy
import numpy as np

TOP = 16
TURNS = 3


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def least(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """In turns, so that what else the machine does meets all of them."""
    found = dict.fromkeys(works, np.inf)
    for _ in range(TURNS):
        for name, work in works.items():
            found[name] = min(found[name], cpu(work))
    return found


def first_rows(index: navvy.Index, rows: int, folder: Path) -> navvy.Index:
    if rows >= len(index):
        return index
    index.remove(list(index.ids[rows:]))
    index.save(folder / "rows.navvy")
    return navvy.Index.open(folder / "rows.navvy")


def pairs_of_two_shards(index: navvy.Index, measure: str, folder: Path) -> None:
    shards = navvy.split(index, folder / "two", 2, hashed=True)
    own = [shards.knn(k, k, TOP, measure) for k in range(2)]
    limits = [lists.limits() for lists in own]
    both = np.concatenate(limits)[np.argsort(np.concatenate([s.queries for s in own]))]
    navvy.split(index, folder / "one", 1)

    def task(name: str, a: int, b: int, given: Any) -> Callable[[], object]:
        ready = navvy.Shards.open(folder / name)
        return lambda: ready.knn(a, b, TOP, measure, limits=given)

    found = least(
        {
            "one": task("one", 0, 0, both),
            "across": task("two", 0, 1, limits),
            "first": task("two", 0, 0, limits[0]),
            "second": task("two", 1, 1, limits[1]),
        }
    )
    one, across = found["one"], found["across"]
    both_alone = found["first"] + found["second"]  # as many rows and pairs as across
    print(f"one knn {one:.2f} s; pairs across {across:.2f} s, within {both_alone:.2f} s")
    print(
        f"across: {across / both_alone:.2f} x as many within, {2 * across / one:.2f} x half of all"
    )


def numbers_of_shards(index: navvy.Index, measure: str, folder: Path) -> None:
    one = least({"knn": lambda: index.knn_matches(TOP, measure)})["knn"]
    print(f"one index: knn {one:.2f} s")
    for count in (1, 2, 4, 7):
        shards = navvy.split(index, folder / str(count), count, hashed=True)

        def all_pairs(shards: navvy.Shards = shards) -> None:
            own = [shards.knn(k, k, TOP, measure) for k in range(len(shards))]
            parts = [*own]
            for a, b in shards.parts()[len(shards) :]:
                limits = (own[a].limits(), own[b].limits())
                parts.append(shards.knn(a, b, TOP, measure, limits=limits))
            navvy.merge_lists(parts)

        print(f"{count} shards: knn {cpu(all_pairs) / one:.2f} x")


def main() -> None:
    index = navvy.Index.open(sys.argv[1])
    measure = sys.argv[3] if len(sys.argv) > 3 else "act-1"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        index = first_rows(index, int(sys.argv[2]), folder)
        pairs_of_two_shards(index, measure, folder)
        numbers_of_shards(index, measure, folder)


if __name__ == "__main__":
    main()
