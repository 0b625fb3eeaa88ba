"""The picture of docs/architecture.md in code: imports point down, siblings do not know each other."""

import ast
import gc
import re
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import context_graph
from context_graph import store
from tests.requirements import requirement

PACKAGE = Path(context_graph.__file__).parent if context_graph.__file__ else Path("python/context_graph")
LEVELS = (
    {"regex"},
    {"errors", "texts", "locks", "children", "suggestions", "heap", "_core"},
    {"instants", "garbage", "native_library", "advice"},
    {"display", "arguments", "syntax_trees"},
    {"models", "settings", "names", "progress", "client_model"},
    {"kernels", "dates", "visibility", "verification", "endpoints"},
    {"embed", "media", "torch", "nervous"},
    {"store", "safety", "bm25"},
    {"graph", "citations"},
    {"reading", "extraction"},
    {"index"},
    {"retrieval"},
    {"derived"},
    {"runtime"},
    {"access"},
    {"presentation"},
    {"ingest", "recall"},
    {"inference"},
    {"cases", "knowledge"},
    {"connectors"},
    {"sync"},
    {"agents"},
    {"memory"},
    {"async_memory"},
    {"integrations"},
    {"evaluation"},
    {"tools", "resources", "prompts", "train"},
    {"server", "cli", "client"},
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
ALLOWED = {("cli", "server")}  # the command starts the server and calls tools through its dispatch

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem != "__init__")


def module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(path) for path in PACKAGE.rglob("*.py")} | {"context_graph._core"}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All of a file, walked once for all rules."""
    return tuple(ast.walk(tree(path)))


@pytest.fixture(scope="module", autouse=True)
def trees():
    """All trees together are so many objects that looking for garbage among them takes longer than parsing."""
    gc.disable()
    yield
    for cached in (tree, nodes, imports):
        cached.cache_clear()
    gc.enable()


@cache
def imports(path: Path) -> set[str]:
    """Modules of the package that a file imports: when it is read, when a function runs, or for a type checker only."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relative to itself"
            base = node.module or ""
            found |= {name if (name := f"{base}.{alias.name}") in MODULES else base for alias in node.names}
    return found & MODULES


def room(name: str) -> str:
    return name.split(".")[1]


def test_imports_point_down():
    wrong = []
    for path in FILES:
        own = room(module(path))
        assert own in LEVEL, f"{own} has no place in the picture: improve docs/architecture.md first"
        for other in {room(name) for name in imports(path) if "." in name} - {own}:
            if LEVEL[other] >= LEVEL[own] and (own, other) not in ALLOWED:
                wrong.append(f"{path} in {own} imports {other}")
    assert not wrong, "\n".join(wrong)


@requirement("architecture:no-circle")
def test_no_file_imports_itself_by_way_of_others():
    arrows = {}
    for path in PACKAGE.rglob("*.py"):
        own = module(path)
        # A package is read before its modules: what they import of it they could not do without.
        arrows[own] = {name for name in imports(path) if name != own and not own.startswith(f"{name}.")}
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_nothing_loads_a_pickle_or_runs_stored_text():
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name for alias in node.names} | {getattr(node, "module", "") or ""}
                assert not names & {"pickle", "marshal", "shelve", "joblib", "dill"}, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"eval", "exec", "compile"}, path


def test_no_module_compiles_an_expression_as_it_is_imported():
    found = []
    for path in FILES:
        functions = [
            node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        ]
        later = {id(node) for function in functions for node in ast.walk(function)}
        compiling = (node for node in nodes(path) if isinstance(node, ast.Call) and id(node) not in later)
        found += [f"{path}:{node.lineno}" for node in compiling if ast.unparse(node.func) == "re.compile"]
    assert not found, "\n".join(["use context_graph.regex.regex there:", *found])


def test_python_is_parsed_in_one_place():
    for path in FILES:
        calls = [node.func for node in nodes(path) if isinstance(node, ast.Call)]
        parses = any(isinstance(call, ast.Attribute) and ast.unparse(call) == "ast.parse" for call in calls)
        assert parses == (module(path) == "context_graph.syntax_trees"), f"{path}: threads need syntax_tree"


def test_every_module_says_what_it_is_for_in_one_sentence():
    silent = []
    for path in FILES:
        text = ast.get_docstring(tree(path)) or ""
        if not text or not (text.splitlines()[0].rstrip().endswith((".", ":")) or text.count("\n") == 0):
            silent.append(str(path))
    assert not silent, "\n".join(silent)


