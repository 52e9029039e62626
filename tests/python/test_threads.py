"""One index in many hands: threads that call at once, and processes that were forked."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import navvy
import numpy as np
import pytest
import scipy.sparse

from .conftest import random_histograms

ROWS = 60
# Far longer than a search takes on a slow machine: a child that hangs is ended by it.
ALARM = 600


def make_index(coordinates):
    """Rows over the first 20 of 30 coordinates, so that queries may bring more."""
    empty = scipy.sparse.csr_matrix((ROWS, 10))
    rows = scipy.sparse.hstack([random_histograms(ROWS, 20), empty], format="csr")
    ids = [f"row {row}" for row in range(ROWS)]
    return navvy.Index.from_histograms(rows, coordinates, labels=np.arange(ROWS) % 3, ids=ids)


def query(seed):
    """Over all coordinates, others than those of most seeds."""
    return random_histograms(3, 30, seed=seed, density=0.1)


def calls(index):
    """Something of everything that an index computes."""
    for seed, measure in enumerate(["act-1", "emd", "rwmd", "bow", "wcd", "ict", "omr"]):
        yield lambda s=seed, m=measure: index.search(query(s), 5, m).distances
        yield lambda s=seed, m=measure: index.search(query(s), 5, m).rows
    yield lambda: index.search(rows=range(5), top=4, measure="emd", threads=3).distances
    yield lambda: index.search(query(9)[:1], 3, "sinkhorn").distances
    yield lambda: index.knn_matches(4, "act-3").distances
    yield lambda: index.distances(measure="act-1", threads=2)
    yield lambda: index.distances(query(11), "act-1")
    yield lambda: np.array(list(index.evaluate("act-1", tops=[5])["act-1"].precision.values()))


@pytest.mark.parametrize("threads", [1, 4, 16])
def test_threads_on_one_index_get_the_bits_of_serial_calls(coordinates, threads):
    expected = [call() for call in calls(make_index(coordinates))]
    index = make_index(coordinates)  # what calls prepare is prepared by all of them at once
    start = threading.Barrier(threads)

    def work(first):
        found = {}
        todo = list(enumerate(calls(index)))
        start.wait()
        for number, call in todo[first:] + todo[:first]:
            found[number] = call()
        return found

    with ThreadPoolExecutor(threads) as pool:
        for found in pool.map(work, range(threads)):
            for number, right in enumerate(expected):
                np.testing.assert_array_equal(found[number], right)


def test_threads_that_search_while_rows_come_and_go(coordinates):
    index = make_index(coordinates)
    expected = [index.search(query(0), 5).distances]
    more = {"labels": [0, 1, 2], "ids": ["a", "b", "c"]}
    index.add(query(1), **more)
    expected.append(index.search(query(0), 5).distances)
    index = make_index(coordinates)
    done = threading.Event()

    def work():
        found = []
        while not done.is_set():
            found.append(index.search(query(0), 5).distances)
        return found

    with ThreadPoolExecutor(4) as pool:
        workers = [pool.submit(work) for _ in range(4)]
        try:
            for _ in range(10):
                index.add(query(1), **more)
                index.remove(more["ids"])
        finally:
            done.set()
        for worker in workers:
            for found in worker.result():
                assert any(np.array_equal(found, right) for right in expected)


def forked(work):
    """Status of a forked child: 0 where `work` raised nothing, negative where a signal ended it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def forked_by_multiprocessing(work):
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    process.join()
    return process.exitcode


# From Python 3.12 on, a fork beside threads is warned of, whosever they are.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("fork", [forked, forked_by_multiprocessing])
def test_a_forked_child_searches_after_its_parent(coordinates, fork):
    index = make_index(coordinates)
    expected = [call() for call in calls(index)]
    # Enough for more than one thread.
    large = navvy.Index.from_histograms(random_histograms(2000, 30), coordinates)
    graph = large.knn_matches(3, "act-1", threads=4).distances

    def work():
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(ALARM)
        for call, right in zip(calls(index), expected, strict=True):
            np.testing.assert_array_equal(call(), right)
        np.testing.assert_array_equal(large.knn_matches(3, "act-1", threads=4).distances, graph)

    assert fork(work) == 0
    assert fork(lambda: forked(work) and os._exit(3)) == 0  # and a child of the child
    np.testing.assert_array_equal(large.knn_matches(3, "act-1", threads=4).distances, graph)
