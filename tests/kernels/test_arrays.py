"""Arrays of other libraries and odd layouts; the quick way into a kernel must answer as the careful way does."""

import sys
from inspect import signature

import numpy as np
import pytest
from expectations import ball
from numpy.testing import assert_array_equal

from context_graph import _core
from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, cones, dense, fusemoe, hebbian, maxsim, modulation, poincare, sparse, transe
from tests.requirements import requirement

OPERATIONS = {
    "poincare.distance": (poincare.distance, 2),
    "poincare.distances": (poincare.distances, 2),
    "cones.contains": (cones.contains, 2),
    "cones.energy": (cones.energy, 2),
    "transe.score": (transe.score, 3),
}
USABLE = [name for name in ("avx512", "avx2", "scalar") if _core.usable()[name] is None]  # fastest first
each_operation = pytest.mark.parametrize(("operation", "inputs"), OPERATIONS.values(), ids=OPERATIONS)


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed")


@pytest.fixture
def wide(rng):
    return ball(rng, 40, 24)


def views(wide):
    """The same kind of rows in every layout the kernels read in place, and some they copy."""
    yield wide
    yield wide[:, 3:20]
    yield wide[::3]
    yield wide[::-1]
    yield wide[:, :1]
    yield wide[:0]
    yield wide[:, ::2]
    yield np.asfortranarray(wide)
    yield np.broadcast_to(wide[:1], (5, 24))
    yield np.frombuffer(b"\0" + wide.tobytes(), np.uint8)[1:].view(np.float32).reshape(wide.shape)  # not aligned


@each_operation
def test_the_quick_way_answers_as_the_careful_way(operation, inputs, wide, monkeypatch):
    for view in views(wide):
        given = [view] + [np.roll(view, i, axis=0) for i in range(1, inputs)]
        for backend in USABLE:
            named = operation(*given, backend=backend, threads=2)
            with monkeypatch.context() as environment:
                environment.setenv("CONTEXT_GRAPH_BACKEND", backend)
                careful = operation(*given)
            assert named.dtype == careful.dtype
            assert_array_equal(named, careful)
        assert_array_equal(operation(*given), operation(*given, backend=USABLE[0]))


@requirement("kernels:a-name-costs-nothing")
@pytest.mark.parametrize("operation", [*(operation for operation, _ in OPERATIONS.values()), fusemoe.gate])
def test_no_other_python_runs_where_backend_and_threads_are_named(operation, wide, monkeypatch):
    alone = [operation.__name__]
    for options in ({}, {"threads": 1}, {"backend": USABLE[-1]}, {"backend": USABLE[0], "threads": 3}):
        assert functions_of(operation, wide, **options) == alone, options
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "reference")
    monkeypatch.setenv("CONTEXT_GRAPH_THREADS", "1")
    assert functions_of(operation, wide, backend=USABLE[0], threads=1) == alone
    assert len(functions_of(operation, wide, backend=USABLE[0])) > 1  # the threads are the environment's


def functions_of(operation, rows, **options):
    """The names of the package's functions in Python that a call of rows with themselves runs."""
    names, before = [], sys.getprofile()
    inputs = sum(parameter.default is parameter.empty for parameter in signature(operation).parameters.values())

    def note(frame, event, _):
        if event == "call" and frame.f_globals["__name__"].startswith("context_graph."):
            names.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        operation(*[rows] * inputs, **options)
    finally:
        sys.setprofile(before)
    return names


@each_operation
def test_what_is_wrong_about_a_name_is_said_by_the_careful_way(operation, inputs, wide):
    given = [wide] * inputs
    for threads in (0, -1, -(2**70)):
        with pytest.raises(ArrayError, match=f"threads must be at least 1, got {threads}"):
            operation(*given, threads=threads)
    with pytest.raises(BackendUnavailable, match="has no backend 'neon' on this machine"):
        operation(*given, backend="neon")
    for name, entry in backends().items():
        if name == "triton" or not entry["usable"]:
            with pytest.raises(BackendUnavailable, match=f"has no backend '{name}'"):
                operation(*given, backend=name, threads=1)
    assert_array_equal(operation(*given, backend="", threads=np.int64(2)), operation(*given))


@each_operation
def test_torch_in_is_torch_out(torch, operation, inputs, wide):
    for view in views(wide):
        view = view.copy() if (np.array(view.strides) < 0).any() or not view.flags.writeable else view
        given = [view] + [np.roll(view, i, axis=0) for i in range(1, inputs)]
        if not view.flags.aligned:
            continue  # torch has no such tensors
        for options in ({}, {"backend": "scalar", "threads": 2}):
            found = operation(*(torch.from_numpy(array) for array in given), **options)
            assert isinstance(found, torch.Tensor)
            assert_array_equal(found.numpy(), operation(*given, **options))


