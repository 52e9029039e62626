"""Edits of files that others read and edit: Writer, refresh, save."""

import os
import subprocess
import sys

import navvy
import numpy as np
import pytest

from .conftest import random_histograms


@pytest.fixture(scope="module")
def demo(root):
    folder = root / "data" / "demo"
    lines = (folder / "texts.tsv").read_text().splitlines()
    labels, titles, texts = map(list, zip(*(line.split("\t") for line in lines), strict=True))
    return folder / "vectors.bin", labels, titles, texts


def names(begin, end):
    return [f"text-{i}" for i in range(begin, end)]


@pytest.fixture
def texts(demo, tmp_path):
    """A file of the first 40 texts."""
    vectors, labels, titles, texts = demo
    path = tmp_path / "texts.navvy"
    index = navvy.Index.from_texts(
        texts[:40], vectors, labels[:40], names(0, 40), titles=titles[:40], weighting="log"
    )
    index.save(path)
    return path


def assert_same(a, b):
    assert list(a.ids) == list(b.ids) and list(a.labels) == list(b.labels)
    np.testing.assert_array_equal(a.distances(), b.distances())
    np.testing.assert_array_equal(
        a.search(rows=[0, 7], top=9).rows, b.search(rows=[0, 7], top=9).rows
    )


def test_texts_are_edited_as_if_built_at_once(demo, texts):
    vectors, labels, titles, all_texts = demo
    with navvy.Writer(texts) as writer:
        assert len(writer) == 40
        writer.add(
            all_texts[40:60],
            labels[40:60],
            names(40, 60),
            titles=titles[40:60],
            vectors=vectors,
        )
        assert len(writer) == 60 and writer.report["documents"] == 20
        writer.remove(names(10, 20))
        writer.remove("text-59")
        ids = ["text-3", "text-60"]
        done = writer.update(
            [all_texts[3], all_texts[60]],
            ids,
            [labels[3], labels[60]],
            titles=[titles[3], titles[60]],
            vectors=vectors,
        )
        assert done == (1, 1) and len(writer) == 50
    rows = [i for i in range(59) if not 10 <= i < 20 and i != 3] + [3, 60]
    expected = navvy.Index.from_texts(
        [all_texts[i] for i in rows],
        vectors,
        [labels[i] for i in rows],
        [f"text-{i}" for i in rows],
        titles=[titles[i] for i in rows],
        weighting="log",
    )
    assert_same(navvy.Index.open(texts), expected)
    with navvy.Writer(texts) as writer:
        writer.compact()
    assert len(navvy.file_facts(texts)["segments"]) == 1
    assert_same(navvy.Index.open(texts), expected)


def test_frequencies_are_counted_anew_when_asked(demo, tmp_path):
    vectors, _, _, texts = demo
    path = tmp_path / "x.navvy"
    navvy.Index.from_texts(texts[:50], vectors, ids=names(0, 50)).save(path)
    with navvy.Writer(path) as writer:
        writer.add(texts[50:], ids=names(50, len(texts)), vectors=vectors)
    assert navvy.file_facts(path)["drift"] == pytest.approx((len(texts) - 50) / 50)
    expected = navvy.Index.from_texts(texts, vectors, ids=names(0, len(texts)))
    assert not np.array_equal(navvy.Index.open(path).distances(), expected.distances())
    with navvy.Writer(path) as writer:
        writer.compact(reweigh=True)
    assert navvy.file_facts(path)["drift"] == 0
    np.testing.assert_array_equal(navvy.Index.open(path).distances(), expected.distances())


def test_images_are_edited(tmp_path):
    images = np.random.default_rng(3).integers(0, 256, (30, 6, 5))
    path = tmp_path / "images.navvy"
    navvy.Index.from_images(images[:20], ids=names(0, 20)).save(path)
    with navvy.Writer(path) as writer:
        writer.add(images[20:], ids=names(20, 30))
        writer.remove(["text-0"])
        assert writer.update(images[5:6], ["text-7"]) == (1, 0)
    rows = [i for i in range(1, 30) if i != 7]
    expected = navvy.Index.from_images(
        images[[*rows, 5]], ids=[*(f"text-{i}" for i in rows), "text-7"]
    )
    found = navvy.Index.open(path)
    assert list(found.ids) == list(expected.ids)
    np.testing.assert_array_equal(found.distances(), expected.distances())


def test_histograms_are_edited(tmp_path, coordinates):
    rows = random_histograms(40)
    path = tmp_path / "x.navvy"
    navvy.Index.from_histograms(rows[:30], coordinates, fields={"n": range(30)}).save(path)
    with navvy.Writer(path, tidy=False) as writer:
        for i in range(30, 40):
            writer.add(rows[i : i + 1], coordinates=coordinates, fields={"n": [i]})
        writer.remove([3, 35])
    facts = navvy.file_facts(path)
    assert (facts["version"], facts["edits"], facts["leftover"], facts["drift"]) == (2, 11, 0, 0)
    assert [segment["rows"] for segment in facts["segments"]] == [30] + [1] * 10
    assert sum(segment["removed"] for segment in facts["segments"]) == 2
    assert facts["bytes"] == path.stat().st_size > facts["unused"] > 0
    stay = [i for i in range(40) if i not in (3, 35)]
    found = navvy.Index.open(path)
    assert list(found.fields["n"]) == stay
    expected = navvy.Index.from_histograms(rows[stay], coordinates)
    np.testing.assert_array_equal(found.distances(), expected.distances())


