"""The emulator finds the mistakes kernels are prone to, and none in kernels that are right."""

from pathlib import Path

import numpy as np
import pytest
from emulator import EmulatorError, emulate, include_folders

pytestmark = pytest.mark.skipif(not include_folders(), reason="nvcc is not on PATH, so its headers are not known")

SOURCE = Path(__file__).parent / "mistakes" / "mistakes.cu"
IN, OUT = ("in", "const float*"), ("out", "float*")
# Parameters, threads of a block, blocks, shared bytes.
SHAPES = {
    "reverse": ([IN, OUT], 64, 1, 0),
    "tiles": ([IN, OUT, ("count", "int")], 64, 1, 0),
    "slots": ([IN, OUT], 64, 1, 0),
    "divergent": ([IN, OUT], 64, 1, 0),
    "half_warp": ([IN, OUT], 32, 1, 0),
    "publish": ([IN, OUT], 64, 1, 0),
    "copy": ([IN, OUT, ("n", "int")], 64, 2, 0),
    "vectors": ([IN, OUT], 8, 1, 0),
    "dynamic": ([IN, OUT], 64, 1, 256),
    "count": ([IN, ("out", "int*")], 64, 1, 0),
    "fetch": ([IN, OUT], 128, 1, 0),
    "refill": ([IN, OUT], 64, 1, 0),
    "multiply": ([("a", "const unsigned short*"), ("b", "const unsigned short*"), OUT], 32, 1, 0),
    "floats": ([("a", "const unsigned*"), ("b", "const unsigned*"), OUT], 32, 1, 0),
    "matrices": ([("a", "const unsigned short*"), ("b", "const unsigned short*"), OUT], 32, 1, 0),
    "restage": ([IN, OUT], 64, 1, 0),
    "softmax": ([IN, OUT, ("n", "int")], 32, 1, 0),
    "leave": ([IN, OUT], 64, 1, 0),
    "last_block": ([IN, ("parts", "float*"), ("counter", "unsigned*"), OUT], 32, 4, 0),
    "vote": ([IN, ("out", "int*")], 32, 1, 0),
}


def entry(parameters, threads, blocks, shared):
    sizes = [
        {"name": name, "type": kind, **({"shape": [f"{name}_size"]} if kind.endswith("*") else {})}
        for name, kind in parameters
    ]
    return {
        **{"file": SOURCE.name, "parameters": sizes, "block": [threads, 1, 1], "grid": [blocks, 1, 1]},
        "shared_bytes": shared,
    }


TABLE = {
    f"{side}_{name}": entry(parameters, threads, blocks, shared)
    for name, (parameters, threads, blocks, shared) in SHAPES.items()
    for side in ("right", "wrong")
}
TABLE["collectives"] = entry([("in", "const int*"), ("out", "int*")], 32, 1, 0)
TABLE["indices"] = {**entry([("out", "int*")], 1, 1, 0), "block": [5, 3, 2], "grid": [2, 3, 2]}
TABLE["unknown_ptx"] = entry([("out", "int*")], 1, 1, 0)


