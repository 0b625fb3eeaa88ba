"""Tensors of torch and arrays of CuPy on a real card: streams, graphs and operators.

Nothing emulates these libraries, so this runs on a machine with a card alone: `pytest tests/cuda/device_torch.py`.
"""

import numpy as np
import pytest
from device_arrays import CASES, QUERIES, ROWS, X
from device_indexes import CASES as INDEXES
from device_indexes import filled
from device_streams import EDGES
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")

from context_graph import kernels  # noqa: E402
from context_graph import torch as operators  # noqa: E402
from context_graph.errors import ArrayError  # noqa: E402
from context_graph.kernels import backends, cuda_stream, dense, hebbian, hopfield, poincare  # noqa: E402

pytestmark = [
    pytest.mark.skipif(not torch.cuda.is_available(), reason="torch sees no card"),
    pytest.mark.skipif(not backends()["cuda"]["usable"], reason=backends()["cuda"]["reason"]),
]

CPU = torch.autograd.DeviceType.CPU
SLEEP = 100_000_000  # cycles, tens of milliseconds
WAITS = ("cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaMalloc", "cudaFree")


def tensor(array):
    return torch.from_numpy(np.ascontiguousarray(array)).cuda()


def cupy_array(array):
    return pytest.importorskip("cupy", reason="CuPy is not installed").asarray(np.ascontiguousarray(array))


def there(value, move=tensor):
    return move(value) if isinstance(value, np.ndarray) else value


def moved(options, move=tensor):
    return {name: there(value, move) for name, value in options.items()}


def home(found):
    if isinstance(found, tuple):
        return tuple(home(part) for part in found)
    return found.cpu().numpy() if hasattr(found, "cpu") else found.get()


def parts(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("move", [tensor, cupy_array])
def test_answers_are_the_librarys_own_arrays_and_those_of_numpy(case, move):
    function, arrays, options = CASES[case]
    given = [move(array) for array in arrays]
    found = function(*given, **moved(options, move))
    assert all(type(part) is type(given[0]) for part in parts(found))
    wanted = function(*arrays, backend="cuda", **options)
    defined = function(*arrays, backend="reference", **options)
    for one, same, near in zip(parts(home(found)), parts(wanted), parts(defined), strict=True):
        assert_array_equal(one, same)
        if one.dtype.kind == "f":
            assert_allclose(one, near, rtol=2e-3, atol=2e-5)
        else:
            assert_array_equal(one, near)


def test_a_call_comes_after_what_the_current_stream_writes():
    rows, queries = torch.zeros(600, 48, device="cuda"), tensor(QUERIES)
    source = tensor(ROWS)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(SLEEP)
        rows.copy_(source)
        found = dense.topk(queries, rows, 5)
        assert_array_equal(home(found)[1], dense.topk(QUERIES, ROWS, 5, backend="reference")[1])


@pytest.mark.parametrize("check", [True, False])
def test_a_given_stream_waits_for_the_current_one(check):
    rows, queries = torch.zeros(600, 48, device="cuda"), tensor(QUERIES)
    source, other = tensor(ROWS), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()), cuda_stream(other, check=check):
        torch.cuda._sleep(SLEEP)
        rows.copy_(source)
        found = dense.topk(queries, rows, 5)
        assert_array_equal(home(found)[1], dense.topk(QUERIES, ROWS, 5, backend="reference")[1])


def test_without_checks_the_host_runs_ahead():
    queries, rows = tensor(QUERIES), tensor(ROWS)
    side = torch.cuda.Stream()
    with torch.cuda.stream(side), cuda_stream(check=False):
        dense.topk(queries, rows, 5)
        side.synchronize()
        torch.cuda._sleep(SLEEP)
        found = dense.topk(queries, rows, 5)
        assert not side.query()  # the card still sleeps, and the call has returned
        assert_array_equal(home(found)[1], dense.topk(QUERIES, ROWS, 5, backend="reference")[1])


def of_calls():
    """Name: what makes a call with tensors."""
    yield "hebbian.update", lambda: (lambda *given: hebbian.update(*given, rate=0.5), list(map(tensor, EDGES)), {})
    for name, (function, arrays, options) in CASES.items():
        yield name, lambda f=function, a=arrays, o=options: (f, list(map(tensor, a)), moved(o))
    for name, (_, _, _, queries, search, _) in INDEXES.items():
        yield f"{name} index", lambda n=name, q=queries, s=search: (getattr(filled(n), s), [tensor(q)], {"k": 7})


CALLS = dict(of_calls())
each_call = pytest.mark.parametrize("name", CALLS)


@each_call
def test_a_call_asks_the_driver_for_nothing_that_waits(name):
    function, arrays, options = CALLS[name]()
    with torch.cuda.stream(torch.cuda.Stream()), cuda_stream(check=False):
        for _ in range(3):
            function(*arrays, **options)
        torch.cuda.synchronize()
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=activities) as profile:
            with torch.profiler.record_function("the call"):
                found = function(*arrays, **options)
            torch.cuda.synchronize()
    events = profile.events()
    span = next(event.time_range for event in events if event.name == "the call" and event.device_type == CPU)
    inside = [event.name for event in events if span.start <= event.time_range.start <= span.end]
    assert not set(inside) & set(WAITS), inside
    assert not [event.name for event in events if "HtoD" in event.name or "DtoH" in event.name]
    del found


