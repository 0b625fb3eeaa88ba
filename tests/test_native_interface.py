"""_core.pyi names what _core holds: every function with its parameters, every constant, and nothing else."""

import ast
import inspect
import re
from pathlib import Path

import context_graph
from context_graph import _core

STUB = Path(context_graph.__file__).with_name("_core.pyi")
SPECIAL = ("__init__", "__len__", "__dlpack__", "__dlpack_device__", "__cuda_array_interface__")
BACKENDS = re.compile(r"_(avx2|avx512|cuda)$")  # a build for another machine has fewer


def declared(body, prefix=""):
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from declared(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            is_property = any(getattr(mark, "id", "") == "property" for mark in node.decorator_list)
            names = [argument.arg for argument in node.args.args if argument.arg != "self"]
            yield prefix + node.name, None if is_property else names
        elif isinstance(node, ast.AnnAssign):
            yield prefix + node.target.id, None


def compiled(holder, prefix=""):
    kept = SPECIAL if inspect.isclass(holder) else ("__version__",)
    for name, thing in vars(holder).items():
        if (name.startswith("_") and name not in kept) or (isinstance(thing, str) and name != "__version__"):
            continue
        if inspect.ismodule(thing) or inspect.isclass(thing):
            yield from compiled(thing, f"{prefix}{name}.")
        elif callable(thing):
            signature = getattr(holder, name).__doc__.splitlines()[0]
            inside = signature.partition("(")[2].partition("->")[0]  # without "->" where it is overloaded
            yield prefix + name, [p for p in re.findall(r"(\w+): ", inside) if p not in ("self", "arg0")]
        else:
            yield prefix + name, None


def test_the_stub_describes_the_module():
    stub = dict(declared(ast.parse(STUB.read_text(encoding="utf-8")).body))
    module = dict(compiled(_core))
    absent = {name for name in stub.keys() - module.keys() if BACKENDS.search(name)}
    assert {name: stub[name] for name in stub.keys() - absent} == module
