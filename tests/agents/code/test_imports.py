"""Circles, layers and drawings of imports."""

import networkx
from hypothesis import given
from hypothesis import strategies as st

from context_graph.agents.code.imports import ImportGraph, circles, draw, import_graph, layers, outline_code
from context_graph.agents.code.sources import read_sources
from tests.requirements import requirement

NAMES = "abcdefgh"
EDGES = st.sets(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda one: one[0] != one[1]))


def as_edges(pairs):
    edges = {name: {} for name in NAMES}
    for source, target in sorted(pairs):
        edges[source][target] = 1
    return edges


@requirement("knowledge:architect")
@given(pairs=EDGES)
def test_circles_are_the_strongly_connected_parts(pairs):
    graph = networkx.DiGraph(sorted(pairs))
    expected = {frozenset(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1}
    assert {frozenset(ring) for ring in circles(as_edges(pairs))} == expected


@requirement("knowledge:architect")
@given(pairs=EDGES)
def test_layers_are_the_longest_ways_down_of_the_condensation(pairs):
    graph = networkx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edges_from(pairs)
    whole = networkx.condensation(graph)
    depth = {}
    for part in reversed(list(networkx.topological_sort(whole))):
        depth[part] = 1 + max((depth[other] for other in whole.successors(part)), default=-1)
    expected = {name: depth[part] for part in whole for name in whole.nodes[part]["members"]}
    assert layers(as_edges(pairs)) == expected


def test_a_long_chain_needs_no_recursion():
    edges = {str(i): {str(i + 1): 1} for i in range(20_000)} | {"20000": {}}
    assert layers(edges)["0"] == 20_000


def test_the_shop_has_a_circle_and_one_that_a_function_closes(shop):
    graph = import_graph([one for one in read_sources(shop).files if not one.is_test])
    assert graph.edges["shop.cart"] == {"shop.prices": 7} and graph.later["shop.report"] == {"shop.cart": 5}
    steps = {one.action: one for one in outline_code(shop, read_sources(shop), "x")}
    (circle,) = steps["look for circles"].findings
    assert circle["path"] == "src/shop/cart.py" and circle["line"] == 7
    assert circle["message"].endswith("shop.cart imports shop.prices imports shop.cart")
    drawing, report = steps["draw"].artefacts
    assert "flowchart TD" in drawing.content and "class n" in drawing.content and "circle" in report.content


def test_relative_imports_and_type_checking(tmp_path):
    for path, text in {
        "p/__init__.py": "from .a import x\n",
        "p/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.q import b\nelse:\n"
        "    from . import c\nx = 1\n",
        "p/c.py": "try:\n    import p.q.b as b\nexcept ImportError:\n    pass\n",
        "p/q/__init__.py": "",
        "p/q/b.py": "from ..c import b\nfrom ... import nowhere\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    graph = import_graph(read_sources(tmp_path).files)
    assert graph.edges == {
        "p": {"p.a": 1}, "p.a": {"p.c": 5}, "p.c": {"p.q.b": 2}, "p.q": {}, "p.q.b": {"p.c": 1},
    }  # fmt: skip
    assert graph.later["p.a"] == {"p.q.b": 3}


@requirement("knowledge:architect")
def test_a_name_is_a_label_whatever_it_holds():
    name = 'a"];evil-->b\n<script>'
    drawing = draw(ImportGraph({name: "x.py"}, {name: {}}, {name: {}}))
    (line,) = [line for line in drawing.split("\n") if line.startswith("  n0")]
    label = line.removeprefix('  n0["').removesuffix('"]')
    assert not set('"[]<>;\n') & set(label.replace("#34;", "").replace(";", "")) and line.endswith('"]')


def test_many_modules_are_drawn_as_packages():
    edges = {f"top.part{i % 5}.m{i}": {} for i in range(200)}
    drawing = draw(ImportGraph(dict.fromkeys(edges, "x.py"), edges, edges))
    assert drawing.count("[") == 5 and "top.part0" in drawing


def graph_of(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return import_graph(read_sources(root).files)


def test_files_of_one_name_in_two_folders_are_two_modules(tmp_path):
    graph = graph_of(tmp_path, {"a/x.py": "import y\n", "a/y.py": "", "b/x.py": "", "b/y.py": "import x\n"})
    assert graph.edges == {"a.x": {"a.y": 1}, "a.y": {}, "b.x": {}, "b.y": {"b.x": 1}}
    assert circles(graph.edges) == []


def test_a_package_without_an_init_is_found_by_its_path(tmp_path):
    graph = graph_of(tmp_path, {"ns/one.py": "from . import two\n", "ns/two.py": "", "main.py": "from ns import one\n"})
    assert graph.edges == {"main": {"one": 1}, "one": {"two": 1}, "two": {}}


def test_what_a_package_has_in_another_language_is_no_import_of_the_package(tmp_path):
    files = {"p/__init__.py": "from p.fast import f\n", "p/fast.py": "from p._fast import f\n"}
    assert graph_of(tmp_path, files).edges == {"p": {"p.fast": 1}, "p.fast": {}}


def test_what_only_a_type_checker_or_a_script_imports_is_no_import(tmp_path):
    main = "if not TYPE_CHECKING:\n    import b\nelse:\n    import c\nif __name__ == '__main__':\n    import d\n"
    graph = graph_of(tmp_path, {"a.py": main, "b.py": "", "c.py": "", "d.py": ""})
    assert graph.edges["a"] == {"b": 2} and graph.later["a"] == {"c": 4, "d": 6}


def test_the_report_says_what_no_layer_shows(tmp_path):
    (tmp_path / "d.py").write_text("def f():\n    import e\n", "utf-8")
    (tmp_path / "e.py").write_text("import d\n", "utf-8")
    outcomes = list(outline_code(tmp_path, read_sources(tmp_path), ""))
    (circle,) = [one for outcome in outcomes for one in outcome.findings if "circle" in one["kind"]]
    assert circle["kind"] == "circle that a function or a type checker closes"
    (report,) = [one for one in outcomes[-1].artefacts if one.name == "architecture.md"]
    assert "Imports inside functions and for type checkers are looked at for circles alone" in report.content
