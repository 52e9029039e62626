"""The index: histograms made ready for searching."""

import os
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _navvy
from .arrays import FloatArray, are_integers, as_coordinates, as_names, as_rows
from .fields import as_fields, columns_named, types_of, with_fields
from .log import logger
from .options import ProgressFunction, progress_function
from .parquet import read_parquet
from .queries import warn_of_empty
from .rows import as_given, documents_of, image_handle, named, texts_of
from .searching import Searching
from .vectors import StopWords, UnknownWords, as_source, recipe_of, shard_of

PathLike = str | os.PathLike[str]


class Index(Searching):
    """Histograms over coordinates, to be searched under the Earth Mover's Distance and its kin.

    Make one with from_histograms, from_texts, from_images or open. The keywords `run` of its
    methods are direction, threads, memory, device, device_memory, progress, sinkhorn and the limits
    of exact searches; see navvy.options.Run. Threads may call on one index at once; each gets the
    bits that it would get alone.

    `len(index)` counts rows, `index[row]` and `index["id"]` are one of them, and `with
    navvy.Index.open(path) as index:` gives its memory back at the end.
    """

    def __init__(self, handle: _navvy.Handle, coordinates: FloatArray | None = None) -> None:
        if not isinstance(handle, _navvy.Handle):
            raise TypeError("use Index.from_histograms, from_texts, from_images or open")
        self._open_handle: _navvy.Handle | None = handle
        # All coordinates given, those that no row uses included: queries may use them.
        self._coordinates = coordinates
        # The file it was opened from, what was read from it, and in which state.
        self._opened: tuple[Path, _navvy.Handle, _navvy.FileState] | None = None
        self.report: dict[str, Any] = {}
        """What from_texts and add met: counts of tokens, unknown words, empty and equal texts."""

    # --- making, keeping -------------------------------------------------------------------------

    @classmethod
    def from_histograms(
        cls,
        X: Any,
        coordinates: Any,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        fields: Any = None,
        keep_zeros: bool = False,
        copy: bool = True,
    ) -> "Index":
        """Histograms as rows of a sparse or dense matrix, with a coordinate for each column.

        X is what NumPy, SciPy, pandas, polars, pyarrow or torch (by DLPack) make of numbers, or a
        column whose cells are lists. Rows are scaled to sum 1. With `copy=False` the index refers
        to the arrays of X where it is a canonical CSR matrix of float32 and int32 whose rows
        already sum to 1 and all columns are used, and to those of `coordinates`: do not change
        them then. With `keep_zeros`, entries of weight zero stay as bins that receive but hold
        nothing. `fields` are what else is known of each row, see `Index.fields`: a dictionary of
        sequences by name, or a table of pandas, pyarrow or polars.
        """
        points = as_coordinates(coordinates, copy)
        rows, columns = as_rows(X, keep_zeros, copy)
        if columns != len(points):
            raise ValueError(
                f"histograms over {columns} coordinates do not fit {len(points)} coordinates"
            )
        handle = _navvy.Handle.from_histograms(rows, points, None, keep_zeros)
        return cls(with_fields(named(handle, labels, ids), fields), points)

    @classmethod
    def from_images(
        cls,
        images: Any,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        label_names: Iterable[str] | None = None,
        fields: Any = None,
        keep_background: bool = False,
    ) -> "Index":
        """Images of one size, as an array (image, line, column): weights are the values of pixels.
        Labels that are numbers become the `label_names` at these places. With `keep_background`,
        pixels of value zero are bins that receive but hold nothing."""
        handle = named(image_handle(images, keep_background), labels, ids, label_names)
        return cls(with_fields(handle, fields))

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        vectors: Any = None,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        titles: Iterable[str] | None = None,
        fields: Any = None,
        token_pattern: str = "",
        keep_case: bool = False,
        stop_words: StopWords = None,
        max_bins: int = 500,
        weighting: str | None = None,
        condition: int | None = None,
        normalize: bool = True,
        as_in_paper: bool = False,
        query_words: int | str | None = None,
        unknown_words: UnknownWords | None = None,
        vocabulary: "Index | None" = None,
        progress: bool | ProgressFunction = False,
    ) -> "Index":
        """Texts as bags of words at the places of their word vectors.

        `vectors` is a file (word2vec, GloVe or fastText; plain, gzip or zstd), what
        load_vectors gave, or anything shaped like gensim's KeyedVectors. A token is a run of
        letters unless `token_pattern`, an RE2 pattern, says otherwise. What is None is what is
        usual: `weighting` is "bm25" ("tfidf", "sif", "tf", "log", "norm"); `stop_words`, which are
        left out, are none where the weighting knows all texts and English ones otherwise (a list, a
        number of first words of the vectors, "english", "none" or a file); the mean and
        `condition` = 2 components are taken from vectors, nothing from fewer than 1,000 words or 20
        dimensions. Of the first `query_words` = 100,000 words of
        the vectors ("all", "corpus" for none) those that no text has are kept for queries.
        `as_in_paper` is the paper's setting for what is None: "tf", 100, 0, "corpus" and
        "drop". Words without a vector get points of their own, near to no other word, so that names
        and numbers are found by themselves: `unknown_words` is "own", but "drop" where vectors are
        fewer than 1,000, of fewer than 20 dimensions, or not scaled.

        With a `vocabulary` (joined_vocabulary, Shards.vocabulary) texts are made as it says and
        weighed against it, as a shard of the whole whose words it has; other settings are then left
        out, and so may be `vectors`.
        """
        if vocabulary is not None:
            documents = documents_of(texts, labels, ids, titles)
            handle, report = shard_of(vocabulary._handle, documents, vectors, progress)
            index = cls(with_fields(handle, fields))
            index._read(report)
            return index
        setting = (weighting, stop_words, condition, query_words, as_in_paper, unknown_words)
        recipe = recipe_of(token_pattern, keep_case, max_bins, normalize, *setting)
        labels = None if labels is None else as_given(labels)
        documents = documents_of(texts, labels, ids, titles)
        with progress_function(progress) as function:
            handle, report = _navvy.build_text(documents, as_source(vectors), recipe, function)
        if are_integers(labels):
            handle = handle.with_integer_labels()
        index = cls(with_fields(handle, fields))
        index._read(report)
        return index

    @classmethod
    def from_parquet(
        cls,
        path: PathLike,
        vectors: Any = None,
        text: str = "text",
        label: str | None = None,
        id: str | None = None,
        title: str | None = None,
        keep_fields: Iterable[str] = (),
        *,
        histogram: str | None = None,
        coordinates: Any = None,
        **recipe: Any,
    ) -> "Index":
        """Texts from a column of a Parquet file, which pyarrow reads; `label`, `id`, `title` and
        `keep_fields` are names of columns as well. The rest is as in from_texts. Or `histogram` is
        a column of lists of weights over `coordinates`, as in from_histograms."""
        parts = {"labels": label, "ids": id, "titles": title}
        if (histogram is None) == (vectors is None) or (histogram is None) != (coordinates is None):
            raise TypeError("from_parquet needs vectors of texts, or histogram and coordinates")
        if histogram is None:
            texts, others = read_parquet(path, text, parts, keep_fields)
            return cls.from_texts(texts, vectors, **others, **recipe)
        if title is not None:
            raise TypeError("histograms have no titles; keep_fields keeps other columns")
        del parts["titles"]
        weights, others = read_parquet(path, histogram, parts, keep_fields)
        return cls.from_histograms(weights, coordinates, **others, **recipe)

    @classmethod
    def from_anndata(
        cls,
        adata: Any,
        coordinates: Any,
        label: str | None = None,
        keep_fields: Iterable[str] = (),
        *,
        layer: str | None = None,
        **making: Any,
    ) -> "Index":
        """Observations of an AnnData object as histograms over its variables: `adata.X` or a
        `layer`. `coordinates` are a name in `adata.varm` or a line per variable; ids are
        `adata.obs_names`, `label` and `keep_fields` columns of `adata.obs`. The rest is as in
        from_histograms."""
        weights = adata.X if layer is None else adata.layers[layer]
        if hasattr(weights, "to_memory"):  # of a file that is not read yet
            weights = weights.to_memory()
        columns = columns_named(keep_fields, list(adata.obs.columns), "adata.obs")
        if label is not None:
            columns_named([label], list(adata.obs.columns), "adata.obs")
        return cls.from_histograms(
            weights,
            adata.varm[coordinates] if isinstance(coordinates, str) else coordinates,
            labels=None if label is None else adata.obs[label],
            ids=adata.obs_names,
            fields={name: adata.obs[name] for name in columns},
            **making,
        )

    @classmethod
    def open(cls, path: PathLike) -> "Index":
        """An index from a file, which is mapped, or read where it was edited; from a folder of
        shards, the whole of them in memory.

        It stays what it was when it was opened, whatever becomes of the file; see refresh.
        """
        if _navvy.is_sharded(Path(path)):
            return cls(_navvy.open_whole(Path(path)))
        handle, state = _navvy.open(Path(path))
        index = cls(handle)
        index._opened = Path(path), handle, state
        logger.info("opened %s: %d rows", path, len(index))
        return index

    def close(self) -> None:
        """Gives the memory of the index back; a second call does nothing. Matches keep theirs."""
        self._open_handle = self._opened = self._coordinates = None

    def __enter__(self) -> "Index":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def save(self, path: PathLike, *, progress: bool | ProgressFunction = False) -> None:
        """Writes the index to a file, whole or not at all.

        Where it was opened from that file and others have edited the file since, nothing is written
        and OSError raised: navvy.Writer edits files that others edit too.
        """
        target = Path(path)
        state = None
        if self._opened and target.exists() and target.samefile(self._opened[0]):
            state = self._opened[2]
        with progress_function(progress) as function:
            _navvy.save(self._handle, target, state, function)
        if state is not None:
            self._opened = target, self._handle, _navvy.file_state(target)
        logger.info("saved %s: %d rows", path, len(self))

    def refresh(self) -> bool:
        """Takes over what the file it was opened from has become; False where nothing has changed.

        Row numbers are places among the rows of one state; ids are what lasts.
        """
        if self._opened is None:
            raise ValueError("the index was not opened from a file")
        path, handle, state = self._opened
        if self._handle is not handle:
            raise ValueError("the index was edited since it was opened; save it or open it again")
        if _navvy.file_state(path) == state:
            return False
        self._handle, state = _navvy.open(path)
        self._opened = path, self._handle, state
        logger.info("opened %s again: %d rows", path, len(self))
        return True

    @classmethod
    def from_bytes(cls, content: bytes) -> "Index":
        """An index out of the bytes of its file."""
        return cls(_navvy.Handle.from_bytes(content))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._handle.to_bytes(), self._coordinates)

    def add(
        self,
        rows: Any,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        fields: Any = None,
        vectors: Any = None,
        progress: bool | ProgressFunction = False,
    ) -> None:
        """More rows of the kind the index has, behind its own.

        Words that are new to an index of texts enter where the `vectors` it was built with are
        given, and are unknown otherwise. `fields` have the types that they have in the index.
        """
        if self.kind == "text":
            documents = documents_of(rows, labels, ids, None)
            made = as_fields(fields, len(documents), types_of(self._handle))
            source = None if vectors is None else as_source(vectors)
            with progress_function(progress) as function:
                self._handle, report = _navvy.text_rows(
                    self._handle, documents, made, source, False, True, function
                )
            self._read(report)
            return
        if self._handle.has_ids and ids is None:
            raise ValueError("the rows of the index have ids; expected ids of the new rows as well")
        new = named(self._queries(rows), labels, ids)
        made = as_fields(fields, len(new), types_of(self._handle))
        self._handle = self._handle.appended(new.with_fields(made) if made else new)

    def add_query_words(self, vectors: Any, texts: Iterable[str] | None = None) -> None:
        """More words that queries may use though no row has them: those of some texts, or without
        texts all that a text can have. The `vectors` are those that the index was built with."""
        wanted = None if texts is None else texts_of([texts] if isinstance(texts, str) else texts)
        self._handle = self._handle.with_query_words(as_source(vectors), wanted)

    def reweighed(self, vocabulary: "Index") -> "Index":
        """The same rows weighed against the vocabulary of a whole of which they are a part: a shard
        of it. Words for queries are left to the vocabulary."""
        return Index(self._handle.reweighed(vocabulary._handle))

    def encode(self, texts: str | Iterable[str], ids: Iterable[object] | None = None) -> "Index":
        """Texts as queries, encoded once for many searches: an index with a row for each. One
        without any known word is an empty row; report["unknown"] tells the unknown words."""
        listed = texts_of([texts] if isinstance(texts, str) else texts)
        handle = self._handle.encode_queries(listed, as_names(ids, "ids") or [])
        queries = Index(handle)
        queries.report["unknown"] = handle.unknown
        return queries

    def remove(self, ids: str | Iterable[object]) -> None:
        """Takes out the rows of these ids. Rows without ids are named by their numbers, and the
        others keep those as ids."""
        names = [ids] if isinstance(ids, str) else as_names(ids, "ids")
        self._handle = self._handle.removed(names or [])

    def _read(self, report: dict[str, Any]) -> None:
        """Keeps what was met in texts, and tells it; what empties most of them is warned of."""
        self.report = report
        logger.info(
            "read %d texts: %d words, of them %d stop words and %d without a vector",
            *(report[count] for count in ("documents", "tokens", "stop_tokens", "unknown_tokens")),
        )
        warn_of_empty(report)


def _unpickled(file: bytes, coordinates: FloatArray | None) -> Index:
    return Index(_navvy.Handle.from_bytes(file), coordinates)
