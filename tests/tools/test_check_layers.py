"""The layer check accepts what the diagram allows and names what it does not."""

import importlib.util

import pytest

ARROWS = """
navvy_layer(core USES)
navvy_layer(kernels USES LINKS PkgConfig::hwy)
navvy_layer(index USES core
            LINKS PkgConfig::xxhash)
navvy_layer(backends USES core index kernels)
"""


@pytest.fixture
def check(root, tmp_path):
    """Checks a tree of one file: check(path, line) returns the complaints."""
    spec = importlib.util.spec_from_file_location("check_layers", root / "tools/check_layers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "CMakeLists.txt").write_text(ARROWS)

    def run(path, line):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"// first line\n{line}\n")
        return module.check(tmp_path)

    return run


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("include/navvy/a.hpp", '#include "navvy/b.hpp"'),
        ("include/navvy/a.hpp", "#include <vector>"),
        ("src/core/a.cpp", "#include <sys/mman.h>"),
        ("src/index/a.cpp", "#include <xxhash.h>"),
        ("src/index/a.cpp", '#include "core/b.hpp"'),
        ("src/backends/cpu/a.cpp", '#include "kernels/b.hpp"'),
        ("src/kernels/a.cpp", "#include <hwy/highway.h>"),
        ("src/cli/a.cpp", '#include "cli/b.hpp"'),
        ("src/cli/a.cpp", '#include "beside.hpp"'),
        ("python/a.cpp", "#include <nanobind/nanobind.h>"),
    ],
)
def test_accepts(check, path, line):
    assert check(path, line) == []


@pytest.mark.parametrize(
    ("path", "line", "reason"),
    [
        ("include/navvy/a.hpp", '#include "core/b.hpp"', "include may not include core"),
        ("include/navvy/a.hpp", "#include <unistd.h>", "has no home"),
        ("src/core/a.cpp", '#include "index/b.hpp"', "core may not include index"),
        ("src/core/a.cpp", "# include <lemon/core.h>", "belongs in pairwise"),
        ("src/kernels/a.cpp", '#include "navvy/error.hpp"', "kernels may not include include"),
        ("src/kernels/a.cpp", '#include "core/b.hpp"', "kernels may not include core"),
        ("src/cli/a.cpp", '#include "core/b.hpp"', "cli may not include core"),
        ("src/index/a.cpp", "#include <fmt/core.h>", "belongs in cli, report"),
        ("src/core/a.cpp", "#include <boost/any.hpp>", "has no home"),
        ("src/other/a.cpp", "#include <vector>", "not in the layer diagram"),
        ("python/a.cpp", '#include "core/b.hpp"', "python may not include core"),
        ("src/backends/cpu/a.cpp", '#include "cpu/b.hpp"', "may not include cpu"),
    ],
)
def test_refuses(check, path, line, reason):
    complaints = check(path, line)
    assert len(complaints) == 1
    assert reason in complaints[0]
    assert complaints[0].startswith(path)
