"""Devices: the same bytes as the processor, one line for whatever goes wrong.

PoCL, which runs OpenCL on the processor, stands in for a GPU.
"""

import json
import os
import subprocess

import numpy as np
import pytest
import scipy.sparse

from .conftest import Command, idx_bytes

MEASURES = ["rwmd", "omr", "act-1", "act-7", "bow", "wcd"]
NO_DRIVER = {"OCL_ICD_VENDORS": "/no/such/folder"}


@pytest.fixture(scope="session")
def kernels(tmp_path_factory) -> str:
    """A folder for the kernels that PoCL makes, so that it makes them once."""
    return str(tmp_path_factory.mktemp("kernels"))


@pytest.fixture(scope="session")
def opencl(navvy, kernels) -> dict:
    """The environment of commands that use opencl:0; where there is none, tests are skipped."""
    environment = os.environ | {"POCL_CACHE_DIR": kernels}
    environment.pop("NAVVY_DEVICE", None)
    done = subprocess.run(
        [navvy, "info", "--devices", "--json"], capture_output=True, env=environment, check=True
    )
    if not any(device["name"] == "opencl:0" for device in json.loads(done.stdout)["devices"]):
        pytest.skip(
            "NO OPENCL DEVICE HERE: nothing is known about devices; install pocl-opencl-icd"
        )
    return environment


def save_histograms(folder, name, weights, points, navvy):
    scipy.sparse.save_npz(folder / f"{name}.npz", scipy.sparse.csr_matrix(weights))
    np.save(folder / f"{name}.npy", points.astype(np.float32))
    (folder / "labels.txt").write_text("".join(f"{i % 3}\n" for i in range(len(weights))))
    source = ["--histograms", f"{name}.npz", "--coordinates", f"{name}.npy"]
    Command(navvy, folder)("build", *source, "--labels", "labels.txt", "-o", f"{name}.navvy")


@pytest.fixture(scope="session")
def indexes(navvy, root, tmp_path_factory):
    """A folder with digits.navvy, and words.navvy over more coordinates than are kept sorted."""
    folder = tmp_path_factory.mktemp("devices")
    demo = root / "data" / "demo"
    pixels = np.frombuffer((demo / "digits-images.idx3").read_bytes()[16:], np.uint8)
    labels = np.frombuffer((demo / "digits-labels.idx1").read_bytes()[8:], np.uint8)
    (folder / "images.idx").write_bytes(idx_bytes(pixels.reshape(-1, 8, 8)[:301]))
    (folder / "labels.idx").write_bytes(idx_bytes(labels[:301]))
    source = ["--images", "images.idx", "--labels", "labels.idx"]
    Command(navvy, folder)("build", *source, "-o", "digits.navvy")
    random = np.random.default_rng(7)
    weights = random.random((37, 5003)) * (random.random((37, 5003)) < 0.06)
    save_histograms(folder, "words", weights, random.normal(size=(5003, 9)), navvy)
    return folder


@pytest.fixture
def on(navvy, indexes, opencl, tmp_path):
    """Calls the command on copies of nothing: it writes to a folder of its own."""

    def call(*arguments, **environment):
        command = Command(navvy, indexes)
        return command(*arguments, env=opencl | environment)

    return call


@pytest.fixture
def document(on):
    def call(*arguments, **environment):
        return json.loads(on(*arguments, "--json", **environment).stdout)

    return call


def written(on, folder, verb, *arguments, **environment) -> bytes:
    """The bytes of the file that a verb writes."""
    path = folder / "out"
    path.unlink(missing_ok=True)
    on(verb, *arguments, "-o", path, **environment)
    return path.read_bytes()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("index", ["digits", "words"])
def test_files_have_the_same_bytes(on, tmp_path, index, measure):
    for verb, *choice in (["knn", "--top", 7], ["distances", "--queries", "3:16"]):
        arguments = [verb, f"{index}.navvy", *choice, "--measure", measure]
        expected = written(on, tmp_path, *arguments)
        assert written(on, tmp_path, *arguments, "--device", "opencl:0") == expected


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("index", ["digits", "words"])
def test_matches_are_the_same(document, index, measure):
    rows = ["--row", 3, "--row", "10:14"]
    arguments = ["search", f"{index}.navvy", *rows, "--measure", measure]
    expected = document(*arguments)
    found = document(*arguments, "--device", "opencl:0")
    assert (expected["device"], found["device"]) == ("cpu", "opencl:0")
    assert found["queries"] == expected["queries"]


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_each_direction_has_the_same_bytes(on, tmp_path, direction):
    for index in ("digits", "words"):
        arguments = ["distances", f"{index}.navvy", "--queries", "3:16", "--direction", direction]
        expected = written(on, tmp_path, *arguments)
        assert written(on, tmp_path, *arguments, "--device", "opencl:0") == expected


