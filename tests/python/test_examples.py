"""Every example runs, on small data."""

import ast
import json
import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest


def run(folder, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, *(str(argument) for argument in arguments)],
        cwd=folder,
        env=os.environ | {"NAVVY_CORPUS": "", "NAVVY_VECTORS": ""} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def data(shared_data, name):
    path = shared_data / name
    if not path.exists():
        pytest.skip(f"no {path}")
    return path


def test_search(root, tmp_path):
    out = run(tmp_path, root / "examples/search.py")
    assert out.count("a 0, at distance") == 5 and "emd = " in out


def test_classify(root, tmp_path):
    out = run(tmp_path, root / "examples/classify.py", "--train", 600, "--test", 200)
    assert float(out.split("accuracy ")[1].split()[0]) > 0.9


def test_classify_mnist(root, tmp_path, shared_data):
    folder = data(shared_data, "mnist")
    out = run(tmp_path, root / "examples/classify.py", folder, "--train", 2000, "--test", 100)
    assert float(out.split("accuracy ")[1].split()[0]) > 0.85


def test_layout(root, tmp_path):
    out = run(tmp_path, root / "examples/layout.py", "picture.png", "--rows", 150)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert int(out.split("; ")[1].split("%")[0]) > 80  # beside one of their kind


GALLERY = {
    "cells": r"act-3 over genes: 9\d% of neighbours of one kind",
    "colour": r"square 95 under emd: \[\d+, 18\d",
    "images": r"digit 9 under emd: 9 9 9 9 9 9",
    "measures": r"act-1  precision at 8: 0\.9",
    "texts": r"space: Home by parachute",
}


@pytest.mark.parametrize("name", sorted(GALLERY))
def test_gallery(root, tmp_path, name):
    program = root / "examples" / "gallery" / f"{name}.py"
    out = run(tmp_path, program, "picture.png", OMP_NUM_THREADS="1")
    assert re.search(GALLERY[name], out), out
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert f"examples/gallery/{name}.py" in (root / "docs" / "gallery" / f"{name}.md").read_text()
    assert (root / "docs" / "images" / f"gallery-{name}.png").is_file()


@pytest.mark.peer("LangChain", "langchain-core")
def test_a_retriever_finds_texts_for_a_chain(root, tmp_path):
    pytest.importorskip("langchain_core", reason="langchain-core brings twenty packages")
    out = run(tmp_path, root / "examples/langchain_retriever.py", "carrots", "and", "soup")
    assert out.count("cooking: ") == 4 and "served the soup" in out.splitlines()[0]


@pytest.mark.peer("Haystack", "haystack-ai")
def test_a_retriever_finds_texts_for_a_pipeline(root, tmp_path):
    pytest.importorskip("haystack", reason="haystack-ai brings thirty packages")
    quiet = {"HAYSTACK_TELEMETRY_ENABLED": "False"}
    out = run(tmp_path, root / "examples/haystack_retriever.py", "carrots", "and", "soup", **quiet)
    assert out.count("cooking: ") == 4 and "served the soup" in out.splitlines()[0]


def notebook(root, folder):
    """Its cells in order, as one program; what a notebook would show is not looked at."""
    cells = json.loads((root / "examples/news.ipynb").read_text())["cells"]
    code = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    program = folder / "news.py"
    program.write_text(code)
    return program


def test_the_notebook(root, tmp_path):
    assert "act-1" in run(root / "examples", notebook(root, tmp_path))


def test_the_notebook_is_typed(root, tmp_path):
    settings = f"--config-file={root / 'pyproject.toml'}"
    run(tmp_path, "-m", "mypy", settings, notebook(root, tmp_path))


def test_the_notebook_on_20_newsgroups(root, tmp_path, shared_data):
    vectors = data(shared_data, "vectors/glove-6b-100d-20news.bin.gz")
    groups = {"rec.autos", "sci.space", "talk.politics.guns"}
    with tarfile.open(data(shared_data, "20news/20news-18828.tar.xz")) as archive:
        chosen = [member for member in archive if Path(member.name).parent.name in groups]
        archive.extractall(tmp_path, chosen, filter="data")
    (corpus,) = tmp_path.glob("20news*")
    where = {"NAVVY_CORPUS": str(corpus), "NAVVY_VECTORS": str(vectors)}
    out = run(tmp_path, notebook(root, tmp_path), **where)
    name, precision = out.splitlines()[-1].split(maxsplit=1)
    assert name == "act-1" and ast.literal_eval(precision)[1] > 0.6
