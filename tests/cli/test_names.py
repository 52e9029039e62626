"""Names from strangers: whatever ids, labels, titles, words and files are called, nothing that a
terminal or a browser would obey comes out, and JSON still says exactly what the names are."""

import csv
import json
import os
import re
import subprocess

import numpy as np
import pytest
import scipy.sparse

CONTROLS = [chr(c) for c in (*range(1, 0x20), 0x7F)]
OTHERS = [
    *map(chr, (0x80, 0x85, 0x9B, 0x9D, 0x9F)),  # C1: 9B begins an escape sequence, 9D a title
    *map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    *map(chr, (0x2028, 0x2029, 0xFFFE, 0xFFFF)),
]
HOSTILE = CONTROLS + OTHERS
OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]"
)
BROKEN = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xe2\x80", b"\x9b"]
# All at once, as the name of a file; its bytes are no UTF-8.
FILE = "it\x1b]0;owned\x07\x1b[31m\r\n\x7f\u009b2J\u202egnp.\u2066\u2028".encode() + b"\xff"


def printed(text: str) -> str:
    """What stands for a text where it is shown."""
    pictures = {c: chr(0x2421 if c == "\x7f" else 0x2400 + ord(c)) for c in CONTROLS}
    return "".join(pictures.get(c, "\ufffd" if c in HOSTILE else c) for c in text)


FILE_SHOWN = printed(FILE[:-1].decode()) + "\ufffd"