def bfloat(values):
    return (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def case(name):
    """Arguments, and the answer of the right kernel."""
    rng = np.random.default_rng(7)
    x = rng.integers(-40, 40, 128).astype(np.float32)
    zeros = np.zeros
    if name in ("reverse", "leave", "dynamic"):
        return {"in": x[:64], "out": zeros(64, np.float32)}, x[:64][::-1]
    if name == "tiles":
        y = rng.integers(-40, 40, 256).astype(np.float32)
        return {"in": y, "out": zeros(64, np.float32), "count": 4}, np.roll(y.reshape(4, 64).sum(axis=0), -33)
    if name == "slots":
        return {"in": x[:64], "out": zeros(1, np.float32)}, x[:64].sum()[None]
    if name == "divergent":
        return {"in": x[:64], "out": zeros(64, np.float32)}, (x[:64] + (np.arange(64) >= 32))[::-1]
    if name == "half_warp":
        return {"in": x[:32], "out": zeros(1, np.float32)}, x[:16].sum()[None]
    if name == "publish":
        return {"in": x[:64], "out": zeros(64, np.float32)}, x[[0, 32]].repeat(32)
    if name == "copy":
        return {"in": x[:100], "out": zeros(100, np.float32), "n": 100}, 2 * x[:100]
    if name == "vectors":
        return {"in": x[:37], "out": zeros(8, np.float32)}, x[4:36].reshape(8, 4).sum(axis=1)
    if name == "restage":
        return {"in": x, "out": zeros(64, np.float32)}, np.full(64, 2)
    if name == "count":
        return {"in": x[:64], "out": zeros(1, np.int32)}, (x[:64] > 0).sum()[None]
    if name == "fetch":
        return {"in": x, "out": zeros(128, np.float32)}, x[::-1]
    if name == "refill":
        return {"in": x, "out": zeros(64, np.float32)}, x[63::-1] + x[:63:-1]
    if name in ("multiply", "matrices"):
        a, b = rng.integers(-8, 8, (16, 16)), rng.integers(-8, 8, (8, 16))
        return {"a": bfloat(a).ravel(), "b": bfloat(b).ravel(), "out": zeros(128, np.float32)}, (a @ b.T).ravel()
    if name == "floats":
        a, b = rng.integers(-8, 8, (16, 8)), rng.integers(-8, 8, (8, 8))
        bits = [values.astype(np.float32).view(np.uint32).ravel() | 0x1FFF for values in (a, b)]  # which do not count
        return {"a": bits[0], "b": bits[1], "out": zeros(128, np.float32)}, (a @ b.T).ravel()
    if name == "softmax":
        lanes = np.log2(np.exp2(x.reshape(4, 32).astype(np.float64)).sum(axis=0))
        return {"in": x, "out": zeros(32, np.float32), "n": 128}, lanes.astype(np.float32)
    if name == "last_block":
        arguments = {"in": x[:4], "parts": zeros(4, np.float32), "counter": zeros(1, np.uint32)}
        return {**arguments, "out": zeros(1, np.float32)}, x[:4].sum()[None]
    assert name == "vote"
    return {"in": x[:32], "out": zeros(32, np.int32)}, np.full(32, (x[:32] > 0).sum())


def launch(kernel, build, seed=0, **options):
    arguments, wanted = case(kernel.split("_", 1)[1])
    found = emulate(kernel, build, seed, source=SOURCE, table=TABLE, **arguments, **options)["out"]
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


@pytest.mark.parametrize("build", ["plain", "address", "thread", "traffic"])
@pytest.mark.parametrize("name", SHAPES)
def test_a_right_kernel_raises_no_alarm(name, build):
    for seed in (0, 1, 2):
        launch(f"right_{name}", build, seed)


# Which builds must find the mistake, whatever order threads run in.
CAUGHT = {
    "reverse": ["plain", "thread"],
    "tiles": ["thread"],
    "slots": ["plain", "address"],
    "divergent": ["plain"],
    "half_warp": ["plain"],
    "publish": ["thread"],
    "copy": ["plain", "address"],
    "vectors": ["address"],
    "dynamic": ["address"],
    "count": ["thread"],
    "fetch": ["plain", "thread"],
    "refill": ["thread"],
    "multiply": ["plain"],
    "floats": ["plain"],
    "matrices": ["plain"],
    "restage": ["thread"],
    "softmax": ["plain"],
    "leave": ["plain"],
    "last_block": ["thread"],
    "vote": ["plain"],
}


@pytest.mark.parametrize("name, build", [(name, build) for name, builds in CAUGHT.items() for build in builds])
def test_a_mistake_is_found(name, build):
    options = {"shared_bytes": 64} if name == "dynamic" else {}
    with pytest.raises(AssertionError) as caught:
        launch(f"wrong_{name}", build, **options)
    words = {
        ("reverse", "thread"): "data race",
        ("tiles", "thread"): "data race",
        ("divergent", "plain"): r"barriers meet at different lines",
        ("half_warp", "plain"): "which is absent|waits for it",
        ("publish", "thread"): "data race",
        ("copy", "plain"): "behind the end",
        ("copy", "address"): "heap-buffer-overflow",
        ("vectors", "address"): "misaligned address",
        ("dynamic", "address"): "AddressSanitizer",
        ("restage", "thread"): "data race",
        ("count", "thread"): "data race",
        ("leave", "plain"): "after 1 threads of the block have ended|wait at the barrier",
        ("last_block", "thread"): "data race",
        ("vote", "plain"): "deadlock",
    }
    caught.match(words.get((name, build), ""))


def test_collectives_mean_what_cuda_says():
    value = np.random.default_rng(3).integers(-50, 50, 32).astype(np.int32)
    found = emulate("collectives", source=SOURCE, table=TABLE, **{"in": value, "out": np.zeros(640, np.int32)})[
        "out"
    ].reshape(32, 20)
    lane = np.arange(32)
    np.testing.assert_array_equal(found[:, 0], value[lane // 2])
    np.testing.assert_array_equal(found[:, 1], value[np.where(lane < 3, lane, lane - 3)])
    np.testing.assert_array_equal(found[:, 2], value[np.where(lane % 8 < 5, lane + 3, lane)])
    np.testing.assert_array_equal(found[:, 3], value[lane ^ 5])
    np.testing.assert_array_equal(found[:, 4].view(np.uint32), sum(1 << int(i) for i in np.flatnonzero(value > 0)))
    for column, wanted in {
        **{5: int((value == 7).any()), 6: 1, 7: value.sum(), 8: value.min(), 9: value.max()},
        **{10: np.bitwise_xor.reduce(value), 11: (value > 0).sum(), 12: int((value == 7).any()), 13: 1},
    }.items():
        np.testing.assert_array_equal(found[:, column], wanted)
    c_remainder = np.sign(value) * (abs(value) % 3)
    same = [sum(1 << int(i) for i in np.flatnonzero(c_remainder == r)) for r in c_remainder]
    np.testing.assert_array_equal(found[:, 14].view(np.uint32), same)
    bytes_of = value.view(np.int8).reshape(32, 4).astype(int)
    np.testing.assert_array_equal(found[:, 15], bytes_of @ [4, 3, 2, 1] + 1)
    np.testing.assert_array_equal(found[:, 16].view(np.uint32), (value.view(np.uint32) & 0xFFFF) | 0x33440000)
    np.testing.assert_array_equal(found[:, 17], [bin(int(v)).count("1") for v in value.view(np.uint32)])


def test_three_dimensions_number_every_thread_once():
    found = emulate("indices", seed=5, source=SOURCE, table=TABLE, out=np.zeros(360, np.int32))["out"]
    np.testing.assert_array_equal(found, np.arange(360))


def test_limits_of_a_launch_are_enforced():
    x = np.zeros(64, np.float32)
    options = {"source": SOURCE, "in": x, "out": x}
    for change in ({"block": [2048, 1, 1]}, {"block": [1, 1, 128]}):
        with pytest.raises(EmulatorError, match="cudaErrorInvalidConfiguration"):
            emulate("right_dynamic", table={**TABLE, "right_dynamic": {**TABLE["right_dynamic"], **change}}, **options)
    with pytest.raises(EmulatorError, match="cudaErrorInvalidConfiguration"):
        emulate("right_dynamic", grid=[1, 70000, 1], table=TABLE, **options)
    with pytest.raises(EmulatorError, match="more than a block can have"):
        emulate("right_dynamic", shared_bytes=101_377, table=TABLE, **options)
    with pytest.raises(EmulatorError, match=r"unknown PTX|cannot read PTX"):
        emulate("unknown_ptx", source=SOURCE, table=TABLE, out=np.zeros(1, np.int32))


@pytest.mark.long
def test_traffic_counts_bytes_and_sectors():
    x = np.arange(128, dtype=np.float32)
    moved = emulate("right_fetch", "traffic", source=SOURCE, table=TABLE, **{"in": x, "out": x})
    assert (moved.loaded_bytes, moved.stored_bytes) == (512, 512)
    assert (moved.load_sector_bytes, moved.store_sector_bytes) == (512, 512)
