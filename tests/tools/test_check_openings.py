"""The check of openings accepts files that begin with a sentence and names the others."""

import importlib.util

import pytest


@pytest.fixture
def check(root, tmp_path):
    """Checks a tree of one file: check(path, text) returns the complaints."""
    script = root / "tools/check_openings.py"
    spec = importlib.util.spec_from_file_location("check_openings", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def run(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return module.check(tmp_path)

    return run


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/core/a.hpp", "// Many short texts.\n#pragma once\n"),
        ("src/core/deep/a.cpp", "// A sentence that\n// takes two lines.\n\n#include <vector>\n"),
        ("src/core/a.cpp", "// The format: bytes.\n//\n// More of it follows here\n"),
        ("src/core/CMakeLists.txt", "find_package(fmt)\n"),
        ("elsewhere/a.cpp", "#include <vector>\n"),
    ],
)
def test_accepts(check, path, text):
    assert check(path, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#pragma once\n\n// Comes too late.\n",
        "\n// Comes too late.\n",
        "// TODO\n#pragma once\n",
        "// no end\n#pragma once\n",
        "//\n// ----\n#pragma once\n",
    ],
)
def test_refuses(check, text):
    (complaint,) = check("src/core/deep/a.hpp", text)
    assert complaint.startswith("src/core/deep/a.hpp: ")
