"""How an index is made of what users have: histograms, images, texts, tables."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from . import _navvy
from .arrays import FloatArray, are_integers, as_coordinates, as_rows
from .fields import columns_named, with_fields
from .log import logger
from .options import ProgressFunction, progress_function
from .parquet import read_parquet
from .queries import warn_of_empty
from .rows import as_given, documents_of, image_handle, named
from .searching import Searching
from .vectors import StopWords, UnknownWords, as_source, recipe_of, shard_of

if TYPE_CHECKING:
    from .index import Index

PathLike = str | os.PathLike[str]


class Making(Searching):
    """The part of an index that makes one."""

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
    ) -> Self:
        """Histograms as rows of a sparse or dense matrix, with a coordinate for each column.

        Parameters
        ----------
        X : matrix of shape (n_rows, n_columns), or a column whose cells are lists
            What NumPy, SciPy, pandas, polars, pyarrow or torch (by DLPack) make of numbers. Rows
            are scaled to sum 1.
        coordinates : array of shape (n_columns,) or (n_columns, n_dimensions)
            A point for each column.
        labels, ids : sequence, default=None
            One for each row. Labels that are integers stay integers; None stands for none. Without
            ids, rows are named by their numbers.
        fields : dictionary of sequences by name, or table, default=None
            What else is known of each row, see `Index.fields`; tables are of pandas, pyarrow,
            polars.
        keep_zeros : bool, default=False
            Whether entries of weight zero stay, as bins that receive but hold nothing.
        copy : bool, default=True
            With False the index refers to the arrays of X where it is a canonical CSR matrix of
            float32 and int32 whose rows already sum to 1 and all columns are used, and to those of
            `coordinates`: do not change them then.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import navvy
        >>> X = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> index = navvy.Index.from_histograms(X, [0, 1, 3], labels=["a", "a", "b"])
        >>> index.search(X[:1], k=2).rows.tolist()
        [[0, 1]]
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
    ) -> Self:
        """Images of one size: the weights are the values of pixels.

        Parameters
        ----------
        images : array of shape (n_images, height, width)
            Their pixels, not negative.
        labels, ids, fields
            As in `from_histograms`.
        label_names : sequence of str, default=None
            Labels, which are numbers then, become the names at these places.
        keep_background : bool, default=False
            Whether pixels of value zero are bins that receive but hold nothing.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import navvy
        >>> images = [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [0, 1]]]
        >>> index = navvy.Index.from_images(images, labels=[0, 0, 1], label_names=["up", "down"])
        >>> index.labels.tolist(), index.search(images[2], k=2).rows.tolist()
        (['up', 'up', 'down'], [[2, 1]])
        """
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
    ) -> Self:
        """Texts as bags of words at the places of their word vectors.

        What is None is what is usual.

        Parameters
        ----------
        texts : sequence of str, or of documents of spaCy
            One that is missing is empty.
        vectors : path, Vectors, or what has `index_to_key` and `vectors`
            A file (word2vec, GloVe or fastText; plain, gzip or zstd), what load_vectors gave, or
            anything shaped like gensim's KeyedVectors.
        labels, ids, fields
            As in `from_histograms`.
        titles : sequence of str, default=None
            What people call the rows.
        token_pattern : str, default=""
            An RE2 pattern of tokens, or "letters" for runs of letters alone; without one a token
            is a run of letters and digits.
        keep_case : bool, default=False
            Whether capitals stay.
        stop_words : int, str, path or sequence of str, default=None
            Words that are left out: a list, a number of first words of the vectors, "english",
            "none" or a file. Usual are none where the weighting knows all texts, and English ones
            otherwise.
        max_bins : int, default=500
            So many words of a text count, the heaviest.
        weighting : {"bm25", "tfidf", "sif", "tf", "log", "norm"}, default=None
            Usual is "bm25".
        condition : int, default=None
            So many components, and the mean, are taken from vectors. Usual are 2, and nothing from
            fewer than 1,000 words or 20 dimensions.
        normalize : bool, default=True
            Whether vectors are scaled to length 1.
        as_in_paper : bool, default=False
            The paper's setting for what is None: "tf", 100 stop words, condition 0, query words of
            the "corpus", unknown words that "drop", and letters alone as tokens.
        query_words : int or {"all", "corpus"}, default=None
            Of so many first words of the vectors, those that no text has are kept for queries
            ("corpus" for none). Usual are 100,000.
        unknown_words : {"own", "drop"}, default=None
            Words without a vector get points of their own, near to no other word, so that names and
            numbers are found by themselves, or are left out. Usual is "own", but "drop" where
            vectors are fewer than 1,000, of fewer than 20 dimensions, or not scaled.
        vocabulary : Index, default=None
            Of joined_vocabulary or Shards.vocabulary: texts are made as it says and weighed against
            it, as a shard of the whole whose words it has; other settings are then left out, and so
            may be `vectors`.
        progress : bool or function, default=False
            True for a bar, or a function of (phase, done, total).

        Returns
        -------
        index : Index
            Its `report` tells what was met. A UserWarning tells where most texts have no word left.

        Examples
        --------
        >>> import numpy as np, navvy
        >>> class Words:
        ...     index_to_key = ["king", "queen", "pear"]
        ...     vectors = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
        >>> index = navvy.Index.from_texts(["A king", "Pears: a pear"], Words)
        >>> index.search("queen", k=1).rows.tolist()
        [[0]]
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
    ) -> Self:
        """Texts or histograms from a Parquet file, which pyarrow reads.

        Parameters
        ----------
        path : path
            The file.
        vectors : path, Vectors, or what has `index_to_key` and `vectors`
            For texts, as in `from_texts`.
        text : str, default="text"
            The column of texts.
        label, id, title : str, default=None
            The columns of labels, ids and titles.
        keep_fields : iterable of str, default=()
            Columns that become fields.
        histogram : str, default=None
            Instead of texts: a column of lists of weights.
        coordinates : array of shape (n_columns,) or (n_columns, n_dimensions)
            Of histograms, as in `from_histograms`.
        **recipe
            The other keywords of `from_texts` or `from_histograms`.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import pyarrow, pyarrow.parquet, navvy
        >>> table = pyarrow.table({"bins": [[1, 0], [0, 1]], "kind": ["a", "b"]})
        >>> pyarrow.parquet.write_table(table, "points.parquet")
        >>> index = navvy.Index.from_parquet(
        ...     "points.parquet", label="kind", histogram="bins", coordinates=[0, 1]
        ... )
        >>> index.labels.tolist()
        ['a', 'b']
        """
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
    ) -> Self:
        """Observations of an AnnData object as histograms over its variables.

        Parameters
        ----------
        adata : anndata.AnnData
            Ids are `adata.obs_names`.
        coordinates : str or array of shape (n_vars, n_dimensions)
            A name in `adata.varm`, or a point per variable.
        label : str, default=None
            The column of `adata.obs` that has labels.
        keep_fields : iterable of str, default=()
            Columns of `adata.obs` that become fields.
        layer : str, default=None
            A layer whose values are the weights; `adata.X` without it.
        **making
            The other keywords of `from_histograms`.

        Returns
        -------
        index : Index

        Examples
        --------
        >>> import types, numpy as np, pandas as pd, navvy
        >>> obs = pd.DataFrame({"type": ["T", "B"]}, index=["cell 1", "cell 2"])
        >>> adata = types.SimpleNamespace(  # in the place of anndata.AnnData
        ...     X=np.eye(2), obs=obs, obs_names=obs.index, varm={"X_pca": np.eye(2)}
        ... )
        >>> index = navvy.Index.from_anndata(adata, "X_pca", label="type")
        >>> index.ids.tolist(), index.labels.tolist()
        (['cell 1', 'cell 2'], ['T', 'B'])
        """
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

    def _read(self, report: dict[str, Any]) -> None:
        """Keeps what was met in texts, and tells it; what empties most of them is warned of."""
        self.report = report
        logger.info(
            "read %d texts: %d words, of them %d stop words and %d without a vector",
            *(report[count] for count in ("documents", "tokens", "stop_tokens", "unknown_tokens")),
        )
        warn_of_empty(report)
