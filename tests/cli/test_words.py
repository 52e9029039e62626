"""Words beyond the corpus: kept by build, known to queries, and named where nobody knows them."""

import json

import numpy as np
import pytest

WORDS = ["the", "of", "cat", "dog", "runs", "fast", "slow", "fish", "Paris", "sea"]
TEXTS = ["the cat runs", "fish of the sea", "the fast sea"]


@pytest.fixture
def built(call, tmp_path):
    """Builds x.navvy and returns its report."""
    random = np.random.default_rng(7)
    lines = [f"{w} " + " ".join(f"{x:.6f}" for x in random.normal(size=8)) for w in WORDS]
    (tmp_path / "v.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n")

    def build(*options, texts="texts.txt", output="x.navvy"):
        source = ["--corpus", texts, "--vectors", "v.txt", "--stop-words", 2]
        source += ["--weighting", "tf"]
        return call.json("build", *source, "-o", output, *options)["report"]

    return build


def distances(call, index, text, *options):
    found = call.json("search", index, "--text", text, *options)["queries"][0]
    return {match["row"]: match["distance"] for match in found["matches"]}


def test_the_build_says_how_many_are_kept(call, built):
    assert built()["query_words"] == 4  # the, of, dog, slow; "Paris" is no token in lower case
    assert call.json("info", "x.navvy")["query_words"] == 4
    assert "4 beyond the corpus" in call("info", "x.navvy").stdout
    assert built("--query-words", 4)["query_words"] == 3
    assert built("--query-words", "all")["query_words"] == 4
    assert built("--query-words", "corpus")["query_words"] == 0
    assert "beyond the corpus" not in call("info", "x.navvy").stdout
    built("--as-in-paper")
    assert call.json("info", "x.navvy")["query_words"] == 0
    line = call.fails(
        2, "build", "--corpus", "texts.txt", "--vectors", "v.txt", "-o", "y", "--query-words", "few"
    )
    assert "words for queries are 'few'; expected a number, all or corpus" in line


@pytest.mark.parametrize("measure", ["rwmd", "act-1", "bow", "wcd", "emd", "sinkhorn"])
def test_they_count_as_if_a_text_had_them(call, built, tmp_path, measure):
    built()
    (tmp_path / "more.txt").write_text("\n".join([*TEXTS, "slow dog"]) + "\n")
    built(texts="more.txt", output="more.navvy")
    # One way, emd has a price that depends on all rows.
    asked = ["a slow dog in the sea", "--measure", measure, "--direction", "symmetric"]
    few = distances(call, "x.navvy", *asked)
    many = distances(call, "more.navvy", *asked)
    assert len(few) == 3
    assert few == {row: many[row] for row in few}


def test_unknown_words_are_named_in_every_answer(call, built, tmp_path):
    built()
    query = ["search", "x.navvy", "--text", "beethoven dog"]
    answer = call.json(*query)["queries"][0]
    assert answer["unknown"] == ["beethoven"] and len(answer["matches"]) == 3
    assert call.json("search", "x.navvy", "--text", "dog")["queries"][0]["unknown"] == []
    assert "unknown" not in call.json("search", "x.navvy", "--row", 0)["queries"][0]
    assert "without words that have no vector: beethoven" in call(*query).stdout
    assert "proven, without: beethoven: these are" in call(*query, "--measure", "emd").stdout
    assert "proven: these are" in call("search", "x.navvy", "--text", "dog", "--measure=emd").stdout
    lines = call("search", "x.navvy", "--json", input="a slow dog\nbeethoven cat\n").stdout
    unknown = [json.loads(line)["queries"][0]["unknown"] for line in lines.splitlines()]
    assert unknown == [["a"], ["beethoven"]]
    (tmp_path / "q.jsonl").write_text('{"text": "dog"}\n{"text": "mozart sea"}\n')
    queries = call.json("search", "x.navvy", "--queries", "q.jsonl")["queries"]
    assert [query["unknown"] for query in queries] == [[], ["mozart"]]


def test_more_words_come_with_a_file(call, built, tmp_path):
    built("--query-words", "corpus")
    query = ["search", "x.navvy", "--text", "dog sea"]
    assert call.json(*query)["queries"][0]["unknown"] == ["dog"]
    answer = call.json(*query, "--vectors", "v.txt")["queries"][0]
    assert answer["unknown"] == []
    built()
    assert answer["matches"] == call.json(*query)["queries"][0]["matches"]
    lines = call("search", "x.navvy", "--vectors", "v.txt", "--json", input="slow\n").stdout
    assert json.loads(lines)["queries"][0]["unknown"] == []
    text = (tmp_path / "v.txt").read_text()
    (tmp_path / "w.txt").write_text(text.replace("cat ", "tac ").replace("dog ", "cat "))
    line = call.fails(3, *query, "--vectors", "w.txt")
    assert "w.txt: the word 'cat' of the index has another place or vector here" in line


