"""Types as users meet them: mypy and pyright, both strict, over a program and the examples."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "typed" / "program.py"
# What scikit-learn, matplotlib and SciPy, which have no types, leave unknown.
OF_OTHERS = [
    "reportMissingTypeStubs",
    "reportUnknownArgumentType",
    "reportUnknownMemberType",
    "reportUnknownVariableType",
]
# Where LangChain and Haystack are not here, all that is made of their classes is unknown as well.
FRAMEWORKS = {"langchain_retriever.py", "haystack_retriever.py"}
OF_FRAMEWORKS = [*OF_OTHERS, "reportMissingImports", "reportUnknownParameterType"]


@pytest.fixture(scope="module")
def pyright():
    """Runs pyright over a folder, with the packages of this interpreter; answers as JSON."""
    pytest.importorskip("basedpyright", reason="pyright is not here")
    folder = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    def run(where, *arguments):
        command = [sys.executable, "-m", "basedpyright", "--outputjson", *arguments]
        done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True)
        assert done.stdout.strip().startswith("{"), done.stdout + done.stderr
        return json.loads(done.stdout)

    return run


def complaints(answer):
    return [
        f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in answer["generalDiagnostics"]
    ]


def settle(folder, **rules):
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11"} | rules
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))


def test_the_program_runs(tmp_path):
    done = subprocess.run([sys.executable, PROGRAM], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_program_under_mypy(tmp_path):
    shutil.copy(PROGRAM, tmp_path)
    command = [sys.executable, "-m", "mypy", "--strict", PROGRAM.name]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_program_under_pyright(tmp_path, pyright):
    shutil.copy(PROGRAM, tmp_path)
    settle(tmp_path)
    answer = pyright(tmp_path)
    assert answer["summary"]["filesAnalyzed"] == 1 and not complaints(answer)


def test_a_wrong_program_is_told(tmp_path, pyright):
    (tmp_path / "wrong.py").write_text("import navvy\n\nx: str = navvy.emd([1], [1], [[0]])\n")
    settle(tmp_path)
    (complaint,) = complaints(pyright(tmp_path))
    assert '"float" is not assignable to "str"' in complaint


@pytest.mark.parametrize(
    ("frameworks", "off"),
    [(False, OF_OTHERS), (True, OF_FRAMEWORKS)],
    ids=["programs", "retrievers"],
)
def test_the_examples_under_pyright(tmp_path, root, pyright, frameworks, off):
    examples = [
        path
        for folder in ("examples", "examples/gallery")
        for path in (root / folder).glob("*.py")
        if (path.name in FRAMEWORKS) == frameworks
    ]
    for example in examples:
        shutil.copy(example, tmp_path)
    # Types are read, not guessed from the code of packages that have none.
    settle(tmp_path, useLibraryCodeForTypes=False, **dict.fromkeys(off, False))
    answer = pyright(tmp_path)
    assert not complaints(answer)
    assert answer["summary"]["filesAnalyzed"] == len(examples) >= (2 if frameworks else 9)


def test_the_docs_say_which_rules_are_off(root):
    text = (root / "docs" / "python.md").read_text()
    assert all(f"`{rule}`" in text for rule in OF_FRAMEWORKS)


def test_every_public_type_is_known(tmp_path, pyright):
    """But for what comes from classes of scikit-learn, which has no types."""
    symbols = pyright(tmp_path, "--verifytypes", "navvy", "--ignoreexternal")
    symbols = symbols["typeCompleteness"]["symbols"]
    assert len(symbols) > 400
    # Without PySpark, what navvy.spark takes from there is unknown.
    symbols = [symbol for symbol in symbols if not symbol["name"].startswith("navvy.spark.")]
    assert not [symbol["name"] for symbol in symbols if symbol["isTypeAmbiguous"]]
    unknown = [symbol for symbol in symbols if not symbol["isTypeKnown"]]
    assert all(symbol["name"].startswith("navvy.sklearn.") for symbol in unknown)
    for symbol in unknown:
        for each in symbol["diagnostics"]:
            assert each["message"].startswith(("Type of metaclass", "Type of base class")), each
