"""The paper's MNIST tables beside a run on the whole training set, written to bench/paper.md.

Needs the public data sets, as engine.py; takes some minutes.
"""

import json
import subprocess
import sys

import engine
import tradeoff

RESULTS = engine.ROOT / "bench" / "paper.md"
TOPS = ("1", "16", "128")
# Precision at the top 1, 16 and 128: Tables 5 and 6 of the paper.
PAPER = json.loads((engine.ROOT / "tests" / "data" / "paper.json").read_text())
HEAD = """# The paper's tables

Written by `./dev bench paper`: the 60,000 training images of MNIST, every one a query against all
others, precision at the top 1, 16 and 128 as the paper prints it and as navvy finds it.
"""


def table(title: str, index, expected: dict) -> str:
    measures = ",".join(expected)
    command = ["evaluate", index, "--measures", measures, "--top", ",".join(TOPS), "--json"]
    done = subprocess.run([engine.NAVVY, *command], check=True, capture_output=True, text=True)
    document = json.loads(done.stdout)
    text = f"\n## {title}\n\n`navvy evaluate {index.name} {' '.join(command[2:])}`, "
    text += f"{document['kernels']}, {document['threads']} threads of {tradeoff.processor()}\n\n"
    text += "| measure | @1 paper | @1 | @16 paper | @16 | @128 paper | @128 | seconds |\n"
    text += "|---|---|---|---|---|---|---|---|\n"
    largest = 0.0
    for measure in document["measures"]:
        cells = ""
        for top, paper in zip(TOPS, expected[measure["name"]], strict=True):
            found = measure["precision"][top]
            largest = max(largest, abs(found - paper))
            cells += f" {paper:.4f} | {found:.4f} |"
        text += f"| {measure['name']} |{cells} {measure['seconds']:.1f} |\n"
    text += f"\nLargest difference: {largest:.5f}\n"
    print(text, flush=True)
    return text


def main() -> int:
    if not engine.has_data("paper"):
        return 0
    background = engine.mnist("mnist-background.navvy", "--keep-background")
    text = HEAD + table(
        "Without background", engine.mnist("mnist.navvy"), PAPER["without background"]
    )
    text += table("With background (`--keep-background`)", background, PAPER["with background"])
    RESULTS.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
