"""Docstrings: examples run, and every public function says what it takes and gives."""

import doctest
import importlib
import inspect
import pkgutil
import re

import navvy
import pytest

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(navvy.__path__, "navvy.")
    if not module.name.startswith("navvy._")
)


@pytest.mark.parametrize("name", ["navvy", *MODULES])
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if name.startswith("navvy.spark"):
        pytest.importorskip("pyspark", reason="PySpark is not here")
    module = importlib.import_module(name)
    flags = doctest.NORMALIZE_WHITESPACE
    # What opens a module shows how things look, without data: it is no example.
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=flags)
    for test in finder.find(module, name):
        if test.name != name:
            runner.run(test)
    assert runner.failures == 0


def functions():
    """Public functions and classes' constructors, by the name that users write."""
    for where in ("navvy", "navvy.gensim", "navvy.pot", "navvy.sklearn", "navvy.umap"):
        module = importlib.import_module(where)
        names = getattr(module, "__all__", None) or [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", "") == where and not name.startswith("_")
        ]
        for name in names:
            value = getattr(module, name)
            if inspect.isfunction(value):
                yield pytest.param(value, id=f"{where}.{name}")


@pytest.mark.parametrize("function", list(functions()))
def test_functions_say_what_they_take_and_give(function):
    text = inspect.getdoc(function)
    sections = ["Returns", "Examples"]
    taken = inspect.signature(function).parameters
    if taken:
        sections.insert(0, "Parameters")
    for section in sections:
        assert f"\n{section}\n{'-' * len(section)}\n" in text, section
    described = text.partition("\nReturns\n")[0].partition("\nParameters\n")[2]
    for name in taken:
        assert re.search(rf"^([\w, *]+, )?(\*\*)?{name}(,| :|$)", described, re.MULTILINE), name


def methods():
    """Of the classes that take the place of others' classes."""
    for where in ("navvy.gensim", "navvy.sklearn"):
        for name, value in vars(importlib.import_module(where)).items():
            if not inspect.isclass(value) or not value.__module__.startswith(where):
                continue
            for method in dir(value):
                function = inspect.getattr_static(value, method)
                function = getattr(function, "__func__", function)
                own = getattr(function, "__module__", "") or ""
                if not method.startswith("_") and own.startswith(where):
                    yield pytest.param(function, id=f"{name}.{method}")


@pytest.mark.parametrize("method", list(methods()))
def test_methods_say_what_they_take_and_give(method):
    text = inspect.getdoc(method)
    described = text.partition("\nReturns\n")[0].partition("\nParameters\n")[2]
    for name in list(inspect.signature(method).parameters)[1:]:
        assert re.search(rf"^([\w, *]+, )?{name}(,| :|$)", described, re.MULTILINE), name
    if inspect.signature(method).return_annotation not in (None, "None"):
        assert "\nReturns\n-------\n" in text
