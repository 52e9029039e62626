"""Single cells: genes that act together are near, so dropped-out counts do not hide a cell's kind.

python examples/gallery/cells.py [PICTURE.png]

The counts are drawn at random: cells of four kinds, of which each gene is seen in few.
"""

import sys
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from navvy.sklearn import EMDKNeighborsTransformer  # noqa: E402
from sklearn.manifold import TSNE  # noqa: E402
from sklearn.neighbors import NearestNeighbors  # noqa: E402

CELLS, GENES, PROGRAMS, KINDS = 400, 300, 12, 4


def draw(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Counts, the place of each gene (near those of its program), and the kind of each cell."""
    program = rng.integers(0, PROGRAMS, GENES)
    places = rng.normal(size=(PROGRAMS, 10))[program] + 0.3 * rng.normal(size=(GENES, 10))
    kinds = rng.integers(0, KINDS, CELLS)
    activity = rng.gamma(0.4, size=(KINDS, PROGRAMS))
    rates = activity[kinds][:, program] * rng.gamma(1, size=GENES)
    return rng.poisson(25 * rates / rates.sum(axis=1, keepdims=True)), places, kinds


def layout(graph: Any) -> Any:
    made = TSNE(metric="precomputed", init="random", perplexity=15, random_state=0)
    return made.fit_transform(graph)


def purity(graph: Any, kinds: Any) -> float:
    """The share of neighbours of a cell's own kind; each cell is the first of its own."""
    neighbours = graph.indices.reshape(len(kinds), -1)[:, 1:]
    return float(np.mean(kinds[neighbours] == kinds[:, np.newaxis]))


def main() -> None:
    counts, places, kinds = draw(np.random.default_rng(4))
    counts = counts[counts.sum(axis=1) > 0].astype(np.float32)
    shares = counts / counts.sum(axis=1, keepdims=True)
    near = NearestNeighbors(n_neighbors=47, metric="manhattan").fit(shares)
    by_counts = near.kneighbors_graph(shares, mode="distance")
    # For scanpy: scanpy.pp.neighbors(cells, transformer=transformer, use_rep="X")
    transformer = EMDKNeighborsTransformer(n_neighbors=46, measure="act-3", coordinates=places)
    by_genes = transformer.fit_transform(counts)
    figure, axes = plt.subplots(1, 2, figsize=(9, 4))
    graphs = {"counts alone (L1)": by_counts, "act-3 over genes": by_genes}
    for axis, (name, graph) in zip(axes, graphs.items(), strict=True):
        title = f"{name}: {purity(graph, kinds):.0%} of neighbours of one kind"
        print(title)
        points = layout(graph)
        axis.scatter(points[:, 0], points[:, 1], c=kinds, cmap="tab10", s=10)
        axis.set_title(title, fontsize=10)
        axis.set_axis_off()
    figure.savefig(sys.argv[1] if sys.argv[1:] else "cells.png", dpi=90, bbox_inches="tight")


if __name__ == "__main__":
    main()
