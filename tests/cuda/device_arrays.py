"""Arrays on a GPU: nothing is copied there, answers stay there, in the namespace of the caller.

`test_arrays.py` runs this with the emulated module, which counts what is copied. On a machine with a card
`pytest tests/cuda/device_arrays.py` runs it there, without the counts.
"""

import ctypes
import sys
from types import ModuleType

import numpy as np
import pytest
from expectations import ball
from numpy.testing import assert_allclose, assert_array_equal

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import (
    backends,
    cones,
    dense,
    fusemoe,
    hdc,
    hebbian,
    hopfield,
    maxsim,
    modulation,
    poincare,
    transe,
)

pytestmark = pytest.mark.skipif(not backends()["cuda"]["usable"], reason=backends()["cuda"]["reason"])

DeviceArray = _core.DeviceArray
COUNTED = hasattr(ctypes.CDLL(_core.__file__), "emulator_copied")  # a real device counts nothing
BYTES_OF_FLAGS = 128  # what a search of an index reads of flags, and what pads an answer where k is above n


class Far:
    """Another library's array on a GPU, which NumPy cannot read; by default with __cuda_array_interface__ alone."""

    def __init__(self, kept, stream=None):
        self.kept, self.stream = kept, stream

    def __dlpack_device__(self):
        return (2, 0)

    @property
    def __cuda_array_interface__(self):
        return {**self.kept.__cuda_array_interface__, "stream": self.stream}

    def __array__(self, *_, **__):
        raise TypeError("an array on a GPU does not become NumPy's by itself")

    def numpy(self):
        return self.kept.numpy()


class FarTensor(Far):
    """The same with DLPack, which is asked first."""

    asked = ()

    def __dlpack__(self, *, stream=None):
        self.asked = (*self.asked, stream)
        return self.kept.__dlpack__()

    @property
    def __cuda_array_interface__(self):
        raise AssertionError("DLPack was to be asked")


def from_dlpack(array):
    return Far(DeviceArray.from_dlpack(array.__dlpack__(stream=1)))


@pytest.fixture(autouse=True)
def farpy(monkeypatch):
    library = ModuleType("farpy")
    library.from_dlpack = from_dlpack
    monkeypatch.setitem(sys.modules, "farpy", library)
    for kind in (Far, FarTensor):
        monkeypatch.setattr(kind, "__module__", "farpy")


@pytest.fixture
def copied():
    """Bytes copied up, down and within the device so far."""
    if not COUNTED:
        return lambda: np.zeros(3, np.int64)
    count = ctypes.CDLL(_core.__file__).emulator_copied
    count.restype = ctypes.c_size_t
    return lambda: np.array([count(way) for way in range(3)])


def far(array, kind=Far):
    return kind(DeviceArray.upload(np.ascontiguousarray(array)))


def numpy(found):
    if isinstance(found, tuple):
        return tuple(numpy(part) for part in found)
    assert type(found) is Far, type(found)
    return found.numpy()


rng = np.random.default_rng(20261122)
ROWS, QUERIES = rng.standard_normal((600, 48)).astype(np.float32), rng.standard_normal((3, 48)).astype(np.float32)
X, Y, FEW = ball(rng, 300, 24), ball(rng, 300, 24), ball(rng, 3, 24)
MASK = rng.random(600) > 0.3
WORDS = hdc.items(np.arange(64, dtype=np.uint64), seed=3)
TEXT = rng.integers(0, 40, 2000)
SIGNALS = [rng.integers(0, 255, 500).astype(np.uint8) for _ in range(3)]
CODES = rng.integers(-127, 128, (600, 48)).astype(np.int8)
SCALE = rng.random(600).astype(np.float32)
EXPERTS, PROJECTIONS = ball(rng, 13, 48), rng.standard_normal((13, 16, 48)).astype(np.float32)
CHOSEN = rng.integers(-1, 13, (3, 4))
SHARES = rng.random((3, 4)).astype(np.float32)

