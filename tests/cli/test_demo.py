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
    best = document["text"]["queries"][0]["matches"][0]
    assert best["title"] == "Piano in Vienna" and best["exact"]
    chain = [entry["distance"] for entry in document["bounds"]]
    assert chain == sorted(chain)
