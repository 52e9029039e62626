"""Runs the benchmarks: all of them, or those named.

A benchmark is a script bench/NAME.py, or a program bench/NAME.cpp that no script of its own drives.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
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
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark {unknown[0]}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in names or known:
        subprocess.run(known[name], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
