"""Calls on a GPU in the order of a stream: what they ask of the runtime is counted, and a graph captures them.

`test_arrays.py` runs this with the emulated module, which counts, captures, and refuses what a capture refuses.
"""

import ctypes
import gc
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from device_arrays import CASES, QUERIES, ROWS, Far, FarTensor, X, Y, far, farpy, on_device  # noqa: F401
from device_indexes import CASES as INDEXES
from device_indexes import filled
from numpy.testing import assert_allclose, assert_array_equal

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import backends, cuda_stream, dense, hebbian, hopfield, maxsim, poincare

pytestmark = pytest.mark.skipif(not hasattr(ctypes.CDLL(_core.__file__), "emulator_counted"), reason="no emulator")

DeviceArray = _core.DeviceArray
COUNTED = ("launches", "waits", "allocations", "borrowed", "growths", "orders")
LEGACY = 1


class Nameless(Far):
    """Of a library without from_dlpack: answers stay our own."""


def emulator(name, result=ctypes.c_size_t):
    function = getattr(ctypes.CDLL(_core.__file__), f"emulator_{name}")
    function.restype = result
    return lambda *arguments: function(*(ctypes.c_size_t(argument) for argument in arguments))


def counts():
    return np.array([emulator("counted")(what) for what in range(len(COUNTED))])


def asked(call):
    """What a call asked of the runtime, beside its answer."""
    gc.collect()  # arrays of other tests go now
    before = counts()
    found = call()
    return SimpleNamespace(found=found, **dict(zip(COUNTED, (counts() - before).tolist(), strict=True)))


@pytest.fixture
def stream():
    return emulator("stream")()


def numpy(found):
    return tuple(map(numpy, found)) if isinstance(found, tuple) else found.numpy()


EDGES = (
    np.float32([0.5, 0.25, 0.5]),
    np.array([0, 2, 3]),
    np.array([0, 1, 0]),
    np.float32([1, 0.5]),
    np.float32([0.25, 1]),
)


def _of_tokens():
    index = maxsim.Index(48, keep="float32", backend="cuda")
    index.append(ROWS, np.full(50, 12))
    return index


def calls():
    """Name: what makes a call with arrays that lie on the GPU."""
    yield "hebbian.update", lambda: (lambda *given: hebbian.update(*given, rate=0.5), list(map(far, EDGES)), {})
    for name, (function, arrays, options) in CASES.items():
        yield name, lambda f=function, a=arrays, o=options: (f, [far(array) for array in a], on_device(o))
    yield "maxsim index", lambda: (_of_tokens().search, [far(QUERIES)], {"k": 3})
    for name, (_, _, _, queries, search, _) in INDEXES.items():
        yield f"{name} index", lambda n=name, q=queries, s=search: (getattr(filled(n), s), [far(q)], {"k": 7})


CALLS = dict(calls())
each_call = pytest.mark.parametrize("name", CALLS)


@each_call
def test_a_call_neither_waits_nor_allocates_and_with_checks_waits_once(name, stream):
    function, arrays, options = CALLS[name]()
    with cuda_stream(stream, check=False):
        for _ in range(2):
            found = function(*arrays, **options)
        one = asked(lambda: function(*arrays, **options))
    assert (one.waits, one.allocations, one.growths) == (0, 0, 0)
    assert one.launches > 0
    with cuda_stream(stream):
        function(*arrays, **options)
        other = asked(lambda: function(*arrays, **options))
    # Between two steps it copies which queries have converged, and waits for the copy.
    waits = 3 if options.get("steps", 1) > 1 else 1
    assert (other.waits, other.allocations, other.growths, other.launches) == (waits, 0, 0, one.launches)
    for each, same in zip(_parts(one.found), _parts(other.found), strict=True):
        assert_array_equal(each, same)
    del found


def _parts(found):
    return numpy(found) if isinstance(found, tuple) else (numpy(found),)


def launched_on():
    return emulator("launched_on")() or LEGACY


