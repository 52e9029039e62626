"""Tables, columns and tensors of others, in and out."""

import types

import navvy
import numpy as np
import pytest
import scipy.sparse

from .conftest import random_histograms

pandas = pytest.importorskip("pandas", reason="tables of pandas need pandas")
polars = pytest.importorskip("polars", reason="tables of polars need polars")
pyarrow = pytest.importorskip("pyarrow", reason="tables of Arrow need pyarrow")

pytestmark = pytest.mark.peer("Tables", "pandas, polars, pyarrow")


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


class Exchanged:
    """What knows DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def big_endian_csr(X):
    matrix = scipy.sparse.csr_matrix(X)
    matrix.data = matrix.data.astype(">f8")  # as files hold it; SciPy does not make it
    return matrix


@pytest.fixture
def index(histograms, coordinates):
    fields = {"year": np.arange(1900, 1940), "row": ["x"] * 40}
    return navvy.Index.from_histograms(
        histograms, coordinates, labels=[1, None] * 20, fields=fields
    )


def names(columns):
    return [f"c{column}" for column in range(columns)]


@pytest.mark.parametrize(
    "convert",
    [
        pandas.DataFrame,
        lambda X: pandas.DataFrame(X).astype("Float64"),
        lambda X: pandas.DataFrame.sparse.from_spmatrix(scipy.sparse.csr_matrix(X)),
        lambda X: pandas.Series(X.tolist()),
        lambda X: pandas.Series(list(X)),
        lambda X: polars.DataFrame(X, schema=names(X.shape[1])),
        lambda X: polars.Series(X.tolist()),
        lambda X: polars.Series(X),
        lambda X: pyarrow.table(list(X.T), names=names(X.shape[1])),
        lambda X: pyarrow.array(X.tolist()),
        lambda X: pyarrow.chunked_array([X[:3].tolist(), X[3:].tolist()]),
        lambda X: pyarrow.FixedSizeListArray.from_arrays(X.ravel(), X.shape[1]),
        Exchanged,
        lambda X: X.astype(">f4"),
        lambda X: X.astype(">f8"),
        big_endian_csr,
    ],
)
def test_all_tables_mean_the_same(coordinates, convert):
    X = np.round(random_histograms(6).toarray().astype(np.float64), 3)
    expected = navvy.Index.from_histograms(X, coordinates)
    index = navvy.Index.from_histograms(convert(X), coordinates)
    np.testing.assert_allclose(index.distances(), expected.distances(), atol=1e-6)
    np.testing.assert_allclose(expected.distances(convert(X)), expected.distances(X), atol=1e-6)
    if convert is not big_endian_csr:
        points = convert(coordinates.astype(np.float64))
        np.testing.assert_array_equal(
            expected.distances(X[:2], coordinates=points), expected.distances(X[:2])
        )


def test_lists_of_several_lengths_are_refused(coordinates):
    with pytest.raises(ValueError, match="row 1 has 2 values, but row 0 has 3"):
        navvy.Index.from_histograms(pandas.Series([[1, 2, 3], [1, 2]]), coordinates)


@pytest.mark.peer("PyTorch", "torch")
def test_tensors_of_torch(coordinates):
    torch = pytest.importorskip("torch", reason="torch takes gigabytes")
    X = random_histograms(6).toarray()
    expected = navvy.Index.from_histograms(X, coordinates).distances()
    for tensor in (torch.tensor(X), torch.tensor(X, requires_grad=True)):
        index = navvy.Index.from_histograms(tensor, torch.tensor(coordinates))
        np.testing.assert_array_equal(index.distances(), expected)


@pytest.mark.parametrize(
    "column",
    [pandas.Series, polars.Series, pyarrow.array, lambda values: pyarrow.chunked_array([values])],
)
def test_columns_of_texts_and_labels(column):
    texts = ["A king", None, "A pear"]
    index = navvy.Index.from_texts(
        column(texts), Words, labels=column([3, 4, 3]), ids=column(["a", "b", "c"])
    )
    assert index.report["empty"] == ["b"] and index.labels.tolist() == [3, 4, 3]
    assert index.ids.tolist() == ["a", "b", "c"]
    matches = index.search(column(["queen", "apple"]), k=1)
    assert matches.ids[:, 0].tolist() == ["a", "c"]
    named = navvy.Index.from_texts(column(texts), Words, labels=column(["x", None, "y"]))
    assert named.labels.tolist() == ["x", "", "y"]


def test_matches_become_tables(index, histograms):
    matches = index.search(histograms[:3], 4, "emd", where="year < 1903")
    table = matches.to_pandas()
    taken = ["query", "rank", "row", "id", "label", "distance", "lower", "upper", "exact"]
    assert list(table.columns) == [*taken, "year", "field_row"]
    assert len(table) == 9 and table["rank"].tolist() == [1, 2, 3] * 3  # three rows are left
    first = table[table["query"] == 1].iloc[0]
    assert (first["row"], first["id"], first["year"], first["field_row"]) == (1, "1", 1901, "x")
    assert first["distance"] == 0 and first["exact"] and first["label"] is None
    arrow = matches.to_arrow()
    assert arrow.column_names == list(table.columns)
    assert arrow["label"].null_count == 3 and arrow["label"].type == pyarrow.int64()
    assert polars.from_arrow(arrow)["distance"].to_list() == table["distance"].tolist()
    assert list(index.search(histograms[:1], 2).to_pandas().columns) == [
        *taken[:6],
        "year",
        "field_row",
    ]


def test_parquet_of_texts_and_of_histograms(coordinates, tmp_path):
    import pyarrow.parquet

    file = tmp_path / "a.parquet"
    X = random_histograms(5).toarray()
    table = {"text": ["A king", "A pear", None, "An apple", "A queen"], "bins": X.tolist()}
    table |= {"kind": [1, 2, 2, 2, 1], "year": [1900, None, 1902, 1903, 1904]}
    pyarrow.parquet.write_table(pyarrow.table(table), file)
    texts = navvy.Index.from_parquet(file, Words, label="kind", keep_fields=["year"])
    assert texts.labels.tolist() == [1, 2, 2, 2, 1] and np.isnan(texts.fields["year"][1])
    index = navvy.Index.from_parquet(
        file, histogram="bins", coordinates=coordinates, label="kind", keep_fields=["year"]
    )
    expected = navvy.Index.from_histograms(X, coordinates).distances()
    np.testing.assert_array_equal(index.distances(), expected)
    assert index.labels.tolist() == [1, 2, 2, 2, 1] and index.fields["year"][4] == 1904
    with pytest.raises(ValueError, match=r"a.parquet: no column 'x'; it has text, bins"):
        navvy.Index.from_parquet(file, histogram="x", coordinates=coordinates)
    for wrong in ({}, {"histogram": "bins"}, {"vectors": Words, "coordinates": coordinates}):
        with pytest.raises(TypeError, match="needs vectors of texts, or histogram and coordinates"):
            navvy.Index.from_parquet(file, **wrong)
    for path, error in (
        (tmp_path / "none.parquet", FileNotFoundError),
        (tmp_path, IsADirectoryError),
    ):
        with pytest.raises(error) as caught:
            navvy.Index.from_parquet(path, Words)
        assert caught.value.filename == str(path) and caught.value.errno


def annotated(module, X, coordinates):
    obs = pandas.DataFrame(
        {"type": pandas.Categorical(["a", "b"] * 3), "age": range(6)},
        index=[f"cell {row}" for row in range(6)],
    )
    matrix = scipy.sparse.csr_matrix(X)
    if module is not None:
        return module.AnnData(
            matrix, obs=obs, varm={"X_pca": coordinates}, layers={"twice": matrix * 2}
        )
    parts = {"obs": obs, "obs_names": obs.index, "varm": {"X_pca": coordinates}}
    return types.SimpleNamespace(X=matrix, layers={"twice": matrix * 2}, **parts)


@pytest.mark.peer("anndata", "anndata")
@pytest.mark.parametrize("real", [True, False], ids=["anndata", "of its shape"])
def test_observations_become_rows(coordinates, real):
    reason = "annotated data need anndata"
    module = pytest.importorskip("anndata", reason=reason) if real else None
    X = random_histograms(6).toarray()
    adata = annotated(module, X, coordinates)
    index = navvy.Index.from_anndata(adata, "X_pca", label="type", keep_fields=["age"])
    expected = navvy.Index.from_histograms(X, coordinates).distances()
    np.testing.assert_array_equal(index.distances(), expected)
    assert index.ids[1] == "cell 1" and index.labels[1] == "b" and index.fields["age"][5] == 5
    layer = navvy.Index.from_anndata(adata, coordinates, layer="twice")
    np.testing.assert_allclose(layer.distances(), expected, atol=1e-6)
    with pytest.raises(ValueError, match=r"adata.obs: no column 'x'; it has type, age"):
        navvy.Index.from_anndata(adata, "X_pca", label="x")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("labels", "read"),
    [
        (pandas.Series([1, None] * 20), [1, None]),
        (pandas.array([1, None] * 20, dtype="Int64"), [1, None]),
        ([1.0, np.nan] * 20, [1, None]),
        (pyarrow.array([1, None] * 20), [1, None]),
        (polars.Series([1, None] * 20), [1, None]),
        (pandas.Series([1.5, None] * 20), ["1.5", ""]),
        (np.array([1.0, 2.0] * 20), ["1.0", "2.0"]),
        (pandas.Categorical(["a", "b"] * 20), ["a", "b"]),
        (pandas.Series(pandas.Categorical(["a", None] * 20)), ["a", ""]),
        (pandas.Index([7, 8] * 20), [7, 8]),
    ],
    ids=str,
)
def test_labels_of_tables(histograms, coordinates, labels, read):
    index = navvy.Index.from_histograms(histograms, coordinates, labels=labels)
    assert list(index.labels[:2]) == read


@pytest.mark.parametrize(
    "labels", [np.arange(40)[:, np.newaxis], [b"x"] * 40, [["a"]] * 40, [("a", 1)] * 40]
)
def test_labels_that_are_no_names_are_refused(histograms, coordinates, labels):
    for what in ("labels", "ids"):
        with pytest.raises(TypeError, match=f"{what}: that of row 0 is .*; expected text or a nu"):
            navvy.Index.from_histograms(histograms, coordinates, **{what: labels})


def test_weights_that_are_missing_are_told():
    table = pandas.DataFrame({"a": [1, 2], "b": [3, None]}, dtype="Int64")
    with pytest.raises(ValueError, match="row 1, column 1 has no value; expected a number"):
        navvy.Index.from_histograms(table, [0, 1])
    with pytest.raises(ValueError, match="weight 1 of p is nan; expected a finite number"):
        navvy.emd(table["b"], [0.5, 0.5], [[0, 1], [1, 0]])
    assert navvy.emd(table["a"], [1, 2], [[0, 1], [1, 0]]) == 0
    assert len(navvy.Index.from_histograms(table[["a"]], [0])) == 2
