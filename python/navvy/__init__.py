"""Nearest neighbours under the Earth Mover's Distance.

    >>> import navvy
    >>> index = navvy.Index.from_histograms(X, coordinates)
    >>> matches = index.search(queries, top=10, measure="act-1")

``navvy.sklearn`` has estimators for scikit-learn, ``navvy.gensim`` look-alikes of gensim's
Word Mover's Distance, ``navvy.spark`` shards on Apache Spark; they are loaded when first used.
"""

from typing import Any

from . import _navvy
from . import pot as pot
from . import umap as umap
from .device import Device, DeviceTest, devices, test_device
from .evaluation import ClassPrecision, Evaluation
from .explanation import Explanation, Move
from .index import Index
from .lists import Lists, merge_lists
from .matches import Match, Matches
from .migration import word_movers_distance
from .options import Sinkhorn
from .pair import act, emd, ict, omr, rwmd, sinkhorn
from .pot import emd2, sinkhorn2
from .row import Row
from .shards import Shards, joined_vocabulary, split, write_manifest
from .vectors import Vectors, load_vectors
from .writer import Writer, file_facts

__version__ = _navvy.version()

LATER = ("gensim", "sklearn", "spark")
MODULES = ("pot", "umap")

__all__ = [
    "ClassPrecision",
    "Device",
    "DeviceTest",
    "Evaluation",
    "Explanation",
    "Index",
    "Lists",
    "Match",
    "Matches",
    "Move",
    "Row",
    "Shards",
    "Sinkhorn",
    "Vectors",
    "Writer",
    "act",
    "devices",
    "emd",
    "emd2",
    "file_facts",
    "ict",
    "joined_vocabulary",
    "kernels",
    "load_vectors",
    "merge_lists",
    "omr",
    "rwmd",
    "sinkhorn",
    "sinkhorn2",
    "split",
    "test_device",
    "word_movers_distance",
    "write_manifest",
]


def kernels() -> str:
    """The name of the kernels in use; the environment variable NAVVY_KERNELS chooses others.

    Returns
    -------
    name : str
        Such as "avx2".

    Examples
    --------
    >>> import navvy
    >>> isinstance(navvy.kernels(), str)
    True
    """
    return _navvy.kernels_in_use()


def __dir__() -> list[str]:
    """What users need: the names above, and modules; some are loaded when they are used."""
    return sorted([*__all__, *MODULES, *LATER, "__version__"])


def __getattr__(name: str) -> Any:
    if name in LATER:
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
