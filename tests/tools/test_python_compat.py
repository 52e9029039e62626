"""docs/python-compat.md says what its tool writes of the tests that there are."""

import subprocess
import sys

import pytest

LIST = """
import sys
sys.path.insert(0, {tools!r})
import python_compat
habits, status = python_compat.collected("--collect-only", "-p", "no:cacheprovider", "-q", "-q")
print()
for habit in habits:
    print("HABIT", habit.text + (": " if habit.why else " |"))
"""


def test_the_document_names_every_habit(root):
    pytest.importorskip("navvy", reason="the package is tested from its wheel, by ./dev test")
    program = LIST.format(tools=str(root / "tools"))
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    habits = [line[6:] for line in done.stdout.splitlines() if line.startswith("HABIT ")]
    assert len(habits) > 50
    text = (root / "docs" / "python-compat.md").read_text()
    missing = [habit for habit in habits if f"| {habit}" not in text]
    assert not missing, "run: ./dev peers"


def test_outcomes_are_counted(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    import python_compat

    same = python_compat.Habit("ann", "no-such-package", "it works", "", {"passed": 3})
    other = python_compat.Habit("ann", "no-such-package", "it differs", "why not", {"passed": 1})
    for habit in (same, other):
        habit.outcomes = python_compat.defaultdict(int, habit.outcomes)
    text = python_compat.document([same, other])
    assert "## ann not here" in text
    assert "| it works | passes in 3 cases |" in text
    assert "| it differs: passes | why not |" in text
    several = python_compat.Habit("Bees", "pytest, no-such-package", "", "")
    assert python_compat.heading(several).startswith("## Bees: pytest ")
    assert python_compat.heading(several).endswith(", no-such-package not here")
    same.outcomes["failed"] = 1
    assert same.outcome() == "fails in 1 of 4 cases"
    assert python_compat.sentence("test_gensim_s_own_tests") == "gensim's own tests"
