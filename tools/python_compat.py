"""Writes docs/python-compat.md: which habits of users of other packages work, from a run of tests.

    python tools/python_compat.py [PYTEST ARGUMENT...]

A test that carries the marker peer(name, package) is a habit; its name says which. Several packages
are separated by commas. One that also carries differs(why) passes where navvy does otherwise, as it
says.
"""

import sys
from collections import defaultdict
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "python-compat.md"
TESTS = ROOT / "tests" / "python"
OPENING = """# Habits of users of other packages

What users of these packages do was written down as tests, which run with navvy in their place and,
where that says something, with the package itself beside it. A run of them wrote this page:
`./dev peers`, which installs these packages in an environment of its own. `./dev test` runs what
needs none that is large, `./dev test --thorough` all of it.
"""


@dataclass
class Habit:
    """A test function, whatever its parameters."""

    peer: str
    package: str
    text: str
    why: str
    outcomes: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    reason: str = ""

    def outcome(self) -> str:
        if self.outcomes["failed"]:
            return f"fails in {self.outcomes['failed']} of {sum(self.outcomes.values())} cases"
        passed = self.outcomes["passed"]
        if not passed:
            return f"skipped: {self.reason}"
        cases = "passes" if passed == 1 else f"passes in {passed} cases"
        skipped = self.outcomes["skipped"]
        return cases + (f"; {skipped} skipped: {self.reason}" if skipped else "")


def sentence(name: str) -> str:
    return name.removeprefix("test_").replace("_s_", "'s ").replace("_", " ")


class Collector:
    """A plug-in of pytest that keeps what it collects, and how it went."""

    def __init__(self) -> None:
        self.habits: dict[str, Habit] = {}

    @staticmethod
    def key(node: str) -> str:
        return node.partition("[")[0]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        kept = []
        for item in items:
            peer, differs = item.get_closest_marker("peer"), item.get_closest_marker("differs")
            if peer is None:
                continue
            kept.append(item)
            text = sentence(getattr(item, "originalname", item.name))
            why = differs.args[0] if differs else ""
            self.habits.setdefault(self.key(item.nodeid), Habit(*peer.args, text, why))
        items[:] = kept

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed:
            return
        habit = self.habits[self.key(report.nodeid)]
        habit.outcomes[report.outcome] += 1
        if report.skipped and isinstance(report.longrepr, tuple):
            habit.reason = report.longrepr[2].removeprefix("Skipped: ")


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not here"


def heading(habit: Habit) -> str:
    packages = habit.package.split(", ")
    if len(packages) == 1:
        return f"## {habit.peer} {version_of(habit.package)}"
    versions = ", ".join(f"{package} {version_of(package)}" for package in packages)
    return f"## {habit.peer}: {versions}"


def table(habits: list[Habit]) -> list[str]:
    same = [habit for habit in habits if not habit.why]
    others = [habit for habit in habits if habit.why]
    lines = ["", "| habit | outcome |", "|---|---|"]
    lines += [f"| {habit.text} | {habit.outcome()} |" for habit in same]
    if others:
        lines += ["", "What differs, and why:", "", "| here | why |", "|---|---|"]
        lines += [f"| {habit.text}: {habit.outcome()} | {habit.why} |" for habit in others]
    return lines


def document(habits: list[Habit]) -> str:
    lines = [OPENING]
    for peer in sorted({habit.peer for habit in habits}, key=str.lower):
        own = [habit for habit in habits if habit.peer == peer]
        lines += [heading(own[0]), *table(own), ""]
    return "\n".join(lines)


def collected(*arguments: str) -> tuple[list[Habit], int]:
    collector = Collector()
    status = pytest.main(["-q", "--no-header", str(TESTS), *arguments], plugins=[collector])
    return list(collector.habits.values()), int(status)


def main() -> int:
    # Beside this file lie others, of names such as coverage, that packages mean otherwise.
    sys.path[:] = [path for path in sys.path if Path(path).resolve() != ROOT / "tools"]
    habits, status = collected(*sys.argv[1:])
    if status == 0:
        DOCUMENT.write_text(document(habits))
    return status


if __name__ == "__main__":
    sys.exit(main())
