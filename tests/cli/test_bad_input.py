"""Wrong use and broken files: the documented exit code and one line that says what is wrong."""

import gzip

import numpy as np
import pytest
import scipy.sparse

X, V = ("--histograms", "x.npz"), ("--coordinates", "v.npy")
BUILD = ("build", "-o", "out.navvy")

# code, a part of the message, arguments; files are those of the fixture below
CASES = [
    (2, "unknown command 'serch'; did you mean 'search'?", ["serch"]),
    (2, "did you mean '--measure'?", ["search", "x.navvy", "--mesure", "act-1"]),
    (2, "--output is required", ["build", *X, *V]),
    (2, "give one of --images", BUILD),
    (2, "belong together", [*BUILD, *X]),
    (2, "give one of --images", [*BUILD, *X, *V, "--images", "x.idx"]),
    (2, "--corpus needs --vectors", [*BUILD, "--corpus", "labels.txt"]),
    (2, "the folder no does not exist", ["build", *X, *V, "-o", "no/out.navvy"]),
    (2, "not a regular file", ["build", *X, *V, "-o", "."]),
    (2, "unknown measure 'abc'", ["search", "x.navvy", "--row", "0", "--measure", "abc"]),
    (2, "unknown measure", ["evaluate", "x.navvy", "--measures", "bow,,rwmd"]),
    (2, "direction", ["search", "x.navvy", "--row", "0", "--direction", "up"]),
    (2, "row 60 does not exist", ["compare", "x.navvy", "0", "60"]),
    (2, "row 'nobody'", ["compare", "x.navvy", "0", "nobody"]),
    (2, "row 60 does not exist", ["search", "x.navvy", "--row", "60"]),
    (2, "range '7:3'", ["distances", "x.navvy", "--rows", "7:3", "-o", "d.npy"]),
    (2, "range '0:61'", ["distances", "x.navvy", "--rows", "0:61", "-o", "d.npy"]),
    (2, "range 'a:b'", ["distances", "x.navvy", "--queries", "a:b", "-o", "d.npy"]),
    (2, "not a .npy file", ["distances", "x.navvy", "-o", "labels.txt"]),
    (2, "not an .npz file", ["knn", "x.navvy", "-o", "labels.txt"]),
    (2, "--save-every requires --resume", ["knn", "x.navvy", "--save-every", "1", "-o", "g.npz"]),
    (2, "not in range", ["knn", "x.navvy", "--resume", "--save-every", "-1", "-o", "g.npz"]),
    (2, "--top", ["search", "x.navvy", "--row", "0", "--top", "0"]),
    (2, "-1 is negative; expected 0", ["evaluate", "x.navvy", "--queries", "-1"]),
    (2, "-2 is negative", ["search", "x.navvy", "--row", "0", "--max-solves=-2"]),
    (2, "list '1,x'", ["evaluate", "x.navvy", "--top", "1,x"]),
    (2, "60", ["evaluate", "x.navvy", "--top", "60"]),
    (2, "label", ["evaluate", "bare.navvy", "--top", "1"]),
    (2, "size '5Q'", ["info", "--memory", "5Q"]),
    (2, "size '-1'", ["info", "--memory=-1"]),
    (2, "--threads", ["info", "--threads", "0"]),
    (2, "--threads", ["info", "--threads", "many"]),
    (2, "no row has the label 'x'", ["search", "x.navvy", "--row", "0", "--filter", "label=x"]),
    (2, "expected label=NAME", ["search", "x.navvy", "--row", "0", "--filter", "x"]),
    (2, "index of texts", ["search", "x.navvy", "--text", "hello"]),
    (2, "one of --row", ["search", "x.navvy", "--text", "hello", "--row", "1"]),
    (2, "shell 'tcsh'", ["completion", "tcsh"]),
    (2, "two indexes", ["merge", "x.navvy", "-o", "out.navvy"]),
    (2, "give --ids", ["remove", "x.navvy"]),
    (1, "none.navvy", ["info", "none.navvy"]),
    (1, "none.npz", [*BUILD, "--histograms", "none.npz", *V]),
    (3, "expected a PNG or JPEG picture, or IDX images", [*BUILD, "--images", "labels.txt"]),
    (3, "byte 0: found nothing, expected a PNG or JPEG", [*BUILD, "--images", "empty"]),
    (3, "short.idx", [*BUILD, "--images", "short.idx"]),
    (3, "short.idx.gz", [*BUILD, "--images", "short.idx.gz"]),
    (3, "labels.txt", [*BUILD, "--histograms", "labels.txt", *V]),
    (3, "object.npy", [*BUILD, *X, "--coordinates", "object.npy"]),
    (3, "nan.npy", [*BUILD, "--histograms", "nan.npy", *V]),
    (3, "negative.npy", [*BUILD, "--histograms", "negative.npy", *V]),
    (3, "3", [*BUILD, *X, "--coordinates", "few.npy"]),
    (3, "60", [*BUILD, *X, *V, "--labels", "one.txt"]),
    (3, "twice", [*BUILD, *X, *V, "--ids", "same.txt"]),
    (3, "x.npz", [*BUILD, "--corpus", "labels.txt", "--vectors", "x.npz"]),
    (3, "empty", [*BUILD, *X, "--coordinates", "empty"]),
    (3, "blank.idx: all 2 images are blank", [*BUILD, "--images", "blank.idx"]),
    (3, "zero.npy: all 2 histograms have no weight", [*BUILD, "--histograms", "zero.npy", *V]),
    (3, "wide.txt: is UTF-16", [*BUILD, *X, *V, "--labels", "wide.txt"]),
    (4, "short.navvy", ["info", "short.navvy"]),
    (4, "empty", ["info", "empty"]),
    (4, "labels.txt", ["verify", "labels.txt"]),
]


