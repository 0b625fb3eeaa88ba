"""The folders that the package names for C and C++ hold what their names say."""

from pathlib import Path

import pytest

import context_graph
from context_graph import native_library
from context_graph.errors import NotApplicable
from tests.requirements import requirement


@requirement("library:installed")
def test_each_folder_holds_what_it_is_named_for():
    assert Path(context_graph.get_include(), "context_graph.h").is_file()
    assert Path(context_graph.get_include(), "context_graph", "dense.hpp").is_file()
    assert Path(context_graph.get_library_dir(), "libcontext_graph_kernels.a").is_file()
    assert Path(context_graph.get_library_dir(), "pkgconfig", "context_graph.pc").is_file()
    assert Path(context_graph.get_cmake_dir(), "context_graph-config.cmake").is_file()


@requirement("library:installed")
def test_an_installation_without_the_library_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(native_library, "find_spec", lambda name: None)
    with pytest.raises(NotApplicable, match="this installation has none; install it again"):
        context_graph.get_include()