def wrong_ways_to_the_store(path):
    own = module(path)
    for node in nodes(path):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in modules:
            if name.split(".")[0] == "apsw" and not own.startswith("context_graph.store.sqlite."):
                yield f"{path} imports apsw; ask the store"
            if name.startswith("context_graph.store") and room(own) != "store":
                if name != "context_graph.store":
                    yield f"{path} imports {name}; take a public name of context_graph.store"
                elif not {alias.name for alias in node.names} <= set(store.__all__):
                    yield f"{path}:{node.lineno} imports what context_graph.store does not export"
            below_the_ports = name.startswith("context_graph.store.sqlite") and own.startswith("context_graph.store.")
            if below_the_ports and not own.startswith("context_graph.store.sqlite."):
                yield f"{path} is below the ports and imports {name}"


@requirement("architecture:store-behind-ports")
def test_what_keeps_the_data_is_known_to_the_store_alone():
    wrong = [way for path in FILES for way in wrong_ways_to_the_store(path)]
    assert not wrong, "\n".join(wrong)


IN_A_PAYLOAD = {"changes", "note", "table"}


def reads_of_a_payload(path):
    for node in nodes(path):
        if isinstance(node, ast.Attribute) and node.attr == "payload":
            yield f"{path}:{node.lineno}"
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            name = node.slice
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
            and node.args
        ):
            name = node.args[0]
        else:
            continue
        if isinstance(name, ast.Constant) and name.value in IN_A_PAYLOAD:
            yield f"{path}:{node.lineno}"


@requirement("architecture:one-reader-of-events")
def test_nothing_above_the_store_reads_the_payload_of_an_event():
    above = [path for path in FILES if room(module(path)) != "store"]
    found = [where for path in above for where in reads_of_a_payload(path)]
    assert not found, "\n".join(["ask context_graph.store (changes_of, note_of) what an event says:", *found])


BARE_PARTICIPLES = set(
    "found said made kept told asked taken laid given known held named seen meant heard".split()
)  # fmt: skip
SPAN = 5
"""Lines from the first use to the last; what lives longer is named after what it is: rows, edges, matches, speaker."""


def long_lived(function: ast.AST) -> set[str]:
    """Bare participles among the parameters and local variables of a function that live longer than `SPAN` lines."""
    lines, own = {}, set()
    for node in ast.walk(function):
        name = node.id if isinstance(node, ast.Name) else node.arg if isinstance(node, ast.arg) else None
        if name in BARE_PARTICIPLES:
            lines.setdefault(name, []).append(node.lineno)
            if isinstance(node, ast.arg) or isinstance(node.ctx, ast.Store):
                own.add(name)
    return {name for name in own if max(lines[name]) - min(lines[name]) > SPAN}


@requirement("architecture:values-have-nouns")
def test_what_lives_longer_than_five_lines_is_named_by_a_noun():
    found = [
        f"{path}:{node.lineno}: {node.name} has {', '.join(sorted(names))}: name what the value is"
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (names := long_lived(node))
    ]
    assert not found, "\n".join(found)


def test_a_participle_may_stand_for_a_few_lines():
    short = "def f(rows):\n    found = rows[0]\n    return found\n"
    long = "def f(found):\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n    e = 5\n    return found\n"
    assert (long_lived(ast.parse(short)), long_lived(ast.parse(long))) == (set(), {"found"})
    assert long_lived(ast.parse(long.replace("def f(found)", "def f()"))) == set(), "it is no name of the function's"


CONSTANT = re.compile(r"_?(?:[A-Z0-9]+_)*(?:MOST|LEAST)(?:_[A-Z0-9]+)*")


@requirement("architecture:values-have-nouns")
def test_a_limit_is_called_max_or_min():
    found = [
        f"{path}:{node.lineno}: {node.id}: call it MAX_ or MIN_ and a noun"
        for path in FILES
        for node in nodes(path)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and CONSTANT.fullmatch(node.id)
    ]
    assert not found, "\n".join(found)


@requirement("architecture:values-have-nouns")
def test_a_limit_has_one_meaning_in_the_package():
    """A name that two files define is two numbers for one thing, or one name for two things."""
    homes = {}
    for path in FILES:
        for node in tree(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            for target in targets:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(name, ast.Name) and re.match("(?:MAX|MIN)_", name.id):
                        homes.setdefault(name.id, set()).add(path.relative_to(PACKAGE).as_posix())
    assert {name: sorted(files) for name, files in homes.items() if len(files) > 1} == {}
