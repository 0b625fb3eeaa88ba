"""The whole compiled module with its CUDA launchers, kernels emulated: Python to binding to launcher to kernel."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from .build import (
    COMMON,
    CSRC,
    CUDA,
    ROOT,
    RUNTIME,
    _run,
    contents,
    kernel_object,
    made,
    precompiled,
    runtime_object,
    together,
)

__all__ = ["core_module", "run_kernel_tests", "run_tests"]

LEFT_OUT = ("avx2.cpp", "avx512.cpp", "bf16.cpp", "amx.cpp", "gpu.cpp")  # the last: where there is no device
FLAGS = [*COMMON, "-O1", "-g0", "-ffp-contract=off", '-DCG_VERSION="0"']
STANDARD = "algorithm atomic functional memory numeric optional span stdexcept string string_view vector".split()


def core_module() -> Path:
    """Path of the module; built without the wide backends, which other tests have."""
    import pybind11

    sources = [
        path for path in sorted(CSRC.rglob("*.cpp")) if not path.match("*c_api.cpp") and path.name not in LEFT_OUT
    ]
    headers = contents([*CSRC.rglob("*.hpp"), *CSRC.rglob("*.inl")])
    places = [CSRC, CSRC / "include", sysconfig.get_path("include"), pybind11.get_include()]
    flags = [*FLAGS, *(f"-I{place}" for place in places)]
    bindings = [path for path in sources if path.name in ("bindings.cpp", "module.cpp")]

    def bound() -> Path:
        def make(out: Path) -> None:
            text = out.with_suffix(".cpp")
            text.write_text("".join(f'#include "{path}"\n' for path in bindings), encoding="utf-8")
            _run(["g++", *flags, "-O0", "-c", str(text), "-o", str(out)])
            text.unlink()

        return made("bindings.o", [flags, headers, contents(bindings)], make)

    def compiled(path: Path) -> Path:
        def make(out: Path) -> None:
            first = precompiled("core", [f"<{name}>" for name in STANDARD], flags)
            _run(["g++", *flags, *first, "-c", str(path), "-o", str(out)])

        return made(f"{path.parent.name}_{path.stem}.o", [flags, headers, path.read_bytes()], make)

    jobs = [
        bound,
        *(lambda p=path: kernel_object(p, "plain") for path in sorted(CUDA.glob("*.cu"))),
        *(lambda p=path: compiled(p) for path in sources if path not in bindings),
        *(lambda n=name: runtime_object(n, "plain") for name in RUNTIME if name != "driver.cpp"),
    ]
    objects = [str(path) for path in together(jobs)]

    def link(out: Path) -> None:
        _run(["g++", "-shared", "-pthread", *objects, "-o", str(out)])

    return made(f"_core{sysconfig.get_config_var('EXT_SUFFIX')}", objects, link)


RUN = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("context_graph._core", sys.argv[1])
sys.modules["context_graph._core"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["context_graph._core"])

import pytest
from context_graph.errors import BackendUnavailable

class Plugin:
    def pytest_configure(self, config):
        import hypothesis

        given = hypothesis.settings.__init__
        def fewer(self, *arguments, **options):  # an emulated launch takes milliseconds
            if "max_examples" in options:
                options["max_examples"] = min(8, options["max_examples"])
            given(self, *arguments, **options)
        hypothesis.settings.__init__ = fewer

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        try:
            return (yield)
        except BackendUnavailable as error:
            if "is not built for it" not in str(error):
                raise
            pytest.skip(str(error))

raise SystemExit(pytest.main(sys.argv[2:], plugins=[Plugin()]))
"""


def run_kernel_tests(family: str, chosen: str = "", *options: str) -> subprocess.CompletedProcess:
    """tests/kernels/test_<family>.py with backend="cuda", in a process whose module is the emulated one."""
    selected = f"cuda and ({chosen})" if chosen else "cuda"
    return run_tests(f"tests/kernels/test_{family}.py", "-k", selected, *options)


def run_tests(*options: str, **environment: str) -> subprocess.CompletedProcess:
    """pytest in a process whose module is the emulated one."""
    command = [sys.executable, "-c", RUN, str(core_module()), *options, "-q", "-p", "no:cacheprovider", "-rs"]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=600, env=os.environ | environment
    )