@pytest.mark.parametrize("measure", ["ict", "emd", "sinkhorn"])
def test_measures_of_the_processor_answer_all_the_same(document, measure):
    arguments = ["search", "digits.navvy", "--row", 3, "--top", 3, "--measure", measure]

    def rows(found):
        return [
            (match["row"], match["distance"])
            for query in found["queries"]
            for match in query["matches"]
        ]

    found = rows(document(*arguments, "--device", "opencl:0"))
    expected = rows(document(*arguments))
    assert [row for row, _ in found] == [row for row, _ in expected]
    assert np.allclose([d for _, d in found], [d for _, d in expected], rtol=0, atol=1e-6)


def without_times(evaluation: dict) -> dict:
    for measure in evaluation["measures"]:
        del measure["seconds"], measure["cpu_seconds"], measure["counters"]
    del evaluation["device"]
    return evaluation


def test_evaluations_are_the_same(document):
    arguments = ["evaluate", "digits.navvy", "--measures", "bow,rwmd,act-1", "--queries", 50]
    expected = document(*arguments, "--top", "1,16")
    found = document(*arguments, "--top", "1,16", "--device", "opencl:0")
    assert (expected["device"], found["device"]) == ("cpu", "opencl:0")
    assert without_times(found) == without_times(expected)


def test_the_table_of_an_evaluation_does_not_name_a_device(on):
    arguments = ["evaluate", "digits.navvy", "--measures", "rwmd", "--queries", 5, "--top", 1]
    for device in ("cpu", "opencl:0"):
        head, line, _ = on(*arguments, "--device", device).stdout.splitlines()
        assert head.split() == ["measure", "@1", "seconds", "cpu", "s", "distances/s"]
        assert line.split()[0] == "rwmd"


def test_several_devices_share_the_work(on, document, tmp_path):
    two = {"POCL_DEVICES": "pthread pthread"}
    named = ["--device", "opencl:0,opencl:1"]
    for verb, *choice in (["knn"], ["distances", "--queries", "3:150"]):
        arguments = [verb, "digits.navvy", *choice]
        expected = written(on, tmp_path, *arguments)
        assert written(on, tmp_path, *arguments, *named, **two) == expected
    found = document("search", "digits.navvy", "--row", 3, *named, **two)
    assert found["device"] == "opencl:0,opencl:1"
    assert found["queries"] == document("search", "digits.navvy", "--row", 3)["queries"]


def test_the_environment_names_a_device_unless_an_option_does(document):
    arguments = ["search", "digits.navvy", "--row", 3]
    assert document(*arguments, NAVVY_DEVICE="opencl:0")["device"] == "opencl:0"
    for name in ("", "cpu"):
        assert document(*arguments, NAVVY_DEVICE=name)["device"] == "cpu"
    assert document(*arguments, "--device", "cpu", NAVVY_DEVICE="opencl:0")["device"] == "cpu"


def test_a_budget_of_device_memory_cuts_the_work_smaller(on, tmp_path):
    arguments = ["knn", "digits.navvy", "--measure", "act-7"]
    expected = written(on, tmp_path, *arguments)
    device = ["--device", "opencl:0", "--device-memory"]
    for budget in ("1G", "64M", "24M"):
        assert written(on, tmp_path, *arguments, *device, budget) == expected


@pytest.fixture
def fails(navvy, indexes, opencl, tmp_path):
    """The line of a command that fails and leaves nothing."""

    def call(code, *arguments, **environment):
        command = Command(navvy, indexes)
        line = command.fails(code, *arguments, env=opencl | environment)
        assert not (tmp_path / "out").exists()
        return line

    return call


@pytest.mark.parametrize(
    "name", ["opencl:9", "cuda:99", "opencl:x", "toaster", "opencl:0,opencl:9"]
)
def test_a_device_that_does_not_exist_is_named(fails, tmp_path, name):
    line = fails(2, "knn", "digits.navvy", "--device", name, "-o", tmp_path / "out")
    assert f"{name.split(',')[-1]}; " in line and "expected" in line


