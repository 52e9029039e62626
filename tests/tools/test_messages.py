"""What the library and the package say is read in Python too, where no option has dashes."""

import ast
import re

# No variable of CSS: var(--ink), {--c:red}.
OPTION = re.compile(r"(?<![\w({;-])--[a-z][a-z-]+(?!\w*:)")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def literals(path):
    """The literals of a file of C++ or Python by line."""
    if path.suffix != ".py":
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.lstrip().startswith(("//", "#include")):
                yield from ((number, text) for text in LITERAL.findall(line))
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_no_message_names_an_option_of_the_command(root):
    sources = [
        path
        for folder in ("src", "python/navvy", "python/bindings")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in (".cpp", ".hpp", ".py")
        and not {"app", "cli"} & set(path.relative_to(root).parts)
    ]
    assert len(sources) > 100
    told = [
        f"{path.relative_to(root)}:{number}: {text}"
        for path in sources
        for number, text in literals(path)
        if OPTION.search(text)
    ]
    assert not told


def test_options_would_be_found():
    for text in ("--resize makes", "(navvy compact --reweigh)", "use --top=3"):
        assert OPTION.search(text)
    for text in ("var(--ink)", ".m{--c:red}", "a -- b", "a--b"):
        assert not OPTION.search(text)
