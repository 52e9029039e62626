"""Precision against time per measure: docs/choosing.md, README.md and docs/images/accuracy.svg.

The digits of the demo are always there. MNIST needs the public data sets, and its parts stay as
they are without them; --test takes its 10,000 test images instead of the 60,000 of training, which
takes seconds instead of minutes. bench/news.py writes the part on texts.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import engine

PAGE = engine.ROOT / "docs" / "choosing.md"
README = engine.ROOT / "README.md"
PICTURES = engine.ROOT / "docs" / "images"
MEASURES = "bow,wcd,rwmd,omr,act-1,act-3,act-7"
SHOWN = ("bow", "rwmd", "act-1", "act-7")  # on README's first screen


def picture(name: str, what: str) -> str:
    return f"![Precision against run time on {what}, a point per measure](images/{name})\n\n"


def put(page: Path, part: str, text: str) -> None:
    """Replaces what stands between the marks of a part."""
    begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    old = page.read_text()
    if len(pattern.findall(old)) != 1:
        sys.exit(f"{page}: expected one part between {begin.strip()} and {end}")
    page.write_text(pattern.sub(lambda _: begin + text + end, old))
    print(text)


def evaluated(index: Path, *options: str, plot: str = "") -> tuple[str, dict]:
    """The command as a reader would write it, and what it found; a name asks for the plot."""
    command = ["evaluate", index, "--measures", MEASURES, "--top", "1,16,128", *options]
    more = ["--report", PICTURES / plot] if plot else []
    PICTURES.mkdir(exist_ok=True)
    done = subprocess.run(
        [engine.NAVVY, *command, *more, "--json"], check=True, capture_output=True, text=True
    )
    return " ".join(["navvy", "evaluate", index.name, *command[2:]]), json.loads(done.stdout)


def processor() -> str:
    """The name that the machine gives to its processor."""
    names = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return names[1].strip() if names else "an unknown processor"


def table(title: str, command: str, document: dict) -> str:
    """All measures; the best of a column in bold."""
    tops = list(document["measures"][0]["precision"])
    best = {top: max(m["precision"][top] for m in document["measures"]) for top in tops}
    text = f"{title}: {document['n']:,} rows, each a query against all others; "
    text += f"{document['v']:,} coordinates, {document['h']:.1f} bins per row.\n"
    text += f"{document['kernels']}, {document['threads']} threads of {processor()}:\n"
    text += f"`{command}`\n\n"
    text += f"| measure | {' | '.join(f'@{top}' for top in tops)} | seconds |\n"
    text += f"|---|{'---|' * (len(tops) + 1)}\n"
    for measure in document["measures"]:
        cells = []
        for top in tops:
            value = measure["precision"][top]
            cells.append(f"**{value:.4f}**" if value == best[top] else f"{value:.4f}")
        text += f"| `{measure['name']}` | {' | '.join(cells)} | {measure['seconds']:.2f} |\n"
    return text + "\n"


def with_margin(measure: dict, top: str) -> str:
    """As the command shows it on a terminal: "0.9776 \u00b1.001"."""
    mean = measure["precision"][top]
    low, high = measure["intervals"][top]
    margin = f"{max(high - mean, mean - low):.3f}".removeprefix("0")
    return f"{mean:.4f} \u00b1{margin}"


def first_screen(document: dict, files: str) -> str:
    """The two commands and five lines of output."""
    tops = [f"{'@' + top:>12s}" for top in document["measures"][0]["precision"]]
    lines = ["  ".join(["measure", *tops, "seconds", "  cpu s", "distances/s"])]
    for measure in document["measures"]:
        if measure["name"] in SHOWN:
            cells = "  ".join(with_margin(measure, top) for top in measure["precision"])
            seconds = measure["seconds"]
            times = f"{seconds:7.3f}  {measure['cpu_seconds']:7.3f}"
            each = f"{measure['distances'] / seconds / 1e6:.3g} M"
            lines.append(f"{measure['name']:7s}  {cells}  {times}  {each:>11s}")
    shown = "\n".join(lines)
    return f"""
<!-- not run: needs the MNIST files -->
```sh
navvy build --images {files}-images-idx3-ubyte.gz --labels {files}-labels-idx1-ubyte.gz \\
  -o mnist.navvy
navvy evaluate mnist.navvy --measures {",".join(SHOWN)} --top 1,16,128
```

```text
{shown}
```

All pairs of {document["n"]:,} images of MNIST with {document["threads"]} threads of {processor()};
picture and lines are from one run of `./dev bench tradeoff`.
"""


def digits() -> str:
    demo = engine.ROOT / "data" / "demo"
    files = ["--images", demo / "digits-images.idx3", "--labels", demo / "digits-labels.idx1"]
    title = "Handwritten digits of 8 x 8 pixels, those of the demo"
    return table(title, *evaluated(engine.build("digits.navvy", *files)))


def mnist(files: str) -> None:
    folder = engine.DATA / "mnist"
    sources = ["--images", folder / f"{files}-images-idx3-ubyte.gz"]
    sources += ["--labels", folder / f"{files}-labels-idx1-ubyte.gz"]
    name = "mnist.navvy" if files == "train" else "mnist-test.navvy"
    command, document = evaluated(engine.build(name, *sources), plot="accuracy.svg")
    put(PAGE, "images", table("MNIST", command, document) + picture("accuracy.svg", "MNIST"))
    put(README, "tradeoff", first_screen(document, files))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--test", action="store_true", help="the 10,000 test images of MNIST")
    arguments = parser.parse_args()
    engine.WORK.mkdir(parents=True, exist_ok=True)
    put(PAGE, "digits", digits())
    if engine.has_data("tradeoff"):
        mnist("t10k" if arguments.test else "train")
    return 0


if __name__ == "__main__":
    sys.exit(main())
