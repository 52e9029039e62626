"""Edits in place: many of them, side by side, interrupted, refused, of older files."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest


def write_lines(path, documents):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))


@pytest.fixture
def vectors(root):
    return root / "data/demo/vectors.bin"


@pytest.fixture
def documents(root):
    lines = (root / "data/demo/texts.tsv").read_text().splitlines()
    return [
        dict(zip(("label", "title", "text"), line.split("\t"), strict=True))
        | {"id": f"text-{i}", "year": 1900 + i}
        for i, line in enumerate(lines)
    ]


@pytest.fixture
def build(call, tmp_path, vectors):
    """Builds an index of documents under a name, of which weights do not depend on the others."""

    def build(name, documents, *options, weighting="log"):
        write_lines(tmp_path / "corpus.jsonl", documents)
        source = ["--corpus", "corpus.jsonl", "--vectors", vectors]
        plain = ["--stop-words", "none"]
        call("build", *source, *options, *plain, "--weighting", weighting, "-o", name)
        return tmp_path / name

    return build


@pytest.fixture
def edit(call, tmp_path, vectors):
    """Adds or updates documents; the JSON that tells of it."""

    def edit(verb, name, documents, *options):
        write_lines(tmp_path / "more.jsonl", documents)
        return call.json(verb, name, "--corpus", "more.jsonl", "--vectors", vectors, *options)

    return edit


def answers(call, index) -> tuple[str, bytes]:
    """All that an index answers: matches in full, and the bytes of its graph."""
    found = call.json("search", index, "--row", ":", "--top", 7)["queries"]
    call("knn", index, "--top", 5, "-o", "graph.npz")
    return json.dumps(found), (call.folder / "graph.npz").read_bytes()


def test_edits_answer_as_a_build_at_once(call, build, edit, documents):
    index = build("living.navvy", documents[:40], "--keep-field", "year")
    for begin in range(40, 100, 15):
        told = edit("add", index, documents[begin : begin + 15])
        assert told["added"] == 15 and told["removed"] == 0 and told["n"] == begin + 15
    gone = [document["id"] for document in documents[5:60:7]]
    told = call.json("remove", index, "--ids", *gone)
    assert (told["removed"], told["added"], told["n"]) == (len(gone), 0, 100 - len(gone))
    changed = [documents[i] | {"text": documents[i + 1]["text"]} for i in (0, 41, 99)]
    told = edit("update", index, [*changed, documents[100]])
    assert (told["removed"], told["added"], told["n"]) == (3, 4, 101 - len(gone))
    stay = [d for d in documents[:100] if d["id"] not in {*gone, "text-0", "text-41", "text-99"}]
    expected = build("whole.navvy", [*stay, *changed, documents[100]], "--keep-field", "year")
    assert answers(call, index) == answers(call, expected)
    assert call.json("info", index)["segments"] != call.json("info", expected)["segments"]
    told = call.json("compact", index)
    assert told["segments"] == 1 and told["bytes"] == index.stat().st_size
    assert answers(call, index) == answers(call, expected)
    call("verify", index)


def test_images_and_histograms_are_edited(call, images, data, tmp_path):
    call("build", "--images", images / "images.idx", "-o", "images.navvy")
    call("build", "--images", images / "all.idx", "-o", "all.navvy")
    call("add", "images.navvy", "--images", images / "more.idx")
    assert answers(call, "images.navvy") == answers(call, "all.navvy")
    call("remove", "images.navvy", "--ids", 3, 25)
    call("remove", "all.navvy", "--ids", 3, 25, "-o", "fewer.navvy")
    assert answers(call, "images.navvy") == answers(call, "fewer.navvy")
    (tmp_path / "x.navvy").write_bytes(data.index.read_bytes())
    source = ["--histograms", data.folder / "x.npz", "--coordinates", data.folder / "v.npy"]
    named = ["--labels", data.folder / "labels.txt", "--ids", data.folder / "ids.txt"]
    told = call.json("update", "x.navvy", *source, *named)
    assert (told["n"], told["added"], told["removed"]) == (60, 60, 60)
    assert answers(call, "x.navvy") == answers(call, data.index)


def test_another_output_leaves_the_file_alone(call, build, edit, documents, tmp_path):
    index = build("living.navvy", documents[:50])
    whole = build("whole.navvy", documents[:60])
    before = index.read_bytes()
    edit("add", index, documents[50:60], "-o", "other.navvy")
    assert index.read_bytes() == before
    assert answers(call, "other.navvy") == answers(call, whole)
    assert call.json("info", "other.navvy")["edits"] == 0
    there = sorted(path.name for path in tmp_path.iterdir())
    for code, *arguments in (
        (2, "remove", index, "--ids", "nobody", "-o", "x.navvy"),
        (1, "add", index, "--corpus", "nowhere.jsonl", "-o", "x.navvy"),
        (3, "add", index, "--corpus", "corpus.jsonl", "-o", "other.navvy"),  # ids that are there
        (2, "compact", index, "-o", "nowhere/x.navvy"),
    ):
        call.fails(code, *arguments)
        assert sorted(path.name for path in tmp_path.iterdir()) == there
    assert index.read_bytes() == before
    assert answers(call, "other.navvy") == answers(call, whole)


def test_adds_side_by_side_lose_nothing(call, build, documents, tmp_path):
    index = build("living.navvy", documents[:10])

    def add(number) -> int:
        name = f"part-{number}.jsonl"
        write_lines(tmp_path / name, [documents[10] | {"id": f"new-{number}"}])
        command = [call.path, "add", index, "--corpus", name, "--wait", "600"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True).returncode

    with ThreadPoolExecutor(4) as pool:
        codes = list(pool.map(add, range(48)))
    assert codes == [0] * 48
    call("verify", index)
    found = call.json("search", index, "--text", documents[10]["text"], "--top", 58)["queries"][0]
    ids = {match["id"] for match in found["matches"]}
    assert {f"new-{number}" for number in range(48)} <= ids
    assert call.json("info", index)["n"] == 58


HOLDER = """
import sys, navvy
with navvy.Writer(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_who_holds_the_lock_is_named(call, build, documents):
    pytest.importorskip("navvy", reason="the package is tested from its wheel, by ./dev test")
    index = build("living.navvy", documents[:10])
    before = index.read_bytes()
    command = [sys.executable, "-c", HOLDER, index]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        line = call.fails(1, "remove", index, "--ids", "text-3", "--wait", 0)
        call("search", index, "--row", 0)  # readers are not kept waiting
        holder.stdin.close()
    assert holder.returncode == 0
    assert f"process {holder.pid}" in line or "another process" in line
    if os.access("/proc/locks", os.R_OK):
        assert f"process {holder.pid}" in line
    assert index.read_bytes() == before
    call("remove", index, "--ids", "text-3", "--wait", 0)


def test_frequencies_stay_until_they_are_counted_anew(call, build, edit, documents):
    index = build("living.navvy", documents[:50], weighting="tfidf")
    frozen = build("frozen.navvy", documents[:50], weighting="tfidf")
    told = edit("add", index, documents[50:55])
    assert told["drift"] == pytest.approx(0.1)
    told = edit("add", index, documents[55:])
    assert told["drift"] == pytest.approx(70 / 50)
    # Rows that were there weigh what they weighed.
    assert call("compare", index, 3, 17).stdout == call("compare", frozen, 3, 17).stdout
    shown = call("info", index).stdout
    assert "140 %" in shown and "compact --reweigh" in shown
    done = call("remove", index, "--ids", "text-119")
    assert "navvy: 142 % of the rows" in done.stderr and "compact --reweigh" in done.stderr
    whole = build("whole.navvy", documents[:-1], weighting="tfidf")
    assert answers(call, index) != answers(call, whole)
    compacted = call.json("compact", index)
    assert compacted["drift"] == pytest.approx(71 / 50)
    assert answers(call, index) != answers(call, whole)
    assert call.json("compact", index, "--reweigh")["drift"] == 0
    assert answers(call, index) == answers(call, whole)
    assert "reweigh" not in call("remove", index, "--ids", "text-0").stderr


def test_info_shows_segments(call, build, edit, documents):
    index = build("living.navvy", documents[:50])
    assert "\nsegments" not in call("info", index).stdout
    edit("add", index, documents[50:60])
    call("remove", index, "--ids", "text-1", "text-55")
    shown = call("info", index).stdout
    assert "2 after 2 edits, of 50 + 10 rows, 2 removed\n" in shown
    told = call.json("info", index)
    assert (told["version"], told["edits"], told["leftover"], told["drift"]) == (2, 2, 0, 0)
    counted = [(segment["rows"], segment["removed"]) for segment in told["segments"]]
    assert counted == [(50, 1), (10, 1)]
    assert sum(segment["bytes"] for segment in told["segments"]) < told["bytes"]


def test_what_an_edit_left_over_is_told_and_cleared(call, build, edit, documents):
    index = build("living.navvy", documents[:50])
    edit("add", index, documents[50:60])
    expected = answers(call, index)
    size = index.stat().st_size
    with index.open("ab") as file:
        file.write(b"half of a segment" * 100)
    done = call("verify", index)
    assert done.stdout == f"{index}: sound, 60 rows\n"
    assert "1700 bytes behind its end" in done.stderr and done.stderr.count("\n") == 1
    (found,) = call.json("verify", index)["files"]
    assert found["leftover"] == 1700 and found["sound"] is True
    assert answers(call, index) == expected
    call("remove", index, "--ids", "text-59")
    assert call.json("info", index)["leftover"] == 0
    assert index.stat().st_size < size + 1700
    assert call("verify", index).stderr == ""


def test_a_file_of_version_1_is_edited(call, root, tmp_path):
    index = tmp_path / "old.navvy"
    index.write_bytes((root / "tests/data/index-v1.navvy").read_bytes())
    assert (call.json("info", index)["version"], call.json("info", index)["n"]) == (1, 4)
    query = ["search", index, "--row", 0, "--top", 9]
    matches = call.json(*query)["queries"][0]["matches"]
    assert call.json("remove", index, "--ids", "b")["n"] == 3
    told = call.json("info", index)
    assert (told["version"], told["edits"]) == (2, 1)
    for _ in range(2):
        left = call.json(*query)["queries"][0]["matches"]
        assert [match["id"] for match in left] == ["d"]
        assert left[0] | {"row": 3} == matches[0]
        call("compact", index)


def test_fields_and_filters_outlast_edits(call, build, edit, documents):
    index = build("living.navvy", documents[:50], "--keep-field", "year")
    edit("add", index, [d | {"pages": i} for i, d in enumerate(documents[50:60])])
    edit("add", index, [documents[60] | {"pages": 7}], "--keep-field", "pages")
    edit("update", index, [documents[3] | {"year": 2001}])
    call("remove", index, "--ids", "text-51")

    def found(where):
        query = ["search", index, "--text", documents[0]["text"], "--where", where, "--top", 99]
        return {
            match["id"]: match["fields"] for match in call.json(*query)["queries"][0]["matches"]
        }

    def check():
        late = found("year >= 1949")
        names = {"text-3", *(f"text-{i}" for i in range(49, 61))} - {"text-51"}
        assert set(late) == names
        assert late["text-3"] == {"year": 2001}
        assert found("pages >= 0") == {"text-60": {"year": 1960, "pages": 7}}

    check()
    call("compact", index)
    check()


def test_broken_links_of_a_folder_are_named(call, tmp_path, vectors):
    folder = tmp_path / "texts"
    (folder / "deep").mkdir(parents=True)
    (folder / "a").write_text("rockets and planets")
    (folder / "gone").symlink_to("nowhere")
    (folder / "deep" / "self\x1b").symlink_to("self\x1b")
    source = ["--corpus", "texts", "--vectors", vectors]
    done = call("build", *source, "-o", "x.navvy")
    assert "2 passed over: deep/self␛, gone\n" in done.stdout + done.stderr
    told = call.json("build", *source, "-o", "x.navvy")["report"]
    assert told["documents"] == 1
    assert told["broken_links"] == {"count": 2, "names": ["deep/self\x1b", "gone"]}
    (folder / "a").rename(folder / "b")
    told = call.json("add", "x.navvy", "--corpus", "texts")["report"]
    assert told["broken_links"]["count"] == 2
