"""Texts: what is near a question, and a map of all texts.

python examples/gallery/texts.py [PICTURE.png]
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import navvy  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.manifold import TSNE  # noqa: E402

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"


def main() -> None:
    lines = [line.split("\t") for line in (DEMO / "texts.tsv").read_text().splitlines()]
    topics, titles, texts = zip(*lines, strict=True)
    index = navvy.Index.from_texts(texts, DEMO / "vectors.bin", labels=topics)

    # A question finds texts that share its meaning, not its words.
    question = "the crew came back from orbit"
    matches = index.search(question, top=3)
    for match in matches[0]:
        print(f"{match.distance:.2f}  {match.label}: {titles[match.row]}")

    # Who is like whom: all pairs under act-1, laid out in the plane.
    layout = TSNE(metric="precomputed", init="random", perplexity=10, random_state=0)
    places = layout.fit_transform(index.distances(measure="act-1"))
    figure, axes = plt.subplots(figsize=(7, 5))
    for topic in sorted(set(topics)):
        chosen = places[np.array(topics) == topic]
        axes.scatter(chosen[:, 0], chosen[:, 1], s=25, label=topic)
    found = places[matches.rows[0]]
    axes.scatter(found[:, 0], found[:, 1], s=120, facecolors="none", edgecolors="black")
    axes.set_title(f"120 texts; rings: nearest to “{question}”", fontsize=10)
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set_axis_off()
    figure.savefig(sys.argv[1] if sys.argv[1:] else "texts.png", dpi=90, bbox_inches="tight")


if __name__ == "__main__":
    main()
