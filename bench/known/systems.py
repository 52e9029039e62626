"""Who answers known-item tests: the navvy command, and BM25."""

import json
import subprocess
from pathlib import Path

import engine
import numpy as np

from known import bm25
from known.items import KnownItems

TOPS = (1, 10)
VECTORS = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"


def hits(places: list[int]) -> np.ndarray:
    """Queries by TOPS: whether the right text is among the first; places count from 0."""
    return np.array(places)[:, None] < np.array(TOPS)[None, :]


def build(test: KnownItems, *options: str) -> Path:
    """The index of a test's texts, whose ids are their numbers."""
    corpus = engine.WORK / f"items-{test.corpus}.jsonl"
    if not corpus.exists():
        lines = [json.dumps({"id": str(i), "text": text}) for i, text in enumerate(test.texts)]
        corpus.write_text("\n".join(lines) + "\n")
    name = "-".join([f"items-{test.corpus}", *(option.strip("-") for option in options)])
    source = ["--corpus", corpus, "--format", "jsonl", "--vectors", VECTORS]
    return engine.build(f"{name}.navvy", *source, *options)


def by_navvy(test: KnownItems, index: Path, *options: str) -> np.ndarray:
    """What `navvy search` finds; a query without any known word finds nothing."""
    file = engine.WORK / f"items-{test.name}-queries.txt"
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


def by_bm25(test: KnownItems, reading: str) -> np.ndarray:
    """What BM25 finds; ties by number."""
    ranking = bm25.Ranking(test.texts, reading)
    places = []
    for query, right in zip(test.queries, test.answers, strict=True):
        scores = ranking.scores(query)
        own = scores[right]
        place = (scores > own).sum() + (scores[:right] == own).sum()
        places.append(int(place) if own > 0 else max(TOPS))
    return hits(places)


def best_bm25(test: KnownItems) -> tuple[str, np.ndarray]:
    """Of its readings the one that finds most at 1 and 10 together."""
    found = {reading: by_bm25(test, reading) for reading in bm25.READINGS}
    return max(found.items(), key=lambda each: each[1].sum())


def difference(system: np.ndarray, other: np.ndarray) -> list[tuple[float, float, float]]:
    """For each of TOPS the mean of the paired differences and its 95 % interval."""
    paired = system.astype(float) - other
    mean = paired.mean(axis=0)
    half = 1.96 * paired.std(axis=0, ddof=1) / np.sqrt(len(paired))
    return list(zip(mean, mean - half, mean + half, strict=True))