def test_a_call_runs_on_the_stream_that_its_first_array_names(stream):
    for named, wanted in ((None, LEGACY), (LEGACY, LEGACY), (stream, stream)):
        poincare.project(Far(DeviceArray.upload(X), named))
        assert launched_on() == wanted


def test_a_call_runs_on_the_current_stream_of_the_arrays_library(stream, monkeypatch):
    current = SimpleNamespace(current_stream=lambda device: SimpleNamespace(cuda_stream=stream + device))
    for library in (current, SimpleNamespace(get_current_stream=lambda: SimpleNamespace(ptr=stream))):
        monkeypatch.setattr(sys.modules["farpy"], "cuda", library, raising=False)
        given = far(X, FarTensor)
        poincare.project(given)
        assert launched_on() == stream and given.asked[-1] == stream


def test_a_stream_that_is_given_comes_first(stream):
    other = emulator("stream")()
    torch, cupy = SimpleNamespace(cuda_stream=stream), SimpleNamespace(ptr=stream)
    for given in (stream, torch, cupy, SimpleNamespace(__cuda_stream__=lambda: (0, stream))):
        with cuda_stream(given):
            poincare.project(Far(DeviceArray.upload(X), other))
            assert launched_on() == stream
            dense.topk(QUERIES, ROWS, 3, backend="cuda")  # of NumPy arrays too
            assert launched_on() == stream
            with cuda_stream(check=False):
                poincare.project(far(X))
                assert launched_on() == stream
    poincare.project(far(X))
    assert launched_on() == LEGACY
    with pytest.raises(ArrayError, match="stream must be a CUDA stream or its address, got 'torch'"):
        cuda_stream("torch").__enter__()


def test_work_of_other_streams_comes_before_without_waiting(stream):
    other = emulator("stream")()
    arrays = Nameless(DeviceArray.upload(X), stream), Nameless(DeviceArray.upload(Y), other)
    with cuda_stream(check=False):
        call = asked(lambda: poincare.distance(*arrays))
    assert (call.orders, call.waits) == (1, 0) and launched_on() == stream


def test_an_answer_says_which_stream_still_writes_it(stream):
    other = emulator("stream")()
    assert poincare.project(Nameless(DeviceArray.upload(X), stream)).stream is None  # the call has waited
    with cuda_stream(stream, check=False):
        found = poincare.project(Nameless(DeviceArray.upload(X)))
    assert found.stream == found.__cuda_array_interface__["stream"] == stream
    assert asked(lambda: found.__dlpack__(stream=stream)).orders == 0
    assert asked(lambda: found.__dlpack__(stream=-1)).orders == 0
    assert asked(lambda: found.__dlpack__(stream=other)).orders == 1
    assert asked(lambda: found.__dlpack__()).orders == 1  # the legacy default stream
    with cuda_stream(other, check=False):
        assert asked(lambda: poincare.project(found)).orders == 1
    assert_array_equal(found.numpy(), poincare.project(X, backend="cuda"))


def test_memory_that_another_stream_may_read_goes_back_when_the_device_is_done(stream):
    given = Nameless(DeviceArray.upload(X), stream)
    for lend, waits in ((None, 0), (stream, 0), (emulator("stream")(), 1)):
        found = poincare.project(given)
        taken = None if lend is None else found.__dlpack__(stream=lend)
        del taken
        before = counts()
        del found
        assert (counts() - before)[COUNTED.index("waits")] == waits


def test_without_checks_nothing_is_reported(stream):
    bad = ROWS.copy()
    bad[5, 3] = np.nan
    arrays = far(QUERIES), far(bad)
    with cuda_stream(stream):
        with pytest.raises(ArrayError, match="not finite"):
            dense.topk(*arrays, 3)
        with cuda_stream(check=False):
            dense.topk(*arrays, 3)
        with pytest.raises(ArrayError, match="not finite"):
            dense.topk(*arrays, 3)


def captured(stream, call):
    """The executable graph of a call, 0 where the capture broke, and its answer or error."""
    assert emulator("begin", ctypes.c_int)(stream) == 0
    try:
        found = call()
    except (ArrayError, RuntimeError) as error:
        found = error
    return emulator("end")(stream), found


