"""Fails where the includes and the layer diagram differ.

The arrows between layers are read from CMakeLists.txt (navvy_layer ... USES ...); the clients and
the homes of third-party headers stand below. An include must follow an arrow; a layer that is
reached through the headers of another needs an arrow of its own; an arrow must be used.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

PUBLIC = "include"
CLIENTS = ("app", "cli", "report", "server", "python")
# A client may use another client that draws or speaks for it.
CLIENT_USES = {"cli": {"app", "report"}, "python": {"report"}}

# Start of a third-party header's name -> the folders that may include it.
THIRD_PARTY = {
    "hwy/": {"kernels"},
    "xxhash.h": {"index"},
    "zlib.h": {"devices", "loaders"},
    "zip.h": {"loaders"},
    "png.h": {"loaders"},
    "jpeglib.h": {"loaders"},
    "jerror.h": {"loaders"},
    "zstd.h": {"loaders"},
    "zstd_errors.h": {"loaders"},
    "re2/": {"loaders"},
    "utf8proc.h": {"loaders"},
    "simdjson.h": {"loaders"},
    "CLI/": {"cli"},
    "fmt/": {"app", "cli", "report"},
    "nlohmann/": {"app"},
    "nanobind/": {"python"},
    "CL/": {"devices"},
}
POSIX = re.compile(r"(sys/\w+|dlfcn|unistd|fcntl|poll|pthread|sched|termios|signal|immintrin)\.h")
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


@dataclass
class Include:
    line: int
    name: str
    quoted: bool


def read_includes(root: Path) -> dict[Path, list[Include]]:
    """Every source file, relative to the root, with what it includes."""
    files = {}
    for top in (PUBLIC, "src", "python"):
        for path in sorted((root / top).rglob("*.[ch]*")):
            if path.suffix in (".h", ".hpp", ".cpp"):
                text = path.read_text()
                files[path.relative_to(root)] = [
                    Include(text.count("\n", 0, match.start(1)) + 1, match[2], match[1] == '"')
                    for match in INCLUDE.finditer(text)
                ]
    return files


def target_of(path: Path, include: Include) -> Path | None:
    """The file of the project that an include names, relative to the root."""
    if not include.quoted:
        return None
    if "/" not in include.name:
        return path.parent / include.name
    return Path(PUBLIC if include.name.startswith("navvy/") else "src", include.name)


def reached(path: Path, files: dict[Path, list[Include]]) -> dict[str, Path]:
    """Every folder whose headers a file includes, itself or through others, and the file that
    includes the first of them."""
    folders, seen, waiting = {}, {path}, [path]
    while waiting:
        present = waiting.pop()
        for include in files.get(present, []):
            target = target_of(present, include)
            if target is None or target in seen:
                continue
            seen.add(target)
            waiting.append(target)
            folders.setdefault(folder_of(target), present)
    return folders


def check_each_include(files, arrows) -> list[str]:
    found = []
    for path, includes in files.items():
        folder = folder_of(path)
        if folder not in arrows:
            found.append(f"{path}: the folder {folder} is not in the layer diagram")
            continue
        for include in includes:
            reason = problem(include.name, include.quoted, folder, arrows)
            if reason:
                found.append(f"{path}:{include.line}: {reason}")
    return found


def check_arrows(files, arrows) -> list[str]:
    """Layers reached only through others, and arrows that nothing follows."""
    found = []
    used = {folder: {folder, PUBLIC} for folder in arrows}
    for path in files:
        folder = folder_of(path)
        for target, through in reached(path, files).items():
            if target not in arrows[folder] | used[folder]:
                found.append(
                    f"{path}: {folder} has no arrow to {target}, reached through {through}"
                )
            used[folder].add(target)
    for folder in sorted(arrows):
        for target in sorted(arrows[folder] - used[folder]):
            found.append(f"CMakeLists.txt: {folder} USES {target}, but includes nothing of it")
    return found


def check(root: Path) -> list[str]:
    arrows = read_arrows(root)
    files = read_includes(root)
    # Whole arrows are worth looking at once every single include follows one.
    return check_each_include(files, arrows) or check_arrows(files, arrows)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found) or "layers: every include follows an arrow, and every arrow is used")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
