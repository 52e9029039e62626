"""The index: histograms made ready for searching."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import FloatArray, as_coordinates, as_names, as_rows
from .explanation import Explanation, explained
from .fields import as_arrays, as_fields, types_of, with_fields
from .matches import Evaluation, Matches
from .options import Chosen, ProgressFunction, Run, check_count, options, progress_function
from .parquet import read_parquet
from .rows import documents_of, image_handle, named, row_numbers, row_range, rows_like
from .vectors import as_source

PathLike = str | os.PathLike[str]


class Index:
    """Histograms over coordinates, to be searched under the Earth Mover's Distance and its kin.

    Make one with from_histograms, from_texts, from_images or open. The keywords `run` of its
    methods are direction, threads, memory, device, device_memory, progress, sinkhorn and the limits
    of exact searches; see navvy.options.Run. Threads may call on one index at once; each gets the
    bits that it would get alone.
    """

    def __init__(self, handle: _navvy.Handle, coordinates: FloatArray | None = None) -> None:
        if not isinstance(handle, _navvy.Handle):
            raise TypeError("use Index.from_histograms, from_texts, from_images or open")
        self._handle = handle
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
    ) -> "Index":
        """Histograms as rows of a sparse or dense matrix, with a coordinate for each column.

        Rows are scaled to sum 1. Where X is a canonical CSR matrix of float32 and int32 whose rows
        already sum to 1, and all columns are used, the index refers to its arrays: do not change
        them afterwards. With `keep_zeros`, entries of weight zero stay as bins that receive but
        hold nothing. `fields` are what else is known of each row, see `Index.fields`: a dictionary
        of sequences by name, or a table of pandas, pyarrow or polars.
        """
        points = as_coordinates(coordinates)
        rows, columns = as_rows(X, keep_zeros)
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
        fields: Any = None,
        keep_background: bool = False,
    ) -> "Index":
        """Images of one size, as an array (image, line, column): weights are the values of pixels.

        With `keep_background`, pixels of value zero are bins that receive but hold nothing.
        """
        handle = named(image_handle(images, keep_background), labels, ids)
        return cls(with_fields(handle, fields))

    @classmethod
    def from_texts(
        cls,
        texts: Iterable[str],
        vectors: Any,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        titles: Iterable[str] | None = None,
        fields: Any = None,
        token_pattern: str = "",
        keep_case: bool = False,
        stop_words: int | Sequence[str] = 100,
        max_bins: int = 500,
        weighting: str = "tf",
        normalize: bool = True,
        progress: bool | ProgressFunction = False,
    ) -> "Index":
        """Texts as bags of words at the places of their word vectors.

        `vectors` is a file (word2vec, GloVe or fastText .vec; plain, gzip or zstd), what
        load_vectors gave, or anything shaped like gensim's KeyedVectors. `stop_words` is a list,
        or how many of the first words of the vectors are left out. A token is a run of letters
        unless `token_pattern`, an RE2 pattern, says otherwise.
        """
        first_words = stop_words if isinstance(stop_words, int) else 0
        recipe = _navvy.Recipe(
            token_pattern=token_pattern,
            keep_case=keep_case,
            stop_word_count=check_count("stop_words", first_words, 0),
            stop_words=None if isinstance(stop_words, int) else list(stop_words),
            max_bins=check_count("max_bins", max_bins, 1),
            weighting=weighting,
            normalize=normalize,
        )
        documents = documents_of(texts, labels, ids, titles)
        with progress_function(progress) as function:
            handle, report = _navvy.build_text(documents, as_source(vectors), recipe, function)
        index = cls(with_fields(handle, fields))
        index.report = report
        return index

    @classmethod
    def from_parquet(
        cls,
        path: PathLike,
        vectors: Any,
        text: str = "text",
        label: str | None = None,
        id: str | None = None,
        title: str | None = None,
        keep_fields: Iterable[str] = (),
        **recipe: Any,
    ) -> "Index":
        """Texts from a column of a Parquet file, which pyarrow reads; `label`, `id`, `title` and
        `keep_fields` are names of columns as well. The rest is as in from_texts."""
        parts = {"labels": label, "ids": id, "titles": title}
        return cls.from_texts(
            vectors=vectors, **read_parquet(path, text, parts, keep_fields), **recipe
        )

    @classmethod
    def open(cls, path: PathLike) -> "Index":
        """An index from a file, which is mapped, or read where it was edited.

        It stays what it was when it was opened, whatever becomes of the file; see refresh.
        """
        handle, state = _navvy.open(Path(path))
        index = cls(handle)
        index._opened = Path(path), handle, state
        return index

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
        return True

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
                self._handle, self.report = _navvy.text_rows(
                    self._handle, documents, made, source, False, True, function
                )
            return
        if self._handle.has_ids and ids is None:
            raise ValueError("the rows of the index have ids; expected ids of the new rows as well")
        new = named(self._queries(rows), labels, ids)
        made = as_fields(fields, len(new), types_of(self._handle))
        self._handle = self._handle.appended(new.with_fields(made) if made else new)

    def remove(self, ids: str | Iterable[object]) -> None:
        """Takes out the rows of these ids. Rows without ids are named by their numbers, and the
        others keep those as ids."""
        names = [ids] if isinstance(ids, str) else as_names(ids, "ids")
        self._handle = self._handle.removed(names or [])

    # --- what it holds ---------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._handle)

    def __repr__(self) -> str:
        coordinates = self.coordinates
        return (
            f"<navvy.Index of {self.kind}: {len(self)} rows over {len(coordinates)} coordinates of "
            f"{coordinates.shape[1]} dimensions>"
        )

    @property
    def kind(self) -> str:
        """ "histograms", "images" or "text"."""
        return self._handle.kind

    @property
    def properties(self) -> dict[str, str]:
        """How the rows were made."""
        return self._handle.properties

    @property
    def ids(self) -> npt.NDArray[np.str_]:
        """The id of each row; row numbers where none were given."""
        return np.array(self._handle.ids(), dtype=np.str_)

    @property
    def labels(self) -> npt.NDArray[np.str_]:
        """The label of each row as text, "" for none."""
        names = np.array([*self._handle.label_names(), ""], dtype=np.str_)
        if not self._handle.has_labels:
            return np.full(len(self), "", dtype=np.str_)
        return names[self._handle.label_numbers()]

    @property
    def titles(self) -> list[str]:
        return self._handle.titles()

    @property
    def fields(self) -> dict[str, npt.NDArray[Any]]:
        """What else is known of each row, by name: numbers as float64 with NaN for none, dates as
        datetime64[s] with NaT, texts with ""."""
        return as_arrays(self._handle)

    @property
    def words(self) -> list[str]:
        """The word of each coordinate, where coordinates are words."""
        return self._handle.words()

    @property
    def coordinates(self) -> FloatArray:
        """The coordinates that rows use, read-only."""
        return self._handle.coordinates()

    @property
    def histograms(self) -> Any:
        """The rows as a CSR matrix over `coordinates`; it shares the memory of the index."""
        import scipy.sparse

        offsets, indices, weights = self._handle.histograms()
        matrix = scipy.sparse.csr_matrix((len(self), len(self.coordinates)), dtype=np.float32)
        matrix.indptr = offsets.astype(np.int32 if len(indices) < 2**31 else np.int64)
        matrix.indices = indices.view(np.int32)
        matrix.data = weights
        return matrix

    # --- searching -------------------------------------------------------------------------------

    def search(
        self,
        queries: Any = None,
        top: int | None = None,
        measure: str = "act-1",
        *,
        rows: Any = None,
        coordinates: Any = None,
        within: float | None = None,
        **run: Unpack[Chosen],
    ) -> Matches:
        """The nearest rows of each query, 10 unless `top` says otherwise.

        Queries are what the index is made of: texts, images, or histograms over the coordinates it
        was made with (to be given once more as `coordinates` after open, where queries use some
        that no row uses). Instead of `queries`, `rows` names rows of the index; each is left out of
        its own matches.

        Among the keywords `where` is a filter such as "label in (a, b) and year >= 1990" and `ids`
        names rows: only what passes both is found. `within` is a radius: without `top` all rows
        inside are found, and the matches are as wide as the longest list.
        """
        if (queries is None) == (rows is None):
            raise TypeError("search needs queries or rows, and not both")
        with options(measure, top, within, self._handle, **run) as wanted:
            if rows is not None:
                found = self._handle.search_rows(row_numbers(rows, len(self)), wanted)
            else:
                found = self._handle.search(self._queries(queries, coordinates), wanted)
        return self._matches(found, measure)

    def knn(self, top: int = 10, measure: str = "act-1", **run: Unpack[Chosen]) -> Any:
        """The nearest rows of every row as a CSR matrix of distances, n x n.

        Each row holds its neighbours, nearest first, with distances of zero as explicit entries,
        but not itself. With `where` or `ids`, as in search, both sides are the rows that are left;
        the lines of the others are empty.
        """
        import scipy.sparse

        matches = self.knn_matches(top, measure, **run)
        found = matches.rows >= 0
        offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
        return scipy.sparse.csr_matrix(
            (matches.distances[found], matches.rows[found], offsets), shape=(len(self), len(self))
        )

    def knn_matches(self, top: int = 10, measure: str = "act-1", **run: Unpack[Chosen]) -> Matches:
        """The same as Matches."""
        with options(measure, top, None, self._handle, **run) as wanted:
            return self._matches(self._handle.knn(wanted), measure)

    def distances(
        self,
        queries: Any = None,
        measure: str = "act-1",
        *,
        query_rows: range | None = None,
        rows: range | None = None,
        coordinates: Any = None,
        **run: Unpack[Run],
    ) -> npt.NDArray[np.floating[Any]]:
        """All distances of the queries, or of all rows, to the rows; NaN where one has no weight.

        `rows` chooses a range of columns and, without `queries`, `query_rows` one of lines.
        """
        if queries is not None and query_rows is not None:
            raise TypeError("distances takes queries or query_rows, not both")
        of_rows = row_range(rows, len(self))
        with options(measure, **run) as wanted:
            if queries is None:
                return self._handle.distances(row_range(query_rows, len(self)), of_rows, wanted)
            return self._handle.distances(self._queries(queries, coordinates), of_rows, wanted)

    def explain(
        self, a: Any, b: Any, measure: str = "emd", *, coordinates: Any = None, **run: Unpack[Run]
    ) -> Explanation:
        """The flow behind the distance of two histograms.

        Each is a row number, a text (for an index of texts), the id of a row (for others), an
        image, or a histogram.
        """
        source, target = self._one(a, coordinates), self._one(b, coordinates)
        with options(measure, **run) as wanted:
            return explained(source, target, measure, wanted)

    def evaluate(
        self,
        measures: str | Iterable[str] = "act-1",
        tops: Iterable[int] = (1, 16),
        queries: int = 0,
        **run: Unpack[Chosen],
    ) -> dict[str, Evaluation]:
        """Precision of the nearest rows against labels under each measure.

        `queries` is how many of the first rows ask; 0 stands for all. With `where` or `ids`, as in
        search, the rows that are left ask and are found.
        """
        names = measures.split(",") if isinstance(measures, str) else list(measures)
        sizes = [check_count("top", top, 1) for top in tops]
        first = check_count("queries", queries, 0)
        result = {}
        for name in names:
            with options(name, 1, None, self._handle, **run) as wanted:
                done = self._handle.evaluate(sizes, first, wanted)
            done["precision"] = dict(zip(sizes, done["precision"], strict=True))
            result[name] = Evaluation(measure=name, **done)
        return result

    # --- queries ---------------------------------------------------------------------------------

    def _matches(self, found: dict[str, Any], measure: str) -> Matches:
        return Matches(
            distances=found["distances"],
            rows=found["rows"],
            measure=measure,
            stages=found["stages"],
            _index=self,
            lower=found.get("lower"),
            upper=found.get("upper"),
            exact=found["exact"].astype(bool) if "exact" in found else None,
        )

    def _queries(self, queries: Any, coordinates: Any = None) -> _navvy.Handle:
        """Rows made as those of the index were."""
        if isinstance(queries, Index):
            return queries._handle
        points = self._coordinates if coordinates is None else as_coordinates(coordinates)
        return rows_like(self._handle, queries, points)

    def _one(self, what: Any, coordinates: Any) -> tuple[_navvy.Handle, int, str]:
        """A histogram, as an index, its row there, and a name for it."""
        if isinstance(what, int | np.integer) and not isinstance(what, bool):
            (row,) = row_numbers([int(what)], len(self))
            return self._handle, int(row), self._handle.id(int(row))
        if isinstance(what, str) and self.kind != "text":
            return self._handle, self._handle.row_with_id(what), what
        queries = self._queries(what, coordinates)
        if len(queries) != 1:
            raise ValueError(f"{len(queries)} histograms; expected one")
        return queries, 0, repr(what[:40]) if isinstance(what, str) else "the query"


def _unpickled(file: bytes, coordinates: FloatArray | None) -> Index:
    return Index(_navvy.Handle.from_bytes(file), coordinates)
