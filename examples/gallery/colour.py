"""Colour: parts of photographs by the colours that they have, near colours counting as near.

python examples/gallery/colour.py [PICTURE.png]
"""

import sys
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import navvy  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.cluster import MiniBatchKMeans  # noqa: E402
from sklearn.datasets import load_sample_images  # noqa: E402

SIDE, TOP = 53, 8


def tiles() -> Any:
    """Squares of two photographs."""
    photographs = load_sample_images().images
    cuts = [
        photo[y : y + SIDE, x : x + SIDE]
        for photo in photographs
        for y in range(0, photo.shape[0] - SIDE, SIDE)
        for x in range(0, photo.shape[1] - SIDE, SIDE)
    ]
    return np.array(cuts)


def main() -> None:
    squares = tiles()
    pixels = squares.reshape(-1, 3) / 255
    # 64 colours that stand for all, at their places in the cube of red, green and blue.
    palette = MiniBatchKMeans(64, random_state=0, n_init=1).fit(pixels[::7])
    named = palette.predict(pixels).reshape(len(squares), -1)
    histograms = np.array([np.bincount(line, minlength=64) for line in named])
    index = navvy.Index.from_histograms(histograms, palette.cluster_centers_)
    figure, axes = plt.subplots(6, TOP + 1, figsize=(TOP + 2.2, 6.2))
    cases = [(row, measure) for row in (40, 68, 95) for measure in ("bow", "emd")]
    for line, (row, measure) in zip(axes, cases, strict=True):
        matches = index.search(rows=[row], top=TOP, measure=measure)
        print(f"square {row} under {measure}: {matches.rows[0].tolist()}")
        line[0].set_ylabel(measure, rotation=0, ha="right", va="center")
        for axis, shown in zip(line, [row, *matches.rows[0]], strict=True):
            axis.imshow(squares[shown])
            axis.set(xticks=[], yticks=[])
    figure.savefig(sys.argv[1] if sys.argv[1:] else "colour.png", dpi=60, bbox_inches="tight")


if __name__ == "__main__":
    main()
