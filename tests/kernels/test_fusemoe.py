import numpy as np
import pytest
from expectations import EXACT, ODD_SIZES, REDUCTION, unit_rows
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError, BackendUnavailable
from context_graph.kernels import backends, fusemoe
from context_graph.kernels.reference import fusemoe as reference

KINDS = ["laplace", "softmax", "cosine"]
each_kind = pytest.mark.parametrize("kind", KINDS)


def experts_of(rng, e, dout, din, dtype=np.float32):
    return (rng.standard_normal((e, dout, din)) / np.sqrt(din)).astype(dtype)


@each_kind
@pytest.mark.parametrize("d", ODD_SIZES)
def test_the_gate_agrees_with_its_definition(backend, rng, d, kind):
    experts = unit_rows(rng, 13, d)
    for n in (1, 2, 5, 37):
        x = unit_rows(rng, n, d)
        weights, ids = fusemoe.gate(x, experts, kind=kind, temperature=0.7, backend=backend)
        assert weights.dtype == np.float32 and ids.dtype == np.int64 and weights.shape == ids.shape == (n, 4)
        scores = reference.scores(x, experts, kind=kind)
        chosen = np.take_along_axis(scores, ids, axis=1)
        assert_allclose(chosen, np.sort(scores, axis=1)[:, ::-1][:, :4], **REDUCTION)  # near ties may swap
        powers = np.exp((chosen - chosen.max(axis=1, keepdims=True)) / 0.7)
        assert_allclose(weights, powers / powers.sum(axis=1, keepdims=True), **REDUCTION)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(0, 20),
    e=st.integers(1, 30),
    d=st.integers(1, 40),
    k=st.integers(1, 8),
    kind=st.sampled_from(KINDS),
    each=st.booleans(),
)
def test_weights_add_up_to_one_with_k_of_the_present(backend, seed, n, e, d, k, kind, each):
    rng = np.random.default_rng(seed)
    x, experts = rng.standard_normal((n, d)).astype(np.float32), rng.standard_normal((e, d)).astype(np.float32)
    present = rng.random((n, e) if each else e) < 0.6
    weights, ids = fusemoe.gate(x, experts, k=k, kind=kind, temperature=10, present=present, backend=backend)
    here = np.broadcast_to(present, (n, e))
    kept = np.minimum(here.sum(axis=1), k)
    assert_array_equal((ids >= 0).sum(axis=1), kept)
    assert_array_equal((weights > 0).sum(axis=1), kept)
    assert_allclose(weights.astype(np.float64).sum(axis=1), kept > 0, atol=1e-6)
    assert (np.diff(weights, axis=1) <= 0).all()
    for i in range(n):
        chosen = ids[i, : kept[i]]
        assert here[i, chosen].all() and len(set(chosen)) == len(chosen)
        assert_array_equal(ids[i, kept[i] :], -1)


def test_an_input_at_a_centre_chooses_it(backend, rng):
    """Distances from an expanded square would lose a shift of 1e-3 at a length of 1e4."""
    centres = (1e4 + unit_rows(rng, 13, 100)).astype(np.float32)
    x = centres.copy()
    x[:, 0] += np.float32(0.001953125)
    weights, ids = fusemoe.gate(x, centres, temperature=0.01, backend=backend)
    assert_array_equal(ids[:, 0], np.arange(13))
    assert (weights[:, 0] > 0.999).all()


@each_kind
def test_ties_go_to_the_lowest_id(backend, kind):
    x, experts = np.ones((2, 5), np.float32), np.ones((9, 5), np.float32)
    weights, ids = fusemoe.gate(x, experts, kind=kind, backend=backend)
    assert ids.tolist() == [[0, 1, 2, 3]] * 2
    assert_array_equal(weights, 0.25)
    present = np.array([0, 1, 0, 0, 1, 1, 0, 1, 1], bool)
    assert fusemoe.gate(x, experts, kind=kind, present=present, backend=backend)[1][0].tolist() == [1, 4, 5, 7]


def test_fewer_experts_than_asked_for_are_padded(backend):
    x, experts = np.zeros((1, 2), np.float32), np.array([[3, 4], [0, 0]], np.float32)
    weights, ids = fusemoe.gate(x, experts, k=4, backend=backend)
    assert ids.tolist() == [[1, 0, -1, -1]] and weights[0, 2:].tolist() == [0, 0]
    nothing = fusemoe.gate(x, experts, k=2, present=np.zeros(2, bool), backend=backend)
    assert nothing[0].tolist() == [[0, 0]] and nothing[1].tolist() == [[-1, -1]]
    assert fusemoe.gate(x, experts[:0], k=2, backend=backend)[1].tolist() == [[-1, -1]]
    assert fusemoe.gate(x[:0], experts, k=2, backend=backend)[0].shape == (0, 2)
    assert fusemoe.gate(x, experts, k=0, backend=backend)[1].shape == (1, 0)


