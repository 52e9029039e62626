"""Shards and Spark against one machine, in CPU seconds; to bench/results/scale.md.

Parts can be named: shards, spark, rows. With --small all is a tenth, and the figures are printed,
not written. Needs the public data sets, and for spark Java; says so and stops without them.
"""

import argparse
import gzip
import os
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import engine
import navvy
import numpy as np

RESULTS = engine.ROOT / "bench" / "results" / "scale.md"
HEAD = """# Many machines

Written by `./dev bench scale`. CPU seconds of all processes, with {cores} cores; answers are
compared with those of one index, to the bit.
"""
TOP = 16
COUNTS = (1, 2, 4, 7)
MOST = {"search": 1.3, "knn": 1.6}  # times the CPU time of one index that Spark may take
RECIPE = {"token_pattern": "[a-z]{2,}"}


def cpu() -> float:
    """Seconds of this process and of all that it started, those that ended included."""
    parents: dict[int, list[int]] = {}
    ticks: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents.setdefault(int(fields[1]), []).append(int(folder.name))
        ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    total, todo = 0, [os.getpid()]
    while todo:
        process = todo.pop()
        total += ticks.get(process, 0)
        todo += parents.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


def measured(job: Callable[[], object], runs: int = 2) -> tuple[float, object]:
    """CPU seconds, the least of some runs, and what the last one gave."""
    best, found = float("inf"), None
    for _ in range(runs):
        begin = cpu()
        found = job()
        best = min(best, cpu() - begin)
    return best, found


def say(line: str) -> str:
    print(line, end="", file=sys.stderr, flush=True)
    return line


# --- data ----------------------------------------------------------------------------------------


def images() -> np.ndarray:
    """The pictures of MNIST."""
    packed = (engine.DATA / "mnist" / "train-images-idx3-ubyte.gz").read_bytes()
    return np.frombuffer(gzip.decompress(packed), np.uint8, offset=16).reshape(-1, 28, 28)


