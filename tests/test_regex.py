"""Regular expressions of the package are compiled when they are used, and all of them can be."""

import re
import subprocess
import sys

import pytest

from context_graph.regex import regex


def test_it_answers_as_a_compiled_one():
    lazy, compiled = regex(r"(?P<n>\d+) ?(m|kg)", re.I), re.compile(r"(?P<n>\d+) ?(m|kg)", re.I)
    text = "12 KG and 3m, none"
    for method in ("search", "match", "fullmatch"):
        one, other = getattr(lazy, method)(text), getattr(compiled, method)(text)
        assert (one and one.groups()) == (other and other.groups())
    assert [each.span() for each in lazy.finditer(text, 3)] == [each.span() for each in compiled.finditer(text, 3)]
    assert lazy.findall(text) == compiled.findall(text) and lazy.split(text) == compiled.split(text)
    assert lazy.sub(r"\g<n>", text) == compiled.sub(r"\g<n>", text) and lazy.subn("", text) == compiled.subn("", text)
    assert (lazy.pattern, lazy.groups, dict(lazy.groupindex)) == (compiled.pattern, 2, {"n": 1})
    assert regex(rb"\d").findall(b"a1") == [b"1"]


def test_nothing_is_compiled_before_it_is_used_and_then_once(monkeypatch):
    calls, compile_it = [], re.compile
    monkeypatch.setattr(re, "compile", lambda *given: calls.append(given) or compile_it(*given))
    lazy = regex("a+", re.I)
    assert (lazy.pattern, lazy.flags) == ("a+", re.I) and "a+" in repr(lazy) and calls == []
    assert lazy.search("bAA")[0] == "AA" and lazy.sub("", "abc") == "bc" and lazy.search("b") is None
    assert calls == [("a+", re.I)]


def test_what_it_has_not_is_an_attribute_error_and_a_wrong_expression_an_error_at_its_use():
    with pytest.raises(AttributeError, match="expected one of search"):
        _ = regex("a").scan
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.search("a")


COMPILE_ALL = """
import gc, importlib, pkgutil, re, context_graph
from context_graph.regex import _METHODS, _Regex

# `walk_packages` imports packages itself, that of torch too where there is none.
for module in pkgutil.walk_packages(context_graph.__path__, "context_graph.", onerror=lambda name: None):
    if module.name.endswith("__main__") or {"torch", "triton"} & {*module.name.split(".")}:
        continue
    try:
        importlib.import_module(module.name)
    except ImportError as error:  # one that needs an extra
        assert not str(error.name).startswith("context_graph"), error
every = [one for one in gc.get_objects() if isinstance(one, _Regex)]
assert len(every) > 400, len(every)
# Python before 3.11.5 matches a group that gives nothing back wrongly where it could go back within (gh-106052); the
# one of embed/program.py cannot.
possessive = re.compile(r"\\)(?:[*+?]|\\{\\d*,?\\d*\\})\\+")
wrong = [one for one in every if isinstance(one.pattern, str) and possessive.search(one.pattern)]
assert all("(?:@[" in one.pattern for one in wrong), wrong
for one in every:
    assert all(getattr(one, method) is not None for method in _METHODS), one
"""


@pytest.mark.long
def test_every_expression_of_the_package_can_be_compiled():
    ran = subprocess.run([sys.executable, "-c", COMPILE_ALL], check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_importing_the_memory_compiles_few():
    """Those that others are made of as the package is imported; the count is of expressions, not of seconds."""
    code = (
        "import gc, context_graph.memory; from context_graph.regex import _Regex;"
        "every = [one for one in gc.get_objects() if isinstance(one, _Regex)];"
        "print(len(every), sum('search' in vars(one) for one in every))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    every, compiled = map(int, ran.stdout.split())
    assert every > 400 and compiled < every / 20, (every, compiled)
