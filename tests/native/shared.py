"""The installed static library as something ctypes can call, and compilers to build with it."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import context_graph

INCLUDE = Path(context_graph.get_include())
LIBRARY = Path(context_graph.get_library_dir())
HEADERS = sorted(INCLUDE.rglob("*.h*"))
SOURCES = Path(__file__).parents[2] / "csrc" / "include"


def need_the_headers_of_this_checkout() -> None:
    """Skip the test where the installation is of other headers than those that lie here."""
    changed = [path for path in SOURCES.rglob("*.h*") if not same(path, INCLUDE / path.relative_to(SOURCES))]
    if changed:
        pytest.skip(f"the installation has another {changed[0].name}; pip install -e . renews it")


def same(path: Path, other: Path) -> bool:
    return other.exists() and path.read_bytes() == other.read_bytes()


FUNCTIONS = sorted(
    {
        name
        for path in (INCLUDE / "context_graph" / "c").glob("*.h")
        for name in re.findall(r"^[\w ]+\*? ?\b(cgk_\w+)\(", path.read_text("utf-8"), re.M)
    }
)
"""Every function that the C headers declare."""


def need(*programs: str) -> None:
    """Skip the test where one of these programs is missing."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"no {program} on PATH")


def run(*command: str | Path, **options: object) -> str:
    """What a command prints; what it says where it fails is what the test fails with."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shared_library(folder: Path) -> ctypes.CDLL:
    """All functions of the C interface, which the static library keeps to who links it, by a table of their addresses.

    Made as others would make an extension of theirs: it links only because the library is position independent code.
    """
    entries = "\n".join(f'    if (!strcmp(name, "{name}")) return (void (*)(void)){name};' for name in FUNCTIONS)
    source = f"""#include <string.h>
#include <context_graph.h>
__attribute__((visibility("default"))) void (*function(const char* name))(void) {{
{entries}
    return 0;
}}
"""
    (folder / "table.c").write_text(source, encoding="utf-8")
    out = folder / "libtable.so"
    libraries = [LIBRARY / "libcontext_graph_kernels.a", "-lstdc++", "-lm", "-pthread"]
    run(
        "gcc",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fPIC",
        "-shared",
        f"-I{INCLUDE}",
        folder / "table.c",
        *libraries,
        "-o",
        out,
    )
    return ctypes.CDLL(str(out))
