"""Every example runs, on small data."""

import json
import os
import subprocess
import sys

import pytest


def run(root, folder, *arguments):
    done = subprocess.run(
        [sys.executable, *(str(argument) for argument in arguments)],
        cwd=folder,
        env=os.environ | {"NAVVY_CORPUS": "", "NAVVY_VECTORS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_search(root, tmp_path):
    out = run(root, tmp_path, root / "examples/search.py")
    assert out.count("a 0, at distance") == 5 and "emd = " in out


def test_classify(root, tmp_path):
    out = run(root, tmp_path, root / "examples/classify.py", "--train", 600, "--test", 200)
    assert float(out.split("accuracy ")[1].split()[0]) > 0.9


def test_classify_mnist(root, tmp_path, shared_data):
    folder = shared_data / "mnist"
    if not folder.is_dir():
        pytest.skip(f"no MNIST at {folder}")
    out = run(root, tmp_path, root / "examples/classify.py", folder, "--train", 2000, "--test", 100)
    assert float(out.split("accuracy ")[1].split()[0]) > 0.85


def test_layout(root, tmp_path):
    run(root, tmp_path, root / "examples/layout.py", "picture.png", "--rows", 150)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_the_notebook(root, tmp_path):
    """Its cells in order, as one program; what a notebook would show is not looked at."""
    cells = json.loads((root / "examples/news.ipynb").read_text())["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    program = tmp_path / "news.py"
    program.write_text(code)
    out = run(root, root / "examples", program)
    assert "act-1" in out
