"""Words that no text has: queries know them, and what nobody knows is named."""

import navvy
import numpy as np
import pytest


class Words:
    index_to_key = ["king", "queen", "apple", "pear", "plum"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9], [0.2, 0.7]])


TEXTS = ["A king eats an apple.", "Apple, apple, king!"]


def made(**recipe):
    return navvy.Index.from_texts(TEXTS, Words, stop_words=[], weighting="tf", **recipe)


def test_queries_know_words_of_no_text():
    index = made()
    assert index.words == ["king", "apple"]
    assert index.query_words == ["queen", "pear", "plum"]
    wider = navvy.Index.from_texts(
        [*TEXTS, "queen pear plum"], Words, stop_words=[], weighting="tf"
    )
    for measure in ("rwmd", "act-1", "emd", "bow", "wcd"):
        found = index.search("queen with a plum", top=2, measure=measure)
        expected = wider.search("queen with a plum", top=2, measure=measure, ids=["0", "1"])
        assert np.array_equal(found.rows, expected.rows)
        assert np.array_equal(found.distances, expected.distances)
    assert np.array_equal(index.distances(["plum"]), wider.distances(["plum"])[:, :2])
    assert index.explain("queen", 0).distance > 0


def test_unknown_words_are_listed():
    index = made()
    found = index.search(["queen", "king turnip turnip on"], top=1)
    assert found.unknown == [[], ["turnip", "on"]]
    assert repr(found).endswith("unknown={1: ['turnip', 'on']})")
    assert "unknown" not in repr(index.search("queen", top=1))
    assert index.search(rows=[0, 1], top=1).unknown == [[], []]
    with pytest.raises(ValueError, match="no word of the query is known to the index: turnip"):
        index.search("turnip")


def test_one_unknown_text_among_several():
    index = made()
    with pytest.raises(ValueError, match="query 1: no word of the query is known .* turnip"):
        index.search(["king", "turnip", "swede"])
    distances = index.distances(["king", "turnip", ""])
    assert np.isnan(distances[1:]).all() and not np.isnan(distances[0]).any()
    labelled = navvy.Index.from_texts(TEXTS, Words, labels=["a", "b"])
    test = (["king apple", "turnip", "apple"], ["a", "a", "b"])
    done = labelled.evaluate("bow, ACT 1", tops=[1], test=test)
    assert list(done) == ["bow", "act-1"]
    assert (done["act-1"].queries, done["act-1"].empty) == (2, 1)
    assert done["act-1"].asked.tolist() == [0, 2]


def test_texts_of_which_nobody_knows_a_word_make_no_index():
    with pytest.raises(ValueError, match="all 2 texts are empty .* no word has a vector"):
        navvy.Index.from_texts(["turnip", "a swede"], Words)
    assert len(navvy.Index.from_texts([], Words)) == 0


def test_explanations_name_unknown_words():
    why = made().explain("a king and a <turnip>", 1, "EMD")
    assert why.measure == "emd" and why.unknown == ["a", "and", "turnip"]
    assert str(why).splitlines()[-1] == "without words that have no vector: a, and, turnip"
    assert "no vector: a, and, turnip</td>" in why._repr_html_()
    assert made().explain(0, "king").unknown == [] and "without" not in str(made().explain(0, 1))


def test_how_many_are_kept_and_more_later(tmp_path):
    assert made(query_words=4).query_words == ["queen", "pear"]
    assert made(query_words="all").query_words == ["queen", "pear", "plum"]
    assert made(as_in_paper=True).query_words == []
    index = made(query_words="corpus")
    assert index.query_words == []
    with pytest.raises(ValueError, match="expected a number, all or corpus"):
        made(query_words="some")
    index.add_query_words(Words, "a plum")
    assert index.query_words == ["plum"]
    index.add_query_words(Words)
    assert index.query_words == ["queen", "pear", "plum"]
    index.save(tmp_path / "x.navvy")
    index = navvy.Index.open(tmp_path / "x.navvy")
    index.add(["a pear"])
    assert index.words == ["king", "apple", "pear"] and index.query_words == ["queen", "plum"]