# name: function, arrays, other arguments
CASES = {
    "dense.scores": (dense.scores, (QUERIES, ROWS), {}),
    "dense.scores of float16": (dense.scores, (QUERIES, ROWS.astype(np.float16)), {}),
    "dense.scores of int8": (dense.scores, (QUERIES, CODES), {"scale": SCALE}),
    "dense.topk": (dense.topk, (QUERIES, ROWS), {"k": 7}),
    "dense.topk with a mask": (dense.topk, (QUERIES, ROWS), {"k": 7, "mask": MASK}),
    "dense.topk of none": (dense.topk, (QUERIES, ROWS[:0]), {"k": 2}),
    "poincare.distance": (poincare.distance, (X, Y), {}),
    "poincare.distances": (poincare.distances, (FEW, X), {"curvature": 0.9}),
    "poincare.nearest": (poincare.nearest, (FEW, X), {"k": 5, "mask": MASK[:300]}),
    "poincare.exp_map": (poincare.exp_map, (X, Y), {}),
    "poincare.log_map": (poincare.log_map, (X, Y), {}),
    "poincare.mobius_add": (poincare.mobius_add, (X, Y), {}),
    "poincare.project": (poincare.project, (ROWS,), {}),
    "cones.contains": (cones.contains, (X, Y), {}),
    "cones.energy": (cones.energy, (X, Y), {}),
    "cones.aperture": (cones.aperture, (X,), {}),
    "cones.ancestors": (cones.ancestors, (FEW, X), {}),
    "cones.descendants": (cones.descendants, (FEW, X), {}),
    "transe.score": (transe.score, (X, Y, X), {"norm": 1}),
    "transe.nearest": (transe.nearest, (FEW, FEW, X), {"k": 4, "mask": MASK[:300]}),
    "fusemoe.gate": (fusemoe.gate, (QUERIES, EXPERTS), {"present": rng.random(13) > 0.2}),
    "fusemoe.fuse": (fusemoe.fuse, (QUERIES, PROJECTIONS, CHOSEN, SHARES), {}),
    "fusemoe.fuse of a batch": (
        fusemoe.fuse,
        (ROWS[:21], PROJECTIONS, np.tile(CHOSEN, (7, 1)), np.tile(SHARES, (7, 1))),
        {},
    ),
    "hdc.hamming": (hdc.hamming, (WORDS, WORDS[::-1]), {}),
    "hdc.bind": (hdc.bind, (WORDS, WORDS[::-1]), {}),
    "hdc.bind of one": (hdc.bind, (WORDS[:1], WORDS), {}),
    "hdc.bind with one": (hdc.bind, (WORDS, WORDS[:1]), {}),
    "hdc.permute": (hdc.permute, (WORDS,), {"by": -77}),
    "hdc.distances": (hdc.distances, (WORDS[:2], WORDS), {}),
    "maxsim.maxima": (maxsim.maxima, (QUERIES, ROWS, np.arange(0, 601, 12)), {}),
    "maxsim.maxima of float16": (maxsim.maxima, (QUERIES, ROWS.astype(np.float16), np.arange(0, 601, 12)), {}),
    "maxsim.score": (maxsim.score, (QUERIES, ROWS, np.arange(0, 601, 12)), {}),
    "maxsim.nearest": (maxsim.nearest, (QUERIES, ROWS, np.arange(0, 601, 12)), {"k": 3}),
    "modulation.effective_weight": (modulation.effective_weight, (SCALE[:500], *SIGNALS), {}),
    "hdc.encode": (hdc.encode, (TEXT, np.array([0, 3, 3, 500, 2000])), {"ngram": 4}),
    "hdc.bundle": (hdc.bundle, (WORDS,), {}),
    "hopfield.retrieve": (hopfield.retrieve, (QUERIES, ROWS), {"beta": 2.0, "steps": 2}),
    "hopfield.retrieve of float16": (hopfield.retrieve, (QUERIES, ROWS.astype(np.float16)), {"beta": 2.0}),
    "hopfield.retrieve of few": (hopfield.retrieve, (QUERIES, ROWS), {"beta": 2.0, "shortlist": 5, "mask": MASK}),
    "hopfield.retrieve of many": (hopfield.retrieve, (ROWS[:9], ROWS.astype(np.float16)), {"beta": 2.0}),
    "hopfield.energy": (hopfield.energy, (QUERIES, ROWS), {"beta": 2.0, "mask": MASK}),
}


def on_device(options, kind=Far):
    return {name: far(value, kind) if isinstance(value, np.ndarray) else value for name, value in options.items()}


def agrees(function, arrays, options, copied, most, kind):
    """What came from the GPU has the bits of NumPy arrays with backend="cuda" and is near the definition."""
    given, more = [far(array, kind) for array in arrays], on_device(options, kind)
    before = copied()
    found = function(*given, **more)
    up, _, within = copied() - before
    states = arrays[0].nbytes if function is hopfield.retrieve else 0  # which begin as the queries
    assert up <= most and within == (states if COUNTED else 0)
    found = numpy(found)
    wanted = function(*arrays, backend="cuda", **options)
    defined = function(*arrays, backend="reference", **options)
    parts = zip(*((each if isinstance(each, tuple) else (each,)) for each in (found, wanted, defined)), strict=True)
    for one, same, near in parts:
        assert one.dtype == same.dtype
        assert_array_equal(one, same)
        if one.dtype.kind == "f":
            assert_allclose(one, near, rtol=2e-3, atol=2e-5)  # ROUNDING is for test_backend.py
        else:
            assert_array_equal(one, near)
    return given


