"""The engine's figures on MNIST and 20 Newsgroups, written to bench/results/engine.md.

Needs the public data sets (see CONTRIBUTING.md); says so and stops without them.
"""

import os
import re
import statistics
import subprocess
import sys
import tarfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("NAVVY_DATA", ROOT.parent / "shared" / "data"))
WORK = ROOT / "build" / "bench-data"
NAVVY = ROOT / "build" / "release" / "navvy"
BENCH = ROOT / "build" / "release" / "bench" / "engine_bench"
RESULTS = ROOT / "bench" / "results" / "engine.md"
HEAD = """# Engine

Written by `./dev bench engine`. L is the time of one fused multiply-add per (pair, bin with
weight) at the rate P that all threads reach in registers in the same run, the best of five tries.
Where "best of" is said, the jobs of a table were run in turns so many times: on a shared machine
a single run of the same binary differs by up to a third.
"""


def has_data(benchmark: str) -> bool:
    """Whether the data sets are there, with a folder for what is made of them; says so if not."""
    if not DATA.exists():
        print(f"{benchmark}: no data at {DATA}; set NAVVY_DATA", file=sys.stderr)
        return False
    WORK.mkdir(parents=True, exist_ok=True)
    return True


def bar(text: str, holds: bool) -> str:
    """A line that says whether figures are as good as they have to be."""
    return f"- {text}: {'holds' if holds else '**does not hold**'}"


def build(name: str, *options: object) -> Path:
    index = WORK / name
    if not index.exists():
        subprocess.run([NAVVY, "build", *map(str, options), "-o", index], check=True, stdout=2)
    return index


def mnist(name: str, *options: str) -> Path:
    return build(
        name,
        "--images",
        DATA / "mnist" / "train-images-idx3-ubyte.gz",
        "--labels",
        DATA / "mnist" / "train-labels-idx1-ubyte.gz",
        *options,
    )


def news() -> Path:
    folder = WORK / "20news-18828"
    if not folder.exists():
        with tarfile.open(DATA / "20news" / "20news-18828.tar.xz") as archive:
            archive.extractall(WORK, filter="data")
    return build(
        "news.navvy",
        "--corpus",
        folder,
        "--vectors",
        DATA / "vectors" / "glove-6b-100d-20news.bin.gz",
        "--encoding",
        "latin1",
        "--token-pattern",
        "[a-z]{2,}",
        "--as-in-paper",
    )


def over_stdin(index: Path, report: str) -> str:
    """A line of the table on texts: warm queries through a pipe, one after the other."""
    posts = sorted(path for path in (WORK / "20news-18828").rglob("*") if path.is_file())
    texts = [" ".join(path.read_text("latin1").split()) for path in posts[:: len(posts) // 201]]
    command = [NAVVY, "search", index, "--measure", "act-1", "--for", "similar"]
    command += ["--top", "16", "--json"]
    times = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for text in texts:
            start = time.perf_counter()
            process.stdin.write(text.encode() + b"\n")
            process.stdin.flush()
            process.stdout.readline()
            times.append(time.perf_counter() - start)
    seconds = statistics.median(times[1:])
    found = re.search(r"v = (\d+), ([\d.]+) bins with weight, m = (\d+);.*P = ([\d.]+) G/s", report)
    v, h, m, rate = map(float, found.groups())
    ratio = seconds * rate * 1e9 / (v * h * m)
    return (
        f"| one query over stdin, act-1, top 16, median of {len(times) - 1} "
        f"| {seconds * 1e3:.1f} ms | {ratio:.2f} x v h m / P | text in, answer out |\n"
    )


def main() -> int:
    if not has_data("engine"):
        return 0
    jobs = [
        ["images", mnist("mnist.navvy")],
        ["matrix", mnist("mnist.navvy")],
        ["background", mnist("mnist-background.navvy", "--keep-background")],
        ["text", news()],
        ["scaling"],
    ]
    text = HEAD
    for job in jobs:
        done = subprocess.run([BENCH, *job], check=True, capture_output=True, text=True)
        found = done.stdout
        if job[0] == "text":
            found += over_stdin(job[1], found)
        print(found, flush=True)
        text += found
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
