"""What a search gives: names as they were, pickles, arrays."""

import pickle
import types

import navvy
import numpy as np
import pytest

from .conftest import random_histograms


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(
        histograms,
        coordinates,
        labels=[f"l{row % 3}" for row in range(40)],
        ids=[f"d{row}" for row in range(40)],
        fields={"year": np.arange(1900, 1940), "note": [f"n{row}" for row in range(40)]},
    )


def test_names_are_those_of_the_search(index, histograms, coordinates):
    matches = index.search(histograms[5:6], 2)
    whole = index.search(histograms[30:], 40)
    expected = [(match.id, match.label) for match in index.search(histograms[30:], 40)[0]]
    index.remove([f"d{row}" for row in range(30)])
    assert (matches[0][0].id, matches.ids[0, 0], matches.labels[0, 0]) == ("d5", "d5", "l2")
    assert matches.fields("year")[0, 0] == 1905
    assert [(match.id, match.label) for match in whole[0]] == expected
    index.add(histograms[:1], labels=["new"], ids=["new"], fields={"year": [1]})
    assert matches.fields("note")[0, 0] == "n5"


def test_a_pickle_has_the_names_and_not_the_index(coordinates):
    rows = random_histograms(3000)
    index = navvy.Index.from_histograms(
        rows, coordinates, ids=[f"d{row}" for row in range(3000)], fields={"x": np.arange(3000)}
    )
    matches = index.search(rows[7], 10, "emd")
    file = pickle.dumps(matches)
    assert len(file) < 10_000 < len(pickle.dumps(index))
    again = pickle.loads(file)
    assert again[0] == matches[0] and again.measure == "emd" and again.exact.all()
    for name in ("rows", "distances", "ids", "labels", "titles", "lower"):
        np.testing.assert_array_equal(getattr(again, name), getattr(matches, name))
    assert again.field_names == matches.field_names == ["x"]
    np.testing.assert_array_equal(again.fields("x"), matches.rows)
    for source in (again, matches):
        with pytest.raises(KeyError, match="'y'"):
            source.fields("y")
    assert pickle.dumps(again) == file


def test_one_query_asks_for_its_own_names_alone(index, histograms):
    matches = index.search(histograms, 3)
    asked = []

    class Handle:
        integer_labels = False

        def ids_at(self, rows):
            asked.append(list(rows))
            return ["x"] * len(rows)

        labels_at = ids_at

    object.__setattr__(matches, "_handle", Handle())
    assert [match.id for match in matches[4]] == ["x"] * 3
    assert asked == [list(matches.rows[4])] * 2


@pytest.mark.peer("Vector indexes", "faiss-cpu, hnswlib, usearch")
def test_arrays_come_in_the_order_of_faiss(index, histograms):
    matches = index.search(histograms[:2], k=3)
    distances, rows = matches.as_arrays()
    assert distances is matches.distances and rows is matches.rows and rows.shape == (2, 3)
    assert rows.dtype == np.int64 and list(rows[:, 0]) == [0, 1]


@pytest.mark.differs("faiss unpacks into distances and rows; matches, being lists, refuse it")
@pytest.mark.peer("Vector indexes", "faiss-cpu, hnswlib, usearch")
def test_matches_are_iterated_but_not_unpacked(index, histograms):
    matches = index.search(histograms[:2], k=3)
    for _ in range(50):  # also once the interpreter has specialised the line
        with pytest.raises(TypeError, match="as_arrays"):
            _distances, _rows = matches
    with pytest.raises(TypeError, match="as_arrays"):
        _first, *_others = matches
    assert list(matches) == [found for found in matches] == [matches[0], matches[1]]  # noqa: C416
    assert [found for (found,) in zip(matches, strict=True)] == list(matches)
    assert len(matches) == 2
    assert matches[-1] == matches[1]
    with pytest.raises(IndexError):
        matches[2]
    with pytest.raises(TypeError):
        matches[0:1]


@pytest.mark.peer("Vector indexes", "faiss-cpu, hnswlib, usearch")
def test_k_is_top(index, histograms):
    by_top = index.search(histograms[:3], 4).rows
    np.testing.assert_array_equal(index.search(histograms[:3], k=4).rows, by_top)
    assert index.knn(k=3).nnz == index.knn(3).nnz == 120
    assert index.knn_matches(k=3).rows.shape == (40, 3)
    with pytest.raises(TypeError, match="top and k are the same"):
        index.search(histograms[:3], 4, k=4)
    with pytest.raises(ValueError, match="k is 0; expected at least 1"):
        index.search(histograms[:3], k=0)


