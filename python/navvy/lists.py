"""What tasks over shards found."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .index import PathLike


class Lists:
    """The nearest rows of some queries in some shards of an index: a part of an answer.

    Rows have the numbers of the whole, and so have queries where all rows ask (Shards.knn);
    elsewhere they are 0, 1, 2, ... Equal arguments give equal bytes.
    """

    def __init__(self, lists: _navvy.Lists) -> None:
        if not isinstance(lists, _navvy.Lists):
            raise TypeError("use Shards.search, Shards.knn, merge_lists, Lists.open or from_bytes")
        self._lists = lists

    @classmethod
    def open(cls, path: PathLike) -> "Lists":
        """Lists from a file, whose checksum is compared.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        lists : Lists

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> shards.search(0, index, top=1).save("part.lists")
        >>> navvy.Lists.open("part.lists").parts
        [(0, 0)]
        """
        return cls(_navvy.open_lists(Path(path)))

    @classmethod
    def from_bytes(cls, content: bytes) -> "Lists":
        """Lists out of the bytes of their file.

        Parameters
        ----------
        content : bytes
            What `to_bytes` gave.

        Returns
        -------
        lists : Lists

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> content = shards.search(0, index, top=1).to_bytes()
        >>> navvy.Lists.from_bytes(content).rows.tolist()
        [[0], [0], [0]]
        """
        return cls(_navvy.lists_from_bytes(content))

    def save(self, path: PathLike) -> None:
        """Writes a file, whole or not at all.

        Parameters
        ----------
        path : path
            The file.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> shards.search(0, index, top=1).save("part.lists")
        """
        self._lists.save(Path(path))

    def to_bytes(self) -> bytes:
        """The bytes that save writes.

        Returns
        -------
        content : bytes

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> part = shards.search(0, index, top=1)
        >>> part.to_bytes() == shards.search(0, index, top=1).to_bytes()
        True
        """
        return self._lists.to_bytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return Lists.from_bytes, (self.to_bytes(),)

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return f"<navvy.Lists of {len(self)} queries: {self.question}>"

    @cached_property
    def _columns(self) -> dict[str, Any]:
        return self._lists.columns()

    @property
    def question(self) -> str:
        """What was asked, for people."""
        return self._lists.question

    @property
    def top(self) -> int:
        """Places for each query."""
        return self._lists.top

    @property
    def parts(self) -> list[tuple[int, int]]:
        """Whose queries were asked in which shard: (0, shard) of queries that belong to no row,
        otherwise (shard of the rows that ask, shard)."""
        return self._lists.parts

    @property
    def queries(self) -> npt.NDArray[np.int64]:
        """The number of each query."""
        queries: npt.NDArray[np.int64] = self._columns["queries"]
        return queries

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """The nearest rows of each query by (distance, row); -1 where there are fewer."""
        rows: npt.NDArray[np.int64] = self._columns["rows"]
        return rows

    @property
    def distances(self) -> npt.NDArray[np.float64]:
        """Their distances; NaN where there are fewer."""
        distances: npt.NDArray[np.float64] = self._columns["distances"]
        return distances

    @property
    def lower(self) -> npt.NDArray[np.float64] | None:
        """Under emd, what the distances are at least; otherwise None."""
        return self._columns.get("lower")

    @property
    def upper(self) -> npt.NDArray[np.float64] | None:
        """Under emd, what the distances are at most; otherwise None."""
        return self._columns.get("upper")

    @property
    def exact(self) -> npt.NDArray[np.bool_] | None:
        """Under emd, whether both are the distance; otherwise None."""
        exact = self._columns.get("exact")
        return None if exact is None else exact.astype(bool)

    def limits(self) -> npt.NDArray[np.float64]:
        """By query the last distance of a full list: nothing farther can enter it.

        Returns
        -------
        limits : array of shape (n_queries,)
            Infinity where a list is not full.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> shards.search(0, index, top=1).limits().tolist()
        [0.0, 1.0, 3.0]
        """
        return self._lists.limits()

    def of_shard(self, shard: int) -> "Lists":
        """The lists of the rows of one shard alone.

        Parameters
        ----------
        shard : int
            Its number.

        Returns
        -------
        lists : Lists

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> lists = navvy.merge_lists(shards.knn(a, b, top=1) for a, b in shards.parts())
        >>> lists.of_shard(1).queries.tolist()
        [1, 2]
        """
        return Lists(self._lists.of(shard))

    def graph(self, shape: tuple[int, int] | None = None) -> Any:
        """Complete lists as a graph.

        Parameters
        ----------
        shape : pair of int, default=None
            Of the matrix. By default a line for each query and as many columns as the largest row
            needs.

        Returns
        -------
        graph : CSR matrix of distances
            Of all rows, what Index.knn gives; of other queries, a line for each.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> lists = navvy.merge_lists(shards.knn(a, b, top=1) for a, b in shards.parts())
        >>> lists.graph().toarray().tolist()
        [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]
        """
        import scipy.sparse

        self._lists.require_complete()
        order = np.argsort(self.queries, kind="stable")
        rows, distances = self.rows[order], self.distances[order]
        found = rows >= 0
        if shape is None:
            widest = int(rows.max(initial=-1)) + 1
            shape = (len(self), max(widest, len(self)) if self._owned_by_rows else widest)
        offsets = np.concatenate([[0], np.cumsum(found.sum(axis=1))])
        return scipy.sparse.csr_matrix((distances[found], rows[found], offsets), shape=shape)

    @property
    def _owned_by_rows(self) -> bool:
        return self.question.endswith("all rows")


def merge_lists(lists: Iterable[Lists | PathLike], *, partial: bool = False) -> Lists:
    """Parts of one answer, or files of them, together.

    Raises ValueError naming the file, or which part it is, where one belongs to another answer or
    stands there twice.

    Parameters
    ----------
    lists : iterable of Lists or of paths
        The parts; their order changes nothing.
    partial : bool, default=False
        Whether some may be missing; otherwise that is a ValueError too.

    Returns
    -------
    lists : Lists
        The answer.

    Examples
    --------
    >>> import tempfile, navvy
    >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = navvy.split(index, folder, 2)
    ...     parts = [shards.search(shard, index, top=2) for shard in range(2)]
    >>> navvy.merge_lists(parts).rows.tolist()
    [[0, 1], [1, 0], [2, 1]]
    """
    parts, names = [], []
    for number, part in enumerate(lists):
        parts.append(part if isinstance(part, Lists) else Lists.open(part))
        names.append(f"part {number}" if isinstance(part, Lists) else str(part))
    merged = _navvy.merge_lists([part._lists for part in parts], names)
    if not partial:
        merged.require_complete()
    return Lists(merged)
