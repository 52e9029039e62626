"""Typed texts ask which rows contain their meaning, rows and --for similar which are like them."""

import pytest

TEXT = "a concert of chamber music"


def asked(call, texts, *options):
    document = call.json("search", texts, *options, "--top", 5)
    return document["measure"], document["direction"], document["queries"]


def test_every_way_to_type_asks_the_same(call, texts, tmp_path):
    (tmp_path / "queries.txt").write_text(TEXT + "\n")
    measure, direction, [by_text] = asked(call, texts, "--text", TEXT)
    share = call.json("search", texts, "--text", TEXT)["bow_share"]
    assert direction.startswith("mix:") and 0 < share < 1
    for options, given in (
        (["--queries", "queries.txt"], {}),
        ([], {"input": TEXT + "\n"}),
        (["--text", TEXT, "--for", "contains"], {}),
        (
            ["--text", TEXT, "--measure", measure, "--direction", direction, "--mix-bow", share],
            {},
        ),
    ):
        document = call.json("search", texts, *options, "--top", 5, **given)
        assert (document["measure"], document["direction"]) == (measure, direction)
        assert document["queries"][0]["matches"] == by_text["matches"]


def test_lines_that_nobody_knows_are_counted(call, texts):
    for lines, count in (
        ("qwertyuiop", "1 of 1 queries"),
        ("qwertyuiop\n" + TEXT + "\nasdfgh", "2 of 3 queries"),
    ):
        done = call("search", texts, "--top", 1, input=lines + "\n", code=3)
        assert done.stderr.splitlines()[-1] == f"navvy: {count} had no known word"


def test_rows_and_similar_texts_keep_the_symmetric_measure(call, texts):
    for options in (["--row", 3], ["--text", TEXT, "--for", "similar"]):
        assert asked(call, texts, *options)[:2] == ("act-1", "symmetric")
    assert asked(call, texts, "--row", 3, "--for", "contains")[1].startswith("mix:")


def test_what_is_given_counts(call, texts):
    assert asked(call, texts, "--text", TEXT, "--measure", "act-3")[0] == "act-3"
    assert asked(call, texts, "--text", TEXT, "--direction", "rows")[1] == "rows"
    assert asked(call, texts, "--text", TEXT, "--measure", "bow")[1] == "symmetric"
    assert "bow_share" not in call.json("search", texts, "--text", TEXT, "--measure", "rwmd")


@pytest.mark.parametrize("share", [0.25, 1])
def test_a_share_of_bow_is_reported_as_what_it_is(call, texts, share):
    alone, words, mixed = (
        call.json("search", texts, "--text", TEXT, "--top", 200, *options)
        for options in (["--measure", "rwmd"], ["--measure", "bow"], ["--mix-bow", share])
    )
    assert mixed["bow_share"] == share and "bow_share" not in alone
    by_row = [
        {match["row"]: match["distance"] for match in document["queries"][0]["matches"]}
        for document in (alone, words)
    ]
    for match in mixed["queries"][0]["matches"]:
        sum_in_shares = (1 - share) * by_row[0][match["row"]] + share * by_row[1][match["row"]]
        assert match["distance"] == pytest.approx(sum_in_shares, abs=1e-6)


def test_people_are_told_what_the_distance_is(call, texts, tmp_path):
    asked = "rwmd, mix:0.3, with 0.7 of bow (no bound of emd)"
    search = ["search", texts, "--text", TEXT, "--top", 2]
    assert call(*search, "--report", "page.html").stdout.endswith(f"distance: {asked}\n")
    assert f"Under {asked}, with what moved where" in (tmp_path / "page.html").read_text()
    for alone in (["--measure", "rwmd"], ["--mix-bow", 0], ["--for", "similar"]):
        assert "bow" not in call(*search, *alone).stdout


def test_one_way_is_told_with_its_price(call, texts, tmp_path):
    search = ["search", texts, "--text", TEXT, "--top", 2]
    shown = call(*search, "--measure", "WMD", "--report", "page.html").stdout
    assert shown.endswith("distance: emd, one way: query, price 2\n")
    page = (tmp_path / "page.html").read_text()
    assert "Under emd, one way: query, price 2, with what moved" in page
    # Pictures show plans between wholes: another distance than that of the list.
    assert "<h3>symmetric emd: " in page and "<h3>emd: " not in page
    shown = call(*search, "--measure", "rwmd").stdout
    assert shown.endswith("distance: rwmd, mix:0.3\n")
    for whole in (["--for", "similar"], ["--measure", "bow"], ["--direction", "Symmetric"]):
        assert "distance: " not in call(*search, "--mix-bow", 0, *whole).stdout


@pytest.mark.parametrize(("mix", "way"), [("mix:0", "query"), ("mix:1", "rows")])
@pytest.mark.parametrize("measure", ["act-1", "emd"])
def test_the_ends_of_a_mix_are_one_way(call, texts, tmp_path, measure, mix, way):
    for name in (mix, way):
        of = ["--measure", measure, "--direction", name, "--top", 3]
        call("distances", texts, *of[:4], "--query-rows", "0:20", "-o", f"{name}.npy")
        call("knn", texts, *of, "-o", f"{name}.npz")
    for end in ("npy", "npz"):
        found = [(tmp_path / f"{name}.{end}").read_bytes() for name in (mix, way)]
        assert found[0] == found[1]
    for query in (["--text", TEXT], ["--row", 3]):
        of = ["search", texts, *query, "--measure", measure, "--top", 200, "--direction"]
        found = [call.json(*of, name) for name in (mix, way)]
        assert found[0]["direction"] == found[1]["direction"] == way
        assert found[0]["queries"][0]["matches"] == found[1]["queries"][0]["matches"]


def test_purposes_and_shares_that_are_none(call, texts):
    assert "contains or similar" in call.fails(2, "search", texts, "--text", TEXT, "--for", "fun")
    assert "0 to 1" in call.fails(2, "search", texts, "--text", TEXT, "--mix-bow", "2")
    for query in (["--text", TEXT], ["--row", 3]):
        line = call.fails(2, "search", texts, *query, "--threshold", 1)
        assert "takes no threshold" in line
    mixed = ["--measure", "emd", "--for", "similar", "--mix-bow", "0.2"]
    assert "bow" in call.fails(2, "search", texts, "--text", TEXT, *mixed)
