"""Nothing that is asked for is passed over or misread in silence."""

import warnings

import navvy
import navvy.gensim
import numpy as np
import pytest


class Words:
    index_to_key = ["king", "queen", "apple", "pear", "the", "of"]
    vectors = np.random.default_rng(0).random((6, 3))


class Keyed:
    key_to_index = {word: place for place, word in enumerate(Words.index_to_key)}
    vectors = Words.vectors


@pytest.fixture
def index(histograms, coordinates):
    return navvy.Index.from_histograms(histograms, coordinates, labels=["a", "b"] * 20)


@pytest.mark.parametrize(
    ("keywords", "error", "text"),
    [
        ({"measure": "emd", "tolerance": -0.1}, ValueError, "a tolerance of -0.1; expected"),
        ({"measure": "emd", "deadline": -1}, ValueError, "a deadline of -1 seconds; expected"),
        ({"measure": "emd", "deadline": float("nan")}, ValueError, "a deadline of nan"),
        ({"measure": "emd", "deadline": "1"}, TypeError, "deadline is '1'; expected a number"),
        ({"measure": "emd", "max_solves": -1}, ValueError, "max_solves is -1"),
        ({"deadline": 1}, ValueError, "deadline is for emd and emd-hat; act-1 takes no deadline"),
        ({"max_solves": 5}, ValueError, "max_solves is for emd"),
        ({"tolerance": 0.1}, ValueError, "tolerance is for emd"),
        ({"threshold": 0.1}, ValueError, "threshold is for emd-hat; act-1 takes no threshold"),
        ({"measure": "emd", "price": 2}, ValueError, "price is for emd one way"),
        ({"price": 2}, ValueError, "price is for emd"),
        ({"sinkhorn": navvy.Sinkhorn()}, ValueError, "sinkhorn is for sinkhorn; act-1 takes no"),
        ({"sinkhorn": 0}, TypeError, "sinkhorn is 0; expected navvy"),
        ({"measure": "sinkhorn", "sinkhorn": 0}, TypeError, "sinkhorn is 0; expected navvy"),
        ({"measure": "sinkhorn", "sinkhorn": 0.0}, TypeError, "sinkhorn is 0.0; expected navvy"),
        ({"measure": "sinkhorn", "sinkhorn": []}, TypeError, r"sinkhorn is \[\]; expected navvy"),
        ({"measure": "emd-hat", "threshold": -1}, ValueError, "threshold"),
        ({"measure": "emd-hat", "threshold": float("nan")}, ValueError, "threshold"),
        ({"measure": "emd", "direction": "query", "price": -1}, ValueError, "price"),
        ({"measure": "emd", "direction": "query", "price": float("nan")}, ValueError, "price"),
        ({"measure": "emd-hat", "threshold": []}, TypeError, r"threshold is \[\]; expected a num"),
        ({"measure": "sinkhorn", "sinkhorn": 0.05}, TypeError, "sinkhorn is 0.05; expected navvy"),
        (
            {"measure": "sinkhorn", "sinkhorn": navvy.Sinkhorn(lam="a")},
            TypeError,
            "lam is 'a'; expected a number",
        ),
        ({"within": "a"}, TypeError, "within is 'a'; expected a number"),
        ({"mix_bow": "a"}, TypeError, "mix_bow is 'a'; expected a number"),
    ],
)
def test_options_of_a_search(index, histograms, keywords, error, text):
    with pytest.raises(error, match=text):
        index.search(histograms[:1], **{"measure": "act-1"} | keywords)


def test_what_cannot_stop_takes_no_limits(index, histograms):
    for call in (
        lambda: index.distances(histograms[:1], "emd", deadline=1),
        lambda: index.explain(0, 1, max_solves=1),
        lambda: index.evaluate("emd", tops=[1], tolerance=0.1),
    ):
        with pytest.raises(TypeError, match="is for searches; every distance is computed here"):
            call()


def test_options_of_an_evaluation_reach_whom_they_concern(index):
    settings = navvy.Sinkhorn(lam=5)
    both = index.evaluate(["act-1", "sinkhorn"], tops=[1], queries=4, sinkhorn=settings)
    alone = index.evaluate("sinkhorn", tops=[1], queries=4, sinkhorn=settings)
    assert both["sinkhorn"].precision == alone["sinkhorn"].precision
    with pytest.raises(ValueError, match="threshold is for emd-hat, which is not evaluated"):
        index.evaluate(["act-1", "sinkhorn"], tops=[1], threshold=0.1)
    with pytest.raises(ValueError, match="sinkhorn is for sinkhorn, which is not evaluated"):
        index.evaluate(["act-1"], tops=[1], sinkhorn=0)


def test_sinkhorn_that_does_not_converge_warns(index, histograms):
    short = navvy.Sinkhorn(lam=500, max_iterations=2)
    costs = np.random.default_rng(0).random((3, 3))
    for call in (
        lambda: index.search(histograms[:2], k=2, measure="sinkhorn", sinkhorn=short),
        lambda: index.knn(2, "sinkhorn", sinkhorn=short),
        lambda: index.distances(histograms[:2], "sinkhorn", sinkhorn=short),
        lambda: index.distances(
            measure="sinkhorn", query_rows=range(2), rows=range(9), sinkhorn=short
        ),
        lambda: index.explain(0, 1, "sinkhorn", sinkhorn=short),
        lambda: index.evaluate("sinkhorn", tops=[1], queries=3, sinkhorn=short),
        lambda: index.evaluate("sinkhorn", test=(histograms[:2], ["a", "b"]), sinkhorn=short),
        lambda: navvy.gensim.WmdSimilarity(
            [["king", "pear"]], Keyed, measure="sinkhorn", sinkhorn=short
        )[["queen", "apple"]],
        lambda: navvy.sinkhorn([1, 2, 3], [3, 1, 1], costs, settings=short),
    ):
        with pytest.warns(RuntimeWarning, match="stopped at its iteration limit") as caught:
            call()
        assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loose = navvy.Sinkhorn(tolerance=1e-4)
        index.search(histograms[:2], k=2, measure="sinkhorn", sinkhorn=loose)


def test_texts_that_lose_all_their_words_warn():
    texts = ["the king", "the queen", "of the apple"]
    with pytest.warns(UserWarning, match="2 of 3 texts have no word left .* 5 are stop") as caught:
        index = navvy.Index.from_texts(
            texts, Words, stop_words=["the", "king", "queen"], weighting="tf"
        )
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        navvy.Index.from_texts(texts, Words, stop_words=["the", "king"], weighting="tf")
        index.add(["an apple", "turnip"])
    assert len(index.report["empty"]) == 1


def test_texts_that_come_later_warn_as_well(tmp_path):
    index = navvy.Index.from_texts(["king", "the apple"], Words, weighting="bm25")
    index.save(tmp_path / "a.navvy")
    with navvy.Writer(tmp_path / "a.navvy") as writer:
        for call in (
            lambda: index.add(["an apple", "turnip", "parsnip"]),
            lambda: navvy.Index.from_texts(["turnip"], Words, vocabulary=index),
            lambda: writer.add(["turnip", "parsnip"]),
            lambda: writer.update(["turnip"], ["0"]),
        ):
            with pytest.warns(UserWarning, match="have no word left and will never") as caught:
                call()
            assert caught[0].filename == __file__
