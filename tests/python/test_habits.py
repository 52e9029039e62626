"""What users of faiss, hnswlib and usearch expect of an index."""

import navvy
import numpy as np
import pytest

pytestmark = pytest.mark.peer("Vector indexes", "faiss-cpu, hnswlib, usearch")


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(
        histograms,
        coordinates,
        labels=np.arange(40) % 3,
        ids=[f"d{row}" for row in range(40)],
        fields={"year": np.arange(1900, 1940)},
    )


def test_rows_by_number_and_id(index, histograms, coordinates):
    row = index[7]
    assert (row.row, row.id, row.label, row.title, row.fields) == (7, "d7", 1, "", {"year": 1907})
    np.testing.assert_array_equal(row.weights, histograms[7].data)
    np.testing.assert_array_equal(row.numbers, histograms[7].indices)
    np.testing.assert_array_equal(row.coordinates, coordinates[histograms[7].indices])
    assert index["d7"].row == index[np.int64(7)].row == index[-33].row == 7
    assert len(index) == len([row.id for row in index]) == 40
    for wrong in (40, -41):
        with pytest.raises(IndexError, match=f"row {wrong} does not exist: the index has 40 rows"):
            index[wrong]
    with pytest.raises(KeyError, match="^'x'$"):
        index["x"]
    with pytest.raises(TypeError):
        index[1:3]


def test_ids_are_in_the_index(index, histograms, coordinates):
    assert "d7" in index and "d39" in index
    assert "d40" not in index and "7" not in index and "" not in index
    assert 7 not in index and index[7] not in index and None not in index
    unnamed = navvy.Index.from_histograms(histograms, coordinates)
    assert "39" in unnamed and "40" not in unnamed and "07" not in unnamed
    index.remove(["d7"])
    assert "d7" not in index and "d8" in index


def test_reconstruct_gives_a_query(index, histograms, tmp_path):
    weights = index.reconstruct(7)
    np.testing.assert_array_equal(weights, histograms[7].toarray()[0])
    index.save(tmp_path / "a.navvy")
    opened = navvy.Index.open(tmp_path / "a.navvy")
    for one in (index, opened):
        found = one.search(one.reconstruct(9), k=1)
        assert found.rows[0, 0] == 9 and found.distances[0, 0] == 0
    pixels = np.random.default_rng(2).integers(0, 4, (20, 6, 5)).astype(np.uint8)
    images = navvy.Index.from_images(pixels)
    np.testing.assert_allclose(images.reconstruct(3), pixels[3] / pixels[3].sum(), rtol=1e-6)
    texts = navvy.Index.from_texts(["king apple apple"], Words, weighting="tf")
    assert texts.words == texts[0].words == ["king", "apple"]
    np.testing.assert_allclose(texts.reconstruct(0), [1 / 3, 2 / 3], rtol=1e-6)


def test_with_closes_the_index(index, histograms, tmp_path):
    index.save(tmp_path / "a.navvy")
    with navvy.Index.open(tmp_path / "a.navvy") as opened:
        matches = opened.search(histograms[3], k=1)
    assert matches[0][0].id == "d3"
    opened.close()
    for call in (
        lambda: opened.search(histograms[3]),
        lambda: len(opened),
        lambda: opened[0],
        lambda: "d3" in opened,
        lambda: opened.save(tmp_path / "b.navvy"),
        lambda: opened.add(histograms[:1]),
    ):
        with pytest.raises(ValueError, match="the index is closed"):
            call()
    assert repr(opened) == "<navvy.Index, closed>"


def test_filtered_search(index, histograms):
    matches = index.search(histograms[:2], k=40, where="label = 1 and year < 1910")
    assert sorted(matches.rows[0][matches.rows[0] >= 0]) == [1, 4, 7]
