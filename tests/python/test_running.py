"""How calls behave: errors, progress, threads, signals, the cost of an import."""

import os
import signal
import subprocess
import sys
import threading
import time

import navvy
import numpy as np
import pytest

from .conftest import random_histograms


@pytest.fixture(scope="module")
def heavy():
    """An index whose whole graph under emd takes far longer than any test waits."""
    return navvy.Index.from_histograms(
        random_histograms(3000, 300, density=0.08), np.random.default_rng(0).random((300, 8))
    )


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(histograms, coordinates, labels=range(40))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda i: i.search([[1] * 30], measure="act"), ValueError, "act"),
        (lambda i: i.search([[1] * 30], measure=3), TypeError, "measure is 3"),
        (lambda i: i.search([[1] * 30], 0), ValueError, "top is 0; expected at least 1"),
        (lambda i: i.search([[1] * 30], "a"), TypeError, "top is 'a'; expected an integer"),
        (lambda i: i.search([[1] * 30], direction="up"), ValueError, "up"),
        (lambda i: i.search([[1] * 30], threads=-1), ValueError, "threads is -1"),
        (lambda i: i.search([[1] * 30], thread=1), TypeError, "unknown keyword 'thread'"),
        (lambda i: i.search([[1] * 30], progress=3), TypeError, "progress is 3"),
        (lambda i: i.search([[1] * 29]), ValueError, "29 coordinates"),
        (lambda i: i.search(), TypeError, "needs queries or rows"),
        (lambda i: i.search(rows=[40]), ValueError, "row 40 does not exist: the index has 40"),
        (lambda i: i.search(rows=[0.5]), TypeError, "expected row numbers"),
        (lambda i: i.distances(rows=[1]), TypeError, "expected a range"),
        (lambda i: i.distances(rows=range(0, 50)), ValueError, "range '0:50' does not fit"),
        (lambda i: i.evaluate(tops=[40]), ValueError, "top 40 asked for"),
        (lambda i: i.add([[1] * 30], ids=["a", "b"]), ValueError, "2 ids, expected 1"),
        (lambda i: navvy.Index(3), TypeError, "use Index.from_histograms"),
        (lambda i: navvy.Index.open("/no/such/file"), OSError, "/no/such/file"),
        (lambda i: navvy.Index.open(__file__), ValueError, "test_running.py"),
        (lambda i: i.save("/no/such/folder/a.navvy"), OSError, "/no/such/folder"),
        (lambda i: i.knn(3, memory=1), ValueError, "memory|budget"),
    ],
)
def test_errors_have_one_line_and_a_fitting_type(index, call, error, text):
    with pytest.raises(error, match=text) as caught:
        call(index)
    assert type(caught.value) is error and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "call"),
    [
        (["info", "/no/such/file"], lambda i: navvy.Index.open("/no/such/file")),
        (["info", __file__], lambda i: navvy.Index.open(__file__)),
        (["search", "--row", "40"], lambda i: i.search(rows=[40])),
        (["search", "--row", "0", "--measure", "act"], lambda i: i.search(rows=[0], measure="act")),
        (
            ["search", "--row", "0", "--direction", "up"],
            lambda i: i.search(rows=[0], direction="up"),
        ),
        (
            ["search", "--row", "0", "--measure", "emd-hat"],
            lambda i: i.search(rows=[0], measure="emd-hat"),
        ),
        (["knn", "-o", "x.npz", "--memory", "1000"], lambda i: i.knn(memory=1000)),
        (["distances", "-o", "x.npy", "--rows", "0:50"], lambda i: i.distances(rows=range(0, 50))),
        (["evaluate", "--top", "40"], lambda i: i.evaluate(tops=[40])),
    ],
)
def test_errors_have_the_texts_of_the_command(index, root, tmp_path, arguments, call):
    index.save(tmp_path / "a.navvy")
    verb, *others = arguments
    command = [
        root / "build/release/navvy",
        verb,
        *(["a.navvy"] if verb != "info" else []),
        *others,
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    with pytest.raises((ValueError, OSError)) as caught:
        call(index)
    assert done.stderr == f"navvy: {caught.value}\n"


def test_progress_is_told_to_a_function(heavy):
    told = []
    heavy.knn(5, "act-1", progress=lambda *what: told.append(what))
    assert told and all(isinstance(phase, str) and done <= total for phase, done, total in told)


def test_what_progress_raises_stops_the_work(heavy):
    def stop(phase, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        heavy.knn(5, "emd", progress=stop)
    assert heavy.search(rows=[0], top=1).rows.shape == (1, 1)  # usable as before


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_progress_true_draws_a_bar_on_stderr(heavy, capfd, monkeypatch, with_tqdm):
    if not with_tqdm:
        monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    heavy.knn(2, "act-1", progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "%" in err


def test_other_threads_run_meanwhile(heavy):
    """The lock of the interpreter is free while the library works."""
    counted = 0
    ready, done = threading.Event(), threading.Event()

    def work():
        ready.set()
        heavy.knn(10, "act-7", threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait()
    while not done.is_set() and counted < 20:
        time.sleep(0.005)
        counted += 1
    still_running = not done.is_set()
    thread.join()
    assert still_running and counted == 20


def test_two_threads_on_one_index_get_their_own_answers(index, histograms):
    expected = {m: index.search(histograms, 5, m).distances for m in ("rwmd", "ict")}
    wrong = []

    def work(measure):
        for _ in range(20):
            if not np.array_equal(
                index.search(histograms, 5, measure).distances, expected[measure]
            ):
                wrong.append(measure)

    threads = [threading.Thread(target=work, args=(m,)) for m in expected for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def waits_after_ctrl_c(work, clock=time.perf_counter):
    """Seconds from SIGINT to KeyboardInterrupt, three times, while `work` runs again and again."""
    # A process that a shell put into the background ignores the signal otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    waits = []
    for _ in range(3):
        sent = []

        def interrupt(sent=sent):
            sent.append(clock())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.3, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            while True:
                work()
        waits.append(clock() - sent[0])
    return waits


@pytest.mark.parametrize("measure", ["act-15", "emd", "sinkhorn"])
def test_ctrl_c_stops_within_a_fifth_of_a_second(heavy, measure):
    """On an idle machine; a loaded one may need a little longer."""
    waits = waits_after_ctrl_c(lambda: heavy.knn(50, measure))
    assert min(waits) < 0.2, waits


ENDLESS = navvy.Sinkhorn(lam=1000, tolerance=1e-300, max_iterations=10**9)


@pytest.mark.parametrize(
    "distance",
    [navvy.emd, navvy.ict, lambda *pair: navvy.sinkhorn(*pair, settings=ENDLESS)],
    ids=["emd", "ict", "sinkhorn"],
)
def test_ctrl_c_stops_a_single_dear_pair(distance):
    rng = np.random.default_rng(0)
    p, q, costs = rng.random(2000), rng.random(2000), rng.random((2000, 2000))
    # One thread that never waits: its time is that of an idle machine, whatever else runs.
    waits = waits_after_ctrl_c(lambda: distance(p, q, costs), time.process_time)
    assert min(waits) < 0.2, waits


def test_threads_and_memory_change_no_bit(index):
    one = index.knn_matches(9, "act-3", threads=1)
    many = index.knn_matches(9, "act-3", threads=3, memory=2**28)
    np.testing.assert_array_equal(one.distances, many.distances)
    np.testing.assert_array_equal(one.rows, many.rows)


def test_direction_chooses_a_side(index, histograms):
    both = index.distances(measure="rwmd")
    there = index.distances(measure="rwmd", direction="database-to-query")
    back = index.distances(measure="rwmd", direction="query-to-database")
    np.testing.assert_array_equal(both, np.maximum(there, back))
    assert not np.array_equal(there, back)


def test_exact_searches_prove_or_bound(index, histograms):
    whole = index.search(histograms[:5], 4, "emd")
    assert whole.exact.all() and whole.exact.dtype == bool
    np.testing.assert_array_equal(whole.lower, whole.upper)
    np.testing.assert_array_equal(whole.distances, whole.upper)
    cut = index.search(histograms[:5], 4, "emd", max_solves=1)
    assert not cut.exact.all() and np.all(cut.lower <= cut.upper)
    true = index.distances(histograms[:5], "emd")[np.arange(5)[:, np.newaxis], cut.rows]
    assert np.all(cut.lower <= true + 1e-9) and np.all(true <= cut.upper + 1e-9)
    assert index.search(histograms[:5], 4, "act-1").exact is None


def python(code):
    return subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_import_is_quick_quiet_and_without_threads():
    code = (
        "import os, sys, navvy; "
        "print(len(os.listdir('/proc/self/task')), "
        "any(name.split('.')[0] in ('sklearn', 'gensim', 'scipy', 'tqdm') for name in sys.modules))"
    )
    plain = python("import os, numpy; print(len(os.listdir('/proc/self/task')))").strip()
    threads, loaded = python(code).split()
    assert threads == plain  # numpy may have some of its own
    assert loaded == "False"
    assert python("import navvy") == ""
    # numpy's own import comes first and is not counted: it alone takes that long on a busy machine.
    own = (
        "import time, numpy; s = time.process_time(); import navvy; print(time.process_time() - s)"
    )
    assert min(float(python(own)) for _ in range(3)) < 0.15


def test_version_and_kernels():
    from importlib.metadata import version

    assert navvy.__version__ == version("navvy")
    assert navvy.kernels() in ("avx512", "avx2", "neon", "baseline")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        navvy.nothing  # noqa: B018
