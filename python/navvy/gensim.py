"""Look-alikes of gensim's Word Mover's Distance, with the exact distances of navvy.

Documents are lists of words; words without a vector are left out. As in gensim, a document without
any known word is infinitely far from everything (similarity 0). gensim itself is not needed: any
object with `key_to_index` and `vectors` serves.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import as_rows
from .options import Run, options

Tokens = Sequence[str]


def _handle(documents: Sequence[Tokens], keyed: Any, norm: bool = True) -> _navvy.Handle:
    """Bags of words over the words that they use; their places in the vectors are the numbers."""
    import scipy.sparse

    places = keyed.key_to_index
    bags = [Counter(places[word] for word in words if word in places) for words in documents]
    numbers = np.unique(np.array([place for bag in bags for place in bag], dtype=np.int64))
    vectors = np.asarray(keyed.vectors[numbers], dtype=np.float32)
    if norm:
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    columns = np.searchsorted(numbers, [place for bag in bags for place in bag])
    counts = np.array([count for bag in bags for count in bag.values()], dtype=np.float64)
    offsets = np.concatenate([[0], np.cumsum([len(bag) for bag in bags])])
    matrix = scipy.sparse.csr_matrix((counts, columns, offsets), shape=(len(bags), len(numbers)))
    rows, _ = as_rows(matrix)
    return _navvy.Handle.from_histograms(
        rows, np.ascontiguousarray(vectors), numbers.astype(np.uint32), False
    )


def _has_weight(handle: _navvy.Handle) -> npt.NDArray[np.bool_]:
    offsets, _, _ = handle.histograms()
    return np.diff(offsets.astype(np.int64)) > 0


def wmdistance(
    document1: Tokens, document2: Tokens, keyed_vectors: Any, norm: bool = True
) -> float:
    """The Word Mover's Distance of two lists of words; infinity where one has no known word."""
    _require_tokens(document1)
    _require_tokens(document2)
    keyed = getattr(keyed_vectors, "wv", keyed_vectors)
    pair = _handle([document1, document2], keyed, norm)
    if not _has_weight(pair).all():
        return float("inf")
    with options("emd") as wanted:
        return float(_navvy.transport_rows(pair, 0, pair, 1, wanted, False)["distance"])


class WmdSimilarity:
    """Similarities 1 / (1 + distance) of queries to the documents of a corpus.

    Like gensim's class of this name: `index[query]` is an array with a similarity per document, or,
    with `num_best`, a list of (document, similarity), best first, without those of similarity 0.
    Several queries at once give a list of such. `measure` may name a cheaper measure than "emd".
    """

    def __init__(
        self,
        corpus: Iterable[Tokens],
        kv_model: Any,
        num_best: int | None = None,
        *,
        measure: str = "emd",
        **run: Unpack[Run],
    ) -> None:
        self.corpus = list(corpus)
        for document in self.corpus:
            _require_tokens(document)
        self.wv = getattr(kv_model, "wv", kv_model)
        self.num_best = num_best
        self.measure = measure
        self._run = run
        self._handle = _handle(self.corpus, self.wv)
        self._known = int(_has_weight(self._handle).sum())

    def __len__(self) -> int:
        return len(self.corpus)

    def __getitem__(self, query: Tokens | Sequence[Tokens]) -> Any:
        _require_tokens(query)
        if len(query) > 0 and not isinstance(query[0], str):
            return self._answers([list(words) for words in query])
        return self._answers([[str(word) for word in query]])[0]

    def _answers(self, queries: list[Tokens]) -> list[Any]:
        for query in queries:
            _require_tokens(query)
        handle = _handle(queries, self.wv)
        known = _has_weight(handle)
        asked = _handle([q for q, has in zip(queries, known, strict=True) if has], self.wv)
        top = self._known if self.num_best is None else min(self.num_best, self._known)
        answers = [self._answer([], []) for _ in queries]
        if top == 0 or len(asked) == 0:
            return answers
        with options(self.measure, top, **self._run) as wanted:
            found = self._handle.search(asked, wanted)
        for i, place in enumerate(np.nonzero(known)[0]):
            answers[place] = self._answer(found["rows"][i], found["distances"][i])
        return answers

    def _answer(self, rows: Any, distances: Any) -> Any:
        similarities = 1 / (1 + np.asarray(distances, dtype=np.float64))
        if self.num_best is not None:
            return [(int(row), float(s)) for row, s in zip(rows, similarities, strict=True)]
        result = np.zeros(len(self.corpus))
        if len(rows):
            result[rows] = similarities
        return result


def _require_tokens(document: Any) -> None:
    if isinstance(document, str):
        raise TypeError("a document is one string; expected a list of words")
