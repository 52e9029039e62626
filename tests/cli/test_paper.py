"""The paper's MNIST tables, to the fourth digit, on the whole training set.

The normal run checks rwmd and act-1 without background; NAVVY_THOROUGH adds every other column.
"""

import json
import os
from pathlib import Path

import numpy as np
import pytest

TOPS = ("1", "16", "128")
# Precision at the top 1, 16 and 128: Tables 5 and 6 of the paper.
PAPER = json.loads((Path(__file__).parent.parent / "data" / "paper.json").read_text())
PLAIN = PAPER["without background"]
ALWAYS = ("rwmd", "act-1")
TOLERANCE = 0.0002
thorough = pytest.mark.skipif(
    "NAVVY_THOROUGH" not in os.environ, reason="minutes; set by --thorough"
)


@pytest.fixture(scope="module")
def mnist(shared_data):
    folder = shared_data / "mnist"
    return [
        "--images",
        folder / "train-images-idx3-ubyte.gz",
        "--labels",
        folder / "train-labels-idx1-ubyte.gz",
    ]


def check(call, index, table):
    document = call.json("evaluate", index, "--measures", ",".join(table), "--top", ",".join(TOPS))
    assert document["n"] == 60000
    assert document["v"] in (717, 784)
    assert document["queries"] == 60000
    for measure in document["measures"]:
        for top, expected in zip(TOPS, table[measure["name"]], strict=True):
            assert measure["precision"][top] == pytest.approx(expected, abs=TOLERANCE), measure


def test_without_background(call, mnist):
    call("build", *mnist, "-o", "mnist.navvy")
    check(call, "mnist.navvy", {name: PLAIN[name] for name in ALWAYS})


@thorough
def test_without_background_other_measures(call, mnist):
    call("build", *mnist, "-o", "mnist.navvy")
    check(call, "mnist.navvy", {name: PLAIN[name] for name in PLAIN if name not in ALWAYS})


@thorough
def test_with_background(call, mnist):
    call("build", *mnist, "--keep-background", "-o", "background.navvy")
    check(call, "background.navvy", PAPER["with background"])


def test_with_background_rwmd_is_0_for_every_pair(call, mnist):
    call("build", *mnist, "--keep-background", "-o", "background.navvy")
    call("distances", "background.navvy", "--rows", "0:500", "--queries", "0:500",
          "--measure", "rwmd", "-o", "zeros.npy")  # fmt: skip
    assert not np.load(call.folder / "zeros.npy").any()
