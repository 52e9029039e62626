"""Images: the nearest digits under several measures, side by side.

python examples/gallery/images.py [PICTURE.png]
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import navvy  # noqa: E402
from sklearn.datasets import load_digits  # noqa: E402

MEASURES = ("bow", "act-1", "emd")
QUERIES = (9, 37, 38)
TOP = 6


def main() -> None:
    images, labels = load_digits(return_X_y=True)
    images = images.reshape(-1, 8, 8)
    index = navvy.Index.from_images(images, labels=labels)
    lines = len(QUERIES) * len(MEASURES)
    figure, axes = plt.subplots(lines, TOP + 1, figsize=(TOP + 2.2, lines))
    for place, (query, measure) in enumerate((q, m) for q in QUERIES for m in MEASURES):
        matches = index.search(rows=[query], top=TOP, measure=measure)[0]
        print(f"digit {labels[query]} under {measure}: {' '.join(str(m.label) for m in matches)}")
        axes[place, 0].set_ylabel(measure, rotation=0, ha="right", va="center")
        for axis, row in zip(axes[place], [query, *(match.row for match in matches)], strict=True):
            axis.imshow(images[row], cmap="gray_r")
            axis.set(xticks=[], yticks=[])
            wrong = labels[row] != labels[query]
            axis.spines[:].set_color("tab:red" if wrong else "lightgray")
            axis.spines[:].set_linewidth(3 if wrong else 1)
    figure.savefig(sys.argv[1] if sys.argv[1:] else "images.png", dpi=70, bbox_inches="tight")


if __name__ == "__main__":
    main()
