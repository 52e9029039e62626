"""Devices: PoCL against the CPU engine, and estimates for cards; bench/results/device.md.

The sums of the estimates go to docs/gpu.md, too.

Needs the public data sets (see CONTRIBUTING.md); says so and stops without them. Takes about three
minutes, half of it nvcc's.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import engine
import tradeoff

BENCH = engine.ROOT / "build" / "release" / "bench" / "device_bench"
RESULTS = engine.ROOT / "bench" / "results" / "device.md"
DOCUMENT = engine.ROOT / "docs" / "gpu.md"
HEAD = """# Devices

Written by `./dev bench device`.

## The kernels on the processor

The same kernels by way of OpenCL on the processor against the engine that is made for it: CPU
seconds of one run each, once kernels are compiled and what is kept is made. A guard against kernels
that become slow, not a figure of any card. Results are compared byte by byte in the same run.
"""
CHECKED = """
For 1,500 images and for 100 texts the engine counted the same on this device, which computes, as on
one that does nothing (see below).
"""
COUNTS = """
## What the kernels move and compute

Counted by the engine from the sizes of its launches. To count all pairs it runs on a device that
does nothing. *GB* has each value as often as a kernel uses it from global memory, *least* has it
once a launch, as if caches were perfect. Fused operations count 2. Looking through sorted
neighbours is counted as if bins were spread evenly, lists as one pass over a tile.
"""
ESTIMATES = """
## Estimates. Nothing was run on hardware.

For each phase the longer of bytes by bandwidth and operations by peak, copies by the bus, and all
phases one after the other. The first figure takes *least*, the second *GB*: the truth depends on
what caches keep, and on how much of its peak a card reaches, which is never all. The tables of 64
images take 0.6 MB, those of 64 texts 45 MB.
"""
REGISTERS = """
## Registers, shared memory and spills

By `tools/make_ptx.py --registers`: what nvcc makes of the text for each architecture; shared, stack
and spilled bytes are the most of all architectures.

"""


@dataclass
class Card:
    """Nominal figures as commonly given, not checked against the makers' documents."""

    name: str
    memory: int  # GB
    peak: float  # operations a second, single precision
    bandwidth: float  # bytes a second
    bus: float  # bytes a second


CARDS = [
    Card("GTX 1080 Ti", 11, 11.3e12, 484e9, 15.75e9),
    Card("A100 SXM", 40, 19.5e12, 1555e9, 31.5e9),
    Card("H100 SXM", 80, 67e12, 3350e9, 63e9),
    Card("RTX 4090", 24, 82.6e12, 1008e9, 31.5e9),
]


@dataclass
class Phase:
    name: str
    launches: int
    bytes: int
    least: int
    operations: int

    def seconds(self, card: Card) -> tuple[float, float]:
        if self.name == "copies":
            return self.bytes / card.bus, self.bytes / card.bus
        computed = self.operations / card.peak
        least, most = self.least / card.bandwidth, self.bytes / card.bandwidth
        return max(least, computed), max(most, computed)


def device() -> dict | None:
    """The first device by way of OpenCL on the processor, or any other."""
    command = [engine.NAVVY, "info", "--devices", "--json"]
    listing = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    found = [entry for entry in listing["devices"] if entry["name"].startswith("opencl:")]
    return min(found, key=lambda entry: entry["gpu"]) if found else None


def ratios(indexes: list[Path]) -> str:
    chosen = device()
    if chosen is None:
        return "\nNo OpenCL device on this machine: not run.\n"
    text = f"""
{chosen["hardware"]} by {chosen["driver"]}.

| data | job | device | CPU engine | ratio | same bits |
|---|---|---|---|---|---|
"""
    for index in indexes:
        subprocess.run([BENCH, "check", chosen["name"], index], check=True)
        command = [BENCH, "ratio", chosen["name"], index]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        print(done.stdout, end="", flush=True)
        text += done.stdout
    return text + CHECKED


