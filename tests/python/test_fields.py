"""Fields of rows: from Python's values, NumPy's arrays and tables, and from Parquet files."""

import datetime
import math
import pickle
import sys

import navvy
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

DAY = datetime.date(1999, 12, 31)


@pytest.fixture(scope="module")
def vectors(root):
    return root / "data/demo/vectors.bin"


def points(count=3, **arguments):
    return navvy.Index.from_histograms(np.eye(count), np.arange(count), **arguments)


def field(values):
    """What an index makes of a field of three values."""
    return points(fields={"x": values}).fields["x"]


def test_numbers():
    assert field([1, 2.5, -3]).tolist() == [1, 2.5, -3]
    assert field(np.array([1, 2, 3], np.uint8)).dtype == np.float64
    found = field([1, None, math.nan])
    assert found[0] == 1 and np.isnan(found[1:]).all()
    with pytest.raises(ValueError, match="field 'x', row 1 is infinite"):
        field([1, math.inf, 2])


def test_whole_numbers_keep_their_digits():
    large = 2**60 + 1
    assert field(np.array([large, 1, 2])).tolist() == [str(large), "1", "2"]
    with pytest.raises(ValueError, match="which float64 cannot hold"):
        field([large, None, 1])


def test_dates():
    midnight = np.datetime64("1999-12-31T00:00:00")
    later = datetime.datetime(2000, 1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    found = field([DAY, None, later])
    assert found.dtype == "datetime64[s]" and found[0] == midnight
    assert np.isnat(found[1]) and found[2] == np.datetime64("2000-01-01")
    found = field(np.array(["1999-12-31", "NaT", "1969-12-31T23:59:59.5"], "datetime64[ms]"))
    assert found[0] == midnight and np.isnat(found[1])
    assert found[2] == np.datetime64("1969-12-31T23:59:59")
    assert field([datetime.datetime(1999, 12, 31), np.datetime64("NaT"), None])[0] == midnight


def test_texts():
    assert field(["a", None, "1990"]).tolist() == ["a", "", "1990"]
    assert field(["a", "b", ""]).tolist() == ["a", "b", ""]
    assert field([True, False, None]).tolist() == ["true", "false", ""]
    assert field(np.array([True, False, True])).tolist() == ["true", "false", "true"]
    assert field([None, None, None]).tolist() == ["", "", ""]


def test_what_is_no_field():
    with pytest.raises(TypeError, match="values of several types"):
        field(["a", 1.5, DAY])
    with pytest.raises(TypeError, match="field 'x', row 0 is dict"):
        field([{}, {}, {}])
    with pytest.raises(TypeError, match="field 'x' is complex128"):
        field(np.ones(3, complex))
    with pytest.raises(ValueError, match="field 'x' has 2 values; expected 3"):
        field([1, 2])
    with pytest.raises(ValueError, match="field 'x' has shape"):
        field(np.ones((3, 1)))
    with pytest.raises(TypeError, match="fields are list"):
        points(fields=[1, 2, 3])
    with pytest.raises(ValueError, match="expected a name on one line"):
        points(fields={"a\nb": [1, 2, 3]})


class Frame:
    """The shape of tables of pandas and polars."""

    columns = ("year", "author")

    def __getitem__(self, name):
        return {"year": np.array([1990, 1991, 1992]), "author": ["Ann", "Bob", None]}[name]


def test_tables():
    table = pa.table(
        {
            "year": pa.array([1990, None, 1992], pa.int64()),
            "day": pa.array([DAY, None, DAY], pa.date32()),
            "author": pa.array(["Ann", "Bob", None]).dictionary_encode(),
            "open": [True, None, False],
            "long": pa.array([2**60 + 1, 1, 2]),
        }
    )
    found = points(fields=table).fields
    assert found["year"][0] == 1990 and np.isnan(found["year"][1])
    assert found["day"][2] == np.datetime64("1999-12-31") and np.isnat(found["day"][1])
    assert found["author"].tolist() == ["Ann", "Bob", ""]
    assert found["open"].tolist() == ["true", "", "false"]
    assert found["long"][0] == str(2**60 + 1)
    with pytest.raises(ValueError, match="which float64 cannot hold"):
        points(fields=pa.table({"long": [2**60 + 1, None, 2]}))
    found = points(fields=Frame()).fields
    assert list(found) == ["year", "author"] and found["author"].tolist() == ["Ann", "Bob", ""]


def test_fields_stay_with_their_rows(tmp_path):
    index = points(fields={"year": [1990, None, 1992], "author": ["Ann", "Bob", "Cy"]})
    index.remove(["1"])
    assert index.fields["year"].tolist() == [1990, 1992]
    index.add(np.eye(3)[:1], ids=["new"], fields={"author": [None], "year": [2000]})
    assert index.fields["year"].tolist() == [1990, 1992, 2000]
    assert index.fields["author"].tolist() == ["Ann", "Cy", ""]
    index.add(np.eye(3)[:1], ids=["newer"])
    assert np.isnan(index.fields["year"][3])
    with pytest.raises(ValueError, match="field 'year' is a number in one index"):
        index.add(np.eye(3)[:1], ids=["newest"], fields={"year": ["soon"]})
    index.save(tmp_path / "x.navvy")
    for copy in (navvy.Index.open(tmp_path / "x.navvy"), pickle.loads(pickle.dumps(index))):
        np.testing.assert_equal(copy.fields, index.fields)
    matches = index.search(np.eye(3)[:1], top=9)
    assert matches.fields("author")[0, 0] == "Ann"
    assert matches.fields("year").shape == matches.rows.shape
    assert np.isnan(matches.fields("year")[matches.rows < 0]).all()


def test_texts_and_images(vectors):
    index = navvy.Index.from_texts(["planets", "soup"], vectors, fields={"day": [DAY, None]})
    index.add(["soup of rockets"], fields={"day": [DAY], "note": ["1990"]})
    index.add(["soup of bread"], fields={"day": [None]})
    assert index.fields["day"][2] == np.datetime64("1999-12-31")
    assert np.isnat(index.fields["day"][[1, 3]]).all()
    assert index.fields["note"].tolist() == ["", "", "1990", ""]
    images = np.eye(4)[np.newaxis].repeat(2, axis=0)
    index = navvy.Index.from_images(images, fields={"n": [1, 2]})
    assert index.fields["n"].tolist() == [1, 2]


def test_parquet(vectors, tmp_path):
    path = tmp_path / "papers.parquet"
    columns = {
        "body": ["planets", None, "soup"],
        "kind": ["sky", None, "food"],
        "doi": [7, 8, 9],
        "name": ["P", "N", "S"],
        "year": [1990, None, 1992],
        "day": pa.array([DAY, DAY, None]),
        "tags": [["a"], [], None],
    }
    pyarrow.parquet.write_table(pa.table(columns), path)
    index = navvy.Index.from_parquet(
        path, vectors, "body", "kind", "doi", "name", ["year", "day"], weighting="log"
    )
    assert index.labels.tolist() == ["sky", "", "food"] and index.ids.tolist() == ["7", "8", "9"]
    assert index.titles == ["P", "N", "S"] and index.properties["weighting"] == "log"
    assert index.fields["year"][2] == 1992 and np.isnat(index.fields["day"][2])
    with pytest.raises(ValueError, match="papers.parquet: no column 'text'; it has body, kind"):
        navvy.Index.from_parquet(path, vectors)
    with pytest.raises(ValueError, match="no column 'pages'"):
        navvy.Index.from_parquet(path, vectors, "body", keep_fields="pages")
    with pytest.raises(TypeError, match="field 'tags', row 0 is"):
        navvy.Index.from_parquet(path, vectors, "body", keep_fields=["tags"])
    with pytest.raises(TypeError, match="text 0 is int"):
        navvy.Index.from_parquet(path, vectors, "doi")


def test_what_is_no_parquet_file(vectors, tmp_path):
    (tmp_path / "x.parquet").write_bytes(b"PAR1 but no more")
    with pytest.raises(ValueError, match=r"x\.parquet: is no Parquet file: "):
        navvy.Index.from_parquet(tmp_path / "x.parquet", vectors)


def test_parquet_without_pyarrow(vectors, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        navvy.Index.from_parquet("x.parquet", vectors)
