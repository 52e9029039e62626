"""Fails on source files that do not begin with a sentence that says what they are for."""

import re
import sys
from pathlib import Path

# Folders whose files are held to it.
FOLDERS = ("include", "src")
SUFFIXES = (".h", ".hpp", ".cpp")
# Lines of comment from the first line on.
OPENING = re.compile(r"(?://[^\n]*\n)+")


def begins_with_a_sentence(text: str) -> bool:
    opening = OPENING.match(text)
    if opening is None:
        return False
    words = " ".join(line.lstrip("/").strip() for line in opening[0].splitlines())
    return re.search(r"\w+[ :,].*\w[.:]", words) is not None


def check(root: Path) -> list[str]:
    return [
        f"{path.relative_to(root)}: begins with no sentence (// What this is for.)"
        for folder in FOLDERS
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in SUFFIXES and not begins_with_a_sentence(path.read_text())
    ]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found) or f"openings: every file in {', '.join(FOLDERS)} says what it is for")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
