"""Errors as Python's users expect them: types, numbers, files, and no option of the command."""

import errno
import os
import re
import subprocess
import sys

import navvy
import numpy as np
import pytest


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(histograms, coordinates)


def expect(kind, number, file, call):
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert (caught.value.errno, caught.value.filename) == (number, str(file))
    assert os.strerror(number) in str(caught.value) or kind is IsADirectoryError
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(index, tmp_path):
    missing = tmp_path / "no\x1b\u202ething.navvy"
    for call in (
        lambda: navvy.Index.open(missing),
        lambda: navvy.Writer(missing),
        lambda: navvy.file_facts(missing),
        lambda: navvy.load_vectors(missing),
        lambda: navvy.Index.from_texts(["a"], missing),
    ):
        expect(FileNotFoundError, errno.ENOENT, missing, call)
    folder = tmp_path / "none" / "a.navvy"
    expect(FileNotFoundError, errno.ENOENT, folder, lambda: index.save(folder))
    with pytest.raises(FileNotFoundError, match="cannot open: No such file") as caught:
        navvy.Index.open(missing)
    assert "\x1b" not in str(caught.value) and "\u202e" not in str(caught.value)


def test_folders_in_the_place_of_files(index, tmp_path):
    expect(IsADirectoryError, errno.EISDIR, tmp_path, lambda: navvy.Index.open(tmp_path))
    expect(IsADirectoryError, errno.EISDIR, tmp_path, lambda: index.save(tmp_path))


def test_files_without_permission(index, tmp_path):
    file = tmp_path / "locked.navvy"
    index.save(file)
    file.chmod(0)
    tmp_path.chmod(0o555)
    code = f"""
import navvy, os, sys
if os.geteuid() == 0:  # nothing is forbidden to root
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
for call in (lambda: navvy.Index.open({str(file)!r}),):
    try:
        call()
    except PermissionError as error:
        print(error.errno, error.filename)
"""
    for folder in [tmp_path, *list(tmp_path.parents)[:3]]:  # of pytest, closed to others
        folder.chmod(folder.stat().st_mode | 0o055)
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    finally:
        tmp_path.chmod(0o755)
    assert done.stdout == f"{errno.EACCES} {file}\n", done.stderr


def test_too_small_a_budget_is_a_memory_error(index):
    with pytest.raises(MemoryError, match="of the memory budget of 1 KB"):
        index.knn(3, memory=1000)


def calls(index, tmp_path):
    """Calls that are refused, as many as there are options of the command to speak of."""
    X = index.histograms
    text = navvy.Index.from_texts(["A king", "An apple"], Words)
    other = navvy.Index.from_texts(["A king", "An apple"], Words, weighting="tf")
    other.save(tmp_path / "other.navvy")
    (tmp_path / "no.navvy").write_text("no index")
    (tmp_path / "no.vec").write_text("2 3\na 1 2\n")
    yield lambda: index.search(X[:1], measure="emd-hat")
    yield lambda: index.search(X[:1], measure="emd", direction="query")
    yield lambda: index.search(X[:1], measure="emd", direction="mix:0.5")
    yield lambda: index.search(X[:1], measure="nothing")
    yield lambda: index.search(X[:1], measure="rwmd", threshold=1)
    yield lambda: index.search(X[:1], direction="up")
    yield lambda: index.search(X[:1], mix_bow=2)
    yield lambda: index.search(X[:1], measure="emd", mix_bow=0.5)
    yield lambda: index.search(X[:1], within=-1)
    yield lambda: index.search(X[:1], where="year > 3")
    yield lambda: index.search(X[:1], where="label =")
    yield lambda: index.search(X[:1], ids="x")
    yield lambda: index.search(X[:1], memory=10)
    yield lambda: index.search(X[:1], device="gpu")
    yield lambda: index.search(X[:1], device="cuda:99")
    yield lambda: index.search(X[:1], device="what")
    yield lambda: index.search(X[:1], measure="sinkhorn", sinkhorn=navvy.Sinkhorn(lam=-1))
    yield lambda: index.knn(3, memory=1000)
    yield lambda: index.distances(rows=range(0, 50))
    yield lambda: index.evaluate()
    yield lambda: index.explain(0, 99)
    yield lambda: index.remove("x")
    yield lambda: index.add(np.ones((1, 99)))
    yield lambda: navvy.Index.from_histograms(X, np.zeros((30, 3)) * np.nan)
    yield lambda: navvy.Index.from_histograms(X, np.zeros((29, 3)))
    yield lambda: navvy.Index.from_histograms(X, np.zeros((30, 3)), ids=["a"] * 40)
    yield lambda: navvy.Index.from_histograms(X, np.zeros((30, 3)), labels=["a"])
    yield lambda: navvy.Index.open(tmp_path / "no.navvy")
    yield lambda: navvy.Index.open("/dev/null")
    yield lambda: navvy.load_vectors(tmp_path / "no.vec")
    yield lambda: navvy.Index.from_texts(["a"], Words, weighting="x")
    yield lambda: navvy.Index.from_texts(["a"], Words, condition=50)
    yield lambda: navvy.Index.from_texts(["a"], Words, query_words="x")
    yield lambda: navvy.Index.from_texts(["a"], Words, token_pattern="(")
    yield lambda: navvy.Index.from_texts(["a"], Words, stop_words="/no/file")
    yield lambda: text.search("turnip")
    yield lambda: text.add_query_words(tmp_path / "no.vec")
    yield lambda: navvy.Writer(tmp_path / "other.navvy").add(["king"], ids=["0"])
    yield lambda: navvy.emd([1, 2], [1], [[1, 2]])
    yield lambda: navvy.emd([0, 0], [1], [[1], [2]])
    yield lambda: navvy.test_device("cuda:99")


def test_no_message_speaks_of_options_of_the_command(index, tmp_path):
    refused = 0
    for number, call in enumerate(calls(index, tmp_path)):
        try:
            call()
        except (ValueError, TypeError, OSError, MemoryError) as error:
            refused += 1
            assert not re.search(r"--\w", str(error)), str(error)
            assert "\n" not in str(error), str(error)
            continue
        pytest.fail(f"call {number} was not refused")
    assert refused >= 40
