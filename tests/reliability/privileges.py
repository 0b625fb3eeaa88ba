"""What root may do and a user may not: given up for a test, or used where a test needs it."""

import ctypes
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

__all__ = ["IN_A_PLACE_OF_ITS_OWN", "as_a_mere_user", "limit_file_size", "needs_mounts"]

_LIBC = ctypes.CDLL(None, use_errno=True)
_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3: two words of 32 bits a set
_OVERRIDES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@contextmanager
def as_a_mere_user() -> Iterator[None]:
    """Within the block the modes of files hold for this thread, and those it starts, as they do for any user."""
    if os.geteuid() != 0:
        yield
        return
    head = (ctypes.c_uint32 * 2)(_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable, twice
    _LIBC.capget(head, sets)
    before, sets[0] = sets[0], sets[0] & ~_OVERRIDES
    _LIBC.capset(head, sets)
    try:
        yield
    finally:
        sets[0] = before
        _LIBC.capset(head, sets)


IN_A_PLACE_OF_ITS_OWN = """
import ctypes, os, sys
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
home = os.environ["CONTEXT_GRAPH_HOME"].encode()

def mount(source, target, kind, flags, data=None):
    if libc.mount(source, target, kind, ctypes.c_ulong(flags), data):
        raise OSError(ctypes.get_errno(), "mount")

NEW_NAMESPACE, READ_ONLY, REMOUNT, BIND, REC, PRIVATE = 0x20000, 1, 32, 4096, 16384, 1 << 18
if libc.unshare(NEW_NAMESPACE):
    raise OSError(ctypes.get_errno(), "unshare")
mount(b"none", b"/", None, REC | PRIVATE)
"""
"""The beginning of a program whose mounts nobody else sees."""

_TRIES = f"import os; os.environ['CONTEXT_GRAPH_HOME'] = '/'\n{IN_A_PLACE_OF_ITS_OWN}"


def needs_mounts(test):
    """Skip a test where this user may not mount, in a process of its own."""
    tried = subprocess.run([sys.executable, "-S", "-c", _TRIES], capture_output=True, check=False)
    return pytest.mark.skipif(tried.returncode != 0, reason="this user may not mount file systems")(test)


def limit_file_size(process: int, size: int) -> None:
    """No file of the process may grow beyond this size, as on a full disk."""
    _, hard = resource.prlimit(process, resource.RLIMIT_FSIZE)
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size, hard))
