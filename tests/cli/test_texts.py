"""Texts and vectors of every form through the real command: read alike, or refused with advice."""

import csv
import gzip
import json
import re
import struct
import subprocess

import numpy as np
import pytest


@pytest.fixture(scope="module")
def words(root):
    """The demo's word vectors, by word, in their order."""
    data = (root / "data/demo/vectors.bin").read_bytes()
    head, _, data = data.partition(b"\n")
    size = 4 * int(head.split()[1])
    found = {}
    while data := data.lstrip(b"\n"):
        word, _, data = data.partition(b" ")
        found[word.decode()] = np.frombuffer(data[:size], "<f4")
        data = data[size:]
    assert len(found) == int(head.split()[0])
    return found


@pytest.fixture(scope="module")
def documents(root):
    lines = (root / "data/demo/texts.tsv").read_text().splitlines()
    fields = ("label", "title", "text")
    return [dict(zip(fields, line.split("\t"), strict=True)) for line in lines]


@pytest.fixture
def vectors(root, tmp_path):
    (tmp_path / "vectors.bin").write_bytes((root / "data/demo/vectors.bin").read_bytes())
    return ["--vectors", "vectors.bin"]


def answers(call, index):
    """All neighbours of all rows."""
    document = call.json("search", index, "--row", ":", "--top", 9)
    return [
        [(match["row"], match["distance"]) for match in query["matches"]]
        for query in document["queries"]
    ]


def write_jsonl(path, documents):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))


# --- vectors -------------------------------------------------------------------------------------


def binary(words, newline):
    head = f"{len(words)} 100\n".encode()
    return head + b"".join(w.encode() + b" " + v.tobytes() + newline for w, v in words.items())


def text(words, head):
    lines = [f"{len(words)} 100"] if head else []
    lines += [f"{word} {' '.join(f'{x:.9g}' for x in v)}" for word, v in words.items()]
    return ("\n".join(lines) + "\n").encode()


def zstd(data):
    return subprocess.run(["zstd", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def test_every_format_of_vectors_gives_the_same_index(call, words, documents, tmp_path):
    write_jsonl(tmp_path / "t.jsonl", documents)
    files = {
        "word2vec binary": binary(words, b"\n"),
        "word2vec binary, no newlines": binary(words, b""),
        "word2vec text, fastText .vec": text(words, head=True),
        "GloVe": text(words, head=False),
    }
    expected = None
    for name, data in files.items():
        for packed in (data, gzip.compress(data, 1), zstd(data)):
            (tmp_path / "v").write_bytes(packed)
            corpus = ["--corpus", "t.jsonl", "--vectors", "v"]
            report = call.json("build", *corpus, "-o", "x.navvy")["report"]
            assert report["vectors"]["words"] == len(words), name
            found = answers(call, "x.navvy")
            expected = expected or found
            assert found == expected, name


def test_words_with_spaces_and_broken_letters(call, documents, tmp_path):
    write_jsonl(tmp_path / "t.jsonl", [{"text": "new york \ufffd"}, {"text": "york"}])
    (tmp_path / "v").write_bytes(b". . . 1 0\nnew 0 1\nyork 1 1\nb\xffd 2 1\n")
    build = ["build", "--corpus", "t.jsonl", "--vectors", "v", "-o", "x.navvy"]
    vectors = call.json(*build)["report"]["vectors"]
    assert (vectors["words"], vectors["broken"], vectors["dimensions"]) == (4, 1, 2)


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"\xba\x16\x4f\x2f" + b"\x0d\0\0\0" * 30, ["fastText model of version 13"]),
        (b"PK\x03\x04" + bytes(60), ["zip", "unpack"]),
        (b"5 100\nthe " + bytes(400) + b"\nof " + bytes(100), ["record 2"]),
        (b"4000000000 300\nthe " + bytes(1200), ["4000000000"]),
        (b"the 1 2 3\nof 1 2\n", ["2"]),
        (b"the 1 nan 3\nof 1 2 3\n", ["line 1"]),
        (b"", ["empty"]),
    ],
)
def test_vectors_that_are_refused(call, data, parts, tmp_path):
    (tmp_path / "t").write_text("the cup\n")
    (tmp_path / "v").write_bytes(data)
    corpus = ["--corpus", "t", "--vectors", "v"]
    line = call.fails(3, "build", *corpus, "-o", "x.navvy")
    assert line.startswith("navvy: v: ") and all(part in line for part in parts)


