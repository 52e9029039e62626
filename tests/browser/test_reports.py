"""The reports as a browser shows them, on a desk and on a phone, by day and by night.

Screenshots of all pages are left in build/screenshots.
"""

import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

WIDTHS = (1280, 390)
HOSTILE = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"

# What is visible of a selector: elements with an area.
VISIBLE = """[...document.querySelectorAll('%s')].filter(e => {
  const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; })"""
# Elements that stick out of the page. What is clipped by a parent does not count as such.
STICKING_OUT = """[...document.querySelectorAll('body *')].filter(e => {
  const r = e.getBoundingClientRect();
  return r.width > 0 && (r.right > innerWidth + 0.5 || r.left < -0.5);
}).map(e => e.tagName + ' ' + e.textContent.slice(0, 40))"""
# Pairs of names in one picture whose boxes overlap by more than a hair.
OVERLAPS = """[...document.querySelectorAll('svg')].flatMap(svg => {
  const names = [...svg.querySelectorAll('text.name, text.word')].map(
    e => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
  const hair = 1;
  return names.flatMap(([a, p], i) => names.slice(i + 1).filter(([, q]) =>
    p.left < q.right && q.left < p.right &&
    p.top + hair < q.bottom && q.top + hair < p.bottom).map(([b]) => a + ' on ' + b));
})"""
# Names that leave the picture they are in.
OUTSIDE = """[...document.querySelectorAll('svg')].flatMap(svg => {
  const s = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text.name')].filter(e => {
    const r = e.getBoundingClientRect();
    return r.left < s.left || r.right > s.right || r.top < s.top || r.bottom > s.bottom;
  }).map(e => e.textContent);
})"""
# Words that leave the bar that shows the room for them.
TOO_WIDE = """[...document.querySelectorAll('g.line')].filter(e => {
  const [bar, word] = ['rect', 'text'].map(n => e.querySelector(n).getBoundingClientRect());
  return word.left < bar.left || word.right > bar.right;
}).map(e => e.textContent)"""


@dataclass
class Page:
    path: Path
    headings: list[str]
    counts: dict[str, int] = field(default_factory=dict)  # visible elements by selector
    words: list[str] = field(default_factory=list)  # somewhere in the text