def test_integer_labels_stay_integers(histograms, coordinates, tmp_path):
    index = navvy.Index.from_histograms(histograms, coordinates, labels=np.arange(40) % 4)
    assert index.labels.dtype == np.int64 and index.labels[5] == 1
    index.save(tmp_path / "a.navvy")
    for one in (index, navvy.Index.open(tmp_path / "a.navvy"), pickle.loads(pickle.dumps(index))):
        matches = one.search(histograms[7], k=2)
        assert matches.labels.dtype == np.int64 and matches[0][0].label == 3
    assert set(index.evaluate(tops=[1])["act-1"].classes) == {0, 1, 2, 3}
    index.add(histograms[:1], labels=["a"])
    assert index.labels[-1] == "a" and index.labels[5] == "1"  # no longer all integers
    text = navvy.Index.from_histograms(histograms, coordinates, labels=["1"] * 40)
    assert text.labels[0] == "1"


@pytest.mark.parametrize("missing", [None, np.nan, np.datetime64("NaT")])
def test_a_missing_label_is_none(histograms, coordinates, missing):
    text = navvy.Index.from_histograms(histograms, coordinates, labels=["a", missing] * 20)
    assert list(text.labels[:2]) == ["a", ""]
    assert set(text.evaluate(tops=[1])["act-1"].classes) == {"a"}
    numbers = navvy.Index.from_histograms(histograms, coordinates, labels=[5, missing] * 20)
    assert list(numbers.labels[:2]) == [5, None]
    assert numbers.search(histograms[1], k=1)[0][0].label is None
    with pytest.raises(ValueError, match="the id of row 1 is .*; expected an id for every row"):
        navvy.Index.from_histograms(histograms, coordinates, ids=["a", missing] * 20)


def with_labels_of(handle, asked):
    """What stands for a handle, and tells whose labels are asked for."""

    def labels_at(rows):
        asked.extend(rows)
        return handle.labels_at(rows)

    return types.SimpleNamespace(
        has_labels=True,
        integer_labels=handle.integer_labels,
        label_numbers=handle.label_numbers,
        labels_at=labels_at,
    )


def test_labels_of_some_rows_are_looked_up_alone(histograms, coordinates):
    """An index may have a label for every row."""
    for labels, missing in ((np.arange(40), None), ([f"l{row}" for row in range(40)], "")):
        labels = [missing, *labels[1:]]
        index = navvy.Index.from_histograms(histograms, coordinates, labels=labels)
        assert list(index.labels) == labels
        matches, asked = index.search(histograms[:3], k=2), []
        object.__setattr__(matches, "_handle", with_labels_of(matches._handle, asked))
        assert matches.labels.tolist() == [[labels[row] for row in found] for found in matches.rows]
        assert len(asked) == len(set(asked)) <= 6


def test_one_long_text_costs_the_others_nothing(histograms, coordinates):
    texts = ["x" * 20_000] * 39 + ["y" * 200_000]
    index = navvy.Index.from_histograms(
        histograms, coordinates, labels=texts, ids=[f"{row}{texts[row]}" for row in range(40)]
    )
    index = navvy.Index.from_bytes(index.to_bytes())
    with_field = navvy.Index.from_histograms(histograms, coordinates, fields={"body": texts})
    matches = with_field.search(histograms[:1], k=10)
    assert len(pickle.dumps(matches)) < 1_000_000
    found = index.search(histograms[:1], k=10)
    for array in (
        with_field.fields["body"],
        matches.fields("body"),
        index.labels,
        index.ids,
        found.labels,
        found.ids,
    ):
        assert array.dtype == object and array.nbytes < 1000
        assert all(isinstance(text, str) for text in array.ravel())
    assert matches.fields("body").tolist() == [[texts[row] for row in matches.rows[0]]]
    assert matches.to_arrow()["body"].to_pylist() == matches.fields("body")[0].tolist()
    assert navvy.Index.from_histograms(histograms, coordinates, ids=range(40)).ids.dtype == "<U2"
