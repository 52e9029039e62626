"""What the Python package costs and saves: python bench/python.py [--rows 10000] [--texts 200]

First the kNN graph of MNIST rows by the command and by the package, same index, same threads, each
as often as --repeat says, the best of each. Then the nearest texts of every text by navvy, by
gensim's WmdSimilarity and by a loop over POT, on random texts of the same vectors.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import navvy
import numpy as np
import ot
from gensim.models import KeyedVectors
from gensim.similarities import WmdSimilarity
from scipy.spatial.distance import cdist

ROOT = Path(__file__).resolve().parent.parent


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def mnist_index(rows, path):
    folder = Path(os.environ.get("NAVVY_DATA", ROOT.parent / "shared/data")) / "mnist"
    command = [ROOT / "build/release/navvy", "build", "-o", path]
    command += ["--images", folder / "train-images-idx3-ubyte.gz"]
    subprocess.run(command, check=True, capture_output=True)
    index = navvy.Index.open(path)
    index.remove(index.ids[rows:])
    index.save(path)


def binding(rows, repeat):
    with tempfile.TemporaryDirectory() as folder:
        path, graph = Path(folder, "mnist.navvy"), Path(folder, "graph.npz")
        mnist_index(rows, path)
        command = [ROOT / "build/release/navvy", "knn", path, "--top", "16"]
        command += ["--measure", "act-1", "-o", graph]
        by_command, by_package = [], []
        for _ in range(repeat):
            by_command.append(
                seconds(lambda: subprocess.run(command, check=True, capture_output=True))
            )
            by_package.append(seconds(lambda: navvy.Index.open(path).knn(16, "act-1")))
    return {"rows": rows, "command": min(by_command), "package": min(by_package)}


def texts(count):
    rng = np.random.default_rng(0)
    words = [f"w{i}" for i in range(5000)]
    keyed = KeyedVectors(100)
    keyed.add_vectors(words, rng.normal(size=(5000, 100)).astype(np.float32))
    ranks = np.minimum(rng.zipf(1.3, (count, 40)), 5000) - 1
    corpus = [[words[rank] for rank in row] for row in ranks]
    times = {"texts": count}
    ours = navvy.gensim.WmdSimilarity(corpus, keyed, num_best=10)
    times["navvy"] = seconds(lambda: ours[corpus])
    theirs = WmdSimilarity(corpus, keyed, num_best=10)
    times["gensim"] = seconds(lambda: [theirs[query] for query in corpus])
    times["POT"] = seconds(lambda: pot_loop(corpus, keyed))
    for query in corpus[:5]:
        np.testing.assert_allclose(
            [s for _, s in ours[query]], [s for _, s in theirs[query]], atol=1e-5
        )
    return times


def pot_loop(corpus, keyed):
    bags = []
    for words in corpus:
        names, counts = np.unique(words, return_counts=True)
        vectors = np.array([keyed.get_vector(name, norm=True) for name in names])
        bags.append((counts / counts.sum(), vectors))
    for p, a in bags:
        for q, b in bags:
            ot.emd2(p, q, cdist(a, b))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    print(json.dumps({"binding": binding(arguments.rows, arguments.repeat)}))
    print(json.dumps({"texts": texts(arguments.texts)}))


if __name__ == "__main__":
    main()