def posts(rows: int) -> list[str]:
    """So many posts of 20 Newsgroups, spread over all groups."""
    with tarfile.open(engine.DATA / "20news" / "20news-18828.tar.xz") as archive:
        texts = [archive.extractfile(member).read() for member in archive if member.isfile()]
    return [text.decode("latin1") for text in texts[:: max(1, len(texts) // rows)]][:rows]


def vectors() -> Path:
    return engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"


def split(index: navvy.Index, count: int) -> navvy.Shards:
    folder = engine.WORK / "scale-shards"
    shutil.rmtree(folder, ignore_errors=True)
    return navvy.split(index, folder, count)


# --- shards --------------------------------------------------------------------------------------


def search_all(shards: navvy.Shards, queries: navvy.Index) -> navvy.Lists:
    asked = {"top": TOP, "measure": "act-1", "for_": "similar"}
    return navvy.merge_lists([shards.search(k, queries, **asked) for k in range(len(shards))])


def knn_all(shards: navvy.Shards) -> navvy.Lists:
    within = {i: shards.knn(i, i, TOP) for i in range(len(shards))}
    limits = {i: lists.limits() for i, lists in within.items()}
    pairs = [(i, j) for i, j in shards.parts() if i < j]
    between = [shards.knn(i, j, TOP, limits=(limits[i], limits[j])) for i, j in pairs]
    return navvy.merge_lists([*within.values(), *between])


def same(found: navvy.Lists, matches: navvy.Matches) -> None:
    assert found.rows.tobytes() == matches.rows.tobytes()
    assert found.distances.tobytes() == matches.distances.tobytes()


def counts_table(name: str, index: navvy.Index, asked: Any, runs: int) -> str:
    """What an index and its shards take for texts or images, and for all pairs."""

    def queries(of: Any) -> navvy.Index:
        return of.encode(asked) if index.kind == "text" else navvy.Index.from_images(asked)

    text = f"\n## {name}: {len(index)} rows, {len(asked)} queries, act-1, top {TOP}\n\n"
    text += "| shards | search | of one index | knn | of one index |\n|---|---|---|---|---|\n"
    search, found = measured(
        lambda: index.search(queries(index), TOP, "act-1", for_="similar"), runs
    )
    knn, graph = measured(lambda: index.knn_matches(TOP), runs)
    text += say(f"| one index | {search:.2f} | 1 | {knn:.2f} | 1 |\n")
    for count in COUNTS:
        shards = split(index, count)
        encoded = queries(shards.vocabulary() if index.kind == "text" else index)
        here, lists = measured(lambda shards=shards, q=encoded: search_all(shards, q), runs)
        same(lists, found)
        there, lists = measured(lambda shards=shards: knn_all(shards), runs)
        same(lists, graph)
        text += say(
            f"| {count} | {here:.2f} | {here / search:.2f} | {there:.2f} | {there / knn:.2f} |\n"
        )
    return text


def shards_part(scale: int) -> str:
    text = "\nOne process asks all shards in turn; merging is counted.\n"
    pixels = images()
    index = navvy.Index.from_images(pixels[: 20_000 // scale])
    text += counts_table("MNIST", index, pixels[-1000 // scale :], 2)
    texts = posts(18_828 // scale)
    index = navvy.Index.from_texts(texts, vectors(), **RECIPE)
    return text + counts_table("20 Newsgroups", index, texts[:: max(1, len(texts) // 500)], 1)


# --- Spark ---------------------------------------------------------------------------------------


def spark_session():
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    made = (
        SparkSession.builder.master(f"local-cluster[{min(2, os.cpu_count() or 1)},1,2048]")
        .config(map=navvy.spark.SETTINGS)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    return made


def jobs_on_spark(spark: Any, name: str, index: navvy.Index, asked: list[Any]) -> str:
    """A search and all pairs, of one index and by tasks over two shards of it."""
    shards = split(index, 2)
    are_texts = index.kind == "text"
    kind = "text string" if are_texts else "image binary"
    lines = [(i, each if are_texts else bytearray(each.tobytes())) for i, each in enumerate(asked)]
    frame = spark.createDataFrame(lines, f"query int, {kind}").cache()
    frame.count()
    queries = index.encode(asked) if are_texts else navvy.Index.from_images(np.array(asked))

    def on_spark(call: Callable[[], Any]) -> list[np.ndarray]:
        found = call()
        table = found.orderBy("query", "rank").toArrow()
        found.unpersist()
        return [table[column].to_numpy() for column in ("row", "distance")]

    run = {"top": TOP, "measure": "act-1"}
    jobs = {
        "search": (
            lambda: index.search(queries, **run, for_="similar"),
            lambda: on_spark(
                lambda: navvy.spark.search(frame, shards.folder, **run, for_="similar")
            ),
        ),
        "knn": (
            lambda: index.knn_matches(TOP),
            lambda: on_spark(lambda: navvy.spark.knn(shards.folder, TOP, session=spark)),
        ),
    }
    text = f"\n### {name}: {len(index)} rows in 2 shards, {len(asked)} queries\n\n"
    text += "| job | one index | Spark, first | Spark, warm | warm, of one index |\n"
    text += "|---|---|---|---|---|\n"
    bars = "\n"
    for job, (alone, spread) in jobs.items():
        here, matches = measured(alone, 1)
        first, _ = measured(spread, 1)
        warm, answer = measured(spread, 1)
        places = matches.rows >= 0
        for found, expected in zip(answer, (matches.rows, matches.distances), strict=True):
            assert found.tobytes() == expected[places].tobytes(), job
        text += say(f"| {job} | {here:.1f} | {first:.1f} | {warm:.1f} | {warm / here:.2f} |\n")
        what = f"{job} on Spark, warm, at most {MOST[job]} times the CPU time of one index"
        bars += engine.bar(what, warm <= MOST[job] * here) + "\n"
    return text + bars


def spark_part(scale: int) -> str:
    if shutil.which("java") is None:
        print("scale: no Java, hence no Spark (openjdk-17-jre-headless)", file=sys.stderr)
        return ""
    begin = cpu()
    spark = spark_session()
    start = cpu() - begin
    text = f"\n## Spark, act-1, top {TOP}\n\n"
    text += "Two executors of one core, a shard for each; the driver collects all answers.\n"
    text += f"Starting the session takes {start:.0f} s, which are not in the tables.\n"
    texts = posts(18_828 // scale)
    index = navvy.Index.from_texts(texts, vectors(), **RECIPE)
    asked: list[Any] = texts[:: max(1, len(texts) * scale // 1000)]
    text += jobs_on_spark(spark, "20 Newsgroups", index, asked)
    pixels = images()
    index = navvy.Index.from_images(pixels[: 50_000 // scale])
    text += jobs_on_spark(spark, "MNIST", index, list(pixels[-10_000 // scale :]))
    spark.stop()
    return text


# --- what many rows would cost -------------------------------------------------------------------


def line_through(small: tuple[int, float], large: tuple[int, float]) -> tuple[float, float]:
    """Of something measured at two sizes: what it takes at none, and more for each."""
    slope = (large[1] - small[1]) / (large[0] - small[0])
    return max(0.0, large[1] - slope * large[0]), slope


def rows_part(scale: int) -> str:
    texts = posts(18_828 // scale)
    few = texts[::4]
    build, index = measured(lambda: navvy.Index.from_texts(texts, vectors(), **RECIPE), 1)
    less, part = measured(lambda: navvy.Index.from_texts(few, vectors(), **RECIPE), 1)
    queries = index.encode(texts[:: max(1, len(texts) // 200)])
    asked = len(queries)

    def search(of: navvy.Index) -> float:
        of.search(queries, TOP, "act-1", for_="similar")
        return measured(lambda: of.search(queries, TOP, "act-1", for_="similar"))[0] / asked

    def knn(of: navvy.Index) -> float:
        return measured(lambda: of.knn_matches(TOP), 1)[0]

    sizes = [(len(few), part), (len(texts), index)]
    fixed, per_row = line_through(*((n, search(of)) for n, of in sizes))
    pair = knn(index) / len(texts) ** 2
    per_text = line_through((len(few), less), (len(texts), build))[1]
    stored = line_through(*((n, float(len(of.to_bytes()))) for n, of in sizes))[1]
    bins = index.histograms.nnz / len(index)
    text = f"\n## 1, 10 and 100 million texts like those of 20 Newsgroups ({bins:.0f} bins)\n\n"
    text += f"Measured on {len(few)} and {len(texts)} rows, on one machine:\n\n"
    text += "| what | takes |\n|---|---|\n"
    text += f"| building, a text | {1e3 * per_text:.2f} ms |\n"
    text += f"| a row in a file | {stored:.0f} bytes |\n"
    text += f"| a query under act-1, whatever the rows of a shard | {1e3 * fixed:.1f} ms |\n"
    text += f"| a query under act-1, each row | {1e6 * per_row:.2f} us |\n"
    text += f"| all pairs under act-1, a pair | {1e9 * pair:.0f} ns |\n\n"
    text += "Computed from these; nothing marked with \\* was measured:\n\n"
    text += (
        "| rows | shards of 1 million | disk \\* | build \\* | one query \\* | all pairs \\* |\n"
    )
    text += "|---|---|---|---|---|---|\n"
    for millions in (1, 10, 100):
        rows = millions * 1e6
        query = millions * fixed + rows * per_row
        text += say(
            f"| {millions} million | {millions} | {stored * rows / 1e9:.1f} GB "
            f"| {per_text * rows / 3600:.2f} core hours | {query:.1f} core seconds "
            f"| {pair * rows**2 / 3600:.0f} core hours |\n"
        )
    text += "\nNeither measured nor computed: networks and shared disks; vocabularies larger than\n"
    text += (
        "that of 20 Newsgroups, which make the words of a shard dearer; and lists that fill up\n"
    )
    text += "with nearer rows as there are more, which makes pairs cheaper.\n"
    return text


PARTS = {"shards": shards_part, "spark": spark_part, "rows": rows_part}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all unless named")
    parser.add_argument("--small", action="store_true", help="a tenth, printed and not written")
    options = parser.parse_args()
    if not engine.has_data("scale"):
        return 0
    text = HEAD.format(cores=os.cpu_count())
    for name in options.parts or PARTS:
        text += PARTS[name](10 if options.small else 1)
    print(text)
    if not options.small and not options.parts:
        RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
