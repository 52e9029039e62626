"""What an index holds, as arrays and lists."""

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _navvy
from .arrays import FloatArray, text_array
from .fields import as_arrays
from .notebook import html_of_index
from .row import Row, dense, row_of
from .rows import label_array


class Contents:
    """The part of an index that asks nothing: its rows, their names and their coordinates."""

    _coordinates: FloatArray | None

    _open_handle: _navvy.Handle | None

    @property
    def _handle(self) -> _navvy.Handle:
        """The rows as they are now; an edit puts another handle in its place."""
        if self._open_handle is None:
            raise ValueError("the index is closed")
        return self._open_handle

    @_handle.setter
    def _handle(self, handle: _navvy.Handle) -> None:
        self._open_handle = handle

    def __len__(self) -> int:
        return len(self._handle)

    def __contains__(self, id: object) -> bool:
        """Whether a row has this id; numbers of rows are no ids."""
        handle = self._handle
        if not isinstance(id, str):
            return False
        try:
            handle.row_with_id(id)
        except ValueError:
            return False
        return True

    def __getitem__(self, row: int | str) -> Row:
        """One row: by its number, from the end where that is negative, or by its id."""
        handle = self._handle
        if isinstance(row, str):
            if row not in self:
                raise KeyError(row)
            return row_of(handle, handle.row_with_id(row))
        place = operator.index(row)
        if not -len(handle) <= place < len(handle):
            raise IndexError(f"row {place} does not exist: the index has {len(handle)} rows")
        return row_of(handle, place % len(handle))

    def reconstruct(self, row: int) -> npt.NDArray[np.float32]:
        """The weights of a row as a query would have them, scaled to sum 1.

        Parameters
        ----------
        row : int
            Its number.

        Returns
        -------
        weights : array
            An image; or a value per column of the matrix that the index was made of, after open per
            column up to the last that is used; or, of a text, a value per word of `words`.

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> index.reconstruct(1).tolist()
        [0.0, 1.0, 0.0]
        """
        found = self[operator.index(row)]
        if self.kind == "images":
            height, width = (int(self.properties[key]) for key in ("height", "width"))
            return dense(found, found.numbers, height * width).reshape(height, width)
        if self.kind == "text":
            return dense(found, found.places, len(self.coordinates))
        if self._coordinates is not None:
            return dense(found, found.numbers, len(self._coordinates))
        return dense(found, found.numbers, int(self._handle.numbers().max(initial=0)) + 1)

    def __repr__(self) -> str:
        if self._open_handle is None:
            return "<navvy.Index, closed>"
        coordinates = self.coordinates
        return (
            f"<navvy.Index of {self.kind}: {len(self)} rows over {len(coordinates)} coordinates of "
            f"{coordinates.shape[1]} dimensions>"
        )

    def _repr_html_(self) -> str:
        return html_of_index(self._handle)

    @property
    def kind(self) -> str:
        """ "histograms", "images" or "text"."""
        return self._handle.kind

    @property
    def properties(self) -> dict[str, str]:
        """How the rows were made."""
        return self._handle.properties

    @property
    def ids(self) -> npt.NDArray[Any]:
        """The id of each row; row numbers where none were given.

        Texts are an array of `str_`, or of objects where one has more than 64 characters, since all
        others would take its length: so are labels and fields.
        """
        return text_array(self._handle.ids())

    @property
    def labels(self) -> npt.NDArray[Any]:
        """The label of each row: integers where they were given so, with None for none, else text
        with ""."""
        return label_array(self._handle, np.arange(len(self)))

    @property
    def titles(self) -> list[str]:
        """The title of each row; "" for none."""
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
    def query_words(self) -> list[str]:
        """Words that no row has but queries may use; reads them from the file."""
        return self._handle.query_words

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

    def document_frequencies(self) -> dict[str, Any]:
        """In how many documents each word of the vocabulary stands (under sif, how often in all of
        them together), and how many documents and tokens that is of.

        Returns
        -------
        frequencies : dict
            Arrays "numbers" and "frequencies", the list "words", and "documents" and "tokens".

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words)
        >>> found = index.document_frequencies()
        >>> found["documents"], dict(zip(found["words"], found["frequencies"].tolist()))
        (2, {'king': 1, 'pear': 1})
        """
        return self._handle.frequencies()

    def to_bytes(self) -> bytes:
        """The bytes of a file of this index.

        Returns
        -------
        content : bytes

        Examples
        --------
        >>> import navvy
        >>> index = navvy.Index.from_histograms([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 1, 3])
        >>> len(navvy.Index.from_bytes(index.to_bytes()))
        3
        """
        return self._handle.to_bytes()
