"""Look-alikes against gensim itself."""

import navvy
import numpy as np
import pytest
from gensim.models import KeyedVectors
from gensim.similarities import WmdSimilarity

pytestmark = pytest.mark.peer("gensim", "gensim")

WORDS = [f"w{i}" for i in range(40)]


@pytest.fixture(scope="module")
def keyed():
    vectors = KeyedVectors(8)
    rng = np.random.default_rng(0)
    vectors.add_vectors(WORDS, rng.normal(size=(40, 8)).astype(np.float32))
    return vectors


def documents(count, seed):
    rng = np.random.default_rng(seed)
    return [list(rng.choice(WORDS, rng.integers(1, 12))) for _ in range(count)]


@pytest.mark.parametrize("norm", [True, False])
def test_wmdistance_is_that_of_gensim(keyed, norm):
    for a, b in zip(documents(40, 1), documents(40, 2), strict=True):
        expected = keyed.wmdistance(a, b, norm=norm)
        assert navvy.gensim.wmdistance(a, b, keyed, norm) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b"),
    [([], ["w1"]), (["unknown"], ["w1"]), ([], []), (["w1"], ["w1"]), (["w1", "x"], ["w1", "w2"])],
)
def test_empty_and_unknown_documents_are_as_in_gensim(keyed, a, b):
    assert navvy.gensim.wmdistance(a, b, keyed) == pytest.approx(keyed.wmdistance(a, b), abs=1e-5)


@pytest.mark.parametrize("num_best", [None, 5])
def test_similarities_are_those_of_gensim(keyed, num_best):
    corpus = [*documents(25, 3), ["unknown"], []]
    ours = navvy.gensim.WmdSimilarity(corpus, keyed, num_best=num_best)
    theirs = WmdSimilarity(corpus, keyed, num_best=num_best)
    for query in [*documents(5, 4), ["w1", "unknown"]]:
        found, expected = ours[query], theirs[query]
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert len(ours) == 27


def test_queries_without_known_words_have_similarity_zero(keyed):
    corpus = documents(5, 5)
    every = navvy.gensim.WmdSimilarity(corpus, keyed)
    np.testing.assert_array_equal(every[["unknown"]], WmdSimilarity(corpus, keyed)[["unknown"]])
    assert navvy.gensim.WmdSimilarity(corpus, keyed, num_best=2)[["unknown"]] == []


def test_several_queries_at_once(keyed):
    ours = navvy.gensim.WmdSimilarity(documents(10, 6), keyed)
    queries = [["w1", "w2"], ["unknown"], ["w3"]]
    for found, query in zip(ours[queries], queries, strict=True):
        np.testing.assert_array_equal(found, ours[query])


def test_words_that_the_corpus_lacks_count(keyed):
    ours = navvy.gensim.WmdSimilarity([["w1"], ["w2"]], keyed)
    expected = [1 / (1 + keyed.wmdistance([word], ["w3"])) for word in ("w1", "w2")]
    np.testing.assert_allclose(ours[["w3"]], expected, atol=1e-5)


def test_a_string_is_no_list_of_words(keyed):
    with pytest.raises(TypeError, match="expected a list of words"):
        navvy.gensim.wmdistance("w1", ["w1"], keyed)


def test_keyed_vectors_serve_where_vectors_are_asked_for(keyed):
    class Model:
        wv = keyed

    texts = ["w1 w2 w3", "w4 w5", "w3 w9"]
    options = {"weighting": "tf", "stop_words": [], "token_pattern": r"w\d+"}
    index = navvy.Index.from_texts(texts, keyed, **options)
    assert index.words == ["w1", "w2", "w3", "w4", "w5", "w9"]
    split = [text.split() for text in texts]
    expected = [[keyed.wmdistance(a, b) for b in split] for a in split]
    np.testing.assert_allclose(index.distances(measure="emd"), expected, atol=1e-5)
    assert navvy.Index.from_texts(texts, Model(), **options).words == index.words
    with pytest.raises(TypeError, match="expected a path"):
        navvy.Index.from_texts(texts, 3)
