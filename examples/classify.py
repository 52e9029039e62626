"""kNN classification of handwritten digits in a scikit-learn pipeline.

    python examples/classify.py [MNIST FOLDER] [--train 10000] [--test 1000]

Reads the IDX files of MNIST where a folder is given, scikit-learn's small digits otherwise.
"""

import argparse
import gzip
import time
from pathlib import Path
from typing import Any

import numpy as np
from navvy.sklearn import EMDKNeighborsClassifier
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer


def read_idx(folder: Path, name: str) -> Any:
    (path,) = folder.glob(name + "*")
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


def load(folder: Path | None) -> tuple[Any, Any, Any, Any]:
    if folder is None:
        X, y = load_digits(return_X_y=True)
        return X[:1000].reshape(-1, 8, 8), y[:1000], X[1000:].reshape(-1, 8, 8), y[1000:]
    return (
        read_idx(folder, "train-images"),
        read_idx(folder, "train-labels"),
        read_idx(folder, "t10k-images"),
        read_idx(folder, "t10k-labels"),
    )


def without_faint_pixels(X: Any) -> Any:
    """Blurred edges say little and cost time."""
    return np.where(X >= X.max() / 4, X, 0).astype(np.float32)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--train", type=int, default=10000)
    parser.add_argument("--test", type=int, default=1000)
    arguments = parser.parse_args()
    images, labels, more_images, more_labels = load(arguments.folder)
    X, y = images[: arguments.train], labels[: arguments.train]
    X_test, y_test = more_images[: arguments.test], more_labels[: arguments.test]
    pixels = np.indices(X.shape[1:]).reshape(2, -1).T
    model = make_pipeline(
        FunctionTransformer(without_faint_pixels),
        EMDKNeighborsClassifier(n_neighbors=3, measure="act-1", coordinates=pixels, n_jobs=-1),
    )
    start = time.perf_counter()
    model.fit(X.reshape(len(X), -1), y)
    score = model.score(X_test.reshape(len(X_test), -1), y_test)
    seconds = time.perf_counter() - start
    print(f"{len(X)} digits, {len(X_test)} queries: accuracy {score:.4f} in {seconds:.2f} s")


if __name__ == "__main__":
    main()
