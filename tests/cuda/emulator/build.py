"""Rewritten kernels as programs: plain, with sanitizers, or with every access counted."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock

from .rewrite import rewrite

__all__ = ["BUILDS", "CUDA", "LAUNCH", "compile_all", "include_folders", "kernel_object", "program", "runtime_object"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CUDA = Path(os.environ.get("CONTEXT_GRAPH_EMULATOR_KERNELS", ROOT / "cuda"))  # mutants.py runs a changed copy
CSRC = ROOT / "csrc"
LAUNCH = json.loads((CUDA / "launch.json").read_text(encoding="utf-8"))["kernels"]

COMMON = [
    *("-std=c++20", "-g1", "-pthread", "-mavx2", "-mfma", "-mf16c", "-w", "-fPIC"),
    *("-fvisibility=hidden", "-ffunction-sections", "-DCG_HAS_CUDA"),
]
# How the kernels are compiled. "hooks" calls a function before every access, of TSan or of the counter of bytes.
OBJECTS = {
    "plain": ["-O2", "-ffp-contract=fast"],
    "address": [
        *("-O1", "-ffp-contract=off", "-fno-omit-frame-pointer"),
        *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    ],
    "hooks": ["-O1", "-ffp-contract=off", "-DEMULATOR_HOOKS", "-fsanitize=thread"],
}
# Each build: its objects, what the emulator is told, and what it links with.
BUILDS = {
    "plain": ("plain", [], []),
    "address": ("address", ["-DEMULATOR_ASAN"], ["-fsanitize=address,undefined"]),
    "thread": ("hooks", ["-DEMULATOR_TSAN"], ["-fsanitize=thread"]),
    "traffic": ("hooks", ["-DEMULATOR_TRAFFIC"], []),
}
# The emulator itself is not instrumented; it tells the sanitizers what it does for a thread.
RUNTIME = ("runtime.cpp", "host_api.cpp", "streams.cpp", "ptx.cpp", "traffic.cpp", "driver.cpp")
KEPT_SECONDS = 7 * 24 * 3600
PRECOMPILED = "algorithm functional map memory optional span stdexcept string vector".split()
_locks: dict[str, Lock] = {}


@cache
def include_folders() -> list[str]:
    """Where nvcc keeps the headers with its vector types and half precision."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        return []
    dry = subprocess.run([nvcc, "--dryrun", "-c", "none.cu"], check=False, capture_output=True, text=True)
    found = re.findall(r'"?-(?:I|isystem )"?([^"\s]+)"?', " ".join(re.findall(r"INCLUDES=(.*)", dry.stderr)))
    return [os.path.realpath(folder) for folder in found if Path(folder, "cuda_runtime.h").exists()]


@cache
def cache_folder() -> Path:
    """Below .pytest_cache, so that `--cache-clear` empties it, or CONTEXT_GRAPH_EMULATOR_CACHE."""
    kept = os.environ.get("CONTEXT_GRAPH_EMULATOR_CACHE")
    folder = Path(kept) if kept else ROOT / ".pytest_cache" / "d" / "cuda-emulator"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a tree that may only be read
        return Path(tempfile.mkdtemp(prefix="cuda-emulator-"))
    for entry in folder.iterdir():
        if time.time() - entry.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return folder


@cache
def compiler() -> str:
    """What g++ says it is; objects of another one are not used."""
    return subprocess.run(["g++", "--version"], check=True, capture_output=True, text=True).stdout


