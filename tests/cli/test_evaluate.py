"""evaluate: who asks, test sets, intervals, labels, and what is shown while it works."""

import json
import os
import pty
import signal
import subprocess

import numpy as np
import pytest
import scipy.sparse
import scipy.stats

MASK = 2**64 - 1


def sample(size: int, count: int, seed: int) -> list[int]:
    """The first steps of a shuffle by SplitMix64, as the command draws."""
    numbers = list(range(size))
    state = seed
    for i in range(min(count, size) if count < size else 0):
        left = size - i
        while True:
            state = (state + 0x9E3779B97F4A7C15) & MASK
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            z ^= z >> 31
            if z >= 2**64 % left:
                break
        other = i + z % left
        numbers[i], numbers[other] = numbers[other], numbers[i]
    return sorted(numbers[:count])


def standard_errors(values: np.ndarray) -> float:
    return scipy.stats.t.ppf(0.975, len(values) - 1)


def interval(values: np.ndarray) -> list[float]:
    half = standard_errors(values) * values.std(ddof=1) / np.sqrt(len(values))
    return [max(0, values.mean() - half), min(1, values.mean() + half)]


@pytest.fixture
def same(call, data, tmp_path):
    """Of every row, whether its nearest rows have its label, nearest first."""
    call("distances", data.index, "-o", "d.npy")
    matrix = np.load(tmp_path / "d.npy")
    np.fill_diagonal(matrix, np.inf)
    order = np.argsort(matrix, axis=1, kind="stable")
    labels = np.array(data.labels)
    return labels[order] == labels[:, None]


def test_queries_are_sampled_by_a_seed(call, data, same):
    asked = ["evaluate", data.index, "--measures", "act-1", "--top", "1,4", "--queries", 20]
    for options, seed in ([], 1), (["--seed", 7], 7):
        document = call.json(*asked, *options)
        rows = sample(60, 20, seed)
        assert (document["queries"], document["candidates"]) == (20, 60)
        assert (document["seed"], document["asked"]) == (seed, rows)
        assert document["measures"][0]["precision"]["4"] == pytest.approx(same[rows, :4].mean())
    for many in (60, 1000):
        document = call.json(*asked[:-1], many)
        assert document["queries"] == 60 and "seed" not in document
        assert document["measures"][0]["precision"]["4"] == pytest.approx(same[:, :4].mean())
    shown = call(*asked, "--seed", 7).stdout.splitlines()
    assert shown[-1].startswith("20 of 60 rows asked, chosen by chance (--seed 7)")


def test_intervals_and_labels(call, data, same):
    document = call.json("evaluate", data.index, "--measures", "act-1", "--top", "1,4")
    (act,) = document["measures"]
    for top in (1, 4):
        each = same[:, :top].mean(axis=1)
        assert act["intervals"][str(top)] == pytest.approx(interval(each), rel=1e-5)
    assert [label["label"] for label in act["classes"]] == ["group 0", "group 1", "group 2"]
    for i, label in enumerate(act["classes"]):
        each = same[i::3, :4].mean(axis=1)
        assert label["queries"] == 20
        assert label["precision"]["4"] == pytest.approx(each.mean())
        assert label["intervals"]["4"] == pytest.approx(interval(each), rel=1e-5)
    shown = call(
        *("evaluate", data.index, "--measures", "rwmd,act-1", "--top", "1,4", "--per-class")
    ).stdout
    each = same[1::3, :4].mean(axis=1)
    margin = f"{standard_errors(each) * each.std(ddof=1) / np.sqrt(20):.3f}".removeprefix("0")
    (line,) = [x for x in shown.split("@4 of label")[1].splitlines() if x.startswith("group 1")]
    assert line.endswith(f"{each.mean():.4f} +-{margin}")


@pytest.fixture
def apart(call, tmp_path):
    """Two groups of rows on a line that rwmd tells apart and bow cannot: no bins in common."""
    rows = scipy.sparse.csr_matrix(np.eye(40))
    points = np.concatenate([np.arange(20), 100 + np.arange(20)]).reshape(-1, 1)
    scipy.sparse.save_npz(tmp_path / "apart.npz", rows)
    np.save(tmp_path / "line.npy", points.astype(np.float32))
    (tmp_path / "groups.txt").write_text("low\n" * 20 + "high\n" * 20)
    files = ["--histograms", "apart.npz", "--coordinates", "line.npy", "--labels", "groups.txt"]
    call("build", *files, "-o", "apart.navvy")
    return "apart.navvy"