def test_vectors_are_scaled_unless_asked_not_to(call, tmp_path):
    (tmp_path / "t").write_text("a\nb\n")
    (tmp_path / "v").write_text("a 3 0\nb 0 4\n")
    distance = {}
    for option in ("--stop-words=none", "--no-normalize"):
        call("build", "--corpus", "t", "--vectors", "v", option, "-o", "x.navvy")
        compared = call.json("compare", "x.navvy", 0, 1, "--measures", "emd")
        distance[option] = compared["measures"][0]["distance"]
    assert list(distance.values()) == pytest.approx([2**0.5, 5.0], rel=1e-6)


def test_a_file_of_vectors_is_streamed(call, tmp_path):
    """Ten times the memory that is allowed passes through."""
    record = b" " + struct.pack("<300f", *range(300)) + b"\n"
    with open(tmp_path / "v", "wb") as file:
        file.write(b"100000 300\n")
        for i in range(0, 100_000, 1000):
            file.write(b"".join(b"w%d" % j + record for j in range(i, i + 1000)))
    (tmp_path / "t").write_text("w99999 w5000\n")
    build = ["build", "--corpus", "t", "--vectors", "v", "--token-pattern", r"\w+"]
    build += ["--query-words", "corpus"]
    document = call.json(*build, "-o", "x.navvy", "--memory", "12M")
    assert document["v"] == 2 and document["report"]["vectors"]["words"] == 100_000


# --- corpora -------------------------------------------------------------------------------------


def test_every_form_of_corpus_gives_the_same_index(call, documents, vectors, tmp_path):
    for i, document in enumerate(documents):
        document["id"] = f"{document['label']}/{i:03}"
        file = tmp_path / "folder" / document["id"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(document["text"])
    documents = sorted(documents, key=lambda document: document["id"])
    write_jsonl(tmp_path / "t.jsonl", documents)
    for name, dialect in {"t.csv": "excel", "t.tsv": "excel-tab"}.items():
        with open(tmp_path / name, "w", newline="", encoding="utf-8-sig") as file:
            table = csv.DictWriter(file, list(documents[0]), dialect=dialect)
            table.writeheader()
            table.writerows(documents)
    renamed = [{"n": d["id"], "c": d["label"], "t": d["text"]} for d in documents]
    write_jsonl(tmp_path / "other.jsonl", renamed)
    fields = ["--text-field", "t", "--label-field", "c", "--id-field", "n"]
    expected = None
    for source, more, stdin in (
        ("folder", [], None),
        ("t.jsonl", [], None),
        ("t.csv", [], None),
        ("t.tsv", ["--head-line"], None),
        ("other.jsonl", fields, None),
        ("-", ["--format", "jsonl"], (tmp_path / "t.jsonl").read_text()),
    ):
        build = ["build", "--corpus", source, *more, *vectors, "-o", "x.navvy"]
        report = call.json(*build, **({"input": stdin} if stdin else {}))["report"]
        assert (report["documents"], report["labels"]) == (120, 8), source
        found = call.json("search", "x.navvy", "--row", ":", "--top", 3)["queries"]
        found = [
            [(match["id"], match["label"], match["distance"]) for match in query["matches"]]
            for query in found
        ]
        expected = expected or found
        assert found == expected, source


def test_a_quoted_field_may_hold_anything(call, vectors, tmp_path):
    table = 'text,label\r\n"a ""cup"", tea\r\nand milk",x\r\nmilk,"y\n z"\r\n'
    (tmp_path / "t.csv").write_bytes(table.encode())
    call("build", "--corpus", "t.csv", *vectors, "-o", "x.navvy")
    (answer,) = call.json("search", "x.navvy", "--text", "milk", "--top", 2)["queries"]
    assert {match["label"] for match in answer["matches"]} == {"x", "y\n z"}


@pytest.mark.parametrize(
    ("content", "option", "broken"),
    [
        ("caf\xe9 tea\nmilk\n".encode("latin1"), "utf8", 1),
        ("caf\xe9 tea\nmilk\n".encode("latin1"), "latin1", 0),
        ("\ufeffcaf\xe9 tea\r\nmilk\r\n".encode(), "utf8", 0),
        (b"tea\0cup\nmilk\0\n", "utf8", 0),
    ],
)
def test_bytes_of_all_kinds(call, vectors, content, option, broken, tmp_path):
    (tmp_path / "t").write_bytes(content)
    build = ["build", "--corpus", "t", "--encoding", option, *vectors, "-o", "x.navvy"]
    report = call.json(*build)["report"]
    assert (report["documents"], report["broken_bytes"]) == (2, broken)
    assert report["empty"] == [] and call("verify", "x.navvy")
    unknown = [entry["word"] for entry in report["unknown_words"]]
    assert unknown == {"utf8": ["caf"], "latin1": ["caf\xe9"]}[option] or broken == 0


def test_a_line_of_100_megabytes(call, vectors, tmp_path):
    (tmp_path / "t").write_bytes(b"milk\n" + b"tea " * (25 << 20) + b"\n")
    line = call.fails(3, "build", "--corpus", "t", *vectors, "-o", "x.navvy")
    assert line.startswith("navvy: t: line 2: longer than")


def test_folders_without_texts_and_texts_without_labels(call, vectors, tmp_path):
    (tmp_path / "empty" / "label").mkdir(parents=True)
    assert "empty" in call.fails(3, "build", "--corpus", "empty", *vectors, "-o", "x.navvy")
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "a.txt").write_text("a cup of tea")
    (tmp_path / "flat" / "b.txt").write_text("milk")
    report = call.json("build", "--corpus", "flat", *vectors, "-o", "x.navvy")["report"]
    assert (report["documents"], report["labels"]) == (2, 0)
    (answer,) = call.json("search", "x.navvy", "--text", "tea", "--top", 1)["queries"]
    assert answer["matches"][0]["id"] == "a.txt"
    assert "label" in call.fails(2, "evaluate", "x.navvy", "--top", 1)


