"""Every operator: the same answer as its kernel, gradients, fake tensors, and compilation."""

import numpy as np
import pytest
from expectations import ball, unit_rows
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="torch is not installed")

from context_graph import kernels  # noqa: E402
from context_graph import torch as operators  # noqa: E402
from context_graph.errors import ArrayError  # noqa: E402
from tests.requirements import requirement  # noqa: E402

OFFSETS = np.array([0, 3, 3, 8])


def balls(rng):
    return [ball(rng, 6, 5, nearest_rim=0.05), ball(rng, 6, 5, nearest_rim=0.05)]


# The public function, its options, the operator behind it, and arrays that it takes.
CASES = {
    "poincare.distance": ({"curvature": 0.7}, "poincare_distance", balls),
    "poincare.distances": ({"curvature": 0.7}, "poincare_distances", balls),
    "cones.energy": ({"width": 0.1}, "cones_energy", balls),
    "transe.score": ({"norm": 2}, "transe_score", lambda rng: [unit_rows(rng, 6, 5) for _ in range(3)]),
    "hopfield.retrieve": (
        {"beta": 4.0},
        "hopfield_update",
        lambda rng: [unit_rows(rng, 3, 5), unit_rows(rng, 9, 5)],
    ),
    **{
        f"fusemoe.gate {kind}": (
            {"k": 3, "kind": kind, "temperature": 0.7, "present": None},
            "fusemoe_gate",
            lambda rng: [unit_rows(rng, 3, 5), unit_rows(rng, 6, 5)],
        )
        for kind in ("laplace", "softmax", "cosine")
    },
    "fusemoe.fuse": (
        {"bias": None},
        "fusemoe_fuse",
        lambda rng: [
            unit_rows(rng, 3, 5),
            rng.standard_normal((4, 6, 5)).astype(np.float32),
            np.array([[2, 0], [1, -1], [-1, -1]]),
            rng.random((3, 2), np.float32),
        ],
    ),
    "maxsim.maxima": ({}, "maxsim_maxima", lambda rng: [unit_rows(rng, 4, 5), unit_rows(rng, 8, 5), OFFSETS]),
}


@pytest.fixture
def rng():
    return np.random.default_rng(20261121)


@pytest.fixture(params=CASES)
def case(request, rng):
    """Public function, kernel, operator, tensors, options."""
    options, operator, arrays = CASES[request.param]
    family, name = request.param.partition(" ")[0].split(".")
    tensors = [torch.from_numpy(array) for array in arrays(rng)]
    return (
        getattr(getattr(operators, family), name),
        getattr(getattr(kernels, family), name),
        getattr(torch.ops.context_graph, operator),
        tensors,
        options,
    )


def floats(tensors):
    return [tensor for tensor in tensors if tensor.is_floating_point()]


def parts(found):
    """What has a gradient."""
    return tuple(part for part in (found if isinstance(found, tuple) else (found,)) if part.is_floating_point())


def test_the_answer_is_the_kernels_with_and_without_a_gradient(case):
    function, kernel, _, tensors, options = case
    wanted = kernel(*(tensor.numpy() for tensor in tensors), **options)
    wanted = [wanted.output, wanted.lse] if hasattr(wanted, "lse") else wanted
    wanted = [part for part in (wanted if isinstance(wanted, tuple | list) else [wanted]) if part.dtype == np.float32]
    for grad in (False, True):
        given = [tensor.clone().requires_grad_(grad and tensor.is_floating_point()) for tensor in tensors]
        for part, expected in zip(parts(function(*given, **options)), wanted, strict=True):
            assert part.dtype == torch.float32 and part.requires_grad == grad
            assert_array_equal(part.detach().numpy(), expected)


def test_gradients_agree_with_differences(case):
    function, _, _, tensors, options = case
    doubled = [t.double().requires_grad_() if t.is_floating_point() else t for t in tensors]

    def finite(*given):  # of an empty document -inf
        return tuple(part.clamp(min=-1e3) for part in parts(function(*given, **options)))

    assert torch.autograd.gradcheck(finite, doubled, eps=1e-6, atol=1e-5)


def test_float32_gradients_agree_with_those_of_float64(case):
    function, _, _, tensors, options = case
    grads = []
    for kind in (torch.float32, torch.float64):
        given = [t.detach().clone().to(kind).requires_grad_() if t.is_floating_point() else t for t in tensors]
        sum(part.clamp(min=-1e3).square().sum() for part in parts(function(*given, **options))).backward()
        grads.append([t.grad.numpy() for t in floats(given)])
    for single, double in zip(*grads, strict=True):
        assert_allclose(single, double, rtol=1e-3, atol=1e-4 * abs(double).max())


def test_the_operator_keeps_torchs_rules(case):
    *_, operator, tensors, options = case
    given = [t.clone().requires_grad_(t.is_floating_point()) for t in tensors]
    torch.library.opcheck(operator, (*given, *options.values()))


def test_a_compiled_function_gives_the_same_answer_and_gradient(case):
    function, _, _, tensors, options = case

    def loss(*given):
        return sum(part.clamp(min=-1e3).square().sum() for part in parts(function(*given, **options))) * 2

    answers = []
    torch.compiler.reset()  # or the other cases count against the limit of recompilations
    for run in (loss, torch.compile(loss, backend="aot_eager", fullgraph=True)):
        given = [t.clone().requires_grad_(t.is_floating_point()) for t in tensors]
        found = run(*given)
        found.backward()
        answers.append([found.detach(), *(t.grad for t in floats(given))])
    for eager, compiled in zip(*answers, strict=True):
        assert_allclose(compiled.numpy(), eager.numpy(), rtol=1e-5, atol=1e-6)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # inside torch
