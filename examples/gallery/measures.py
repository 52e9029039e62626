"""Choosing a measure: how near each comes to the exact distance, and how well it finds.

python examples/gallery/measures.py [PICTURE.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import navvy  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.datasets import load_digits  # noqa: E402

BOUNDS = ("rwmd", "omr", "act-1", "act-3", "act-7", "ict")


def main() -> None:
    images, labels = load_digits(return_X_y=True)
    index = navvy.Index.from_images(images[:300].reshape(-1, 8, 8), labels=labels[:300])
    pairs = np.triu_indices(len(index), 1)
    exact = index.distances(measure="emd")[pairs]
    shares = [index.distances(measure=measure)[pairs] / exact for measure in BOUNDS]
    measures = ("bow", "wcd", *BOUNDS, "emd")
    found = index.evaluate(measures, tops=(8,))
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.5))
    left.boxplot(shares, tick_labels=list(BOUNDS), showfliers=False)
    left.set_ylabel("share of emd")
    left.set_title("Bounds: every pair of 300 digits", fontsize=10)
    for place, measure in enumerate(measures):
        mean, low, high = (*found[measure].precision.values(), *found[measure].intervals[8])
        right.errorbar(place, mean, [[mean - low], [high - mean]], fmt="o", color="tab:blue")
        print(f"{measure:6} precision at 8: {mean:.3f} ({low:.3f} to {high:.3f})")
    right.set_xticks(range(len(measures)), measures, rotation=45)
    right.set_title("Precision of the 8 nearest, with 95 % intervals", fontsize=10)
    figure.savefig(sys.argv[1] if sys.argv[1:] else "measures.png", dpi=90, bbox_inches="tight")


if __name__ == "__main__":
    main()
