"""Estimators for scikit-learn.

Samples are histograms: rows of nonnegative weights, one column per coordinate. `coordinates` gives
the place of each column (a row per column); without it, columns are points 0, 1, 2, ... on a line.

A sample without any weight is at no distance from anything: it has no neighbours (row -1, distance
NaN, nothing in a graph) and is none, a classifier gives it the shares that the classes had in fit,
and a regressor the mean of all targets.

`device` says who computes, as for navvy.Index: None for what NAVVY_DEVICE names, else the
processor.
"""

from .graphs import kneighbors_graph, radius_neighbors_graph
from .neighbors import EMDNeighbors
from .predictors import EMDKNeighborsClassifier, EMDKNeighborsRegressor
from .transformers import EMDKNeighborsTransformer, EMDRadiusNeighborsTransformer

__all__ = [
    "EMDKNeighborsClassifier",
    "EMDKNeighborsRegressor",
    "EMDKNeighborsTransformer",
    "EMDNeighbors",
    "EMDRadiusNeighborsTransformer",
    "kneighbors_graph",
    "radius_neighbors_graph",
]
