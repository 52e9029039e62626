"""What must work where nothing but navvy, numpy and scipy is installed."""

import importlib.metadata
import importlib.util

import navvy
import numpy as np

installed = {package.name.lower() for package in importlib.metadata.distributions()}
assert installed <= {"navvy", "numpy", "scipy", "pip", "setuptools"}, installed

weights = np.random.default_rng(0).random((30, 10))
index = navvy.Index.from_histograms(weights, np.arange(10), labels=np.arange(30) % 2)
for measure in ("bow", "wcd", "rwmd", "omr", "act-3", "ict", "sinkhorn", "emd"):
    assert np.isfinite(index.search(weights[:3], 2, measure).distances).all(), measure
assert list(index.search(weights[:3], 2, "emd").rows[:, 0]) == [0, 1, 2]
assert index.knn(4).nnz == 120
words = type("Words", (), {"index_to_key": ["red", "green"], "vectors": np.eye(2)})
assert navvy.Index.from_texts(["Red!", "green"], words).search("red").rows[0, 0] == 0
for device in navvy.devices():  # the wheel finds drivers, or none
    found = index.knn_matches(4, device=device.name)
    assert found.distances.tobytes() == index.knn_matches(4).distances.tobytes(), device
print(f"navvy {navvy.__version__}, kernels {navvy.kernels()}")
