"""search and knn: the right rows in the right order, and why."""

import csv
import json
import subprocess

import numpy as np
import pytest
import scipy.sparse


def rows_of(query: dict) -> list[int]:
    return [match["row"] for match in query["matches"]]


@pytest.fixture
def matrix(call, data, tmp_path):
    """All distances under act-1, a row infinitely far from itself."""
    call("distances", data.index, "-o", "all.npy")
    values = np.load(tmp_path / "all.npy")
    np.fill_diagonal(values, np.inf)
    return values


def test_answers_as_csv_and_tsv(call, data, tmp_path):
    """With names that need quotes; numbers are those of the JSON."""
    ids = [f'a "name", {i}' if i % 2 else f"tab\there {i}" for i in range(len(data.ids))]
    np.save(tmp_path / "ids.npy", np.array(ids))
    source = ["--histograms", data.folder / "x.npz", "--coordinates", data.folder / "v.npy"]
    named = ["--labels", data.folder / "labels.txt", "--ids", "ids.npy"]
    call("build", *source, *named, "-o", "n.navvy")
    question = ["search", "n.navvy", "--row", "0:3", "--top", 4]
    expected = [
        {
            "query": ids[query["query"]],
            **{name: match[name] for name in ("rank", "row", "id", "label", "distance")},
            **{"measure": "act-1", "direction": "symmetric", "bow_share": "0"},
        }
        for query in call.json(*question)["queries"]
        for match in query["matches"]
    ]
    shown = call(*question, "--print", "csv").stdout
    assert '"a ""name"", 1"' in shown and "tab\u2409here 0" in shown
    for name, dialect in {
        "csv": {},
        "tsv": {"delimiter": "\t", "quoting": csv.QUOTE_NONE},
    }.items():
        table = csv.DictReader(call(*question, "--print", name).stdout.splitlines(), **dialect)
        found = [
            {
                **row,
                "rank": int(row["rank"]),
                "row": int(row["row"]),
                "distance": float(row["distance"]),
            }
            for row in table
        ]
        assert found == [
            {
                key: value.replace("\t", "\u2409") if key in ("query", "id") else value
                for key, value in row.items()
            }
            for row in expected
        ]
    document = json.loads(call(*question, "--print", "json").stdout)
    assert document["queries"] == call.json(*question)["queries"]
    assert call(*question, "--print", "text").stdout == call(*question).stdout
    assert "unknown output 'xml'; expected" in call.fails(2, *question, "--print", "xml")
    assert "--json" in call.fails(2, *question, "--print", "csv", "--json")
    bounds = call(*question, "--print", "csv", "--measure", "emd").stdout.splitlines()
    assert bounds[0] == (
        "query,rank,row,id,label,distance,lower,upper,exact,measure,direction,bow_share"
    )
    assert len(bounds) == 13
    assert all(line.endswith(",true,emd,symmetric,0") for line in bounds[1:])


def test_lines_have_one_head(call, texts):
    done = call("search", texts, "--top", 1, "--print", "tsv", input="milk qqq\nmusic, sweet\n")
    head, *lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert head[:8] == ["query", "rank", "row", "id", "label", "distance", "title", "unknown"]
    assert head[8:] == ["measure", "direction", "bow_share"]
    assert [line[:2] + line[7:] for line in lines] == [
        ["milk qqq", "1", "qqq", "rwmd", "mix:0.3", "0.7"],
        ["music, sweet", "1", "", "rwmd", "mix:0.3", "0.7"],
    ]


def test_a_number_is_no_file_of_queries(call, data):
    for name in ("--query-file", "--queries"):
        line = call.fails(2, "search", data.index, name, "5")
        assert "expected a file of queries; --row 5 asks with a row" in line


def test_rows_as_queries(call, data, matrix):
    document = call.json("search", data.index, "--row", 7, "--row", "row-9", "--row", "20:22")
    assert document["measure"] == "act-1"
    assert [query["query"] for query in document["queries"]] == [7, 9, 20, 21]
    for query in document["queries"]:
        expected = np.argsort(matrix[query["query"]], kind="stable")[:10]
        assert rows_of(query) == expected.tolist()
    first = document["queries"][0]["matches"][0]
    assert first["rank"] == 1 and first["id"] == data.ids[first["row"]]
    assert first["label"] == data.labels[first["row"]]
    assert first["distance"] == pytest.approx(matrix[7].min(), rel=1e-6)


