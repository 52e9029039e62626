"""Typed queries against BM25, and precision over data, weightings and measures: docs/choosing.md.

Parts can be named: known (known-item tests), choices (what the defaults were chosen from, to
bench/results/meaning.md), classes (precision over data sets, weightings and measures). Needs the
public data sets, and for one test Debian's wordnet-base; says what it leaves out without them.
"""

import json
import subprocess
import sys
import tarfile
from collections.abc import Callable
from functools import partial

import engine
import tradeoff
from known import items, systems
from known.items import KnownItems
from known.synonyms import WORDNET

CHOICES = engine.ROOT / "bench" / "results" / "meaning.md"
DROP = ("--unknown-words", "drop")
# Options of build and of search.
SYSTEMS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "as usual": ((), ()),
    "`build --unknown-words drop`": (DROP, ()),
    "`--measure rwmd`": ((), ("--measure", "rwmd")),
    "`--measure bow`": ((), ("--measure", "bow")),
    "`--for similar`": ((), ("--for", "similar")),
}
SHARES = ((0, 0), (0.3, 0), (0.3, 0.5), (0.2, 0.7), (0.3, 0.7), (0.4, 0.7), (0.3, 0.9))
BUILDS = ((), ("--weighting", "tfidf"), ("--condition", "0"), DROP)


def news():
    folder = engine.WORK / "20news-18828"
    if not folder.exists():
        with tarfile.open(engine.DATA / "20news" / "20news-18828.tar.xz") as archive:
            archive.extractall(engine.WORK, filter="data")
    return folder


def tests() -> dict[str, Callable[[], KnownItems]]:
    """What makes each test, by what it is."""
    made = [
        (items.subjects, news()),
        (items.stories, engine.DATA / "wmd"),
        (items.sentences, news()),
        (items.other_words, news()),
    ]
    if not WORDNET.exists():
        print("meaning: no test of synonyms; it needs Debian's wordnet-base", file=sys.stderr)
        made.pop()
    return {function.__doc__: partial(function, folder) for function, folder in made}


def cells(found, bm25) -> str:
    """Hits at 1 and 10, each with the interval of the difference to BM25."""
    texts = []
    for hit, (_, low, high) in zip(found.mean(0), systems.difference(found, bm25), strict=True):
        texts.append(f"{hit:.3f} ({low:+.3f} to {high:+.3f})")
    return " | ".join(texts)


def known_table(test: KnownItems, rows: dict) -> str:
    """BM25 and systems, each with its options of build and of search."""
    name, bm25 = systems.better_bm25(test)
    text = "| | @1 | @10 |\n|---|---|---|\n"
    text += f"| {name} | {' | '.join(f'{hit:.3f}' for hit in bm25.mean(0))} |\n"
    for title, (build, search) in rows.items():
        found = systems.by_navvy(test, systems.build(test, *build), *search)
        text += f"| {title} | {cells(found, bm25)} |\n"
        print(test.name, text.splitlines()[-1], file=sys.stderr, flush=True)
    return text


def known() -> None:
    text = ""
    for what, make in tests().items():
        half = make().half(1)
        text += f"**{half.name}**: {what} {len(half.queries)} queries, {len(half.texts):,} texts; "
        text += f"for example *{half.queries[0]}*.\n\n{known_table(half, SYSTEMS)}\n"
    tradeoff.put(tradeoff.PAGE, "known", text)


def choices() -> None:
    """Shares of the other direction and of bow by how an index is built, on the other half."""
    text = "# What a typed text asks\n\nWritten by `./dev bench meaning choices`: the half of the "
    text += "queries that docs/choosing.md does not report, among some\n6,000 texts. Intervals are "
    text += "those of the paired difference to BM25.\n"
    for make in tests().values():
        test = make().half(0).among(5500)
        rows = {}
        for build in BUILDS:
            for direction, bow in SHARES:
                title = f"{' '.join(build) or 'as usual'}: mix:{direction}, {bow} of bow"
                search = ("--measure", "rwmd", "--direction", f"mix:{direction}")
                rows[title] = (build, (*search, "--mix-bow", str(bow)))
        text += f"\n## {test.name}\n\n{known_table(test, rows)}"
    CHOICES.write_text(text)
    print(text)


# Every data set of the table of classes, and how it is read.
WEIGHTINGS = ("tf", "log", "tfidf", "sif", "norm", "bm25")
MEASURES = "bow,wcd,rwmd,act-1,act-3"


def labelled() -> dict[str, tuple]:
    """The options of build of each data set."""
    from news import COLUMNS, posts, tsv

    news()
    return {
        "20 Newsgroups": ("news", *posts("--token-pattern", "[a-z]{2,}")),
        "R8, training part": ("r8", tsv("r8-train", "r8-train-all-terms.txt.gz"), *COLUMNS),
        "Twitter": ("twitter", tsv("twitter", "twitter.txt.gz"), *COLUMNS),
    }


def classes() -> None:
    text = ""
    for title, (name, corpus, *options) in labelled().items():
        text += f"**{title}**, 500 queries at random against all others:\n\n"
        heads = [f"`{measure}`" for measure in MEASURES.split(",")]
        text += f"| weighting | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}\n"
        for weighting in WEIGHTINGS:
            for condition in ("0", "2"):
                build = ["--weighting", weighting, "--condition", condition]
                index = engine.build(
                    f"{name}-{weighting}-{condition}.navvy",
                    "--corpus",
                    corpus,
                    "--vectors",
                    systems.VECTORS,
                    *options,
                    *build,
                )
                command = [engine.NAVVY, "evaluate", index, "--measures", MEASURES, "--json"]
                command += ["--top", "1,16", "--queries", "500"]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                found = [each["precision"] for each in json.loads(done.stdout)["measures"]]
                row = [f"{each['1']:.3f} / {each['16']:.3f}" for each in found]
                label = weighting + (", conditioned" if condition == "2" else "")
                text += f"| {label} | {' | '.join(row)} |\n"
                print(title, text.splitlines()[-1], file=sys.stderr, flush=True)
        text += "\n"
    tradeoff.put(tradeoff.PAGE, "classes", text)


PARTS = {"known": known, "choices": choices, "classes": classes}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"meaning: no part {unknown[0]}; there are: {', '.join(PARTS)}", file=sys.stderr)
        return 2
    if not engine.has_data("meaning"):
        return 0
    for name in names or PARTS:
        PARTS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
