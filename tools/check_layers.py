"""Fails on any #include that the layer diagram does not allow.

The arrows between layers are read from CMakeLists.txt (navvy_layer ... USES ...); the clients and
the homes of third-party headers stand below.
"""

import re
import sys
from pathlib import Path

PUBLIC = "include"
CLIENTS = ("cli", "report", "server", "python")
# A client may use another client that draws for it.
CLIENT_USES = {"cli": {"report"}}

# Start of a third-party header's name -> the folders that may include it.
THIRD_PARTY = {
    "lemon/": {"pairwise"},
    "hwy/": {"kernels"},
    "xxhash.h": {"index"},
    "zlib.h": {"loaders"},
    "zip.h": {"loaders"},
    "zstd.h": {"loaders"},
    "zstd_errors.h": {"loaders"},
    "re2/": {"loaders"},
    "utf8proc.h": {"loaders"},
    "simdjson.h": {"loaders"},
    "CLI/": {"cli"},
    "fmt/": {"cli", "report"},
    "nlohmann/": {"cli", "report"},
    "nanobind/": {"python"},
}
POSIX = re.compile(r"(sys/\w+|unistd|fcntl|poll|pthread|sched|termios|signal|immintrin)\.h")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
LAYER = re.compile(r"navvy_layer\(\s*(\w+)\s+USES\b([^)]*)\)")


def read_arrows(root: Path) -> dict[str, set[str]]:
    """Each folder with the folders whose headers it may include."""
    arrows = {PUBLIC: {PUBLIC}}
    for name, rest in LAYER.findall((root / "CMakeLists.txt").read_text()):
        arrows[name] = {name, *rest.split("LINKS")[0].split()}
        # The kernels know raw pointers only, not even the public values.
        if name != "kernels":
            arrows[name].add(PUBLIC)
    for name in CLIENTS:
        arrows[name] = {name, PUBLIC} | CLIENT_USES.get(name, set())
    return arrows


def folder_of(path: Path) -> str:
    """The layer of a file given relative to the root: include, python or the folder in src."""
    return path.parts[1] if path.parts[0] == "src" else path.parts[0]


def problem(name: str, quoted: bool, folder: str, arrows: dict[str, set[str]]) -> str | None:
    """What is wrong with including `name` from `folder`, or None."""
    for prefix, homes in THIRD_PARTY.items():
        if name.startswith(prefix):
            return None if folder in homes else f"<{name}> belongs in {', '.join(sorted(homes))}"
    first = name.split("/")[0]
    if first == "navvy":
        return None if PUBLIC in arrows[folder] else f"{folder} may not include {PUBLIC}"
    if quoted:
        target = first if "/" in name else folder
        return None if target in arrows[folder] else f"{folder} may not include {target}"
    standard = re.fullmatch(r"\w+", name)
    if standard or (POSIX.fullmatch(name) and folder != PUBLIC):
        return None
    return f"<{name}> has no home: name its folder in tools/check_layers.py"


def check(root: Path) -> list[str]:
    arrows = read_arrows(root)
    found = []
    for top in (PUBLIC, "src", "python"):
        for path in sorted((root / top).rglob("*.[ch]*")):
            if path.suffix not in (".h", ".hpp", ".cpp"):
                continue
            relative = path.relative_to(root)
            folder = folder_of(relative)
            if folder not in arrows:
                found.append(f"{relative}: the folder {folder} is not in the layer diagram")
                continue
            text = path.read_text()
            for match in INCLUDE.finditer(text):
                reason = problem(match[2], match[1] == '"', folder, arrows)
                if reason:
                    line = text.count("\n", 0, match.start(1)) + 1
                    found.append(f"{relative}:{line}: {reason}")
    return found


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found) or "layers: every include follows an arrow")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