def test_the_variable_that_names_no_device_is_named(fails):
    line = fails(2, "search", "digits.navvy", "--row", 3, NAVVY_DEVICE="opencl:9")
    assert line.startswith("navvy: NAVVY_DEVICE: ") and "opencl:9" in line


def test_too_little_device_memory_is_a_limit(fails, tmp_path):
    device = ["--device", "opencl:0", "--device-memory"]
    line = fails(5, "knn", "digits.navvy", *device, "1K", "-o", tmp_path / "out")
    assert "opencl:0" in line and "--device-memory" in line
    assert "size 'much'" in fails(2, "knn", "digits.navvy", *device, "much", "-o", tmp_path / "out")


def test_info_lists_and_tests_devices(on, document):
    (device, *_) = document("info", "--devices")["devices"]
    assert set(device) == {
        "name", "hardware", "driver", "memory", "gpu", "doubles", "self_test"
    }  # fmt: skip
    assert device["name"] == "opencl:0" and device["memory"] > 0
    assert device["self_test"]["passed"] and device["self_test"]["failure"] is None
    assert 0 < device["self_test"]["seconds"] < 60
    head, line = on("info", "--devices").stdout.splitlines()[:2]
    assert "self-test" in head and line.startswith("opencl:0 ") and " passed " in line


def test_info_describes_one_thing_at_a_time(fails):
    assert "--devices" in fails(2, "info", "digits.navvy", "--devices")


def test_without_a_driver_everything_works_and_nothing_is_said(navvy, indexes, tmp_path):
    environment = os.environ | NO_DRIVER
    call = Command(navvy, indexes)
    assert call("info", "--devices", env=environment).stdout.startswith("no devices")
    assert call.json("info", "--devices", env=environment)["devices"] == []
    plain = call("knn", "digits.navvy", "-o", tmp_path / "out", env=environment)
    assert plain.stdout == "" and "device" not in plain.stderr
    line = call.fails(2, "search", "digits.navvy", "--row", 3, "--device", "gpu", env=environment)
    assert "GPU" in line
    line = call.fails(
        2, "search", "digits.navvy", "--row", 3, "--device", "opencl:0", env=environment
    )
    assert "opencl:0" in line
    assert "no device" in call.fails(2, "bench", "device", env=environment)


def test_a_driver_that_cannot_be_loaded_is_no_driver(navvy, indexes, tmp_path):
    (tmp_path / "broken.icd").write_text("libno-such-driver.so\n")
    call = Command(navvy, indexes)
    environment = os.environ | {"OCL_ICD_VENDORS": str(tmp_path)}
    assert call.json("info", "--devices", env=environment)["devices"] == []


def test_the_processor_is_not_asked_for_what_only_a_gpu_can_be(fails, document):
    if any(device["gpu"] for device in document("info", "--devices")["devices"]):
        pytest.skip("there is a GPU here")
    assert "GPU" in fails(2, "search", "digits.navvy", "--row", 3, "--device", "gpu")


def test_bench_compares_device_and_processor(document, on):
    found = document("bench", "device", "--device", "opencl:0", "--rows", 33)
    assert [device["name"] for device in found["devices"]] == ["opencl:0"]
    assert found["cpu"]["kernels"] and found["rows"] == 33
    assert {job["data"] for job in found["jobs"]} == {"images", "texts"}
    assert {job["job"] for job in found["jobs"]} == {"all pairs", "search", "matrix"}
    for job in found["jobs"]:
        assert job["same_bits"] and set(job["seconds"]) == {"first", "device", "cpu"}
        assert job["distances"] == job["queries"] * job["rows"]
        phases = {phase["name"]: phase for phase in job["phases"]}
        assert phases["row costs"]["operations"] > 0 and phases["copies"]["bytes"] > 0
        for phase in phases.values():
            assert phase["seconds"] > 0 and 0 < phase["least_bytes"] <= phase["bytes"]
    table = on("bench", "device", "--rows", 33).stdout
    assert "same bits" in table and "NO" not in table.split() and "row costs" in table


def test_bench_needs_a_device(fails):
    assert "expected a device" in fails(2, "bench", "device", "--device", "cpu")
    assert "expected device" in fails(2, "bench", "toaster")


def test_shells_know_the_options(call):
    for shell in ("bash", "zsh", "fish"):
        script = call("completion", shell).stdout
        assert "device-memory" in script and "gpu" in script
