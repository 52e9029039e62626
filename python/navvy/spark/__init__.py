"""Shards of an index on Apache Spark: building, searching, all pairs, evaluating.

    >>> import navvy.spark
    >>> session = SparkSession.builder.config(map=navvy.spark.SETTINGS).getOrCreate()
    >>> navvy.spark.build(df, "vectors.bin", "/shared/news", shards=8)
    >>> found = navvy.spark.search(queries, "/shared/news", top=10)

Answers have the bits of one index on one machine, whatever the number of shards, and however often
tasks are lost, repeated or run twice. Folders have to be seen under one path by the driver and all
executors, and navvy has to be installed there: ``pip install 'navvy[spark]'``.
"""

from importlib.util import find_spec

if missing := [name for name in ("pandas", "pyarrow", "pyspark") if find_spec(name) is None]:
    raise ImportError(f"navvy.spark needs {', '.join(missing)}: pip install 'navvy[spark]'")

from .all_pairs import knn, rows
from .building import build
from .evaluation import evaluate
from .searching import search
from .stages import SETTINGS

__all__ = ["SETTINGS", "build", "evaluate", "knn", "rows", "search"]
