"""A kNN graph under act-1 into a picture where near digits lie together.

python examples/layout.py [PICTURE.png] [--rows 600]
"""

import argparse

import matplotlib
from navvy.sklearn import EMDKNeighborsTransformer
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE
from sklearn.pipeline import make_pipeline

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("picture", nargs="?", default="layout.png")
    parser.add_argument("--rows", type=int, default=600)
    arguments = parser.parse_args()
    X, y = load_digits(return_X_y=True)
    X, y = X[: arguments.rows], y[: arguments.rows]
    perplexity = 15
    layout = make_pipeline(
        EMDKNeighborsTransformer(
            n_neighbors=3 * perplexity + 1,
            coordinates=np.indices((8, 8)).reshape(2, -1).T,
            n_jobs=-1,
        ),
        TSNE(metric="precomputed", init="random", perplexity=perplexity, random_state=0),
    ).fit_transform(X)
    figure, axes = plt.subplots(figsize=(8, 8))
    points = axes.scatter(layout[:, 0], layout[:, 1], c=y, cmap="tab10", s=12)
    axes.legend(*points.legend_elements(), title="digit")
    axes.set_axis_off()
    figure.savefig(arguments.picture, dpi=150, bbox_inches="tight")
    print(f"{len(X)} digits laid out in {arguments.picture}")


if __name__ == "__main__":
    main()
