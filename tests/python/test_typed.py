"""Texts ask which rows contain their meaning; rows, other indexes and for_="similar" do not."""

import json
import subprocess

import navvy
import navvy.gensim
import numpy as np
import pytest

TEXT = "a concert of chamber music"


@pytest.fixture(scope="module")
def demo(root):
    folder = root / "data" / "demo"
    lines = (folder / "texts.tsv").read_text().splitlines()
    return folder / "vectors.bin", [line.split("\t")[2] for line in lines]


@pytest.fixture(scope="module")
def index(demo):
    vectors, texts = demo
    return navvy.Index.from_texts(texts, vectors)


def asked(matches):
    return matches.measure, matches.direction


def test_texts_ask_for_rows_that_contain_them(index):
    found = index.search(TEXT)
    measure, direction = asked(found)
    assert direction.startswith("mix:")
    for again in (
        index.search([TEXT]),
        index.search(TEXT, for_="contains"),
        index.search(TEXT, measure=measure, direction=direction, mix_bow=found.bow_share),
    ):
        assert asked(again) == asked(found)
        np.testing.assert_array_equal(again.rows, found.rows)
        np.testing.assert_array_equal(again.distances, found.distances)


def test_the_default_is_that_of_the_command(index, request, tmp_path):
    command = request.getfixturevalue("navvy")
    index.save(tmp_path / "texts.navvy")
    words = [command, "search", "texts.navvy", "--text", TEXT, "--top", "7", "--json"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    document = json.loads(done.stdout)
    found = index.search(TEXT, top=7)
    assert (document["measure"], document["direction"]) == asked(found)
    assert document.get("bow_share", 0) == found.bow_share
    matches = document["queries"][0]["matches"]
    assert [match["row"] for match in matches] == found.rows[0].tolist()
    assert [match["distance"] for match in matches] == pytest.approx(found.distances[0], abs=1e-6)


def test_rows_and_indexes_stay_symmetric(index, demo):
    vectors, texts = demo
    other = navvy.Index.from_texts(texts[:3], vectors)
    for found in (
        index.search(rows=[3]),
        index.search(other),
        index.search(TEXT, for_="similar"),
        index.knn_matches(3),
    ):
        assert (*asked(found), found.bow_share) == ("act-1", "symmetric", 0)
    assert index.search(rows=3, for_="contains").direction.startswith("mix:")
    np.testing.assert_array_equal(
        index.search(TEXT, for_="similar").distances,
        index.search(TEXT, 10, "act-1", direction="symmetric").distances,
    )


def test_histograms_are_rows(histograms, coordinates):
    index = navvy.Index.from_histograms(histograms, coordinates)
    assert asked(index.search(histograms[:2])) == ("act-1", "symmetric")
    assert index.search(histograms[:2], for_="contains").direction.startswith("mix:")


def test_what_is_given_counts(index):
    alone = index.search(TEXT, measure="act-3")
    assert (alone.measure, alone.bow_share) == ("act-3", 0)
    assert index.search(TEXT, measure="act-3").direction.startswith("mix:")
    assert asked(index.search(TEXT, direction="rows"))[1] == "rows"
    assert asked(index.search(TEXT, measure="bow")) == ("bow", "symmetric")
    assert asked(index.search(TEXT, measure="emd")) == ("emd", "query")
    assert asked(index.search(TEXT, measure="rwmd", direction="mix:0.5")) == ("rwmd", "mix:0.5")


def test_a_mix_is_the_sum_in_shares(index):
    by_row = {
        direction: dict(zip(found.rows[0], found.distances[0], strict=True))
        for direction in ("query", "rows", "mix:0.25")
        for found in [index.search(TEXT, len(index), "rwmd", direction=direction)]
    }
    for row, distance in by_row["mix:0.25"].items():
        expected = 0.75 * by_row["query"][row] + 0.25 * by_row["rows"][row]
        assert distance == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("share", [0.25, 1])
def test_a_share_of_bow(index, share):
    by_row = [
        dict(zip(found.rows[0], found.distances[0], strict=True))
        for keywords in ({"measure": "rwmd"}, {"measure": "bow"}, {"mix_bow": share})
        for found in [index.search(TEXT, len(index), **keywords)]
    ]
    for row, distance in by_row[2].items():
        expected = (1 - share) * by_row[0][row] + share * by_row[1][row]
        assert distance == pytest.approx(expected, abs=1e-6)


def test_gensims_look_alike_stays_symmetric(index, demo):
    vectors = navvy.load_vectors(demo[0])
    corpus = [text.lower().split() for text in demo[1][:20]]
    similar = navvy.gensim.WmdSimilarity(corpus, vectors, num_best=3)
    [(_, best), *_] = similar[corpus[4]]
    assert best == 1
    [(row, similarity), *_] = similar[corpus[4][:5]]
    expected = navvy.gensim.wmdistance(corpus[4][:5], corpus[row], vectors)
    assert similarity == pytest.approx(1 / (1 + expected), abs=1e-6)


@pytest.mark.parametrize(
    ("keywords", "error", "text"),
    [
        ({"for_": "fun"}, ValueError, "'contains' or 'similar'"),
        ({"mix_bow": 2}, ValueError, "0 to 1"),
        ({"mix_bow": 0.2, "measure": "emd", "for_": "similar"}, ValueError, "bow"),
        ({"direction": "mix:2"}, ValueError, "share 2"),
        ({"measure": 3}, TypeError, "act-1"),
        ({"direction": 3}, TypeError, "direction is 3; expected a name"),
    ],
)
def test_bad_questions_are_refused(index, keywords, error, text):
    with pytest.raises(error, match=text):
        index.search(TEXT, **keywords)
