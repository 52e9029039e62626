"""Files that the system keeps from the command: no permission, no room, no file."""

import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

NOBODY = 65534


@pytest.fixture
def folder(navvy, data, images, texts, root):
    """Sources and indexes that everybody can reach, and the command itself."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copy(navvy, folder / "navvy")
        for file in ("x.npz", "v.npy", "labels.txt", "x.navvy"):
            shutil.copy(data.folder / file, folder)
        shutil.copy(images / "images.idx", folder)
        shutil.copy(root / "data" / "demo" / "vectors.bin", folder)
        shutil.copy(texts, folder / "texts.navvy")
        (folder / "corpus" / "label").mkdir(parents=True)
        (folder / "corpus" / "label" / "text").write_text("the cup of tea")
        yield folder


def fails_as_nobody(folder, *arguments) -> str:
    """The message of the command, run by somebody without rights, also where tests run as root."""
    identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(
        [folder / "navvy", *arguments], cwd=folder, capture_output=True, text=True, **identity
    )
    assert done.returncode == 1, done
    assert done.stdout == "" and done.stderr.startswith("navvy: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


BUILD = ("build", "-o", "out/x.navvy")
HISTOGRAMS = ("--histograms", "x.npz", "--coordinates", "v.npy")
CORPUS = ("--corpus", "corpus", "--vectors", "vectors.bin")


@pytest.mark.parametrize(
    ("locked", "arguments"),
    [
        ("images.idx", [*BUILD, "--images", "images.idx"]),
        ("labels.txt", [*BUILD, *HISTOGRAMS, "--labels", "labels.txt"]),
        ("x.npz", [*BUILD, *HISTOGRAMS]),
        ("v.npy", [*BUILD, *HISTOGRAMS]),
        ("corpus/label/text", [*BUILD, *CORPUS]),
        ("corpus/label", [*BUILD, *CORPUS]),
        ("corpus", [*BUILD, *CORPUS]),
        ("vectors.bin", [*BUILD, *CORPUS]),
        ("x.navvy", ["info", "x.navvy"]),
        ("x.navvy", ["verify", "x.navvy"]),
        ("x.navvy", ["search", "x.navvy", "--row", "0"]),
        ("labels.txt", ["search", "texts.navvy", "--queries", "labels.txt"]),
    ],
    ids=str,
)
def test_what_may_not_be_read_is_named(folder, locked, arguments):
    (folder / "out").mkdir()
    (folder / "out").chmod(0o777)
    (folder / locked).chmod(0)
    try:
        message = fails_as_nobody(folder, *arguments)
    finally:
        (folder / locked).chmod(0o755)  # else the folder could not be removed
    assert f"{locked}: " in message and "Permission denied" in message
    assert not list((folder / "out").iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        [*BUILD, *HISTOGRAMS],
        ["distances", "x.navvy", "-o", "out/d.npy"],
        ["knn", "x.navvy", "-o", "out/g.npz"],
        ["remove", "x.navvy", "--ids", "row-1", "-o", "out/x.navvy"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_folder_that_may_not_be_written_to(folder, arguments):
    (folder / "out").mkdir()
    (folder / "out").chmod(0o555)
    message = fails_as_nobody(folder, *arguments)
    assert "out/" in message and "Permission denied" in message


WRITERS = [
    ["build", *HISTOGRAMS, "-o", "out/x.navvy"],
    ["remove", "out/x.navvy", "--ids", "row-1"],
    ["distances", "x.navvy", "-o", "out/d.npy"],
    ["knn", "x.navvy", "--top", "50", "-o", "out/g.npz"],
    ["compare", "x.navvy", "0", "1", "--report", "out/page.html"],
]


def expect_old_files(folder, before):
    assert {path.name: path.read_bytes() for path in (folder / "out").iterdir()} == before


@pytest.mark.parametrize("arguments", WRITERS, ids=lambda arguments: arguments[0])
def test_a_limit_on_the_size_of_files(folder, arguments):
    (folder / "out").mkdir()
    shutil.copy(folder / "x.navvy", folder / "out")
    before = {"x.navvy": (folder / "x.navvy").read_bytes()}
    done = subprocess.run(
        [folder / "navvy", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
    )
    assert done.returncode == 1
    assert "out/" in done.stderr and done.stderr.endswith(": File too large\n")
    assert done.stderr.count("\n") == 1
    expect_old_files(folder, before)


# A removal needs less than what is left of a page; compacting writes the file anew.
WHOLE_WRITERS = [
    ["compact", "out/x.navvy"] if arguments[0] == "remove" else arguments for arguments in WRITERS
]


@pytest.mark.parametrize("arguments", WHOLE_WRITERS, ids=lambda arguments: arguments[0])
def test_a_full_disk(folder, arguments):
    """A file system of one page beside what it held before."""
    (folder / "out").mkdir()
    script = """mount -t tmpfs -o size=$1 none out && cp x.navvy out && shift || exit 99
        ./navvy "$@"; code=$?; cmp x.navvy out/x.navvy && test "$(ls -A out)" = x.navvy || exit 98
        exit $code"""
    room = (folder / "x.navvy").stat().st_size // 4096 * 4096 + 2 * 4096
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script, "sh", str(room), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 1, done
    assert "out/" in done.stderr and done.stderr.endswith(": No space left on device\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "--images", "images.idx", "--labels", "corpus", "-o", "out.navvy"],
        ["build", "--histograms", "corpus", "--coordinates", "v.npy", "-o", "out.navvy"],
        ["build", "--histograms", "x.npz", "--coordinates", "corpus", "-o", "out.navvy"],
        ["build", "--corpus", "corpus", "--vectors", "corpus", "-o", "out.navvy"],
        ["info", "corpus"],
        ["search", "corpus", "--row", "0"],
        ["verify", "corpus"],
        ["remove", "x.navvy", "--ids-file", "corpus"],
        ["merge", "x.navvy", "corpus", "-o", "out.navvy"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_folder_is_no_file(folder, arguments):
    message = fails_as_nobody(folder, *arguments)
    assert "corpus: is a directory, expected a" in message