def test_no_winner_within_noise(call, apart, tmp_path):
    asked = ["evaluate", apart, "--top", "1", "--measures"]
    document = call.json(*asked, "bow,act-1")
    assert document["not_clearly_worse"] == {"1": ["act-1"]}
    assert "@1: the most precise is act-1\n" in call(*asked, "bow,act-1").stdout
    document = call.json(*asked, "bow,rwmd,act-1", "--report", "page.html")
    assert document["not_clearly_worse"] == {"1": ["rwmd", "act-1"]}
    assert "@1: no clear winner: rwmd, act-1\n" in call(*asked, "bow,rwmd,act-1").stdout
    page = (tmp_path / "page.html").read_text()
    assert "No clear winner at top 1: rwmd (100.0\u00a0%), act-1 (100.0\u00a0%)" in page
    assert page.count('<td class="best">1.0000') == 2 and page.count('<td class="">0.') == 1


def test_no_winner_by_two_queries(call, tmp_path):
    points = np.array([0, 100, 0.1, 100.1, 0.2, 100.2], dtype=np.float32).reshape(-1, 1)
    np.save(tmp_path / "six.npy", points)
    scipy.sparse.save_npz(tmp_path / "six.npz", scipy.sparse.csr_matrix(np.eye(6)))
    (tmp_path / "six.txt").write_text("a\nb\n" * 3)
    files = ["--histograms", "six.npz", "--coordinates", "six.npy", "--labels", "six.txt"]
    call("build", *files, "-o", "six.navvy")
    shown = call(*"evaluate six.navvy --measures bow,rwmd --top 2 --queries 2".split()).stdout
    assert "@2: no clear winner: rwmd, bow\n" in shown
    assert "+-.000" not in shown


def test_set_of_histograms(call, apart, tmp_path):
    """Queries near the ends of the line, at coordinates that the index does not have."""
    # Those of the index come first: a coordinate is known by its place.
    new = np.array([[-1], [130], [131], [40], [132], [7]], dtype=np.float32)
    np.save(tmp_path / "points.npy", np.concatenate([np.load(tmp_path / "line.npy"), new]))
    weights = np.eye(46)[40:]
    weights[4] = 0
    scipy.sparse.save_npz(tmp_path / "test.npz", scipy.sparse.csr_matrix(weights))
    (tmp_path / "test.txt").write_text("low\nhigh\nlow\nother\nhigh\n\n")
    files = ["--test", "test.npz", "--coordinates", "points.npy", "--test-labels", "test.txt"]
    asked = ["evaluate", apart, "--measures", "act-1", "--top", "1,10", *files]
    document = call.json(*asked, "--per-class")
    assert (document["queries"], document["candidates"]) == (4, 4)
    assert (document["unlabelled"], document["empty"]) == (1, 1)
    assert document["unknown_labels"] == {"queries": 1, "labels": ["other"]}
    assert document["test"] == "test.npz"
    (act,) = document["measures"]
    assert act["precision"] == {"1": 0.5, "10": 0.5}
    found = {label["label"]: label["precision"]["10"] for label in act["classes"]}
    assert found == {"low": 0.5, "high": 1, "other": 0}
    assert act["distances"] == 4 * 40
    shown = call(*asked).stdout
    assert "1 of them have labels that no row has, so nothing is right for them: other" in shown
    assert "1 without a label did not; 1 without weight could not" in shown
    sampled = call.json(*asked, "--queries", 2)
    assert sampled["asked"] == [[0, 1, 2, 3][i] for i in sample(4, 2, 1)]
    assert "query has 40 rows" in call.fails(2, *asked[:4], "--top", "41", *files)


def test_set_of_rows_is_search(call, data, tmp_path):
    """The rows as a test set: each finds itself first, then what search finds."""
    files = [data.folder / name for name in ("x.npz", "v.npy", "labels.txt")]
    named = ["--test", files[0], "--coordinates", files[1], "--test-labels", files[2]]
    asked = ["evaluate", data.index, "--measures", "act-1", "--top", "1,5", *named]
    (act,) = call.json(*asked)["measures"]
    assert act["precision"]["1"] == 1 and act["intervals"]["1"] == [0.95, 1]
    queries = ["--query-file", files[0], "--coordinates", files[1]]
    found = call.json("search", data.index, *queries, "--measure", "act-1", "--top", 5)["queries"]
    right = [
        match["label"] == label
        for label, query in zip(data.labels, found, strict=True)
        for match in query["matches"]
    ]
    assert act["precision"]["5"] == pytest.approx(np.mean(right))
    (other,) = call.json(*asked, "--where", "row < 30")["measures"]
    assert other["distances"] == 60 * 30


