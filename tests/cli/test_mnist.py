"""The command on real images: the engine's distances are those of the reference."""

import os
import subprocess

import navvy as package
import numpy as np
import pytest

ROWS = 200
QUERIES = ROWS if "NAVVY_THOROUGH" in os.environ else 20


@pytest.fixture(scope="module")
def index(navvy, shared_data, tmp_path_factory):
    source = shared_data / "mnist" / "t10k-images-idx3-ubyte.gz"
    path = tmp_path_factory.mktemp("t10k") / "t10k.navvy"
    subprocess.run([navvy, "build", "--images", source, "-o", path], check=True)
    return path


@pytest.fixture(scope="module")
def images(index):
    """The first images as (weights, places), as the index has them."""
    opened = package.Index.open(index)
    places = np.asarray(opened.coordinates, dtype=float)
    rows = [opened.histograms[row] for row in range(ROWS)]
    return [(row.data.astype(float), places[row.indices]) for row in rows]


REFERENCE = {
    "rwmd": package.rwmd,
    "omr": package.omr,
    "act-1": package.act,
    "act-7": lambda p, q, costs: package.act(p, q, costs, 7),
    "ict": package.ict,
    "emd": package.emd,
}


@pytest.mark.parametrize(
    ("measure", "queries"),
    [("act-1", QUERIES), ("rwmd", 5), ("omr", 5), ("act-7", 5), ("ict", 5), ("emd", 2)],
)
def test_distances_are_those_of_the_reference(call, index, images, tmp_path, measure, queries):
    call(
        *("distances", index, "--rows", f":{ROWS}", "--queries", f":{queries}"),
        *("--measure", measure, "-o", "d.npy"),
    )
    found = np.load(tmp_path / "d.npy")
    expected = np.zeros((queries, ROWS))
    for i, (q, to) in enumerate(images[:queries]):
        for j, (p, places) in enumerate(images):
            costs = np.linalg.norm(places[:, None] - to[None], axis=2)
            expected[i, j] = 0 if i == j else REFERENCE[measure](p, q, costs)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
