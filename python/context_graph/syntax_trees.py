"""Python code as its syntax tree, from any thread."""

import ast
import gc
import warnings
from typing import Literal, overload

from context_graph.garbage import switching

__all__ = ["syntax_tree"]


@overload
def syntax_tree(code: str, mode: Literal["exec"] = "exec") -> ast.Module: ...
@overload
def syntax_tree(code: str, mode: Literal["eval"]) -> ast.Expression: ...


def syntax_tree(code: str, mode: Literal["exec", "eval"] = "exec") -> ast.AST:
    """`ast.parse`, one thread at a time and without warnings about the code.

    Before Python 3.13 all threads of an interpreter count the depth of the tree that they build in one place: where
    the garbage collector lets another thread in between, `ast.parse` ends with a SystemError. Libraries parse too
    (`numpy.load` reads its headers so) and know nothing of this lock, so the collector waits until the tree is there.
    The filters of `warnings` belong to the process as well.

    Raises
    ------
    SyntaxError, ValueError, RecursionError, MemoryError
        Of `ast.parse`: no Python, or nested too deep.
    """
    with switching, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a literal of another Python version is no news
        collecting = gc.isenabled()
        gc.disable()
        try:
            return ast.parse(code, mode=mode)
        finally:
            if collecting:
                gc.enable()
