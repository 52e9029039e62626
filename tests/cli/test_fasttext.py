"""fastText models (.bin): the vectors of known and unknown words are those that gensim makes."""

import gzip
import struct
from pathlib import Path

import gensim
import numpy as np
import pytest
from gensim.models.fasttext import load_facebook_vectors

MODELS = Path(gensim.__file__).parent / "test" / "test_data"


def model_bytes(words, buckets=200, dimensions=7, shortest=2, longest=5):
    """A model as fastText writes it, of random rows."""
    random = np.random.default_rng(len(words))
    options = [dimensions, 5, 5, 1, 5, 1, 2, 2, buckets, shortest, longest, 100]
    data = struct.pack("<2i12id", 793712314, 12, *options, 1e-4)
    data += struct.pack("<3i2q", len(words), len(words), 0, 1000, -1)
    for word in words:
        data += word.encode() + b"\0" + struct.pack("<qb", 7, 0)
    for rows in (len(words) + buckets, len(words)):
        matrix = random.normal(size=(rows, dimensions)).astype("<f4")
        data += b"\0" + struct.pack("<2q", *matrix.shape) + matrix.tobytes()
    return data


@pytest.fixture
def toy(tmp_path):
    words = ["</s>", "the", "tree", "größe", "дерево", "木", "naïve"]
    (tmp_path / "toy.bin").write_bytes(model_bytes(words))
    return tmp_path / "toy.bin"


def vectors_in(call, tmp_path, model, words):
    """Word -> vector and word -> number of an index of these words, one each row."""
    (tmp_path / "words.jsonl").write_text("".join(f'{{"text": "{word}"}}\n' for word in words))
    build = ["build", "--corpus", "words.jsonl", "--vectors", model, "--token-pattern", r"\S+"]
    more = ["--no-normalize", "--keep-case", "--stop-words", 0, "-o", "x.navvy"]
    report = call.json(*build, *more)["report"]
    call("export", "x.navvy", "-o", "x.npz")
    arrays = np.load(tmp_path / "x.npz")
    names = arrays["words"].tolist()
    return report, dict(zip(names, arrays["coordinates"], strict=True)), arrays["numbers"]


UNKNOWN = ["unseen", "treehouse", "größter", "деревья", "木材", "x", "🌳tree"]


@pytest.mark.parametrize("name", ["toy", "crime-and-punishment.bin", "lee_fasttext_new.bin"])
def test_vectors_are_those_of_gensim(call, tmp_path, toy, name):
    path = toy if name == "toy" else MODELS / name
    expected = load_facebook_vectors(str(path))
    # gensim gives the end of a line n-grams, fastText does not.
    known = [
        word for word in expected.index_to_key if not set(word) & set('"\\_') and word[0] != "<"
    ]
    unknown = [word for word in UNKNOWN if word not in expected.key_to_index]
    report, found, numbers = vectors_in(call, tmp_path, path, known + unknown)
    assert report["vectors"]["format"] == "fastText binary"
    assert report["vectors"]["words"] == len(expected)
    assert report["vectors"]["made"] == len(unknown) and report["unknown_tokens"] == 0
    assert sorted(found) == sorted(known + unknown)
    for word, vector in found.items():
        np.testing.assert_allclose(vector, expected.get_vector(word), rtol=2e-5, atol=2e-7)
    assert (numbers < len(expected)).sum() == len(known)


def test_packed_models_and_shards_give_the_same(call, tmp_path, toy):
    (tmp_path / "toy.bin.gz").write_bytes(gzip.compress(toy.read_bytes()))
    texts = ["the tree of trees", "unseen trees", "an unseen naïve дерево", "trees"]
    build = ["--vectors", "toy.bin.gz", "--weighting", "tf", "--stop-words", 0, "-o"]
    for name, part in {"a": texts[:2], "b": texts[2:], "all": texts}.items():
        lines = [f'{{"id": "{texts.index(text)}", "text": "{text}"}}\n' for text in part]
        (tmp_path / f"{name}.jsonl").write_text("".join(lines))
        call("build", "--corpus", f"{name}.jsonl", *build, f"{name}.navvy")
    call("merge", "a.navvy", "b.navvy", "-o", "merged.navvy")
    call("add", "a.navvy", "--corpus", "b.jsonl", "--vectors", toy)
    expected = None
    for name in ("all", "merged", "a"):
        call("distances", f"{name}.navvy", "--measure", "act-1", "-o", "d.npy")
        found = np.load(tmp_path / "d.npy")
        expected = found if expected is None else expected
        np.testing.assert_array_equal(found, expected)
    assert expected[1, 3] > 0


def test_words_made_of_parts_are_told(call, tmp_path, toy):
    (tmp_path / "t.txt").write_text("the treehouse\nthe tree\n")
    build = ["build", "--corpus", "t.txt", "--vectors", toy, "--stop-words", 0, "-o", "x.navvy"]
    assert "made of parts" in call(*build).stdout
    found = call.json("search", "x.navvy", "--text", "treehouse")["queries"][0]
    assert found["matches"][0]["row"] == 0


@pytest.mark.parametrize(
    ("cut", "parts"),
    [
        (slice(None, -1), ["output matrix"]),
        (slice(None, 200), ["truncated: 7 words and 200 buckets"]),
        (slice(None, 70), ["byte 68", "the file ends here"]),
    ],
)
def test_cut_models_are_refused(call, tmp_path, toy, cut, parts):
    toy.write_bytes(toy.read_bytes()[cut])
    (tmp_path / "t").write_text("the cup\n")
    corpus = ["--corpus", "t", "--vectors", "toy.bin", "--stop-words", 0]
    line = call.fails(3, "build", *corpus, "-o", "x.navvy")
    assert line.startswith("navvy: toy.bin: ") and all(part in line for part in parts)
