"""Runs clang-tidy over the sources of the product in parallel; remembers files found clean.

A file is looked at again when its text, a project header it includes, its compile command or the
configuration has changed.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLEAN = ROOT / "build" / "lint"
FOLDERS = ("src", "bench", "fuzz", "python")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


@cache
def project_includes(path: Path) -> frozenset[Path]:
    """The project headers that a file names itself."""
    found = set()
    for name in INCLUDE.findall(path.read_text()):
        for folder in (path.parent, ROOT / "include", ROOT / "src"):
            if (folder / name).is_file():
                found.add((folder / name).resolve())
                break
    return frozenset(found)


def closure(path: Path) -> list[Path]:
    """The file and all project headers it reaches."""
    seen, todo = set(), [path]
    while todo:
        current = todo.pop()
        if current not in seen:
            seen.add(current)
            todo.extend(project_includes(current))
    return sorted(seen)


def state(path: Path, command: str) -> str:
    digest = hashlib.sha256(command.encode())
    for part in closure(path) + sorted(ROOT.glob("src/*/.clang-tidy")) + [ROOT / ".clang-tidy"]:
        digest.update(part.read_bytes())
    return digest.hexdigest()


def lint(path: Path, database: Path) -> str:
    """The complaints of clang-tidy about one file; empty when it is clean."""
    command = ["clang-tidy-14", "--quiet", "-p", str(database.parent), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main(database: Path) -> int:
    CLEAN.mkdir(parents=True, exist_ok=True)
    todo = []
    for entry in json.loads(database.read_text()):
        path = Path(entry["file"]).resolve()
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in FOLDERS:
            stamp = CLEAN / state(path, entry["command"])
            if not stamp.exists():
                todo.append((path, stamp))
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = pool.map(lambda item: lint(item[0], database), todo)
        for (_, stamp), text in zip(todo, complaints, strict=True):
            if text:
                failed += 1
                print(text)
            else:
                stamp.touch()
    print(f"lint: {len(todo)} files looked at, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
