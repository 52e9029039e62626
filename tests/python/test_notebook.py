"""What a notebook shows, what completion offers, what a log tells."""

import base64
import html.parser
import logging
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import navvy
import numpy as np
import pytest


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


class Page(html.parser.HTMLParser):
    """Whether tags close in order, which text there is, and the pictures."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.pictures = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        if tag != "img":
            self.open.append(tag)
            return
        head, data = dict(attributes)["src"].split(",")
        assert head == "data:image/svg+xml;base64"
        self.pictures.append(ElementTree.fromstring(base64.b64decode(data)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def shapes(svg):
    return [element.tag.split("}")[1] for element in svg.iter()]


@pytest.fixture
def images():
    pixels = np.random.default_rng(2).integers(0, 4, (20, 6, 5)).astype(np.uint8)
    return navvy.Index.from_images(pixels, labels=["<b>x</b>", "y"] * 10)


def test_an_index_shows_its_rows(images, histograms, coordinates):
    page = Page(images._repr_html_())
    assert len(page.pictures) == 5 and "15 more rows" in page.texts
    assert "<b>x</b>" in page.texts  # as text, not as markup
    assert page.pictures[0].get("viewBox") == "0 0 5 6" and "path" in shapes(page.pictures[0])
    plain = navvy.Index.from_histograms(histograms, coordinates, ids=["\x1b[31m"] + names(39))
    page = Page(plain._repr_html_())
    assert page.pictures == [] and "30 of 3 dimensions" in page.texts
    assert not any("\x1b" in text for text in page.texts)


def names(count):
    return [f"d{row}" for row in range(count)]


def test_labels_that_are_not_shown_are_not_escaped(histograms, coordinates, monkeypatch):
    labels = [f"<label {row}>" for row in range(40)]
    index = navvy.Index.from_histograms(histograms, coordinates, labels=labels)
    expected, escaped = navvy.notebook.shown, []
    monkeypatch.setattr(
        navvy.notebook, "shown", lambda name: escaped.append(name) or expected(name)
    )
    page = Page(index._repr_html_())
    assert any(text.endswith(", 32 more labels") for text in page.texts)
    assert set(labels) & set(escaped) == set(labels[:8])


def test_matches_show_what_was_found(images):
    matches = images.search(rows=range(7), k=12)
    page = Page(matches._repr_html_())
    assert len(page.pictures) == 50 and page.texts.count("2 more matches") == 5
    assert "2 more queries" in page.texts and f"{matches.distances[0, 0]:.6g}" in page.texts
    unpickled = Page(pickle.loads(pickle.dumps(matches))._repr_html_())
    assert unpickled.pictures == [] and f"{matches.distances[0, 0]:.6g}" in unpickled.texts


def test_explanations_show_pictures_of_flows(images, histograms, coordinates):
    why = images.explain(0, 1)
    (arrows,) = Page(why._repr_html_()).pictures
    assert arrows.get("viewBox") == "-0.5 -0.5 6 7" and "style" in shapes(arrows)
    texts = navvy.Index.from_texts(["A king eats an apple", "A queen with a pear"], Words)
    why = texts.explain(0, 1)
    (bands,) = Page(why._repr_html_()).pictures
    drawn = "".join(bands.itertext())
    assert all(word in drawn for word in ("king", "queen", "apple", "pear"))
    assert pickle.loads(pickle.dumps(why)).picture() == why.picture()
    plane = navvy.Index.from_histograms(histograms, coordinates[:, :2]).explain(0, 1)
    (points,) = Page(plane._repr_html_()).pictures
    assert points.get("viewBox") == "-0.5 -0.5 65 65"
    places = [float(text) for text in re.findall(r'(?:cx|x)="([\d.]+)"', plane.picture())]
    assert places and 0 <= min(places) and max(places) <= 65
    deep = navvy.Index.from_histograms(histograms, coordinates).explain(0, 1)
    assert len(Page(deep._repr_html_()).pictures) == 1


def test_dir_shows_what_users_need():
    listed = dir(navvy)
    assert set(listed) == {*navvy.__all__, *navvy.LATER, "pot", "umap", "__version__"}
    assert all(hasattr(navvy, name) for name in listed)


def test_the_log_tells_what_happens(histograms, coordinates, tmp_path, caplog):
    with caplog.at_level(logging.DEBUG, logger="navvy"):
        index = navvy.Index.from_texts(["A king", "An apple of gold"], Words)
        index.save(tmp_path / "a.navvy")
        navvy.Index.open(tmp_path / "a.navvy").search("queen", k=1)
    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert [level for level, _ in told] == ["INFO", "INFO", "INFO", "DEBUG"]
    assert told[0][1].startswith("read 2 texts: ") and "a.navvy: 2 rows" in told[1][1]
    assert told[3][1].startswith("1 queries under ")


def test_the_log_is_silent_unless_somebody_listens():
    code = (
        "import navvy, numpy as np; i = navvy.Index.from_histograms(np.eye(3), np.arange(3)); "
        "i.search(np.eye(3), k=1)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == done.stderr == ""
