"""The layer check accepts what the diagram allows and names what it does not."""

import importlib.util

import pytest

ARROWS = """
navvy_layer(core USES)
navvy_layer(kernels USES LINKS PkgConfig::hwy)
navvy_layer(index USES core
            LINKS PkgConfig::xxhash)
navvy_layer(backends USES core index kernels)
navvy_layer(search USES backends)
"""

# Files that follow every arrow: backends comes to core through index alone.
FOLLOWED = {
    "src/core/a.hpp": "",
    "src/kernels/a.hpp": "",
    "src/index/a.hpp": '#include "core/a.hpp"',
    "src/backends/cpu/a.cpp": '#include "index/a.hpp"\n#include "kernels/a.hpp"',
    "src/backends/backend.hpp": "",
    "src/search/a.cpp": '#include "backends/backend.hpp"',
    "src/report/a.hpp": "",
    "src/app/a.hpp": "",
    "python/a.cpp": '#include "report/a.hpp"',
    "src/cli/a.hpp": '#include "report/a.hpp"\n#include "app/a.hpp"',
}


@pytest.fixture
def check(root, tmp_path):
    """Checks a small tree with more files in it, or others: check({path: text}) returns the
    complaints."""
    spec = importlib.util.spec_from_file_location("check_layers", root / "tools/check_layers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "CMakeLists.txt").write_text(ARROWS)

    def run(files):
        for path, text in {**FOLLOWED, **files}.items():
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"// first line\n{text}\n")
        return module.check(tmp_path)

    return run


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("include/navvy/c.hpp", '#include "navvy/b.hpp"'),
        ("include/navvy/c.hpp", "#include <vector>"),
        ("src/core/c.cpp", "#include <sys/mman.h>"),
        ("src/index/c.cpp", "#include <xxhash.h>"),
        ("src/index/c.cpp", '#include "core/b.hpp"'),
        ("src/backends/cpu/c.cpp", '#include "kernels/b.hpp"'),
        ("src/kernels/c.cpp", "#include <hwy/highway.h>"),
        ("src/cli/c.cpp", '#include "cli/b.hpp"'),
        ("src/cli/c.cpp", '#include "beside.hpp"'),
        ("python/c.cpp", "#include <nanobind/nanobind.h>"),
        ("src/cli/c.cpp", '#include "app/b.hpp"'),
        ("src/app/c.cpp", "#include <nlohmann/json.hpp>"),
    ],
)
def test_accepts(check, path, line):
    assert check({path: line}) == []


@pytest.mark.parametrize(
    ("path", "line", "reason"),
    [
        ("include/navvy/c.hpp", '#include "core/b.hpp"', "include may not include core"),
        ("include/navvy/c.hpp", "#include <unistd.h>", "has no home"),
        ("src/core/c.cpp", '#include "index/b.hpp"', "core may not include index"),
        ("src/core/c.cpp", "# include <hwy/highway.h>", "belongs in kernels"),
        ("src/core/c.cpp", "#include <lemon/core.h>", "has no home"),
        ("src/kernels/c.cpp", '#include "navvy/error.hpp"', "kernels may not include include"),
        ("src/kernels/c.cpp", '#include "core/b.hpp"', "kernels may not include core"),
        ("src/cli/c.cpp", '#include "core/b.hpp"', "cli may not include core"),
        ("src/index/c.cpp", "#include <fmt/core.h>", "belongs in app, cli, report"),
        ("src/core/c.cpp", "#include <boost/any.hpp>", "has no home"),
        ("src/other/c.cpp", "#include <vector>", "not in the layer diagram"),
        ("python/c.cpp", '#include "core/b.hpp"', "python may not include core"),
        ("src/backends/cpu/c.cpp", '#include "cpu/b.hpp"', "may not include cpu"),
        ("src/app/c.cpp", '#include "cli/b.hpp"', "app may not include cli"),
        ("src/app/c.cpp", "#include <CLI/CLI.hpp>", "belongs in cli"),
    ],
)
def test_refuses(check, path, line, reason):
    complaints = check({path: line})
    assert len(complaints) == 1
    assert reason in complaints[0]
    assert complaints[0].startswith(path)


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"src/backends/cpu/a.cpp": '#include "index/a.hpp"'},
            "CMakeLists.txt: backends USES kernels, but includes nothing of it",
        ),
        ({"src/cli/a.hpp": ""}, "CMakeLists.txt: cli USES report, but includes nothing of it"),
        (
            {
                "src/backends/cpu/wide.hpp": '#include "kernels/a.hpp"',
                "src/search/deep/a.cpp": '#include "backends/cpu/wide.hpp"',
            },
            "src/search/deep/a.cpp: search has no arrow to kernels, "
            "reached through src/backends/cpu/wide.hpp",
        ),
        (
            {
                "src/backends/cpu/beside.hpp": '#include "index/a.hpp"',
                "src/backends/cpu/wide.hpp": '#include "beside.hpp"',
                "src/search/a.hpp": '#include "backends/cpu/wide.hpp"',
            },
            "src/search/a.hpp: search has no arrow to core, reached through src/index/a.hpp",
        ),
    ],
)
def test_refuses_arrows_unlike_the_includes(check, files, complaint):
    assert complaint in check(files)


def test_an_arrow_may_be_followed_through_others(check):
    assert check({}) == []