def test_nested_folders_have_the_labels_that_are_asked_for(call, vectors, tmp_path):
    for name in ("train/tea/1", "train/tea/2", "train/milk/3", "test/tea/1"):
        file = tmp_path / "root" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a cup of tea")
    labels = {
        (): {"tea": 3, "milk": 1},
        ("--label-depth", "last"): {"tea": 3, "milk": 1},
        ("--label-depth", "1"): {"train": 3, "test": 1},
        ("--label-depth", "2"): {"tea": 3, "milk": 1},
        ("--label-depth", "path"): {"train/tea": 2, "train/milk": 1, "test/tea": 1},
    }
    build = ["build", "--corpus", "root", *vectors, "-o", "x.navvy"]
    for more, expected in labels.items():
        assert call.json(*build, *more)["labels"] == expected
    done = call(*build, "--label-depth", "7")
    assert "no file lies 7 folders deep, so none has a label" in done.stderr
    assert "folders deep" not in call(*build, "--label-depth", "2").stderr
    line = call.fails(2, *build, "--label-depth", "0")
    assert "label depth '0'; expected last (folder), path" in line


def test_labels_of_one_text_each_are_told(call, vectors, tmp_path):
    write_jsonl(tmp_path / "t.jsonl", [{"label": f"l{i}", "text": "tea"} for i in range(12)])
    build = ["build", "--corpus", "t.jsonl", *vectors, "-o", "x.navvy"]
    done = call(*build)
    assert "navvy: 12 of 12 labels have a single row; is it the right --label-depth" in done.stderr
    assert re.search("^labels of one row *12 of 12$", done.stdout, re.MULTILINE)
    assert call.json(*build)["report"]["lone_labels"] == 12
    write_jsonl(tmp_path / "t.jsonl", [{"label": f"l{i % 6}", "text": "tea"} for i in range(12)])
    assert "single row" not in call(*build).stderr


def test_a_list_of_objects_and_paths_of_keys(call, vectors, tmp_path):
    texts = [{"doc": {"body": text, "year": 1990 + i}} for i, text in enumerate(("tea", "milk"))]
    build = ["build", *vectors, "--text-field", "doc.body", "--keep-field", "doc.year"]
    expected = None
    for name, content in {
        "t.jsonl": "".join(json.dumps(text) + "\n" for text in texts),
        "t.json": json.dumps(texts, indent=2),
        "t": json.dumps(texts),
    }.items():
        (tmp_path / name).write_text(content)
        assert call.json(*build, "--corpus", name, "-o", "x.navvy")["n"] == 2
        (answer,) = call.json("search", "x.navvy", "--text", "milk", "--top", 1)["queries"]
        expected = expected or answer["matches"]
        assert answer["matches"] == expected and expected[0]["fields"] == {"doc.year": 1991}
    assert call.json("search", "x.navvy", "--row", 0, "--where", '"doc.year" > 1990')["left"] == 1


