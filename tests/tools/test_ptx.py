"""The embedded PTX is what NVRTC makes of the text in the tree, with nothing in it that rounds
otherwise; and what nvcc makes of the text for newer cards fits their registers."""

import importlib.util
import os
import re
import shutil
import subprocess

import pytest

LEVELS = (0, 1, 2, 4, 8, 16)
# What nvcc compiles for: each takes it a second or more.
THOROUGH = bool(os.environ.get("NAVVY_THOROUGH"))
SOME_LEVELS = LEVELS if THOROUGH else (0, 16)
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120) if THOROUGH else (75, 120)


@pytest.fixture(scope="module")
def make_ptx(root):
    spec = importlib.util.spec_from_file_location("make_ptx", root / "tools/make_ptx.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def text(make_ptx):
    return make_ptx.kernel_text()


@pytest.fixture(scope="module", params=LEVELS)
def levels(request):
    return request.param


def kernels_in(text, levels):
    """Names of the kernels that the text has for a number of levels, by the plain preprocessor."""
    done = subprocess.run(
        ["g++", "-E", "-P", "-x", "c++", f"-DLEVELS={levels}", "-DWIDTH=2", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(re.findall(r"KERNEL\((\w+)\)", done.stdout))


def test_the_text_is_what_the_library_embeds(root, make_ptx, text):
    """All files, each once, in the order of CMakeLists.txt."""
    cmake = (root / "CMakeLists.txt").read_text()
    parts = re.search(r"set\(NAVVY_KERNEL_PARTS ([^)]*)\)", cmake)[1].split()
    files = [root / f"src/devices/text/{part}.cl" for part in parts]
    assert set(files) == set((root / "src/devices/text").glob("*.cl"))
    assert text == "".join(file.read_text() for file in files)


def test_it_was_made_from_the_text_in_the_tree(make_ptx, text, levels):
    head = make_ptx.read(levels).split("\n", 1)[0]
    expected = f"// levels {levels}, from the text with the SHA-256 {make_ptx.hash_of(text)}"
    assert head == expected, f"the text of the kernels has changed: run {make_ptx.COMMAND}"


def test_it_is_what_the_compiler_makes(make_ptx, text, levels):
    try:
        compiler = make_ptx.Nvrtc()
    except make_ptx.NoCompilerError as error:
        pytest.skip(f"the PTX is not made anew: {error}")
    assert make_ptx.made(text, levels, compiler) == make_ptx.read(levels), (
        f"the PTX is not what NVRTC makes of the text: run {make_ptx.COMMAND}"
    )


def test_it_rounds_as_the_text_says(make_ptx, levels):
    ptx = make_ptx.read(levels)
    words = set(re.findall(r"^\s+(?:@!?%\w+\s+)?([a-z][\w.]*)", ptx, re.MULTILINE))
    assert ".target sm_61\n" in ptx
    wrong = {
        word
        for word in words
        if ".approx" in word
        or ".ftz" in word
        or re.match(r"mad\b.*\.f\d", word)
        or (word.startswith("fma") and not word.startswith("fma.rn."))
        or (word.startswith("sqrt") and not word.startswith("sqrt.rn."))
        or (word.startswith("div") and ".f" in word and not word.startswith("div.rn."))
        or (re.match(r"(add|sub|mul)\.", word) and re.search(r"\.f\d", word) and ".rn." not in word)
    }
    assert "ld.param.u64" in words and wrong == set()


def test_it_has_all_kernels_of_the_text(make_ptx, text, levels):
    found = set(re.findall(r"^\.visible \.entry (\w+)\(", make_ptx.read(levels), re.MULTILINE))
    assert found == kernels_in(text, levels) != set()


def test_a_changed_text_is_noticed(make_ptx, text):
    assert make_ptx.hash_of(text + " ") not in make_ptx.read(0)
    assert make_ptx.hash_of(text) in make_ptx.read(0)


def needs_nvcc():
    if shutil.which("nvcc") is None:
        pytest.skip("NOT CHECKED: registers and spills of the kernels, since nvcc is not on PATH")


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("some_levels", SOME_LEVELS)
def test_nothing_spills(make_ptx, text, some_levels, architecture):
    needs_nvcc()
    if architecture not in make_ptx.known_architectures():
        pytest.skip(f"nvcc does not know sm_{architecture}")
    found = make_ptx.resources(text, some_levels, architecture)
    assert set(found) == kernels_in(text, some_levels)
    for kernel, figures in found.items():
        assert figures["registers"] > 0, kernel
        assert (figures["stack"], figures["spills"]) == (0, 0), f"{kernel}: {figures}"
        assert figures["shared"] <= 48 * 1024, f"{kernel}: {figures}"


@pytest.mark.parametrize("some_levels", SOME_LEVELS)
def test_newer_cards_take_it(make_ptx, some_levels, tmp_path):
    """Drivers compile it for the card at hand, as nvcc does here."""
    needs_nvcc()
    source = tmp_path / "kernels.ptx"
    source.write_text(make_ptx.read(some_levels))
    newest = make_ptx.known_architectures()[-1]
    command = ["nvcc", "--cubin", f"-arch=sm_{newest}", "-o", tmp_path / "kernels.cubin", source]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
