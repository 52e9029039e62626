"""PNG and JPEG pictures: what becomes of their pixels is what Pillow and plain loops say."""

import json

import numpy as np
import pytest
from PIL import Image, ImageOps

from .conftest import idx_bytes

WIDTH, HEIGHT = 13, 10


@pytest.fixture
def scene():
    """A picture of colours with transparency, an array (line, column, channel)."""
    random = np.random.default_rng(8)
    smooth = np.cumsum(np.cumsum(random.integers(0, 6, (HEIGHT, WIDTH, 4)), axis=0), axis=1)
    return (smooth % 256).astype(np.uint8)


def weights(call, path, tmp_path, *options):
    """The rows of an index of pictures as ink, scaled to sum 1: (id, {place: weight})."""
    call("build", "--images", path, *options, "-o", "x.navvy")
    call("export", "x.navvy", "-o", "x.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    return [(row["id"], {tuple(bin[:-1]): bin[-1] for bin in row["bins"]}) for row in rows]


def expect(found, ink):
    """One row is this ink, an array (line, column) or (line, column, channel)."""
    places = {}
    for place in np.argwhere(ink):
        key = tuple(map(int, place))
        places[(*key[:2], *(8 * part for part in key[2:]))] = float(ink[tuple(place)]) / ink.sum()
    assert found.keys() == places.keys()
    for place, weight in places.items():
        assert found[place] == pytest.approx(weight, rel=1e-5)


def grey_of(rgb):
    parts = rgb[..., :3].astype(int)
    return (parts @ np.array([299, 587, 114]) + 500) // 1000


def means(values, width, height):
    """Area means by blowing up to a common multiple of the sizes."""
    lines, columns = values.shape
    large = values.repeat(height, axis=0).repeat(width, axis=1).astype(np.int64)
    sums = large.reshape(height, lines, width, columns).sum(axis=(1, 3))
    return (sums + lines * columns // 2) // (lines * columns)


@pytest.mark.parametrize("mode", ["L", "RGB", "P", "1", "I;16", "LA", "RGBA", "jpeg", "jpeg L"])
def test_grey_is_what_pillow_sees(call, tmp_path, scene, mode):
    rgb = Image.fromarray(scene[..., :3])
    path = tmp_path / ("x.jpg" if "jpeg" in mode else "x.png")
    alpha = np.full((HEIGHT, WIDTH), 255)
    if mode == "I;16":
        wide = grey_of(scene).astype(np.uint16) * 257 + 100
        Image.fromarray(wide).save(path)
        ink = grey_of(scene)
    elif "A" in mode:
        picture = Image.fromarray(scene if mode == "RGBA" else scene[..., 2:])
        picture.save(path)
        ink = grey_of(np.asarray(picture.convert("RGBA")))
        alpha = scene[..., 3].astype(int)
    else:
        picture = rgb.convert("L") if mode == "jpeg L" else rgb
        picture = picture if "jpeg" in mode else picture.convert(mode)
        picture.save(path)
        ink = grey_of(np.asarray(Image.open(path).convert("RGB")))
    [(name, found)] = weights(call, path.name, tmp_path)
    assert name == path.name
    expect(found, (ink * alpha + 127) // 255)
    [(_, found)] = weights(call, path.name, tmp_path, "--invert")
    expect(found, ((255 - ink) * alpha + 127) // 255)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_orientation_of_a_jpeg_is_obeyed(call, tmp_path, scene, orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    Image.fromarray(scene[..., :3]).save(tmp_path / "x.jpg", exif=exif, progressive=True)
    turned = ImageOps.exif_transpose(Image.open(tmp_path / "x.jpg"))
    [(_, found)] = weights(call, "x.jpg", tmp_path)
    expect(found, grey_of(np.asarray(turned)))


@pytest.mark.parametrize("size", [(13, 5), (4, 3), (20, 17), (1, 1), (5, 10)])
def test_pictures_are_resized_by_area(call, tmp_path, scene, size):
    Image.fromarray(scene[..., :3]).save(tmp_path / "x.png")
    [(_, found)] = weights(call, "x.png", tmp_path, "--resize", f"{size[0]}x{size[1]}")
    expect(found, means(grey_of(scene), *size))
    [(_, found)] = weights(call, "x.png", tmp_path, "--resize", f"{size[0]}x{size[1]}", "--colour")
    expect(found, np.dstack([means(scene[..., channel], *size) for channel in range(3)]))


@pytest.fixture
def digits(tmp_path):
    """Pictures of strokes, dark on white, in folders by class; their inks as an array."""
    inks = np.zeros((12, 9, 9), dtype=np.uint8)
    for i, ink in enumerate(inks):
        ink[1:8, 2 + i % 4] = 250 - i
        if i >= 6:
            ink[4, 1:8] = 240
        folder = tmp_path / "digits" / ("cross" if i >= 6 else "line")
        folder.mkdir(parents=True, exist_ok=True)
        picture = Image.fromarray(255 - ink)
        picture.save(folder / f"{i:02}.png")
    (tmp_path / "all.idx").write_bytes(idx_bytes(inks))
    return tmp_path / "digits"


def test_a_folder_is_searched_like_an_idx_file(call, tmp_path, digits):
    build = ["build", "--images", digits, "--invert", "-o", "x.navvy"]
    built = call.json(*build)
    assert built["n"] == 12 and built["labels"] == {"cross": 6, "line": 6}
    assert built["properties"]["inverted"] == "yes"
    call("build", "--images", "all.idx", "-o", "idx.navvy")
    distances = {}
    for name in ("x", "idx"):
        call("distances", f"{name}.navvy", "--measure", "act-1", "-o", f"{name}.npy")
        distances[name] = np.load(tmp_path / f"{name}.npy")
    order = [int(i) for i in np.argsort([i < 6 for i in range(12)], kind="stable")]
    np.testing.assert_array_equal(distances["x"], distances["idx"][np.ix_(order, order)])
    # A picture asks like those that the index is made of, and so does a folder.
    found = call.json("search", "x.navvy", "--query-file", digits / "line" / "03.png", "--top", 1)
    assert found["queries"][0]["query"] == "03.png"
    assert found["queries"][0]["matches"][0]["id"] == "line/03.png"
    assert found["queries"][0]["matches"][0]["distance"] == 0
    found = call.json("search", "x.navvy", "--query-file", digits / "cross", "--top", 1)
    assert [query["matches"][0]["id"] for query in found["queries"]] == [
        f"cross/{i:02}.png" for i in range(6, 12)
    ]
    # An index of IDX images is asked by a drawing, which says of itself that dark counts.
    found = call.json(
        "search", "idx.navvy", "--query-file", digits / "cross" / "07.png", "--invert", "--top", 1
    )
    assert found["queries"][0]["matches"][0]["row"] == 7


def test_more_pictures_are_made_as_the_index_was(call, tmp_path, digits):
    whole = call.json("build", "--images", digits, "--invert", "--resize", "6x6", "-o", "x.navvy")
    call("build", "--images", digits / "line", "--invert", "--resize", "6x6", "-o", "y.navvy")
    call("add", "y.navvy", "--images", digits / "cross")
    assert call.json("info", "y.navvy")["n"] == whole["n"] == 12
    found = call.json("search", "y.navvy", "--query-file", digits / "cross" / "09.png", "--top", 1)
    assert found["queries"][0]["matches"][0]["distance"] == 0
    assert whole["properties"]["width"] == "6" and whole["properties"]["resized"] == "yes"


def test_folders_of_one_picture_each_are_told(call, tmp_path, digits):
    for picture in list(digits.glob("*/*.png")):
        (digits / picture.stem).mkdir()
        picture.rename(digits / picture.stem / picture.name)
    told = "navvy: 12 of 12 labels have a single row; is it the right --label-depth"
    assert told in call("build", "--images", digits, "-o", "x.navvy").stderr


def test_colours_are_apart(call, tmp_path):
    for name, colour in {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255)}.items():
        picture = np.zeros((4, 4, 3), dtype=np.uint8)
        picture[1, 2] = colour
        Image.fromarray(picture).save(tmp_path / f"{name}.png")
    (tmp_path / "pictures").mkdir()
    for name in ("red", "green", "blue"):
        (tmp_path / f"{name}.png").rename(tmp_path / "pictures" / f"{name}.png")
    built = call.json("build", "--images", "pictures", "--colour", "-o", "x.navvy")
    assert built["m"] == 3 and built["properties"]["channel_distance"] == "8"
    call("distances", "x.navvy", "--measure", "emd", "-o", "d.npy")
    # blue, green, red: from green it is 8 pixels to either
    assert np.load(tmp_path / "d.npy").tolist() == [[0, 8, 16], [8, 0, 8], [16, 8, 0]]
    moved = call("compare", "x.navvy", "red.png", "green.png").stdout
    assert "act-1" in moved
    call("search", "x.navvy", "--row", 0, "--explain", "--report", "page.html")
    assert "(1,2) blue" in call("search", "x.navvy", "--row", 0, "--explain").stdout
    found = call.json("search", "x.navvy", "--query-file", "pictures/red.png", "--top", 1)
    assert found["queries"][0]["matches"][0]["id"] == "red.png"


def test_a_blank_query_is_named(call, tmp_path, digits):
    call("build", "--images", digits, "-o", "x.navvy")
    (tmp_path / "asked").mkdir()
    Image.fromarray(np.zeros((9, 9), dtype=np.uint8)).save(tmp_path / "asked" / "blank.png")
    line = call.fails(3, "search", "x.navvy", "--query-file", "asked")
    assert "query 'blank.png' is empty" in line


def test_what_is_refused(call, tmp_path, digits):
    picture = digits / "line" / "00.png"
    data = picture.read_bytes()
    build = ["build", "--images", digits, "-o", "x.navvy"]
    picture.write_bytes(data[:-20])
    assert "00.png: is no whole PNG picture" in call.fails(3, *build)
    Image.fromarray(np.zeros((4, 5), dtype=np.uint8)).save(picture)
    assert "a picture of 5x4 pixels, expected 9x9" in call.fails(3, *build)
    assert "such as 28x28" in call.fails(2, *build, "--resize", "28")
    assert "such as 28x28" in call.fails(2, *build, "--resize", "0x4")
    picture.write_text("hello")
    assert "expected a PNG or JPEG picture" in call.fails(3, *build)
    picture.unlink()
    Image.fromarray(np.zeros((3, 3, 3), dtype=np.uint8)).convert("CMYK").save(tmp_path / "c.jpg")
    assert "CMYK" in call.fails(3, "build", "--images", "c.jpg", "-o", "x.navvy")
    call(*build)
    Image.fromarray(np.full((4, 5), 9, dtype=np.uint8)).save(tmp_path / "small.png")
    assert "small.png: 5x4 pixels, expected 9x9 as in the index; --resize" in call.fails(
        3, "search", "x.navvy", "--query-file", "small.png"
    )
    call("search", "x.navvy", "--query-file", "small.png", "--resize", "9x9")
