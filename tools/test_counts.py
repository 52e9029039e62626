"""Counts what the tests try, from the sources: a table for the documentation."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CPP_TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\(", re.MULTILINE)
PROPERTY = re.compile(r"^RC_GTEST_(?:FIXTURE_)?PROP\(|\brc::check\(|\brc::prop\(", re.MULTILINE)
FACT = re.compile(r"^  for_random_samples\(", re.MULTILINE)
PYTHON_TEST = re.compile(r"^(?:    )?def test_\w+\(", re.MULTILINE)
HYPOTHESIS = re.compile(r"^(?:    )?@(?:hypothesis\.)?given\(", re.MULTILINE)
MAX_EXAMPLES = re.compile(r"^(?:    )?@settings\(.*?\bmax_examples=(\d+)", re.MULTILINE)
PAIRS = 20_000  # per fact: see tests/support/facts.hpp
TRIALS = 100  # of RapidCheck and Hypothesis, where a test says nothing else


def count(pattern: re.Pattern, paths) -> int:
    return sum(len(pattern.findall(path.read_text())) for path in paths)


def fuzz_targets() -> dict[str, int]:
    """Each target with the number of inputs that every test run replays."""
    return {
        path.stem: len(list((ROOT / "fuzz" / "corpus" / path.stem).glob("*")))
        for path in sorted((ROOT / "fuzz").glob("*_fuzz.cpp"))
    }


def trials(cpp, python) -> int:
    """Random cases that the property tests try in a normal run."""
    told = [int(n) for path in python for n in MAX_EXAMPLES.findall(path.read_text())]
    usual = count(PROPERTY, cpp) + count(HYPOTHESIS, python) - len(told)
    return count(FACT, cpp) * PAIRS + usual * TRIALS + sum(told)


def lines(*folders: str) -> int:
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True
    )
    sources = (".cpp", ".hpp", ".inl", ".py")
    names = [name for name in listed.stdout.split() if name.endswith(sources)]
    return sum((ROOT / name).read_bytes().count(b"\n") for name in names)


def coverage() -> dict[str, str]:
    """What ./dev coverage last wrote: shares of lines and of branches."""
    page = ROOT / "docs" / "coverage.md"
    whole = re.search(r"\| \*\*all\*\* \|(.*)\|", page.read_text()) if page.exists() else None
    if whole is None:
        return {}
    _, lines_reached, _, branches_reached = (cell.strip() for cell in whole[1].split("|"))
    return {
        "lines of C++ that its tests reach": lines_reached,
        "branches of C++ that its tests take": branches_reached,
    }


def table() -> str:
    cpp = sorted((ROOT / "tests").rglob("*_test.cpp"))
    python = sorted((ROOT / "tests").rglob("test_*.py"))
    properties = count(PROPERTY, cpp) + count(FACT, cpp) + count(HYPOTHESIS, python)
    targets = fuzz_targets()
    rows = {
        "C++ tests": count(CPP_TEST, cpp),
        "Python tests of the command, the package, the pages and the documents": count(
            PYTHON_TEST, python
        ),
        "property tests (RapidCheck, Hypothesis)": properties,
        "random cases that these try in a normal run": trials(cpp, python),
        "fuzz targets": len(targets),
        "inputs replayed in every test run": sum(targets.values()),
        "lines of the product (include, src, python)": lines("include", "src", "python"),
        "lines of tests (tests, fuzz)": lines("tests", "fuzz"),
    }
    text = "| what | how many |\n|---|---|\n"
    text += "".join(f"| {name} | {value:,} |\n" for name, value in rows.items())
    text += "".join(f"| {name} | {value} |\n" for name, value in coverage().items())
    text += "\nFuzz targets: " + ", ".join(f"`{name}` ({n})" for name, n in targets.items()) + ".\n"
    return text


if __name__ == "__main__":
    sys.stdout.write(table())
