#!/usr/bin/env python3
"""Make the binary files of `navvy demo` from the public data sets.

Usage: make_demo_data.py [--data DIR] [--out DIR]

Reads from --data (default: the environment variable NAVVY_DATA, else the folder shared/data beside
the repository)
    digits/digits.csv.gz                    64 pixels 0..16 and the digit per line
    vectors/glove-6b-100d-20news.bin.gz     word2vec binary format, most frequent word first
and from this folder texts.tsv, queries.tsv and extra-words.txt. Writes into --out (default: this
folder)
    digits-images.idx3  digits-labels.idx1  IDX files, in the order of the source
    stopwords.txt                           the first 100 words of the vectors file, one per line
    vectors.bin                             word2vec binary format, a subset of the source

vectors.bin holds the stop words, every word of the titles, texts and queries, and the extra words,
in the order of the source, so its first 100 words are the stop words too. The float32 values are
copied byte for byte. The output depends on the input alone.
"""

import argparse
import gzip
import os
import re
import struct
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
STOP_WORDS = 100
DIGITS = 1797
SIDE = 8


def default_data_dir() -> Path:
    """Where the public data sets are looked for."""
    return Path(os.environ.get("NAVVY_DATA") or HERE.parents[1].parent / "shared" / "data")


def words_of(text: str) -> list[str]:
    """Split a text as the demo does: runs of two or more ASCII letters, lower case."""
    return re.findall(r"[a-z]{2,}", text.lower())


def read_columns(path: Path, count: int) -> list[list[str]]:
    """Return the columns of each line of a TSV file."""
    rows = [line.split("\t") for line in path.read_text(encoding="ascii").splitlines()]
    for number, row in enumerate(rows, start=1):
        if len(row) != count:
            raise ValueError(f"{path.name}:{number}: found {len(row)} columns, expected {count}")
    return rows


def read_texts(path: Path) -> list[tuple[str, str, str]]:
    """Return (topic, title, text) per line."""
    return [(topic, title, text) for topic, title, text in read_columns(path, 3)]


def read_queries(path: Path) -> list[tuple[str, str]]:
    """Return (title of the text that is meant, query) per line."""
    return [(title, query) for title, query in read_columns(path, 2)]


def read_extra_words(path: Path) -> list[str]:
    """Return the words of a file with `#` comment lines."""
    lines = path.read_text(encoding="ascii").splitlines()
    return [word for line in lines if not line.startswith("#") for word in line.split()]


def read_vectors(path: Path) -> tuple[int, dict[str, bytes]]:
    """Return the dimensions and, in the order of the file, the raw float32 bytes of each word."""
    with gzip.open(path) if path.suffix == ".gz" else open(path, "rb") as file:
        content = file.read()
    start = content.index(b"\n") + 1
    count, dimensions = map(int, content[:start].split())
    vectors: dict[str, bytes] = {}
    for _ in range(count):
        space = content.index(b" ", start)
        end = space + 1 + 4 * dimensions
        vectors[content[start:space].decode()] = content[space + 1 : end]
        if content[end : end + 1] != b"\n":
            raise ValueError(f"{path.name}: record {len(vectors)} does not end with a newline")
        start = end + 1
    return dimensions, vectors


def idx(array: np.ndarray) -> bytes:
    """Encode an array of uint8 as an IDX file: magic with type 0x08 and rank, sizes, data."""
    head = struct.pack(f">{1 + array.ndim}I", 0x0800 | array.ndim, *array.shape)
    return head + array.astype(np.uint8).tobytes()


def digit_files(path: Path) -> dict[str, bytes]:
    """Turn the digits into an image file and a label file."""
    with gzip.open(path, "rt") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.int64)
    if table.shape != (DIGITS, SIDE * SIDE + 1):
        raise ValueError(f"{path.name}: found shape {table.shape}, expected ({DIGITS}, 65)")
    images, labels = table[:, :-1], table[:, -1]
    if images.min() < 0 or images.max() > 16 or labels.min() < 0 or labels.max() > 9:
        raise ValueError(f"{path.name}: expected pixels in 0..16 and labels in 0..9")
    return {
        "digits-images.idx3": idx(images.reshape(DIGITS, SIDE, SIDE)),
        "digits-labels.idx1": idx(labels),
    }


def word_files(path: Path) -> dict[str, bytes]:
    """Turn the vectors file into the stop word list and the subset that the demo needs."""
    dimensions, vectors = read_vectors(path)
    stop_words = list(vectors)[:STOP_WORDS]
    wanted = set(stop_words) | set(read_extra_words(HERE / "extra-words.txt"))
    for _, title, text in read_texts(HERE / "texts.tsv"):
        wanted.update(words_of(title + " " + text))
    for _, query in read_queries(HERE / "queries.tsv"):
        wanted.update(words_of(query))
    missing = sorted(wanted - vectors.keys())
    if missing:
        raise ValueError(f"{path.name}: no vectors for {', '.join(missing)}")
    records = [
        word.encode() + b" " + raw + b"\n" for word, raw in vectors.items() if word in wanted
    ]
    return {
        "stopwords.txt": "".join(word + "\n" for word in stop_words).encode(),
        "vectors.bin": f"{len(records)} {dimensions}\n".encode() + b"".join(records),
    }


def make(data: Path) -> dict[str, bytes]:
    """Return every generated file by name."""
    return digit_files(data / "digits" / "digits.csv.gz") | word_files(
        data / "vectors" / "glove-6b-100d-20news.bin.gz"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the binary files of navvy demo.")
    parser.add_argument("--data", type=Path, default=default_data_dir(), help="folder to read from")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    args = parser.parse_args()
    for name, content in make(args.data).items():
        (args.out / name).write_bytes(content)
        print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
