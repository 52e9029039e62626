"""What edits of an index file cost, and what frozen frequencies do; to bench/results/living.md.

The index: a million windows of 60 words cut out of the posts of 20 Newsgroups. Parts can be named:
edits, drift. With --rows the index is smaller, and the figures are printed, not written.

Needs the public data sets; says so and stops without them. Takes some twenty minutes, 3 GB of disk
and 4 GB of memory.
"""

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import engine
import navvy
import numpy as np
import tradeoff

RESULTS = engine.ROOT / "bench" / "results" / "living.md"
ROWS = 1_000_000
WINDOW = 60  # words
EDITED = 1000  # rows
VECTORS = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"
RECIPE = ("--token-pattern", "[a-z]{2,}", "--as-in-paper")
DRIFTS = (0.1, 0.25, 0.5, 1.0, 2.0)
TOP = 10
QUERIES = 500


def posts() -> list[tuple[str, str]]:
    """Label and text of every post."""
    engine.news()
    paths = sorted(path for path in (engine.WORK / "20news-18828").rglob("*") if path.is_file())
    return [(path.parent.name, path.read_text("latin1")) for path in paths]


def write_lines(path: Path, documents) -> Path:
    with path.open("w") as file:
        file.writelines(json.dumps(document) + "\n" for document in documents)
    return path


