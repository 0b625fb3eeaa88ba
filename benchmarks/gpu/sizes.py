"""The sizes at which each kernel of cuda/launch.json is measured, and the launch that its formulas give there."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["SIZES", "TABLE", "Array", "Launch", "bound_us", "least_bytes", "plan"]

CUDA = Path(__file__).parents[2] / "cuda"
TABLE: dict[str, dict[str, Any]] = json.loads((CUDA / "launch.json").read_text(encoding="utf-8"))["kernels"]
PEAK_5090 = 1792e9  # bytes a second of an RTX 5090
PROCESSORS_5090 = 170

GRAPH = {"n": 1_000_000, "m": 10_000_000}
BALL = {"n": 1_000_000, "d": 100, "q": 1}
FACTS = {"n": 1_000_000, "d": 256, "q": 1}
BATCH = {"n": 1_000_000, "d": 1536, "q": 32, "room": 32, "padded": 1536}
TOKENS = {"n": 1000, "t": 180_000, "d": 128, "q": 32, "starts": 1001, "team": 4}
WORDS = {"n": 1_000_000, "terms": 30, "postings": 3_000_000}
# By the longest prefix of a kernel's name; the sizes of docs/performance.md.
SIZES: dict[str, dict[str, int]] = {
    "cg_select_merge": {"q": 1, "lists": 4 * PROCESSORS_5090, "k": 128, "first": 0, "ld": 128},
    "cg_select_scores": {"n": 1_000_000},
    "cg_check_offsets": {"entries": 1_000_001, "total": 10_000_000, "step": 1},
    "cg_check_nodes": {"count": 10_000_000, "n": 1_000_000},
    "cg_check_narrow": {"count": 10_000_000},
    "cg_check_ids": {"count": 10_000, "width": 4, "least": 0, "end": 12},
    "cg_check_finite": {"count": 1_536_000},
    "cg_column": {"n": 1_000_000, "m": 100_000, "stride": 6144},
    "cg_dense": {"n": 1_000_000, "d": 1536, "q": 1},
    "cg_dense_topk_f16": {"n": 1_000_000, "d": 1024, "q": 1},
    "cg_dense_scores_f16": {"n": 1_000_000, "d": 1024, "q": 1},
    "cg_dense_split": {"d": 1536, "q": 32, "padded": 1536},
    "cg_dense_topk_batch": BATCH,
    "cg_dense_scores_batch": BATCH,
    "cg_transe": FACTS,
    "cg_poincare": BALL,
    "cg_poincare_lengths": {"count": 100_000},
    "cg_cones": BALL,
    "cg_cones_decide": {**BALL, "ones_n": 1},
    "cg_hdc": {"n": 1_000_000, "q": 1},
    "cg_hdc_lengths": {"count": 1_000_000, "beyond": 10_001},
    "cg_hdc_tie": {"start": 7},
    "cg_hdc_bind": {"n": 1_000_000, "x_n": 1_000_000, "y_n": 1_000_000, "one": 0},
    "cg_hdc_encode": {"n": 10_000, "t": 1_000_000, "ngram": 3, "of_items": 0},
    "cg_hdc_tally": {"n": 10_000},
    "cg_hdc_majority": {"n": 10_000, "parts": 40},
    "cg_maxsim": TOKENS,
    "cg_maxsim_split": {"d": 128, "q": 32},
    "cg_maxsim_weigh": {"m": 100_000, "q": 32},
    "cg_maxsim_maxima_packed": {"m": 1000, "room": 180_000, "padded": 128, "q": 32, "starts": 1001},
    "cg_modulation": GRAPH,
    "cg_modulation_weigh": {"n": 10_000_000},
    "cg_modulation_progress": {"n": 1_000_000, "blocks": 4 * PROCESSORS_5090},
    "cg_hebbian": GRAPH,
    "cg_sparse": WORDS,
    "cg_sparse_move": {"n": 1_000_000, "lists": 30_000, "postings": 3_000_000, "room": 3_000_000},
    "cg_hopfield": {"n": 1_000_000, "d": 1536, "q": 1, "total": 1_000_000, "parts": 1000, "rows_a_part": 1000},
    "cg_hopfield_settle": {"n": 1_000_000, "d": 1536, "q": 32, "kept": 0},
    "cg_hopfield_mix": {"n": 1_000_000, "d": 1536, "q": 32, "parts": 256, "rows_a_part": 3907},
    "cg_hopfield_longest": {"n": 1_000_000, "d": 1536},
    "cg_hopfield_join": {"d": 1536, "q": 1, "parts": 1000},
    "cg_fusemoe_gate": {"n": 1, "d": 1536, "e": 12, "k": 4, "rows_of_present": 1, "present_stride": 0},
    "cg_fusemoe_fuse": {
        **{"n": 1, "e": 12, "k": 4, "din": 1536, "dout": 1536},
        **{"row_stride": 1536, "expert_stride": 0},
    },
    "cg_fusemoe_group": {"pairs": 256, "e": 12, "groups": 20},
    "cg_fusemoe_split": {
        **{"n": 64, "e": 12, "k": 4, "din": 1536, "groups": 12},
        **{"row_stride": 1536, "expert_stride": 0},
    },
    "cg_fusemoe_make": {"e": 12, "din": 1536, "dout": 1536, "groups": 12},
    "cg_fusemoe_sum": {"n": 64, "e": 12, "k": 4, "dout": 1536, "places": 384},
}
# Parameters that are no sizes.
SETTINGS: dict[str, float] = {
    **{"k": 10, "c": 1.0, "eps": 1e-5, "rim": 1e-5, "by": 77, "down": 1, "one_to_one": 0, "normalise": 0},
    **{"keep": 0.5, "least": 0.0, "most": 1.0, "damping": 0.85, "back": 0.15, "rate": 0.1, "decay": 0.01},
    **{"gain": 2.2, "flat": 0.3, "slope": 0.9},
    **{"scale": 8.0, "kind": 0, "temperature": 1.0, "beta": 16.0, "tolerance": 1e-6},
}
TYPES: dict[str, type] = {
    **{"float": np.float32, "double": np.float64, "int": np.int32, "unsigned": np.uint32, "int16_t": np.int16},
    **{"long long": np.int64, "unsigned long": np.uint64, "unsigned char": np.uint8, "signed char": np.int8},
    "unsigned short": np.uint16,
}


@dataclass(frozen=True)
class Array:
    """A pointer of a launch; no shape where it is null."""

    name: str
    dtype: np.dtype
    shape: tuple[int, ...] | None
    out: bool
    const: bool

    @property
    def nbytes(self) -> int:
        return 0 if self.shape is None else int(np.prod(self.shape)) * self.dtype.itemsize


@dataclass(frozen=True)
class Launch:
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    arguments: list[Array | np.generic]
    names: dict[str, Any]

    @property
    def arrays(self) -> list[Array]:
        return [argument for argument in self.arguments if isinstance(argument, Array)]


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def evaluate(formula: Any, names: dict[str, Any]) -> int:
    """A formula of launch.json, which this repository wrote."""
    functions = {"ceil_div": ceil_div, "min": min, "max": max, "__builtins__": {}}
    return formula if isinstance(formula, int) else int(eval(formula, functions, names))


def sizes(kernel: str) -> dict[str, int]:
    fitting = [prefix for prefix in SIZES if kernel.startswith(prefix)]
    if not fitting:
        raise KeyError(f"{kernel} has no sizes; add them to SIZES in benchmarks/gpu/sizes.py")
    return SIZES[max(fitting, key=len)]


def plan(kernel: str, processors: int = PROCESSORS_5090) -> Launch:
    """The launch of one kernel at its sizes."""
    entry = TABLE[kernel]
    names: dict[str, Any] = {"processors": processors, **SETTINGS, **sizes(kernel)}
    if kernel.startswith("cg_cones"):
        names["k"] = 0.1
    width = {"f16": 2, "bf16": 2, "i8": 1}.get(kernel.rsplit("_", 1)[1], 4)
    for parameter in entry["parameters"]:
        if parameter["name"].endswith("stride") and parameter["name"] not in names:
            wide = names["din"] if "din" in names else names["d"]
            names[parameter["name"]] = ceil_div(width * wide, 16) * 16
    for name, formula in entry.get("names", {}).items():
        names.setdefault(name, evaluate(formula, names))
    grid = tuple(evaluate(each, names) for each in entry["grid"])
    names["grid_x"] = grid[0]
    for limit in entry.get("limits", []):
        if not eval(limit, {"__builtins__": {}, "min": min, "max": max, "ceil_div": ceil_div}, names):
            raise ValueError(f"{kernel}: {limit} does not hold for {names}")
    arguments: list[Array | np.generic] = []
    for parameter in entry["parameters"]:
        kind = parameter["type"]
        if not kind.endswith("*"):
            arguments.append(TYPES[kind](names[parameter["name"]]))
            continue
        dtype = np.dtype(TYPES[kind.removesuffix("*").removeprefix("const ").strip()])
        shape = None if parameter.get("null") else tuple(evaluate(each, names) for each in parameter["shape"])
        arguments.append(Array(parameter["name"], dtype, shape, bool(parameter.get("out")), kind.startswith("const ")))
    block = tuple(evaluate(each, names) for each in entry["block"])
    return Launch(kernel, grid, block, evaluate(entry["shared_bytes"], names), arguments, names)


def least_bytes(launch: Launch) -> int:
    """What the launch has to move, by minimum_bytes of the table."""
    return evaluate(TABLE[launch.kernel]["minimum_bytes"], launch.names)


def bound_us(launch: Launch, peak: float = PEAK_5090) -> float:
    return 1e6 * least_bytes(launch) / peak
