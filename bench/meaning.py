"""Typed queries against BM25, and precision over data, weightings and measures: docs/choosing.md.

Parts can be named: known (known-item tests), choices (what the defaults were chosen from, to
bench/results/meaning.md), classes (precision over data sets, weightings and measures). Needs the
public data sets, and for one test Debian's wordnet-base; says what it leaves out without them.
"""

import sys
import tarfile
from collections.abc import Callable
from functools import partial

import engine
import tradeoff
from known import classes, items, systems
from known.classes import Labelled
from known.items import KnownItems
from known.synonyms import WORDNET

CHOICES = engine.ROOT / "bench" / "results" / "meaning.md"
LETTERS = "--token-pattern letters"
DROP = "--unknown-words drop"
SHARES = "--direction mix:0.3 --mix-bow 0.7"  # those of rwmd unless told
EMD = 100  # queries; each takes a second or so
# Options of build and of search, and how many queries ask where it is not all of them.
SYSTEMS: dict[str, tuple[str, str, int | None]] = {
    "as usual": ("", "", None),
    f"`build {LETTERS}`": (LETTERS, "", None),
    f"`build {DROP}`": (DROP, "", None),
    "`--measure rwmd`": ("", "--measure rwmd", None),
    "`--measure act-1`": ("", "--measure act-1", None),
    f"`--measure act-1 {SHARES}`": ("", f"--measure act-1 {SHARES}", None),
    f"`--measure emd`, the first {EMD} queries": ("", "--measure emd", EMD),
    "`--measure bow`": ("", "--measure bow", None),
    "`--for similar`": ("", "--for similar", None),
}
# What the defaults were chosen among, one at a time.
BUILDS = ("", LETTERS, DROP, "--condition 0", "--weighting tfidf")
MIXES = ((0, 0), (0.3, 0), (0.3, 0.5), (0.2, 0.7), (0.4, 0.7), (0.3, 0.9))


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


def known_table(test: KnownItems, rows: dict[str, tuple[str, str, int | None]]) -> str:
    """BM25 and systems."""
    name, bm25 = systems.best_bm25(test)
    text = "| | @1 | @10 |\n|---|---|---|\n"
    text += f"| {name} | {' | '.join(f'{hit:.3f}' for hit in bm25.mean(0))} |\n"
    print(test.name, text.splitlines()[-1], file=sys.stderr, flush=True)
    for title, (build, search, first) in rows.items():
        index = systems.build(test, *build.split())
        found = systems.by_navvy(test.first(first), index, *search.split())
        text += f"| {title} | {cells(found, bm25[:first])} |\n"
        print(test.name, text.splitlines()[-1], file=sys.stderr, flush=True)
    return text


def known_text(what: str, half: KnownItems) -> str:
    text = f"**{half.name}**: {what} {len(half.queries)} queries, {len(half.texts):,} texts; "
    return text + f"for example *{half.queries[0]}*.\n\n{known_table(half, SYSTEMS)}\n"


def known() -> None:
    text = "".join(known_text(what, make().half(1)) for what, make in tests().items())
    tradeoff.put(tradeoff.PAGE, "known", text)


def choices() -> None:
    """How an index is built, and shares of the other direction and of bow, on the other half."""
    text = "# What a typed text asks\n\nWritten by `./dev bench meaning choices`: the half of the "
    text += "queries that docs/choosing.md does not report.\nIntervals are those of the paired "
    text += "difference to BM25. As usual is `--measure rwmd\n"
    text += f"{SHARES}`; the others change what they name.\n"
    rows = {f"`build {build}`" if build else "as usual": (build, "", None) for build in BUILDS}
    mixes = [f"--measure rwmd --direction mix:{a} --mix-bow {bow}" for a, bow in MIXES]
    for search in (*mixes, f"--measure act-1 {SHARES}"):
        rows[f"`{search}`"] = ("", search, None)
    for make in tests().values():
        test = make().half(0)
        text += f"\n## {test.name}\n\n{len(test.queries)} queries, {len(test.texts):,} texts.\n\n"
        text += known_table(test, rows)
    CHOICES.write_text(text)
    print(text)


def labelled() -> list[Labelled]:
    """The data sets of the tables of classes."""
    from news import COLUMNS, posts, tsv

    news()
    folder, *options = posts()
    r8, tweets = tsv("r8-train", "r8-train-all-terms.txt.gz"), tsv("twitter", "twitter.txt.gz")
    return [
        Labelled("20 Newsgroups", "news", folder, tuple(options)),
        Labelled("R8, training part", "r8", r8, COLUMNS),
        Labelled("Twitter", "twitter", tweets, COLUMNS),
    ]


def classified() -> None:
    tradeoff.put(tradeoff.PAGE, "classes", "".join(classes.table(each) for each in labelled()))


PARTS = {"known": known, "choices": choices, "classes": classified}


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