@pytest.mark.parametrize(
    ("content", "options", "parts"),
    [
        ("a cup of tea\n".encode("utf-16"), [], ["t: is UTF-16", "iconv"]),
        ("a cup of tea\n".encode("utf-16-be"), [], ["t: is UTF-16", "iconv"]),
        (b'[{"text": "tea"},\n{"body": "tea"}]', [], ["t: line 2: no field 'text'"]),
        (b'{"doc": {}}', ["--text-field", "doc.body"], ["line 1: no field 'doc.body'", "has no"]),
        ("une tasse de th\xe9".encode(), [], ["their own words alone", "same language"]),
        (b"une tasse", ["--unknown-words", "drop"], ["all 1 texts are empty", "language"]),
        (b"the of", ["--stop-words", 100], ["all 1 texts are empty", "stop words"]),
        (b"the qqzz of", ["--as-in-paper"], ["stop words", "fewer stop words, such as none"]),
        (b'{\n  "text": "tea"\n}', [], ["line 1: is no JSON", "whole object on one line"]),
        (b"\xff\xd8\xff\xe0 picture", [], ["t: is a JPEG picture, expected text"]),
        (b"tea", ["--token-pattern", "[0-9]+"], ["all 1 texts are empty", "token pattern"]),
    ],
)
def test_corpora_that_are_refused(call, vectors, content, options, parts, tmp_path):
    (tmp_path / "t").write_bytes(content)
    line = call.fails(3, "build", "--corpus", "t", *vectors, *options, "-o", "x.navvy")
    assert all(part in line for part in parts), line
    assert not (tmp_path / "x.navvy").exists()


def test_texts_without_known_words_are_named_and_never_found(call, vectors, tmp_path):
    lines = [{"id": "known", "text": "tea"}, {"id": "void", "text": "qqq"}, {"id": "", "text": ""}]
    write_jsonl(tmp_path / "t.jsonl", lines + [{"id": "same", "text": "tea qqq"}])
    build = ["build", "--corpus", "t.jsonl", *vectors, "--unknown-words", "drop"]
    report = call.json(*build, "-o", "x.navvy")["report"]
    assert report["empty"] == ["void", "2"] and report["duplicates"] == [["known", "same"]]
    assert report["unknown_words"] == [{"word": "qqq", "count": 2}]
    for measure in ("bow", "wcd", "act-1", "emd", "sinkhorn"):
        question = ["search", "x.navvy", "--text", "milk tea", "--measure", measure, "--top", 4]
        (answer,) = call.json(*question)["queries"]
        assert [match["id"] for match in answer["matches"]] == ["known", "same"]


# --- from a text to a histogram ------------------------------------------------------------------


def test_the_recipe_is_stored_and_queries_follow_it(call, tmp_path):
    (tmp_path / "v").write_text("the 1 0\nTea 0 1\nmilk 1 1\nnew_york 2 1\ncup 1 3\nteas 3 1\n")
    (tmp_path / "t").write_text("the Tea the milk Tea\ncup milk\n")
    (tmp_path / "stop").write_text("the # an article\n")
    build = ["build", "--corpus", "t", "--vectors", "v", "--stop-words", "stop"]
    more = ["--keep-case", "--token-pattern", "[A-Za-z_]+", "--weighting", "log", "--max-bins", 2]
    report = call.json(*build, *more, "-o", "x.navvy")["report"]
    assert (report["stop_tokens"], report["unknown_tokens"]) == (2, 0)
    shown = call("info", "x.navvy").stdout
    for part in (
        "[A-Za-z_]+",
        "log",
        "case              keep",
        "the",
        "utf8",
        "normalized_vectors yes",
    ):
        assert part in shown
    question = ["search", "x.navvy", "--top", 1, "--measure", "emd", "--text"]
    (answer,) = call.json(*question, "The tea, milk of the TEA new_york")["queries"]
    # "tea" and "TEA" are found as "Tea"; phrases are not used.
    assert answer["matches"][0]["row"] == 0 and answer["unknown"] == ["of", "new_york"]


def test_stop_words_and_the_setting_of_the_paper(call, vectors, tmp_path):
    (tmp_path / "t").write_text("a cup of the tea\n")
    (tmp_path / "list").write_text("tea\n")

    def stored(*options):
        call("build", "--corpus", "t", *vectors, *options, "-o", "x.navvy")
        document = call.json("info", "x.navvy")
        return document["v"], document["properties"]["weighting"]

    # "a" has no vector, but a point of its own unless it is dropped.
    assert stored() == stored("--weighting", "bm25", "--stop-words", "none") == (5, "bm25")
    assert stored("--unknown-words", "drop") == (4, "bm25")
    assert stored("--stop-words", "english") == (2, "bm25")  # cup and tea
    assert stored("--weighting", "log") == (2, "log")
    assert stored("--stop-words", "list") == (4, "bm25")
    first = ["--weighting", "tf", "--stop-words", 100]
    assert stored("--as-in-paper") == stored(*first, "--unknown-words", "drop") == (2, "tf")
    assert stored(*first) == stored("--as-in-paper", "--unknown-words", "own") == (3, "tf")
    # What is told beside it counts, on either side of it.
    for paper in (
        ["--as-in-paper", "--weighting", "tfidf"],
        ["--weighting=tfidf", "--as-in-paper"],
    ):
        assert stored(*paper) == (2, "tfidf")
    assert stored("--as-in-paper", "--stop-words", "none") == (4, "tf")
    line = call.fails(2, "build", "--corpus", "t", *vectors, "--stop-words", "lst", "-o", "x.navvy")
    assert "'lst'" in line and "english, none, a number of words or a file" in line


