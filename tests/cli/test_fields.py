"""Fields of rows: kept by build and add, shown by search and info."""

import json

import pytest

HOSTILE = "\x1b[31m\u202egnp"


@pytest.fixture
def vectors(root):
    return root / "data/demo/vectors.bin"


def write_lines(path, documents):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))


@pytest.fixture
def papers(call, tmp_path, vectors):
    documents = [
        {"text": "rockets and planets", "year": 1990, "author": f"Ann {HOSTILE}", "more": [1]},
        {"text": "planets and moons", "year": 1991.5, "day": "1999-12-31", "open": True},
        {"text": "soup and bread", "author": None, "day": "2001-02-03T04:05:06Z"},
    ]
    write_lines(tmp_path / "papers.jsonl", documents)
    kept = [f"--keep-field={name}" for name in ("year", "author", "day", "open")]
    source = ["--corpus", "papers.jsonl", "--vectors", vectors]
    call("build", *source, *kept, "-o", "papers.navvy")
    return tmp_path / "papers.navvy"


def found(call, index, row) -> dict:
    """The fields of a row, as the search for all rows of an index gives them."""
    (query,) = call.json("search", index, "--text", "planets moons soup", "--top", 99)["queries"]
    return {match["row"]: match["fields"] for match in query["matches"]}[row]


def test_answers_have_fields(call, papers):
    assert found(call, papers, 0) == {"year": 1990, "author": f"Ann {HOSTILE}"}
    assert found(call, papers, 1) == {"year": 1991.5, "day": "1999-12-31", "open": "true"}
    assert found(call, papers, 2) == {"day": "2001-02-03T04:05:06Z"}
    shown = call("search", papers, "--text", "planets").stdout
    assert "year: 1990  author: Ann ␛[31m\ufffdgnp\n" in shown
    assert "year: 1991.5  day: 1999-12-31  open: true\n" in shown


def test_info_lists_fields(call, papers):
    shown = call("info", papers).stdout
    assert "field year        number, 2 of 3 rows, 1990 to 1991.5\n" in shown
    assert "field day         date, 2 of 3 rows, 1999-12-31 to 2001-02-03T04:05:06Z\n" in shown
    assert "field author      text, 1 of 3 rows\n" in shown
    fields = {field["name"]: field for field in call.json("info", papers)["fields"]}
    year = {"name": "year", "type": "number", "values": 2, "least": 1990, "most": 1991.5}
    assert fields["year"] == year
    assert fields["open"] == {"name": "open", "type": "text", "values": 1}


def test_edits_carry_fields(call, papers, tmp_path):
    write_lines(tmp_path / "more.jsonl", [{"text": "planets", "year": "2000", "pages": 7}])
    call("add", papers, "--corpus", "more.jsonl", "--keep-field", "pages")
    assert found(call, papers, 3) == {"year": 2000, "pages": 7}
    call("remove", papers, "--ids", "0")
    assert found(call, papers, 0) == {"year": 1991.5, "day": "1999-12-31", "open": "true"}
    call("verify", papers)
    write_lines(tmp_path / "late.jsonl", [{"text": "moons", "year": "soon"}])
    line = call.fails(3, "add", papers, "--corpus", "late.jsonl")
    assert "late.jsonl: line 1: field 'year': found 'soon', expected a number" in line


def test_fields_that_cannot_be_kept(call, papers, tmp_path, vectors):
    def refused(code, corpus, *fields):
        kept = [f"--keep-field={field}" for field in fields]
        return call.fails(
            code, "build", "--corpus", corpus, "--vectors", vectors, *kept, "-o", "x.navvy"
        )

    assert "no object has the field 'pages'" in refused(3, "papers.jsonl", "pages")
    assert "line 1: field 'more' is a list" in refused(3, "papers.jsonl", "more")
    assert "expected a date" in refused(3, "papers.jsonl", "year:date")
    assert "expected NAME or NAME:TYPE" in refused(2, "papers.jsonl", ":date")
    (tmp_path / "lines.txt").write_text("moons\n")
    assert "has no fields" in refused(2, "lines.txt", "year")
    assert not (tmp_path / "x.navvy").exists()


def test_fields_of_arrays(call, data, tmp_path):
    rows = len(data.ids)
    (tmp_path / "rows.csv").write_text(
        "year,place,day\n" + "".join(f"{1900 + i},place {i % 3},\n" for i in range(rows))
    )
    source = ["--histograms", data.folder / "x.npz", "--coordinates", data.folder / "v.npy"]
    call("build", *source, "--fields", "rows.csv", "-o", "all.navvy")
    match = call.json("search", "all.navvy", "--row", 3)["queries"][0]["matches"][0]
    assert match["fields"] == {"year": 1900 + match["row"], "place": f"place {match['row'] % 3}"}

    call("build", *source, "--fields", "rows.csv", "--keep-field", "year:text", "-o", "year.navvy")
    (year,) = call.json("info", "year.navvy")["fields"]
    assert year == {"name": "year", "type": "text", "values": rows}
    call("add", "year.navvy", *source, "--fields", "rows.csv")
    assert call.json("info", "year.navvy")["fields"] == [{**year, "values": 2 * rows}]

    (tmp_path / "few.jsonl").write_text('{"year": 1}\n{"year": 2}\n')
    line = call.fails(3, "build", *source, "--fields", "few.jsonl", "-o", "x.navvy")
    assert f"few.jsonl: 2 records, expected {rows}, one per row" in line
    line = call.fails(2, "build", *source, "--keep-field", "year", "-o", "x.navvy")
    assert "--keep-field needs --corpus or --fields" in line
