"""Lines and branches of the product that the tests reach; written to docs/coverage.md.

Usage: coverage.py BUILD_FOLDER, after the tests ran there with LLVM_PROFILE_FILE in profiles/.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Coverage

Written by `./dev coverage`: what the C++ tests and the replayed fuzz inputs reach, by
folder. Tests through the command and from Python are not counted.

| folder | lines | reached | branches | reached |
|---|---|---|---|---|
"""


def programs(build: Path) -> list[Path]:
    found = [*(build / "tests").glob("*_test"), *(build / "fuzz").glob("*_fuzz")]
    return [path for path in sorted(found) if path.is_file()]


def export(build: Path) -> dict:
    profile = build / "all.profdata"
    raw = sorted((build / "profiles").glob("*.profraw"))
    merge = ["llvm-profdata-14", "merge", "-sparse", "-o", profile, *raw]
    subprocess.run(merge, check=True)
    first, *others = programs(build)
    command = ["llvm-cov-14", "export", "-summary-only", f"-instr-profile={profile}", first]
    command += [option for path in others for option in ("-object", path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["data"][0]


def folder_of(name: str) -> str | None:
    path = Path(name).resolve()  # some stand as build/../src/...
    if not path.is_relative_to(ROOT):
        return None
    parts = path.relative_to(ROOT).parts
    if parts[0] == "include":
        return "include"
    return "/".join(parts[:2]) if parts[0] == "src" else None


def row(name: str, sums: list[int]) -> str:
    lines, hit, branches, taken = sums

    def share(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f} %" if whole else ""

    return (
        f"| {name} | {lines:,} | {share(hit, lines)} | {branches:,} | {share(taken, branches)} |\n"
    )


def table(data: dict) -> str:
    sums: dict[str, list[int]] = {}
    for file in data["files"]:
        folder = folder_of(file["filename"])
        # The command and its pages are tested through the command, which is not counted here.
        if folder is None or folder == "src/cli":
            continue
        lines, branches = file["summary"]["lines"], file["summary"]["branches"]
        figures = (lines["count"], lines["covered"], branches["count"], branches["covered"])
        total = sums.setdefault(folder, [0, 0, 0, 0])
        sums[folder] = [a + b for a, b in zip(total, figures, strict=True)]
    text = "".join(row(f"`{folder}`", figures) for folder, figures in sorted(sums.items()))
    whole = [sum(column) for column in zip(*sums.values(), strict=True)]
    return text + row("**all**", whole)


def main(build: Path) -> None:
    text = HEAD + table(export(build))
    (ROOT / "docs" / "coverage.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
