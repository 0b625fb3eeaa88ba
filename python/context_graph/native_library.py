"""Where the kernels lie for C and C++: the headers, the static library, the CMake package of this installation."""

from importlib.util import find_spec
from pathlib import Path

from context_graph.errors import NotApplicable

__all__ = ["get_cmake_dir", "get_include", "get_library_dir"]


def get_include() -> str:
    """The folder of the headers: ``-I`` for ``#include <context_graph.h>`` and ``<context_graph/dense.hpp>``.

    Raises
    ------
    NotApplicable
        This installation was built without the component "library".
    """
    return _folder("include")


def get_library_dir() -> str:
    """The folder of ``libcontext_graph_kernels.a``, and of ``pkgconfig/context_graph.pc`` below it.

    Raises
    ------
    NotApplicable
        As `get_include`.
    """
    return _folder("lib")


def get_cmake_dir() -> str:
    """What ``-Dcontext_graph_DIR=`` wants, for ``find_package(context_graph CONFIG)``.

    Raises
    ------
    NotApplicable
        As `get_include`.
    """
    return _folder("lib/cmake/context_graph")


def _folder(name: str) -> str:
    # Beside the compiled module: in an editable installation the Python files lie elsewhere.
    spec = find_spec("context_graph._core")
    folder = Path(spec.origin).parent / name if spec and spec.origin else None
    if folder is None or not folder.is_dir():
        raise NotApplicable(
            f"the library for C and C++ must lie in {folder or 'the package'}, and this installation has none; "
            "install it again without -C install.components=python"
        )
    return str(folder)