def test_operations_without_a_quick_way_answer_in_kind_too(torch, wide):
    rows = torch.from_numpy(wide)
    scores, ids = dense.topk(rows[:2], rows, 3)
    assert isinstance(scores, torch.Tensor) and isinstance(ids, torch.Tensor) and ids.dtype == torch.int64
    assert_array_equal(ids.numpy(), dense.topk(wide[:2], wide, 3)[1])
    graph = modulation.Graph([0, 1, 1], [1], np.ones(1, np.float32))
    found = graph.pagerank(torch.tensor([1.0, 0.0]))
    assert type(found) is modulation.Ranks and isinstance(found.ranks, torch.Tensor) and found.iterations > 0


def test_indexes_answer_in_kind(torch, wide):
    index = dense.Index(wide.shape[1])
    index.append(torch.from_numpy(wide))
    scores, ids = index.search(torch.from_numpy(wide[:2]), 3)
    assert isinstance(ids, torch.Tensor)
    assert_array_equal(ids.numpy(), index.search(wide[:2], 3)[1])
    assert_array_equal(scores.numpy(), index.search(wide[:2], 3)[0])
    tokens = maxsim.Index(wide.shape[1])
    tokens.append(wide, [10, 30])
    for answer in (tokens.search, lambda query, k: maxsim.nearest(query, wide, np.array([0, 10, 40]), k)):
        found = answer(torch.from_numpy(wide[:4]), 2)
        assert isinstance(found[1], torch.Tensor)
        assert_array_equal(found[1].numpy(), answer(wide[:4], 2)[1])


def test_the_first_array_decides(torch, wide):
    assert type(poincare.distance(wide, torch.from_numpy(wide))) is np.ndarray
    assert isinstance(poincare.distance(torch.from_numpy(wide), wide), torch.Tensor)


def test_tensors_are_read_in_place(torch, wide):
    tensor = torch.from_numpy(wide.copy())
    before = poincare.distance(tensor, tensor.flip(0))
    tensor[0] = 0
    assert before[0] != poincare.distance(tensor, tensor.flip(0))[0]


def test_what_a_gradient_flows_through_is_refused(torch, wide):
    leaf = torch.from_numpy(wide).requires_grad_()
    for operation, inputs in OPERATIONS.values():
        for options in ({}, {"backend": "scalar", "threads": 1}):
            with pytest.raises(ArrayError, match=r"must not require a gradient.*\.detach\(\), or use context_graph"):
                operation(*[leaf] * inputs, **options)
    assert poincare.distance(leaf.detach(), leaf.detach()).tolist() == [0.0] * len(wide)


def test_tensors_of_other_types_are_refused_with_their_name(torch):
    rows = torch.ones(2, 3)
    with pytest.raises(ArrayError, match="y must have dtype float32, got float64"):
        poincare.distance(rows, rows.double())
    with pytest.raises(ArrayError, match="x must be an array that NumPy can read through DLPack"):
        poincare.distance(rows.to(torch.bfloat16), rows)
    with pytest.raises(ArrayError, match=r"x must be an array that NumPy can read through DLPack, got .*meta"):
        poincare.distance(rows.to("meta"), rows)


@each_operation
def test_what_is_wrong_is_said_by_the_careful_way(operation, inputs):
    good = np.full((3, 4), 0.1, np.float32)
    bad = good.copy()
    bad[1, 2] = np.nan
    for wrong in (bad, good[:, :3], good[0], good.astype(np.float64), good.astype(">f4"), [[0.1, 0.2]], None):
        with pytest.raises(ArrayError):
            operation(*[good] * (inputs - 1), wrong)
    for options in ({"curvature": -1.0}, {"width": np.nan}, {"norm": 3}):
        if next(iter(options)) in operation.__kwdefaults__:
            with pytest.raises(ArrayError, match=next(iter(options))):
                operation(*[good] * inputs, **options)


def test_the_environment_turns_the_quick_way_off(monkeypatch):
    rows = np.ones((1, 2), np.float32)
    assert _core.transe.score_fast(rows, rows, rows, 2, None, None) is not NotImplemented
    for name, value in (("CONTEXT_GRAPH_BACKEND", "reference"), ("CONTEXT_GRAPH_THREADS", "1")):
        with monkeypatch.context() as environment:
            environment.setenv(name, value)
            assert _core.transe.score_fast(rows, rows, rows, 2, None, None) is NotImplemented
            assert _core.transe.score_fast(rows, rows, rows, 2, "scalar", 1) is not NotImplemented
    assert _core.transe.score_fast() is NotImplemented


