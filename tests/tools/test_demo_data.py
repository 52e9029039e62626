"""The embedded data of `navvy demo`: complete, consistent, and made by the script beside it."""

import importlib.util
import struct
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "data" / "demo"
EMBEDDED = [
    "digits-images.idx3",
    "digits-labels.idx1",
    "texts.tsv",
    "queries.tsv",
    "vectors.bin",
]
MADE = ["digits-images.idx3", "digits-labels.idx1", "stopwords.txt", "vectors.bin"]
MAX_BYTES = 1_200_000


def load_generator():
    spec = importlib.util.spec_from_file_location("make_demo_data", DEMO / "make_demo_data.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generator = load_generator()


@pytest.fixture(scope="module")
def texts():
    return generator.read_texts(DEMO / "texts.tsv")


@pytest.fixture(scope="module")
def vectors():
    return generator.read_vectors(DEMO / "vectors.bin")


def test_generator_reproduces_the_files():
    data = generator.default_data_dir()
    if not (data / "vectors").is_dir():
        pytest.skip(f"needs the public data sets in {data} or in NAVVY_DATA")
    made = generator.make(data)
    assert sorted(made) == MADE
    for name, content in made.items():
        assert content == (DEMO / name).read_bytes(), f"{name} differs: run make_demo_data.py"


def test_command_carries_the_files():
    command = ROOT / "build" / "release" / "navvy"
    if not command.is_file():
        pytest.skip(f"{command.relative_to(ROOT)} is not built")
    binary = command.read_bytes()
    for name in EMBEDDED:
        assert (DEMO / name).read_bytes() in binary, f"{name} is missing from the command"


def test_eight_topics_of_fifteen_texts(texts):
    counts = Counter(topic for topic, _, _ in texts)
    assert len(counts) == 8
    assert set(counts.values()) == {15}


def test_texts_are_distinct_and_short(texts):
    for column in (1, 2):
        repeated = [value for value, n in Counter(row[column] for row in texts).items() if n > 1]
        assert not repeated
    for _, title, text in texts:
        assert 12 <= len(text.split()) <= 35, title


@pytest.fixture(scope="module")
def queries():
    return generator.read_queries(DEMO / "queries.tsv")


def test_queries_share_no_word_with_the_text_they_mean(texts, queries):
    stop_words = (DEMO / "stopwords.txt").read_text().splitlines()
    by_title = {
        title: (topic, set(generator.words_of(f"{title} {text}"))) for topic, title, text in texts
    }
    assert set(Counter(by_title[title][0] for title, _ in queries).values()) == {2}
    for title, query in queries:
        words = set(generator.words_of(query)) - set(stop_words)
        assert words and not words & by_title[title][1], query


def test_vectors_cover_the_words_and_nothing_else(texts, queries, vectors):
    wanted = {word for _, title, text in texts for word in generator.words_of(title + " " + text)}
    wanted.update(word for _, query in queries for word in generator.words_of(query))
    wanted.update(generator.read_extra_words(DEMO / "extra-words.txt"))
    wanted.update((DEMO / "stopwords.txt").read_text().splitlines())
    assert wanted == vectors[1].keys()


def test_vectors_are_finite_and_distinct(vectors):
    dimensions, raw = vectors
    table = np.frombuffer(b"".join(raw.values()), "<f4").reshape(len(raw), dimensions)
    assert dimensions == 100
    assert np.isfinite(table).all()
    assert len(np.unique(table, axis=0)) == len(table)


def test_stop_words_come_first(vectors):
    stop_words = (DEMO / "stopwords.txt").read_text().splitlines()
    assert len(stop_words) == 100
    assert list(vectors[1])[:100] == stop_words


def test_digits_are_idx_files():
    images = (DEMO / "digits-images.idx3").read_bytes()
    labels = (DEMO / "digits-labels.idx1").read_bytes()
    assert struct.unpack(">4I", images[:16]) == (0x803, 1797, 8, 8)
    assert struct.unpack(">2I", labels[:8]) == (0x801, 1797)
    assert len(images) == 16 + 1797 * 64
    assert len(labels) == 8 + 1797
    assert max(images[16:]) == 16
    assert set(labels[8:]) == set(range(10))


def test_size_is_small():
    assert sum((DEMO / name).stat().st_size for name in EMBEDDED) < MAX_BYTES