def test_set_of_images(call, images, tmp_path):
    call("build", "--images", images / "images.idx", "--labels", images / "labels.idx",
         "-o", "i.navvy")  # fmt: skip
    named = ["--test", images / "images.idx", "--test-labels", images / "labels.idx"]
    document = call.json("evaluate", "i.navvy", "--measures", "act-1", "--top", "1", *named)
    assert document["measures"][0]["precision"]["1"] == 1
    bare = ["evaluate", "i.navvy", "--top", "1", "--test", images / "more.idx"]
    assert "no labels" in call.fails(3, *bare)
    assert "--test" in call.fails(2, "evaluate", "i.navvy", "--test-labels", "x")


def test_set_of_texts(call, texts, tmp_path):
    (tmp_path / "test.tsv").write_text(
        "label\ttext\nmusic\ta sonata for piano\nunheard\ta violin concerto\nmusic\txyzzy\n"
    )
    asked = ["evaluate", texts, "--measures", "act-1", "--top", "1,4", "--test", "test.tsv"]
    document = call.json(*asked, "--report", "page.html")
    assert (document["queries"], document["empty"]) == (2, 1)
    assert document["unknown_labels"]["labels"] == ["unheard"]
    labels = [label["label"] for label in document["measures"][0]["classes"]]
    assert labels == ["music", "unheard"]
    assert "a sonata for piano" in (tmp_path / "page.html").read_text()
    told = "navvy: words of the test set without a vector are left out: concerto, xyzzy\n"
    assert told in call(*asked).stderr


def test_rows_without_a_label_do_not_ask(call, tmp_path):
    scipy.sparse.save_npz(tmp_path / "x.npz", scipy.sparse.csr_matrix(np.eye(5)))
    np.save(tmp_path / "v.npy", np.arange(5, dtype=np.float32).reshape(-1, 1))
    (tmp_path / "l.txt").write_text("a\na\n\n\nb\n")
    files = ["--histograms", "x.npz", "--coordinates", "v.npy", "--labels", "l.txt"]
    call("build", *files, "-o", "x.navvy")
    document = call.json("evaluate", "x.navvy", "--measures", "rwmd", "--top", "1")
    assert (document["queries"], document["unlabelled"]) == (3, 2)
    # Of rows 0, 1 and 4 the last is nearest to one without a label.
    assert document["measures"][0]["precision"]["1"] == pytest.approx(2 / 3)
    call.fails(2, "evaluate", "x.navvy", "--top", "1", "--where", "label is missing")


def test_wall_and_cpu_time(call, data):
    asked = ["evaluate", data.index, "--measures", "act-1", "--top", "1"]
    (act,) = call.json(*asked)["measures"]
    assert act["seconds"] > 0 and act["cpu_seconds"] > 0
    assert call(*asked).stdout.splitlines()[0].split() == [
        *("measure", "@1", "seconds", "cpu", "s", "distances/s")
    ]


def test_measures_are_shown_as_they_come(navvy, call, root):
    """The first is shown while the second, which takes much longer, is under way."""
    digits = root / "data" / "demo"
    files = ["--images", digits / "digits-images.idx3", "--labels", digits / "digits-labels.idx1"]
    call("build", *files, "-o", "digits.navvy")
    asked = ["evaluate", "digits.navvy", "--top", "1", "--measures", "rwmd,sinkhorn"]
    work = subprocess.Popen(
        [navvy, *asked], cwd=call.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert work.stdout.readline().startswith("measure")
    assert work.stdout.readline().startswith("rwmd")
    assert work.poll() is None
    work.send_signal(signal.SIGINT)
    out, _ = work.communicate()
    assert work.returncode == 130 and out == ""


def test_one_bar_for_all_measures(navvy, call, root):
    """On a terminal the bar names the measure, its place among all, and never goes back."""
    digits = root / "data" / "demo"
    files = ["--images", digits / "digits-images.idx3", "--labels", digits / "digits-labels.idx1"]
    call("build", *files, "-o", "digits.navvy")
    asked = ["evaluate", "digits.navvy", "--top", "1", "--measures", "rwmd,emd", "--json"]
    main, other = pty.openpty()
    work = subprocess.Popen(
        [navvy, *asked, "--queries", "400"],
        cwd=call.folder,
        stdout=subprocess.PIPE,
        stderr=other,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(other)
    seen = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(main)
    out, _ = work.communicate()
    assert work.returncode == 0 and len(json.loads(out)["measures"]) == 2
    bars = [bar for bar in seen.decode().split("\r\x1b[K") if "%" in bar]
    assert all(bar.startswith(("rwmd (1 of 2) ", "emd (2 of 2) ")) for bar in bars)
    shares = [int(bar.split("%")[0].split()[-1]) for bar in bars]
    assert shares == sorted(shares)