class Far:
    """What says that it lies on a GPU; where a driver is needed nothing here reads it."""

    def __init__(self, array, device=0):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return (2, self.device)

    @property
    def __cuda_array_interface__(self):
        return {**self.array.__array_interface__, "version": 3, "stream": None}


class FarWithoutDevice:
    """The older way alone, as numba has it; NumPy would copy it without a word."""

    def __init__(self, array):
        self.__cuda_array_interface__ = {**array.__array_interface__, "data": (0, False), "version": 3}
        self.array = array

    def __array__(self, *_, **__):
        return self.array


def test_arrays_of_one_call_lie_on_one_device(wide):
    with pytest.raises(
        ArrayError, match=r"rows must be on CUDA device 0 like queries, got the CPU; copy rows there, or qu"
    ):
        dense.topk(Far(wide), wide, 3)
    with pytest.raises(ArrayError, match=r"rows must be on CUDA device 1 like queries, got CUDA device 0"):
        dense.topk(Far(wide, 1), Far(wide), 3)
    with pytest.raises(ArrayError, match=r"mask must be on CUDA device 0 like queries, got the CPU"):
        dense.topk(queries=Far(wide), rows=Far(wide), k=3, mask=np.ones(40, bool))
    with pytest.raises(
        ArrayError, match=r"rows must be on the CPU, got DLPack device 2; copy it with rows\.cpu\(\) or"
    ):
        dense.topk(wide, Far(wide), 3)
    with pytest.raises(ArrayError, match="rows must be on the CPU, got an array on a GPU; copy it with"):
        dense.topk(wide, FarWithoutDevice(wide), 3)
    with pytest.raises(ArrayError, match=r"y must be on CUDA device 0 like x, got CUDA device 2"):
        poincare.distance(Far(wide), Far(wide, 2))


@pytest.mark.parametrize("name", ["reference", "scalar", "avx2"])
def test_a_backend_on_the_cpu_refuses_arrays_on_a_gpu(wide, name, monkeypatch):
    wanted = rf"transe\.score takes arrays on the CPU with backend '{name}'; copy them with \.cpu\(\) or \.get\(\)"
    with pytest.raises(ArrayError, match=wanted):
        transe.score(Far(wide), Far(wide), Far(wide), backend=name)
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", name)
    with pytest.raises(ArrayError, match=wanted):
        transe.score(FarWithoutDevice(wide), FarWithoutDevice(wide), FarWithoutDevice(wide))


def test_what_is_kept_on_the_cpu_takes_no_array_on_a_gpu(wide):
    index = dense.Index(24)
    index.append(wide)
    graph = modulation.Graph([0, 1, 1], [1], np.ones(1, np.float32))
    for refused in (
        lambda: index.search(Far(wide), 3),
        lambda: graph.spread(Far(wide[0])),
    ):
        with pytest.raises(
            ArrayError,
            match=r"takes arrays on the CPU(, where it keeps its own)?; copy them with \.cpu\(\) or \.get\(\)",
        ):
            refused()
    for refused in (
        lambda: index.append(Far(wide)),
        lambda: hebbian.learn(graph, Far(wide[0]), wide[0]),
        lambda: sparse.Index().append(Far(wide[0]), wide[0], [24]),
    ):
        with pytest.raises(ArrayError, match="must be on the CPU, got DLPack device 2"):
            refused()


def test_arrays_on_a_gpu_need_the_cuda_backend(wide):
    if backends()["cuda"]["usable"]:
        pytest.skip("a CUDA device answers here; tests/cuda/device_arrays.py runs there")
    for far in (Far, FarWithoutDevice):
        with pytest.raises(
            BackendUnavailable, match=r"dense\.topk of arrays on a GPU needs backend 'cuda', not usable here \("
        ):
            dense.topk(far(wide), far(wide), 3)


def test_how_to_come_by_a_dtype_is_told_for_what_was_given():
    right = np.ones((1, 2), np.float32)
    with pytest.raises(ArrayError, match=r"got float64; cast it with queries\.astype\(np\.float32\)"):
        dense.scores(right.astype(np.float64), right)
    with pytest.raises(ArrayError, match=r"got float64; pass np\.asarray\(queries, np\.float32\)"):
        dense.scores([[1.0, 2.0]], right)
    torch = pytest.importorskip("torch", reason="needs torch")
    with pytest.raises(ArrayError, match=r"got float64; cast it with queries\.to\(torch\.float32\)"):
        dense.scores(torch.ones(1, 2, dtype=torch.float64), right)
    with pytest.raises(ArrayError, match=r"got float64; cast it with rows\.to\(torch\.float32\)"):
        dense.scores(right, torch.ones(1, 2, dtype=torch.float64))
