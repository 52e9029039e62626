"""build and info: what goes in is what the index says it holds."""

import numpy as np
import pytest
import scipy.sparse


def test_sizes_of_histograms(call, data):
    info = call.json("info", data.index)
    used = int((data.weights.sum(axis=0) > 0).sum())
    assert (info["n"], info["v"], info["m"]) == (60, used, 3)
    assert info["h"] == pytest.approx((data.weights > 0).sum() / 60)
    assert info["labels"] == {"group 0": 20, "group 1": 20, "group 2": 20}
    assert info["kind"] == "histograms" and info["empty"] == 0


def test_images_with_and_without_background(call, images):
    source = ["--images", images / "images.idx", "--labels", images / "labels.idx"]
    plain = call.json("build", *source, "-o", "plain.navvy")
    kept = call.json("build", *source, "--keep-background", "-o", "kept.navvy")
    assert plain["n"] == kept["n"] == 20 and kept["v"] == kept["h"] == 30
    assert plain["h"] < 30
    assert kept["properties"]["background"] == "kept"
    assert call.json("info", "kept.navvy")["labels"] == dict.fromkeys("0123", 5)


def test_labels_that_are_numbers_get_names(call, images, tmp_path):
    source = ["--images", images / "images.idx", "--labels", images / "labels.idx"]
    (tmp_path / "names.txt").write_text("zero\none\ntwo\nthree\n")
    call("build", *source, "--label-names", "names.txt", "-o", "named.navvy")
    plain, names = call.json("info", "named.navvy")["labels"], ("zero", "one", "two", "three")
    assert plain == dict.fromkeys(names, 5)
    call("add", "named.navvy", *source, "--label-names", "names.txt")
    found = call.json("search", "named.navvy", "--row", 6, "--top", 1)["queries"][0]["matches"]
    assert found[0]["label"] == "two" and found[0]["row"] == 26
    (tmp_path / "names.txt").write_text("zero\none\n")
    error = call.fails(3, "build", *source, "--label-names", "names.txt", "-o", "x.navvy")
    assert "labels.idx: entry 2: found '2', which has no name: names.txt has 2 lines" in error
    assert "needs --labels" in call.fails(
        2, "build", *source[:2], "--label-names", "names.txt", "-o", "x.navvy"
    )


def test_a_report_for_people(call, images):
    done = call("build", "--images", images / "images.idx", "-o", "x.navvy")
    assert "rows              20" in done.stdout
    assert done.stderr == "wrote x.navvy\n"


def test_the_report_on_texts(call, texts, root):
    demo = root / "data" / "demo"
    document = call.json(
        *("build", "--corpus", demo / "texts.tsv", "--no-head-line", "--weighting", "tfidf"),
        *("--label-field", "1", "--text-field", "3", "--vectors", demo / "vectors.bin"),
        *("--max-bins", "5", "-o", "x.navvy"),
    )
    report = document["report"]
    assert report["documents"] == 120 and report["labels"] == 8
    assert report["largest_bins"] == 5 and report["truncated"] > 100
    assert report["vectors"]["dimensions"] == 100
    assert document["properties"]["weighting"] == "tfidf"


def test_empty_and_equal_rows_are_told(call, tmp_path):
    scipy.sparse.save_npz(
        tmp_path / "x.npz", scipy.sparse.csr_matrix(np.array([[1, 2], [2, 4], [0, 0]]))
    )
    np.save(tmp_path / "v.npy", np.eye(2))
    source = ["--histograms", "x.npz", "--coordinates", "v.npy"]
    document = call.json("build", *source, "-o", "x.navvy")
    assert document["empty"] == 1 and document["duplicates"] == 1


def test_coordinates_are_normalized_on_request(call, tmp_path):
    np.save(tmp_path / "x.npy", np.eye(2))
    np.save(tmp_path / "v.npy", np.array([[3.0, 0.0], [0.0, 5.0]]))
    source = ["--histograms", "x.npy", "--coordinates", "v.npy"]
    distance = {}
    for name, more in {"plain": [], "unit": ["--normalize-coordinates"]}.items():
        call("build", *source, *more, "-o", "x.navvy")
        compared = call.json("compare", "x.navvy", 0, 1, "--measures", "emd")
        distance[name] = compared["measures"][0]["distance"]
    assert distance["plain"] == pytest.approx(34**0.5, rel=1e-6)
    assert distance["unit"] == pytest.approx(2**0.5, rel=1e-6)


def test_an_index_is_replaced_but_nothing_else(call, data, tmp_path):
    source = ["--histograms", data.folder / "x.npz", "--coordinates", data.folder / "v.npy"]
    for _ in range(2):
        call("build", *source, "-o", "x.navvy")
    (tmp_path / "letter.txt").write_text("dear reader")
    assert "not a navvy index" in call.fails(2, "build", *source, "-o", "letter.txt")
    assert (tmp_path / "letter.txt").read_text() == "dear reader"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.txt", "x.navvy"]


def test_machine_without_index(call):
    machine = call.json("info", "--threads", 3, "--memory", "500M")
    assert machine["kernels"] == machine["available_kernels"][0]
    assert machine["threads"] == 3 and machine["memory"] == 500 * 2**20
    forced = call.json("info", env={"NAVVY_KERNELS": "baseline"})
    assert forced["kernels"] == "baseline"
