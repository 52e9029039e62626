"""Runs the benchmark programs of the release build: all of them, or those named."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "release" / "bench"


def main(names: list[str]) -> int:
    known = sorted(source.stem for source in (ROOT / "bench").glob("*.cpp"))
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark {unknown[0]}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for name in names or known:
        subprocess.run([PROGRAMS / name], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
