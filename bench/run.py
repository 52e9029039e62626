"""Runs the benchmarks: all of them, or those named; "meaning known" is one of them and its part.

A benchmark is a script bench/NAME.py, or a program bench/NAME.cpp that no script of its own drives.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WITH_PARTS = ("meaning", "news", "scale")  # names that follow theirs are parts, which they check
PROGRAMS = ROOT / "build" / "release" / "bench"


def benchmarks() -> dict[str, list[object]]:
    """The command of each benchmark by name."""
    folder = ROOT / "bench"
    scripts = {path.stem: [sys.executable, path] for path in folder.glob("*.py")}
    del scripts["run"]
    programs = {
        path.stem: [PROGRAMS / path.stem]
        for path in folder.glob("*.cpp")
        if path.stem.removesuffix("_bench") not in scripts
    }
    return dict(sorted((scripts | programs).items()))


def main(names: list[str]) -> int:
    known = benchmarks()
    asked: list[list[object]] = []
    parts_of = ""
    for name in names or known:
        if name in known:
            asked.append([*known[name]])
            parts_of = name
        elif parts_of in WITH_PARTS:
            asked[-1].append(name)
        else:
            print(f"no benchmark {name}; there are: {', '.join(known)}", file=sys.stderr)
            return 2
    for command in asked:
        subprocess.run(command, check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
