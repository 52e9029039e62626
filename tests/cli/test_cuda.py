"""The command on a stand-in for the driver of CUDA: a GPU by name, and devices that fail.

The stand-in runs the kernel text on the processor, slowly: data are tiny.
"""

import json
import os

import numpy as np
import pytest

from .conftest import Command


@pytest.fixture
def cuda(navvy, data, tmp_path):
    """Calls the command where cuda:0 is the only device."""
    folder = navvy.parent / "tests" / "devices" / "fake"
    if not (folder / "libcuda.so.1").exists():
        pytest.skip(f"NO STAND-IN FOR CUDA in {folder}: run ./dev build all")
    base = {
        "LD_LIBRARY_PATH": str(folder),
        "OCL_ICD_VENDORS": "/no/such/folder",
        "FAKE_CUDA_GROUP": "1",
    }
    command = Command(navvy, data.folder)

    class Caller:
        def __call__(self, *arguments, code=0, **settings):
            return command(*arguments, code=code, env=os.environ | base | settings)

        def fails(self, code, *arguments, **settings):
            return command.fails(code, *arguments, env=os.environ | base | settings)

    return Caller()


def test_gpu_is_the_device_of_cuda(cuda, tmp_path):
    (device,) = json.loads(cuda("info", "--devices", "--json").stdout)["devices"]
    assert (device["name"], device["gpu"]) == ("cuda:0", True)
    for device in ("cpu", "gpu"):
        done = cuda("knn", "x.navvy", "--device", device, "-o", tmp_path / device, "--json")
        assert json.loads(done.stdout)["device"] == {"gpu": "cuda:0"}.get(device, device)
    assert (tmp_path / "cpu").read_bytes() == (tmp_path / "gpu").read_bytes()


def test_several_devices_share_the_work(cuda, tmp_path):
    for name, choice in (("one", "cpu"), ("two", "cuda:0,cuda:1")):
        arguments = ["distances", "x.navvy", "--device", choice, "-o", tmp_path / name]
        cuda(*arguments, FAKE_CUDA_DEVICES="2")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("failure", ["module:1", "lost:400", "launch:30"])
def test_a_device_that_fails_leaves_one_line_and_no_file(cuda, tmp_path, failure):
    arguments = ["knn", "x.navvy", "--device", "cuda:0", "-o", tmp_path / "out"]
    assert "cuda:0" in cuda.fails(1, *arguments, FAKE_CUDA_FAIL=failure)
    assert not (tmp_path / "out").exists()


def test_a_driver_that_does_not_start_is_no_driver(cuda):
    done = cuda("info", "--devices", FAKE_CUDA_FAIL="init:1")
    assert done.stdout.startswith("no devices")


def test_what_found_no_room_once_is_computed_in_smaller_steps(cuda, tmp_path):
    arguments = ["knn", "x.navvy", "-o"]
    cuda(*arguments, tmp_path / "cpu")
    cuda(*arguments, tmp_path / "gpu", "--device", "gpu", FAKE_CUDA_FAIL="stream:3")
    assert (tmp_path / "cpu").read_bytes() == (tmp_path / "gpu").read_bytes()


def test_a_full_card_is_a_limit(cuda, tmp_path):
    arguments = ["knn", "x.navvy", "--device", "cuda:0", "-o", tmp_path / "out"]
    line = cuda.fails(5, *arguments, FAKE_CUDA_MEMORY="20000")
    assert "cuda:0" in line and not (tmp_path / "out").exists()


def test_a_device_that_computes_wrong_is_refused(cuda, tmp_path):
    wrong = {"FAKE_CUDA_PLANTED": "off_by_one"}
    line = cuda.fails(1, "search", "x.navvy", "--row", 3, "--device", "gpu", **wrong)
    assert line.startswith("navvy: cuda:0: ") and "self-test" in line
    table = cuda("info", "--devices", **wrong).stdout
    assert "FAILED" in table and "passed" not in table
    (device,) = json.loads(cuda("info", "--devices", "--json", **wrong).stdout)["devices"]
    assert not device["self_test"]["passed"] and device["self_test"]["failure"]


def test_bench_tells_of_a_device_that_computes_wrong(cuda):
    """The document is what such a user is asked for: it is printed all the same."""
    done = cuda("bench", "device", "--json", code=1, FAKE_CUDA_PLANTED="off_by_one")
    document = json.loads(done.stdout)
    assert not document["devices"][0]["self_test"]["passed"] and document["jobs"] == []
    assert done.stderr.startswith("navvy: cuda:0: ") and done.stderr.count("\n") == 1


def test_the_environment_names_a_gpu(cuda):
    done = cuda("search", "x.navvy", "--row", 3, "--json", NAVVY_DEVICE="gpu")
    found = json.loads(done.stdout)
    assert found["device"] == "cuda:0"
    distances = [match["distance"] for match in found["queries"][0]["matches"]]
    assert np.all(np.diff(distances) >= 0) and len(distances) == 10
