"""compare, distances and evaluate: the numbers."""

import csv
import json

import numpy as np
import pytest
import scipy.optimize

CHAIN = ["rwmd", "omr", "act-1", "act-3", "act-7", "act-15", "ict", "emd"]


def distances_of(document: dict) -> dict[str, float]:
    return {entry["name"]: entry["distance"] for entry in document["measures"]}


def exact(a, b, points) -> float:
    """The Earth Mover's Distance as a linear program."""
    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    distance = np.linalg.norm(points[rows][:, None] - points[columns][None], axis=2)
    h, k = distance.shape
    sums = np.vstack([np.kron(np.eye(h), np.ones(k)), np.kron(np.ones(h), np.eye(k))])
    masses = np.concatenate([a[rows] / a.sum(), b[columns] / b.sum()])
    return scipy.optimize.linprog(distance.ravel(), A_eq=sums, b_eq=masses).fun


def test_precision_as_csv(call, data):
    question = ["evaluate", data.index, "--measures", "bow, ACT-1", "--top", "1, 3"]
    document = call.json(*question)
    lines = call(*question, "--print", "csv").stdout.splitlines()
    table = list(csv.DictReader(lines))
    assert [(line["measure"], line["top"]) for line in table] == [
        ("bow", "1"),
        ("bow", "3"),
        ("act-1", "1"),
        ("act-1", "3"),
    ]
    for line in table:
        (entry,) = [entry for entry in document["measures"] if entry["name"] == line["measure"]]
        assert float(line["precision"]) == entry["precision"][line["top"]]
        assert float(line["low"]) <= float(line["precision"]) <= float(line["high"])
        assert (line["label"], line["queries"]) == ("", "60") and float(line["seconds"]) >= 0
    lines = call(*question, "--print", "tsv", "--per-class").stdout.splitlines()
    table = list(csv.DictReader(lines, delimiter="\t"))
    assert [line["label"] for line in table] == ["", "group 0", "group 1", "group 2"] * 4
    assert {line["queries"] for line in table} == {"60", "20"}


def test_every_measure_in_order(call, data):
    document = call.json("compare", data.index, 3, "row-8")
    names = [entry["name"] for entry in document["measures"]]
    assert names == ["bow", "wcd", *CHAIN, "sinkhorn"]
    assert (document["a"], document["b"]) == (3, 8)
    value = distances_of(document)
    assert [value[name] for name in CHAIN] == sorted(value[name] for name in CHAIN)
    assert 0 < value["wcd"] <= value["emd"]
    assert value["emd"] == pytest.approx(exact(data.weights[3], data.weights[8], data.points), 1e-6)


def test_both_directions_and_the_gap(call, data):
    for entry in call.json("compare", data.index, 3, 8)["measures"]:
        if "a_to_b" in entry:
            assert entry["distance"] == max(entry["a_to_b"], entry["b_to_a"])
    swapped = call.json("compare", data.index, 8, 3, "--measures", "act-1,emd")["measures"][0]
    entry = call.json("compare", data.index, 3, 8, "--measures", "act-1,emd")["measures"][0]
    assert (entry["a_to_b"], entry["b_to_a"]) == (swapped["b_to_a"], swapped["a_to_b"])
    assert 0 < entry["gap_percent"] < 100


def test_a_row_is_at_distance_zero_from_itself(call, data):
    value = distances_of(call.json("compare", data.index, 4, 4))
    assert all(value[name] == 0 for name in CHAIN)


def test_the_flow_adds_up(call, data):
    document = call.json("compare", data.index, 3, 8, "--flow", "--moves", 10_000)
    moves = document["flow"]["moves"]
    assert sum(move["mass"] for move in moves) == pytest.approx(1)
    cost = sum(move["mass"] * move["distance"] for move in moves)
    assert cost == pytest.approx(distances_of(document)["emd"])
    assert sum(move["share"] for move in moves) == pytest.approx(1)


def test_the_flow_names_words(call, texts):
    shown = call("compare", texts, 91, 90, "--flow").stdout
    assert "salzburg" in shown and "vienna" in shown


@pytest.mark.parametrize("levels", [0, 1, 3])
def test_distances_are_those_of_the_reference(call, data, reference, tmp_path, levels):
    done = call(
        *("distances", data.index, "--rows", "10:40", "--queries", ":20"),
        *("--measure", f"act-{levels}", "-o", "d.npy"),
    )
    assert done.stdout == ""
    matrix = np.load(tmp_path / "d.npy")
    assert matrix.shape == (20, 30) and matrix.dtype == np.float32
    expected = [
        [reference(a, b, data.points, levels) for b in data.weights[10:40]]
        for a in data.weights[:20]
    ]
    np.testing.assert_allclose(matrix, expected, rtol=1e-6, atol=1e-9)


def test_one_direction_of_a_matrix(call, data, tmp_path):
    for name in ("forward", "backward", "symmetric"):
        call("distances", data.index, "--direction", name, "-o", f"{name}.npy")
    forward, backward, both = (
        np.load(tmp_path / f"{name}.npy") for name in ("forward", "backward", "symmetric")
    )
    np.testing.assert_array_equal(both, np.maximum(forward, backward))
    np.testing.assert_array_equal(forward, backward.T)


def test_a_mix_of_both_directions(call, data, tmp_path):
    for name in ("query", "rows", "mix:0.25"):
        call("distances", data.index, "--direction", name, "-o", f"{name[:3]}.npy")
    query, rows, mix = (np.load(tmp_path / f"{name}.npy") for name in ("que", "row", "mix"))
    mixed = 0.75 * query.astype(float) + 0.25 * rows.astype(float)
    np.testing.assert_array_equal(mix, mixed.astype(np.float32))
    nearest = call.json("search", data.index, "--row", 3, "--direction", "mix:0.25", "--top", 4)
    order = [row for row in np.argsort(mix[3], kind="stable") if row != 3]
    assert [match["row"] for match in nearest["queries"][0]["matches"]] == order[:4]
    assert nearest["direction"] == "mix:0.25"


def test_a_mix_is_a_share(call, data):
    for wrong in ("mix:2", "mix:-1", "mix:", "mix:nan", "mix"):
        done = call("search", data.index, "--row", 3, "--direction", wrong, code=2)
        assert "mix" in done.stderr


def test_precision_is_that_of_the_matrix(call, data, tmp_path):
    document = call.json("evaluate", data.index, "--measures", "bow,act-1", "--top", "1,16")
    assert {"n", "v", "h", "m", "threads", "kernels"} < document.keys()
    assert document["queries"] == 60
    call("distances", data.index, "-o", "d.npy")
    matrix = np.load(tmp_path / "d.npy")
    np.fill_diagonal(matrix, np.inf)
    order = np.argsort(matrix, axis=1, kind="stable")
    same = np.array(data.labels)[order] == np.array(data.labels)[:, None]
    bow, act = document["measures"]
    assert (bow["name"], act["name"]) == ("bow", "act-1")
    assert act["precision"] == {
        "1": pytest.approx(same[:, :1].mean()),
        "16": pytest.approx(same[:, :16].mean()),
    }
    assert act["distances"] == 60 * 59 and act["seconds"] > 0


def test_results_do_not_depend_on_threads(call, data):
    answers = set()
    for threads in (1, 2, 3):
        document = call.json("search", data.index, "--row", ":", "--threads", threads)
        answers.add(json.dumps(document["queries"]))
    assert len(answers) == 1