def counts(index: Path, card: Card) -> list[Phase]:
    """All pairs, act-1, top 128, as the card has room for."""
    command = [BENCH, "counts", index, "act-1", "128", str(card.memory)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    rows = (line.split("\t") for line in done.stdout.splitlines())
    phases = [Phase(name, *map(int, figures)) for name, *figures in rows]
    return [phase for phase in phases if phase.launches > 0]


def span(least: float, most: float) -> str:
    """Both figures, or one where they are the same."""
    texts = [f"{seconds:.{2 if seconds < 10 else 1}f}" for seconds in (least, most)]
    return texts[0] if texts[0] == texts[1] else "–".join(texts)


def pairs(by_card: list[list[Phase]]) -> list[tuple[Card, list[Phase]]]:
    return list(zip(CARDS, by_card, strict=True))


def sum_span(card: Card, phases: list[Phase]) -> str:
    return span(*map(sum, zip(*(phase.seconds(card) for phase in phases), strict=True)))


def counts_table(phases: list[Phase]) -> str:
    text = "| phase | launches | GB | GB, least | 10⁹ operations |\n|---|---|---|---|---|\n"
    for phase in phases:
        text += (
            f"| {phase.name} | {phase.launches:,} | {phase.bytes / 1e9:,.1f} "
            f"| {phase.least / 1e9:,.1f} | {phase.operations / 1e9:,.1f} |\n"
        )
    return text


def estimates_table(by_card: list[list[Phase]]) -> str:
    """Seconds by phase and card, and how often tables are made where not all have room."""
    titles = ["seconds", *(card.name for card in CARDS)]
    text = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|\n"
    for phases in zip(*by_card, strict=True):
        found = [phase.seconds(card) for phase, card in zip(phases, CARDS, strict=True)]
        text += f"| {phases[0].name} | {' | '.join(span(*pair) for pair in found)} |\n"
    text += f"| sum | {' | '.join(f'**{sum_span(*pair)}**' for pair in pairs(by_card))} |\n"
    made = [next(p.operations for p in phases if p.name == "nearest bins") for phases in by_card]
    if max(made) > min(made):
        times = (f"{operations / min(made):.1f} times" for operations in made)
        text += f"| tables are made | {' | '.join(times)} |\n"
    return text


def write_sums(by_job: dict[str, list[list[Phase]]]) -> None:
    """The table of docs/gpu.md, between its marks."""
    titles = ["job", *(card.name for card in CARDS)]
    table = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|\n"
    for job, by_card in by_job.items():
        cells = (sum_span(card, phases) for card, phases in pairs(by_card))
        table += f"| {job} | {' | '.join(cells)} |\n"
    tradeoff.put(DOCUMENT, "device", table)


def cards_table() -> str:
    titles = ["nominal, not checked", "memory", "single precision", "bandwidth", "bus"]
    text = f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|\n"
    for card in CARDS:
        text += (
            f"| {card.name} | {card.memory} GB | {card.peak / 1e12:g} TFLOPS "
            f"| {card.bandwidth / 1e9:,.0f} GB/s | {card.bus / 1e9:g} GB/s |\n"
        )
    return text


def registers() -> str:
    command = [sys.executable, engine.ROOT / "tools" / "make_ptx.py", "--registers"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout
    return f"Not made here: {done.stderr.strip().removeprefix('make_ptx: ')}.\n"


def main() -> int:
    if not engine.has_data("device"):
        return 0
    jobs = {
        "MNIST, all pairs of 60,000 rows": engine.mnist("mnist.navvy"),
        "20News, all pairs of 18,828 rows": engine.news(),
    }
    text = HEAD + ratios(list(jobs.values())) + COUNTS
    by_job = {job: [counts(index, card) for card in CARDS] for job, index in jobs.items()}
    largest = max(range(len(CARDS)), key=lambda number: CARDS[number].memory)
    for job, by_card in by_job.items():
        text += f"\n{job}, act-1, top 128, with room for all tables:\n\n"
        text += counts_table(by_card[largest])
    text += ESTIMATES + "\n" + cards_table()
    for job, by_card in by_job.items():
        text += f"\n{job}, act-1, top 128:\n\n{estimates_table(by_card)}"
    text += REGISTERS + registers()
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(text)
    write_sums(by_job)
    print(text[text.index(ESTIMATES) :])
    return 0


if __name__ == "__main__":
    sys.exit(main())
