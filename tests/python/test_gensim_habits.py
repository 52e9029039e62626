"""What users of gensim's WmdSimilarity do, with the import exchanged: both classes do it here."""

import gzip
import pickle
import unittest
import warnings

import gensim.similarities
import navvy.gensim
import numpy as np
import pytest
from gensim.models import KeyedVectors

pytestmark = pytest.mark.peer("gensim", "gensim")

WORDS = [f"w{i}" for i in range(30)]


@pytest.fixture(scope="module")
def keyed():
    vectors = KeyedVectors(6)
    rng = np.random.default_rng(0)
    vectors.add_vectors(WORDS, rng.normal(size=(30, 6)).astype(np.float32))
    return vectors


@pytest.fixture(scope="module")
def corpus():
    rng = np.random.default_rng(1)
    return [list(rng.choice(WORDS, rng.integers(1, 9))) for _ in range(11)]


@pytest.fixture(params=[navvy.gensim, gensim.similarities], ids=["navvy", "gensim"])
def similarity(request):
    return request.param.WmdSimilarity


def test_a_document_is_most_similar_to_itself(similarity, corpus, keyed):
    index = similarity(corpus, keyed, 3)
    for number, document in enumerate(corpus):
        best = index[document]
        assert best[0] == (number, pytest.approx(1, abs=1e-6))
        values = [value for _, value in best]
        assert len(best) == 3 and values == sorted(values, reverse=True)


def test_the_number_of_answers_may_be_changed(similarity, corpus, keyed):
    index = similarity(corpus, keyed)
    assert index[corpus[0]].shape == (11,)
    for count in (0, 1, 9, 1000):
        index.num_best = count
        assert len(index[corpus[0]]) == min(count, 11)
    index.num_best = None
    assert index[corpus[0]].shape == (11,)


def test_several_queries_are_an_array(similarity, corpus, keyed):
    index = similarity(corpus, keyed, chunksize=4)
    found = index[corpus[:3]]
    assert isinstance(found, np.ndarray) and found.shape == (3, 11)
    for line, query in zip(found, corpus[:3], strict=True):
        np.testing.assert_allclose(line, index[query], atol=1e-6)
    index.num_best = 2
    found = index[corpus[:3]]
    assert [len(best) for best in found] == [2, 2, 2]
    assert [best[0][0] for best in found] == [0, 1, 2]


def test_a_list_of_one_query_is_that_query(similarity, corpus, keyed):
    index = similarity(corpus, keyed)
    assert index[[corpus[4]]].shape == (11,)


def test_numbers_of_documents_are_queries(similarity, corpus, keyed):
    index = similarity(corpus, keyed)
    found = index[np.array([2, 5])]
    np.testing.assert_allclose(found, index[[corpus[2], corpus[5]]], atol=1e-6)
    np.testing.assert_allclose(index.get_similarities(np.array([2])), found[0], atol=1e-6)


def test_get_similarities_asks_for_all(similarity, corpus, keyed):
    index = similarity(corpus, keyed, num_best=2)
    assert index.get_similarities(corpus[0]).shape == (11,)
    assert index.get_similarities(corpus[:2]).shape == (2, 11)


def test_an_empty_query_is_similar_to_nothing(similarity, corpus, keyed):
    assert np.all(similarity(corpus, keyed)[[]] == 0)


@pytest.mark.parametrize("chunksize", [4, 256])
def test_iterating_asks_with_each_document(similarity, corpus, keyed, chunksize):
    index = similarity(corpus, keyed, chunksize=chunksize)
    for number, found in enumerate(index):
        np.testing.assert_allclose(found, index[corpus[number]], atol=1e-6)
        assert found[number] == pytest.approx(1, abs=1e-6)
    assert number == 10


@pytest.mark.differs("gensim takes the number of a document for its words and raises a TypeError")
def test_iterating_in_chunks_of_one(corpus, keyed):
    one = list(navvy.gensim.WmdSimilarity(corpus, keyed, chunksize=1))
    np.testing.assert_array_equal(one, list(navvy.gensim.WmdSimilarity(corpus, keyed)))
    with pytest.raises(TypeError):
        next(iter(gensim.similarities.WmdSimilarity(corpus, keyed, chunksize=1)))


def test_iterating_gives_the_best(similarity, corpus, keyed):
    lists = list(similarity(corpus, keyed, num_best=2))
    assert [best[0][0] for best in lists] == list(range(11))


@pytest.mark.parametrize("name", ["index.pkl", "index.pkl.gz"])
@pytest.mark.parametrize("options", [{}, {"sep_limit": 0}])
def test_saved_and_loaded(similarity, corpus, keyed, tmp_path, name, options):
    index = similarity(corpus, keyed, num_best=4)
    index.save(str(tmp_path / name), **options)
    again = similarity.load(str(tmp_path / name))
    assert again.num_best == 4 and len(again) == 11 and again.corpus == corpus
    np.testing.assert_array_equal(again.index, index.index)
    assert again[corpus[3]] == index[corpus[3]]


