"""Word vectors."""

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import _navvy
from .arrays import FloatArray


class Vectors:
    """Words and their vectors, in the shape of gensim's KeyedVectors."""

    def __init__(self, vocabulary: _navvy.Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def index_to_key(self) -> list[str]:
        return self._vocabulary.words()

    @cached_property
    def key_to_index(self) -> dict[str, int]:
        return {word: place for place, word in enumerate(self.index_to_key)}

    @property
    def vectors(self) -> FloatArray:
        """A row per word, read-only."""
        return self._vocabulary.coordinates()

    @property
    def vector_size(self) -> int:
        return int(self.vectors.shape[1])

    def __len__(self) -> int:
        return len(self.vectors)

    def __contains__(self, word: object) -> bool:
        return word in self.key_to_index

    def __getitem__(self, word: str) -> FloatArray:
        vector: FloatArray = self.vectors[self.key_to_index[word]]
        return vector

    def __repr__(self) -> str:
        return f"<navvy.Vectors: {len(self)} words, {self.vector_size} dimensions>"


def load_vectors(
    path: str | os.PathLike[str], *, normalize: bool = True, words: Iterable[str] | None = None
) -> Vectors:
    """Word vectors from a file: word2vec binary or text, GloVe text or fastText .vec; plain, gzip
    or zstd. Only `words`, where given; scaled to length 1 unless `normalize` is false."""
    wanted = None if words is None else list(words)
    return Vectors(_navvy.read_vectors(Path(path), normalize, wanted))


def as_source(vectors: Any) -> Path | _navvy.Vocabulary:
    """A file, or word vectors in memory."""
    if isinstance(vectors, str | os.PathLike):
        return Path(vectors)
    if isinstance(vectors, Vectors):
        return vectors._vocabulary
    keyed = getattr(vectors, "wv", vectors)
    if not (hasattr(keyed, "index_to_key") and hasattr(keyed, "vectors")):
        raise TypeError(
            f"vectors are {type(vectors).__name__}; expected a path, navvy.load_vectors(path), or "
            "an object with index_to_key and vectors"
        )
    matrix = np.ascontiguousarray(keyed.vectors, dtype=np.float32)
    return _navvy.Vocabulary.from_words(matrix, list(keyed.index_to_key))
