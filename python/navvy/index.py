"""The index: histograms made ready for searching."""

from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _navvy
from .arrays import FloatArray, as_names
from .fields import as_fields, types_of
from .log import logger
from .making import Making
from .making import PathLike as PathLike
from .options import ProgressFunction, progress_function
from .rows import documents_of, named, texts_of
from .vectors import as_source


class Index(Making):
    """Histograms over coordinates, to be searched under the Earth Mover's Distance and its kin.

    Make one with from_histograms, from_texts, from_images or open. The keywords `run` of its
    methods are direction, threads, memory, device, device_memory, progress, sinkhorn and the limits
    of exact searches; see navvy.options.Run. Threads may call on one index at once; each gets the
    bits that it would get alone.

    `len(index)` counts rows, `index[row]` and `index["id"]` are one of them, and `with
    navvy.Index.open(path) as index:` gives its memory back at the end.
    """

    @classmethod
    def open(cls, path: PathLike) -> "Index":
        """An index from a file, which is mapped, or read where it was edited; from a folder of
        shards, the whole of them in memory.

        It stays what it was when it was opened, whatever becomes of the file; see refresh.

        Parameters
        ----------
        path : path
            The file or the folder.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import navvy
        >>> navvy.Index.from_histograms([[1, 0], [0, 1]], [0, 1]).save("points.navvy")
        >>> len(navvy.Index.open("points.navvy"))
        2
        """
        if _navvy.is_sharded(Path(path)):
            return cls(_navvy.open_whole(Path(path)))
        handle, state = _navvy.open(Path(path))
        index = cls(handle)
        index._opened = Path(path), handle, state
        logger.info("opened %s: %d rows", path, len(index))
        return index

    def close(self) -> None:
        """Gives the memory of the index back; a second call does nothing. Matches keep theirs.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.close()
        >>> index
        <navvy.Index, closed>
        """
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

        Parameters
        ----------
        path : path
            The file.
        progress : bool or function, default=False
            True for a bar, or a function of (phase, done, total).

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> len(navvy.Index.open("points.navvy"))
        3
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
        """Takes over what the file it was opened from has become.

        Row numbers are places among the rows of one state; ids are what lasts.

        Returns
        -------
        changed : bool
            False where nothing has.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> opened = navvy.Index.open("points.navvy")
        >>> with navvy.Writer("points.navvy") as writer:
        ...     writer.remove(["0"])
        >>> opened.refresh(), len(opened)
        (True, 2)
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
        """An index out of the bytes of its file.

        Parameters
        ----------
        content : bytes
            What `to_bytes` gave, or a file.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> len(navvy.Index.from_bytes(index.to_bytes()))
        3
        """
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

        Parameters
        ----------
        rows : texts, images or histograms
            As the index has them.
        labels, ids : sequence, default=None
            One for each new row; ids are needed where the index has ids.
        fields : dictionary of sequences by name, or table, default=None
            Of the types that they have in the index.
        vectors : path, Vectors, or what has `index_to_key` and `vectors`, default=None
            Of texts, those that the index was built with: new words enter. They are unknown
            otherwise.
        progress : bool or function, default=False
            True for a bar, or a function of (phase, done, total).

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.add([[0, 1, 1]])
        >>> len(index), index.ids.tolist()
        (4, ['0', '1', '2', '3'])
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
        """More words that queries may use though no row has them.

        Parameters
        ----------
        vectors : path, Vectors, or what has `index_to_key` and `vectors`
            Those that the index was built with.
        texts : str or sequence of str, default=None
            Whose words; without texts all that a text can have.

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words, query_words="corpus")
        >>> index.add_query_words(Words, "The queen")
        >>> index.query_words
        ['queen']
        """
        wanted = None if texts is None else texts_of([texts] if isinstance(texts, str) else texts)
        self._handle = self._handle.with_query_words(as_source(vectors), wanted)

    def reweighed(self, vocabulary: "Index") -> "Index":
        """The same rows weighed against the vocabulary of a whole of which they are a part: a shard
        of it.

        Parameters
        ----------
        vocabulary : Index
            Of the whole, see joined_vocabulary. Words for queries are left to it.

        Returns
        -------
        shard : Index

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words)
        >>> other = navvy.Index.from_texts(["A king and a queen"], Words)
        >>> len(index.reweighed(navvy.joined_vocabulary([index, other])))
        2
        """
        return Index(self._handle.reweighed(vocabulary._handle))

    def encode(self, texts: str | Iterable[str], ids: Iterable[object] | None = None) -> "Index":
        """Texts as queries, encoded once for many searches.

        Parameters
        ----------
        texts : str or sequence of str
            The queries. One without any known word is an empty row.
        ids : sequence, default=None
            What they are called.

        Returns
        -------
        queries : Index
            A row for each; `report["unknown"]` tells the unknown words.

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words)
        >>> queries = index.encode(["queen", "turnip"])
        >>> queries.report["unknown"]
        [[], ['turnip']]
        >>> index.search(queries, k=1, on_empty="skip").rows.tolist()
        [[0], [-1]]
        """
        listed = texts_of([texts] if isinstance(texts, str) else texts)
        handle = self._handle.encode_queries(listed, as_names(ids, "ids") or [])
        queries = Index(handle)
        queries.report["unknown"] = handle.unknown
        return queries

    def remove(self, ids: str | Iterable[object]) -> None:
        """Takes out rows.

        Parameters
        ----------
        ids : str or sequence
            The ids of the rows. Rows without ids are named by their numbers, and the others keep
            those as ids.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.remove(["1"])
        >>> index.ids.tolist()
        ['0', '2']
        """
        names = [ids] if isinstance(ids, str) else as_names(ids, "ids")
        self._handle = self._handle.removed(names or [])


def _unpickled(file: bytes, coordinates: FloatArray | None) -> Index:
    return Index(_navvy.Handle.from_bytes(file), coordinates)