def run(navvy, folder, *arguments) -> None:
    command = [navvy, *map(str, arguments)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def hostile_corpus(root) -> str:
    """The texts of the demo; some titles, labels and ids mean harm or are endless."""
    lines = []
    for i, line in enumerate((root / "data/demo/texts.tsv").read_text().splitlines()):
        label, title, text = line.split("\t")
        document = {"id": f"text-{i}", "label": label, "title": title, "text": text}
        if i % 3 == 0:
            document["title"] = HOSTILE
        if i % 3 == 1:
            document["title"] = "endless" * 30
        if label == "space":
            document["label"] = "</style></title>space & \u202eecaps"
        lines.append(json.dumps(document) + "\n")
    return "".join(lines)


def build_points(navvy, folder) -> None:
    """Histograms over places on a map, none of them on a grid."""
    random = np.random.default_rng(3)
    np.save(folder / "map.npy", random.random((50, 2)).astype(np.float32) * [30, 10])
    np.save(folder / "rows.npy", random.random((20, 50)) * (random.random((20, 50)) < 0.2))
    arrays = ["--histograms", "rows.npy", "--coordinates", "map.npy"]
    run(navvy, folder, "build", *arrays, "-o", "points.navvy")


@pytest.fixture(scope="module")
def pages(navvy, root, tmp_path_factory) -> dict[str, Page]:
    folder = tmp_path_factory.mktemp("reports")
    demo = root / "data" / "demo"
    images = ["--images", demo / "digits-images.idx3", "--labels", demo / "digits-labels.idx1"]
    run(navvy, folder, "build", *images, "-o", "digits.navvy")
    (folder / "texts.jsonl").write_text(hostile_corpus(root))
    corpus = ["--corpus", "texts.jsonl", "--vectors", demo / "vectors.bin"]
    run(navvy, folder, "build", *corpus, "-o", "texts.navvy")
    measures = ["--measures", "bow,wcd,rwmd,omr,act-1,ict", "--top", "1,16,128"]
    run(navvy, folder, "evaluate", "digits.navvy", *measures, "--report", "digits.html")
    measures = ["--measures", "bow,rwmd,act-1,emd", "--top", "1,5"]
    run(navvy, folder, "evaluate", "texts.navvy", *measures, "--report", "texts.html")
    run(navvy, folder, "compare", "texts.navvy", 91, 90, "--report", "words.html")
    run(navvy, folder, "compare", "digits.navvy", 736, 615, "--report", "pixels.html")
    why = ["--text", f"a beethoven recital in vienna {HOSTILE}", "--explain", "--top", "4"]
    run(navvy, folder, "search", "texts.navvy", *why, "--report", "search.html")
    run(navvy, folder, "search", "digits.navvy", "--row", 736, "--top", 5, "--report", "hits.html")
    build_points(navvy, folder)
    run(navvy, folder, "search", "points.navvy", "--row", 0, "--top", 3, "--report", "points.html")
    run(navvy, folder, "demo", "--report", "demo.html")
    always = ["Measures", "Accuracy against run time", "Where rwmd and act-1 disagree"]
    always += ["Precision @1 by label"]
    always += ["Queries and their neighbours", "The data", "How this was made"]
    return {
        "digits": Page(
            folder / "digits.html",
            ["Nearest neighbours in digits", *always],
            # Disagreements are shown under two measures, the others under all six.
            {
                ".accuracy circle.point": 18,
                ".accuracy text.name": 18,
                ".curves path.curve": 6,
                ".card .answer": 6 * 2 + 3 * 6,
            },
            ["navvy evaluate digits.navvy --measures", "kernels", "1797", "precision @128"],
        ),
        "texts": Page(
            folder / "texts.html",
            ["Nearest neighbours in texts", *always],
            {".accuracy circle.point": 8, ".curves path.curve": 4},
            [HOSTILE, "\u2717 </style></title>space", "stop words", "unknown", "\u2192"],
        ),
        "words": Page(
            folder / "words.html",
            ["What moved where", "Every measure"],
            {"svg.bands": 3, "svg.bands text.word": 78},
            ["What the bound forgets", "The exact plan", "salzburg \u2192 vienna", "act-15"],
        ),
        "pixels": Page(
            folder / "pixels.html",
            ["row 736 and row 615", "What moved where", "Every measure"],
            {"svg.arrows": 3, "svg.picture": 2},
            ["What the bound forgets", "red rings", "The exact plan", "navvy compare"],
        ),
        "search": Page(
            folder / "search.html",
            ["How this was made"],
            {"article.found": 4, "svg.bands": 6, "ol.hits li": 4},
            [HOSTILE, "beethoven", "distance", "navvy search"],
        ),
        "hits": Page(
            folder / "hits.html",
            ["Nearest to row 736", "How this was made"],
            {"ul.hits li": 6, "ul.hits svg.picture": 6, "article.found": 5, "svg.arrows": 6},
            ["query", "distance", "The exact plan"],
        ),
        "points": Page(
            folder / "points.html",
            ["Nearest to row 0", "How this was made"],
            {"ul.hits svg.picture": 4, "svg.arrows": 6, "svg.bands": 0},
            ["every point gives and takes its weight"],
        ),
        "demo": Page(
            folder / "demo.html",
            ["The tour: texts and digits", *always[:4], "The texts", "How this was made"],
            {".accuracy circle.point": 21, ".curves path.curve": 7, "svg.bands": 6},
            [
                "Of 16 questions in other words",
                "Piano in Vienna",
                *("salzburg \u2192 vienna", "1797", "navvy demo"),
            ],
        ),
    }


NAMES = ["digits", "texts", "words", "pixels", "search", "hits", "points", "demo"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", NAMES)
def test_page(browser, pages, root, name, width, scheme):
    page = pages[name]
    browser.open(page.path, width, scheme=scheme)
    browser.screenshot(root / "build" / "screenshots" / f"{name}-{width}-{scheme}.png")
    assert browser.complaints() == []
    shown = browser.ask(f"{VISIBLE % 'h1,h2'}.map(e => e.textContent)")
    assert [heading for heading in page.headings if heading not in shown] == []
    for selector, count in page.counts.items():
        assert browser.ask(f"{VISIBLE % selector}.length") == count, selector
    text = browser.ask("document.body.innerText")
    assert [words for words in page.words if words not in text] == []
    assert browser.ask("document.title") != "taken"
    assert browser.ask("document.documentElement.scrollWidth") <= width
    assert browser.ask(STICKING_OUT) == []
    assert browser.ask(OVERLAPS) == []
    dark = browser.ask("getComputedStyle(document.body).backgroundColor") != "rgb(252, 251, 249)"
    assert dark == (scheme == "dark")


@pytest.mark.parametrize("name", NAMES)
def test_paper_is_white(browser, pages, root, name):
    browser.open(pages[name].path, 800, scheme="dark", media="print")
    browser.screenshot(root / "build" / "screenshots" / f"{name}-print.png")
    assert browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.ask("getComputedStyle(document.body).color") == "rgb(28, 27, 25)"


def test_nothing_is_loaded_and_nothing_runs(pages):
    for page in pages.values():
        text = page.path.read_text()
        assert "default-src 'none'" in text
        assert "<script" not in text and "src=x" not in text.replace("&lt;img src=x", "")


def test_a_picture_alone(browser, pages, navvy, root, tmp_path):
    index = pages["digits"].path.with_suffix(".navvy")
    measures = ["--measures", "bow,rwmd,act-1", "--queries", "100", "--top", "1"]
    run(navvy, tmp_path, "evaluate", index, *measures, "--report", "plot.svg")
    browser.open(tmp_path / "plot.svg", 800)
    assert browser.ask("document.querySelectorAll('circle.point').length") == 3
    assert browser.ask("[...document.querySelectorAll('text.title')].map(e => e.textContent)") == [
        "precision @1"
    ]


@pytest.fixture(scope="module")
def fixed_pages(root, tmp_path_factory) -> Path:
    """A folder of pages whose values do not depend on how fast this machine is."""
    program = root / "build" / "release" / "tests" / "fixed_pages"
    assert program.is_file(), f"{program} is missing: run ./dev build fixed_pages first"
    folder = tmp_path_factory.mktemp("fixed")
    subprocess.run([program, folder], check=True)
    return folder


TIMES = {
    "apart": 7,
    "equal": 7,
    "timeless": 7,
    "rising": 7,
    "falling": 7,
    "crowd": 16,
    "side-by-side": 5,
    "one-far-below": 4,
}


@pytest.mark.parametrize("width", [*WIDTHS, 320])
@pytest.mark.parametrize("name", TIMES)
def test_names_never_touch_whatever_the_times(browser, fixed_pages, root, name, width):
    browser.open(fixed_pages / f"{name}.html", width)
    browser.screenshot(root / "build" / "screenshots" / f"fixed-{name}-{width}.png")
    assert browser.complaints() == []
    assert browser.ask(f"{VISIBLE % '.accuracy text.name'}.length") == 2 * TIMES[name]
    assert browser.ask(STICKING_OUT) == []
    assert browser.ask(OVERLAPS) == []
    assert browser.ask(OUTSIDE) == []


@pytest.mark.parametrize("width", [*WIDTHS, 320])
def test_no_letter_is_wider_than_the_room_for_it(browser, fixed_pages, width):
    browser.open(fixed_pages / "letters.html", width)
    assert browser.ask(f"{VISIBLE % 'g.line'}.length") > 100
    assert browser.ask(TOO_WIDE) == []
