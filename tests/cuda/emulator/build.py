"""Rewritten kernels as programs: plain, with sanitizers, or with every access counted."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from .rewrite import rewrite

__all__ = ["BUILDS", "CUDA", "LAUNCH", "cache_folder", "compile_all", "include_folders", "program", "rewritten"]

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CUDA = ROOT / "cuda"
LAUNCH = json.loads((CUDA / "launch.json").read_text(encoding="utf-8"))["kernels"]

COMMON = [
    "-std=c++20",
    "-g1",
    "-pthread",
    "-mavx2",
    "-mfma",
    "-mf16c",
    "-w",
    "-fvisibility=hidden",
    "-ffunction-sections",
]
BUILDS = {
    "plain": ["-O2", "-ffp-contract=fast"],
    "address": [
        *("-O1", "-ffp-contract=off", "-fno-omit-frame-pointer", "-DEMULATOR_ASAN"),
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ],
    "thread": ["-O1", "-ffp-contract=off", "-DEMULATOR_TSAN", "-fsanitize=thread"],
    "traffic": ["-O1", "-ffp-contract=off", "-DEMULATOR_TRAFFIC", "-fsanitize=thread"],
}
# The emulator itself is not instrumented; it tells the sanitizers what it does for a thread.
RUNTIME = ("runtime.cpp", "host_api.cpp", "ptx.cpp", "traffic.cpp", "driver.cpp")


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
    """One folder a session, or CONTEXT_GRAPH_EMULATOR_CACHE to keep objects between sessions."""
    kept = os.environ.get("CONTEXT_GRAPH_EMULATOR_CACHE")
    folder = Path(kept) if kept else Path(tempfile.mkdtemp(prefix="cuda-emulator-"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def rewritten(folder: Path, cuda: Path = CUDA) -> None:
    """Every .cu and .cuh of `cuda`, rewritten into `folder`/cuda with csrc beside it."""
    (folder / "cuda").mkdir(parents=True, exist_ok=True)
    if not (folder / "csrc").exists():
        (folder / "csrc").symlink_to(ROOT / "csrc")
    for path in [*CUDA.glob("*.cuh"), *cuda.glob("*.cu"), *cuda.glob("*.cuh")]:
        text = rewrite(path.read_text(encoding="utf-8"))
        (folder / "cuda" / path.name).write_text(f'#line 1 "{path.name}"\n{text}', encoding="utf-8")


def program(source: Path, build: str, kernels: dict | None = None, defines: tuple[str, ...] = ()) -> Path:
    """The program that launches the kernels of one .cu; `kernels` are its entries of launch.json."""
    if kernels is None:
        kernels = {name: entry for name, entry in LAUNCH.items() if entry["file"] == source.name}
    parts = [
        *sorted(CUDA.glob("*.cuh")),
        *sorted(source.parent.glob("*.cuh")),
        source,
        *sorted(HERE.glob("*.?pp")),
        HERE / "rewrite.py",
    ]
    key = hashlib.sha256(
        repr((build, BUILDS[build], COMMON, defines, sorted(kernels), [p.read_bytes() for p in parts])).encode()
    )
    key.update(json.dumps(kernels, sort_keys=True).encode())
    folder = cache_folder() / f"{source.stem}-{build}-{key.hexdigest()[:16]}"
    out = folder / "program"
    if out.exists():
        return out
    rewritten(folder, source.parent)
    main = folder / "main.cpp"
    main.write_text(_main(source, kernels), encoding="utf-8")
    includes = [f"-I{folder / 'cuda'}", f"-I{HERE}", *(f"-isystem{path}" for path in include_folders())]
    command = ["g++", *COMMON, *BUILDS[build], *defines, *includes]
    _run([*command, "-c", str(main), "-o", str(folder / "main.o")])
    sanitize = [flag for flag in BUILDS[build] if flag.startswith("-fsanitize")] if build != "traffic" else []
    objects = [str(folder / "main.o"), *map(str, _runtime(build))]
    _run(["g++", "-pthread", *sanitize, *objects, "-Wl,--gc-sections", "-o", str(folder / "linked")])
    (folder / "linked").rename(out)
    return out


def _runtime(build: str) -> list[Path]:
    """The emulator's own objects, once a build."""
    key = hashlib.sha256(
        repr([(HERE / name).read_bytes() for name in sorted(os.listdir(HERE)) if "pp" in name]).encode()
    )
    folder = cache_folder() / f"runtime-{build}-{key.hexdigest()[:16]}"
    folder.mkdir(exist_ok=True)
    flags = [flag for flag in BUILDS[build] if not flag.startswith(("-fsanitize", "-fno-sanitize"))]
    objects = []
    for name in RUNTIME:
        out = folder / f"{name}.o"
        if not out.exists():
            temporary = folder / f"{name}.{os.getpid()}.o"
            includes = [f"-I{HERE}", *(f"-isystem{path}" for path in include_folders())]
            _run(["g++", *COMMON, *flags, "-fPIC", *includes, "-c", str(HERE / name), "-o", str(temporary)])
            temporary.rename(out)
        objects.append(out)
    return objects


def compile_all(sources: list[tuple[Path, str]]) -> None:
    """Programs of several sources and builds, two at a time."""
    from concurrent.futures import ThreadPoolExecutor

    for build in {build for _, build in sources}:
        _runtime(build)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: program(*pair), sources))


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