def test_a_filter_leaves_the_order_of_the_rest(call, data, matrix):
    document = call.json("search", data.index, "--row", 7, "--filter", "label=group 1", "--top", 5)
    wanted = [row for row in np.argsort(matrix[7], kind="stable") if data.labels[row] == "group 1"]
    assert rows_of(document["queries"][0]) == wanted[:5]


def test_more_than_there_are(call, data):
    matches = call.json("search", data.index, "--row", 0, "--top", 500)["queries"][0]["matches"]
    assert sorted(match["row"] for match in matches) == list(range(1, 60))


def test_exact_answers_carry_their_proof(call, data):
    document = call.json("search", data.index, "--row", 0, "--measure", "emd", "--top", 3)
    (query,) = document["queries"]
    for found in query["matches"]:
        assert found["exact"] and found["lower"] == found["distance"] == found["upper"]
    assert query["proof"]["certain"] == 3 and 3 <= query["proof"]["solves"] <= 59
    shown = call("search", data.index, "--row", 0, "--measure", "emd", "--top", 3).stdout
    assert "proven: these are the nearest of 59 rows" in shown


def test_a_search_that_stops_early_claims_no_more_than_it_knows(call, data):
    question = ["search", data.index, "--row", 0, "--measure", "emd"]
    truth = {
        match["row"]: match["distance"]
        for match in call.json(*question, "--top", 59)["queries"][0]["matches"]
    }
    (query,) = call.json(*question, "--top", 5, "--max-solves", 1)["queries"]
    assert len(query["matches"]) == 5 and query["proof"]["solves"] <= 1
    assert not all(match["exact"] for match in query["matches"])
    for match in query["matches"]:
        assert match["lower"] <= truth[match["row"]] + 1e-9
        assert truth[match["row"]] <= match["upper"] + 1e-9
    call(*question, "--deadline", "1ms")
    assert "duration '5x'" in call.fails(2, *question, "--deadline", "5x")


def test_a_filter_under_emd(call, data):
    document = call.json(
        *("search", data.index, "--row", 7, "--measure", "emd", "--filter", "label=group 1"),
        *("--top", 4),
    )
    (query,) = document["queries"]
    assert len(query["matches"]) == 4 and 7 not in rows_of(query)
    assert all(data.labels[row] == "group 1" for row in rows_of(query))


def test_histograms_from_a_file(call, data):
    source = ["--queries", data.folder / "x.npz", "--coordinates", data.folder / "v.npy"]
    document = call.json("search", data.index, *source, "--top", 1)
    assert [rows_of(query) for query in document["queries"]] == [[row] for row in range(60)]
    assert all(query["matches"][0]["distance"] == 0 for query in document["queries"])
    assert "--coordinates" in call.fails(2, "search", data.index, *source[:2])


def test_images_from_a_file_may_use_new_pixels(call, images):
    """The distances are those of an index that has the queries as rows."""
    call("build", "--images", images / "images.idx", "-o", "part.navvy")
    call("build", "--images", images / "all.idx", "-o", "all.navvy")
    asked = call.json("search", "part.navvy", "--queries", images / "more.idx", "--top", 20)
    known = call.json("search", "all.navvy", "--row", "20:", "--top", 29)
    for new, row in zip(asked["queries"], known["queries"], strict=True):
        distance = {match["row"]: match["distance"] for match in row["matches"]}
        assert len(new["matches"]) == 20
        for match in new["matches"]:
            assert match["distance"] == distance[match["row"]]


