"""Every kernel of launch.json, launched from its entry alone: clean under all watchers, the same answer in any order of
threads, and no more bytes moved than its table says. What the answers mean is tested in test_backend.py."""

import numpy as np
import pytest
from emulator import BUILDS, CUDA, LAUNCH, compile_all, emulate, include_folders
from emulator.launch import evaluate
from expectations import ball, edges
from numpy.testing import assert_allclose, assert_array_equal

from tests.requirements import requirement

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")
each_kernel = pytest.mark.parametrize("kernel", LAUNCH)
EVERYDAY = ("check.cu", "hebbian.cu", "select.cu", "sparse.cu")  # the others take minutes to compile
PARTS = {"f32": "bf16", "f16": "f16", "bf16": "bf16"}  # what numbers are multiplied as, by what rows are kept as


@pytest.fixture(scope="module", autouse=True)
def programs(request):
    """All programs, two compilers at a time; one test alone compiles what it launches."""
    chosen = [item for item in request.session.items if item.path == request.path]
    if len(chosen) > 9:
        whole = request.config.getoption("long")
        names = {entry["file"] for entry in LAUNCH.values()} if whole else EVERYDAY
        compile_all([(CUDA / name, build) for name in names for build in (BUILDS if whole else ("plain",))])


def as_rows(values, kind="f32"):
    """Rows of numbers as bytes, padded to 16."""
    if kind == "bf16":
        values = (values.view(np.uint32) >> 16).astype(np.uint16)
    else:
        kinds = {"f32": np.float32, "f16": np.float16, "i8": np.int8}
        values = (values * (100 if kind == "i8" else 1)).astype(kinds[kind])
    raw = np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)
    return np.pad(raw, ((0, 0), (0, -raw.shape[1] % 16)), constant_values=0xFF)


