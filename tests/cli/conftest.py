"""What the tests of the command share: a way to call it and small data of every kind."""

import json
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

ROWS, COORDINATES, DIMENSIONS = 60, 40, 3


class Command:
    """The command under test, run as users run it."""

    def __init__(self, path: Path, folder: Path):
        self.path = path
        self.folder = folder

    def __call__(self, *arguments, code=0, **options) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [self.path, *map(str, arguments)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            stdin=None if "input" in options else subprocess.DEVNULL,
            **options,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stderr}"
        return done

    def json(self, *arguments, **options) -> dict:
        """The document that --json prints; there is exactly one, on one line."""
        lines = self(*arguments, "--json", **options).stdout.splitlines()
        assert len(lines) == 1
        document = json.loads(lines[0])
        assert document["schema"] == 1
        return document

    def fails(self, code, *arguments, **options) -> str:
        """The one line that a failure leaves on stderr; stdout stays empty."""
        done = self(*arguments, code=code, **options)
        assert done.stdout == ""
        assert done.stderr.startswith("navvy: ") and done.stderr.count("\n") == 1, done.stderr
        return done.stderr


@dataclass
class Data:
    """Random histograms and the index made of them."""

    folder: Path
    index: Path
    weights: np.ndarray  # rows scaled to sum 1, rounded to float32 as the index has them
    points: np.ndarray
    labels: list[str]
    ids: list[str]


def idx_bytes(array: np.ndarray) -> bytes:
    head = struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(f">{array.ndim}I", *array.shape)
    return head + array.astype(np.uint8).tobytes()


@pytest.fixture
def call(navvy, tmp_path) -> Command:
    return Command(navvy, tmp_path)


@pytest.fixture(scope="session")
def data(navvy, tmp_path_factory) -> Data:
    folder = tmp_path_factory.mktemp("histograms")
    random = np.random.default_rng(1)
    weights = random.random((ROWS, COORDINATES)) * (random.random((ROWS, COORDINATES)) < 0.3)
    weights[:, 0] += 0.1  # no row is empty
    weights[:, 1] += 0.01 * (np.arange(ROWS) == 5)
    points = random.normal(size=(COORDINATES, DIMENSIONS)).astype(np.float32)
    labels = [f"group {i % 3}" for i in range(ROWS)]
    ids = [f"row-{i}" for i in range(ROWS)]
    scipy.sparse.save_npz(folder / "x.npz", scipy.sparse.csr_matrix(weights))
    np.save(folder / "v.npy", points)
    (folder / "labels.txt").write_text("\n".join(labels) + "\n")
    (folder / "ids.txt").write_text("\n".join(ids) + "\n")
    command = Command(navvy, folder)
    source = ["--histograms", "x.npz", "--coordinates", "v.npy"]
    named = ["--labels", "labels.txt", "--ids", "ids.txt"]
    command("build", *source, *named, "-o", "x.navvy")
    scaled = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return Data(folder, folder / "x.navvy", scaled.astype(float), points.astype(float), labels, ids)


@pytest.fixture(scope="session")
def images(tmp_path_factory) -> Path:
    """A folder with images.idx, labels.idx and more.idx."""
    folder = tmp_path_factory.mktemp("images")
    random = np.random.default_rng(2)
    pixels = random.integers(0, 256, (30, 6, 5)) * (random.random((30, 6, 5)) < 0.4)
    pixels[:, 2, 2] = 200
    pixels[:20, 0, 0] = 0  # a pixel that only later images use
    pixels[20:, 0, 0] = 90
    (folder / "images.idx").write_bytes(idx_bytes(pixels[:20]))
    (folder / "more.idx").write_bytes(idx_bytes(pixels[20:]))
    (folder / "all.idx").write_bytes(idx_bytes(pixels))
    (folder / "labels.idx").write_bytes(idx_bytes(np.arange(20) % 4))
    return folder


@pytest.fixture(scope="session")
def texts(navvy, root, tmp_path_factory) -> Path:
    """An index of the texts of the demo."""
    path = tmp_path_factory.mktemp("texts") / "texts.navvy"
    demo = root / "data" / "demo"
    columns = ["--label-field", "1", "--title-field", "2", "--text-field", "3", "--no-head-line"]
    source = ["--corpus", demo / "texts.tsv", *columns, "--vectors", demo / "vectors.bin"]
    Command(navvy, path.parent)("build", *source, "-o", path)
    return path


def transfer_cost(source, target, distance, levels: int) -> float:
    """Everything goes to the nearest bins, in order, as far as `levels` of them have room."""
    total = 0.0
    for mass, row in zip(source, distance, strict=True):
        order = np.argsort(row, kind="stable")[: levels + 1]
        left = mass
        for place in order[:-1]:
            moved = min(left, target[place])
            total += moved * row[place]
            left -= moved
        total += left * row[order[-1]]
    return total


@pytest.fixture(scope="session")
def reference():
    """act-j of two histograms over points, the larger of both directions; act-0 is rwmd."""

    def act(a, b, points, levels):
        rows, columns = np.flatnonzero(a), np.flatnonzero(b)
        distance = np.linalg.norm(points[rows][:, None] - points[columns][None], axis=2)
        forward = transfer_cost(a[rows], b[columns], distance, min(levels, len(columns) - 1))
        backward = transfer_cost(b[columns], a[rows], distance.T, min(levels, len(rows) - 1))
        return max(forward, backward)

    return act
