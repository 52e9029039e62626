"""Runs the code in README.md and docs/: what the documents show has to work.

Every block marked sh, python or cpp is run, unless the line above it says why not:
<!-- not run: reason -->. The sh and python blocks of one document run in order in one folder, so a
later block may use what an earlier one made; a cpp block is a whole program.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"(?P<skip><!-- not run: [^\n]+ -->\n+)?```(?P<language>sh|python|cpp)\n(?P<code>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(example LANGUAGES C CXX)
find_package(navvy REQUIRED)
add_executable(example example.cpp)
target_link_libraries(example PRIVATE navvy::navvy)
"""


@dataclass
class Block:
    place: str
    language: str
    code: str


def blocks_of(text: str, name: str) -> list[Block]:
    """The blocks of a document that are to be run, with the line where each starts."""
    return [
        Block(
            f"{name}:{text.count(chr(10), 0, found.start('code'))}",
            found["language"],
            found["code"],
        )
        for found in BLOCK.finditer(text)
        if not found["skip"]
    ]


def documents() -> list[Path]:
    return [
        path for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))) if path.exists()
    ]


def run(block: Block, command: list, folder: Path) -> None:
    path = os.pathsep.join([str(ROOT / "build/release"), str(Path(sys.executable).parent)])
    environment = os.environ | {"PATH": path + os.pathsep + os.environ["PATH"]}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{block.place}\n{block.code}\n{done.stdout}\n{done.stderr}"


def run_program(block: Block, folder: Path, prefix: Path) -> None:
    """Builds a C++ program against the installed library, as a stranger would, and runs it."""
    source = folder / "program"
    source.mkdir(exist_ok=True)
    (source / "CMakeLists.txt").write_text(PROJECT)
    (source / "example.cpp").write_text(block.code)
    build = source / "build"
    run(
        block,
        ["cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"],
        folder,
    )
    run(block, ["cmake", "--build", build], folder)
    run(block, [build / "example"], folder)


@pytest.fixture(scope="session")
def prefix(tmp_path_factory) -> Path:
    """The library as `cmake --install` leaves it."""
    folder = tmp_path_factory.mktemp("installed")
    command = ["cmake", "--install", ROOT / "build/release", "--prefix", folder]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("document", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_code_runs(document, tmp_path, prefix):
    for block in blocks_of(document.read_text(), str(document.relative_to(ROOT))):
        if block.language == "sh":
            run(block, ["bash", "-euo", "pipefail", "-c", block.code], tmp_path)
        elif block.language == "python":
            run(block, [sys.executable, "-c", block.code], tmp_path)
        else:
            run_program(block, tmp_path, prefix)


def test_installed_library_is_found(tmp_path, prefix):
    code = '#include "navvy/navvy.hpp"\nint main() { return 0; }\n'
    run_program(Block("a program that includes every public header", "cpp", code), tmp_path, prefix)


def test_example_project(tmp_path, prefix):
    build = ["cmake", "-S", ROOT / "examples/cpp", "-B", tmp_path, "-G", "Ninja"]
    subprocess.run([*build, f"-DCMAKE_PREFIX_PATH={prefix}"], check=True, capture_output=True)
    subprocess.run(["cmake", "--build", tmp_path], check=True, capture_output=True)
    done = subprocess.run([tmp_path / "neighbours"], check=True, capture_output=True, text=True)
    assert "nearest to row 7 under act-1" in done.stdout and "proven with" in done.stdout


def test_man_page_names_every_verb(prefix, navvy):
    page = (prefix / "share/man/man1/navvy.1").read_text()
    shown = subprocess.run([navvy, "--help"], check=True, capture_output=True, text=True).stdout
    verbs = re.findall(r"^  ([a-z][a-z-]*)  ", shown, re.MULTILINE)
    assert re.findall(r"^\.SS navvy ([a-z-]+)$", page.replace("\\-", "-"), re.MULTILINE) == verbs
    assert "\\-\\-measure" in page and "Exit codes" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff in PATH")
def test_man_page_is_sound(prefix):
    page = prefix / "share/man/man1/navvy.1"
    done = subprocess.run(["groff", "-man", "-ww", "-z", page], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_blocks_are_found_and_marked_ones_left_out():
    marked = "<!-- not run: needs a network -->\n```sh\nfalse\n```\n"
    text = f"a\n```sh\ntrue\n```\n{marked}```text\nx\n```\n"
    assert blocks_of(text, "a.md") == [Block("a.md:2", "sh", "true\n")]


def test_a_failing_block_is_told_with_its_place(tmp_path):
    with pytest.raises(AssertionError, match="a.md:7"):
        run(Block("a.md:7", "sh", "false"), ["bash", "-c", "false"], tmp_path)
