"""The whole compiled module with its CUDA launchers, kernels emulated: Python to binding to launcher to kernel."""

import hashlib
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .build import BUILDS, COMMON, CUDA, HERE, ROOT, RUNTIME, _run, _runtime, cache_folder, include_folders, rewritten

__all__ = ["core_module"]

CSRC = ROOT / "csrc"
WIDE = ("avx2.cpp", "avx512.cpp")


def core_module() -> Path:
    """Path of the module; built without the wide backends, which other tests have."""
    import pybind11

    sources = [path for path in sorted(CSRC.rglob("*.cpp")) if path.name not in WIDE]
    headers = [
        *CSRC.rglob("*.hpp"),
        *CSRC.rglob("*.inl"),
        *CUDA.glob("*.cu*"),
        *HERE.glob("*.?pp"),
        HERE / "rewrite.py",
    ]
    key = hashlib.sha256(repr([(p.name, p.read_bytes()) for p in sorted([*sources, *headers])]).encode())
    folder = cache_folder() / f"core-{key.hexdigest()[:16]}"
    out = folder / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}"
    if out.exists():
        return out
    rewritten(folder)
    bindings = [
        path for path in sources if path.name == "bindings.cpp" or (path.parent == CSRC and path.name == "module.cpp")
    ]
    together = folder / "bindings.cpp"
    together.write_text("".join(f'#include "{path}"\n' for path in bindings), encoding="utf-8")
    plain = [path for path in sources if path not in bindings]
    kernels = sorted((folder / "cuda").glob("*.cu"))

    flags = [*COMMON, "-O1", "-g0", "-fPIC", "-ffp-contract=off", "-DCG_HAS_CUDA", '-DCG_VERSION="0"']
    includes = [
        f"-I{CSRC}",
        f"-I{CSRC / 'include'}",
        f"-I{sysconfig.get_path('include')}",
        f"-I{pybind11.get_include()}",
    ]
    cuda = [f"-I{folder / 'cuda'}", f"-I{HERE}", *(f"-isystem{path}" for path in include_folders())]
    objects: list[str] = []
    jobs = []
    for path in [together, *kernels, *plain]:
        made = folder / f"{hashlib.sha256(str(path).encode()).hexdigest()[:12]}.o"
        objects.append(str(made))
        if path.suffix == ".cu":
            extra = [*cuda, *BUILDS["plain"], "-include", "device.hpp", "-x", "c++"]
        else:
            extra = ["-O0"] if path == together else []
        jobs.append(["g++", *flags, *includes, *extra, "-c", str(path), "-o", str(made)])
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_run, jobs))
    runtime = [str(path) for path, name in zip(_runtime("plain"), RUNTIME, strict=True) if name != "driver.cpp"]
    _run(["g++", "-shared", "-pthread", *objects, *runtime, "-o", str(folder / "linked.so")])
    (folder / "linked.so").rename(out)
    return out


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
    command = [sys.executable, "-c", RUN, str(core_module()), f"tests/kernels/test_{family}.py", "-q"]
    command += ["-k", f"cuda and ({chosen})" if chosen else "cuda", "-p", "no:cacheprovider", "-rs", *options]
    return subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT, timeout=600)