def test_a_compressed_file_is_not_mapped(similarity, corpus, keyed, tmp_path):
    similarity(corpus, keyed).save(str(tmp_path / "index.pkl.gz"), sep_limit=0)
    with pytest.raises(IOError):
        similarity.load(str(tmp_path / "index.pkl.gz"), mmap="r")


def test_it_is_pickled(similarity, corpus, keyed):
    index = similarity(corpus, keyed)
    again = pickle.loads(pickle.dumps(index))
    np.testing.assert_array_equal(again[corpus[1]], index[corpus[1]])


def test_it_says_what_it_is(similarity, corpus, keyed):
    assert str(similarity(corpus, keyed)) == "WmdSimilarity<11 docs, 6 features>"


def test_files_are_whole_and_checked(corpus, keyed, tmp_path):
    index = navvy.gensim.WmdSimilarity(corpus, keyed)
    index.save(tmp_path / "a.gz")
    assert gzip.decompress((tmp_path / "a.gz").read_bytes())
    broken = navvy.gensim.WmdSimilarity(corpus, keyed)
    broken.corpus = [lambda: None]  # cannot be pickled
    before = (tmp_path / "a.gz").read_bytes()
    with pytest.raises((AttributeError, pickle.PicklingError)):
        broken.save(tmp_path / "a.gz")
    assert (tmp_path / "a.gz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.gz"]
    (tmp_path / "b").write_bytes(pickle.dumps([1]))
    with pytest.raises(TypeError, match="holds a list; expected a WmdSimilarity"):
        navvy.gensim.WmdSimilarity.load(tmp_path / "b")
    with pytest.raises(ValueError, match="chunksize is 0"):
        navvy.gensim.WmdSimilarity(corpus, keyed, chunksize=0)


@pytest.mark.differs("gensim says infinity where all words lie at one place; they cost nothing")
def test_other_words_at_the_same_place_are_at_distance_zero():
    vectors = KeyedVectors(2)
    vectors.add_vectors(["a", "b"], np.array([[1, 0], [1, 0]], dtype=np.float32))
    assert navvy.gensim.wmdistance(["a"], ["b"], vectors) == 0
    assert vectors.wmdistance(["a"], ["b"]) == np.inf


@pytest.mark.differs("gensim splits it into letters; a string is refused instead")
def test_a_string_is_no_document(keyed):
    with pytest.raises(TypeError, match="expected a list of words"):
        navvy.gensim.WmdSimilarity([["w1"]], keyed)["w1"]
    assert np.all(gensim.similarities.WmdSimilarity([["w1"]], keyed)["w1"] == 0)


@pytest.fixture
def own_tests(monkeypatch):
    """The tests that gensim's package carries, by name, and how each went with a class."""
    tests = pytest.importorskip("gensim.test.test_similarities", reason="without gensim's tests")
    case = tests.TestWmdSimilarity
    # gensim marks the base class as skipped, and unittest what is derived from it as well; and
    # test_num_best calls test_full by the name that it once had.
    monkeypatch.setattr(case, "__unittest_skip__", False, raising=False)
    monkeypatch.setattr(case, "testFull", case.test_full, raising=False)

    def run(similarity):
        monkeypatch.setattr(tests.similarities, "WmdSimilarity", similarity)
        outcomes = {}
        for test in unittest.defaultTestLoader.loadTestsFromTestCase(case):
            result = unittest.TestResult()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gensim asks SciPy by old names
                test.run(result)
            assert result.testsRun == 1
            skipped, broken = result.skipped, result.failures + result.errors
            name = test.id().split(".")[-1]
            outcomes[name] = "skipped" if skipped else broken[0][1] if broken else "passes"
        return outcomes

    return run


def test_gensim_s_own_tests_of_the_class_pass(own_tests):
    outcomes = own_tests(navvy.gensim.WmdSimilarity)
    assert len(outcomes) >= 15 and "test_num_best" in outcomes
    assert outcomes == own_tests(gensim.similarities.WmdSimilarity)
    assert set(outcomes.values()) == {"passes"}


def test_a_broken_class_does_not_pass_gensim_s_own_tests(own_tests):
    """A class that gives too few answers, or that cannot be saved, does not pass."""

    class Broken(navvy.gensim.WmdSimilarity):
        def save(self, *arguments, **keywords):
            raise OSError

        def __getitem__(self, query):
            return super().__getitem__(query) * 0.5

    outcomes = own_tests(Broken)
    failed = {name for name, outcome in outcomes.items() if outcome != "passes"}
    assert {"test_persistency", "test_large", "test_full", "test_num_best"} <= failed
