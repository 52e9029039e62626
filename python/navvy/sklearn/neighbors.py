"""Nearest neighbours of samples, without any label."""

from collections.abc import Sequence
from typing import Any

from .base import KNeighbors
from .radius import RadiusNeighbors


class EMDNeighbors(KNeighbors, RadiusNeighbors):
    """Unsupervised nearest neighbours, like sklearn.neighbors.NearestNeighbors.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many neighbours `kneighbors` finds.
    radius : float, default=1.0
        How far `radius_neighbors` looks.
    measure : str, default="act-1"
        The distance; see the page about measures.
    coordinates : array of shape (n_features,) or (n_features, n_dimensions), default=None
        The place of each column of X; 0, 1, 2, ... on a line by default.
    direction : str, default="symmetric"
        Which histogram is moved into which; see navvy.options.Run.
    n_jobs : int, default=None
        Threads, as joblib counts them.
    device : str or sequence of str, default=None
        Who computes.

    Attributes
    ----------
    index_ : navvy.Index
        The samples of fit.
    n_samples_fit_ : int
        How many there are.
    n_features_in_ : int
        How many columns X had.
    feature_names_in_ : array of shape (n_features,)
        The names of columns, where X had names. Other names are refused later.

    Examples
    --------
    >>> from navvy.sklearn import EMDNeighbors
    >>> X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]  # all at place 0, at 1, at 3
    >>> neighbors = EMDNeighbors(n_neighbors=1).fit(X)
    >>> distances, rows = neighbors.kneighbors([[0, 0, 1, 0]])
    >>> float(distances[0, 0]), int(rows[0, 0])
    (1.0, 1)
    >>> neighbors.radius_neighbors([[0, 0, 1, 0]], radius=1, return_distance=False)[0].tolist()
    [1, 2]
    """

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        radius: float = 1.0,
        measure: str = "act-1",
        coordinates: Any = None,
        direction: str = "symmetric",
        n_jobs: int | None = None,
        device: str | Sequence[str] | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        super().__init__(measure, coordinates, direction, n_jobs, device)

    def fit(self, X: Any, y: Any = None) -> "EMDNeighbors":
        """Makes an index of the samples.

        Parameters
        ----------
        X : array or sparse matrix of shape (n_samples, n_features)
            Samples: weights, not negative.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        self._fit_index(self._samples(X, reset=True))
        return self
