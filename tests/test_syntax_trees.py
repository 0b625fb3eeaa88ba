"""Python's syntax trees, read by several threads at once."""

import ast
import contextlib
import gc
import inspect
import sys
import threading
import time
import warnings

import pytest

from context_graph import memory
from context_graph.syntax_trees import syntax_tree


@pytest.fixture
def busy_collector():
    """The garbage collector runs often and lets other threads in between, as finalizers may."""
    threshold, interval = gc.get_threshold(), sys.getswitchinterval()

    def let_others(phase, info):
        time.sleep(0)

    gc.set_threshold(50)
    gc.callbacks.append(let_others)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.callbacks.remove(let_others)
    gc.set_threshold(*threshold)


def test_threads_that_parse_at_once_all_get_their_tree(busy_collector):
    code, errors, trees = inspect.getsource(memory), [], []

    def parse():
        try:
            trees.extend(ast.dump(syntax_tree(code)) for _ in range(4))
        except SystemError as error:
            errors.append(error)

    threads = [threading.Thread(target=parse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and len(trees) == 16 and len(set(trees)) == 1


def test_a_tree_is_read_beside_a_library_that_parses_as_well(busy_collector):
    code, trees, enough = inspect.getsource(memory), [], threading.Event()

    def parse():
        while not enough.is_set():
            with contextlib.suppress(SystemError):  # it has no lock, and numpy.load does as much
                ast.literal_eval("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}")

    other = threading.Thread(target=parse)
    other.start()
    try:
        trees.extend(ast.dump(syntax_tree(code)) for _ in range(12))
    finally:
        enough.set()
        other.join()
    assert len(trees) == 12 and len(set(trees)) == 1


def test_what_is_odd_about_the_code_is_not_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ast.unparse(syntax_tree('"\\d" is 1', "eval")) == "'\\\\d' is 1"


@pytest.mark.parametrize("code", ["def f(:", "\0", "(" * 500])
def test_what_is_no_python_is_an_error(code):
    with pytest.raises((SyntaxError, ValueError, RecursionError, MemoryError)):
        syntax_tree(code)
