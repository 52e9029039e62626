"""Precision of neighbours of labelled texts over weightings, vectors and measures, beside BM25."""

import sys
from dataclasses import dataclass
from pathlib import Path

import engine
import navvy
import numpy as np

from known import bm25, systems

TOPS = (1, 16)
WEIGHTINGS = ("tf", "log", "tfidf", "sif", "norm", "bm25")
MEASURES = ("bow", "wcd", "rwmd", "omr", "act-1", "act-3", "ict")
BASELINES = ("bow", "wcd")
QUERIES = 500


@dataclass
class Labelled:
    """A corpus with labels, and the options by which it is read."""

    title: str
    name: str
    corpus: Path
    options: tuple[str, ...]

    def index(self, setting: str) -> navvy.Index:
        source = ["--corpus", self.corpus, "--vectors", systems.VECTORS, *self.options]
        file = f"classes-{self.name}{setting.replace(' ', '-')}.navvy"
        return navvy.Index.open(engine.build(file, *source, *setting.split()))

    def texts(self, index: navvy.Index) -> list[str]:
        """What stands in each row: files by their ids, or lines label<TAB>text."""
        if self.corpus.is_dir():
            return [(self.corpus / name).read_text("latin1") for name in index.ids]
        lines = self.corpus.read_text("utf-8", errors="replace").rstrip("\n").split("\n")
        return [line.partition("\t")[2] for line in lines]


# By who asked: the precision at each of TOPS.
Precisions = dict[int, tuple[float, ...]]


def by_navvy(index: navvy.Index, measure: str, queries: int, seed: int) -> Precisions:
    done = index.evaluate(measure, TOPS, queries, seed=seed)[measure]
    columns = zip(*(done.of_each[top] for top in TOPS), strict=True)
    return dict(zip(done.asked.tolist(), columns, strict=True))


def by_bm25(labelled: Labelled, reading: str, asked: list[int]) -> Precisions:
    """Rows as queries among all others; ties by number."""
    index = labelled.index("")
    texts, labels = labelled.texts(index), np.array(index.labels)
    ranking = bm25.Ranking(texts, reading)
    found = {}
    for row in asked:
        scores = ranking.scores(texts[row])
        scores[row] = -np.inf
        same = labels[np.argsort(-scores, kind="stable")[: max(TOPS)]] == labels[row]
        found[row] = tuple(float(same[:top].mean()) for top in TOPS)
    return found


def mean(found: Precisions) -> np.ndarray:
    return np.mean(list(found.values()), axis=0)


def cell(found: Precisions) -> str:
    return " / ".join(f"{value:.3f}" for value in mean(found))


def settings() -> list[tuple[str, str]]:
    """Names, and options of build."""
    pairs = [(weighting, condition) for weighting in WEIGHTINGS for condition in (0, 2)]
    return [
        (w + (", conditioned" if c else ""), f"--weighting {w} --condition {c}") for w, c in pairs
    ]


def table(labelled: Labelled) -> str:
    """All settings and measures, BM25 at its best, and what the best find for other queries."""
    text = f"**{labelled.title}**, {QUERIES} queries at random against all others:\n\n"
    text += f"| weighting | {' | '.join(f'`{measure}`' for measure in MEASURES)} |\n"
    text += f"|---|{'---|' * len(MEASURES)}\n"
    found: dict[tuple[str, str], Precisions] = {}
    for name, setting in settings():
        index = labelled.index(setting)
        row = [by_navvy(index, measure, QUERIES, 1) for measure in MEASURES]
        found |= {(setting, measure): each for measure, each in zip(MEASURES, row, strict=True)}
        text += f"| {name} | {' | '.join(map(cell, row))} |\n"
        print(labelled.title, text.splitlines()[-1], file=sys.stderr, flush=True)
    asked = list(by_navvy(labelled.index(""), "bow", QUERIES, 1))
    readings = {reading: by_bm25(labelled, reading, asked) for reading in bm25.READINGS}
    reading = max(readings, key=lambda each: mean(readings[each]).sum())
    text += f"\n{reading}: {cell(readings[reading])}.\n\n"
    return text + others(labelled, found, reading) + "\n"


def others(labelled: Labelled, found: dict[tuple[str, str], Precisions], reading: str) -> str:
    """What was best at 1 and 16 together, asked by rows that did not choose it."""
    names = {setting: name for name, setting in settings()}

    def best(measures: tuple[str, ...]) -> tuple[str, str]:
        among = [key for key in found if key[1] in measures]
        return max(among, key=lambda key: mean(found[key]).sum())

    meaning = best(tuple(measure for measure in MEASURES if measure not in BASELINES))
    words = best(("bow",))
    chose = set().union(*found.values())
    answers = {
        f"`{key[1]}`, {names[key[0]]}": by_navvy(labelled.index(key[0]), key[1], 2 * QUERIES, 2)
        for key in (meaning, words)
    }
    asked = sorted(set.intersection(*map(set, answers.values())) - chose)
    answers[reading] = by_bm25(labelled, reading, asked)
    first = np.array([next(iter(answers.values()))[row] for row in asked])
    text = f"The best of each, for {len(asked)} other queries; in parentheses the 95 % interval of "
    text += "the difference to the first:\n\n| | @1 | @16 |\n|---|---|---|\n"
    for title, each in answers.items():
        hits = np.array([each[row] for row in asked])
        cells = [f"{value:.3f}" for value in hits.mean(0)]
        if each is not next(iter(answers.values())):
            apart = systems.difference(hits, first)
            cells = [
                f"{value} ({low:+.3f} to {high:+.3f})"
                for value, (_, low, high) in zip(cells, apart, strict=True)
            ]
        text += f"| {title} | {' | '.join(cells)} |\n"
    return text
