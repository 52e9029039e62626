"""`pip install .` and `./dev wheel` build alike."""

import tomllib


def test_the_wheel_is_built_with_what_pip_would_fetch(root):
    """./dev wheel takes the tools of the environment; pip install takes those of pyproject.toml."""
    pinned = (root / "requirements-dev.txt").read_text().replace("_", "-").split()
    wanted = tomllib.loads((root / "pyproject.toml").read_text())["build-system"]["requires"]
    assert wanted and set(wanted) <= set(pinned)