def test_a_zero_row_has_cosine_zero(backend):
    experts = np.array([[0, 0], [-1, 0], [1, 1]], np.float32)
    assert fusemoe.gate(np.zeros((1, 2), np.float32), experts, kind="cosine", backend=backend)[1][0, 0] == 0
    assert fusemoe.gate(np.array([[1, 0]], np.float32), experts, k=3, kind="cosine", backend=backend)[1].tolist() == [
        [2, 0, 1]
    ]


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("dout", "din"), [(1, 1), (3, 7), (65, 33), (130, 64), (9, 1536)])
def test_fusing_agrees_with_its_definition(backend, rng, dout, din, dtype):
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    projections, bias = experts_of(rng, 5, dout, din, dtype), unit_rows(rng, 5, dout)
    numbers = projections.astype(np.float32)
    for n, each in ((1, False), (3, True), (90, False), (90, True)):
        inputs = rng.standard_normal((n, 5, din) if each else (n, din)).astype(np.float32)
        ids = rng.integers(-1, 5, (n, 3))
        weights = rng.random((n, 3)).astype(np.float32)
        for plus in (None, bias):
            found = fusemoe.fuse(inputs, projections, ids, weights, bias=plus, backend=backend)
            assert found.dtype == np.float32 and found.shape == (n, dout)
            assert_allclose(found, reference.fuse(inputs, numbers, ids, weights, bias=plus), **REDUCTION)


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 12), dout=st.integers(1, 40), din=st.integers(1, 40))
def test_fusing_is_linear_in_the_weights_and_blind_to_their_order(backend, seed, n, dout, din):
    rng = np.random.default_rng(seed)
    projections = experts_of(rng, 6, dout, din)
    inputs = rng.standard_normal((n, din)).astype(np.float32)
    ids = np.array([rng.permutation(6)[:4] for _ in range(n)])
    weights = rng.random((n, 4)).astype(np.float32)
    found = fusemoe.fuse(inputs, projections, ids, weights, backend=backend)
    assert_array_equal(fusemoe.fuse(inputs, projections, ids, 2 * weights, backend=backend), 2 * found)
    assert_array_equal(fusemoe.fuse(inputs, projections, ids[:, ::-1], weights[:, ::-1], backend=backend), found)


def test_only_chosen_experts_are_read(backend, rng):
    projections = experts_of(rng, 4, 20, 30)
    projections[2] = np.nan
    inputs, ids = unit_rows(rng, 3, 30), np.array([[0, 1], [3, -1], [-1, -1]])
    found = fusemoe.fuse(inputs, projections, ids, np.ones((3, 2), np.float32), backend=backend)
    assert np.isfinite(found).all()
    assert_array_equal(found[2], 0)
    with pytest.raises(ArrayError, match="finite"):
        fusemoe.fuse(inputs, projections, np.full((3, 2), 2), np.ones((3, 2), np.float32), backend=backend)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("each", [False, True])
def test_rows_beside_one_change_no_bit_of_it(backend, rng, dtype, each):
    """Experts with none, one, a few and many rows, some twice in a row, and one whose matrix is no number."""
    if dtype == "bfloat16":
        dtype = pytest.importorskip("ml_dtypes").bfloat16
    projections, bias = experts_of(rng, 6, 41, 45, dtype), unit_rows(rng, 6, 41)
    projections[2] = np.nan
    ids = rng.choice([-1, 0, 0, 0, 1, 3], (60, 3))
    ids[17, 1], ids[20] = 5, -1
    inputs = rng.standard_normal((60, 6, 45) if each else (60, 45)).astype(np.float32)
    weights = rng.random((60, 3)).astype(np.float32)
    found = fusemoe.fuse(inputs, projections, ids, weights, bias=bias, backend=backend)
    assert_array_equal(found[20], 0)
    numbers = np.nan_to_num(projections.astype(np.float32))
    assert_allclose(found, reference.fuse(inputs, numbers, ids, weights, bias=bias), **REDUCTION)
    for some in (slice(0, 9), slice(9, 60), slice(None, None, 3)):
        fewer = fusemoe.fuse(inputs[some], projections, ids[some], weights[some], bias=bias, backend=backend)
        assert_allclose(fewer, found[some], **(REDUCTION if backend == "reference" else EXACT))
    broken = inputs.copy()
    broken[33, ..., 7] = np.inf
    with pytest.raises(ArrayError, match="finite"):
        fusemoe.fuse(broken, projections, ids, weights, backend=backend)