def test_a_short_text_is_shown_once(call, built):
    built()
    shown = call("search", "x.navvy", "--text", "cat", "--top", 1).stdout
    assert shown.count("the cat runs") == 1


def test_queries_without_an_answer_are_named_among_others(call, built, tmp_path):
    built()
    queries = [{"id": "q1", "text": "dog"}, {"id": "q2", "text": "mozart"}, {"text": "?!"}]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries))
    asked = ["search", "x.navvy", "--query-file", "q.jsonl", "--top", 1]
    done = call(*asked, code=3)
    assert done.stderr.startswith("navvy: query 'q2': no word of the query is known")
    assert done.stderr.endswith("mozart (and 1 more without an answer)\n")
    told = [line for line in done.stdout.splitlines() if "query" in line]
    assert told == [
        *("query q1", "query q2", "no word of the query is known to the index: mozart", "query 2"),
        "the query has no words, or stop words alone; expected a word of the index",
    ]
    alone = call("search", "x.navvy", "--text", "mozart", code=3)
    assert alone.stdout == "" and alone.stderr.startswith("navvy: no word of the query")
    assert "1 of 2 queries had" in call("search", "x.navvy", input="mozart\ndog\n", code=3).stderr


def test_explanations_and_pages_show_them(call, built, tmp_path):
    built()
    query = ["search", "x.navvy", "--text", "slow dog", "--explain"]
    moves = call.json(*query)["queries"][0]["matches"][0]["moves"]
    assert {move["from"] for move in moves} <= {"slow", "dog"}
    call(*query, "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "slow" in page and "without words" not in page
    call("search", "x.navvy", "--text", "dog <mozart>", "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "without words that have no vector: <bdi>mozart</bdi>" in page
    call("search", "x.navvy", "--text", "dog", "--measure", "emd", "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "Under emd, one way: query, price 2" in page and "scaled to the same mass" in page


def test_edits_keep_them(call, built, tmp_path):
    built()
    (tmp_path / "new.txt").write_text("dog\n")
    report = call.json("add", "x.navvy", "--corpus", "new.txt")["report"]
    assert report["unknown_tokens"] == 0
    assert call.json("info", "x.navvy")["query_words"] == 3
    assert distances(call, "x.navvy", "dog")[3] == 0
    call("remove", "x.navvy", "--ids", "3")
    call("compact", "x.navvy")
    assert call.json("info", "x.navvy")["query_words"] == 4
    call("verify", "x.navvy")


def test_merging_joins_them(call, built, tmp_path):
    built("--query-words", 4)
    (tmp_path / "other.jsonl").write_text('{"id": "p", "text": "slow"}\n')
    built(texts="other.jsonl", output="y.navvy")
    call("merge", "x.navvy", "y.navvy", "-o", "z.navvy")
    assert call.json("info", "z.navvy")["query_words"] == 3  # the, of, dog
    assert call.json("search", "z.navvy", "--text", "dog slow")["queries"][0]["unknown"] == []


def test_damage_shows_when_they_are_asked_for(call, built, tmp_path):
    built()
    whole = (tmp_path / "x.navvy").read_bytes()
    at = whole.index(b"theofdogslow")
    (tmp_path / "x.navvy").write_bytes(whole[:at] + b"X" + whole[at + 1 :])
    assert distances(call, "x.navvy", "cat")[0] >= 0
    for command in (["search", "x.navvy", "--text", "dog"], ["verify", "x.navvy"]):
        line = call.fails(4, *command)
        assert line.startswith("navvy: x.navvy: byte ") and "section of kind 35" in line


def test_stop_words_in_utf16_are_refused(call, built, tmp_path):
    built()
    (tmp_path / "stop.txt").write_bytes("the\nof\n".encode("utf-16"))
    build = ["build", "--corpus", "texts.txt", "--vectors", "v.txt", "--stop-words", "stop.txt"]
    assert "stop.txt: is UTF-16" in call.fails(3, *build, "-o", "y.navvy")


def test_numbers_are_words(call, root, tmp_path):
    (tmp_path / "t").write_text("boeing 747 in orbit\nboeing in orbit\nairbus a380\n")
    build = ["build", "--corpus", "t", "--vectors", root / "data/demo/vectors.bin"]

    def found(text):
        answer = call.json("search", "x.navvy", "--text", text, "--top", 1)["queries"][0]
        return answer["matches"][0]["row"], answer["unknown"]

    call(*build, "-o", "x.navvy")
    assert found("747") == found("boeing 747") == (0, [])
    assert found("A380") == (2, [])
    assert found("airbus 380") == (2, ["380"])
    for letters in (["--as-in-paper", "--unknown-words", "own"], ["--token-pattern", "letters"]):
        call(*build, *letters, "-o", "x.navvy")
        assert call.json("info", "x.navvy")["properties"]["tokens"] == "letters"
        assert "the query has no words" in call.fails(3, "search", "x.navvy", "--text", "747")
