"""Words without a vector at points of their own: --unknown-words own."""

import json

import numpy as np
import pytest

TEXTS = ["the navvy dug a canal", "a navvy xylo sang", "songs of the sea", "canal boats xyla"]
WORDS = ["the", "dug", "canal", "sang", "songs", "sea", "boats", "of"]


@pytest.fixture
def vectors(tmp_path):
    points = np.random.default_rng(5).normal(size=(len(WORDS), 30))
    with (tmp_path / "v.txt").open("w") as file:
        for word, point in zip(WORDS, points, strict=True):
            print(word, *(f"{x:.6f}" for x in point), file=file)
    return ["--vectors", "v.txt"]


@pytest.fixture
def build(call, vectors, tmp_path):
    def build(name, texts, *options):
        (tmp_path / "t.txt").write_text("".join(f"{text}\n" for text in texts))
        corpus = ["--corpus", "t.txt", "--format", "lines", "--weighting", "tf"]
        call("build", *corpus, *vectors, *options, "-o", name)
        return name

    return build


def found(call, index, text, *options):
    document = call.json("search", index, "--text", text, "--measure", "rwmd", *options)
    return [(match["row"], match["distance"]) for match in document["queries"][0]["matches"]]


def test_names_are_found_by_themselves(call, build):
    dropped, own = build("d.navvy", TEXTS), build("o.navvy", TEXTS, "--unknown-words", "own")
    assert "navvy" in call.fails(3, "search", dropped, "--text", "navvy")
    matches = found(call, own, "navvy", "--direction", "query")
    assert [row for row, _ in matches[:2]] == [0, 1] and matches[0][1] == matches[1][1] == 0
    # Near to nothing else: about as far as two words that have nothing in common.
    assert all(1 < distance < 1.8 for _, distance in matches[2:])
    # One that stands in no text stays unknown.
    assert "beethoven" in call.fails(3, "search", own, "--text", "beethoven")


def test_points_are_the_same_in_every_index(call, build, vectors, tmp_path):
    whole = build("whole.navvy", TEXTS, "--unknown-words", "own", "--condition", "0")
    first = build("first.navvy", TEXTS[:2], "--unknown-words", "own", "--condition", "0")
    (tmp_path / "rest.txt").write_text("".join(f"{text}\n" for text in TEXTS[2:]))
    call("add", first, "--corpus", "rest.txt", "--format", "lines", *vectors)
    for text in ("navvy canal", "xyla", "xylo songs"):
        assert found(call, first, text) == found(call, whole, text)
    shown = [call.json("info", index) for index in (whole, first)]
    assert shown[0]["v"] == shown[1]["v"]
    # More words for queries come from the vectors file, which has none of the points.
    more = found(call, whole, "navvy canal", *vectors)
    assert more == found(call, whole, "navvy canal")


@pytest.mark.parametrize("edit", ["remove", "update", "compact"])
def test_names_are_unknown_again_when_their_last_row_leaves(call, build, vectors, tmp_path, edit):
    name = build("e.navvy", TEXTS, "--unknown-words", "own", "--query-words", "all")
    before = build("b.navvy", [*TEXTS[:3], "canal boats"], "--unknown-words", "own",
                   "--query-words", "all")  # fmt: skip
    assert found(call, name, "xyla", "--direction", "query")[0] == (3, 0)
    if edit == "update":
        call("update", name, "--corpus", write_row(tmp_path, "3", "canal boats"), *vectors)
    else:
        call("remove", name, "--ids", "3")
    if edit == "compact":
        call("compact", name)
    assert "xyla" in call.fails(3, "search", name, "--text", "xyla")
    answers = [
        call.json("search", index, "--text", "dug xyla", "--measure", "emd", "--top", 1)
        for index in (name, before)
    ]
    assert [answer["queries"][0]["unknown"] for answer in answers] == [["xyla"], ["xyla"]]
    matches = [answer["queries"][0]["matches"] for answer in answers]
    assert matches[0] == matches[1]


def test_names_are_kept_without_vectors_where_the_index_knows_them_all(
    call, build, vectors, tmp_path
):
    more = ["a navvy quux dug", "songs of beethoven"]
    (tmp_path / "more.txt").write_text("".join(f"{text}\n" for text in more))
    added = ["--corpus", "more.txt", "--format", "lines"]
    # What is taken from the vectors would be taken from those of other words with more texts.
    options = ["--unknown-words", "own", "--condition", "0"]
    with_all, without = (
        build("with.navvy", TEXTS, *options),
        build("without.navvy", TEXTS, *options),
    )
    call("add", with_all, *added, *vectors)
    done = call("add", without, *added)
    assert "left out" not in done.stderr
    assert "words with vectors that the index has (30 dimensions)" in done.stdout
    for text in ("quux", "beethoven songs", "navvy canal"):
        assert found(call, without, text) == found(call, with_all, text)
    (tmp_path / "one.txt").write_text("boats quuux\n")
    shown = call("update", without, "--corpus", "one.txt", "--format", "lines").stdout
    assert "1 word with vectors that" in shown and "1 word at a point of its own" in shown
    # Where it does not, what is lost is told.
    part = build("part.navvy", TEXTS, *options, "--query-words", "corpus")
    done = call("add", part, *added)
    assert "whole vectors file: quux, beethoven; with --vectors they get" in done.stderr
    assert (
        "whole vectors" not in call("add", part, *added[2:], "--corpus", "one.txt", *vectors).stderr
    )


def write_row(tmp_path, identity, text):
    (tmp_path / "row.jsonl").write_text(json.dumps({"id": identity, "text": text}) + "\n")
    return "row.jsonl"


def test_what_build_tells_and_refuses(call, build, vectors, tmp_path):
    own = build("o.navvy", TEXTS, "--unknown-words", "own")
    told = call.json(
        "build", "--corpus", "t.txt", "--format", "lines", *vectors, "-o", "p.navvy",
        "--unknown-words", "own",
    )  # fmt: skip
    report = told["report"]
    assert report["own_words"] == 4 and report["unknown_tokens"] == 6  # navvy, xylo, xyla, a
    assert {"word": "navvy", "count": 2} in report["unknown_words"]
    assert call.json("info", own)["properties"]["unknown_words"] == "own"
    plain = build("d.navvy", TEXTS)
    assert "unknown_words" in call.fails(3, "merge", own, plain, "-o", "m.navvy")
    source = ["build", "--corpus", "t.txt", *vectors, "-o", "x.navvy", "--unknown-words"]
    assert "own or drop" in call.fails(2, *source, "mine")
    assert "length 1" in call.fails(2, *source, "own", "--no-normalize")
