"""What other projects import: named, sorted, typed, and cheap to import."""

import subprocess
import sys
from pathlib import Path

import context_graph
from context_graph import errors, kernels


def test_public_names_are_sorted_and_can_be_imported():
    assert context_graph.__all__ == sorted(context_graph.__all__)
    assert all(getattr(context_graph, name) for name in context_graph.__all__)


def test_kernel_families_are_named_and_can_be_imported():
    assert kernels.__all__ == sorted(kernels.__all__)
    assert all(getattr(kernels, name).__doc__ for name in kernels.__all__ if name != "backends")


def test_an_unknown_name_lists_the_known_ones():
    try:
        _ = context_graph.Memmory
    except AttributeError as error:
        assert "Memory" in str(error)
    else:
        raise AssertionError("expected an AttributeError")


def test_the_package_says_that_it_is_typed():
    assert (Path(errors.__file__).parent / "py.typed").is_file()


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, context_graph; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert not {"numpy", "pydantic", "apsw", "mcp", "onnxruntime"} & set(done.stdout.split())


def test_every_error_stands_in_the_tree_at_the_top_of_its_module():
    drawn = {line.split()[0].lstrip("├│└─ ") or line.split()[1] for line in errors.__doc__.splitlines() if line.strip()}
    drawn |= {word for line in errors.__doc__.splitlines() for word in line.replace("─", " ").split()}
    assert set(errors.__all__) <= drawn
