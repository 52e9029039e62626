"""The demo: no file, no network."""

import subprocess

import pytest

MEASURES = ["bow", "wcd", "rwmd", "omr", "act-1", "act-7", "ict"]


@pytest.fixture(scope="module")
def shown(navvy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run([navvy, "demo"], cwd=folder, capture_output=True, text=True, check=True)
    assert [path.name for path in folder.iterdir()] == ["navvy-demo.html"]
    return done.stdout


def test_questions_in_other_words_come_first(shown):
    typed, digits = shown.index("Questions in other words"), shown.index("Handwritten digits")
    assert typed < shown.index("Texts like a text") < digits
    assert "share no word with the text they mean" in shown[typed:digits]
    assert "question: supermarket chain goes broke" in shown[typed:digits]


def test_every_question_is_shown_and_counted(call, root, shown):
    lines = (root / "data" / "demo" / "queries.tsv").read_text().splitlines()
    typed = call.json("demo")["typed"]
    assert [f"{q['means']}\t{q['question']}" for q in typed["questions"]] == lines
    for question in typed["questions"]:
        [line] = [
            line for line in shown.splitlines() if line.startswith(question["question"] + " ")
        ]
        by_words = str(question["rank_by_bow"] or "-")
        assert line.split()[-2:] == [by_words, str(question["rank"])]
    for found in typed["found"]:
        for key, name in (("by_meaning", "rank"), ("by_bow", "rank_by_bow")):
            places = [question[name] for question in typed["questions"] if question[name]]
            assert found[key] == sum(place <= found["among"] for place in places)
    first, among = typed["found"]
    assert (first["among"], among["among"]) == (1, 10)
    told = f"{among['by_meaning']} of {len(lines)} questions and first for {first['by_meaning']}"
    assert told in " ".join(shown.split())
    assert among["by_meaning"] > len(lines) / 2 > among["by_bow"] + 5


def test_the_questions_are_asked_as_a_search_asks_them(call, root):
    demo = root / "data" / "demo"
    columns = ["--label-field", "1", "--title-field", "2", "--text-field", "3", "--no-head-line"]
    source = ["--corpus", demo / "texts.tsv", *columns, "--vectors", demo / "vectors.bin"]
    call("build", *source, "--stop-words", "english", "-o", "texts.navvy")
    typed = call.json("demo")["typed"]
    for question in typed["questions"][:3]:
        asked = ["--text", question["question"], "--top", 120]
        found = call.json("search", "texts.navvy", *asked)
        assert (found["measure"], found["direction"]) == (typed["measure"], typed["direction"])
        titles = [match["title"] for match in found["queries"][0]["matches"]]
        assert titles.index(question["means"]) + 1 == question["rank"]


def test_the_whole_tour(shown):
    for measure in MEASURES:
        assert f"\n{measure}" in shown
    assert "beethoven   chopin" in shown
    assert "CC BY 4.0" in shown and shown.isascii()
    assert "with pictures: navvy-demo.html" in shown


def test_the_numbers(call):
    document = call.json("demo")
    precision = {entry["name"]: entry["precision"]["1"] for entry in document["digits"]}
    assert list(precision) == MEASURES
    assert precision["act-1"] > 0.98 > precision["wcd"]
    assert precision["bow"] > precision["act-1"] - 0.005  # as the tour says
    best = document["text"]["queries"][0]["matches"][0]
    assert best["title"] == "Piano in Vienna" and best["exact"]
    chain = [entry["distance"] for entry in document["bounds"]]
    assert chain == sorted(chain)
