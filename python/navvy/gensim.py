"""Look-alikes of gensim's Word Mover's Distance, with the exact distances of navvy.

Documents are lists of words; words without a vector are left out. As in gensim, a document without
any known word is infinitely far from everything (similarity 0). gensim itself is not needed: any
object with `key_to_index` and `vectors` serves.
"""

import gzip
import os
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Literal, Unpack, cast

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import as_rows
from .options import Run, check_count, options
from .queries import warn_of_unconverged

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
    """The Word Mover's Distance of two lists of words.

    Parameters
    ----------
    document1, document2 : list of words
        Words without a vector are left out.
    keyed_vectors : gensim.models.KeyedVectors, or what has `key_to_index` and `vectors`
        The vectors of words, or a model whose `wv` they are.
    norm : bool, default=True
        Whether vectors are scaled to length 1.

    Returns
    -------
    distance : float
        Infinity where a document has no known word.

    Examples
    --------
    >>> import numpy as np
    >>> from navvy.gensim import wmdistance
    >>> class Words:
    ...     key_to_index = {"king": 0, "queen": 1, "pear": 2}
    ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> round(wmdistance(["king"], ["king", "queen"], Words), 4)
    0.3162
    >>> wmdistance(["king"], ["turnip"], Words)
    inf
    """
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

    Takes the place of gensim.similarities.WmdSimilarity; see the page about Python for what
    differs.

    Parameters
    ----------
    corpus : sequence of lists of words
        The documents.
    kv_model : gensim.models.KeyedVectors, or what has `key_to_index` and `vectors`
        The vectors of words, or a model whose `wv` they are.
    num_best : int, default=None
        Answers are then lists of so many (document, similarity), best first, without those of
        similarity 0; otherwise they are arrays with a similarity per document. May be changed.
    chunksize : int, default=256
        How many documents ask at once where the index is iterated.
    measure : str, default="emd"
        A cheaper measure may take the place of the exact distance.
    **run
        Keywords of every computation, such as `threads`; see navvy.options.Run.

    Examples
    --------
    >>> import numpy as np
    >>> from navvy.gensim import WmdSimilarity
    >>> class Words:
    ...     key_to_index = {"king": 0, "queen": 1, "pear": 2}
    ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> index = WmdSimilarity([["king", "queen"], ["pear"]], Words, num_best=1)
    >>> index[["queen", "king"]]
    [(0, 1.0)]
    """

    corpus: Sequence[Tokens]
    wv: Any
    num_best: int | None
    chunksize: int
    index: npt.NDArray[np.int64]
    normalize: bool = False  # gensim's: weights of words are no vectors of length 1

    def __init__(
        self,
        corpus: Iterable[Tokens],
        kv_model: Any,
        num_best: int | None = None,
        chunksize: int = 256,
        *,
        measure: str = "emd",
        **run: Unpack[Run],
    ) -> None:
        self.corpus = corpus if isinstance(corpus, Sequence) else list(corpus)
        for document in self.corpus:
            _require_tokens(document)
        self.wv = getattr(kv_model, "wv", kv_model)
        self.num_best = num_best
        self.chunksize = check_count("chunksize", chunksize, 1)
        self.measure = measure
        self.index = np.arange(len(self.corpus), dtype=np.int64)
        self._run = run
        self._handle = _handle(self.corpus, self.wv)
        self._known = int(_has_weight(self._handle).sum())

    def __len__(self) -> int:
        return len(self.corpus)

    def __str__(self) -> str:
        features = np.shape(self.wv.vectors)[1]
        return f"{type(self).__name__}<{len(self)} docs, {features} features>"

    def __getitem__(self, query: Any) -> Any:
        """What a query is similar to.

        Parameters
        ----------
        query : list of words, list of such lists, or array of numbers of documents
            Who asks.

        Returns
        -------
        answer : array of shape (n_documents,), or list of (document, similarity)
            A list where `num_best` is set. Several queries give an array with a row for each, or a
            list of lists.
        """
        return self._one_or_all(self._answers(self._queries(query), self.num_best))

    def get_similarities(self, query: Any) -> npt.NDArray[np.float64]:
        """The similarities of all documents, whatever `num_best` says.

        Parameters
        ----------
        query : list of words, list of such lists, or array of numbers of documents
            Who asks.

        Returns
        -------
        similarities : array of shape (n_documents,) or (n_queries, n_documents)
        """
        found: npt.NDArray[np.float64] = self._one_or_all(self._answers(self._queries(query), None))
        return found

    def __iter__(self) -> Iterator[Any]:
        """What each document is similar to, itself included."""
        for begin in range(0, len(self), self.chunksize):
            documents = [self.corpus[i] for i in self.index[begin : begin + self.chunksize]]
            yield from self._answers(documents, self.num_best)

    def save(
        self,
        fname: str | os.PathLike[str],
        separately: Any = None,
        sep_limit: int = 0,
        ignore: Any = (),
        pickle_protocol: int = pickle.HIGHEST_PROTOCOL,
    ) -> None:
        """Pickles the index, vectors included, into a file, whole or not at all.

        Parameters
        ----------
        fname : path
            The file; it is compressed where the name ends in .gz.
        separately, sep_limit, ignore
            For the sake of gensim: there is one file, always.
        pickle_protocol : int
            The protocol of pickle.
        """
        path = Path(fname)
        partial = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            with _opened(partial, path.suffix == ".gz", "wb") as file:
                pickle.dump(self, file, protocol=pickle_protocol)
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)

    @classmethod
    def load(cls, fname: str | os.PathLike[str], mmap: str | None = None) -> "WmdSimilarity":
        """An index from a file that `save` wrote.

        Unpickling runs what the file says: load only files that you trust.

        Parameters
        ----------
        fname : path
            The file.
        mmap : str, default=None
            For the sake of gensim: everything is read. As there, a compressed file is refused.

        Returns
        -------
        index : WmdSimilarity
        """
        path = Path(fname)
        compressed = path.suffix == ".gz"
        if compressed and mmap:
            raise OSError(f"{path}: is compressed; expected mmap=None")
        with _opened(path, compressed, "rb") as file:
            index = pickle.load(file)
        if not isinstance(index, cls):
            raise TypeError(f"{path}: holds a {type(index).__name__}; expected a {cls.__name__}")
        return index

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_handle": self._handle.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _handle=_navvy.Handle.from_bytes(state["_handle"]))

    def _queries(self, query: Any) -> list[Tokens]:
        """A list of documents, be it of one."""
        _require_tokens(query)
        asked = list(query)
        if asked and isinstance(asked[0], int | np.integer):
            return [self.corpus[i] for i in asked]
        if asked and not isinstance(asked[0], str):
            return [list(words) for words in map(_require_tokens, asked)]
        return [asked]

    def _one_or_all(self, answers: list[Any]) -> Any:
        """As in gensim, a list of one query is that query."""
        if len(answers) == 1:
            return answers[0]
        return answers if isinstance(answers[0], list) else np.array(answers)

    def _answers(self, queries: Sequence[Tokens], best: int | None) -> list[Any]:
        known = _has_weight(_handle(queries, self.wv))
        asked = _handle([q for q, has in zip(queries, known, strict=True) if has], self.wv)
        top = self._known if best is None else min(best, self._known)
        answers = [self._answer([], [], best) for _ in queries]
        if top == 0 or len(asked) == 0:
            return answers
        with options(self.measure, top, **self._run) as wanted:
            found = self._handle.search(asked, wanted)
        warn_of_unconverged(found["unconverged"])
        for i, place in enumerate(np.nonzero(known)[0]):
            answers[place] = self._answer(found["rows"][i], found["distances"][i], best)
        return answers

    def _answer(self, rows: Any, distances: Any, best: int | None) -> Any:
        similarities = 1 / (1 + np.asarray(distances, dtype=np.float64))
        if best is not None:
            return [(int(row), float(s)) for row, s in zip(rows, similarities, strict=True)]
        result = np.zeros(len(self.corpus))
        if len(rows):
            result[rows] = similarities
        return result


def _opened(path: Path, compressed: bool, mode: Literal["rb", "wb"]) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, mode)) if compressed else path.open(mode)


def _require_tokens(document: Any) -> Any:
    if isinstance(document, str):
        raise TypeError("a document is one string; expected a list of words")
    return document
