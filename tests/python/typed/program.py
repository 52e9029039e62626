"""What users write, with types: test_types.py runs it, and mypy and pyright over it."""

from pathlib import Path

import navvy
import navvy.pot as ot
import numpy as np
import numpy.typing as npt
from navvy.gensim import WmdSimilarity, wmdistance


def nearest(X: npt.NDArray[np.float64], places: npt.NDArray[np.float64]) -> list[navvy.Match]:
    index = navvy.Index.from_histograms(X, places, labels=["a"] * len(X))
    matches: navvy.Matches = index.search(X[:1], top=3, measure="act-1", threads=2)
    rows: npt.NDArray[np.int64] = matches.rows
    assert rows.shape == (1, 3)
    index.save(Path("program.navvy"))
    return matches[0]


def pair(p: list[float], q: list[float], C: list[list[float]]) -> float:
    distance, flow = navvy.emd(p, q, C, return_flow=True)
    total: float = distance + navvy.rwmd(p, q, C) + navvy.act(p, q, C, 3)
    moved: npt.NDArray[np.float64] = flow
    return total + float(moved.sum())


def tables(index: navvy.Index) -> dict[str, navvy.Evaluation]:
    explanation: navvy.Explanation = index.explain(0, 1)
    for move in explanation.moves:
        print(move)
    return index.evaluate(["bow", "act-1"], tops=(1,))


class Words:
    key_to_index = {"king": 0, "pear": 1}
    index_to_key = ["king", "pear"]
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]])


def texts(documents: list[list[str]]) -> float:
    similar = WmdSimilarity(documents, Words, num_best=2, threads=1)
    similar.num_best = None
    size: int = len(similar)
    every: npt.NDArray[np.float64] = similar.get_similarities(documents[0])
    index = navvy.Index.from_texts([" ".join(words) for words in documents], Words)
    names: list[str] = index.words
    return size + float(every.sum()) + len(names) + wmdistance(["king"], ["pear"], Words)


def umap(index: navvy.Index) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    return index.knn_matches(2).for_umap()


def progress(phase: str, done: int, total: int) -> None:
    print(phase, done, total)


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((20, 5))
    index = navvy.Index.from_histograms(X, np.arange(5), labels=["a", "b"] * 10)
    distances = index.distances(
        X[:2], "sinkhorn", progress=progress, sinkhorn=navvy.Sinkhorn(lam=5)
    )
    print(distances.sum(), index.knn(3), navvy.kernels(), navvy.devices())
    print(nearest(X, np.arange(5.0)), pair([1], [1], [[0]]), tables(index), umap(index))
    print(texts([["king"], ["pear"]]), ot.emd2([], [], [[0, 1], [1, 0]]))


if __name__ == "__main__":
    main()