def test_vectors_are_conditioned_as_numpy_does_it(call, words, tmp_path):
    (tmp_path / "t").write_text("beethoven sonata\nrocket\n")
    (tmp_path / "v").write_bytes(binary(words, b"\n"))
    matrix = np.array(list(words.values()), float)
    rest = matrix - matrix.mean(axis=0)
    axes = np.linalg.svd(rest, full_matrices=False)[2][:3]
    rest -= rest @ axes.T @ axes
    rest /= np.linalg.norm(rest, axis=1, keepdims=True)
    places = list(words)
    build = ["build", "--corpus", "t", "--vectors", "v", "-o", "x.navvy"]
    call(*build, "--condition", 3)
    call("export", "x.navvy", "-o", "x.npz")
    with np.load(tmp_path / "x.npz") as exported:
        expected = rest[[places.index(word) for word in exported["words"]]]
        np.testing.assert_allclose(exported["coordinates"], expected, atol=1e-6)
    assert call.json("info", "x.navvy")["properties"]["condition"] == "3"
    assert "condition         3\n" in call("info", "x.navvy").stdout
    call(*build)
    assert call.json("info", "x.navvy")["properties"]["condition"] == "2"
    (tmp_path / "other").write_text("violin\n")
    other = ["build", "--corpus", "other", "--vectors", "v", "-o", "y.navvy"]
    call(*other, "--condition", 1)
    line = call.fails(3, "merge", "x.navvy", "y.navvy", "-o", "z.navvy")
    assert "indexes differ in condition: '2' and '1'" in line
    call(*other, "--as-in-paper")
    assert "condition" not in call.json("info", "y.navvy")["properties"]
    line = call.fails(2, *build, "--condition", 100)
    assert "vectors of 100 dimensions by 100 components" in line


@pytest.mark.parametrize("weighting", ["tf", "log", "tfidf", "bm25", "sif", "norm"])
def test_what_is_added_weighs_as_what_is_there(call, documents, vectors, weighting, tmp_path):
    for i, document in enumerate(documents):
        document["id"] = f"text-{i}"
    write_jsonl(tmp_path / "t.jsonl", documents[:90])
    write_jsonl(tmp_path / "more.jsonl", documents[90:])
    write_jsonl(tmp_path / "all.jsonl", documents)
    recipe = [*vectors, "--weighting", weighting]
    call("build", "--corpus", "t.jsonl", *recipe, "-o", "x.navvy")
    call("add", "x.navvy", "--corpus", "more.jsonl", *vectors)
    call("remove", "x.navvy", "--ids", "text-3")
    call("build", "--corpus", "all.jsonl", *recipe, "-o", "y.navvy")
    call("remove", "y.navvy", "--ids", "text-3")
    frozen = weighting in ("tfidf", "bm25", "sif")
    assert (answers(call, "x.navvy") == answers(call, "y.navvy")) != frozen
    drift = call.json("info", "x.navvy")["drift"]
    assert drift == (pytest.approx(31 / 90) if frozen else 0)
    for name in ("x.navvy", "y.navvy"):
        call("compact", "--reweigh", name)
        call("verify", name)
    assert answers(call, "x.navvy") == answers(call, "y.navvy")


# --- search --------------------------------------------------------------------------------------


def test_a_filter_by_label(call, texts):
    question = ["search", texts, "--text", "the rocket reached orbit", "--top", 5]
    (answer,) = call.json(*question, "--filter", "label=music")["queries"]
    assert {match["label"] for match in answer["matches"]} == {"music"}


def test_two_edits_at_once_never_mix(call, texts, documents, tmp_path):
    """Every change is atomic: readers see the index before or after it, and it is always whole."""
    (tmp_path / "x.navvy").write_bytes(texts.read_bytes())
    for i in range(5):
        process = subprocess.Popen(
            [call.path, "remove", "x.navvy", "--ids", str(i)], cwd=tmp_path, stderr=-1
        )
        while process.poll() is None:
            assert call.json("verify", "x.navvy")["files"][0]["rows"] in (120 - i, 119 - i)
        process.stderr.close()
    assert call.json("info", "x.navvy")["n"] == 115
