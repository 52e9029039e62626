"""Whether --memory is held: peak memory of every verb on MNIST and 20 Newsgroups.

Written to bench/results/memory.md. Needs the public data sets; says so and stops without them.
Takes twenty minutes; --rows takes so many rows of each set instead of all, --only cases whose names
contain a text. With either, the table is printed and not written.
"""

import argparse
import gzip
import os
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
from dataclasses import dataclass
from pathlib import Path

import engine

RESULTS = engine.ROOT / "bench" / "results" / "memory.md"
BUDGETS = (64, 128, 256, 512)
RELAXED = ("bow", "wcd", "rwmd", "act-1", "act-7")
SOLVED = ("emd", "sinkhorn")
TOP = 16
SOLVED_QUERIES = 20
PROGRAM = 16  # MB for the program itself
SECONDS = 20
HEAD = f"""# Memory

Written by `./dev bench memory`: the most memory that each verb had in use, in MB, beside what its
budget allows: `--memory`, the index file, which is mapped or, where it was edited, put together in
memory (not by `build`), the answer where it is
held in memory, and {PROGRAM} MB for the program itself. A run that takes more than {SECONDS} s is
ended, and its peak until then is said. `refused`: exit 5, what is asked for does not fit.
"""


@dataclass
class Case:
    verb: str
    measure: str
    arguments: list[str]
    answer: int = 0  # bytes
    mapped: bool = True  # the verb opens the index
    edits: bool = False  # it changes its index: a copy, to which rows have been added


def more_rows(source: list[object]) -> list[object]:
    """What is added: other images, or lines of posts."""
    if "--images" in source:
        return ["--images", engine.DATA / "mnist" / "t10k-images-idx3-ubyte.gz"]
    lines = engine.WORK / "memory-lines.txt"
    posts = sorted(path for path in Path(source[1]).rglob("*") if path.is_file())[:2000]
    texts = (" ".join(post.read_text("latin1").split()) for post in posts)
    lines.write_text("".join(f"{text or 'none'}\n" for text in texts))
    return ["--corpus", lines]


def edit_cases(source: list[object]) -> list[Case]:
    """The verbs that write an index, and a search of what was edited."""
    made = engine.WORK / "memory.navvy"
    rows = ["--row", "0:20", "--measure", "act-1"]
    return [
        Case("build", "-", [*source, "-o", made], mapped=False),
        Case("add", "-", more_rows(source), edits=True),
        Case("compact", "-", [], edits=True),
        Case("search", "act-1, edited", rows, edits=True),
    ]


def edited(index: Path, source: list[object]) -> Path:
    """A copy of the index to which rows have been added."""
    copy = engine.WORK / "memory-edited.navvy"
    shutil.copy(index, copy)
    rows = more_rows(source)
    command = [engine.NAVVY, "add", copy, *rows]
    subprocess.run(command, check=True, capture_output=True)
    return copy


def cases(rows: int, source: list[object]) -> list[Case]:
    """Every verb under every measure; all rows at once where pairs are not solved."""
    graph = engine.WORK / "memory.npz"
    matrix = engine.WORK / "memory.npy"
    list_bytes = TOP * (4 + 8)
    found = edit_cases(source)
    top = ["--top", str(TOP)]
    for measure in RELAXED + SOLVED:
        of = ["--measure", measure]
        solved = measure in SOLVED
        found.append(Case("search", measure, ["--row", f"0:{SOLVED_QUERIES}", *top, *of]))
        if not solved:
            found.append(Case("knn", measure, [*top, *of, "-o", graph], rows * list_bytes))
        part = ["--queries", "0:2", "--rows", "0:256"] if solved else ["--queries", "0:64"]
        found.append(Case("distances", measure, [*part, *of, "-o", matrix]))
        some = ["--queries", str(SOLVED_QUERIES)] if solved else []
        answer = 0 if solved else rows * list_bytes
        found.append(Case("evaluate", measure, ["--measures", measure, *top, *some], answer))
    found.append(Case("compare", "all", ["0", "1"]))
    return found


