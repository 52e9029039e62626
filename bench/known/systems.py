"""Who answers known-item tests: the navvy command, and BM25 over the same words."""

import json
import subprocess
from pathlib import Path

import bm25s
import engine
import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from known.items import KnownItems, words

TOPS = (1, 10)
VECTORS = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"


def hits(places: list[int]) -> np.ndarray:
    """Queries by TOPS: whether the right text is among the first; places count from 0."""
    return np.array(places)[:, None] < np.array(TOPS)[None, :]


def build(test: KnownItems, *options: str) -> Path:
    """The index of a test's texts, whose ids are their numbers."""
    corpus = engine.WORK / f"known-{test.name}.jsonl"
    if not corpus.exists():
        lines = [json.dumps({"id": str(i), "text": text}) for i, text in enumerate(test.texts)]
        corpus.write_text("\n".join(lines) + "\n")
    name = "-".join([f"known-{test.name}", *(option.strip("-") for option in options)])
    source = ["--corpus", corpus, "--format", "jsonl", "--vectors", VECTORS]
    return engine.build(f"{name}.navvy", *source, *options)


def by_navvy(test: KnownItems, index: Path, *options: str) -> np.ndarray:
    """What `navvy search` finds; a query without any known word finds nothing."""
    file = engine.WORK / "known-queries.txt"
    file.write_text("\n".join(test.queries) + "\n")
    command = [engine.NAVVY, "search", index, "--query-file", file, "--format", "lines"]
    command += ["--top", str(max(TOPS)), "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(done.stderr)
    answers = json.loads(done.stdout)["queries"]
    places = []
    for answer, right in zip(answers, test.answers, strict=True):
        found = [int(match["id"]) for match in answer.get("matches", [])]
        places.append(found.index(right) if right in found else max(TOPS))
    return hits(places)


def by_bm25(test: KnownItems, stop_words: bool) -> np.ndarray:
    """BM25 as Lucene computes it, with its usual k1 = 1.5 and b = 0.75; ties by number."""
    left_out = ENGLISH_STOP_WORDS if stop_words else frozenset()

    def tokens(text: str) -> list[str]:
        return [word for word in words(text) if word not in left_out]

    ranking = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    ranking.index([tokens(text) for text in test.texts], show_progress=False)
    places = []
    for query, right in zip(test.queries, test.answers, strict=True):
        known = [word for word in tokens(query) if word in ranking.vocab_dict]
        scores = ranking.get_scores(known) if known else np.zeros(len(test.texts))
        own = scores[right]
        place = (scores > own).sum() + (scores[:right] == own).sum()
        places.append(int(place) if own > 0 else max(TOPS))
    return hits(places)


def better_bm25(test: KnownItems) -> tuple[str, np.ndarray]:
    """With or without English stop words, whichever finds more at 1 and 10 together."""
    found = {
        "BM25": by_bm25(test, stop_words=False),
        "BM25 without stop words": by_bm25(test, stop_words=True),
    }
    return max(found.items(), key=lambda each: each[1].sum())


def difference(system: np.ndarray, other: np.ndarray) -> list[tuple[float, float, float]]:
    """For each of TOPS the mean of the paired differences and its 95 % interval."""
    paired = system.astype(float) - other
    mean = paired.mean(axis=0)
    half = 1.96 * paired.std(axis=0, ddof=1) / np.sqrt(len(paired))
    return list(zip(mean, mean - half, mean + half, strict=True))