def test_more_pairs_than_are_taken_at_once_change_no_bit(backend, rng):
    projections, weights = experts_of(rng, 4, 3, 5), rng.random((9, 2000)).astype(np.float32)
    ids, inputs = rng.integers(0, 4, (9, 2000)), rng.standard_normal((9, 5)).astype(np.float32)
    found = fusemoe.fuse(inputs, projections, ids, weights / 100, backend=backend)
    assert_allclose(found, reference.fuse(inputs, projections, ids, weights / 100), rtol=1e-4, atol=1e-4)
    first = fusemoe.fuse(inputs[:8], projections, ids[:8], weights[:8] / 100, backend=backend)
    assert_allclose(found[:8], first, **(REDUCTION if backend == "reference" else EXACT))


@each_kind
def test_threads_and_batches_change_no_bit(backend, rng, kind):
    x, experts = unit_rows(rng, 700, 260), unit_rows(rng, 13, 260)
    one, two, three = (fusemoe.gate(x, experts, kind=kind, backend=backend, threads=t) for t in (1, 2, 3))
    alone = [fusemoe.gate(x[i : i + 1], experts, kind=kind, backend=backend) for i in range(0, 700, 50)]
    for part in (0, 1):
        assert_array_equal(one[part], two[part])
        assert_array_equal(one[part], three[part])
        assert_array_equal(one[part][::50], np.concatenate([answer[part] for answer in alone]))
    weights, ids = one
    projections = experts_of(rng, 13, 97, 260)
    results = [fusemoe.fuse(x, projections, ids, weights, backend=backend, threads=t) for t in (1, 2, 3)]
    assert_array_equal(results[0], results[1])
    assert_array_equal(results[0], results[2])
    for i in range(0, 700, 50):
        one_row = slice(i, i + 1)
        single = fusemoe.fuse(x[one_row], projections, ids[one_row], weights[one_row], backend=backend)
        tensor_cores = backend == "cuda"  # which take a batch's sums in another order than a single row's
        assert_allclose(results[0][one_row], single, **(REDUCTION if tensor_cores else EXACT))


def test_rows_that_lie_apart_give_the_same_answer(backend, rng):
    wide = unit_rows(rng, 40, 64)
    for view in (wide[:, 8:28], wide[::3, :20], wide[::-1, :20], np.asfortranarray(wide)[:, :20]):
        found = fusemoe.gate(view[:3], view[3:], backend=backend)
        wanted = fusemoe.gate(np.ascontiguousarray(view[:3]), np.ascontiguousarray(view[3:]), backend=backend)
        assert_array_equal(found[0], wanted[0])
        assert_array_equal(found[1], wanted[1])
    projections = experts_of(rng, 4, 20, 30)
    ids, weights = np.array([[1, 3]]), np.ones((1, 2), np.float32)
    assert_array_equal(
        fusemoe.fuse(wide[:1, :15].repeat(2, 1)[:, ::-1], projections[:, ::-1], ids, weights, backend=backend),
        fusemoe.fuse(
            np.ascontiguousarray(wide[:1, :15].repeat(2, 1)[:, ::-1]),
            np.ascontiguousarray(projections[:, ::-1]),
            ids,
            weights,
            backend=backend,
        ),
    )


@each_kind
def test_the_quick_way_answers_as_the_careful_way(rng, kind, monkeypatch):
    fastest = next(name for name in ("avx512", "avx2", "scalar") if backends()[name]["usable"])
    wide, experts = unit_rows(rng, 60, 64), unit_rows(rng, 13, 20)
    each, same = rng.random((60, 13)) < 0.5, np.ones(13, np.uint8)
    for view in (wide[:, 8:28], wide[::3, :20], wide[::-1, :20], wide[:1, :20], wide[:0, :20]):
        for present in (None, same, each[: len(view)], each[: len(view), ::-1]):
            options = {"k": 3, "kind": kind, "temperature": 0.3, "present": present}
            with monkeypatch.context() as environment:
                environment.setenv("CONTEXT_GRAPH_BACKEND", fastest)
                careful = fusemoe.gate(view, experts, **options)
            for named in ({}, {"threads": 1}, {"backend": fastest, "threads": 2}):
                quick = fusemoe.gate(view, experts, **named, **options)
                for found, wanted in zip(quick, careful, strict=True):
                    assert found.dtype == wanted.dtype
                    assert_array_equal(found, wanted)


