"""The paper's text experiment on 20 Newsgroups, then twitter and R8; written to docs/results.md.

The figures of 20 Newsgroups go to docs/choosing.md and docs/images/accuracy-texts.svg too.
Parts can be named: news, tfidf, twitter, r8.

Needs the public data sets; says so and stops without them. Takes some minutes.
"""

import gzip
import json
import subprocess
import sys
import time

import engine
import navvy
import numpy as np
import tradeoff
from sklearn.metrics import pairwise_distances_chunked

MEASURES = tradeoff.MEASURES
TOPS = (1, 16, 128)
RESULTS = engine.ROOT / "docs" / "results.md"


def evaluate(index, measures: str) -> dict:
    command = [engine.NAVVY, "evaluate", index, "--measures", measures, "--json"]
    command += ["--top", ",".join(map(str, TOPS))]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def line(name: str, precision, seconds: float) -> str:
    cells = " | ".join(f"{value:.4f}" for value in precision)
    return f"| {name} | {cells} | {seconds:.1f} |\n"


def table(title: str, document: dict, more: str = "") -> str:
    text = f"\n## {title}\n\nn = {document['n']}, v = {document['v']}, h = {document['h']:.1f}, "
    text += f"m = {document['m']}; {document['kernels']}, {document['threads']} threads.\n\n"
    text += "| measure | @1 | @16 | @128 | seconds |\n|---|---|---|---|---|\n"
    for measure in document["measures"]:
        precision = [measure["precision"][str(top)] for top in TOPS]
        text += line(measure["name"], precision, measure["seconds"])
    return text + more


def l1(index_path) -> str:
    """A line of the table for L1 distance between the histograms of an index."""
    index = navvy.Index.open(index_path)
    has_words = np.diff(index.histograms.indptr) > 0
    labels = np.unique(index.labels[has_words], return_inverse=True)[1]
    hits = np.zeros(len(TOPS))
    start = time.perf_counter()

    def count(distances, first):
        rows = np.arange(len(distances))
        distances[rows, first + rows] = np.inf
        near = np.argpartition(distances, max(TOPS), axis=1)[:, : max(TOPS)]
        order = np.argsort(np.take_along_axis(distances, near, 1), axis=1, kind="stable")
        same = labels[np.take_along_axis(near, order, 1)] == labels[first + rows][:, None]
        hits[:] += [same[:, :top].mean(axis=1).sum() for top in TOPS]
        return same[:, 0]

    chunks = pairwise_distances_chunked(
        index.histograms[has_words],
        metric="manhattan",
        reduce_func=count,
        n_jobs=-1,
        working_memory=512,
    )
    for _ in chunks:
        pass
    return line("L1", hits / len(labels), time.perf_counter() - start)


def test_as_queries(index, corpus, measures: str) -> str:
    """Precision of a test part's texts as queries against an index of the training part.

    Compared as rows are, with the larger of both directions, as the other figures are.
    """
    labels = [text.split(b"\t", 1)[0].decode() for text in corpus.read_bytes().splitlines()]
    text = "| measure | @1 | @16 | @128 | seconds |\n|---|---|---|---|---|\n"
    for measure in measures.split(","):
        command = [engine.NAVVY, "search", index, "--query-file", corpus, "--for", "similar"]
        command += ["--measure", measure, "--top", max(TOPS), "--json", *COLUMNS]
        start = time.perf_counter()
        done = subprocess.run(map(str, command), check=True, capture_output=True, text=True)
        seconds = time.perf_counter() - start
        hits = np.zeros(len(TOPS))
        answers = json.loads(done.stdout)["queries"]
        for label, answer in zip(labels, answers, strict=True):
            same = np.array([match["label"] == label for match in answer["matches"]])
            hits += [same[:top].sum() / top for top in TOPS]
        text += line(measure, hits / len(answers), seconds)
    return text


def tsv(name: str, *files: str):
    """A corpus of lines label<TAB>text out of the gzipped originals."""
    path = engine.WORK / f"{name}.tsv"
    with path.open("wb") as out:
        for file in files:
            with gzip.open(engine.DATA / "wmd" / file) as lines:
                out.writelines(line.rstrip(b"\r\n") + b"\n" for line in lines)
    return path


def text_index(name: str, corpus, *options: str):
    vectors = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"
    source = ["--corpus", corpus, "--vectors", vectors, "--as-in-paper"]
    return engine.build(f"{name}.navvy", *source, *options)


def for_choosing(name: str, index) -> dict:
    """Evaluates an index for the page on choosing a measure."""
    plot = "accuracy-texts.svg"
    command, found = tradeoff.evaluated(index, plot=plot)
    text = tradeoff.table(name, command, found) + tradeoff.picture(plot, name)
    tradeoff.put(tradeoff.PAGE, "texts", text + "[More texts](results.md), and L1 distance.\n\n")
    return found


def statements(document: dict) -> str:
    """What the paper says of these figures, and whether it holds here."""
    found = {m["name"]: [m["precision"][str(top)] for top in TOPS] for m in document["measures"]}
    act, rwmd, bow, omr = (np.array(found[name]) for name in ("act-1", "rwmd", "bow", "omr"))
    claims = {
        "act-1 is above rwmd at every top": (act > rwmd).all(),
        "act-1 is above bow at every top": (act > bow).all(),
        "omr lies between rwmd and act-1": ((rwmd <= omr) & (omr <= act)).all(),
        "act-7 is at least act-1, within 0.002": (np.array(found["act-7"]) >= act - 0.002).all(),
    }
    lines = [f"- {claim}: {'yes' if holds else '**no**'}\n" for claim, holds in claims.items()]
    return "\nThe paper's statements on this data:\n\n" + "".join(lines)


def posts(*options: str) -> list:
    """How posts of 20 Newsgroups are read."""
    return [engine.WORK / "20news-18828", "--encoding", "latin1", *options]


def news() -> str:
    index = engine.news()
    found = for_choosing("20 Newsgroups", index)
    text = table("20 Newsgroups (18,828 posts), tf weights", found, l1(index))
    return text + statements(found)


def weighted_news() -> str:
    engine.news()
    options = ["--token-pattern", "[a-z]{2,}", "--weighting", "tfidf"]
    index = text_index("news-tfidf", *posts(*options))
    return table("20 Newsgroups, tfidf weights", evaluate(index, "bow,act-1"), l1(index))


COLUMNS = ("--no-head-line", "--label-field", "1", "--text-field", "2")


def twitter() -> str:
    index = text_index("twitter", tsv("twitter", "twitter.txt.gz"), *COLUMNS)
    return table("Twitter", evaluate(index, MEASURES), l1(index))


def r8() -> str:
    index = text_index("r8", tsv("r8-train", "r8-train-all-terms.txt.gz"), *COLUMNS)
    text = "\n## Reuters R8, the test part as queries against the training part\n\n"
    text += "Seconds are those of the whole command, reading and printing included.\n\n"
    return text + test_as_queries(index, tsv("r8-test", "r8-test-all-terms.txt.gz"), MEASURES)


PARTS = {"news": news, "tfidf": weighted_news, "twitter": twitter, "r8": r8}


def main(names: list[str]) -> int:
    if not engine.has_data("news"):
        return 0
    for name in names or PARTS:
        tradeoff.put(RESULTS, name, PARTS[name]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
