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

ENDLESS = navvy.Sinkhorn(lam=1000, tolerance=1e-300, max_iterations=10**9)


@pytest.fixture(autouse=True)
def ctrl_c():
    """A process that a shell put into the background ignores the signal otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def heavy():
    """An index on which all measures have something to do."""
    return navvy.Index.from_histograms(
        random_histograms(3000, 300, density=0.08), np.random.default_rng(0).random((300, 8))
    )


@pytest.fixture(scope="module")
def dear_pair():
    """Two histograms and their costs: one exact distance takes a while."""
    rng = np.random.default_rng(0)
    return rng.random(4000), rng.random(4000), rng.random((4000, 4000))


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
        (lambda i: navvy.Index.open("/no/such/file"), FileNotFoundError, "/no/such/file"),
        (lambda i: navvy.Index.open(__file__), ValueError, "test_running.py"),
        (lambda i: i.save("/no/such/folder/a.navvy"), FileNotFoundError, "/no/such/folder"),
        (lambda i: i.knn(3, memory=1), MemoryError, "memory|budget"),
    ],
)
def test_errors_have_one_line_and_a_fitting_type(index, call, error, text):
    with pytest.raises(error, match=text) as caught:
        call(index)
    assert type(caught.value) is error and "\n" not in str(caught.value)


def test_names_are_neutral_where_they_are_shown(histograms, coordinates):
    ids = [f"id\x1b\u202e{i}" for i in range(40)]
    index = navvy.Index.from_histograms(histograms, coordinates, ids=ids)
    assert index.ids.tolist() == ids
    why = index.explain(ids[0], ids[1])
    assert (why.a, why.b) == (ids[0], ids[1])
    for shown in (str(why), why._repr_html_()):
        assert "id\u241b\ufffd0" in shown and "\x1b" not in shown and "\u202e" not in shown
    for missing in ("no\x1b\n\u202e", b"no\x1b\n\xff".decode(errors="surrogateescape")):
        with pytest.raises(FileNotFoundError, match="cannot open: No such file") as caught:
            navvy.Index.open(missing)
        assert str(caught.value).isprintable()


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
    with pytest.raises((ValueError, OSError, MemoryError)) as caught:
        call(index)
    error = caught.value
    system = isinstance(error, OSError) and error.errno is not None
    text = f"{error.filename}: {error.strerror}" if system else str(error)
    # What to raise has the name that it has there.
    text = text.replace("raise it (memory)", "raise it with --memory")
    assert done.stderr == f"navvy: {text}\n"


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


def test_other_threads_run_meanwhile(dear_pair):
    """The lock of the interpreter is free while the library works."""
    turns = []

    def other():
        for turn in range(20):
            time.sleep(0.005)
            turns.append(turn)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        threading.Thread(target=other).start()
        navvy.sinkhorn(*dear_pair, settings=ENDLESS)
    assert len(turns) == 20


def seconds_after_ctrl_c(work) -> float:
    """Processor time from SIGINT, sent while `work` runs, to KeyboardInterrupt."""
    started = threading.Event()
    sent = []

    def interrupt():
        started.wait()
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            started.set()
            work()
    return time.process_time() - sent[0]


def expect_stopped_in_the_middle(work):
    """`work` runs on one thread that never waits: compared with the whole of it, the time that it
    takes to stop depends neither on how fast the machine is nor on what else it does."""
    start = time.process_time()
    work()
    whole = time.process_time() - start
    waits = [seconds_after_ctrl_c(work) for _ in range(3)]
    assert min(waits) < whole / 2, (waits, whole)


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize(
    ("measure", "queries"), [("act-15", 3000), ("emd", 100), ("sinkhorn", 50)], ids=str
)
def test_ctrl_c_stops_a_search_in_the_middle(heavy, measure, queries):
    expect_stopped_in_the_middle(
        lambda: heavy.search(rows=range(queries), top=50, measure=measure, threads=1)
    )


@pytest.mark.parametrize("distance", [navvy.emd, navvy.ict], ids=["emd", "ict"])
def test_ctrl_c_stops_a_single_dear_pair(dear_pair, distance):
    expect_stopped_in_the_middle(lambda: distance(*dear_pair))


def test_ctrl_c_stops_a_single_pair_that_would_never_end(dear_pair):
    seconds_after_ctrl_c(lambda: navvy.sinkhorn(*dear_pair, settings=ENDLESS))


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


def test_emd_one_way_moves_masses_as_they_are():
    points = np.array([[1, 0], [0, 1]], np.float32)
    index = navvy.Index.from_histograms(np.array([[1.0, 1], [3, 0], [4, 4]]), points)
    query = np.array([[2.0, 2]])
    found = index.search(query, 3, "emd", direction="query")
    assert found.rows[0].tolist() == [2, 1, 0]
    # The last row contains it. In the second half stays, a quarter finds room elsewhere, a quarter
    # none, which pays 2. In the first half finds none.
    np.testing.assert_allclose(found.distances[0], [0, (2**0.5 + 2) / 4, 1])
    cheaper = index.search(query, 3, "emd", direction="query", price=1)
    np.testing.assert_allclose(sorted(cheaper.distances[0]), [0, 0.5, 0.5])
    assert index.search(query, 3, "emd").distances[0, 0] == 0
    with pytest.raises(ValueError, match="does not mix"):
        index.search(query, 3, "emd", direction="mix:0.5")


def test_exact_searches_prove_or_bound(index, histograms):
    whole = index.search(histograms[:5], 4, "emd")
    assert whole.exact.all() and whole.exact.dtype == bool
    np.testing.assert_array_equal(whole.lower, whole.upper)
    np.testing.assert_array_equal(whole.distances, whole.upper)
    cut = index.search(histograms[:5], 4, "emd", max_solves=1)
    assert not cut.exact.all() and np.all(cut.lower <= cut.upper)
    true = index.distances(histograms[:5], "emd")[np.arange(5)[:, np.newaxis], cut.rows]
    slack = np.spacing(true)  # a matrix holds single precision
    assert np.all(cut.lower <= true + slack) and np.all(true - slack <= cut.upper)
    assert index.search(histograms[:5], 4, "act-1").exact is None


def python(code):
    return subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_import_is_light_quiet_and_without_threads():
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


def test_version_and_kernels():
    from importlib.metadata import version

    assert navvy.__version__ == version("navvy")
    assert navvy.kernels() in ("avx512", "avx2", "neon", "baseline")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        navvy.nothing  # noqa: B018
