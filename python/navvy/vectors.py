"""Word vectors, and how texts become histograms over them."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from . import _navvy
from .arrays import FloatArray
from .options import ProgressFunction, check_count, progress_function

StopWords = int | str | os.PathLike[str] | Sequence[str] | None
UnknownWords = Literal["drop", "own"]


class Vectors:
    """Words and their vectors, in the shape of gensim's KeyedVectors."""

    def __init__(self, vocabulary: _navvy.Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def index_to_key(self) -> list[str]:
        """The words."""
        return self._vocabulary.words()

    @cached_property
    def key_to_index(self) -> dict[str, int]:
        """The number of each word."""
        return {word: place for place, word in enumerate(self.index_to_key)}

    @property
    def vectors(self) -> FloatArray:
        """A row per word, read-only."""
        return self._vocabulary.coordinates()

    @property
    def vector_size(self) -> int:
        """Dimensions."""
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
    path: str | os.PathLike[str], *, normalize: bool = False, words: Iterable[str] | None = None
) -> Vectors:
    """Word vectors from a file.

    Parameters
    ----------
    path : path
        word2vec binary or text, GloVe text, fastText .vec or .bin; plain, gzip or zstd.
    normalize : bool, default=False
        Whether vectors are scaled to length 1. As they are in the file is what from_texts and add
        want.
    words : iterable of str, default=None
        Only these, of which a fastText .bin also makes those that it does not have.

    Returns
    -------
    vectors : Vectors

    Examples
    --------
    >>> import tempfile, pathlib, navvy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "vectors.txt"
    ...     _ = path.write_text("2 3\\nking 1 0 0\\nqueen 0 3 4\\n")
    ...     vectors = navvy.load_vectors(path, normalize=True)
    >>> vectors.index_to_key, vectors["queen"].round(3).tolist()
    (['king', 'queen'], [0.0, 0.6000000238418579, 0.800000011920929])
    """
    wanted = None if words is None else list(words)
    return Vectors(_navvy.read_vectors(Path(path), normalize, wanted))


def shard_of(
    vocabulary: _navvy.Handle,
    documents: list[tuple[str, str, str, str]],
    vectors: Any,
    progress: bool | ProgressFunction,
) -> tuple[_navvy.Handle, dict[str, Any]]:
    """Texts as rows that are weighed against the vocabulary of a whole, and what was met."""
    source = None if vectors is None else as_source(vectors)
    with progress_function(progress) as function:
        rows, report = _navvy.text_rows(vocabulary, documents, [], source, False, False, function)
    return rows.reweighed(vocabulary), report


def as_source(vectors: Any) -> Path | _navvy.Vocabulary:
    """A file, or word vectors in memory."""
    if isinstance(vectors, str | os.PathLike):
        return Path(vectors)
    if isinstance(vectors, Vectors):
        return vectors._vocabulary
    if vectors is None:
        raise TypeError("texts need vectors, or a vocabulary that knows them")
    keyed = getattr(vectors, "wv", vectors)
    if not (hasattr(keyed, "index_to_key") and hasattr(keyed, "vectors")):
        raise TypeError(
            f"vectors are {type(vectors).__name__}; expected a path, navvy.load_vectors(path), or "
            "an object with index_to_key and vectors"
        )
    matrix = np.ascontiguousarray(keyed.vectors, dtype=np.float32)
    return _navvy.Vocabulary.from_words(matrix, list(keyed.index_to_key))


def stop_words_of(stop_words: StopWords) -> tuple[int, list[str]] | None:
    """How many first words of the vectors are left out, and a list; None for what is usual."""
    if stop_words is None:
        return None
    if isinstance(stop_words, str | os.PathLike):
        return _navvy.parse_stop_words(os.fspath(stop_words))
    if isinstance(stop_words, int):
        return check_count("stop_words", stop_words, 0), []
    words = list(stop_words)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"stop word {word!r}; expected str")
    return 0, words


def recipe_of(
    token_pattern: str,
    keep_case: bool,
    max_bins: int,
    normalize: bool,
    weighting: str | None,
    stop_words: StopWords,
    condition: int | None,
    query_words: int | str | None,
    as_in_paper: bool,
    unknown_words: UnknownWords | None,
) -> _navvy.Recipe:
    """The arguments of from_texts that say how a text becomes a histogram."""
    if weighting is not None and not isinstance(weighting, str):
        raise TypeError(f"weighting is {weighting!r}; expected a name such as 'bm25'")
    if unknown_words not in (None, *get_args(UnknownWords)):
        raise ValueError(f"unknown_words is {unknown_words!r}; expected 'drop' or 'own'")
    return _navvy.Recipe(
        token_pattern=token_pattern,
        keep_case=keep_case,
        stop_words=stop_words_of(stop_words),
        max_bins=check_count("max_bins", max_bins, 1),
        weighting=weighting,
        condition=None if condition is None else check_count("condition", condition, 0),
        normalize=normalize,
        as_in_paper=as_in_paper,
        query_words=None if query_words is None else str(query_words),
        own_points=None if unknown_words is None else unknown_words == "own",
    )
