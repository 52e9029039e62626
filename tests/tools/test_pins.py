"""`pip install .` and `./dev wheel` build alike."""

import tomllib


def test_the_wheel_is_built_with_what_pip_would_fetch(root):
    """./dev wheel takes the tools of the environment; pip install takes those of pyproject.toml."""
    pinned = (root / "requirements-dev.txt").read_text().replace("_", "-").split()
    wanted = tomllib.loads((root / "pyproject.toml").read_text())["build-system"]["requires"]
    assert wanted and set(wanted) <= set(pinned)


def test_spark_is_the_one_of_the_tests(root):
    """The extra pins it, since Spark changes what tasks meet from one release to the next."""
    tested = (root / "requirements-dev.txt").read_text().splitlines()
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    (pinned,) = (
        each for each in extras["optional-dependencies"]["spark"] if each.startswith("pyspark")
    )
    assert "==" in pinned and pinned in tested
