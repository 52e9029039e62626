"""A kNN graph under act-1 into a picture where near digits lie together, in the manner of UMAP.

python examples/layout.py [PICTURE.png] [--rows 600]
"""

import argparse
from typing import Any

import matplotlib
from navvy.sklearn import EMDKNeighborsTransformer
from sklearn.datasets import load_digits

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402


def memberships(graph: Any, neighbors: int) -> Any:
    """How much each pair belongs together: 1 for the nearest neighbour, fading with distance."""
    rows = graph.shape[0]
    distances = graph.data.reshape(rows, neighbors + 1)[:, 1:]  # each row is its own first
    beyond = distances - distances[:, :1]
    width = np.maximum(beyond.mean(axis=1, keepdims=True), 1e-9)
    weights = np.zeros((rows, rows))
    columns = graph.indices.reshape(rows, neighbors + 1)[:, 1:]
    weights[np.arange(rows)[:, np.newaxis], columns] = np.exp(-beyond / width)
    return weights + weights.T - weights * weights.T  # a or b


def layout(weights: Any, rounds: int = 300, seed: int = 0) -> Any:
    """Places in the plane: members attract, all others repel, in ever smaller steps."""
    places = np.random.default_rng(seed).normal(scale=5, size=(len(weights), 2))
    for step in np.linspace(1, 0.01, rounds):
        ways = places[:, np.newaxis] - places
        squares = (ways**2).sum(axis=2)
        pull = 2 * weights / (1 + squares)
        push = 2 * (1 - weights) / ((0.1 + squares) * (1 + squares)) / 20
        forces = (np.clip(push - pull, -1, 1)[:, :, np.newaxis] * ways).sum(axis=1)
        places += step * np.clip(forces, -4, 4) / 4
    return places


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("picture", nargs="?", default="layout.png")
    parser.add_argument("--rows", type=int, default=600)
    arguments = parser.parse_args()
    digits, labels = load_digits(return_X_y=True)
    X, y = digits[: arguments.rows], labels[: arguments.rows]
    neighbors = 12
    transformer = EMDKNeighborsTransformer(
        n_neighbors=neighbors, coordinates=np.indices((8, 8)).reshape(2, -1).T, n_jobs=-1
    )
    places = layout(memberships(transformer.fit_transform(X), neighbors))
    figure, axes = plt.subplots(figsize=(8, 8))
    points = axes.scatter(places[:, 0], places[:, 1], c=y, cmap="tab10", s=12)
    axes.legend(*points.legend_elements(), title="digit")
    axes.set_axis_off()
    figure.savefig(arguments.picture, dpi=150, bbox_inches="tight")
    distances = ((places[:, np.newaxis] - places) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    same = np.mean(y[distances.argmin(axis=1)] == y)
    print(f"{len(X)} digits in {arguments.picture}; {same:.0%} lie beside one of their kind")


if __name__ == "__main__":
    main()
