"""--report: what the files hold and when they are written. tests/browser looks at the pages."""

import re

import pytest


@pytest.fixture
def digits(call, images):
    source = ["--images", images / "images.idx", "--labels", images / "labels.idx"]
    call("build", *source, "-o", "digits.navvy")
    return "digits.navvy"


def test_figures_are_those_of_the_command(call, digits, tmp_path):
    asked = ["evaluate", digits, "--measures", "rwmd,act-1,emd", "--top", "1,5"]
    document = call.json(*asked, "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    for measure in document["measures"]:
        assert list(measure["precision"]) == ["1", "5"]
        for value in measure["precision"].values():
            assert f"{value:.4f}" in page
    assert "navvy evaluate digits.navvy --measures rwmd,act-1,emd --top 1,5 --report" in page
    plain = call.json(*asked)["measures"]
    assert [m["precision"] for m in plain] == [m["precision"] for m in document["measures"]]


def test_a_report_replaces_only_a_report(call, digits, tmp_path):
    asked = ["evaluate", digits, "--top", "1", "--report"]
    (tmp_path / "mine.html").write_text("<!doctype html>\n<p>my page")
    assert "will not be overwritten" in call.fails(2, *asked, "mine.html")
    assert (tmp_path / "mine.html").read_text().endswith("my page")
    assert "does not exist" in call.fails(2, *asked, "nowhere/page.html")
    for name in ("page.html", "plot.svg"):
        call(*asked, name)
        call(*asked, name)
    assert not list(tmp_path.glob(".*tmp"))


def test_the_command_can_be_typed_again(call, digits, tmp_path):
    (tmp_path / "it's here.navvy").write_bytes((tmp_path / digits).read_bytes())
    call("evaluate", "it's here.navvy", "--top", "1", "--report", "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "navvy evaluate &#39;it&#39;\\&#39;&#39;s here.navvy&#39; --top 1" in page


def test_an_index_keeps_what_build_told(call, texts, root, tmp_path):
    asked = ["--measures", "act-1", "--top", "1", "--report", "page.html"]
    call("evaluate", texts, *asked)
    told = re.search(
        r"<dt>tokens</dt>\s*<dd><bdi>(\d+), of them", (tmp_path / "page.html").read_text()
    )
    assert told and int(told[1]) == 2062
    assert "build_report" not in call("info", texts).stdout
    # After an edit it would no longer be true.
    call("remove", texts, "--ids", "0", "-o", "fewer.navvy")
    assert "build_report" not in call.json("info", "fewer.navvy")["properties"]
    call("evaluate", "fewer.navvy", *asked)
    assert "stop words and" not in (tmp_path / "page.html").read_text()