def arguments(kernel, *, n, d, q=2, k=5):
    """Small arguments by the names that parameters have."""
    rng = np.random.default_rng(n + d)
    entry, given = LAUNCH[kernel], {}
    names = {parameter["name"]: parameter for parameter in entry["parameters"]}
    kind = kernel.rsplit("_", 1)[1] if kernel.startswith(("cg_dense", "cg_maxsim")) else "f32"
    lengths = np.array([0, n // 3, 0, n // 2, n - n // 3 - n // 2])
    for name, parameter in names.items():
        if not parameter["type"].endswith("*"):
            continue
        shape = parameter["shape"]
        if name in ("mask", "scale", "ids", "refused") and parameter.get("null"):
            given[name] = None
        elif len(shape) == 2 and str(shape[1]).endswith("stride"):
            given[name] = as_rows(ball(rng, n, d), kind)
        elif parameter["type"] == "const float*" and shape in (["q", "d"], ["n", "d"]):
            given[name] = ball(rng, q, d)
        elif name in ("slack_of_query", "slacks"):
            given[name] = rng.uniform(0.1, 1, q if name == "slack_of_query" else n).astype(np.float32)
        elif name in ("not_finite",) or name.startswith("bad"):
            given[name] = np.zeros(1, np.int32) if name == "not_finite" else np.full(1, 2**32 - 1, np.uint32)
        elif shape[-1] == 160:
            rows = {"q": q, "n": n, "parts": 3}.get(shape[0], 1)
            words = rng.integers(0, 2**63, (*([rows] if len(shape) > 1 else []), *shape[1:-1], 160), np.uint64)
            words[..., 157:] = 0
            if not parameter.get("out"):
                given[name] = words
    given |= {
        name: value
        for name, value in {"n": n, "d": d, "k": k, "c": 1.0, "eps": 0.1, "rim": 1e-6}.items()
        if name in names
    }
    if kernel.startswith("cg_dense_split"):
        given = {"queries": ball(rng, q, d), "q": q, "d": d, "padded": -(-d // 32) * 32}
    if "_batch_" in kernel:
        split = {"queries": ball(rng, q, d), "q": q, "d": d, "padded": -(-d // 32) * 32}
        split = emulate(f"cg_dense_split_{kind}", **split).arrays
        given |= {"parts": split["parts"], "step": split["step"], "q": q, "padded": split["parts"].shape[-1]}
    if kernel == "cg_select_merge":
        best = np.sort(rng.integers(0, 2**62, (q, 7, k)).astype(np.uint64), axis=2)[:, :, ::-1]
        given = {"best": np.ascontiguousarray(best), "lists": 7, "k": k, "first": 0, "ld": k}
    if kernel.startswith("cg_cones"):
        given["k"] = 0.1
    if kernel == "cg_cones_decide":
        verdicts = rng.choice([0, 1, 2], (q, n)).astype(np.uint8)
        given |= {"ones": as_rows(ball(rng, q, d)), "down": 1, "one_to_one": 0, "verdicts": verdicts}
    if kernel == "cg_poincare_lengths":
        given = {"scores": -rng.random(n).astype(np.float32), "ids": np.arange(n) - 1, "count": n, "c": 1.0}
    if kernel == "cg_hopfield_count":
        given = {"mask": (rng.random(n) > 0.3).astype(np.uint8), "n": n, "seen": np.zeros(1, np.uint32)}
    if kernel == "cg_hopfield_settle":
        given = {"moved": ball(rng, q, d), "lse": rng.random(q).astype(np.float32), "kept": 2, "n": 9, "d": d}
        given |= {"best": rng.random((q, 2)).astype(np.float32), "seen": np.full(1, 7, np.uint32), "beta": 2.0}
        given |= {"tolerance": 0.5, "states": ball(rng, q, d), "found": np.zeros(q, np.float32)}
        given |= {"steps": np.zeros(q, np.int64), "converged": (rng.random(q) > 0.5).astype(np.uint8), "q": q}
        given["dropped"] = np.zeros(q, np.float32)
    if kernel == "cg_hopfield_energy":
        given = {"queries": ball(rng, q, d), "lse": rng.random(q).astype(np.float32), "n": 9, "d": d, "beta": 2.0}
        given |= {"longest": np.ones(1, np.float32).view(np.uint32), "seen": None, "q": q}
    if kernel.startswith("cg_check"):
        given |= {
            "cg_check_offsets": {
                "offsets": np.cumsum([0, *lengths]),
                "entries": len(lengths) + 1,
                "total": n,
                "step": n,
            },
            "cg_check_ids": {"ids": rng.integers(-2, 9, 2 * n), "count": 2 * n, "width": 2, "least": -1, "end": 9},
            "cg_check_nodes": {"nodes": rng.integers(0, n, n).astype(np.uint32), "count": n, "n": n},
            "cg_check_narrow": {"nodes": rng.integers(0, 2**33, n), "count": n},
            "cg_check_finite": {"values": rng.random(n).astype(np.float32), "count": n},
        }[kernel]
    if kernel == "cg_hdc_tie":
        given = {"start": 77}
    if kernel == "cg_hdc_lengths":
        given = {"scores": -rng.integers(0, 10_000, n).astype(np.float32), "count": n, "beyond": 10_001}
        given["scores"][::5] = -np.inf
    if kernel == "cg_select_scores":
        given = {"scores": rng.standard_normal(n).astype(np.float32), "mask": None, "n": n, "k": k}
        given["scores"][::7] = -np.inf
    if kernel.startswith("cg_column"):
        rows = rng.integers(0, 256, (n, -(-d // 16) * 16)).astype(np.uint8)
        ids = rng.permutation(n)[: n // 2]
        given = {"rows": rows, "stride": rows.shape[1], "ids": ids, "m": len(ids)}
    if kernel == "cg_hdc_bind":
        words = rng.integers(0, 2**63, (2, n, 160), np.uint64)
        given = {"x": words[0], "y": words[1], "n": n, "one": 0}
    if kernel == "cg_hdc_encode":
        lengths = np.array([0, 2, 1, 0, n - 3])  # short ones: what the last gram reads, the next document writes first
        given = {"symbols": rng.integers(0, 30, n).astype(np.uint64), "offsets": np.cumsum([0, *lengths])}
        given |= {"n": len(lengths), "ngram": 3, "of_items": 5, "tie": rng.integers(0, 2**63, 160).astype(np.uint64)}
    if kernel == "cg_hdc_permute":
        given["by"] = 77
    if kernel == "cg_hdc_majority":
        given |= {"n": 300, "parts": 3}
    if kernel.startswith("cg_maxsim"):
        given["offsets"] = np.concatenate([[0], np.cumsum(lengths)])
        given["q"] = q
    if kernel == "cg_maxsim_weigh":
        given = {"maxima": rng.standard_normal((n, q)).astype(np.float32), "m": n, "q": q}
        given |= {"weights": rng.random(q).astype(np.float32)}
    if kernel == "cg_maxsim_maxima_packed":
        padded, room = -(-d // 4) * 4, -(-n // 16) * 16
        high, low = rng.integers(-127, 128, (2, q, padded)).astype(np.int8)
        given |= {"high": high, "low": low, "bias": rng.integers(-99, 99, q).astype(np.int32), "padded": padded}
        given |= {"step": np.ones(q, np.float32), "scale": np.ones(room, np.float32), "m": len(lengths), "room": room}
        given["blocks"] = rng.integers(0, 256, room * padded).astype(np.uint8)
        given.pop("n", None), given.pop("d", None)
    if kernel.startswith("cg_maxsim_split"):
        given = {"query": ball(rng, q, d), "q": q, "d": d}
    if kernel in ("cg_maxsim_maxima_f32", "cg_maxsim_maxima_f16"):
        given |= {"tokens": as_rows(ball(rng, n, d), kind), "n": len(lengths), "team": 2}
        split = emulate(f"cg_maxsim_split_{PARTS[kind]}", query=ball(rng, q, d), q=q, d=d)
        given |= {"parts": split["parts"], "step": split["step"]}
    if kernel.startswith("cg_sparse"):
        lists = [np.flatnonzero(rng.random(n) < share) for share in (0.5, 0.1, 0.9)]
        given |= {"docs": np.concatenate(lists).astype(np.uint32), "weights": rng.random(3).astype(np.float32)}
        starts = np.concatenate([[0], np.cumsum([len(part) for part in lists])])
        given |= {"begins": starts[:-1], "ends": starts[1:], "terms": 3}
        given |= {
            "values": rng.random(len(given["docs"])).astype(np.float32),
            "lengths": rng.random(n).astype(np.float32),
        }
        given |= {"gain": 2.2, "flat": 0.3, "slope": 0.9}
    if kernel == "cg_sparse_move":
        given = {"docs": given["docs"], "values": given["values"], "from": starts[:-1], "counts": np.diff(starts)}
        room = starts[-1] + 5
        given |= {"to": room - starts[1:], "lists": 3, "to_docs": np.zeros(room, np.uint32)}
        given["to_values"] = np.zeros(room, np.float32)
    if kernel.startswith(("cg_modulation", "cg_hebbian")) and "offsets" in names:
        m = 4 * n
        starts, ends = edges(rng, n, m)
        numbers = {
            name: rng.random(n).astype(np.float32) for name in ("shares", "before", "seeds", "best", "pre", "post")
        }
        numbers |= {"offsets": starts, "sources": ends, "targets": ends, "weights": rng.random(m).astype(np.float32)}
        numbers |= {
            "gains": rng.integers(0, 1276, m).astype(np.int16),
            "m": m,
            "least": 1.0,
            "keep": 0.5,
            "most": 1.0,
        }
        numbers |= {
            "damping": 0.85,
            "back_to_seeds": np.full(1, 0.15, np.float32),
            "progress": np.zeros(2, np.int32),
            "rate": 0.1,
            "decay": 0.01,
            "normalise": 1,
        }
        given |= {name: value for name, value in numbers.items() if name in names or name == "m"}
    if kernel == "cg_modulation_progress":
        given = {"totals": rng.random((n, 2)), "blocks": n, "n": n, "damping": 0.85, "tolerance": 0.0}
        given |= {name: rng.random(n).astype(np.float32) for name in ("shares", "seeds")}
        given |= {"back_to_seeds": np.zeros(1, np.float32), "change": np.zeros(1), "progress": np.zeros(2, np.int32)}
    if kernel in ("cg_modulation_relax", "cg_modulation_settle"):
        keys = rng.integers(0, 0x3F800000, n).astype(np.uint64) << np.uint64(32)
        given |= {"improved": keys, "keys": np.zeros(n, np.uint64), "best": np.zeros(n, np.float32)}
        given |= {"any": np.zeros(1, np.int32)} if kernel == "cg_modulation_settle" else {}
        given = {name: value for name, value in given.items() if name in names or name == "m"}
    if kernel.startswith("cg_modulation_weigh"):
        signals = rng.integers(0, 256, (3, n), np.uint8)
        signals = signals if kernel.endswith("u8") else (signals / 255).astype(np.float32)
        given |= dict(zip(("excitatory", "inhibitory", "modulatory"), signals, strict=True))
        given["base"] = rng.random(n).astype(np.float32)
    if kernel.startswith(("cg_hopfield_part", "cg_hopfield_longest")):
        given |= {"patterns": as_rows(ball(rng, n, d), kernel.rsplit("_", 1)[1]), "longest": np.zeros(1, np.uint32)}
        given |= {"queries": ball(rng, q, d), "rows_a_part": -(-n // 3), "parts": 3, "scale": 5.0, "ids": None}
        given["mask"] = (np.arange(n) % 5 > 0).astype(np.uint8)
        given = {name: value for name, value in given.items() if name in names or name == "parts"}
    if kernel.startswith("cg_hopfield_mix"):
        given = {"scores": rng.uniform(-1, 1, (q, n)).astype(np.float32), "q": q, "n": n, "d": d, "scale": 5.0}
        given |= {"patterns": as_rows(ball(rng, n, d), kernel.rsplit("_", 1)[1]), "rows_a_part": -(-n // 3), "parts": 3}
        given["mask"] = (np.arange(n) % 5 > 0).astype(np.uint8)
    if kernel == "cg_hopfield_join":
        given = {"part_max": rng.random((q, 3), np.float32), "part_sum": rng.random((q, 3), np.float32) + 1}
        given |= {"part_out": rng.random((q, 3, d), np.float32), "parts": 3, "d": d}
    if kernel == "cg_fusemoe_gate":
        given = {"x": as_rows(ball(rng, q, d)), "experts": as_rows(ball(rng, n, d)), "present": None, "d": d, "e": n}
        given |= {"present_stride": 0, "k": k, "kind": 2, "temperature": 0.5, "not_finite": np.zeros(1, np.int32)}
    if kernel.startswith("cg_fusemoe_fuse"):
        matrices = as_rows(ball(rng, 3 * n, d), kernel.rsplit("_", 1)[1]).reshape(3, n, -1)
        given = {"inputs": ball(rng, q, d), "expert_stride": 0, "projections": matrices, "k": 2, "din": d, "dout": n}
        given |= {"bias": rng.random((3, n), np.float32), "ids": np.array([[2, 0], [1, -1]])[:q]}
        given |= {"weights": rng.random((q, 2), np.float32), "not_finite": np.zeros(1, np.int32)}
    if kernel.startswith(("cg_fusemoe_group", "cg_fusemoe_split", "cg_fusemoe_make", "cg_fusemoe_sum")):
        given = _of_groups(kernel, rng, n, d)
    if kernel.startswith("cg_cones") and "one_to_one" not in names and "verdicts" in names:
        given["q"] = q
    if not kernel.startswith("cg_fusemoe") and "q" in {
        str(dim) for parameter in entry["parameters"] for dim in parameter.get("shape", [])
    }:
        given.setdefault("q", q)
    return given


def _of_groups(kernel, rng, n, d):
    """What the kernels of a batch of 40 rows and 3 experts take, each from those before it."""
    ids = rng.integers(-1, 3, (40, 2))
    ids[:, 0] = rng.random(40) < 0.1  # more than a group of the first, fewer of the second
    groups = ids.size // 32 + 3
    given = {"ids": ids.ravel(), "pairs": ids.size, "e": 3, "groups": groups}
    given |= {name: np.full(room, -1, np.int32) for name, room in (("expert_of", groups), ("pair_of", 32 * groups))}
    given["place_of"] = np.full(ids.size, -1, np.int32)
    if kernel == "cg_fusemoe_group":
        return given
    grouped = emulate("cg_fusemoe_group", **given)
    split = {"inputs": ball(rng, 40, d), "row_stride": d, "expert_stride": 0, "groups": groups, "k": 2, "din": d}
    split |= {name: grouped[name] for name in ("expert_of", "pair_of")}
    if kernel.startswith("cg_fusemoe_split"):
        return split
    if kernel == "cg_fusemoe_sum":
        made = rng.random((32 * groups, n), np.float32)
        given = {"made": made, "place_of": grouped["place_of"].reshape(40, 2), "bias": rng.random((3, n), np.float32)}
        given |= {"ids": ids, "weights": rng.random((40, 2), np.float32), "k": 2, "dout": n}
        return given | {"not_finite": np.zeros(1, np.int32)}
    kind = kernel.rsplit("_", 1)[1]
    split = emulate(f"cg_fusemoe_split_{PARTS[kind]}", **split)
    matrices = as_rows(ball(rng, 3 * n, d), kind).reshape(3, n, -1)
    given = {"parts": split["parts"], "step": split["step"], "expert_of": grouped["expert_of"], "din": d, "dout": n}
    return given | {"projections": matrices, "made": np.zeros((32 * groups, n), np.float32)}


def answers(kernel, build, seed, given):
    found = emulate(kernel, build, seed, **given)
    written = [
        p["name"] for p in LAUNCH[kernel]["parameters"] if p["type"].endswith("*") and not p["type"].startswith("const")
    ]
    return {name: found[name] for name in written}


@pytest.mark.parametrize(
    "kernel",
    [
        pytest.param(kernel, marks=[pytest.mark.long] * (entry["file"] not in EVERYDAY))
        for kernel, entry in LAUNCH.items()
    ],
)
def test_the_order_of_threads_changes_no_bit(kernel):
    given = arguments(kernel, n=50, d=37)
    wanted = answers(kernel, "plain", 0, given)
    for seed in (1, 2):
        for name, values in answers(kernel, "plain", seed, given).items():
            assert_array_equal(values, wanted[name], err_msg=name)


@pytest.mark.long
@each_kernel
def test_no_access_leaves_its_array(kernel):
    for n, d in ((50, 37), (17, 8)):
        given = arguments(kernel, n=n, d=d)
        wanted = answers(kernel, "plain", 0, given)
        for name, values in answers(kernel, "address", 1, given).items():
            if values.dtype.kind == "f":
                assert_allclose(values, wanted[name], rtol=1e-5, atol=1e-6, err_msg=name)
            elif name not in ("best", "verdicts"):  # keys hold the last bit of a score
                assert_array_equal(values, wanted[name], err_msg=name)


# More rows than one block takes at a time, by the start of the kernel's name; of others 18 are.
BEYOND_A_TILE = {
    **dict.fromkeys(("cg_dense_topk_batch", "cg_dense_scores_batch"), 150),  # tiles of 128
    **dict.fromkeys(("cg_hopfield_part", "cg_hopfield_mix"), 70),  # 32, in two buffers: the third meets the first
    **dict.fromkeys(("cg_maxsim_maxima", "cg_modulation_s", "cg_modulation_r", "cg_hebbian"), 90),  # 32, of a document
    **dict.fromkeys(("cg_maxsim_weigh", "cg_select_scores", "cg_hopfield_count"), 300),  # 256
    "cg_modulation_weigh": 1030,  # 1,024
    **dict.fromkeys(("cg_sparse_scores", "cg_sparse_search"), 4200),  # 4,096
}


@requirement("kernels:no-thread-races")
@pytest.mark.long
@each_kernel
def test_no_thread_races_with_another(kernel):
    """One block has all rows, so that every loop over tiles comes round again to the memory it shares."""
    n = next((rows for start, rows in BEYOND_A_TILE.items() if kernel.startswith(start)), 18)
    together = kernel.startswith("cg_maxsim_maxima") or "_batch_" in kernel or "_mix_" in kernel
    d = 170 if kernel.startswith("cg_dense") and "_batch_" in kernel else 9  # more than its stages hold
    given = arguments(kernel, n=n, d=d, q=9 if together else 1, k=2)  # queries of several warps where a block has many
    if "rows_a_part" in given:
        given |= {"rows_a_part": n, "parts": 1}
    grid = str(LAUNCH[kernel]["grid"][0])
    several = "processors" in grid or "4096" in grid
    answers(kernel, "thread", 1, given | ({"grid": [1, None, None]} if several else {}))


# Kernels whose table counts all they read: the least and the most that bytes may be of it. Looks that are decided again
# and rows read three times for three sums are not scans.
SCANS = [
    name
    for name in LAUNCH
    if (name.startswith("cg_dense") and "batch" not in name)  # which read their queries for every tile of rows
    or name.startswith(("cg_transe", "cg_hdc_search", "cg_hdc_distances", "cg_hdc_hamming", "cg_hdc_bind"))
    or name in ("cg_poincare_nearest", "cg_poincare_distance", "cg_poincare_distances", "cg_poincare_slacks")
    or name
    in ("cg_cones_ancestors", "cg_cones_descendants", "cg_cones_contains", "cg_cones_energy", "cg_cones_aperture")
]


@pytest.mark.long
@pytest.mark.parametrize("kernel", SCANS)
def test_a_scan_moves_little_more_than_it_must(kernel):
    given = arguments(kernel, n=512, d=256, q=1)
    found = emulate(kernel, "traffic", **given)
    entry = LAUNCH[kernel]
    sizes = {**found.names, "n": given.get("n", 512), "q": 1}
    least = evaluate(entry["minimum_bytes"], sizes)
    blocks = found.names["grid_x"]
    queries = ("queries", "heads", "relations", "points", "apexes")
    beside = sum(given[name].nbytes for name in queries if name in given and given[name].dtype != np.uint8)
    beside *= blocks * (16 if "hdc" in kernel else 2)  # a copy a half-warp, or one and its length a block
    beside += found["best"].nbytes if "best" in found.arrays else 0
    assert least <= 1.03 * (found.loaded_bytes + found.stored_bytes)
    assert found.loaded_bytes + found.stored_bytes - beside <= 1.15 * least