@pytest.mark.parametrize("case", CASES)
def test_no_input_is_copied_and_answers_stay(case, copied):
    agrees(*CASES[case], copied, 0, Far)


@pytest.mark.parametrize("case", CASES)
def test_dlpack_is_asked_first_and_told_the_stream(case, copied):
    given = agrees(*CASES[case], copied, 0, FarTensor)
    assert all(array.asked[-1] == 1 for array in given)  # 1: the default stream, as DLPack numbers them


def strided(array, begin, width):
    """Columns begin:begin + width of rows on the device, which lie as far apart as before."""
    kept = DeviceArray.upload(array)
    start = kept.__cuda_array_interface__["data"][0] + begin * array.itemsize
    return Far(DeviceArray(start, (len(array), width), array.strides, array.dtype, 0, kept))


def test_rows_may_lie_apart(copied):
    rows, query = strided(ROWS, 4, 32), far(QUERIES[:, 4:36])
    before = copied()
    found = numpy(dense.topk(query, rows, 5))
    up, _, within = copied() - before
    assert up == 0 and within == 0
    for one, same in zip(found, dense.topk(QUERIES[:, 4:36], ROWS[:, 4:36], 5, backend="cuda"), strict=True):
        assert_array_equal(one, same)
    assert_array_equal(
        numpy(poincare.distance(strided(X, 4, 16), strided(Y, 8, 16))),
        poincare.distance(X[:, 4:20], Y[:, 8:24], backend="cuda"),
    )


def test_rows_that_vector_loads_cannot_read_are_copied_on_the_device(copied):
    rows, query = strided(ROWS, 3, 32), strided(QUERIES, 3, 32)
    before = copied()
    found = numpy(dense.topk(query, rows, 5))
    up, _, within = copied() - before
    assert up == 0 and (within == 603 * 32 * 4 or not before.any())
    assert_array_equal(found[1], dense.topk(QUERIES[:, 3:35], ROWS[:, 3:35], 5, backend="cuda")[1])


def test_columns_that_lie_apart_are_refused():
    kept = DeviceArray.upload(ROWS)
    turned = Far(DeviceArray(kept.__cuda_array_interface__["data"][0], (48, 600), (4, 192), ROWS.dtype, 0, kept))
    with pytest.raises(
        ArrayError, match=r"x must have contiguous rows on a GPU, got strides \(4, 192\).*x\.contiguous"
    ):
        poincare.project(turned)


def test_an_array_is_written_in_place_and_given_back_itself(copied):
    weights, offsets, targets = np.float32([0.5, 0.25, 0.5]), np.array([0, 2, 3]), np.array([0, 1, 0])
    pre, post = np.float32([1, 0.5]), np.float32([0.25, 1])
    given = [far(array) for array in (weights, offsets, targets, pre, post)]
    assert hebbian.update(*given, rate=0.5) is given[0]
    assert_array_equal(given[0].numpy(), hebbian.update(weights.copy(), offsets, targets, pre, post, rate=0.5))
    out = far(np.zeros(500, np.float32))
    signals = [far(array) for array in SIGNALS]
    assert modulation.effective_weight(far(SCALE[:500]), *signals, out=out) is out
    assert_array_equal(out.numpy(), modulation.effective_weight(SCALE[:500], *SIGNALS, backend="cuda"))


def test_nan_is_found_by_the_kernels():
    bad = ROWS.copy()
    bad[5, 3] = np.nan
    with pytest.raises(ArrayError, match="not finite"):
        dense.topk(far(QUERIES), far(bad), 3)
    with pytest.raises(ArrayError, match="not finite"):
        hopfield.retrieve(far(QUERIES), far(bad), beta=1.0)
    with pytest.raises(ArrayError, match="x must be finite, got NaN or infinity in row 5"):
        poincare.project(far(bad))
    outside = X.copy()
    outside[7] = 1
    with pytest.raises(ArrayError, match=r"y must be finite and inside the ball.* in row 7"):
        poincare.distance(far(X), far(outside))
    with pytest.raises(ArrayError, match="pre must be finite, got another at 0; no weight was changed"):
        hebbian.update(far(SCALE[:1]), far(np.array([0, 1])), far(np.array([0])), *[far(np.float32([np.nan]))] * 2)