def test_a_text_explains_itself(call, texts):
    query = "The goalkeeper saved a penalty in the last nanoseconds"
    done = call("search", texts, "--text", query, "--top", 2, "--explain")
    assert "football" in done.stdout and "same: " in done.stdout and "->" in done.stdout
    document = call.json("search", texts, "--text", query, "--top", 2, "--explain")
    (answer,) = document["queries"]
    assert answer["query"] == query and answer["unknown"] == ["nanoseconds"]
    best = answer["matches"][0]
    assert best["label"] == "football" and best["title"] and best["snippet"]
    assert sum(move["share"] for move in best["moves"]) <= 1 + 1e-9
    assert any(move["from"] == "goalkeeper" for move in best["moves"])


def test_unknown_words(call, texts):
    done = call("search", texts, "--text", "penalty qwertyuiop", "--top", 1)
    assert "without words that have no vector: qwertyuiop\n" in done.stdout
    assert "qwertyuiop" in call.fails(3, "search", texts, "--text", "qwertyuiop asdfgh")


def test_one_query_per_line(call, texts):
    lines = "penalty goal\n\nqwertyuiop\nviolin recital\r\n"
    done = call("search", texts, "--top", 1, "--json", input=lines, code=3)
    documents = [json.loads(line) for line in done.stdout.splitlines()]
    queries = [document["queries"][0] for document in documents]
    assert [query["query"] for query in queries] == ["penalty goal", "qwertyuiop", "violin recital"]
    assert [len(query["matches"]) for query in queries] == [1, 0, 1]
    assert queries[2]["matches"][0]["label"] == "music"


def test_a_file_of_texts(call, texts, tmp_path):
    (tmp_path / "q.jsonl").write_text(
        '{"id": "one", "text": "violin recital"}\n{"id": "two", "text": "fuel for the rocket"}\n'
    )
    document = call.json("search", texts, "--queries", "q.jsonl", "--top", 1)
    assert [query["query"] for query in document["queries"]] == ["one", "two"]
    assert [query["matches"][0]["label"] for query in document["queries"]] == ["music", "space"]


def test_a_graph_of_neighbours(call, data, matrix, tmp_path):
    call("knn", data.index, "--top", 4, "-o", "g.npz")
    graph = scipy.sparse.load_npz(tmp_path / "g.npz")
    assert graph.shape == (60, 60) and graph.nnz == 240
    for row in range(60):
        part = slice(graph.indptr[row], graph.indptr[row + 1])
        expected = np.argsort(matrix[row], kind="stable")[:4]
        assert graph.indices[part].tolist() == expected.tolist()
        np.testing.assert_allclose(graph.data[part], matrix[row][expected], rtol=1e-6)


def test_a_graph_keeps_distances_of_zero(call, tmp_path):
    np.save(tmp_path / "x.npy", np.ones((3, 2)))
    np.save(tmp_path / "v.npy", np.eye(2))
    call("build", "--histograms", "x.npy", "--coordinates", "v.npy", "-o", "x.navvy")
    call("knn", "x.navvy", "--top", 2, "-o", "g.npz")
    assert scipy.sparse.load_npz(tmp_path / "g.npz").nnz == 6


def test_each_query_without_an_answer_is_named(call, texts, tmp_path):
    (tmp_path / "q.txt").write_text("qqq\nmilk\nzzz\n")
    asked = ["search", texts, "--query-file", "q.txt", "--top", 1, "--print", "csv"]
    done = call(*asked, code=3)
    assert len(done.stdout.splitlines()) == 2
    unknown = "no word of the query is known to the index"
    assert done.stderr.splitlines() == [
        f"navvy: query '0': {unknown}: qqq",
        f"navvy: query '2': {unknown}: zzz",
        "navvy: 2 of 3 queries have no answer",
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_queries_in_utf16_are_refused(call, texts, tmp_path, encoding):
    (tmp_path / "q.txt").write_bytes("a cup of tea\n".encode(encoding))
    with (tmp_path / "q.txt").open() as lines:
        search = [call.path, "search", texts, "--top", "1"]
        done = subprocess.run(search, stdin=lines, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert "UTF-16" in done.stderr and "iconv" in done.stderr
    assert "q.txt: is UTF-16" in call.fails(3, "search", texts, "--query-file", "q.txt")


def test_a_file_that_is_no_text_is_no_query(call, texts):
    line = call.fails(3, "search", texts, "--query-file", texts)
    assert "is a navvy index, expected text" in line