def peak(index: Path, case: Case, budget: int) -> tuple[str, int]:
    """How a run ended, and the most memory it had in use, in bytes."""
    command = [engine.NAVVY, case.verb, *([index] if case.mapped else []), *case.arguments]
    command += ["--memory", f"{budget}M", "--json"]
    with open(os.devnull, "w") as nothing:
        process = subprocess.Popen(command, stdout=nothing, stderr=nothing)
    timer = threading.Timer(SECONDS, process.send_signal, [signal.SIGKILL])
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    # A child begins with its parent's peak: this script has to stay small itself.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10 < BUDGETS[0] << 20
    process.returncode = os.waitstatus_to_exitcode(status)
    ends = {0: "", 5: "refused", -signal.SIGKILL: f"ended after {SECONDS} s"}
    return ends.get(process.returncode, f"exit {process.returncode}"), usage.ru_maxrss << 10


def table(name: str, index: Path, source: list[object], rows: int, only: str) -> str:
    text = f"\n## {name}: {rows} rows\n\n"
    text += "| budget | verb | measure | peak | allowed | held |\n|---|---|---|---|---|---|\n"
    for budget in BUDGETS:
        for case in cases(rows, source):
            if only not in f"{name} {case.verb} {case.measure} {budget}M":
                continue
            used = edited(index, source) if case.edits else index
            mapped = used.stat().st_size if case.mapped else 0
            end, most = peak(used, case, budget)
            allowed = ((budget + PROGRAM) << 20) + mapped + case.answer
            held = "yes" if most <= allowed else "no"
            line = f"| {budget} | {case.verb} | {case.measure} | {most / 2**20:.0f} | "
            line += f"{allowed / 2**20:.0f} | {held}{', ' * bool(end)}{end} |\n"
            print(line, end="", file=sys.stderr, flush=True)
            text += line
    return text


def some_images(rows: int) -> tuple[Path, list[object]]:
    """An index of the first images of MNIST, and what it is built from."""
    if rows == 0:
        folder = engine.DATA / "mnist"
        images = ["--images", folder / "train-images-idx3-ubyte.gz"]
        labels = ["--labels", folder / "train-labels-idx1-ubyte.gz"]
        return engine.mnist("mnist.navvy"), [*images, *labels]
    head_size = {"images": 16, "labels": 8}
    parts = []
    for kind, dimensions in (("images", 3), ("labels", 1)):
        source = engine.DATA / "mnist" / f"train-{kind}-idx{dimensions}-ubyte.gz"
        size = 28 * 28 if kind == "images" else 1
        with gzip.open(source) as file:
            head = file.read(head_size[kind])
            data = file.read(rows * size)
        parts.append(engine.WORK / f"{kind}-{rows}.idx")
        parts[-1].write_bytes(head[:4] + rows.to_bytes(4, "big") + head[8:] + data)
    source = ["--images", parts[0], "--labels", parts[1]]
    return engine.build(f"mnist-{rows}.navvy", *source), source


def some_posts(rows: int) -> tuple[Path, list[object]]:
    """An index of posts spread evenly over 20 Newsgroups, and what it is built from."""
    folder = engine.WORK / "20news-18828"
    vectors = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"
    words = ["--vectors", vectors, "--encoding", "latin1", "--token-pattern", "[a-z]{2,}"]
    words.append("--as-in-paper")
    if rows == 0:
        return engine.news(), ["--corpus", folder, *words]
    if not folder.exists():
        with tarfile.open(engine.DATA / "20news" / "20news-18828.tar.xz") as archive:
            archive.extractall(engine.WORK, filter="data")
    posts = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = engine.WORK / f"20news-{rows}"
    for i in range(rows if not chosen.exists() else 0):
        post = posts[i * len(posts) // rows]
        copy = chosen / post.parent.name / post.name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(post, copy)
    source = ["--corpus", chosen, *words]
    return engine.build(f"news-{rows}.navvy", *source), source


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="0,0", help="of MNIST and of 20 Newsgroups; 0: all")
    parser.add_argument("--only", default="", help="a part of 'SET VERB MEASURE BUDGETM'")
    options = parser.parse_args()
    if not engine.has_data("memory"):
        return 0
    images, posts = map(int, options.rows.split(","))
    text = table("MNIST", *some_images(images), images or 60000, options.only)
    text += table("20 Newsgroups", *some_posts(posts), posts or 18828, options.only)
    if images or posts or options.only:
        print(text)
    else:
        RESULTS.write_text(HEAD + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