def test_ids_and_offsets_are_checked_before_a_kernel_follows_them():
    with pytest.raises(ArrayError, match=r"ids must lie in \[-1, 13\), got another in row 1"):
        fusemoe.fuse(far(QUERIES), far(PROJECTIONS), far(np.array([[0] * 4, [0, 13, 0, 0], [-2] * 4])), far(SHARES))
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 600 tokens"):
        maxsim.maxima(far(QUERIES), far(ROWS), far(np.array([0, 9])))
    for wrong in ([0, 9, 3, 600], [1, 600], [0, 700, 600], [-1, 600], [0, 2**60, 600]):
        with pytest.raises(ArrayError, match="offsets must rise from 0 to the 600 tokens"):
            maxsim.maxima(far(QUERIES), far(ROWS), far(np.array(wrong)))
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 8 symbols, got 9 at 1"):
        hdc.encode(far(np.zeros(8, np.int64)), far(np.array([0, 9])))
    edges = np.float32([0.5, 0.25, 0.5]), np.array([0, 2, 3]), np.array([0, 1, 0]), np.ones(2, np.float32)
    for name, place, wrong in (
        ("targets", 2, [0, 2, 0]), ("targets", 2, [0, -1, 0]), ("targets", 2, [0, 2**33, 0]), ("offsets", 1, [0, 3, 2]),
    ):  # fmt: skip
        for kind in (np.int64, np.int32) if abs(max(wrong)) < 9 else (np.int64,):
            given = [far(np.array(wrong, kind) if at == place else array) for at, array in enumerate(edges)]
            with pytest.raises(ArrayError, match=f"{name} must "):
                hebbian.update(*given, given[3])
            assert_array_equal(given[0].numpy(), edges[0])


def test_wrong_dtype_and_shape_are_said_as_ever():
    with pytest.raises(ArrayError, match=r"queries must have dtype float32, got float64; cast it"):
        dense.topk(far(QUERIES.astype(np.float64)), far(ROWS), 3)
    with pytest.raises(ArrayError, match="queries and rows must have the same number of columns, got 39 and 48"):
        dense.topk(far(QUERIES[:, :39]), far(ROWS), 3)
    with pytest.raises(ArrayError, match="mask must have 600 entries, got 3"):
        dense.topk(far(QUERIES), far(ROWS), 3, mask=far(MASK[:3]))
    with pytest.raises(ArrayError, match="tokens must be float32 or float16 on a GPU, got int8"):
        maxsim.maxima(far(QUERIES), far(CODES), far(np.array([0, 600])))
    with pytest.raises(ArrayError, match=r"x must be readable by DLPack or __cuda_array_interface__, got .*'>f4'"):
        poincare.project(Far(type("Big", (), {"__cuda_array_interface__": {"typestr": ">f4", "data": (256, False)}})()))


def test_a_backend_on_the_cpu_takes_no_array_on_a_gpu(monkeypatch):
    with pytest.raises(ArrayError, match=r"dense\.topk takes arrays on the CPU with backend 'scalar'"):
        dense.topk(far(QUERIES), far(ROWS), 3, backend="scalar")
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "reference")
    with pytest.raises(ArrayError, match=r"dense\.topk takes arrays on the CPU with backend 'reference'"):
        dense.topk(far(QUERIES), far(ROWS), 3)


def test_an_address_that_is_no_device_memory_is_refused():
    """Followed, it would be read as NumPy's memory is."""

    class Lying:
        __cuda_array_interface__ = {**X.__array_interface__, "version": 3}  # noqa: RUF012

    with pytest.raises(ArrayError, match="must give an address on a device, got 0x"):
        poincare.project(Lying())


def test_other_producers_get_an_array_that_exports_both_protocols():
    """A library without from_dlpack, and our own answers given in again."""
    nameless = type("Nameless", (Far,), {"__module__": __name__})
    found = dense.scores(nameless(DeviceArray.upload(QUERIES)), nameless(DeviceArray.upload(ROWS)))
    assert type(found) is DeviceArray and found.shape == (3, 600) and found.dtype == np.float32
    assert found.__cuda_array_interface__["shape"] == (3, 600) and found.__dlpack_device__() == (2, 0)
    taken = DeviceArray.from_dlpack(found.__dlpack__(stream=1))
    assert taken.__cuda_array_interface__ == found.__cuda_array_interface__
    best = dense.topk(taken, found, 1)
    assert type(best[1]) is DeviceArray
    assert_array_equal(found.numpy(), dense.scores(QUERIES, ROWS, backend="cuda"))
    with pytest.raises(ArrayError, match="this index keeps its rows on the CPU, got an array on CUDA device 0"):
        dense.Index(48, backend="scalar").append(found)


