"""What all Python tests share: the command under test, the tree, the data sets."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the project."""
    return ROOT


@pytest.fixture(scope="session")
def navvy() -> Path:
    """The real command, as built by ./dev build."""
    path = ROOT / "build" / "release" / "navvy"
    assert path.is_file(), f"{path} is missing: run ./dev build first"
    return path


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The public data sets; a test that asks for them is skipped where they are not."""
    path = Path(os.environ.get("NAVVY_DATA", ROOT.parent / "shared" / "data"))
    if not path.is_dir():
        pytest.skip(f"no data sets at {path}; set NAVVY_DATA")
    return path
