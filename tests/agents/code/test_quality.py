"""What is measured and found in functions, each with its path and line."""

import ast
from pathlib import Path

import pytest

import context_graph
from context_graph.agents.code.names import taken_elsewhere, unused_imports
from context_graph.agents.code.quality import analyse_code, complexity
from context_graph.agents.code.sources import Source, read_sources
from tests.requirements import requirement


def source_of(text, path="a.py"):
    return Source(path, text, ast.parse(text), path.removesuffix(".py").replace("/", "."), ".")


def test_each_finding_names_its_line(shop):
    steps = {one.action: one for one in analyse_code(shop, read_sources(shop), "look at it")}
    lines = (shop / "src/shop/cart.py").read_text("utf-8").split("\n")
    found = {(one["kind"], one["line"]) for one in steps["look for mistakes"].findings if "cart" in one["path"]}
    at = lambda text: next(i for i, line in enumerate(lines, 1) if text in line)  # noqa: E731
    assert found == {
        ("unused import", at("import os")), ("unused import", at("import Any")), ("shared default", at("def add")),
        ("bare except", at("except:")),
    }  # fmt: skip
    complex_ones = [one for one in steps["measure functions"].findings if one["kind"] == "complex"]
    assert [(one["line"], one["value"]) for one in complex_ones] == [(at("def choose"), 14)]
    bare = {one["message"] for one in steps["look for docstrings"].findings}
    assert bare == {
        "Cart.add has no docstring",
        "choose has no docstring",
        "discount has no docstring",
        "show has no docstring",
    }
    (report,) = steps["write the report"].artefacts
    assert "no language model" in report.content and "src/shop/cart.py" in report.content


def test_a_file_that_cannot_be_read_is_a_finding_and_nothing_to_split(tmp_path):
    (tmp_path / "broken.py").write_text("def f(:\n", "utf-8")
    (tmp_path / "fine.py").write_text("def g():\n    return 1\n", "utf-8")
    steps = {one.action: one for one in analyse_code(tmp_path, read_sources(tmp_path), "look at it")}
    assert [one["path"] for one in steps["measure functions"].findings] == ["broken.py"]
    assert steps["write the report"].recommendations == []


@requirement("knowledge:analyst")
def test_complexity_is_that_of_radon():
    visitors = pytest.importorskip("radon.visitors", reason="needs radon, which the extra [test] has")
    compared = 0
    folder = Path(context_graph.__file__).parent
    for path in ("agents", "index", "recall", "reading"):
        for source in read_sources(folder, path).files:
            measured = {one.node.lineno: complexity(one.node) for one in source.functions}
            visitor = visitors.ComplexityVisitor.from_ast(source.tree)
            blocks = [*visitor.functions, *(method for each in visitor.classes for method in each.methods)]
            for block in blocks:
                assert measured[block.lineno] == block.complexity, f"{source.path}:{block.lineno}"
                compared += 1
    assert compared > 300


def test_imports_that_are_used_in_any_way_are_left_alone():
    text = (
        "from __future__ import annotations\nimport os.path\nimport a as a\nimport gone\nimport quiet  # noqa: F401\n"
        "from b import *\nfrom c import Kind, Other\nfrom d import taken\nimport text\n"
        "def f(x: 'Kind'): return os.path.join(x)\n__all__ = ['text']\n"
    )
    other = source_of("from a import taken\n", "b.py")
    unused = unused_imports(source_of(text), taken_elsewhere([other]))
    assert [one.name for one in unused] == ["gone", "Other"]


def test_ruff_and_radon_are_asked_where_they_are_or_it_is_said_that_they_are_not(shop, monkeypatch):
    steps = {one.action: one.outcome for one in analyse_code(shop, read_sources(shop), "x")}
    assert "default rules" in steps["ask ruff"] or "not installed" in steps["ask ruff"]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    steps = {one.action: one.outcome for one in analyse_code(shop, read_sources(shop), "x")}
    assert "was not asked" in steps["ask ruff"] and "was not asked" in steps["ask radon"]


@pytest.mark.parametrize(
    "files",
    [
        {"p/__init__.py": "", "p/compat.py": "import json\n", "p/a.py": "from . import compat\n\ncompat.json\n"},
        {"p/__init__.py": "", "p/compat.py": "import json\n", "p/a.py": "import p.compat\n\np.compat.json\n"},
        {"p/__init__.py": "from .compat import *\n", "p/compat.py": "import json\n"},
        {"p/compat.py": "import json  # NOQA\n"},
        {"p/compat.py": "from typing import List\n\nx = []  # type: List[int]\n"},
        {"tests/test_a.py": "from fixtures import shop\n\n\ndef test_a(shop): pass\n"},
        {"p/compat.py": "import json\n\n\ndef f(x):\n    match x:\n        case json.JSONDecodeError(): pass\n"},
        {"p/compat.py": "import json\n\n\n@json.wraps\nasync def f():\n    if (y := 1): return y\n"},
    ],
)  # fmt: skip
def test_an_import_that_something_uses_is_not_told(tmp_path, files):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    steps = {one.action: one for one in analyse_code(tmp_path, read_sources(tmp_path), "x")}
    assert [one for one in steps["look for mistakes"].findings if one["kind"] == "unused import"] == []


def test_a_setter_needs_no_docstring_of_its_own(tmp_path):
    text = "class A:\n    @property\n    def x(self):\n        'X.'\n\n    @x.setter\n    def x(self, v): pass\n"
    (tmp_path / "a.py").write_text(text, "utf-8")
    steps = {one.action: one for one in analyse_code(tmp_path, read_sources(tmp_path), "x")}
    assert steps["look for docstrings"].findings == []
