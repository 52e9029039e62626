"""What arrays are taken, what is shared, what is refused."""

import pickle

import navvy
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from .conftest import random_histograms


def same_answers(index, X):
    expected = index.distances()
    found = navvy.Index.from_histograms(X, index.coordinates)
    np.testing.assert_allclose(found.distances(), expected, atol=1e-6)
    np.testing.assert_allclose(index.distances(X), expected, atol=1e-6)


@pytest.mark.parametrize(
    "convert",
    [
        lambda X: X.astype(np.float64),
        lambda X: X.toarray().astype(np.longdouble),
        lambda X: X * 100,
        lambda X: scipy.sparse.csr_array(X),
        lambda X: X.tocsc(),
        lambda X: X.tocoo(),
        lambda X: X.toarray(),
        lambda X: np.asfortranarray(X.toarray()),
        lambda X: X.toarray().tolist(),
        lambda X: X.toarray()[::-1][::-1],
    ],
)
def test_all_kinds_of_matrices_mean_the_same(histograms, coordinates, convert):
    same_answers(navvy.Index.from_histograms(histograms, coordinates), convert(histograms))


def test_half_floats_are_taken(coordinates):
    X = (np.random.default_rng(0).random((9, 30)) * 8).astype(np.float16)
    same_answers(navvy.Index.from_histograms(X.astype(np.float64), coordinates), X)


def test_wide_indices_are_taken(histograms, coordinates):
    wide = histograms.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    same_answers(navvy.Index.from_histograms(histograms, coordinates), wide)


def test_unsorted_and_duplicate_entries_are_merged(coordinates):
    X = random_histograms()
    halves = np.repeat(X.data / 2, 2)
    doubled = scipy.sparse.csr_matrix(
        (halves, np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape
    )
    for row in range(X.shape[0]):
        part = slice(doubled.indptr[row], doubled.indptr[row + 1])
        doubled.indices[part] = doubled.indices[part][::-1]
        doubled.data[part] = doubled.data[part][::-1]
    before = [array.copy() for array in (doubled.data, doubled.indices, doubled.indptr)]
    same_answers(navvy.Index.from_histograms(X, coordinates), doubled)
    for array, kept in zip((doubled.data, doubled.indices, doubled.indptr), before, strict=True):
        np.testing.assert_array_equal(array, kept)


def test_canonical_matrices_are_not_copied_where_asked(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates, copy=False)
    assert np.shares_memory(index.histograms.data, histograms.data)
    assert np.shares_memory(index.histograms.indices, histograms.indices)
    assert np.shares_memory(index.coordinates, coordinates)
    assert not index.histograms.data.flags.writeable
    expected = index.distances()
    data = histograms.data.copy()
    del histograms
    np.testing.assert_array_equal(index.histograms.data, data)
    np.testing.assert_array_equal(index.distances(), expected)


@given(
    hnp.arrays(
        st.sampled_from([np.float32, np.float64, np.int32, np.uint8, np.int64]),
        st.tuples(st.integers(1, 8), st.integers(1, 8)),
        elements=st.integers(0, 50),
    )
)
@settings(max_examples=100)
def test_inputs_are_never_changed(X):
    before = X.copy()
    kept = X.sum(axis=1) > 0
    index = navvy.Index.from_histograms(X, np.arange(X.shape[1]))
    if kept.any():
        matches = index.search(X[kept], top=1, measure="act-1")
        assert np.all(matches.distances == 0)
    np.testing.assert_array_equal(X, before)
    assert np.isnan(index.distances()[~kept]).all()


@pytest.mark.parametrize(
    ("X", "error", "text"),
    [
        ([[1, -1]], ValueError, "negative|-1"),
        ([[1, np.nan]], ValueError, "nan"),
        ([[1, np.inf]], ValueError, "inf"),
        ([[1, 1, 1]], ValueError, "histograms over 3 coordinates do not fit 2 coordinates"),
        ([1, 1], ValueError, "histograms have 1 dimensions; expected 2"),
        ([["a", "b"]], TypeError, "weights are <U1; expected real numbers"),
        ([[1j, 0]], TypeError, "expected real numbers"),
    ],
)
def test_bad_histograms_are_refused(X, error, text):
    with pytest.raises(error, match=text):
        navvy.Index.from_histograms(X, [[0.0], [1.0]])


def test_broken_sparse_matrices_are_refused(coordinates):
    for change in ("indices", "indptr"):
        X = random_histograms()
        getattr(X, change)[1] = 2**30
        with pytest.raises(ValueError):
            navvy.Index.from_histograms(X, coordinates)
        wrong = random_histograms()
        getattr(wrong, change)[1] = -5
        with pytest.raises(ValueError):
            navvy.Index.from_histograms(wrong, coordinates)


@pytest.mark.parametrize(
    ("coordinates", "error", "text"),
    [
        ([["a"], ["b"]], TypeError, "coordinates are <U1; expected numbers"),
        ([[np.nan], [0]], ValueError, "coordinate 0, dimension 0 is not a finite number"),
        (np.zeros((2, 1, 1)), ValueError, "coordinates have 3 dimensions; expected 2"),
    ],
)
def test_bad_coordinates_are_refused(coordinates, error, text):
    with pytest.raises(error, match=text):
        navvy.Index.from_histograms([[1, 1]], coordinates)


def test_empty_queries_are_refused(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates)
    with pytest.raises(ValueError, match="query 1 has no weight"):
        index.search(scipy.sparse.vstack([histograms[:1], histograms[:1] * 0], format="csr"))


def test_what_is_given_may_change_afterwards(histograms, coordinates):
    whole = scipy.sparse.csr_matrix(np.eye(30, dtype=np.float32)[np.arange(40) % 30])
    for X in (histograms, histograms.toarray(), whole):
        given = X.copy()
        points = coordinates.copy()
        index = navvy.Index.from_histograms(given, points)
        expected = index.distances(X)
        for array in (
            [given.data, given.indices, given.indptr] if scipy.sparse.issparse(given) else [given]
        ):
            array[:] = array[::-1].copy()
        points[:] = 0
        np.testing.assert_array_equal(index.distances(X), expected)


def test_vectors_and_rows_that_were_given_may_change(histograms, coordinates):
    class Words:
        index_to_key = ["king", "queen", "apple", "pear"]
        vectors = np.random.default_rng(0).random((4, 3)).astype(np.float32)

    index = navvy.Index.from_texts(["king queen apple pear"], Words, normalize=False)
    some = navvy.Index.from_texts(["king"], Words, normalize=False)
    expected = [one.search("apple pear").distances for one in (index, some)]
    Words.vectors[:] = 7
    for one, distances in zip((index, some), expected, strict=True):
        fresh = pickle.loads(pickle.dumps(one))  # nothing that was made ready before
        np.testing.assert_array_equal(fresh.search("apple pear").distances, distances)
        np.testing.assert_array_equal(one.search("apple pear").distances, distances)
    grown = navvy.Index.from_histograms(histograms[:0], coordinates)
    more = histograms.copy()
    grown.add(more)
    before = grown.distances()
    more.data[:] = more.data[::-1].copy()
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(grown)).distances(), before)
