"""The engine's figures on MNIST and 20 Newsgroups, written to bench/results/engine.md.

Needs the public data sets (see CONTRIBUTING.md); says so and stops without them.
"""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("NAVVY_DATA", ROOT.parent / "shared" / "data"))
WORK = ROOT / "build" / "bench-data"
NAVVY = ROOT / "build" / "release" / "navvy"
BENCH = ROOT / "build" / "release" / "bench" / "engine_bench"
RESULTS = ROOT / "bench" / "results" / "engine.md"
HEAD = """# Engine

Written by `./dev bench engine`. L is the time of one fused multiply-add per (pair, bin with
weight) at the rate P that all threads reach in registers in the same run.
"""


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
    )


def main() -> int:
    if not DATA.exists():
        print(f"engine: no data at {DATA}; set NAVVY_DATA", file=sys.stderr)
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    jobs = [
        ("images", mnist("mnist.navvy")),
        ("matrix", mnist("mnist.navvy")),
        ("background", mnist("mnist-background.navvy", "--keep-background")),
        ("text", news()),
    ]
    text = HEAD
    for what, index in jobs:
        done = subprocess.run([BENCH, what, index], check=True, capture_output=True, text=True)
        print(done.stdout, flush=True)
        text += done.stdout
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
