"""--memory is held: verbs on index files may refuse with 5, searches cut their work smaller."""

import json
import os
import subprocess

import numpy as np
import pytest
import scipy.sparse

ROWS = 20_000
HISTOGRAMS = ["--histograms", "x.npz", "--coordinates", "v.npy", "--labels", "labels.txt"]
TEXTS = ["--corpus", "texts.jsonl", "--vectors", "vectors.bin"]
MORE_TEXTS = ["--corpus", "more.jsonl", "--vectors", "vectors.bin"]

WORK = [
    ["build", *HISTOGRAMS, "-o", "out.navvy"],
    ["build", *TEXTS, "-o", "out.navvy"],
    ["add", "texts.navvy", *MORE_TEXTS, "-o", "out.navvy"],
    ["add", "histograms.navvy", *HISTOGRAMS, "-o", "out.navvy"],
    ["merge", "histograms.navvy", "histograms.navvy", "-o", "out.navvy"],
    ["remove", "texts.navvy", "--ids", "text-7", "-o", "out.navvy"],
    ["verify", "texts.navvy"],
    ["export", "texts.navvy", "-o", "out.npz"],
    ["export", "texts.navvy", "-o", "out.jsonl"],
    ["info", "histograms.navvy"],
    ["compare", "histograms.navvy", "0", "1"],
]


@pytest.fixture(scope="module")
def folder(navvy, root, tmp_path_factory):
    """Sources of some megabytes and indexes made of them."""
    folder = tmp_path_factory.mktemp("memory")
    random = np.random.default_rng(5)
    matrix = scipy.sparse.random(ROWS, 300, 0.1, "csr", dtype=np.float32, rng=random)
    scipy.sparse.save_npz(folder / "x.npz", matrix)
    np.save(folder / "v.npy", random.random((300, 3)))
    (folder / "labels.txt").write_text("".join(f"label {i % 7}\n" for i in range(ROWS)))
    demo = root / "data" / "demo"
    (folder / "vectors.bin").write_bytes((demo / "vectors.bin").read_bytes())
    texts = [line.split("\t")[2] for line in (demo / "texts.tsv").read_text().splitlines()]
    for name, file in (("text", "texts.jsonl"), ("more", "more.jsonl")):
        pairs = (f"{texts[i % len(texts)]} {texts[7 * i % len(texts)]}" for i in range(ROWS))
        lines = (json.dumps({"id": f"{name}-{i}", "text": text}) for i, text in enumerate(pairs))
        (folder / file).write_text("\n".join(lines))
    for name, source in (("histograms", HISTOGRAMS), ("texts", TEXTS)):
        command = [navvy, "build", *source, "-o", f"{name}.navvy"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def run(navvy, folder, arguments, budget):
    """Exit code, message, and the most memory that was in use."""
    with open(folder / "stderr", "w+") as errors:
        process = subprocess.Popen(
            [navvy, *arguments, "--memory", str(budget)],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read(), usage.ru_maxrss << 10


@pytest.mark.parametrize("arguments", WORK, ids=lambda arguments: " ".join(arguments[:2]))
def test_the_budget_is_held(navvy, folder, arguments):
    program = run(navvy, folder, ["info"], 1 << 30)[2]
    indexes = [folder / word for word in arguments if word.endswith("s.navvy")]
    mapped = sum(index.stat().st_size for index in indexes)
    codes = set()
    for budget in (1 << 10, 1 << 20, 4 << 20, 12 << 20, 40 << 20, 120 << 20, 400 << 20):
        code, message, most = run(navvy, folder, arguments, budget)
        codes.add(code)
        assert most <= program + mapped + budget
        if code != 0:
            assert code == 5, message
            assert message.startswith("navvy: ") and "the memory budget of " in message
            assert message.count("\n") == 1 and not (folder / "out.navvy").exists()
        else:
            (folder / "out.navvy").unlink(missing_ok=True)
    assert code == 0, "400 MB are enough"
    assert codes == ({0, 5} if "out.navvy" in arguments else codes)


SEARCHES = [
    ["search", "wide.navvy", "--row", "0:3", "--json"],
    ["knn", "wide.navvy", "-o", "out.npz"],
    ["distances", "wide.navvy", "--queries", "0:50", "-o", "out.npy"],
    ["evaluate", "wide.navvy", "--top", "1,16", "--json"],
]


@pytest.fixture(scope="module")
def wide(navvy, tmp_path_factory):
    """An index of rows of many bins over 3,559 coordinates, all distances of which take 50 MB."""
    folder = tmp_path_factory.mktemp("wide")
    random = np.random.default_rng(6)
    matrix = scipy.sparse.random(300, 3559, 0.08, "csr", dtype=np.float32, rng=random)
    scipy.sparse.save_npz(folder / "x.npz", matrix)
    np.save(folder / "v.npy", random.random((3559, 3)))
    (folder / "labels.txt").write_text("".join(f"label {i % 7}\n" for i in range(300)))
    command = [navvy, "build", *HISTOGRAMS, "-o", "wide.navvy"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("measure", ["bow", "wcd", "act-1"])
@pytest.mark.parametrize("arguments", SEARCHES, ids=lambda arguments: arguments[0])
def test_a_search_cuts_its_work_to_the_budget(navvy, wide, arguments, measure):
    """16 MB are less than the tiles of two threads take; the answer has the same bytes."""
    program = run(navvy, wide, ["info"], 1 << 30)[2]
    mapped = (wide / "wide.navvy").stat().st_size
    option = "--measures" if arguments[0] == "evaluate" else "--measure"
    command = [*arguments, option, measure, "--threads", "2"]
    files = []
    for budget in (16 << 20, 1 << 30):
        code, message, most = run(navvy, wide, command, budget)
        assert code == 0, message
        assert most <= program + mapped + budget
        if "-o" in arguments:
            files.append((wide / arguments[-1]).read_bytes())
    assert files[:1] == files[1:]