@pytest.fixture(scope="module")
def folder(navvy, data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    for name in ("x.npz", "v.npy", "labels.txt", "x.navvy"):
        (folder / name).write_bytes((data.folder / name).read_bytes())
    image = b"\0\0\x08\x03" + (5).to_bytes(4) + (2).to_bytes(4) + (2).to_bytes(4) + bytes(7)
    (folder / "short.idx").write_bytes(image)
    packed = gzip.compress(image)
    (folder / "short.idx.gz").write_bytes(packed[: len(packed) - 6])
    np.save(folder / "object.npy", np.array([{}, 1], dtype=object), allow_pickle=True)
    np.save(folder / "nan.npy", np.full((2, 40), np.nan))
    np.save(folder / "negative.npy", np.full((2, 40), -1.0))
    np.save(folder / "zero.npy", np.zeros((2, 40)))
    (folder / "blank.idx").write_bytes(image[:7] + b"\2" + image[8:16] + bytes(8))
    (folder / "wide.txt").write_bytes("a label\n".encode("utf-16-le") * 60)
    np.save(folder / "few.npy", np.ones((3, 2)))
    np.save(folder / "two.npy", np.eye(40)[:2])
    (folder / "one.txt").write_text("one\n")
    (folder / "same.txt").write_text("twice\n" * 60)
    (folder / "empty").write_bytes(b"")
    (folder / "short.navvy").write_bytes(data.index.read_bytes()[:-100])
    return folder


@pytest.fixture
def call(call, folder):
    call.folder = folder
    call("build", "--histograms", "two.npy", *V, "-o", "bare.navvy")
    return call


@pytest.mark.parametrize(("code", "part", "arguments"), CASES, ids=lambda value: str(value)[:60])
def test_one_line_and_the_code(call, folder, code, part, arguments):
    assert part in call.fails(code, *arguments)
    assert not (folder / "out.navvy").exists()


def test_a_directory_is_no_file(call, tmp_path):
    line = call.fails(1, "info", tmp_path)
    assert "directory" in line


def test_what_does_not_fit_the_budget_is_refused(call):
    assert "memory" in call.fails(5, "distances", "x.navvy", "-o", "d.npy", "--memory", "1K")


def test_a_forged_count_takes_no_memory(call, folder):
    head = b"\0\0\x08\x03" + (2**32 - 1).to_bytes(4) * 3
    (folder / "huge.idx").write_bytes(head)
    assert "huge.idx" in call.fails(3, *BUILD, "--images", "huge.idx")


def test_duplicate_and_unsorted_entries_are_tolerated(call, folder):
    matrix = scipy.sparse.coo_matrix(([1, 1, 2.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 40))
    scipy.sparse.save_npz(folder / "coo.npz", matrix)
    assert call.json("build", "--histograms", "coo.npz", *V, "-o", "coo.navvy")["h"] == 1
    (folder / "coo.navvy").unlink()


@pytest.mark.parametrize("scale", [1e19, 1e-22])
def test_coordinates_whose_squares_are_no_floats_are_refused(call, tmp_path, scale):
    points = np.random.default_rng(1).normal(size=(4, 3)) * scale
    np.save(tmp_path / "v.npy", points.astype(np.float32))
    scipy.sparse.save_npz(tmp_path / "x.npz", scipy.sparse.csr_matrix(np.eye(4)))
    source = ("--histograms", tmp_path / "x.npz", "--coordinates", tmp_path / "v.npy")
    line = call.fails(3, "build", *source, "-o", tmp_path / "y.navvy")
    assert "expected " in line and "so that floats hold the squares of distances" in line
    assert not (tmp_path / "y.navvy").exists()
