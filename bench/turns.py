"""Two builds of the command in turns on the same jobs: is the new one as fast as the old?

    python3 bench/turns.py OLD [NEW] [--rounds 5] [--only TEXT]

A single run of the same binary differs by up to a third on a shared machine. Each round runs a job
with both, one right after the other, the first in turns, and the median of the ratios of the rounds
is printed. Results go to memory where the system has a folder for that: how long a disk takes to
write them would hide the rest. Needs the public data sets; says so and stops without them, and
without an old build.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import engine
import memory

IMAGES, BACKGROUND, POSTS = 20000, 4000, 9414
MEMORY = Path("/dev/shm")


def jobs() -> dict[str, list[object]]:
    """The arguments of each job by name."""
    images = memory.some_images(IMAGES)
    background = memory.some_images(BACKGROUND, "--keep-background")
    posts = memory.some_posts(POSTS)
    folder = MEMORY if MEMORY.exists() else engine.WORK
    graph = ["-o", folder / "turns.npz"]
    matrix = ["-o", folder / "turns.npy"]
    act = ["--measure", "act-1"]
    return {
        "images, all pairs, act-1": ["knn", images, *act, *graph],
        "images, all pairs, rwmd, top 128": [
            *("knn", images, "--measure", "rwmd", "--top", 128),
            *graph,
        ],
        "images with background, all pairs, act-7": [
            *("knn", background, "--measure", "act-7"),
            *graph,
        ],
        "texts, all pairs, act-1": ["knn", posts, *act, *graph],
        "images, 64 queries": ["search", images, "--row", "0:64", *act],
        "images, 1 query": ["search", images, "--row", "7", *act],
        "texts, 64 queries": ["search", posts, "--row", "0:64", *act],
        "texts, 1 query": ["search", posts, "--row", "7", *act],
        "matrix of 6,000 images": ["distances", images, "--rows", "0:6000", "--queries", "0:6000"]
        + [*act, *matrix],
        "images, exact, 20 queries": ["search", images, "--row", "0:20", "--measure", "emd"],
        "texts, exact, 4 queries": ["search", posts, "--row", "0:4", "--measure", "emd"],
        "images, all pairs, bow": ["knn", images, "--measure", "bow", *graph],
        "texts, all pairs, bow": ["knn", posts, "--measure", "bow", *graph],
        "images, all pairs, wcd": ["knn", images, "--measure", "wcd", *graph],
        "texts, all pairs, wcd": ["knn", posts, "--measure", "wcd", *graph],
    }


def seconds(program: Path, arguments: list[object]) -> float:
    start = time.perf_counter()
    subprocess.run(
        [program, *map(str, arguments), "--json"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def compare(old: Path, new: Path, arguments: list[object], rounds: int) -> tuple[float, float]:
    """The median of the ratios, and the least time of the new build."""
    ratios, times = [], []
    for number in range(rounds):
        order = [old, new] if number % 2 == 0 else [new, old]
        taken = {program: seconds(program, arguments) for program in order}
        ratios.append(taken[new] / taken[old])
        times.append(taken[new])
    return statistics.median(ratios), min(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", nargs="?", type=Path)
    parser.add_argument("new", nargs="?", type=Path, default=engine.NAVVY)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="a part of a job's name")
    options = parser.parse_args()
    if options.old is None:
        print("turns: no old build of the command was named", file=sys.stderr)
        return 0
    if not engine.has_data("turns"):
        return 0
    kernels = json.loads(subprocess.check_output([options.new, "info", "--json"]))["kernels"]
    print(f"| job ({kernels}, {options.rounds} rounds) | new / old | new |\n|---|---|---|")
    for name, arguments in jobs().items():
        if options.only in name:
            ratio, least = compare(options.old, options.new, arguments, options.rounds)
            print(f"| {name} | {ratio:.2f} | {least:.2f} s |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
