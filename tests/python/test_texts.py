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


def test_encoded_queries_are_searched_for(demo, index):
    asked = ["carrots and soup", demo[3][7], "an unheardofword of space"]
    queries = index.encode(asked)
    assert "unheardofword" in queries.report["unknown"][2]
    for purpose in ("contains", "similar"):
        expected = index.search(asked, 5, for_=purpose)
        for one in (queries, pickle.loads(pickle.dumps(queries))):
            found = index.search(one, 5, for_=purpose)
            np.testing.assert_array_equal(found.rows, expected.rows)
            np.testing.assert_array_equal(found.distances, expected.distances)
    other = navvy.Index.from_texts(demo[3], demo[0], condition=1)
    with pytest.raises(ValueError, match="the word vectors of the queries were made otherwise"):
        other.search(queries)


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


def test_add_is_as_building_at_once(demo):
    vectors, labels, _, texts = demo
    index = navvy.Index.from_texts(texts, vectors, labels, weighting="log")
    part = navvy.Index.from_texts(texts[:50], vectors, labels[:50], weighting="log")
    part.add(texts[50:], labels[50:], vectors=navvy.load_vectors(vectors))
    np.testing.assert_array_equal(part.distances(), index.distances())
    part.remove(part.ids[50:])
    assert len(part) == 50
    assert len(pickle.loads(pickle.dumps(part))) == 50


def test_recipes_matter(demo):
    vectors, _, _, texts = demo
    usual = navvy.Index.from_texts(texts, vectors, stop_words=["the"])
    assert usual.properties["weighting"] == "bm25" and "the" not in usual.words
    assert "of" in usual.words
    short = navvy.Index.from_texts(texts, vectors, max_bins=3)
    assert np.diff(short.histograms.indptr).max() == 3


def test_stop_words_of_every_kind(demo, tmp_path):
    vectors, _, _, texts = demo
    first = navvy.load_vectors(vectors).index_to_key[:100]

    def words(stop_words, **recipe):
        recipe = {"stop_words": stop_words, **recipe}
        return set(navvy.Index.from_texts(texts, vectors, **recipe).words)

    every = words(None)
    assert every == words("none") == words([]) == words(0)
    assert words(None, weighting="tf") == words("english") < every
    paper = {"as_in_paper": True, "unknown_words": "own"}
    assert words(100) == every - set(first) == words(None, **paper)
    assert words([], **paper) == every
    assert "a" in every and "a" not in words([], as_in_paper=True)  # it has no vector
    (tmp_path / "list").write_text("the of\n")
    assert words(tmp_path / "list") == words(str(tmp_path / "list")) == every - {"the", "of"}
    with pytest.raises(ValueError, match="'lst': expected english, none, a number"):
        words("lst")
    paper = navvy.Index.from_texts(texts, vectors, as_in_paper=True)
    assert paper.properties["weighting"] == "tf"
    paper = navvy.Index.from_texts(texts, vectors, weighting="log", as_in_paper=True)
    assert paper.properties["weighting"] == "log"


def test_numbers_are_words_but_not_in_the_paper(demo):
    vectors, _, _, texts = demo

    def words(**recipe):
        index = navvy.Index.from_texts([*texts, "opus 131"], vectors, **recipe)
        return set(index.words)

    assert words() - words(token_pattern="letters") == {"131"}
    own = {"as_in_paper": True, "unknown_words": "own"}
    assert words(**own, token_pattern="[a-z0-9]+") - words(**own) == {"131"}


