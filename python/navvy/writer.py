"""Edits of index files that others read and edit too."""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _navvy
from .arrays import as_coordinates, as_names
from .fields import as_fields, types_of
from .index import PathLike
from .options import ProgressFunction, progress_function
from .queries import warn_of_empty
from .rows import documents_of, named, rows_like
from .vectors import as_source


class Writer:
    """Edits one index file in place, in time and bytes proportional to what changes.

    It holds the lock of the file until it is closed, so use it as a context manager:

        with navvy.Writer("news.navvy") as writer:
            writer.add(texts, ids=names)

    Each call is one edit: done and durable when it returns, and not there at all where it raises.
    Readers are never kept waiting; they go on with the state they opened. `wait` is how many
    seconds to wait for another writer; OSError says who that is. With `tidy`, small segments are
    put together when they grow many.
    """

    def __init__(
        self,
        path: PathLike,
        *,
        wait: float = 10.0,
        tidy: bool = True,
        progress: bool | ProgressFunction = False,
    ) -> None:
        if not wait >= 0:
            raise ValueError(f"wait is {wait}; expected seconds, 0 or more")
        with ExitStack() as stack:
            function = stack.enter_context(progress_function(progress))
            self._writer = _navvy.Writer(Path(path), wait, tidy, function)
            self._shown = stack.pop_all()
        self.report: dict[str, Any] = {}
        """What the last add or update of texts met."""

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets others edit the file. A second call does nothing.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> writer = navvy.Writer("points.navvy")
        >>> writer.close()
        """
        self._writer.close()
        self._shown.close()

    def __len__(self) -> int:
        return len(self._writer.outline())

    def add(
        self,
        rows: Any,
        labels: Iterable[object] | None = None,
        ids: Iterable[object] | None = None,
        *,
        titles: Iterable[object] | None = None,
        fields: Any = None,
        vectors: Any = None,
        coordinates: Any = None,
    ) -> None:
        """Puts rows behind those that are there.

        Parameters
        ----------
        rows : texts, images or histograms
            As the index has them.
        labels, ids : sequence, default=None
            One for each new row.
        titles : sequence of str, default=None
            Of texts.
        fields : dictionary of sequences by name, or table, default=None
            Of the types that they have in the index.
        vectors : path, Vectors, or what has `index_to_key` and `vectors`, default=None
            Of texts, those that the index was built with: new words enter. They are unknown
            otherwise.
        coordinates : array of shape (n_columns,) or (n_columns, n_dimensions), default=None
            Of histograms; without them they are over those that the index uses.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> with navvy.Writer("points.navvy") as writer:
        ...     writer.add([[0, 1, 1]])
        ...     len(writer)
        4
        """
        self._writer.add(self._rows(rows, labels, ids, titles, fields, vectors, coordinates))

    def update(
        self,
        rows: Any,
        ids: Iterable[object],
        labels: Iterable[object] | None = None,
        *,
        titles: Iterable[object] | None = None,
        fields: Any = None,
        vectors: Any = None,
        coordinates: Any = None,
    ) -> tuple[int, int]:
        """Replaces the rows of these ids and adds those that are new.

        Parameters
        ----------
        rows, labels, titles, fields, vectors, coordinates
            As in `add`.
        ids : sequence
            One for each row.

        Returns
        -------
        replaced, added : int
            How many of each.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0], [0, 1]], [0, 1], ids=["a", "b"])
        >>> index.save("points.navvy")
        >>> with navvy.Writer("points.navvy") as writer:
        ...     writer.update([[1, 1], [1, 3]], ids=["b", "c"])
        (1, 1)
        """
        made = self._rows(rows, labels, ids, titles, fields, vectors, coordinates, replacing=True)
        return self._writer.update(made)

    def remove(self, ids: str | Iterable[object]) -> None:
        """Takes out rows.

        Parameters
        ----------
        ids : str or sequence
            The ids of the rows.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> with navvy.Writer("points.navvy") as writer:
        ...     writer.remove(["0"])
        ...     len(writer)
        2
        """
        names = [ids] if isinstance(ids, str) else as_names(ids, "ids")
        self._writer.remove(names or [])

    def compact(self, *, reweigh: bool = False) -> None:
        """Writes the file anew as one segment, without what was removed.

        Parameters
        ----------
        reweigh : bool, default=False
            Under bm25, tfidf and sif, whether words are counted in the rows that are there now.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.save("points.navvy")
        >>> with navvy.Writer("points.navvy") as writer:
        ...     writer.remove(["0"])
        ...     writer.compact()
        >>> navvy.file_facts("points.navvy")["unused"]
        0
        """
        self._writer.compact(reweigh)

    def _rows(
        self,
        rows: Any,
        labels: Iterable[object] | None,
        ids: Iterable[object] | None,
        titles: Iterable[object] | None,
        fields: Any,
        vectors: Any,
        coordinates: Any,
        replacing: bool = False,
    ) -> _navvy.Handle:
        outline = self._writer.outline()
        if outline.kind == "text":
            documents = documents_of(rows, labels, ids, titles)
            made = as_fields(fields, len(documents), types_of(outline))
            source = None if vectors is None else as_source(vectors)
            handle, self.report = _navvy.text_rows(
                outline, documents, made, source, replacing, False, None
            )
            warn_of_empty(self.report)
            return handle
        points = None if coordinates is None else as_coordinates(coordinates)
        new = named(rows_like(outline, rows, points, known=True), labels, ids)
        made = as_fields(fields, len(new), types_of(outline))
        return new.with_fields(made) if made else new


def file_facts(path: PathLike) -> dict[str, Any]:
    """What an index file is made of.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    facts : dict
        Its version, edits, segments, bytes, unused and leftover ones, and drift.

    Examples
    --------
    >>> import tempfile, navvy
    >>> index = navvy.Index.from_histograms([[1, 0], [0, 1]], [0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index.save(f"{folder}/points.navvy")
    ...     facts = navvy.file_facts(f"{folder}/points.navvy")
    >>> facts["edits"], len(facts["segments"])
    (0, 1)
    """
    return _navvy.file_facts(Path(path))