def test_torchs_own_compiler_takes_them(rng):
    """The default backend writes C++ and compiles it."""
    x, y = (torch.from_numpy(array) for array in balls(rng))

    def loss(x, y):
        states, _ = operators.hopfield.retrieve(x * 2, y, beta=3.0)
        return operators.poincare.distance(states * 0.5, y).sin().sum()

    given = x.clone().requires_grad_()
    found = torch.compile(loss, fullgraph=True)(given, y)
    found.backward()
    eager = x.clone().requires_grad_()
    loss(eager, y).backward()
    assert_allclose(found.detach(), loss(x, y), rtol=1e-5)
    assert_allclose(given.grad, eager.grad, rtol=1e-4, atol=1e-6)


def test_gradients_are_zero_where_no_direction_is_given():
    x = torch.tensor([[0.3, 0.1]], requires_grad=True)
    operators.poincare.distance(x, x.detach().clone()).sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0]]
    x.grad = None
    operators.transe.score(x, torch.zeros(1, 2), x.detach().clone()).sum().backward()
    assert x.grad.tolist() == [[0.0, 0.0]]
    x.grad = None
    operators.cones.energy(x, x.detach() * 2).sum().backward()  # inside
    operators.cones.energy(x, -x.detach()).sum().backward()  # straight behind
    assert x.grad.tolist() == [[0.0, 0.0]]


def test_norm_one_has_the_gradient_of_its_signs(rng):
    heads, relations, tails = (torch.from_numpy(unit_rows(rng, 4, 3)).requires_grad_() for _ in range(3))
    operators.transe.score(heads, relations, tails, norm=1).sum().backward()
    signs = torch.sign(heads + relations - tails).detach()
    assert torch.equal(heads.grad, -signs) and torch.equal(relations.grad, -signs) and torch.equal(tails.grad, signs)


def test_what_a_bias_and_absent_experts_do_to_gradients(rng):
    inputs, projections = torch.rand(3, 5, dtype=torch.float64), torch.rand(4, 6, 5, dtype=torch.float64)
    ids, weights = torch.tensor([[2, 0], [1, -1], [-1, -1]]), torch.rand(3, 2, dtype=torch.float64)
    bias = torch.rand(4, 6, dtype=torch.float64)
    given = [tensor.requires_grad_() for tensor in (inputs, projections, weights, bias)]

    def fused(inputs, projections, weights, bias):
        return operators.fusemoe.fuse(inputs, projections, ids, weights, bias=bias)

    assert torch.autograd.gradcheck(fused, given)
    x, experts = torch.rand(2, 5, dtype=torch.float64).requires_grad_(), torch.rand(4, 5, dtype=torch.float64)
    present = torch.tensor([True, False, True, False])

    def weighed(x):
        return operators.fusemoe.gate(x, experts, k=3, present=present)[0]

    assert torch.autograd.gradcheck(weighed, [x])
    assert operators.fusemoe.gate(x, experts, k=3, present=present)[1].unique().tolist() == [-1, 0, 2]


def test_steps_of_retrieval_follow_each_other(rng):
    queries, patterns = torch.from_numpy(unit_rows(rng, 3, 6)), torch.from_numpy(unit_rows(rng, 20, 6))
    straight, lse = operators.hopfield.retrieve(queries, patterns, beta=6.0, steps=3)
    traced, lse_too = operators.hopfield.retrieve(queries.clone().requires_grad_(), patterns, beta=6.0, steps=3)
    assert_allclose(traced.detach(), straight, rtol=1e-6, atol=1e-7)
    assert_allclose(lse_too.detach(), lse, rtol=1e-6)


@requirement("kernels:backends-refuse-alike")
@pytest.mark.parametrize("traced", [False, True])
def test_no_step_of_retrieval_is_refused_with_and_without_a_gradient(rng, traced):
    queries, patterns = torch.from_numpy(unit_rows(rng, 3, 6)), torch.from_numpy(unit_rows(rng, 20, 6))
    with pytest.raises(ArrayError, match="steps must be 1 or more, got 0"):
        operators.hopfield.retrieve(queries.requires_grad_(traced), patterns, beta=6.0, steps=0)


def test_weights_of_tokens_have_a_gradient(rng):
    query, tokens = torch.from_numpy(unit_rows(rng, 4, 5)), torch.from_numpy(unit_rows(rng, 8, 5))
    offsets, weights = torch.from_numpy(OFFSETS), torch.rand(4).requires_grad_()
    scores = operators.maxsim.score(query, tokens, offsets, weights=weights)
    assert_allclose(scores.detach(), kernels.maxsim.score(query, tokens, offsets, weights=weights.detach()), rtol=1e-6)
    scores[[0, 2]].sum().backward()
    best = kernels.maxsim.maxima(query, tokens, offsets)
    assert_allclose(weights.grad, best[0] + best[2], rtol=1e-6)


def test_an_unknown_family_is_an_attribute_error():
    with pytest.raises(AttributeError, match="families: cones"):
        _ = operators.blas