def test_torch_in_is_torch_out(rng):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x, experts, projections = unit_rows(rng, 3, 20), unit_rows(rng, 13, 20), experts_of(rng, 13, 9, 20)
    for options in ({}, {"backend": "scalar"}):
        weights, ids = fusemoe.gate(torch.from_numpy(x), torch.from_numpy(experts), **options)
        assert isinstance(weights, torch.Tensor) and ids.dtype == torch.int64
        wanted = fusemoe.gate(x, experts, **options)
        assert_array_equal(weights.numpy(), wanted[0])
        assert_array_equal(ids.numpy(), wanted[1])
        fused = fusemoe.fuse(torch.from_numpy(x), torch.from_numpy(projections), ids, weights, **options)
        assert_array_equal(fused.numpy(), fusemoe.fuse(x, projections, *wanted[::-1], **options))


@each_kind
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused(backend, bad, kind):
    """A gate on NaN elsewhere chooses one expert k times, or one that does not exist."""
    rows = np.ones((6, 5), np.float32)
    broken = rows.copy()
    broken[3, 2] = bad
    with pytest.raises(ArrayError, match=r"x must be finite, got NaN or infinity at \[3, 2\]"):
        fusemoe.gate(broken, rows, kind=kind, backend=backend)
    with pytest.raises(ArrayError, match=r"experts must be finite, got NaN or infinity at \[3, 2\]"):
        fusemoe.gate(rows, broken, kind=kind, backend=backend)
    with pytest.raises(ArrayError, match="finite"):
        fusemoe.fuse(broken, rows[None], np.zeros((6, 1), int), np.ones((6, 1), np.float32), backend=backend)


def test_messages_say_what_was_expected_what_came_and_what_to_do():
    rows = np.ones((4, 3), np.float32)
    with pytest.raises(ArrayError, match=r"x must have dtype float32, got float64; cast it with x\.astype"):
        fusemoe.gate(rows.astype(np.float64), rows)
    with pytest.raises(ArrayError, match=r"x must have shape \(rows, d\), got \(3,\); for one row use x\[None, :\]"):
        fusemoe.gate(rows[0], rows)
    with pytest.raises(ArrayError, match="x and experts must have the same number of columns, got 3 and 2"):
        fusemoe.gate(rows, rows[:, :2])
    with pytest.raises(ArrayError, match="kind must be one of laplace, softmax, cosine, got 'gaussian'"):
        fusemoe.gate(rows, rows, kind="gaussian")
    with pytest.raises(ArrayError, match="k must be 0 or more, got -1"):
        fusemoe.gate(rows, rows, k=-1)
    for temperature in (0, -1, np.nan, np.inf):
        with pytest.raises(ArrayError, match="temperature must be finite and above 0"):
            fusemoe.gate(rows, rows, temperature=temperature)
    with pytest.raises(ArrayError, match=r"present must be bool or uint8 with shape \(4,\) or \(4, 4\), got bool with"):
        fusemoe.gate(rows, rows, present=np.ones(3, bool))
    with pytest.raises(ArrayError, match=r"present must be bool or uint8 .* got int64"):
        fusemoe.gate(rows, rows, present=np.ones(4, np.int64))
    with pytest.raises(ArrayError, match="threads must be at least 1, got 0"):
        fusemoe.gate(rows, rows, threads=0)
    with pytest.raises(BackendUnavailable, match=r"fusemoe\.gate has no backend 'cuda' .*usable: .*reference"):
        fusemoe.gate(rows, rows, backend="cuda")
    projections, ids, weights = np.ones((2, 5, 3), np.float32), np.zeros((4, 1), int), np.ones((4, 1), np.float32)
    with pytest.raises(ArrayError, match=r"projections must have shape \(e, dout, din\), got \(5, 3\)"):
        fusemoe.fuse(rows, projections[0], ids, weights)
    with pytest.raises(ArrayError, match=r"inputs must have shape \(n, 3\) or \(n, 2, 3\), got \(4, 2\)"):
        fusemoe.fuse(rows[:, :2], projections, ids, weights)
    with pytest.raises(ArrayError, match=r"ids must lie in \[-1, 2\), got 0 to 2"):
        fusemoe.fuse(rows, projections, np.array([[0], [0], [2], [0]]), weights)
    with pytest.raises(ArrayError, match=r"ids must be integers with the shape of weights, \(4, 1\), got float32"):
        fusemoe.fuse(rows, projections, weights, weights)
    with pytest.raises(ArrayError, match="inputs and ids must have the same number of rows, got 2 and 4"):
        fusemoe.fuse(rows[:2], projections, ids, weights)
    with pytest.raises(ArrayError, match=r"bias must have shape \(e, dout\) = \(2, 5\), got \(2, 3\)"):
        fusemoe.fuse(rows, projections, ids, weights, bias=rows[:2])