def test_answers_are_in_memory_that_the_callers_library_allocates():
    """As torch's are; nothing else has an allocator that is asked."""

    class Made:
        def __init__(self, kind, item, shape):
            before = _core.use_allocator(None)
            self.kept = DeviceArray.empty(shape, np.dtype(f"{kind}{item}"))
            _core.use_allocator(before)

        def data_ptr(self):
            return self.kept.__cuda_array_interface__["data"][0]

    assert _core.use_allocator(Made) is None
    try:
        scores, ids = dense.topk(far(QUERIES), far(ROWS), 7)
        longer = dense.topk(far(QUERIES), far(ROWS[:3]), 7)  # padded
    finally:
        assert _core.use_allocator(None) is Made
    assert type(scores) is Made and type(ids) is Made and type(longer[0]) is Made
    for found, wanted in zip((scores, ids), dense.topk(QUERIES, ROWS, 7, backend="cuda"), strict=True):
        assert_array_equal(found.kept.numpy(), wanted)
    for found, wanted in zip(longer, dense.topk(QUERIES, ROWS[:3], 7, backend="cuda"), strict=True):
        assert_array_equal(found.kept.numpy(), wanted)


@pytest.mark.parametrize("case", ["dense float32", "hdc", "poincare"])
def test_an_index_on_the_gpu_is_searched_with_tensors(case, monkeypatch):
    """Which say that they are torch's, and went to Triton for it, which has no indexes."""
    from device_indexes import CASES as INDEXES
    from device_indexes import filled

    monkeypatch.setattr(FarTensor, "is_cuda", True, raising=False)
    queries, search = INDEXES[case][3:5]
    index = filled(case)
    found = getattr(index, search)(far(queries, FarTensor), 5)
    for one, same in zip(numpy(found), getattr(index, search)(queries, 5), strict=True):
        assert_array_equal(one, same)


def test_bfloat16_enters_by_dlpack_and_leaves_by_it():
    bits = (ROWS.view(np.uint32) >> 16).astype(np.uint16)
    kept = DeviceArray.upload(bits)

    class Brain(FarTensor):
        dtype = "farpy.bfloat16"

        def __dlpack__(self, *, stream=None):
            return as_bfloat16(kept)

    Brain.__module__ = "farpy"
    found = numpy(dense.topk(far(QUERIES), Brain(kept), 4))
    values = (bits.astype(np.uint32) << 16).view(np.float32)
    assert_array_equal(found[1], dense.topk(QUERIES, values, 4, backend="reference")[1])
    with pytest.raises(ArrayError, match="x must have dtype float32, got bfloat16"):
        poincare.project(Brain(kept))


def as_bfloat16(kept):
    """DLPack of uint16 numbers that says bfloat16: in its struct the type stands 20 bytes from the start."""
    capsule = kept.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    ctypes.c_uint8.from_address(pointer(capsule, b"dltensor") + 20).value = 4
    return capsule


def test_memory_is_given_back():
    rows = far(ROWS)
    before = sys.getrefcount(rows.kept)
    found = dense.scores(far(QUERIES), rows)
    del found
    after = sys.getrefcount(rows.kept)
    assert after == before


def lying_apart(rows, gap):
    """A view of the same rows, with `gap` numbers between them that are NaN."""
    wide = np.full((len(rows), rows.shape[1] + gap), np.nan, rows.dtype)
    wide[:, : rows.shape[1]] = rows
    kept = DeviceArray.upload(wide)
    address = kept.__cuda_array_interface__["data"][0]
    return Far(DeviceArray(address, rows.shape, wide.strides, rows.dtype, 0, kept))


@pytest.mark.parametrize("gap", [1, 2, 16])  # strides that are a multiple of 16 bytes, and others
def test_rows_and_queries_that_lie_apart_are_those_that_are_meant(gap):
    calls = {
        "dense": lambda a: dense.topk(a(QUERIES), a(ROWS), 5),
        "poincare": lambda a: poincare.distances(a(FEW), a(X)),
        "cones": lambda a: cones.energy(a(X), a(Y)),
        "ancestors": lambda a: cones.ancestors(a(FEW), a(X)),
        "transe": lambda a: transe.nearest(a(QUERIES), a(QUERIES[::-1]), a(ROWS), 5),
        "gate": lambda a: fusemoe.gate(a(QUERIES), a(ROWS), k=4),
    }
    for name, call in calls.items():
        found, wanted = numpy(call(lambda rows: lying_apart(rows, gap))), numpy(call(far))
        for own, other in zip(
            *((each if isinstance(each, tuple) else (each,)) for each in (found, wanted)), strict=True
        ):
            assert_array_equal(own, other, err_msg=name)