@each_call
def test_torch_captures_a_call_and_replays_it_with_other_numbers(name):
    function, arrays, options = CALLS[name]()
    side, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(side), cuda_stream(check=False):
        function(*arrays, **options)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=side), cuda_stream(check=False):
        found = function(*arrays, **options)
    for array in arrays:
        if array.ndim == 2 or array.dtype == torch.float32:
            array.copy_(torch.from_numpy(array.cpu().numpy()[::-1].copy()))
    given = [array.clone() for array in arrays]
    graph.replay()
    torch.cuda.synchronize()
    wanted = function(*given, **options)
    for one, same in zip(parts(home(found)), parts(home(wanted)), strict=True):
        assert_array_equal(one, same)


def test_a_call_with_checks_is_refused_in_a_capture_and_the_capture_goes_on():
    rows, side, graph = tensor(X), torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(side):
        poincare.project(rows)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph, stream=side):
        with pytest.raises(ArrayError, match="check=False"):
            poincare.project(rows)
        doubled = rows * 2
    graph.replay()
    torch.cuda.synchronize()
    assert_array_equal(home(doubled), X * 2)
    assert_array_equal(home(poincare.project(rows)), poincare.project(X, backend="cuda"))


def test_nan_is_reported_with_checks():
    bad = tensor(ROWS)
    bad[5, 3] = torch.nan
    with pytest.raises(ArrayError, match="not finite"):
        dense.topk(tensor(QUERIES), bad, 3)
    with pytest.raises(ArrayError, match="x must be finite, got NaN or infinity in row 5"):
        poincare.project(bad)


def test_rows_beyond_4_gb_are_their_own():
    n, d = 1_500_000, 1024
    rows = torch.randn(n, d, device="cuda", generator=torch.Generator("cuda").manual_seed(7))
    places = torch.tensor([3, n // 2, n - 1])
    queries = rows[places].clone()
    assert [ids[0] for ids in dense.topk(queries, rows, 2)[1].tolist()] == places.tolist()
    found = hopfield.retrieve(queries, rows, beta=4.0)
    assert_allclose(home(found.output), home(queries), rtol=1e-4, atol=1e-4)


# Operator, its options, tensors that it takes.
OPERATORS = {
    "poincare.distance": ({}, (X, X[::-1])),
    "poincare.distances": ({}, (X[:5], X)),
    "cones.energy": ({"width": 0.1}, (X * 0.7, X[::-1] * 0.7)),
    "transe.score": ({"norm": 2}, (X, X[::-1], X * 0.5)),
    "hopfield.retrieve": ({"beta": 4.0}, (QUERIES, ROWS)),
    "fusemoe.gate": ({"k": 3}, (QUERIES, ROWS[:13])),
    "fusemoe.fuse": ({}, CASES["fusemoe.fuse"][1]),
    "maxsim.maxima": ({}, (QUERIES, ROWS, np.arange(0, 601, 12))),
}
each_operator = pytest.mark.parametrize("name", OPERATORS)


def operator(name):
    family, _, function = name.partition(".")
    return getattr(getattr(operators, family), function)


def loss_of(name, options):
    return lambda *given: sum(
        part.square().sum() for part in parts(operator(name)(*given, **options)) if part.is_floating_point()
    )


@each_operator
def test_an_operator_has_the_answer_and_the_gradient_of_the_cpu(name):
    options, arrays = OPERATORS[name]
    answers = []
    for device in ("cpu", "cuda"):
        given = [torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays]
        given = [each.requires_grad_(each.is_floating_point()) for each in given]
        loss = loss_of(name, options)(*given)
        loss.backward()
        answers.append([loss.detach().cpu(), *(each.grad.cpu() for each in given if each.grad is not None)])
    for near, far in zip(*answers, strict=True):
        assert_allclose(far.numpy(), near.numpy(), rtol=2e-3, atol=2e-3 * float(near.abs().max()))


@each_operator
def test_float64_is_computed_by_the_definition_there_too(name):
    options, arrays = OPERATORS[name]
    tensors = [tensor(array) for array in arrays]
    found = operator(name)(*(each.double() if each.is_floating_point() else each for each in tensors), **options)
    family, _, function = name.partition(".")
    wanted = getattr(getattr(kernels, family), function)(*arrays, backend="reference", **options)
    assert parts(found)[0].is_cuda and parts(found)[0].dtype == torch.float64
    assert_allclose(home(parts(found)[0]), parts(wanted)[0], rtol=1e-3, atol=1e-4)


@each_operator
def test_reduce_overhead_replays_an_operator(name):
    options, arrays = OPERATORS[name]
    given = [tensor(array) for array in arrays]
    torch.compiler.reset()
    counters = torch._dynamo.utils.counters
    counters.clear()
    plain = loss_of(name, options)
    run = torch.compile(plain, mode="reduce-overhead", fullgraph=True)
    with torch.no_grad():
        for _ in range(4):
            assert_allclose(run(*given).item(), plain(*given).item(), rtol=1e-5)
        for each in given:
            if each.is_floating_point():
                each.mul_(0.5)
        assert_allclose(run(*given).item(), plain(*given).item(), rtol=1e-5)
    assert counters["inductor"]["cudagraph_skips"] == 0
