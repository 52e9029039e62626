"""Fails on source files too long to be read in one go and on large data in the tree.

Long functions are found by clang-tidy (readability-function-size).
"""

import subprocess
import sys
from pathlib import Path

LINES = 450
KILOBYTES = 1500
SOURCES = {".hpp", ".h", ".cpp", ".py", ".cmake"}


def problem(path: Path) -> str | None:
    if path.stat().st_size > KILOBYTES * 1024:
        return f"larger than {KILOBYTES} kB"
    if path.suffix not in SOURCES:
        return None
    lines = path.read_bytes().count(b"\n")
    return f"{lines} lines, at most {LINES}" if lines > LINES else None


def main() -> int:
    root = Path(__file__).resolve().parent.parent
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    paths = [root / name for name in names.stdout.decode().split("\0") if name]
    found = [
        f"{path.relative_to(root)}: {reason}"
        for path in paths
        if path.is_file() and (reason := problem(path))
    ]
    print("\n".join(found) or f"sizes: {len(paths)} files within their limits")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
