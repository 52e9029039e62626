"""Nearest neighbours under the Earth Mover's Distance.

    >>> import navvy
    >>> index = navvy.Index.from_histograms(X, coordinates)
    >>> matches = index.search(queries, top=10, measure="act-1")

``navvy.sklearn`` has estimators for scikit-learn, ``navvy.gensim`` look-alikes of gensim's
Word Mover's Distance; both are loaded when they are first used.
"""

from typing import Any

from . import _navvy
from .device import Device, DeviceTest, devices, test_device
from .explanation import Explanation, Move
from .index import Index
from .matches import Evaluation, Match, Matches
from .migration import word_movers_distance
from .options import Sinkhorn
from .pair import act, emd, ict, omr, rwmd, sinkhorn
from .vectors import Vectors, load_vectors
from .writer import Writer, file_facts

__version__ = _navvy.version()

__all__ = [
    "Device",
    "DeviceTest",
    "Evaluation",
    "Explanation",
    "Index",
    "Match",
    "Matches",
    "Move",
    "Sinkhorn",
    "Vectors",
    "Writer",
    "act",
    "devices",
    "emd",
    "file_facts",
    "ict",
    "kernels",
    "load_vectors",
    "omr",
    "rwmd",
    "sinkhorn",
    "test_device",
    "word_movers_distance",
]


def kernels() -> str:
    """The name of the kernels in use, such as "avx2"; NAVVY_KERNELS chooses others."""
    return _navvy.kernels_in_use()


def __getattr__(name: str) -> Any:
    if name in ("gensim", "sklearn"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
