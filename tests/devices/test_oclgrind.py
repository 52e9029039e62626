"""oclgrind, an OpenCL device that watches every access, finds nothing in the kernels; and finds
what is planted there."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest

DRIVERS = ("/usr/lib/oclgrind/liboclgrind-rt-icd.so", "/usr/lib64/oclgrind/liboclgrind-rt-icd.so")
THOROUGH = bool(os.environ.get("NAVVY_THOROUGH"))
FOUND = re.compile("data race|Invalid (?:read|write)|barrier divergence|Oclgrind:", re.IGNORECASE)


@pytest.fixture(scope="module")
def text(root):
    spec = importlib.util.spec_from_file_location("make_ptx", root / "tools/make_ptx.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel_text()


def barriers():
    """The lines of the whole text that have a barrier. Parts are joined as CMakeLists.txt says."""
    root = Path(__file__).resolve().parent.parent.parent
    parts = re.search(r"set\(NAVVY_KERNEL_PARTS ([^)]*)\)", (root / "CMakeLists.txt").read_text())
    files = [root / f"src/devices/text/{part}.cl" for part in parts[1].split()]
    lines = "".join(file.read_text() for file in files).splitlines()
    return [number for number, line in enumerate(lines, 1) if re.fullmatch(r" +BARRIER\w*;", line)]


@pytest.fixture
def run(root, tmp_path):
    """run(arguments, options) launches every kernel: returns the exit code and what was said."""
    driver = next((path for path in DRIVERS if Path(path).is_file()), None)
    if driver is None:
        pytest.skip("NOT CHECKED: races and bounds of the kernels, since oclgrind is not installed")
    program = root / "build/release/tests/run_kernels"
    assert program.is_file(), f"{program} is missing: run ./dev build run_kernels first"
    (tmp_path / "oclgrind.icd").write_text(driver)

    def run_kernels(*arguments, options=""):
        environment = {
            **os.environ,
            "OCL_ICD_VENDORS": str(tmp_path),
            "OCLGRIND_DATA_RACES": "1",
            "NAVVY_OPENCL_OPTIONS": options,
        }
        done = subprocess.run(
            [program, "opencl:0", *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
        return done.returncode, done.stdout

    return run_kernels


def test_it_finds_nothing_in_any_kernel(run, text):
    code, said = run("1", "2", "4", "8", "16")
    assert code == 0 and not FOUND.search(said), said[:2000]
    assert set(said.split()) == set(re.findall(r"^KERNEL\((\w+)\)", text, re.MULTILINE))


def test_it_finds_a_buffer_that_is_too_short(run):
    _, said = run("--short", "2")
    assert "Invalid write of size 4" in said


@pytest.mark.parametrize("line", barriers() if THOROUGH else barriers()[::4])
def test_it_finds_a_removed_barrier(run, line):
    _, said = run("2", options=f"-Dbarrier(x)=if(__LINE__!={line})barrier(x)")
    assert "data race at" in said