@each_call
def test_a_graph_captures_a_call_and_replays_it_with_other_numbers(name, stream):
    function, arrays, options = CALLS[name]()
    with cuda_stream(stream, check=False):
        function(*arrays, **options)
        graph, found = captured(stream, lambda: function(*arrays, **options))
    assert graph, found
    for array in arrays:  # the numbers of other rows
        if (numbers := array.numpy()).ndim == 2 or numbers.dtype == np.float32:
            _overwrite(array.kept, numbers[::-1])
    assert emulator("replay", ctypes.c_int)(graph, stream) == 0
    wanted = function(*arrays, **options)
    for each, same in zip(_parts(found), _parts(wanted), strict=True):
        assert_array_equal(each, same)
    emulator("forget", None)(graph)


def _overwrite(kept, numbers):
    """Device memory is memory of the host here."""
    source = np.ascontiguousarray(numbers)
    ctypes.memmove(kept.__cuda_array_interface__["data"][0], source.ctypes.data, source.nbytes)


def test_what_a_graph_writes_lives_as_long_as_the_graph(stream):
    rows = far(X)
    with cuda_stream(stream, check=False):
        poincare.project(rows)
        before = emulator("allocations")()
        graph, found = captured(stream, lambda: poincare.project(poincare.project(rows)))
        del found
        poincare.project(rows)
        assert (
            emulator("allocations")() == before + 4
        )  # both answers, and the flags of both calls, which the graph owns
        assert emulator("replay", ctypes.c_int)(graph, stream) == 0
        emulator("forget", None)(graph)
        poincare.project(rows)
    assert emulator("allocations")() == before


def test_arrays_may_go_while_a_stream_is_captured(stream):
    rows = far(X)
    with cuda_stream(stream, check=False):
        held = [poincare.project(rows)]
        graph, found = captured(stream, lambda: (held.clear(), poincare.project(rows)))
    assert graph and emulator("replay", ctypes.c_int)(graph, stream) == 0
    assert_array_equal(found[1].numpy(), poincare.project(X, backend="cuda"))
    emulator("forget", None)(graph)


def test_a_capture_refuses_what_can_not_be_in_a_graph(stream):
    rows = far(X)
    with cuda_stream(stream):
        poincare.project(rows)
        graph, found = captured(stream, lambda: poincare.project(rows))
        assert isinstance(found, ArrayError) and "check=False" in str(found)
        assert graph  # it was not broken, and is empty
        emulator("forget", None)(graph)
        with cuda_stream(check=False):
            graph, found = captured(stream, lambda: poincare.project(X, backend="cuda"))
            assert (
                isinstance(found, RuntimeError) and not graph and "all lie on the device" in str(found)
            )  # NumPy's memory
    graph, found = captured(stream, lambda: poincare.project(rows))
    assert isinstance(found, RuntimeError) and not graph  # the legacy default stream
    assert backends()["cuda"]["usable"]
    assert_array_equal(poincare.project(rows).numpy(), poincare.project(X, backend="cuda"))


def test_a_query_that_has_converged_stays_where_it_is_in_the_steps_that_nobody_looks_at(stream):
    patterns = np.eye(4, dtype=np.float32)
    queries = np.float32([[1, 0, 0, 0], [0.53, 0.47, 0, 0], [0.9, 0.3, 0, 0]])
    how = {"beta": 8.0, "steps": 12, "tolerance": 0.05}
    wanted = hopfield.retrieve(queries, patterns, **how, backend="reference")
    assert len(set(wanted.steps.tolist())) > 1 and wanted.steps.max() < 12
    with cuda_stream(stream, check=False):
        found = hopfield.retrieve(far(queries), far(patterns), **how)
    assert_array_equal(found.steps.numpy(), wanted.steps)
    assert_array_equal(found.converged.numpy(), wanted.converged)
    assert_allclose(found.output.numpy(), wanted.output, rtol=1e-5, atol=1e-6)
