"""Runs clang-tidy over the sources of the product in parallel; remembers what was found clean.

Most of clang-tidy's time goes into the headers that a file includes, so it is given the batches of
a unity build, each a file that includes several sources. A batch is looked at again when one of its
sources, a project header they include, its compile command or the configuration has changed.
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
CLEAN = ROOT / "build" / "lint" / "clean"
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


def is_ours(batch: Path) -> bool:
    sources = [path for path in project_includes(batch) if path.suffix == ".cpp"]
    return any(path.relative_to(ROOT).parts[0] in FOLDERS for path in sources or [batch])


def lint(path: Path, database: Path) -> str:
    """The complaints of clang-tidy about one batch; empty when it is clean."""
    # A batch includes sources, which is what this check would complain about.
    checks = "--checks=-bugprone-suspicious-include"
    command = ["clang-tidy-14", "--quiet", checks, "-p", str(database.parent), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main(database: Path) -> int:
    CLEAN.mkdir(parents=True, exist_ok=True)
    todo = []
    for entry in json.loads(database.read_text()):
        path = Path(entry["file"]).resolve()
        if path.is_relative_to(ROOT) and is_ours(path):
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
    print(f"lint: {len(todo)} batches looked at, {failed} with complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
