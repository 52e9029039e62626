"""Makes the PTX that the binary carries for CUDA from the text of the kernels.

    make_ptx.py                src/devices/ptx/*.ptx.gz, from src/devices/text/*.cl
    make_ptx.py --registers    a table of what nvcc makes of the text, as Markdown

PTX is assembly for any NVIDIA card from compute capability 6.1 on, which the driver compiles when
it is loaded: neither building navvy nor running it takes a toolkit. NVRTC 12.6, the last that knows
6.1, comes with the package nvidia-cuda-nvrtc-cu12 (requirements-dev.txt).
"""

import argparse
import ctypes
import gzip
import hashlib
import importlib.util
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ".venv/bin/python tools/make_ptx.py"
LEVELS = (0, 1, 2, 4, 8, 16)
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
# Products and sums are fused only where the text says so: results have the bits of the processor's.
OPTIONS = ("--fmad=false", "-DWIDTH=2")
# NVRTC names its own version, which drivers before it refuse, though the text needs no more than
# this one: that of CUDA 11.0 and drivers from 450 on.
ISA = "7.0"


class NoCompilerError(Exception):
    """The compiler that is needed is not installed."""


def kernel_text(root: Path = ROOT) -> str:
    """All parts in the order in which src/devices/text.cpp joins them."""
    source = (root / "src/devices/text.cpp").read_text()
    parts = re.findall(r"text\.append\(navvy_text_(\w+),", source)
    return "".join((root / f"src/devices/text/{part}.cl").read_text() for part in parts)


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def file_of(levels: int, root: Path = ROOT) -> Path:
    return root / f"src/devices/ptx/levels_{levels}.ptx.gz"


def read(levels: int, root: Path = ROOT) -> str:
    return gzip.decompress(file_of(levels, root).read_bytes()).decode()


class Nvrtc:
    """NVIDIA's compiler as a library."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("nvidia")
        folders = list(spec.submodule_search_locations or ()) if spec else []
        paths = [Path(folder) / "cuda_nvrtc/lib/libnvrtc.so.12" for folder in folders]
        path = next((path for path in paths if path.is_file()), None)
        if path is None:
            raise NoCompilerError("nvidia-cuda-nvrtc-cu12 is not installed: see requirements-dev")
        self._library = ctypes.CDLL(str(path))

    def _string(self, program: ctypes.c_void_p, what: str) -> str:
        size = ctypes.c_size_t()
        getattr(self._library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self._library, f"nvrtcGet{what}")(program, buffer)
        return buffer.value.decode()

    def ptx(self, text: str, levels: int) -> str:
        program = ctypes.c_void_p()
        source = text.encode()
        self._library.nvrtcCreateProgram(
            ctypes.byref(program), source, b"kernels.cu", 0, None, None
        )
        options = [*OPTIONS, f"-DLEVELS={levels}", "--gpu-architecture=compute_61"]
        array = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
        failed = self._library.nvrtcCompileProgram(program, len(options), array)
        if failed:
            raise SystemExit(f"make_ptx: {self._string(program, 'ProgramLog')}")
        ptx = self._string(program, "PTX")
        self._library.nvrtcDestroyProgram(ctypes.byref(program))
        return ptx


def made(text: str, levels: int, compiler: Nvrtc) -> str:
    """The whole file: where it comes from, then the PTX without its comments."""
    ptx = re.sub(r"//[^\n]*", "", compiler.ptx(text, levels))
    ptx = re.sub(r"(?m)^\.version .*$", f".version {ISA}", ptx)
    lines = (line.rstrip() for line in ptx.splitlines())
    head = f"// levels {levels}, from the text with the SHA-256 {hash_of(text)}"
    return "\n".join([head, *(line for line in lines if line)]) + "\n"


def write(root: Path = ROOT) -> None:
    text, compiler = kernel_text(root), Nvrtc()
    for levels in LEVELS:
        path = file_of(levels, root)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(made(text, levels, compiler).encode(), 9, mtime=0))
        print(f"{path.relative_to(root)}: {path.stat().st_size} bytes")


def known_architectures() -> list[int]:
    """Those of ARCHITECTURES that nvcc knows."""
    try:
        listing = subprocess.run(["nvcc", "--list-gpu-arch"], capture_output=True, text=True)
    except FileNotFoundError:
        raise NoCompilerError("nvcc is not on PATH") from None
    known = {int(number) for number in re.findall(r"compute_(\d+)\b", listing.stdout)}
    return [number for number in ARCHITECTURES if number in known]


def resources(text: str, levels: int, architecture: int) -> dict[str, dict[str, int]]:
    """What each kernel takes of a machine's: registers, shared, stack, spills (bytes but one)."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernels.cu"
        source.write_text(text)
        command = ["nvcc", "--cubin", "-w", "-Xptxas=-v", *OPTIONS, f"-DLEVELS={levels}"]
        command += [f"-arch=sm_{architecture}", "-o", f"{folder}/kernels.cubin", str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"make_ptx: {done.stderr}")
    found: dict[str, dict[str, int]] = {}
    for block in re.split(r"Compiling entry function ", done.stderr)[1:]:
        name = re.match(r"'(\w+)'", block)
        figures = {
            word: int(match[1]) if (match := re.search(pattern, block)) else 0
            for word, pattern in (
                ("registers", r"Used (\d+) registers"),
                ("shared", r"(\d+) bytes smem"),
                ("stack", r"(\d+) bytes stack frame"),
                ("spills", r"(\d+) bytes spill stores"),
            )
        }
        found[name[1] if name else "?"] = figures
    return found


def registers_table(text: str) -> str:
    """A row for each kernel and number of levels, registers by architecture."""
    architectures = known_architectures()
    titles = ["kernel", "levels", *(f"sm_{number}" for number in architectures)]
    titles += ["shared bytes", "stack bytes", "spilled bytes"]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for levels in LEVELS:
        by_architecture = [resources(text, levels, number) for number in architectures]
        for kernel in by_architecture[0]:
            figures = [found[kernel] for found in by_architecture]
            cells = [f"`{kernel}`", str(levels) if levels else ""]
            cells += [str(figure["registers"]) for figure in figures]
            cells += [
                str(max(figure[word] for figure in figures))
                for word in ("shared", "stack", "spills")
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--registers", action="store_true", help="print nvcc's figures instead")
    arguments = parser.parse_args()
    try:
        if arguments.registers:
            print(registers_table(kernel_text()), end="")
        else:
            write()
    except NoCompilerError as error:
        print(f"make_ptx: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
