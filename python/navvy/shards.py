"""An index in shards, for many machines or for one: tasks that are pure, and lists that merge."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import FloatArray
from .index import Index, PathLike
from .lists import Lists
from .options import ProgressFunction, Purpose, Run, options, progress_function


class Shards:
    """A folder of shards: ordinary index files, and a manifest that says which of them count.

    Opening reads the manifest alone. What is pickled is the folder's name. The shards that were
    asked last stay ready, so keep one of these per worker and folder. Every method raises an error
    that names the file where a shard is missing, damaged, of another version, or not the one that
    the manifest names.
    """

    def __init__(self, folder: PathLike) -> None:
        self._folder = Path(folder)
        self._shards = _navvy.Shards(self._folder)

    @classmethod
    def open(cls, folder: PathLike) -> "Shards":
        """The shards of a folder.

        Parameters
        ----------
        folder : path
            Where the manifest is.

        Returns
        -------
        shards : Shards

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> navvy.Shards.open("points")
        <navvy.Shards of histograms: 3 rows in 2 shards>
        """
        return cls(folder)

    def __reduce__(self) -> tuple[Any, ...]:
        return Shards, (os.fspath(self._folder),)

    def __len__(self) -> int:
        return len(self._shards)

    def __repr__(self) -> str:
        return f"<navvy.Shards of {self.kind}: {self.rows} rows in {len(self)} shards>"

    @property
    def folder(self) -> Path:
        """Where the manifest is."""
        return self._folder

    @property
    def rows(self) -> int:
        """How many rows all shards have together."""
        return self._shards.rows

    @property
    def kind(self) -> str:
        """ "histograms", "images" or "text"."""
        return self._shards.kind

    @property
    def numbered(self) -> bool:
        """Whether no row has an id, so that rows are called by their numbers in the whole."""
        return self._shards.numbered

    @property
    def files(self) -> list[str]:
        """The names of the files, in the order of the shards."""
        return self._shards.files

    @property
    def identity(self) -> str:
        """Changes with any shard."""
        return f"{self._shards.identity:016x}"

    def rows_of(self, shard: int) -> npt.NDArray[np.int64]:
        """The number in the whole of each row of a shard.

        Parameters
        ----------
        shard : int
            Its number.

        Returns
        -------
        rows : array of shape (n_rows,)
            Ascending.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> [shards.rows_of(shard).tolist() for shard in range(len(shards))]
        [[0], [1, 2]]
        """
        return self._shards.rows_of(shard)

    def shard(self, shard: int) -> Index:
        """One shard as an index.

        Parameters
        ----------
        shard : int
            Its number.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> len(shards.shard(0))
        1
        """
        return Index(self._shards.open(shard))

    def vocabulary(self) -> Index:
        """Of texts: what makes queries for all shards.

        Returns
        -------
        vocabulary : Index
            Without rows; its `encode` makes queries.

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words)
        >>> shards = navvy.split(index, "texts", 2)
        >>> len(shards.vocabulary().encode("a queen"))
        1
        """
        return Index(self._shards.vocabulary())

    def index(self) -> Index:
        """The whole in memory.

        Returns
        -------
        index : Index
            Its rows in order.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> len(shards.index())
        3
        """
        return Index(_navvy.open_whole(self._folder))

    def parts(self) -> list[tuple[int, int]]:
        """The units of knn.

        Returns
        -------
        parts : list of pairs of int
            Pairs of shards, those of a shard with itself first.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> shards.parts()
        [(0, 0), (1, 1), (0, 1)]
        """
        return self._shards.pairs()

    def search(
        self,
        shard: int,
        queries: Index,
        top: int | None = None,
        measure: str | None = None,
        *,
        for_: Purpose | None = None,
        mix_bow: float | None = None,
        within: float | None = None,
        **run: Unpack[Run],
    ) -> Lists:
        """The nearest rows of each query in one shard.

        Parameters
        ----------
        shard : int
            Its number.
        queries : Index
            Out of `vocabulary().encode`, Index.from_images or from_histograms. Those without weight
            have no matches.
        top, measure, for_, mix_bow, within
            As in `Index.search`; the lists of all shards merge to what it gives.
        **run
            Keywords of every computation, such as `threads`; see navvy.options.Run.

        Returns
        -------
        lists : Lists
            A part of the answer, see merge_lists.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> parts = [shards.search(shard, index, top=2) for shard in range(2)]
        >>> navvy.merge_lists(parts).rows.tolist()
        [[0, 1], [1, 0], [2, 1]]
        """
        purpose = for_ if for_ is not None else "contains" if self.kind == "text" else "similar"
        with options(measure, top, within, None, purpose, mix_bow, **run) as wanted:
            return Lists(self._shards.search(shard, queries._handle, wanted))

    def knn(
        self,
        a: int,
        b: int,
        top: int = 10,
        measure: str = "act-1",
        *,
        limits: FloatArray | Sequence[FloatArray] | None = None,
        **run: Unpack[Run],
    ) -> Lists:
        """The rows of two shards against each other, or those of one among themselves.

        Parameters
        ----------
        a, b : int
            The shards, a < b for the lists of both, a == b for those of one; see `parts`.
        top : int, default=10
            How many rows for each.
        measure : str, default="act-1"
            Such as "act-1" or "emd".
        limits : array, or one for each shard, default=None
            What `Lists.limits` of other parts gives: nothing farther is listed for a row.
        **run
            Keywords of every computation, such as `threads`; see navvy.options.Run.

        Returns
        -------
        lists : Lists
            A part of the answer, see merge_lists.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> shards = navvy.split(index, "points", 2)
        >>> navvy.merge_lists(shards.knn(a, b, top=1) for a, b in shards.parts()).rows.tolist()
        [[1], [0], [1]]
        """
        with options(measure, top, **run) as wanted:
            return Lists(self._shards.knn(a, b, wanted, _as_limits(limits)))


def _as_limits(
    limits: FloatArray | Sequence[FloatArray] | None,
) -> npt.NDArray[np.float64] | None:
    if limits is None:
        return None
    parts = [limits] if isinstance(limits, np.ndarray) else list(limits)
    return np.ascontiguousarray(np.concatenate(parts), dtype=np.float64)


def split(
    index: Index,
    folder: PathLike,
    shards: int,
    *,
    hashed: bool = False,
    progress: bool | ProgressFunction = False,
) -> Shards:
    """Writes the rows of an index as so many shards into a folder.

    Parameters
    ----------
    index : Index
        The whole. Texts come with its vocabulary.
    folder : path
        Where the shards and their manifest are written.
    shards : int
        How many.
    hashed : bool, default=False
        Whether a hash of row numbers says which row goes where, so that each shard is a sample of
        the whole; otherwise shards are ranges of rows.
    progress : bool or function, default=False
        True for a bar, or a function of (phase, done, total).

    Returns
    -------
    shards : Shards

    Examples
    --------
    >>> import tempfile, navvy
    >>> index = navvy.Index.from_histograms([[1, 0], [0, 1], [1, 1]], [0, 1])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     shards = navvy.split(index, folder, 2)
    >>> len(shards), shards.rows
    (2, 3)
    """
    with progress_function(progress) as function:
        _navvy.split(index._handle, Path(folder), shards, hashed, function)
    return Shards(folder)


def write_manifest(
    folder: PathLike, files: Iterable[str], *, vocabulary: str | None = None
) -> Shards:
    """Makes index files of a folder its shards, in this order: from now on they count.

    Parameters
    ----------
    folder : path
        Where the files are.
    files : iterable of str
        Their names, relative to the folder.
    vocabulary : str, default=None
        Of texts the file of their vocabulary, which all shards were weighed against
        (Index.reweighed).

    Returns
    -------
    shards : Shards

    Examples
    --------
    >>> import tempfile, navvy
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("a.navvy", "b.navvy"):
    ...         index = navvy.Index.from_histograms([[1, 0], [0, 1]], [0, 1])
    ...         index.save(f"{folder}/{name}")
    ...     shards = navvy.write_manifest(folder, ["a.navvy", "b.navvy"])
    >>> shards.files, shards.rows
    (['a.navvy', 'b.navvy'], 4)
    """
    _navvy.make_shards(Path(folder), [str(file) for file in files], vocabulary or "")
    return Shards(folder)


def joined_vocabulary(indexes: Iterable[Index]) -> Index:
    """The vocabulary of the rows of all indexes of texts together.

    Parameters
    ----------
    indexes : iterable of Index
        Indexes, or vocabularies of such.

    Returns
    -------
    vocabulary : Index
        An index without rows that knows all words and in how many documents each stands.

    Examples
    --------
    >>> import numpy as np, navvy
    >>> class Words:
    ...     index_to_key = ["king", "queen", "pear"]
    ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> parts = [navvy.Index.from_texts([text], Words) for text in ("king", "king pear")]
    >>> vocabulary = navvy.joined_vocabulary(parts)
    >>> len(vocabulary), vocabulary.words
    (0, ['king', 'pear'])
    """
    return Index(_navvy.joined_vocabulary([index._handle for index in indexes]))