def windows(count: int):
    """So many windows of words, spread over all posts, in an order that mixes them."""
    texts = [(label, text.split()) for label, text in posts()]
    step = max(1, sum(max(0, len(words) - WINDOW) for _, words in texts) // count)
    while True:
        places = [
            (post, begin)
            for post, (_, words) in enumerate(texts)
            for begin in range(0, max(1, len(words) - WINDOW), step)
        ]
        if len(places) >= count or step == 1:
            break
        step -= 1
    random.Random(0).shuffle(places)
    for number, (post, begin) in enumerate(places[:count]):
        label, words = texts[post]
        text = " ".join(words[begin : begin + WINDOW])
        yield {"id": f"w{number}", "label": label, "text": text}


def measured(*command: object) -> tuple[float, float, dict]:
    """Seconds of wall and CPU of a command, and its JSON."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [*map(str, command), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command}: exit {process.returncode}")
    return wall, usage.ru_utime + usage.ru_stime, json.loads(answer)


def edit_line(name: str, index: Path, *command: object, whole: bool = False) -> str:
    """A line of the table of edits; what is appended is what is written."""
    before = index.stat().st_size
    wall, cpu, told = measured(engine.NAVVY, *command)
    written = index.stat().st_size - (0 if whole else before)
    line = f"| {name} | {wall:.2f} | {cpu:.2f} | {written} | {100 * written / before:.2f} % "
    line += f"| {told['segments']} |\n"
    print(line, end="", file=sys.stderr, flush=True)
    return line


# Runs in a process of its own: nothing is warm but the pages of the file.
QUERY = """
import json, statistics, sys, time, navvy
start = time.perf_counter()
index = navvy.Index.open(sys.argv[1])
opened = time.perf_counter()
index.search(rows=[7], top=10)
first = time.perf_counter()
times = []
for row in range(100, 1200, 100):
    begin = time.perf_counter()
    index.search(rows=[row], top=10)
    times.append(time.perf_counter() - begin)
print(json.dumps([opened - start, first - opened, statistics.median(times)]))
"""


def query_line(name: str, index: Path) -> str:
    runs = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", QUERY, index], check=True, capture_output=True, text=True
        )
        runs.append(json.loads(done.stdout))
    cells = " | ".join(f"{1e3 * statistics.median(run):.0f}" for run in zip(*runs, strict=True))
    segments = len(navvy.file_facts(index)["segments"])
    line = f"| {name} | {segments} | {cells} |\n"
    print(line, end="", file=sys.stderr, flush=True)
    return line


def add_in_parts(index: Path, documents: list[dict], parts: int, tidy: bool) -> int:
    """Bytes that the system counts as written for so many adds."""

    def written() -> int:
        lines = Path("/proc/self/io").read_text().splitlines()
        return int(dict(line.split(": ") for line in lines)["write_bytes"])

    before = written()
    size = len(documents) // parts
    with navvy.Writer(index, tidy=tidy) as writer:
        for begin in range(0, size * parts, size):
            part = documents[begin : begin + size]
            writer.add(
                [d["text"] for d in part], [d["label"] for d in part], [d["id"] for d in part]
            )
    return written() - before


def edits(rows: int) -> str:
    more = 100 * 10 + 200 * 100
    source = engine.WORK / f"living-{rows}.jsonl"
    rest = engine.WORK / f"living-{rows}-rest.jsonl"
    index = engine.WORK / f"living-{rows}.navvy"
    if not index.exists():
        made = windows(rows + EDITED + more)
        write_lines(source, (next(made) for _ in range(rows)))
        write_lines(rest, made)
        engine.build(index.name, "--corpus", source, "--vectors", VECTORS, *RECIPE)
        source.unlink()
    documents = [json.loads(line) for line in rest.open()]
    size = index.stat().st_size
    text = f"\n{rows} windows of {WINDOW} words of 20 Newsgroups, {size} bytes; "
    text += f"{os.cpu_count()} cores.\n\n"
    text += "| edit | s | CPU s | bytes written | share of the index | segments then |\n"
    text += "|---|---|---|---|---|---|\n"
    living = engine.WORK / "living.navvy"
    shutil.copy(index, living)
    new = write_lines(engine.WORK / "living-new.jsonl", documents[:EDITED])
    changed = [d | {"id": f"w{7 * i}"} for i, d in enumerate(documents[:EDITED])]
    changed = write_lines(engine.WORK / "living-changed.jsonl", changed)
    gone = engine.WORK / "living-gone.txt"
    gone.write_text("".join(f"w{7 * i + 1}\n" for i in range(EDITED)))
    text += edit_line(f"add {EDITED} texts", living, "add", living, "--corpus", new)
    text += edit_line(f"remove {EDITED} ids", living, "remove", living, "--ids-file", gone)
    text += edit_line(f"update {EDITED} texts", living, "update", living, "--corpus", changed)
    text += edit_line("compact", living, "compact", living, whole=True)
    shutil.copy(index, living)
    documents = documents[EDITED:]
    again = write_lines(new, documents[:EDITED])
    new_words = ("add", living, "--corpus", again, "--vectors", VECTORS)
    text += edit_line(f"add {EDITED} texts with --vectors", living, *new_words)
    text += "\nWith `--vectors`, reading the file of vectors comes on top.\n"
    return text + queries(index, documents) + amplification(index, documents)


def queries(index: Path, documents: list[dict]) -> str:
    text = "\nOpening, first and warm query (act-1, top 10, a row of the index), in ms, each the "
    text += "median of 3 processes:\n\n"
    text += "| state | segments | open | first query | warm query |\n|---|---|---|---|---|\n"
    living = engine.WORK / "living.navvy"
    shutil.copy(index, living)
    text += query_line("as built", living)
    add_in_parts(living, documents[:90], 9, tidy=False)
    text += query_line("after 9 adds", living)
    add_in_parts(living, documents[90:990], 90, tidy=False)
    text += query_line("after 99 adds", living)
    with navvy.Writer(living) as writer:
        writer.compact()
    return text + query_line("after compact", living)


def amplification(index: Path, documents: list[dict]) -> str:
    adds, rows = 200, 20_000
    living = engine.WORK / "living.navvy"
    shutil.copy(index, living)
    mean = index.stat().st_size / len(navvy.Index.open(index))
    start = time.perf_counter()
    written = add_in_parts(living, documents[-rows:], adds, tidy=True)
    seconds = (time.perf_counter() - start) / adds
    facts = navvy.file_facts(living)
    living.unlink()
    return (
        f"\n{adds} adds of {rows // adds} texts through one `navvy.Writer`, small segments put "
        f"together on the way: {written / rows:.0f} bytes written per row added (a row of the "
        f"whole index takes {mean:.0f}), {seconds:.2f} s each, {len(facts['segments'])} "
        f"segments at the end.\n"
    )


def lists(index: navvy.Index, measure: str, rows) -> tuple[np.ndarray, float]:
    """The nearest rows, and the share of them that have the label of the query."""
    found = index.search(rows=rows, top=TOP, measure=measure).rows
    return found, float((index.labels[found] == index.labels[rows][:, None]).mean())


def drift_line(order: str, documents: list[dict], drift: float) -> str:
    first = round(len(documents) / (1 + drift))
    part = write_lines(engine.WORK / "drift.jsonl", documents[:first])
    rest = write_lines(engine.WORK / "drift-rest.jsonl", documents[first:])
    frozen, fresh = engine.WORK / "drift.navvy", engine.WORK / "drift-fresh.navvy"
    frozen.unlink(missing_ok=True)
    engine.build(
        frozen.name, "--corpus", part, "--vectors", VECTORS, *RECIPE, "--weighting", "tfidf"
    )
    told = measured(engine.NAVVY, "add", frozen, "--corpus", rest, "--vectors", VECTORS)[2]
    measured(engine.NAVVY, "compact", "--reweigh", frozen, "-o", fresh)
    both = [navvy.Index.open(path) for path in (frozen, fresh)]
    has_words = [np.diff(index.histograms.indptr) > 0 for index in both]
    able = np.flatnonzero(has_words[0] & has_words[1])
    rows = np.sort(np.random.default_rng(0).choice(able, QUERIES, replace=False))
    line = f"| {order} | {100 * told['drift']:.0f} % "
    for measure in ("act-1", "bow"):
        (a, before), (b, after) = (lists(index, measure, rows) for index in both)
        same = np.mean([len(np.intersect1d(x, y)) / TOP for x, y in zip(a, b, strict=True)])
        line += f"| {100 * same:.1f} % | {before:.4f} | {after:.4f} "
    line += "|\n"
    print(line, end="", file=sys.stderr, flush=True)
    return line


def drift(_: int) -> str:
    documents = [
        {"id": f"p{number}", "label": label, "text": text}
        for number, (label, text) in enumerate(posts())
    ]
    mixed = documents.copy()
    random.Random(0).shuffle(mixed)
    text = f"\n20 Newsgroups, tfidf: the lists of the {TOP} nearest of {QUERIES} rows, weighed by "
    text += "frequencies of the first part of the posts, and by those of all (`compact "
    text += "--reweigh`). Posts in random order, so that what is added is like what was there, and "
    text += "group by group, so that it is about something else. `same`: share of the lists that "
    text += "stays; precision by groups, frozen and reweighed.\n\n"
    text += (
        "| order | drift | same, act-1 | frozen | reweighed | same, bow | frozen | reweighed |\n"
    )
    text += "|---|---|---|---|---|---|---|---|\n"
    for order, some in (("random", mixed), ("by group", documents)):
        for share in DRIFTS:
            text += drift_line(order, some, share)
    return text


PARTS = {"edits": edits, "drift": drift}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all without any")
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args()
    if not engine.has_data("living"):
        return 0
    for name in options.parts or PARTS:
        text = PARTS[name](options.rows)
        if options.rows == ROWS:
            tradeoff.put(RESULTS, name, text)
        else:
            print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