def test_what_is_refused_changes_nothing(demo, texts):
    before = texts.read_bytes()
    with navvy.Writer(texts) as writer:
        with pytest.raises(ValueError, match="no row has the id 'nobody'"):
            writer.remove(["text-1", "nobody"])
        with pytest.raises(ValueError, match="'text-1'"):
            writer.add(demo[3][:1], ids=["text-1"])
        with pytest.raises(ValueError, match="labels"):
            writer.add(demo[3][:2], ["one"], ["a", "b"])
        assert len(writer) == 40
    assert texts.read_bytes() == before


def test_a_closed_writer_raises(texts):
    with navvy.Writer(texts) as writer:
        pass
    writer.close()
    for use in (
        lambda: len(writer),
        lambda: writer.add(["planets"]),
        lambda: writer.remove(["text-1"]),
        lambda: writer.update(["planets"], ["text-1"]),
        lambda: writer.compact(),
    ):
        with pytest.raises(ValueError, match="the writer is closed"):
            use()


def test_a_writer_that_fails_lets_go(texts):
    with pytest.raises(ZeroDivisionError), navvy.Writer(texts):
        raise ZeroDivisionError
    with navvy.Writer(texts, wait=0) as writer:
        writer.remove("text-1")


def test_the_holder_of_the_lock_is_named(texts, tmp_path):
    with navvy.Writer(texts):
        with pytest.raises(OSError, match=str(os.getpid())):
            navvy.Writer(texts, wait=0)
        assert len(navvy.Index.open(texts)) == 40  # readers are not kept waiting
    with pytest.raises(ValueError, match="wait is -1"):
        navvy.Writer(texts, wait=-1)
    with pytest.raises(OSError, match="nowhere"):
        navvy.Writer(tmp_path / "nowhere.navvy")


def test_readers_keep_their_state_until_they_refresh(texts):
    reader = navvy.Index.open(texts)
    before = reader.distances()
    assert reader.refresh() is False
    with navvy.Writer(texts) as writer:
        writer.remove(names(0, 5))
        assert len(reader) == 40
        np.testing.assert_array_equal(reader.distances(), before)
        assert reader.refresh() is True
        assert len(reader) == 35 and list(reader.ids)[0] == "text-5"
        np.testing.assert_array_equal(reader.distances(), before[5:, 5:])
        assert reader.refresh() is False
        writer.compact()
    assert reader.refresh() is True
    np.testing.assert_array_equal(reader.distances(), before[5:, 5:])
    reader.remove(["text-9"])
    with pytest.raises(ValueError, match="edited since it was opened"):
        reader.refresh()


def test_refresh_needs_a_file(histograms, coordinates):
    with pytest.raises(ValueError, match="not opened from a file"):
        navvy.Index.from_histograms(histograms, coordinates).refresh()


def test_save_does_not_undo_what_others_did(texts, tmp_path):
    index = navvy.Index.open(texts)
    index.remove(["text-0"])
    with navvy.Writer(texts) as writer:
        writer.remove("text-39")
    after = texts.read_bytes()
    link = tmp_path / "link.navvy"
    link.symlink_to(texts)
    for path in (texts, link):
        with pytest.raises(OSError, match="texts.navvy|link.navvy"):
            index.save(path)
    assert texts.read_bytes() == after and link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.navvy", "texts.navvy"]
    index.save(tmp_path / "other.navvy")
    assert len(navvy.Index.open(tmp_path / "other.navvy")) == 39
    # Without others in between, the same index is saved again and again.
    index = navvy.Index.open(texts)
    for name in ("text-1", "text-2"):
        index.remove([name])
        index.save(texts)
    assert len(navvy.Index.open(texts)) == 37


EDITOR = """
import sys, navvy
path, name = sys.argv[1:]
for i in range(12):
    with navvy.Writer(path, wait=600) as writer:
        writer.add(["planets and stars"], ids=[f"{name}-{i}"])
"""


def test_processes_side_by_side_lose_nothing(texts):
    editors = [
        subprocess.Popen([sys.executable, "-c", EDITOR, texts, name]) for name in ("a", "b", "c")
    ]
    reader = navvy.Index.open(texts)
    sizes = [len(reader)]
    while any(editor.poll() is None for editor in editors):
        reader.refresh()
        sizes.append(len(reader))
    assert [editor.returncode for editor in editors] == [0, 0, 0]
    assert sizes == sorted(sizes)  # each edit is seen whole, and none goes away
    reader.refresh()
    expected = {*names(0, 40), *(f"{name}-{i}" for name in "abc" for i in range(12))}
    assert set(reader.ids) == expected and len(reader) == 76
