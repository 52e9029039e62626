"""How Sphinx builds the site; `./dev docs` runs it, with warnings as errors."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import help_pages  # noqa: E402
import test_counts  # noqa: E402

NAVVY = ROOT / "build" / "release" / "navvy"
BUILD = Path(os.environ.get("NAVVY_DOCS_BUILD", ROOT / "build" / "docs"))

project = "navvy"
author = "the authors of navvy"
release = next(
    line.split("VERSION")[1].split()[0]
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines()
    if line.startswith("project(navvy VERSION")
)
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"navvy {release}"
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
pygments_style = "friendly"
pygments_dark_style = "monokai"

# The public headers are the contract; Doxygen reads them and Breathe shows what it read.
breathe_projects = {"navvy": str(BUILD / "doxygen" / "xml")}
breathe_default_project = "navvy"
breathe_default_members = ("members",)
breathe_order_parameters_first = True

autodoc_typehints = "signature"
autodoc_member_order = "bysource"


def run_doxygen() -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    configuration = (
        ROOT / "docs" / "Doxyfile"
    ).read_text() + f"OUTPUT_DIRECTORY = {BUILD}/doxygen\n"
    (BUILD / "doxygen").mkdir(exist_ok=True)
    subprocess.run(["doxygen", "-"], input=configuration, text=True, check=True, cwd=ROOT)


def fill_in(_app, name: str, source: list[str]) -> None:
    """Puts what is made anew for every build into its place."""
    if name == "command":
        source[0] = source[0].replace("@help@", help_pages.document(NAVVY))
    if name == "testing":
        source[0] = source[0].replace("@counts@", test_counts.table())
    if name == "index":
        # Documents that benchmarks wrote join the last list.
        named = {line.strip() for line in source[0].splitlines()} | {"index"}
        others = [path.stem for path in sorted((ROOT / "docs").glob("*.md"))]
        more = "".join(f"{other}\n" for other in others if other not in named)
        source[0] = source[0].replace("@more@\n", more)


def filled_in(_app, environment, _added, _changed, _removed) -> list[str]:
    """Pages to read again although their own text is as it was."""
    return sorted({"command", "index", "testing"} & environment.found_docs)


def setup(app) -> None:
    run_doxygen()
    app.connect("env-get-outdated", filled_in)
    app.connect("source-read", fill_in)
