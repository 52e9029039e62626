"""Texts, on the small corpus that comes with the command's demo."""

import pickle

import navvy
import numpy as np
import pytest


@pytest.fixture(scope="module")
def demo(root):
    folder = root / "data" / "demo"
    lines = (folder / "texts.tsv").read_text().splitlines()
    labels, titles, texts = zip(*(line.split("\t") for line in lines), strict=True)
    return folder / "vectors.bin", list(labels), list(titles), list(texts)


@pytest.fixture(scope="module")
def index(demo):
    vectors, labels, titles, texts = demo
    return navvy.Index.from_texts(texts, vectors, labels, titles=titles)


def test_a_file_and_loaded_vectors_give_the_same_index(demo, index):
    vectors, labels, _, texts = demo
    loaded = navvy.load_vectors(vectors)
    other = navvy.Index.from_texts(texts, loaded, labels)
    assert other.words == index.words and other.kind == "text"
    np.testing.assert_array_equal(other.distances(), index.distances())
    assert other.report["documents"] == len(texts)


def test_a_text_finds_itself(demo, index):
    texts = demo[3]
    matches = index.search(texts[:5], top=2, measure="act-3")
    assert list(matches.rows[:, 0]) == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(matches.distances[:, 0], 0, atol=1e-7)
    assert index.search(texts[7], 1).rows[0, 0] == 7


def test_neighbours_share_labels_more_than_chance(index):
    done = index.evaluate(["act-1"], tops=[3])["act-1"]
    assert done.precision[3] > 2 / len(set(index.labels))


def test_explain_names_words(demo, index):
    why = index.explain(demo[3][0], 1, "emd")
    assert {move.source for move in why.moves} | {move.target for move in why.moves} <= set(
        index.words
    )


def test_add_is_as_building_at_once(demo, index):
    vectors, labels, titles, texts = demo
    part = navvy.Index.from_texts(texts[:50], vectors, labels[:50])
    part.add(texts[50:], labels[50:], vectors=navvy.load_vectors(vectors, normalize=False))
    np.testing.assert_array_equal(part.distances(), index.distances())
    part.remove(part.ids[50:])
    assert len(part) == 50
    assert len(pickle.loads(pickle.dumps(part))) == 50


def test_recipes_matter(demo):
    vectors, _, _, texts = demo
    tfidf = navvy.Index.from_texts(texts, vectors, weighting="tfidf", stop_words=["the"])
    assert tfidf.properties["weighting"] == "tfidf" and "the" not in tfidf.words
    short = navvy.Index.from_texts(texts, vectors, max_bins=3)
    assert np.diff(short.histograms.indptr).max() == 3


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda i, v: i.search("qqqq zzzz"), ValueError, "no word of the query is known"),
        (lambda i, v: i.search([3]), TypeError, "text 0 is int; expected str"),
        (lambda i, v: navvy.Index.from_texts("one", v), TypeError, "texts are one string"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, ["x", "y"]), ValueError, "2 labels"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, weighting="x"), ValueError, "x"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, token_pattern="("), ValueError, "pattern"),
        (lambda i, v: navvy.Index.from_texts(["a"], "/none"), OSError, "/none"),
        (lambda i, v: navvy.load_vectors(__file__), ValueError, "test_texts.py"),
    ],
)
def test_bad_input_is_refused(demo, index, call, error, text):
    with pytest.raises(error, match=text):
        call(index, demo[0])


def test_vectors_look_like_those_of_gensim(demo):
    vectors = navvy.load_vectors(demo[0])
    word = vectors.index_to_key[5]
    assert word in vectors and "qqqq" not in vectors and len(vectors) == len(vectors.vectors)
    np.testing.assert_array_equal(vectors[word], vectors.vectors[vectors.key_to_index[word]])
    assert np.linalg.norm(vectors[word]) == pytest.approx(1, abs=1e-6)
    few = navvy.load_vectors(demo[0], words=[word, "qqqq"], normalize=False)
    assert few.index_to_key == [word] and few.vector_size == vectors.vector_size