class Watched:
    """The command, of whose output every byte is looked at."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def __call__(self, *arguments, code=0, stdin=b"") -> tuple[str, str]:
        words = [a if isinstance(a, bytes) else os.fsencode(str(a)) for a in arguments]
        done = subprocess.run(
            [self.path, *words], cwd=self.folder, capture_output=True, input=stdin
        )
        assert done.returncode == code, (arguments, done.returncode, done.stderr)
        return harmless(done.stdout), harmless(done.stderr)

    def json(self, *arguments, code=0) -> dict:
        out, _ = self(*arguments, "--json", code=code)
        assert out.count("\n") == 1
        return json.loads(out)

    def fails(self, code, *arguments) -> str:
        out, error = self(*arguments, code=code)
        assert out == "" and error.startswith("navvy: ") and error.count("\n") == 1, error
        return error

    def page(self, name) -> str:
        return harmless((self.folder / os.fsdecode(name)).read_bytes())


def harmless(data: bytes) -> str:
    """The text, which must be UTF-8 with nothing to obey in it but the ends of lines."""
    text = data.decode()
    found = OBEYED.search(text)
    assert not found, ascii(text[max(0, found.start() - 60) : found.end() + 20])
    return text


@pytest.fixture
def watched(navvy, tmp_path) -> Watched:
    return Watched(navvy, tmp_path)


def documents() -> list[dict]:
    """A document for each character, which stands in its id, label, title and in a word of it."""
    return [
        {
            "id": f"id{c}{i}",
            "label": f"label{c}{i % 2}",
            "title": f"title{c}{i}",
            "text": f"sonata {'rocket' if i % 2 else 'chopin'} won{c}der",
        }
        for i, c in enumerate(HOSTILE)
    ]


def write_vectors(folder):
    """Vectors for all words; characters that part words in the file or in texts are in none."""
    words = ["sonata", "chopin", "rocket"]
    words += [f"won{c}der" for c in HOSTILE if c not in "\t\n\v\f\r"]
    random = np.random.default_rng(3)
    lines = [f"{word} " + " ".join(f"{x:.3f}" for x in random.random(3)) for word in words]
    (folder / "vectors.txt").write_bytes("".join(line + "\n" for line in lines).encode())


COLUMNS = ["--id-field", "id", "--label-field", "label", "--title-field", "title"]
WORDS = ["--vectors", "vectors.txt", "--token-pattern", r"[^ \t\n\v\f\r]+"]


@pytest.fixture
def texts(watched, tmp_path) -> bytes:
    """An index of the documents, in a file of a hostile name."""
    write_vectors(tmp_path)
    lines = "".join(json.dumps(document) + "\n" for document in documents())
    (tmp_path / "texts.jsonl").write_text(lines)
    out, error = watched("build", "--corpus", "texts.jsonl", *COLUMNS, *WORDS, "-o", FILE)
    assert f"wrote {FILE_SHOWN}\n" in error
    return FILE


def test_every_verb_on_texts(watched, texts):
    given = documents()
    ids = [document["id"] for document in given]
    assert FILE_SHOWN in watched("info", texts)[0]
    assert watched.json("info", texts)["file"] == FILE[:-1].decode() + "\ufffd"
    assert f"{FILE_SHOWN}: sound" in watched("verify", texts)[0]
    watched.json("verify", texts)

    out, _ = watched("search", texts, "--row", "0", "--top", len(ids), "--explain")
    for document in given[1:]:
        assert printed(document["id"]) in out and printed(document["title"]) in out
    asked = ["--row", "0:5", "--top", len(ids), "--explain", "--report", b"search" + FILE]
    found = watched.json("search", texts, *asked)["queries"][0]["matches"]
    assert sorted(match["id"] for match in found) == sorted(ids[1:])
    assert {match["title"] for match in found} == {d["title"] for d in given[1:]}
    page = watched.page(b"search" + FILE)
    assert printed(given[3]["title"]) in page and printed(given[3]["label"]) in page

    watched("search", texts, "--text", "won\u202eder w\x1bhat", "--text", b"won\xff sonata")
    watched("search", texts, stdin=b"won\x1bder\xff sonata\r\n\n\x1b[2J sonata\n")
    watched("search", texts, "--row", ids[1], "--filter", f"label={given[3]['label']}")

    out, _ = watched("compare", texts, ids[26], ids[-1], "--flow", "--report", b"pair" + FILE)
    assert printed("won\x1bder") in out or printed(given[26]["title"]) in out
    watched.page(b"pair" + FILE)
    moves = watched.json("compare", texts, ids[26], ids[40], "--flow", "--moves", 99)["flow"]
    assert "won\x1bder" in {move["from"] for move in moves["moves"]}

    for name in (b"e" + FILE + b".html", b"e" + FILE + b".svg"):
        watched("evaluate", texts, "--measures", "rwmd,act-1", "--top", "1,4", "--report", name)
        watched.page(name)
    watched.json("evaluate", texts, "--measures", "rwmd", "--top", "1")
    assert FILE_SHOWN in watched("knn", texts, "--top", 2, "-o", b"k" + FILE)[1]
    assert FILE_SHOWN in watched("distances", texts, "-o", b"d" + FILE)[1]
    watched.json("knn", texts, "--top", 2, "-o", b"k" + FILE)
    watched.json("distances", texts, "-o", b"d" + FILE)


def test_every_edit(watched, texts, tmp_path):
    more = [document | {"id": "more" + document["id"]} for document in documents()]
    (tmp_path / os.fsdecode(b"m" + FILE)).write_text("".join(json.dumps(d) + "\n" for d in more))
    added = b"added" + FILE
    add = ["add", texts, "--corpus", b"m" + FILE, *COLUMNS, "--format", "jsonl", "-o", added]
    assert FILE_SHOWN in watched(*add)[1]
    watched.json(*add)
    ids = [document["id"] for document in more]
    assert FILE_SHOWN in watched("remove", added, "--ids", *ids[:20])[1]
    watched.json("remove", added, "--ids", *ids[20:30])
    given = [document["id"] for document in documents()]
    watched("remove", texts, "--ids", *given[:-1], "-o", "last.navvy")
    watched("remove", texts, "--ids", *given[1:], "-o", "first.navvy")
    merge = ["merge", "first.navvy", "last.navvy", "-o", b"all" + FILE]
    assert FILE_SHOWN in watched(*merge)[1]
    watched.json(*merge)
    twice = watched.fails(3, "merge", added, "last.navvy", "-o", b"all" + FILE)
    assert f"id '{printed(given[-1])}' stands in both indexes" in twice


def test_other_sources(watched, tmp_path):
    write_vectors(tmp_path)
    with (tmp_path / "texts.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, ["id", "label", "title", "text"], quoting=csv.QUOTE_ALL)
        table.writeheader()
        table.writerows(documents())
    watched("build", "--corpus", "texts.csv", *COLUMNS, "--text-field", "text", *WORDS, "-o", "c")
    watched("search", "c", "--row", ":", "--top", 3, "--explain", "--report", "c.html")
    watched.page("c.html")

    for i, name in enumerate([*(c.encode() for c in HOSTILE), *BROKEN]):
        folder = os.fsencode(tmp_path) + b"/texts/label" + name
        os.makedirs(folder)
        with open(folder + b"/%d" % i + name, "w") as file:
            file.write(f"sonata number {i} won\x1bder")
    watched("build", "--corpus", "texts", *WORDS, "-o", "f")
    watched("build", "--corpus", "texts", *WORDS, "-o", "f", "--json")
    watched("search", "f", "--row", ":", "--top", 3, "--json")
    watched("evaluate", "f", "--measures", "rwmd", "--top", "1", "--report", "f.html")
    out, _ = watched("search", "f", "--row", "0", "--top", 99)
    assert "label\u241b/" in out and "label\ufffd" in out

    rows = len(OTHERS)
    scipy.sparse.save_npz(tmp_path / "x.npz", scipy.sparse.csr_matrix(np.eye(rows)))
    np.save(tmp_path / "v.npy", np.random.default_rng(4).random((rows, 2), dtype=np.float32))
    np.save(tmp_path / "ids.npy", np.array([f"id{c}{i}" for i, c in enumerate(OTHERS)]))
    np.save(tmp_path / "labels.npy", np.array([f"label{c}" for c in OTHERS]))
    arrays = ["--histograms", "x.npz", "--coordinates", "v.npy", "--labels", "labels.npy"]
    watched("build", *arrays, "--ids", "ids.npy", "-o", "x")
    out, _ = watched("search", "x", "--row", rows - 1, "--top", rows)
    for i, c in enumerate(OTHERS[:-1]):
        assert f"id{printed(c)}{i}" in out
    watched("compare", "x", 0, 1, "--flow", "--report", "x.html")
    watched.page("x.html")


def test_error_lines(watched, texts, tmp_path):
    folder = os.fsencode(tmp_path)
    with open(folder + b"/damaged" + FILE, "wb") as file:
        file.write((tmp_path / os.fsdecode(FILE)).read_bytes()[:999])
    with open(folder + b"/broken" + FILE, "wb") as file:
        file.write(b'{"text": "a\x1b"')
    twice = json.dumps({"id": "same\x1b\u202e", "text": "sonata"}) + "\n"
    (tmp_path / "twice.jsonl").write_text(2 * twice)
    missing = b"no" + FILE
    build = ["build", "-o", "y", "--corpus"]
    cases = [
        *[(1, [verb, missing]) for verb in ("info", "search", "verify", "evaluate")],
        (4, ["verify", b"damaged" + FILE]),
        (4, ["info", b"damaged" + FILE]),
        (1, [*build, missing, *WORDS]),
        (1, [*build, "texts.jsonl", "--vectors", missing]),
        (3, [*build, b"broken" + FILE, "--format", "jsonl", *WORDS]),
        (2, ["build", "--corpus", "texts.jsonl", *WORDS, "-o", missing + b"/y"]),
        (2, ["build", "--corpus", "texts.jsonl", *WORDS, "-o", b"broken" + FILE]),
        (2, ["knn", texts, "-o", texts]),
        (2, [FILE]),
        (2, ["info", b"--" + FILE]),
        (2, ["info", texts, FILE]),
        (2, ["knn", texts, "-o", "k", "--top", FILE]),
        (2, ["search", texts, "--row", "0", "--measure", FILE]),
        (2, ["search", texts, "--row", "0", "--memory", FILE]),
        (2, ["search", texts, "--row", "0", "--device", FILE]),
        (2, ["search", texts, "--row", "0", "--filter", FILE]),
        (2, ["search", texts, "--row", "0", "--filter", b"label=" + FILE]),
        (2, ["search", texts, "--row", FILE]),
        (2, ["compare", texts, "0", FILE]),
        (2, ["remove", texts, "--ids", FILE]),
        (2, ["distances", texts, "--rows", FILE, "-o", "d"]),
        (3, [*build, "twice.jsonl", "--id-field", "id", *WORDS]),
        (3, ["search", texts, "--text", b"nothing " + FILE]),
    ]
    shown = 0
    for code, arguments in cases:
        shown += FILE_SHOWN in watched.fails(code, *arguments)
    assert shown > len(cases) // 2  # neutral, but still to be recognised


def test_a_report_has_the_command_to_repeat(watched, texts, tmp_path):
    asked = ["search", texts, "--row", documents()[26]["id"], "--top", "1", "--report"]
    watched(*asked, "page.html")
    command = re.search(r"<pre><code>navvy (.*?)</code>", watched.page("page.html"), re.S)[1]
    command = command.replace("&#39;", "'")
    words = subprocess.run(
        ["bash", "-c", rf"printf '%s\0' {command}"], capture_output=True, check=True
    ).stdout.split(b"\0")
    assert words == [*(a if isinstance(a, bytes) else a.encode() for a in asked), b"page.html", b""]
