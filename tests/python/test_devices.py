"""Devices in Python: the arrays of the processor, errors of Python, no hang after a fork.

PoCL, which runs OpenCL on the processor, stands in for a GPU.
"""

import multiprocessing
import os
import signal
import subprocess
import sys

import navvy
import navvy.sklearn
import numpy as np
import pytest
import scipy.sparse

from .conftest import random_histograms

MEASURES = ["rwmd", "omr", "act-1", "act-7", "bow", "wcd"]
# Far longer than a search takes on a slow machine: a child that hangs is ended by it.
ALARM = 300


@pytest.fixture(scope="module", autouse=True)
def opencl(tmp_path_factory):
    """PoCL keeps its kernels in a folder of this session, and is there at all."""
    with pytest.MonkeyPatch.context() as patch:
        if "POCL_CACHE_DIR" not in os.environ:
            patch.setenv("POCL_CACHE_DIR", str(tmp_path_factory.mktemp("kernels")))
        patch.delenv("NAVVY_DEVICE", raising=False)
        if not any(device.name == "opencl:0" for device in navvy.devices()):
            pytest.skip("NO OPENCL DEVICE HERE: nothing is known about devices")
        yield


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(histograms, coordinates, labels=np.arange(40) % 3)


def test_devices_are_listed_and_tested():
    device = next(device for device in navvy.devices() if device.name == "opencl:0")
    assert device.hardware and device.driver and device.memory > 0
    done = device.test()
    assert done.passed and done.failure == "" and done.seconds > 0
    assert navvy.test_device("opencl:0").passed


@pytest.mark.parametrize("measure", MEASURES)
def test_arrays_have_the_same_bits(index, measure):
    queries = random_histograms(seed=5)[:7]
    for call in (
        lambda **run: index.search(queries, 5, measure, **run).distances,
        lambda **run: index.search(queries, 5, measure, **run).rows,
        lambda **run: index.search(rows=[3, 9], top=5, measure=measure, **run).distances,
        lambda **run: index.knn_matches(5, measure, **run).distances,
        lambda **run: index.distances(measure=measure, **run),
        lambda **run: index.distances(queries, measure, **run),
    ):
        expected = call()
        assert expected.tobytes() == call(device="opencl:0", device_memory=1 << 30).tobytes()


def test_evaluations_are_the_same(index):
    (expected,) = index.evaluate("act-1", [1, 5]).values()
    (found,) = index.evaluate("act-1", [1, 5], device="opencl:0").values()
    assert found.precision == expected.precision


def test_queries_may_bring_coordinates_of_their_own(coordinates):
    narrow = scipy.sparse.hstack(
        [random_histograms(columns=20), scipy.sparse.csr_matrix((40, 10))], format="csr"
    )
    index = navvy.Index.from_histograms(narrow, coordinates)
    queries = random_histograms(seed=5)
    expected = index.search(queries, 5).distances
    assert index.search(queries, 5, device="opencl:0").distances.tobytes() == expected.tobytes()


def test_estimators_take_a_device(histograms, coordinates):
    graphs = []
    for device in (None, "opencl:0"):
        estimator = navvy.sklearn.EMDNeighbors(3, coordinates=coordinates, device=device)
        assert estimator.get_params()["device"] == device
        graphs.append(estimator.fit(histograms).kneighbors_graph(mode="distance"))
    assert graphs[0].data.tobytes() == graphs[1].data.tobytes()


@pytest.mark.parametrize(
    ("name", "message"), [("opencl:9", "opencl:9"), ("toaster", "toaster"), (["a", "b"], "a")]
)
def test_a_device_that_does_not_exist_is_a_value_error(index, name, message):
    with pytest.raises(ValueError, match=message):
        index.knn(device=name)
    if isinstance(name, str):
        with pytest.raises(ValueError, match=message):
            navvy.test_device(name)


@pytest.mark.parametrize("name", [3, [], ["opencl:0", 1]])
def test_what_is_no_name_is_a_type_error(index, name):
    with pytest.raises(TypeError, match="device is "):
        index.knn(device=name)


def test_too_little_device_memory_is_a_memory_error(index):
    with pytest.raises(MemoryError, match="device_memory"):
        index.knn(device="opencl:0", device_memory=1000)
    with pytest.raises(ValueError, match="device_memory is -1"):
        index.knn(device="opencl:0", device_memory=-1)


def test_the_environment_names_a_device(index, monkeypatch):
    expected = index.knn_matches(5).distances
    monkeypatch.setenv("NAVVY_DEVICE", "opencl:0")
    assert index.knn_matches(5).distances.tobytes() == expected.tobytes()
    monkeypatch.setenv("NAVVY_DEVICE", "opencl:9")
    with pytest.raises(ValueError, match=r"NAVVY_DEVICE: .*opencl:9"):
        index.knn_matches(5)
    assert index.knn_matches(5, device="cpu").distances.tobytes() == expected.tobytes()


def test_several_devices_share_the_work(tmp_path):
    """In a process of its own: PoCL counts its devices once."""
    program = """
import numpy as np, navvy, scipy.sparse
rng = np.random.default_rng(3)
X = scipy.sparse.csr_matrix(rng.random((60, 30)) * (rng.random((60, 30)) < 0.3) + 0.001)
index = navvy.Index.from_histograms(X, rng.random((30, 3)))
both = index.knn_matches(5, device=["opencl:0", "opencl:1"])
assert both.distances.tobytes() == index.knn_matches(5).distances.tobytes()
print(len(navvy.devices()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"POCL_DEVICES": "pthread pthread"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 2


def search_in_child(index, answers):
    """What a child gets that goes on with the devices of its parent."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(ALARM)
    for device in ("opencl:0", "cpu"):
        try:
            answers.put(index.search(rows=[3], top=5, device=device).distances.tobytes())
        except (OSError, ValueError) as error:
            answers.put(f"{type(error).__name__}: {error}")


# From Python 3.12 on, a fork beside threads is warned of, whosever they are.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_gets_an_error_and_may_use_the_processor(index):
    expected = index.search(rows=[3], top=5, device="opencl:0").distances.tobytes()
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=search_in_child, args=(index, answers))
    child.start()
    on_device, on_processor = answers.get(timeout=ALARM), answers.get(timeout=ALARM)
    child.join()
    assert child.exitcode == 0
    assert isinstance(on_device, str) and on_device.startswith("OSError: opencl:0"), on_device
    assert on_processor == expected


@pytest.mark.parametrize("asked", ["navvy.devices()", "navvy.test_device('opencl:0')", "None"])
def test_a_fork_after_a_mere_question_does_not_hang(asked):
    """Drivers start their threads when they are first asked. Who never asked may fork."""
    program = f"""
import navvy, os, signal
{asked}
child = os.fork()
if child == 0:
    signal.alarm({ALARM})
    try:
        passed = navvy.test_device("opencl:0").passed
    except OSError as error:
        passed = False
    os._exit(0 if passed else 7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == (0 if asked == "None" else 7)
