"""The paper's text experiment on 20 Newsgroups, then R8 and twitter; written to docs/results.md.

Needs the public data sets; says so and stops without them. Takes some minutes.
"""

import gzip
import json
import subprocess
import sys

import engine
import numpy as np

MEASURES = "bow,wcd,rwmd,omr,act-1,act-3,act-7"
TOPS = (1, 16, 128)
RESULTS = engine.ROOT / "docs" / "results.md"
HEAD = """# Results on texts

Written by `./dev bench news` with the public GloVe vectors (100 dimensions). Precision at the top
1, 16 and 128, every row as a query against all others; seconds are those of distances and lists.
"""


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
    return engine.build(f"{name}.navvy", "--corpus", corpus, "--vectors", vectors, *options)


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


def main() -> int:
    if not engine.DATA.exists():
        print(f"news: no data at {engine.DATA}; set NAVVY_DATA", file=sys.stderr)
        return 0
    engine.WORK.mkdir(parents=True, exist_ok=True)
    news = evaluate(engine.news(), MEASURES)
    text = HEAD + table("20 Newsgroups (18,828 posts), tf weights", news, statements(news))
    weighted = text_index(
        "news-tfidf",
        engine.WORK / "20news-18828",
        *["--encoding", "latin1", "--token-pattern", "[a-z]{2,}", "--weighting", "tfidf"],
    )
    text += table("20 Newsgroups, tfidf weights", evaluate(weighted, "bow,act-1"))
    columns = ["--no-head-line", "--label-field", "1", "--text-field", "2"]
    for title, name, *files in (
        ("Reuters R8, training part", "r8", "r8-train-all-terms.txt.gz"),
        ("Twitter", "twitter", "twitter.txt.gz"),
    ):
        index = text_index(name, tsv(name, *files), *columns)
        text += table(title, evaluate(index, MEASURES))
    print(text)
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