def made(name: str, parts: Iterable[object], make: Callable[[Path], None]) -> Path:
    """The file `name` of these parts, made once for all sessions: by `make` where it does not exist."""
    key = hashlib.sha256(repr([compiler(), include_folders(), *parts]).encode()).hexdigest()[:16]
    stem, _, suffix = name.partition(".")
    out = cache_folder() / f"{stem}-{key}{'.' if suffix else ''}{suffix}"
    with _locks.setdefault(out.name, Lock()), _alone(out):
        if out.exists():
            os.utime(out)
            return out
        temporary = out.with_name(f"{os.getpid()}-{out.name}")
        make(temporary)
        try:
            temporary.rename(out)
        except OSError:  # a process that does not see the lock was faster
            shutil.rmtree(temporary)
    return out


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """No other process makes the same file meanwhile: two that begin together share the work."""
    if out.exists():
        yield
        return
    with open(out.with_name(f".{out.name}.lock"), "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def contents(paths: Iterable[Path]) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(paths)]


def rewritten(cuda: Path = CUDA) -> Path:
    """Folder with every .cu and .cuh of `cuda`, rewritten into its cuda/, with csrc beside it."""
    paths = [*CUDA.glob("*.cuh"), *cuda.glob("*.cu"), *cuda.glob("*.cuh")]

    def make(folder: Path) -> None:
        (folder / "cuda").mkdir(parents=True)
        (folder / "csrc").symlink_to(CSRC)
        for path in paths:
            text = rewrite(path.read_text(encoding="utf-8"))
            (folder / "cuda" / path.name).write_text(f'#line 1 "{path.name}"\n{text}', encoding="utf-8")

    return made("sources", [contents(paths), (HERE / "rewrite.py").read_bytes(), str(CSRC)], make)


def includes() -> list[str]:
    return [f"-I{HERE}", f"-I{CSRC / 'include'}", *(f"-isystem{path}" for path in include_folders())]


def precompiled(name: str, headers: Iterable[str], flags: list[str]) -> list[str]:
    """Flags that put these headers, compiled before, at the start of a file."""
    text = "".join(f"#include {header}\n" for header in headers)

    def make(folder: Path) -> None:
        folder.mkdir()
        (folder / "first.hpp").write_text(text, encoding="utf-8")
        _run(["g++", *flags, "-x", "c++-header", str(folder / "first.hpp"), "-o", str(folder / "first.hpp.gch")])

    folder = made(f"headers_{name}", [text, flags, contents(HERE.glob("*.hpp"))], make)
    return [f"-I{folder}", "-include", "first.hpp"]


def kernel_object(source: Path, kind: str, kernels: dict | None = None, defines: tuple[str, ...] = ()) -> Path:
    """One .cu as an object that registers its kernels, the entries of launch.json or of `kernels`."""
    if kernels is None:
        kernels = {name: entry for name, entry in LAUNCH.items() if entry["file"] == source.name}
    flags = [*COMMON, *OBJECTS[kind], *includes()]
    headers = [*CUDA.glob("*.cuh"), *source.parent.glob("*.cuh"), *CSRC.glob("*.hpp"), *HERE.glob("*.hpp")]
    headers += (CSRC / "include").rglob("*.hpp")
    parts = [flags, defines, contents([source, *headers]), (HERE / "rewrite.py").read_bytes(), _main(source, kernels)]

    def make(out: Path) -> None:
        first = precompiled(kind, ['"driver.hpp"', *(f"<{name}>" for name in PRECOMPILED)], flags)
        main = out.with_suffix(".cpp")
        main.write_text(_main(source, kernels), encoding="utf-8")
        _run(
            ["g++", *flags, *defines, *first, f"-I{rewritten(source.parent) / 'cuda'}", "-c", str(main), "-o", str(out)]
        )
        main.unlink()

    return made(f"{source.stem}_{kind}.o", parts, make)


def runtime_object(name: str, build: str) -> Path:
    """One file of the emulator; builds that it does not tell apart share it."""
    source = HERE / name
    defines = [define for define in BUILDS[build][1] if define.removeprefix("-D") in source.read_text(encoding="utf-8")]
    flags = [*COMMON, "-O1", *includes(), *defines]

    def make(out: Path) -> None:
        _run(["g++", *flags, "-c", str(source), "-o", str(out)])

    return made(f"{source.stem}.o", [flags, source.read_bytes(), contents(HERE.glob("*.hpp"))], make)


def program(source: Path, build: str, kernels: dict | None = None, defines: tuple[str, ...] = ()) -> Path:
    """The program that launches the kernels of one .cu; `kernels` are its entries of launch.json."""
    kind, _, link = BUILDS[build]
    objects = [kernel_object(source, kind, kernels, defines), *(runtime_object(name, build) for name in RUNTIME)]
    objects = [str(path) for path in objects]

    def make(out: Path) -> None:
        _run(["g++", "-pthread", *link, *objects, "-Wl,--gc-sections", "-o", str(out)])

    return made(f"{source.stem}_{build}", [link, objects], make)


def compile_all(sources: list[tuple[Path, str]]) -> None:
    """Programs of several sources and builds, two compilers at a time."""
    together(
        [
            *(lambda s=source, k=kind: kernel_object(s, k) for source, kind in _objects(sources)),
            *(lambda n=name, b=build: runtime_object(n, b) for name in RUNTIME for build in BUILDS),
        ]
    )
    together([lambda s=source, b=build: program(s, b) for source, build in sources])


def _objects(sources: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Each object once, those that take longest first."""
    pairs = {(source, BUILDS[build][0]) for source, build in sources}
    return sorted(pairs, key=lambda pair: (pair[1] != "address", pair))


def together(jobs: list[Callable[[], Path]]) -> list[Path]:
    """What the jobs make, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda job: job(), jobs))


def _main(source: Path, kernels: dict) -> str:
    """Includes the kernels, compares their parameters with the table's, and registers them."""
    lines = ['#include "driver.hpp"', f'#include "{source.name}"']
    for name, entry in kernels.items():
        types = ", ".join(parameter["type"] for parameter in entry["parameters"])
        lines.append(
            f"static_assert(std::is_same_v<decltype(&{name}), void (*)({types})>, "
            f'"{name} has other parameters than launch.json says");'
        )
        lines.append(f'static emulator::Register<&{name}> register_{name}("{name}");')
    return "\n".join(lines) + "\n"


def _run(command: list[str]) -> None:
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    if built.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{built.stderr[-6000:]}")
