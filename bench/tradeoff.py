"""Precision against time per measure: docs/tradeoff.md and docs/images/accuracy.svg.

The digits of the demo are always there; MNIST needs the public data sets, and its part stays as it
is without them. Texts: bench/news.py.
"""

import json
import re
import subprocess
import sys

import engine

PAGE = engine.ROOT / "docs" / "tradeoff.md"
PICTURE = engine.ROOT / "docs" / "images" / "accuracy.svg"
HEAD = """# The trade-off, measured

Written by `./dev bench tradeoff`, each part by the command above its table. Seconds are those of
distances and lists; bold is the best of a column. Precision is the mean share of neighbours with
the label of their query.
"""


def evaluated(index, measures: str, tops: str, *options: str) -> tuple[str, dict]:
    command = ["evaluate", index, "--measures", measures, "--top", tops, *options]
    done = subprocess.run(
        [engine.NAVVY, *command, "--json"], check=True, capture_output=True, text=True
    )
    shown = ["navvy", "evaluate", index.name, *command[2:]]
    if "--report" in shown:
        shown = shown[: shown.index("--report")]
    return " ".join(shown), json.loads(done.stdout)


def section(title: str, command: str, document: dict) -> str:
    tops = list(document["measures"][0]["precision"])
    best = {top: max(m["precision"][top] for m in document["measures"]) for top in tops}
    text = f"\n## {title}\n\n`{command}`\n\n"
    sizes = (
        f"{document['n']:,} rows, {document['queries']:,} queries, {document['v']:,} coordinates"
    )
    text += f"{sizes}, {document['h']:.1f} bins per row; "
    text += f"{document['kernels']}, {document['threads']} threads.\n\n"
    text += f"| measure | {' | '.join(f'@{top}' for top in tops)} | seconds |\n"
    text += f"|---|{'---|' * (len(tops) + 1)}\n"
    for measure in document["measures"]:
        cells = []
        for top in tops:
            value = measure["precision"][top]
            cells.append(f"**{value:.4f}**" if value == best[top] else f"{value:.4f}")
        text += f"| `{measure['name']}` | {' | '.join(cells)} | {measure['seconds']:.2f} |\n"
    return text


def digits() -> str:
    demo = engine.ROOT / "data" / "demo"
    files = ["--images", demo / "digits-images.idx3", "--labels", demo / "digits-labels.idx1"]
    index = engine.build("digits.navvy", *files)
    measures = "bow,wcd,rwmd,omr,act-1,act-7,ict"
    return section("Handwritten digits of the demo", *evaluated(index, measures, "1,16,128"))


def mnist() -> str:
    PICTURE.parent.mkdir(exist_ok=True)
    folder = engine.DATA / "mnist"
    files = ["--images", folder / "t10k-images-idx3-ubyte.gz"]
    files += ["--labels", folder / "t10k-labels-idx1-ubyte.gz"]
    index = engine.build("mnist-test.navvy", *files)
    measures = "bow,wcd,rwmd,omr,act-1,act-3,act-7"
    return section(
        "MNIST, the 10,000 test images",
        *evaluated(index, measures, "1,16,128", "--report", str(PICTURE)),
    )


def old_section(title: str) -> str:
    """The part of the page that an earlier run wrote; empty without one."""
    page = PAGE.read_text() if PAGE.exists() else ""
    found = re.search(rf"\n## {title}.*?(?=\n## |\Z)", page, re.DOTALL)
    return found[0] if found else ""


def main() -> int:
    engine.WORK.mkdir(parents=True, exist_ok=True)
    text = HEAD + digits()
    if engine.DATA.exists():
        text += mnist()
    else:
        print(f"tradeoff: no data at {engine.DATA}; set NAVVY_DATA", file=sys.stderr)
        text += old_section("MNIST")
    PAGE.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
