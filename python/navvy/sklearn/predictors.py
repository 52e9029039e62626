"""Classes and numbers of samples out of those of their nearest neighbours."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from .base import KNeighbors

Weights = str | Callable[[Any], Any] | None


class Predictor(KNeighbors):
    """What both have in common: neighbours count by a weight."""

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Weights = "uniform",
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        super().__init__(measure, coordinates, direction, n_jobs, device)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.required = True
        return tags

    def _fit_with(self, X: Any, y: Any, numeric: bool) -> Any:
        """Makes the index and gives the targets back, checked, with a column for each output."""
        _check_weights(self.weights)
        X, y = self._samples(X, reset=True, y=y, multi_output=True, y_numeric=numeric)
        if y.ndim == 2 and y.shape[1] == 1 and not numeric:
            y = column_or_1d(y, warn=True)
        self._several = y.ndim == 2
        self._fit_index(X)
        return y if self._several else y[:, np.newaxis]

    def _votes(self, X: Any) -> tuple[Any, Any]:
        """The weight of each neighbour of each sample, and its row; missing ones weigh nothing."""
        check_is_fitted(self, "index_")
        _check_weights(self.weights)
        distances, rows = self._find(X, self.n_neighbors)
        return votes_of(self.weights, np.where(rows >= 0, distances, np.inf)), rows


def _check_weights(weights: Weights) -> None:
    if weights is not None and not callable(weights) and weights not in ("uniform", "distance"):
        raise ValueError(f"weights is {weights!r}; expected 'uniform', 'distance' or a function")


def votes_of(weights: Weights, distances: Any) -> Any:
    """The weights of neighbours at such distances; those at infinity are missing."""
    found = np.isfinite(distances)
    if callable(weights):
        votes = np.asarray(weights(distances), dtype=np.float64)
        if votes.shape != distances.shape:
            raise ValueError(
                f"weights made {votes.shape} out of distances {distances.shape}; expected a weight "
                "for each"
            )
        return np.where(found, votes, 0)
    if weights != "distance":
        return found.astype(np.float64)
    zero = distances == 0
    with np.errstate(divide="ignore"):
        votes = 1 / distances
    return np.where(zero.any(axis=1, keepdims=True), zero, votes)


class EMDKNeighborsClassifier(ClassifierMixin, Predictor):  # type: ignore[misc]
    """Classification by the nearest samples, like sklearn.neighbors.KNeighborsClassifier.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours vote.
    weights : {"uniform", "distance"} or function, default="uniform"
        What a vote weighs: 1; the inverse of the distance, where samples at distance zero decide
        alone; or what a function makes of the array of distances, (n_queries, n_neighbors), where
        those of missing neighbours are infinite.
    measure, coordinates, direction, n_jobs, device
        As in EMDNeighbors, which has its attributes as well.

    Attributes
    ----------
    classes_ : array, or list of arrays
        The classes; a list where y has several columns.

    Examples
    --------
    >>> from navvy.sklearn import EMDKNeighborsClassifier
    >>> X, y = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], ["left", "left", "right"]
    >>> model = EMDKNeighborsClassifier(n_neighbors=1).fit(X, y)
    >>> model.predict([[0, 0.5, 0.5, 0]]).tolist()
    ['left']
    """

    classes_: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags

    def fit(self, X: Any, y: Any) -> "EMDKNeighborsClassifier":
        """Makes an index of samples with their classes.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Classes.

        Returns
        -------
        self
        """
        columns = self._fit_with(X, y, numeric=False)
        check_classification_targets(columns if self._several else columns[:, 0])
        made = [np.unique(column, return_inverse=True) for column in columns.T]
        classes = [names for names, _ in made]
        self._y = [numbers for _, numbers in made]
        self.classes_ = classes if self._several else classes[0]
        return self

    def _shares(self, X: Any) -> list[Any]:
        """Of each output, the share of each class among the neighbours."""
        votes, rows = self._votes(X)
        alone = ~(votes > 0).any(axis=1)
        return [_shares_of(votes, numbers[rows], alone, numbers) for numbers in self._y]

    def predict_proba(self, X: Any) -> Any:
        """The share of each class among the neighbours; a list of such where y has several columns.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_queries, n_features), or None
            Samples; None for those of fit, each without itself.

        Returns
        -------
        shares : array of shape (n_queries, n_classes), or list of such
        """
        shares = self._shares(X)
        return shares if self._several else shares[0]

    def predict(self, X: Any) -> Any:
        """The class of most weight among the neighbours, the first of equals.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_queries, n_features), or None
            Samples; None for those of fit, each without itself.

        Returns
        -------
        classes : array of shape (n_queries,) or (n_queries, n_outputs)
        """
        shares = self._shares(X)
        if not self._several:
            return self.classes_[shares[0].argmax(axis=1)]
        pairs = zip(self.classes_, shares, strict=True)
        return np.column_stack([names[share.argmax(axis=1)] for names, share in pairs])


def _shares_of(votes: Any, classes: Any, alone: Any, fitted: Any) -> Any:
    """Votes by class; who is alone gets the shares of all that were fitted."""
    counts = np.bincount(fitted)
    shares = np.zeros((len(votes), len(counts)))
    np.add.at(shares, (np.arange(len(votes))[:, np.newaxis], classes), votes)
    shares[alone] = counts
    return shares / shares.sum(axis=1, keepdims=True)


class EMDKNeighborsRegressor(RegressorMixin, Predictor):  # type: ignore[misc]
    """Regression by the nearest samples, like sklearn.neighbors.KNeighborsRegressor.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours are averaged.
    weights : {"uniform", "distance"} or function, default="uniform"
        What a neighbour weighs; see EMDKNeighborsClassifier.
    measure, coordinates, direction, n_jobs, device
        As in EMDNeighbors, which has its attributes as well.

    Examples
    --------
    >>> from navvy.sklearn import EMDKNeighborsRegressor
    >>> X, y = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]], [0, 10, 30]
    >>> model = EMDKNeighborsRegressor(n_neighbors=2).fit(X, y)
    >>> model.predict([[0, 0, 1, 0]]).tolist()
    [20.0]
    """

    def fit(self, X: Any, y: Any) -> "EMDKNeighborsRegressor":
        """Makes an index of samples with their numbers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Numbers.

        Returns
        -------
        self
        """
        self._y = self._fit_with(X, y, numeric=True).astype(np.float64)
        return self

    def predict(self, X: Any) -> Any:
        """The weighted mean of the neighbours' numbers.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_queries, n_features), or None
            Samples; None for those of fit, each without itself.

        Returns
        -------
        numbers : array of shape (n_queries,) or (n_queries, n_outputs)
        """
        votes, rows = self._votes(X)
        sums = votes.sum(axis=1, keepdims=True)
        alone = sums[:, 0] == 0
        means = np.einsum("qn,qnk->qk", votes, self._y[rows]) / np.where(sums == 0, 1, sums)
        means[alone] = self._y.mean(axis=0)
        return means if self._several else means[:, 0]