def test_words_without_a_vector_may_have_points_of_their_own(demo):
    vectors, _, _, texts = demo
    more = [*texts, "the qzx of the beethoven"]
    dropped = navvy.Index.from_texts(more, vectors, unknown_words="drop")
    own = navvy.Index.from_texts(more, vectors)
    assert own.properties["unknown_words"] == "own" and own.report["unknown_words"]["qzx"] == 1
    paper = navvy.Index.from_texts(more, vectors, as_in_paper=True)
    for plain in (dropped, paper):
        assert "unknown_words" not in plain.properties
    assert "qzx" in set(own.words) - set(dropped.words)
    assert own.search("qzx", 1, "rwmd", direction="query").distances[0, 0] == 0
    with pytest.raises(ValueError, match="no word of the query is known"):
        dropped.search("qzx")
    with pytest.raises(ValueError, match="unknown_words is 'mine'; expected 'drop' or 'own'"):
        navvy.Index.from_texts(more, vectors, unknown_words="mine")
    with pytest.raises(ValueError, match="length 1"):
        navvy.Index.from_texts(more, vectors, unknown_words="own", normalize=False)


def test_vectors_are_conditioned(demo):
    vectors, labels, _, texts = demo
    usual = navvy.Index.from_texts(texts, vectors, labels)
    assert usual.properties["condition"] == "2"
    same = navvy.Index.from_texts(texts, navvy.load_vectors(vectors), labels, condition=2)
    np.testing.assert_array_equal(usual.distances(), same.distances())
    for plain in ({"condition": 0}, {"as_in_paper": True}):
        assert "condition" not in navvy.Index.from_texts(texts, vectors, **plain).properties
    with pytest.raises(ValueError, match="100 dimensions by 100 components"):
        navvy.Index.from_texts(texts, vectors, condition=100)
    with pytest.raises(ValueError, match="condition is -1"):
        navvy.Index.from_texts(texts, vectors, condition=-1)
    for weighting in ("bm25", "sif", "norm"):
        index = navvy.Index.from_texts(texts, vectors, weighting=weighting)
        assert index.search(texts[5], 1).rows[0, 0] == 5


def test_indexes_of_other_word_vectors_are_no_queries(demo, index):
    vectors, _, _, texts = demo
    word = index.query_words[0]  # that no row has, so that no other word tells
    for other, line in (
        ({"condition": 0}, "condition is none, but 2"),
        ({"normalize": False}, "normalized_vectors is no, but yes"),
    ):
        queries = navvy.Index.from_texts([word], vectors, **other)
        for call in (index.search, index.distances):
            with pytest.raises(ValueError, match=line):
                call(queries)
    assert index.search(navvy.Index.from_texts([word], vectors, weighting="tf"), 1).rows.size == 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda i, v: i.search("qqqq zzzz"), ValueError, "no word of the query is known"),
        (lambda i, v: i.search([3]), TypeError, "text 0 is int; expected str"),
        (lambda i, v: navvy.Index.from_texts("one", v), TypeError, "texts are one string"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, ["x", "y"]), ValueError, "2 labels"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, weighting="x"), ValueError, "x"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, weighting=3), TypeError, "weighting is 3"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, stop_words=[3]), TypeError, "stop word 3"),
        (lambda i, v: navvy.Index.from_texts(["a"], v, token_pattern="("), ValueError, "pattern"),
        (lambda i, v: navvy.Index.from_texts(["a"], "/none"), OSError, "/none"),
        (lambda i, v: navvy.load_vectors(__file__), ValueError, "test_texts.py"),
    ],
)
def test_bad_input_is_refused(demo, index, call, error, text):
    with pytest.raises(error, match=text):
        call(index, demo[0])


def test_vectors_look_like_those_of_gensim(demo):
    vectors = navvy.load_vectors(demo[0], normalize=True)
    word = vectors.index_to_key[5]
    assert word in vectors and "qqqq" not in vectors and len(vectors) == len(vectors.vectors)
    np.testing.assert_array_equal(vectors[word], vectors.vectors[vectors.key_to_index[word]])
    assert np.linalg.norm(vectors[word]) == pytest.approx(1, abs=1e-6)
    few = navvy.load_vectors(demo[0], words=[word, "qqqq"])
    assert few.index_to_key == [word] and few.vector_size == vectors.vector_size
