"""Microseconds per distance against peers, on the same rows and one thread each.

MNIST and 20 Newsgroups; writes bench/results/peers.md. Needs the public data sets, as engine.py.
"""

import os

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import sys  # noqa: E402
import time  # noqa: E402

import engine  # noqa: E402
import faiss  # noqa: E402
import navvy  # noqa: E402
import numpy as np  # noqa: E402
import ot  # noqa: E402
from scipy.spatial.distance import cdist  # noqa: E402

RESULTS = engine.ROOT / "bench" / "results" / "peers.md"
HEAD = """# Against peers

Written by `./dev bench peers`: CPU microseconds per distance, one thread, the same queries and rows
in one run. navvy's searches answer the top 16 over all rows; the others compute distances one pair
at a time, for as many pairs as the table says, apart from faiss, which searches centroids as `wcd`
does.
`sinkhorn` and `sinkhorn2` use lambda = 20 over the largest cost of the pair and the tolerance 1e-6.
"""


class Rows:
    """The rows of an index as arrays for the peers."""

    def __init__(self, path):
        self.index = navvy.Index.open(path)
        self.histograms = self.index.histograms.tocsr().astype(np.float64)
        self.coordinates = self.index.coordinates.astype(np.float64)

    def bins(self, row):
        begin, end = self.histograms.indptr[row : row + 2]
        weights = self.histograms.data[begin:end]
        return weights / weights.sum(), self.coordinates[self.histograms.indices[begin:end]]

    def pair(self, a, b):
        p, x = self.bins(a)
        q, y = self.bins(b)
        return p, q, cdist(x, y)


def microseconds(work, distances):
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e6 / distances


def numpy_rwmd(p, q, costs):
    return max(p @ costs.min(1), q @ costs.min(0))


def pot_sinkhorn(p, q, costs):
    return ot.sinkhorn2(p, q, costs, costs.max() / 20, method="sinkhorn_log", stopThr=1e-6)


def by_navvy(rows, measure, queries, columns=None):
    n = len(rows.index)
    if columns is not None:

        def matrix():
            for query in queries:
                rows.index.distances(
                    measure=measure,
                    query_rows=range(query, query + 1),
                    rows=range(columns),
                    threads=1,
                )

        return microseconds(matrix, len(queries) * columns), len(queries) * columns

    def search():
        for query in queries:
            rows.index.search(rows=[query], top=16, measure=measure, threads=1)

    return microseconds(search, len(queries) * n), len(queries) * n


def by_loop(rows, function, pairs):
    def loop():
        for a, b in pairs:
            function(*rows.pair(a, b))

    return microseconds(loop, len(pairs)), len(pairs)


def by_faiss(rows, queries):
    centroids = np.ascontiguousarray(rows.histograms @ rows.coordinates, dtype=np.float32)
    faiss.omp_set_num_threads(1)
    flat = faiss.IndexFlatL2(centroids.shape[1])
    flat.add(centroids)
    n = len(queries) * len(centroids)
    return microseconds(lambda: flat.search(centroids[queries], 17), n), n


def table(title, path):
    rows = Rows(path)
    n = len(rows.index)
    rng = np.random.default_rng(0)
    some = [int(row) for row in rng.choice(n, 20, replace=False)]
    pairs = [tuple(int(row) for row in rng.choice(n, 2, replace=False)) for _ in range(300)]
    for measure in ("wcd", "rwmd", "act-1"):
        rows.index.search(rows=[0], top=16, measure=measure, threads=1)
    lines = [
        ("navvy wcd", *by_navvy(rows, "wcd", some)),
        ("faiss IndexFlatL2 on centroids", *by_faiss(rows, some)),
        ("navvy rwmd", *by_navvy(rows, "rwmd", some)),
        ("NumPy RWMD", *by_loop(rows, numpy_rwmd, pairs)),
        ("navvy act-1", *by_navvy(rows, "act-1", some)),
        ("navvy sinkhorn", *by_navvy(rows, "sinkhorn", some[:2], 100)),
        ("POT sinkhorn2", *by_loop(rows, pot_sinkhorn, pairs[:60])),
        ("navvy emd, exact top 16", *by_navvy(rows, "emd", some[:5])),
        ("POT emd2", *by_loop(rows, lambda p, q, costs: ot.emd2(p, q, costs), pairs)),
    ]
    act = next(time for name, time, _ in lines if name == "navvy act-1")
    text = f"\n## {title}\n\n{n:,} rows, {rows.histograms.nnz / n:.1f} bins per row.\n\n"
    text += "| | distances | us per distance | against act-1 |\n|---|---|---|---|\n"
    for name, time_each, count in lines:
        text += f"| {name} | {count:,} | {time_each:.3g} | {time_each / act:.3g} x |\n"
    print(text, flush=True)
    return text


def main() -> int:
    if not engine.has_data("peers"):
        return 0
    text = HEAD + table("MNIST", engine.mnist("mnist.navvy")) + table("20News", engine.news())
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
