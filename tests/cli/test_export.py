"""navvy export: what goes in comes out again, in files that other programs read."""

import json

import numpy as np
import pytest
import scipy.sparse


def answers(call, index, measure) -> list:
    found = call.json("search", index, "--row", "0:20", "--measure", measure)["queries"]
    return [[(m["row"], m["distance"]) for m in query["matches"]] for query in found]


def lines(path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_texts_as_lines(call, texts, tmp_path):
    report = call.json("export", texts, "-o", "rows.jsonl")
    assert report["rows"] == 120 and report["bytes"] == (tmp_path / "rows.jsonl").stat().st_size
    rows = lines(tmp_path / "rows.jsonl")
    assert [row["row"] for row in rows] == list(range(120))
    assert rows[1]["label"] == "space" and rows[1]["title"] == "Splashdown"
    assert "capsule" in rows[1]["bins"] and sum(rows[1]["bins"].values()) == pytest.approx(1)
    assert json.loads(call("export", texts, "--rows", "1:2", "-o", "-").stdout) == rows[1]
    # The same floats, in as few digits as that takes.
    call("export", texts, "-o", "rows.npz")
    weights = scipy.sparse.load_npz(tmp_path / "rows.npz")
    written = [weight for row in rows for weight in row["bins"].values()]
    assert np.array_equal(np.array(written, np.float32), weights.data)
    assert len(str(written[0])) <= 11


def test_images_and_histograms_as_lines(call, images, data, tmp_path):
    call("build", "--images", images / "images.idx", "-o", "images.navvy")
    call("export", "images.navvy", "-o", "images.jsonl")
    row = lines(tmp_path / "images.jsonl")[0]
    assert [2, 2] in [bin[:2] for bin in row["bins"]]
    call("export", data.index, "-o", "x.jsonl")
    row = lines(tmp_path / "x.jsonl")[7]
    assert row["id"] == "row-7" and row["label"] == data.labels[7]
    dense = np.zeros(data.weights.shape[1])
    for number, weight in row["bins"]:
        dense[number] = np.float32(weight)
    assert np.array_equal(dense, data.weights[7])


@pytest.mark.parametrize("kind", ["texts", "images", "data"])
def test_an_index_built_again(call, texts, images, data, kind, tmp_path):
    index = {"texts": texts, "data": data.index, "images": "images.navvy"}[kind]
    if kind == "images":
        call("build", "--images", images / "images.idx", "-o", index)
    call("export", index, "-o", "rows.npz")
    call("build", "--histograms", "rows.npz", "--coordinates", "rows.npz", "-o", "again.navvy")
    for measure in ("act-1", "ict", "emd"):
        assert answers(call, "again.navvy", measure) == answers(call, index, measure)
    call("export", "again.navvy", "-o", "again.npz")
    with np.load(tmp_path / "rows.npz") as before, np.load(tmp_path / "again.npz") as after:
        for name in ("data", "indices", "indptr", "coordinates", "numbers"):
            np.testing.assert_array_equal(before[name], after[name])


# Where few weights are rounded the same way, scaling them once more changes last bits.
def test_weights_keep_their_bits(call, tmp_path):
    random = np.random.default_rng(3)
    np.save(tmp_path / "x.npy", random.integers(1, 256, (3000, 3)))
    np.save(tmp_path / "v.npy", random.random((3, 2)))
    call("build", "--histograms", "x.npy", "--coordinates", "v.npy", "-o", "x.navvy")
    call("export", "x.navvy", "-o", "x.npz")
    call("build", "--histograms", "x.npz", "--coordinates", "x.npz", "-o", "y.navvy")
    call("export", "y.navvy", "-o", "y.npz")
    before, after = (scipy.sparse.load_npz(tmp_path / name) for name in ("x.npz", "y.npz"))
    assert np.array_equal(before.data, after.data)
    dense = before.toarray().astype(np.float64)
    rescaled = (dense / dense.sum(axis=1, keepdims=True)).astype(np.float32)
    assert (rescaled != before.toarray()).any()


def test_files_that_only_claim_to_be_scaled(call, data, tmp_path):
    with np.load(data.folder / "x.npz") as arrays:
        np.savez(tmp_path / "x.npz", **arrays, scaled=b"yes")
    source = ["--histograms", "x.npz", "--coordinates", data.folder / "v.npy"]
    call("build", *source, "-o", "x.navvy")
    call("verify", "x.navvy")
    assert answers(call, "x.navvy", "act-1") == answers(call, data.index, "act-1")


def test_arrays_of_names_and_fields(call, root, tmp_path):
    documents = [
        {"text": "planets", "year": 1990, "day": "1999-12-31", "../a/b": "x", "ö": "é"},
        {"text": "moons", "label": "sky", "title": "Möons", "id": "m"},
        {"text": "soup", "year": -0.5},
    ]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(d) + "\n" for d in documents))
    kept = [f"--keep-field={name}" for name in ("year", "day", "../a/b", "ö")]
    vectors = root / "data/demo/vectors.bin"
    call("build", "--corpus", "t.jsonl", "--vectors", vectors, *kept, "-o", "t.navvy")
    call("export", "t.navvy", "--rows", "1:", "-o", "rows.npz")
    call("export", "t.navvy", "-o", "all.npz")
    with np.load(tmp_path / "rows.npz") as rows, np.load(tmp_path / "all.npz") as everything:
        assert rows["words"].tolist() == everything["words"].tolist()
        assert rows["coordinates"].shape == (len(rows["words"]), 100)
        assert rows["numbers"].tolist() == sorted(rows["numbers"])
        assert rows["ids"].tolist() == ["m", "2"]
        assert rows["labels"].tolist() == ["sky", ""]
        assert rows["titles"].tolist() == ["Möons", "soup"]
        assert everything["field_year"][[0, 2]].tolist() == [1990, -0.5]
        assert np.isnan(everything["field_year"][1])
        assert everything["field_day"][0] == np.datetime64("1999-12-31")
        assert np.isnat(everything["field_day"][1])
        assert everything["field_.._a_b"].tolist() == ["x", "", ""]
        assert everything["field_ö"].tolist() == ["é", "", ""]
        assert set(rows.files) == set(everything.files)
    assert scipy.sparse.load_npz(tmp_path / "rows.npz").shape[0] == 2


def test_outputs_that_are_refused(call, data, tmp_path):
    assert "ends in .jsonl or .npz" in call.fails(2, "export", data.index, "-o", "rows.csv")
    assert "--json needs" in call.fails(2, "export", data.index, "-o", "-", "--json")
    assert "range" in call.fails(2, "export", data.index, "--rows", "9:3", "-o", "x.npz")
    (tmp_path / "mine.jsonl").write_text('{"mine": 1}\n')
    assert "will not be overwritten" in call.fails(2, "export", data.index, "-o", "mine.jsonl")
    call("export", data.index, "-o", "rows.jsonl")
    call("export", data.index, "-o", "rows.jsonl")


def test_coordinates_that_do_not_fit(call, data, tmp_path):
    def refused(**arrays):
        np.savez(tmp_path / "v.npz", **arrays)
        source = ["--histograms", data.folder / "x.npz", "--coordinates", "v.npz"]
        return call.fails(3, "build", *source, "-o", "x.navvy")

    points = data.points
    assert "coordinates" in refused(points=points)
    numbers = np.arange(len(points))
    assert "expected numbers that ascend" in refused(coordinates=points, numbers=numbers[::-1])
    assert "integers, one per coordinate" in refused(coordinates=points, numbers=numbers[1:])
    assert "texts, one per coordinate" in refused(coordinates=points, words=numbers)
