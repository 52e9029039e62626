"""Docstrings: examples run, and every public function says what it takes and gives."""

import doctest
import functools
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
    if name.startswith("navvy.spark"):
        pytest.importorskip("pyspark", reason="PySpark is not here")
    module = importlib.import_module(name)
    flags = doctest.NORMALIZE_WHITESPACE
    # What opens a module shows how things look, without data: it is no example.
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=flags)
    for test in finder.find(module, name):
        if test.name != name:
            (tmp_path / test.name).mkdir()
            monkeypatch.chdir(tmp_path / test.name)
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


def public(value):
    """The names of a class that users call or read, without those of others' classes."""
    for name in dir(value):
        found = inspect.getattr_static(value, name)
        function = getattr(found, "fget", None) or getattr(found, "func", None) or found
        function = getattr(function, "__func__", function)
        own = getattr(function, "__module__", None) or ""
        if not name.startswith("_") and own.startswith("navvy") and inspect.isfunction(function):
            yield name, function, isinstance(found, property | functools.cached_property)


def classes():
    for name in navvy.__all__:
        value = getattr(navvy, name)
        if inspect.isclass(value):
            yield f"navvy.{name}", value
    for where in ("navvy.gensim", "navvy.sklearn"):  # which take the place of others' classes
        for name, value in vars(importlib.import_module(where)).items():
            if inspect.isclass(value) and value.__module__.startswith(where):
                yield f"{where}.{name}", value


def methods(properties=False):
    for where, value in classes():
        for name, function, is_property in public(value):
            if is_property == properties:
                yield pytest.param(function, id=f"{where}.{name}")


def test_all_methods_are_looked_at():
    names = {param.id for param in methods()}
    assert {"navvy.Index.search", "navvy.Index.open", "navvy.Writer.add"} <= names
    assert {"navvy.Lists.graph", "navvy.sklearn.EMDNeighbors.kneighbors"} <= names


@pytest.mark.parametrize("method", list(methods()))
def test_methods_say_what_they_take_and_give(method):
    text = inspect.getdoc(method) + "\n"
    described = re.split(r"\n(?:Returns|Examples)\n-", text)[0].partition("\nParameters\n---")[2]
    for name in list(inspect.signature(method).parameters)[1:]:
        listed = rf"^([\w, *]+, )?(\*\*)?{name}(,| :|$)"
        assert re.search(listed, described, re.MULTILINE), name
    if inspect.signature(method).return_annotation not in (None, "None"):
        assert "\nReturns\n-------\n" in text
    # Those of estimators and of look-alikes have one example for the class.
    if not method.__module__.startswith(("navvy.gensim", "navvy.sklearn")):
        assert "\nExamples\n--------\n" in text


@pytest.mark.parametrize("read", list(methods(properties=True)))
def test_properties_say_what_they_are(read):
    assert inspect.getdoc(read)
