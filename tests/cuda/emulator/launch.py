"""One launch of one kernel, as its entry of launch.json describes it."""

import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .build import BUILDS, CUDA, LAUNCH, program

__all__ = ["EmulatorError", "Launched", "emulate", "launch_shape"]

PROCESSORS = 2
TYPES = {
    **{"float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32},
    **{"long long": np.int64, "unsigned long long": np.uint64, "unsigned char": np.uint8, "signed char": np.int8},
    **{
        "unsigned long": np.uint64,
        "unsigned short": np.uint16,
        "int16_t": np.int16,
        "uint64_t": np.uint64,
        "uint32_t": np.uint32,
        "int64_t": np.int64,
    },
}
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=0:abort_on_error=0",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:report_thread_leaks=0:atexit_sleep_ms=0",
    "UBSAN_OPTIONS": "print_stacktrace=0",
}


class EmulatorError(AssertionError):
    """The kernel did something a GPU forbids, or does not promise."""


@dataclass
class Launched:
    """The arrays after a launch, by name, and the bytes moved where the build counts them."""

    arrays: dict[str, np.ndarray]
    loaded_bytes: int = 0
    stored_bytes: int = 0
    load_sector_bytes: int = 0
    store_sector_bytes: int = 0
    names: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def evaluate(formula: Any, names: dict[str, Any]) -> int:
    """A formula of launch.json; ceil_div, min and max as in Python, / is not used."""
    if isinstance(formula, int):
        return formula
    functions = {"ceil_div": ceil_div, "min": min, "max": max, "__builtins__": {}}
    return int(eval(formula, functions, names))


def launch_shape(entry: dict, names: dict[str, Any]) -> tuple[list[int], list[int], int]:
    """Grid, block and dynamic shared bytes for these names."""
    names = {"processors": PROCESSORS, **names}
    block = [evaluate(each, names) for each in entry["block"]]
    grid = [evaluate(each, names) for each in entry["grid"]]
    return grid, block, evaluate(entry["shared_bytes"], names)


def emulate(
    kernel: str,
    build: str = "plain",
    seed: int = 0,
    *,
    source: Path | None = None,
    table: dict | None = None,
    defines: tuple[str, ...] = (),
    grid: list[int | None] | None = None,
    shared_bytes: int | None = None,
    **arguments: Any,
) -> Launched:
    """Launch `kernel` on the processor and return its arrays.

    Parameters
    ----------
    build : "plain", "address", "thread" or "traffic"
        What watches: nothing but the emulator, ASan with UBSan, TSan, or a count of bytes.
    seed : int
        0 runs threads in sequence; any other number shuffles them.
    grid, shared_bytes
        Instead of what launch.json says, for tests of other shapes and of mistakes; None in a grid leaves its own.
    arguments
        By parameter name: arrays, None for a null pointer, numbers. Sizes that stand in shapes are read off the arrays;
        arrays marked "out" may be left out and start as 0xFF bytes.
    """
    table = table or LAUNCH
    entry = table[kernel]
    names: dict[str, Any] = {"processors": PROCESSORS}
    given = dict(arguments)
    parameters = entry["parameters"]
    for parameter in parameters:
        name = parameter["name"]
        if "shape" not in parameter and given.get(name) is not None:
            names[name] = given[name]
    for parameter in parameters:
        value = given.get(parameter["name"])
        if "shape" in parameter and isinstance(value, np.ndarray):
            for size, dim in zip(value.shape, parameter["shape"], strict=True):
                if isinstance(dim, str) and dim.isidentifier() and dim not in names:
                    names[dim] = size
    names.update({name: value for name, value in given.items() if isinstance(value, int | np.integer)})
    for name, formula in entry.get("names", {}).items():
        names.setdefault(name, evaluate(formula, names))
    shape, block, shared = launch_shape(entry, names)
    shape = [own if asked is None else asked for own, asked in zip(shape, grid or [None] * 3, strict=True)]
    shared = shared if shared_bytes is None else shared_bytes
    names.update(grid_x=shape[0], grid_y=shape[1], grid_z=shape[2])
    for limit in entry.get("limits", []) if grid is None and shared_bytes is None else []:
        if not eval(limit, {"__builtins__": {}, "min": min, "max": max, "ceil_div": ceil_div}, names):
            raise EmulatorError(f"{kernel}: the limit {limit} does not hold for {names}")

    lines = [f"kernel {kernel}", "grid {} {} {}".format(*shape), "block {} {} {}".format(*block)]
    more = shared + entry.get("static_shared_bytes", 0) > 49152
    lines += [f"shared {shared}", f"seed {seed}", f"allow {shared if more else 0}"]
    arrays: dict[str, np.ndarray] = {}
    for parameter in parameters:
        name, kind = parameter["name"], parameter["type"]
        if not kind.endswith("*"):
            raw = np.array([given[name] if name in given else names[name]], TYPES[kind])
            lines.append(f"value {raw.nbytes} {int.from_bytes(raw.tobytes(), 'little')}")
            continue
        dtype = TYPES[kind.removesuffix("*").replace("const", "").strip()]
        value = given.get(name)
        if value is None and parameter.get("out") and not (name in given and parameter.get("null")):
            sizes = [evaluate(dim, names) for dim in parameter["shape"]]
            value = np.full(int(np.prod(sizes)) * np.dtype(dtype).itemsize, 0xFF, np.uint8).view(dtype).reshape(sizes)
        if value is None:
            if not parameter.get("null"):
                raise EmulatorError(f"{kernel} needs the array {name}")
            lines.append("null")
            continue
        value = np.ascontiguousarray(value)
        if value.dtype != dtype:
            raise EmulatorError(f"{kernel}: {name} must be {np.dtype(dtype)}, got {value.dtype}")
        expected = tuple(evaluate(dim, names) for dim in parameter["shape"])
        if value.shape != expected:
            raise EmulatorError(f"{kernel}: {name} must have shape {expected}, got {value.shape}")
        arrays[name] = value
        lines.append(f"array {value.nbytes}")

    executable = program(source or CUDA / entry["file"], build, table if source else None, defines)
    with tempfile.TemporaryDirectory() as folder:
        request, answer = Path(folder, "request"), Path(folder, "answer")
        request.write_bytes("\n".join([*lines, "", ""]).encode() + b"".join(a.tobytes() for a in arrays.values()))
        command = [str(executable), str(request), str(answer)]
        if build == "thread":
            command = ["setarch", "-R", *command]  # TSan wants its addresses where they usually are
        ran = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=300, env={**os.environ, **ENVIRONMENT}
        )
        if ran.returncode != 0:
            raise EmulatorError(f"{kernel} ({build}, seed {seed}) ended with {ran.returncode}:\n{ran.stderr[:4000]}")
        data, at = answer.read_bytes(), 0
    found = {}
    for name, array in arrays.items():
        found[name] = np.frombuffer(data, array.dtype, array.size, at).reshape(array.shape)
        at += array.nbytes
    return Launched(found, *map(int, ran.stdout.split()), names=names)


assert set(BUILDS) == {"plain", "address", "thread", "traffic"}
