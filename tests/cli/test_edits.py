"""add, remove, merge and verify: an edited index answers as one built at once."""

import json

import pytest


@pytest.fixture
def corpus(tmp_path, root):
    """Two halves of the demo's texts and the whole, as JSON lines with ids."""
    lines = (root / "data/demo/texts.tsv").read_text().splitlines()
    documents = [
        dict(zip(("label", "title", "text"), line.split("\t"), strict=True)) | {"id": f"text-{i}"}
        for i, line in enumerate(lines)
    ]
    parts = {"first": documents[:50], "second": documents[50:], "whole": documents}
    for name, part in parts.items():
        text = "".join(json.dumps(document) + "\n" for document in part)
        (tmp_path / f"{name}.jsonl").write_text(text)
    return root / "data/demo/vectors.bin"


def answers(call, index) -> str:
    return json.dumps(call.json("search", index, "--row", ":", "--top", 5)["queries"])


def build(call, name, vectors):
    source = ["--corpus", f"{name}.jsonl", "--vectors", vectors, "--weighting", "log"]
    call("build", *source, "-o", f"{name}.navvy")


def test_added_texts(call, corpus, tmp_path):
    build(call, "first", corpus)
    build(call, "whole", corpus)
    report = call.json("add", "first.navvy", "--corpus", "second.jsonl", "--vectors", corpus)
    assert report["n"] == 120 and report["report"]["documents"] == 70
    assert (report["added"], report["removed"], report["segments"]) == (70, 0, 2)
    assert report["bytes"] == (tmp_path / "first.navvy").stat().st_size and report["drift"] == 0
    assert answers(call, "first.navvy") == answers(call, "whole.navvy")
    call("verify", "first.navvy")


def test_merged_and_removed_texts(call, corpus, tmp_path):
    for name in ("first", "second", "whole"):
        build(call, name, corpus)
    assert call.json("merge", "first.navvy", "second.navvy", "-o", "both.navvy")["n"] == 120
    assert answers(call, "both.navvy") == answers(call, "whole.navvy")
    (tmp_path / "ids.txt").write_text("".join(f"text-{i}\n" for i in range(50, 118)))
    removed = ["--ids", "text-118", "text-119", "--ids-file", "ids.txt"]
    call("remove", "both.navvy", *removed, "-o", "fewer.navvy")
    assert answers(call, "fewer.navvy") == answers(call, "first.navvy")
    assert "text-118" in call.fails(2, "remove", "fewer.navvy", "--ids", "text-118")
    assert "'text-0'" in call.fails(3, "merge", "first.navvy", "whole.navvy", "-o", "x.navvy")


def test_added_images(call, images):
    call("build", "--images", images / "images.idx", "-o", "part.navvy")
    call("build", "--images", images / "all.idx", "-o", "all.navvy")
    call("add", "part.navvy", "--images", images / "more.idx")
    assert answers(call, "part.navvy") == answers(call, "all.navvy")


def test_a_changed_byte_is_found(call, data, tmp_path):
    whole = data.index.read_bytes()
    for place in range(0, len(whole), len(whole) // 50):
        broken = bytearray(whole)
        broken[place] ^= 0x10
        (tmp_path / "broken.navvy").write_bytes(broken)
        done = call("verify", data.index, "broken.navvy", code=4)
        assert done.stdout == f"{data.index}: sound, 60 rows\n"
        assert done.stderr.startswith("navvy: broken.navvy: ") and done.stderr.count("\n") == 1


def test_verify_names_the_file_whose_parts_disagree(call, data, root):
    odd = root / "tests" / "data" / "index-v1.navvy"  # it has all sections, also those of tfidf
    done = call("verify", data.index, odd, code=4)
    assert done.stderr == f"navvy: {odd}: index: counts of words that no weights depend on\n"


def test_files_that_claim_what_is_not_there_are_refused(call, root, tmp_path):
    """Right checksums, wrong claims; remove, merge and the flow once read past the end of them."""
    files = sorted((root / "tests" / "data" / "refused").glob("*.navvy"))
    assert len(files) == 4
    for file in files:
        (tmp_path / "x.navvy").write_bytes(file.read_bytes())
        for arguments in (
            ("verify", "x.navvy"),
            ("remove", "x.navvy", "--ids", "a"),
            ("compact", "x.navvy"),
            ("merge", "x.navvy", file, "-o", "y.navvy"),
            ("search", "x.navvy", "--row", 0, "--explain"),
            ("compare", "x.navvy", 0, 1, "--flow"),
        ):
            assert call.fails(4, *arguments).startswith("navvy: x.navvy: ")
        assert (tmp_path / "x.navvy").read_bytes() == file.read_bytes()
