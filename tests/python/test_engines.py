"""The recipes of docs/engines.md on real Ray and Dask, where they are: the bytes of one index."""

import importlib
import os
import re

import navvy
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("default")  # what the engines themselves warn of

WORDS = [f"word{a}{b}" for a in "abcde" for b in "abcdefgh"]


@pytest.fixture
def recipe(root, tmp_path, monkeypatch, request):
    """The block of an engine as a module that workers can import."""
    engine = request.param
    part = (root / "docs/engines.md").read_text().split(f"## {engine}\n")[1]
    code = re.search(r"```python\n(.*?)```", part, re.DOTALL)[1]
    assert code.count("\n") < 40
    (tmp_path / f"shards_on_{engine.lower()}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    return f"shards_on_{engine.lower()}"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    rng = np.random.default_rng(2)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in rng.normal(size=4))}\n" for word in WORDS]
    vectors = tmp_path_factory.mktemp("vectors") / "vectors.txt"
    vectors.write_text("".join(lines))
    texts = [" ".join(rng.choice(WORDS, 8)) for _ in range(60)]
    return navvy.Index.from_texts(texts, vectors)


@pytest.fixture(scope="module")
def folder(index, tmp_path_factory):
    path = tmp_path_factory.mktemp("shards") / "texts"
    navvy.split(index, path, 3)
    return str(path)


def check(index, searched, graph):
    expected = index.search(WORDS[:5], 10)
    assert searched.rows.tobytes() == expected.rows.tobytes()
    assert searched.distances.tobytes() == expected.distances.tobytes()
    expected = index.knn_matches(10)
    assert graph.rows.tobytes() == expected.rows.tobytes()
    assert graph.distances.tobytes() == expected.distances.tobytes()


@pytest.mark.parametrize("recipe", ["Ray"], indirect=True)
def test_ray(recipe, index, folder):
    ray = pytest.importorskip("ray", reason="the recipe for Ray is not tested: it is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        made = importlib.import_module(recipe)
        check(index, made.search_all(folder, WORDS[:5]), made.knn_all(folder))
    finally:
        ray.shutdown()


@pytest.mark.parametrize("recipe", ["Dask"], indirect=True)
def test_dask(recipe, index, folder, tmp_path):
    reason = "the recipe for Dask is not tested: distributed is not installed"
    distributed = pytest.importorskip("distributed", reason=reason)
    made = importlib.import_module(recipe)
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        check(index, made.search_all(client, folder, WORDS[:5]), made.knn_all(client, folder))
