"""The C interface: each function has Python's bits on every backend, and what it refuses is a code with words."""

import os
import re
import subprocess
from ctypes import c_char_p, c_double, c_float, c_int, c_int64, c_void_p, pointer
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from expectations import ball, edges, unit_rows

import context_graph
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
    sparse,
    transe,
)
from tests.native.calls import (
    Bm25,
    Documents,
    Edges,
    Inputs,
    Library,
    Projections,
    Query,
    Refused,
    Result,
    Rows,
    Rule,
    Settings,
    rows,
)
from tests.native.shared import FUNCTIONS, INCLUDE, LIBRARY, need, run, shared_library
from tests.requirements import requirement

CPU = {"scalar": 0, "avx2": 1, "avx512": 2}
INVALID, DOMAIN, UNAVAILABLE = 1, 2, 4
SAME_BITS = np.testing.assert_array_equal


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    need("gcc")
    return Library(shared_library(tmp_path_factory.mktemp("shared")))


@pytest.fixture(params=CPU)
def backend(request, library) -> str:
    """Which one both sides run."""
    if not backends()[request.param]["usable"]:
        pytest.skip(backends()[request.param]["reason"])
    library.call("set_backend", CPU[request.param])
    yield request.param
    library.call("set_backend", -1)


@pytest.fixture
def rng():
    return np.random.default_rng(20261124)


def floats(*shape: int) -> np.ndarray:
    return np.full(shape, np.nan, np.float32)


def choice(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    return floats(*shape), np.full(shape, -7)


@requirement("library:c-interface")
def test_every_function_of_the_headers_is_tested_here():
    named = set(re.findall(r'"(\w+)"', Path(__file__).read_text("utf-8"))) | {"message"}  # which calls.py reads
    assert {name.removeprefix("cgk_") for name in FUNCTIONS} - named == set()
    assert len(FUNCTIONS) > 40


@requirement("library:one-version")
def test_the_library_and_its_headers_have_the_version_of_the_package(library):
    assert library.plain("version", c_char_p).decode() == context_graph.__version__
    header = Path(context_graph.get_include(), "context_graph", "version.h").read_text("utf-8")
    assert f'#define CONTEXT_GRAPH_VERSION "{context_graph.__version__}"' in header
    assert re.findall(r"VERSION_\w+ (\d+)$", header, re.M) == context_graph.__version__.split(".")


@requirement("library:c-interface")
@pytest.mark.parametrize("element", ["float32", "float16", "bfloat16", "int8"])
def test_dense(library, backend, rng, element):
    queries, values = unit_rows(rng, 9, 70)[:, :65], unit_rows(rng, 301, 80)[:, :65]  # both lie apart
    mask = rng.integers(0, 2, 301).astype(np.uint8)
    scale = rng.uniform(0.5, 2, 301).astype(np.float32)
    bits = (values.view(np.uint32) >> 16).astype(np.uint16)
    here = {"bfloat16": bits, "int8": (values * 127).astype(np.int8)}.get(element)
    here = values.astype(element) if here is None else here
    there = here.view(ml_dtypes.bfloat16) if element == "bfloat16" else here
    out, (scores, ids) = floats(9, 301), choice(9, 5)
    library.call("dense_scores", rows(queries), rows(here), scale, out, 2)
    SAME_BITS(out, dense.scores(queries, there, scale=scale, backend=backend))
    library.call("dense_topk", rows(queries), rows(here), scale, 5, mask, scores, ids, 0)
    expected = dense.topk(queries, there, 5, scale=scale, mask=mask, backend=backend)
    SAME_BITS(scores, expected[0])
    SAME_BITS(ids, expected[1])


@requirement("library:c-interface")
def test_dense_pads_what_is_asked_for_beyond_the_rows(library, rng):
    scores, ids = choice(1, 4)
    library.call(
        "dense_topk",
        rows(np.ones((1, 2), np.float32)),
        rows(np.eye(2, dtype=np.float32)),
        None,
        4,
        None,
        scores,
        ids,
        1,
    )
    assert scores.tolist() == [[1, 1, -np.inf, -np.inf]] and ids.tolist() == [[0, 1, -1, -1]]


@requirement("library:c-interface")
@pytest.mark.parametrize("element", ["float32", "float16"])
def test_maxsim(library, backend, rng, element):
    query, tokens = unit_rows(rng, 7, 48), unit_rows(rng, 90, 48).astype(element)
    offsets = np.array([0, 20, 20, 61, 90])
    documents = Documents(rows(tokens), offsets, 4)
    weights, mask = rng.uniform(0, 2, 7).astype(np.float32), np.array([1, 1, 1, 0], np.uint8)
    out, (scores, ids) = floats(4, 7), choice(3)
    library.call("maxsim_maxima", rows(query), documents, out, 1)
    SAME_BITS(out, maxsim.maxima(query, tokens, offsets, backend=backend))
    library.call("maxsim_nearest", rows(query), documents, weights, 3, mask, scores, ids, 1)
    expected = maxsim.nearest(query, tokens, offsets, k=3, weights=weights, mask=mask, backend=backend)
    SAME_BITS(scores, expected[0])
    SAME_BITS(ids, expected[1])
    library.call("maxsim_nearest", rows(query), documents, None, 3, None, scores, ids, 1)
    SAME_BITS(scores, maxsim.nearest(query, tokens, offsets, k=3, backend=backend)[0])


@requirement("library:c-interface")
def test_hdc(library, backend):
    symbols = np.arange(30, dtype=np.uint64)
    vectors, other = np.zeros((30, 160), np.uint64), np.zeros((30, 160), np.uint64)
    library.call("hdc_items", symbols, 30, 5, vectors)
    SAME_BITS(vectors, hdc.items(symbols, seed=5))
    library.call("hdc_permute", vectors, 30, 11, other)
    SAME_BITS(other, hdc.permute(vectors, 11))
    bound = np.zeros_like(vectors)
    library.call("hdc_bind", vectors, other, 30, bound)
    SAME_BITS(bound, hdc.bind(vectors, other))
    majority = np.zeros(160, np.uint64)
    library.call("hdc_bundle", vectors, 30, 3, majority)
    SAME_BITS(majority, hdc.bundle(vectors, seed=3, backend=backend))
    offsets, encoded = np.array([0, 2, 30]), np.zeros((2, 160), np.uint64)
    library.call("hdc_encode", symbols, offsets, 2, 3, 5, encoded, 1)
    SAME_BITS(encoded, hdc.encode(symbols, offsets, ngram=3, seed=5, backend=backend))
    out = np.zeros((2, 30), np.int32)
    library.call("hdc_distances", encoded, 2, vectors, 30, out, 1)
    SAME_BITS(out, hdc.distances(encoded, vectors, backend=backend))
    near, ids, mask = np.zeros((2, 4), np.int32), np.zeros((2, 4), np.int64), np.ones(30, np.uint8)
    mask[7] = 0
    library.call("hdc_search", encoded, 2, vectors, 30, 4, mask, near, ids, 1)
    index = hdc.Index(backend=backend)
    index.append(vectors)
    expected = index.search(encoded, 4, mask=mask)
    SAME_BITS(near, expected[0])
    SAME_BITS(ids, expected[1])


@requirement("library:c-interface")
def test_poincare(library, backend, rng):
    c, x, y = 0.7, ball(rng, 40, 17), ball(rng, 40, 17)
    for name, function in (("poincare_distance", poincare.distance), ("poincare_distances", poincare.distances)):
        out = floats(40) if function is poincare.distance else floats(40, 40)
        library.call(name, rows(x), rows(y), c, out, 1)
        SAME_BITS(out, function(x, y, curvature=c, backend=backend))
    for name in ("poincare_exp_map", "poincare_log_map", "poincare_mobius_add"):
        out = floats(40, 17)
        library.call(name, rows(x), rows(y), c, out, 1)
        function = getattr(poincare, name.removeprefix("poincare_"))
        SAME_BITS(out, function(x, y, curvature=c, backend=backend))
    library.call("poincare_project", rows(3 * x), c, 0.01, out, 1)
    SAME_BITS(out, poincare.project(3 * x, curvature=c, eps=0.01, backend=backend))
    (near, ids), mask = choice(3, 5), rng.integers(0, 2, 40).astype(np.uint8)
    library.call("poincare_nearest", rows(x[:3]), rows(y), c, 5, mask, near, ids, 1)
    expected = poincare.nearest(x[:3], y, 5, curvature=c, mask=mask, backend=backend)
    SAME_BITS(near, expected[0])
    SAME_BITS(ids, expected[1])


@requirement("library:c-interface")
def test_cones(library, backend, rng):
    apexes, points = ball(rng, 50, 9), ball(rng, 50, 9)
    inside, energy, aperture = np.zeros(50, np.uint8), floats(50), floats(50)
    library.call("cones_contains", rows(apexes), rows(points), 0.4, inside, 1)
    SAME_BITS(inside, cones.contains(apexes, points, width=0.4, backend=backend))
    library.call("cones_energy", rows(apexes), rows(points), 0.4, energy, 1)
    SAME_BITS(energy, cones.energy(apexes, points, width=0.4, backend=backend))
    library.call("cones_aperture", rows(apexes), 0.4, aperture, 1)
    SAME_BITS(aperture, cones.aperture(apexes, width=0.4, backend=backend))
    out = np.zeros((3, 50), np.uint8)
    library.call("cones_ancestors", rows(points[:3]), rows(apexes), 0.4, out, 1)
    SAME_BITS(out, cones.ancestors(points[:3], apexes, width=0.4, backend=backend))
    library.call("cones_descendants", rows(apexes[:3]), rows(points), 0.4, out, 1)
    SAME_BITS(out, cones.descendants(apexes[:3], points, width=0.4, backend=backend))
    assert out.any() and not out.all()


@requirement("library:c-interface")
@pytest.mark.parametrize("norm", [1, 2])
def test_transe(library, backend, rng, norm):
    heads, relations, tails = (unit_rows(rng, 20, 33) for _ in range(3))
    out, (scores, ids) = floats(20), choice(2, 4)
    library.call("transe_score", rows(heads), rows(relations), rows(tails), norm, out, 1)
    SAME_BITS(out, transe.score(heads, relations, tails, norm=norm, backend=backend))
    mask = rng.integers(0, 2, 20).astype(np.uint8)
    library.call("transe_nearest", rows(heads[:2]), rows(relations[:2]), rows(tails), norm, 4, mask, scores, ids, 1)
    expected = transe.nearest(heads[:2], relations[:2], tails, 4, norm=norm, mask=mask, backend=backend)
    SAME_BITS(scores, expected[0])
    SAME_BITS(ids, expected[1])


@requirement("library:c-interface")
@pytest.mark.parametrize("shortlist", [0, 6])
def test_hopfield(library, backend, rng, shortlist):
    queries, patterns = unit_rows(rng, 4, 30), unit_rows(rng, 50, 30).astype(np.float16)
    mask = rng.integers(0, 2, 50).astype(np.uint8)
    output, lse, dropped = floats(4, 30), floats(4), floats(4)
    steps, converged = np.zeros(4, np.int64), np.full(4, 9, np.uint8)
    settings = Settings(8.0, 3, 1e-4, shortlist)
    result = Result(output, lse, steps, converged, dropped)
    library.call("hopfield_retrieve", rows(queries), rows(patterns), settings, mask, result, 1)
    expected = hopfield.retrieve(
        queries, patterns, beta=8.0, steps=3, tolerance=1e-4, mask=mask, shortlist=shortlist or None, backend=backend
    )
    for found, wanted in zip((output, lse, steps, converged, dropped), expected, strict=True):
        SAME_BITS(found, wanted)
    library.call("hopfield_retrieve", rows(queries), rows(patterns), settings, mask, Result(output), 1)
    energy = floats(4)
    library.call("hopfield_energy", rows(queries), rows(patterns), 8.0, mask, energy, 1)
    SAME_BITS(energy, hopfield.energy(queries, patterns, beta=8.0, mask=mask, backend=backend))


@requirement("library:c-interface")
@pytest.mark.parametrize("kind", ["laplace", "softmax", "cosine"])
def test_fusemoe(library, backend, rng, kind):
    x, experts = unit_rows(rng, 6, 20), unit_rows(rng, 5, 20)
    present = rng.integers(0, 2, (6, 5)).astype(np.uint8)
    weights, ids = choice(6, 3)
    number = ("laplace", "softmax", "cosine").index(kind)
    library.call("fusemoe_gate", rows(x), rows(experts), number, 3, 0.5, present, 5, weights, ids, 1)
    expected = fusemoe.gate(x, experts, k=3, kind=kind, temperature=0.5, present=present, backend=backend)
    SAME_BITS(weights, expected[0])
    SAME_BITS(ids, expected[1])
    projections, bias = rng.standard_normal((5, 8, 20)).astype(np.float16), unit_rows(rng, 5, 8)
    out = floats(6, 8)
    matrices = Projections(projections, 5, 8, 20, 1)
    library.call("fusemoe_fuse", Inputs(x, 6, 20, 0), matrices, bias, ids, weights, 3, out, 1)
    SAME_BITS(out, fusemoe.fuse(x, projections, ids, weights, bias=bias, backend=backend))


@pytest.fixture
def graph(library, backend, rng):
    """A graph on both sides."""
    offsets, targets = edges(rng, 60, 400)
    weights = rng.uniform(0, 1, 400).astype(np.float32)
    signals = rng.integers(0, 256, (3, 400)).astype(np.uint8)
    handle = c_void_p()
    library.call("graph_create", Edges(offsets, targets, 60), weights, *signals, pointer(handle))
    names = ("excitatory", "inhibitory", "modulatory")
    own = modulation.Graph(offsets, targets, weights, **dict(zip(names, signals, strict=True)), backend=backend)
    assert library.plain("graph_nodes", c_int64, handle) == 60 and library.plain("graph_edges", c_int64, handle) == 400
    yield handle, own
    library.plain("graph_destroy", None, handle)


@requirement("library:c-interface")
def test_modulation(library, graph, rng):
    handle, own = graph
    activation = rng.uniform(0, 1, 60).astype(np.float32)
    spread = activation.copy()
    library.call("modulation_spread", handle, spread, 3, c_float(0.25), 1)
    SAME_BITS(spread, own.spread(activation, steps=3, keep=0.25))
    ranks, done, change = floats(60), c_int(), c_double()
    library.call(
        "modulation_pagerank", handle, activation, c_float(0.85), 50, 1e-6, ranks, pointer(done), pointer(change), 1
    )
    expected = own.pagerank(activation, damping=0.85, iterations=50, tolerance=1e-6)
    SAME_BITS(ranks, expected[0])
    assert (done.value, change.value) == tuple(expected[1:])
    seeds, strengths, nodes = np.array([3, 40]), floats(5), np.zeros((5, 4), np.int64)
    library.call("modulation_strongest_paths", handle, seeds, None, 2, 3, 5, strengths, nodes)
    found = own.strongest_paths(seeds, hops=3, k=5)
    SAME_BITS(strengths, found[0])
    SAME_BITS(nodes, found[1])


@requirement("library:c-interface")
def test_effective_weight(library, backend, rng):
    base, signals, out = (
        rng.uniform(0, 1, 70).astype(np.float32),
        rng.integers(0, 256, (3, 70)).astype(np.uint8),
        floats(70),
    )
    library.call("modulation_effective_weight_bytes", base, *signals, 70, out, 1)
    SAME_BITS(out, modulation.effective_weight(base, *signals, backend=backend))
    numbers = (signals / 255).astype(np.float32)
    library.call("modulation_effective_weight", base, *numbers, 70, out, 1)
    SAME_BITS(out, modulation.effective_weight(base, *numbers, backend=backend))


@requirement("library:c-interface")
@pytest.mark.parametrize("kind", ["plain", "soft", "oja"])
def test_hebbian(library, backend, graph, rng, kind):
    handle, own = graph
    pre, post = rng.uniform(0, 1, (2, 60)).astype(np.float32)
    rule = Rule(("plain", "soft", "oja").index(kind), 0.1, 0.01, 0.0, 1.0, 1)
    settings = dict(rule=kind, rate=0.1, decay=0.01, normalise=True)
    library.call("hebbian_learn", handle, pre, post, rule, 1)
    hebbian.learn(own, pre, post, **settings)
    weights = floats(400)
    library.call("graph_weights", handle, weights)
    SAME_BITS(weights, own.weights)
    offsets, targets = edges(rng, 60, 400)
    mine, theirs = weights.copy(), weights.copy()
    library.call("hebbian_update", mine, Edges(offsets, targets, 60), pre, post, rule, 1)
    SAME_BITS(mine, hebbian.update(theirs, offsets, targets, pre, post, backend=backend, **settings))
    assert (mine != weights).any()


@pytest.fixture
def index(library, backend, rng):
    """An inverted index of 80 documents on both sides, two of which no longer count."""
    handle, own = c_void_p(), sparse.Index(backend=backend)
    library.call("sparse_create", pointer(handle))
    sizes = rng.integers(0, 12, 80)
    terms = np.concatenate([rng.choice(40, size, replace=False) for size in sizes])
    values = rng.integers(1, 5, len(terms)).astype(np.float32)
    library.call("sparse_append", handle, terms, values, sizes, 80)
    own.append(terms, values, sizes)
    gone = np.array([3, 70])
    library.call("sparse_set_live", handle, gone, 2, 0)
    own.discount(gone)
    yield handle, own
    library.plain("sparse_destroy", None, handle)


@requirement("library:c-interface")
@pytest.mark.parametrize("ranking", ["dot", "bm25"])
def test_sparse(library, index, rng, ranking):
    handle, own = index
    assert library.plain("sparse_size", c_int64, handle) == 80 and library.plain("sparse_live", c_int64, handle) == 78
    terms, weights = rng.permutation(40), rng.uniform(0, 1, 40).astype(np.float32)  # in no order, and summed in one
    df = np.zeros(40, np.int64)
    library.call("sparse_df", handle, terms, 40, df)
    SAME_BITS(df, own.df(terms))
    by = Bm25(0.9, 0.4) if ranking == "bm25" else None
    query, out, (scores, ids) = Query(terms, weights, 40), floats(80), choice(5)
    library.call("sparse_scores", handle, query, by, out, 80, 1)
    SAME_BITS(out, own.bm25(terms, weights, k1=0.9, b=0.4) if by else own.dot(terms, weights))
    mask = rng.integers(0, 2, 80).astype(np.uint8)
    library.call("sparse_search", handle, query, by, 5, mask, 80, scores, ids, 1)
    expected = own.search(terms, weights, 5, mask=mask, bm25=by is not None, k1=0.9, b=0.4)
    SAME_BITS(scores, expected[0])
    SAME_BITS(ids, expected[1])


ONES = np.ones((2, 3), np.float32)
NAN = np.full((2, 3), np.nan, np.float32)
OUT, IDS = floats(2, 3), np.zeros((2, 3), np.int64)
WRONG = {
    "no array": (INVALID, "queries must not be NULL", ["dense_topk", None, rows(ONES), None, 1, None, OUT, IDS, 1]),
    "no data": (INVALID, r"rows.data must not be NULL", ["dense_scores", rows(ONES), Rows(None, 2, 3), None, OUT, 1]),
    "another d": (INVALID, "same d, got 3 and 2", ["dense_scores", rows(ONES), rows(ONES[:, :2]), None, OUT, 1]),
    "a short stride": (
        INVALID,
        "at least the 12 bytes",
        ["dense_scores", rows(ONES), Rows(ONES, 2, 3, 8), None, OUT, 1],
    ),
    "an element": (
        INVALID,
        "one of cgk_element, got 7",
        ["dense_scores", rows(ONES), Rows(ONES, 2, 3, 0, 7), None, OUT, 1],
    ),
    "k": (INVALID, "k must lie in", ["dense_topk", rows(ONES), rows(ONES), None, -1, None, OUT, IDS, 1]),
    "no room": (INVALID, "out must not be NULL", ["dense_scores", rows(ONES), rows(ONES), None, None, 1]),
    "threads": (INVALID, "threads must be 0", ["dense_scores", rows(ONES), rows(ONES), None, OUT, -2]),
    "NaN": (
        DOMAIN,
        "queries must be finite, got NaN or infinity in row 0",
        ["dense_scores", rows(NAN), rows(ONES), None, OUT, 1],
    ),
    "NaN in rows": (DOMAIN, "not finite", ["dense_scores", rows(ONES), rows(NAN), None, OUT, 1]),
    "a norm": (INVALID, "norm must be", ["transe_score", rows(ONES), rows(ONES), rows(ONES), 3, OUT, 1]),
    "outside the ball": (DOMAIN, "inside the ball", ["poincare_distance", rows(ONES), rows(ONES), 1.0, OUT, 1]),
    "a curvature": (INVALID, "c must lie in", ["poincare_distance", rows(ONES), rows(ONES), 0.0, OUT, 1]),
    "a width": (INVALID, "width must be", ["cones_aperture", rows(ONES), float("nan"), OUT, 1]),
    "no patterns": (INVALID, "at least one row", ["hopfield_energy", rows(ONES), Rows(ONES, 0, 3), 1.0, None, OUT, 1]),
    "offsets": (
        INVALID,
        "must rise, got 2 before 1",
        ["maxsim_maxima", rows(ONES), Documents(rows(ONES), np.array([0, 2, 1]), 2), OUT, 1],
    ),
    "spare bits": (
        INVALID,
        "zeros after bit 9999",
        ["hdc_permute", np.full((1, 160), 2**63, np.uint64), 1, 1, np.zeros(160, np.uint64)],
    ),
    "a target": (
        INVALID,
        r"targets must lie in \[0, 1\), got 5",
        [
            "hebbian_update",
            ONES,
            Edges(np.array([0, 1]), np.array([5], np.uint32), 1),
            ONES,
            ONES,
            Rule(0, 0.1, 0.0, 0.0, 1.0, 0),
            1,
        ],
    ),
    "a backend": (INVALID, "one of cgk_backend", ["set_backend", 9]),
    "nowhere to go": (INVALID, "backend must not be NULL", ["get_backend", None]),
}


@requirement("library:errors-are-codes")
@pytest.mark.parametrize("what", WRONG)
def test_wrong_input_is_a_code_with_words(library, what):
    status, words, arguments = WRONG[what]
    with pytest.raises(Refused, match=words) as refused:
        library.call(*arguments)
    assert refused.value.status == status


@requirement("library:errors-are-codes")
def test_wrong_documents_and_terms_are_refused(library, index):
    handle, _ = index
    twice, ones = np.array([4, 4]), np.ones(2, np.float32)
    with pytest.raises(Refused, match="unique in a document, got one twice in document 1"):
        library.call("sparse_append", handle, np.array([4, 4, 4]), np.ones(3, np.float32), np.array([1, 2]), 2)
    with pytest.raises(Refused, match="n must be the number of documents, 80, got 79"):
        library.call("sparse_scores", handle, Query(twice, ones, 2), None, floats(79), 79, 1)
    library.call("sparse_append", handle, np.array([1]), -np.ones(1, np.float32), np.array([1]), 1)
    with pytest.raises(Refused, match="bm25 needs positive values"):
        library.call("sparse_scores", handle, Query(twice, ones, 2), Bm25(1.2, 0.75), floats(81), 81, 1)


@requirement("library:errors-are-codes")
def test_each_status_has_its_words(library):
    words = [library.plain("status_text", c_char_p, status).decode() for status in range(7)]
    assert len(set(words)) == 7 and words[0] == "no error" and words[6] == "no such status"


@requirement("library:dispatch")
def test_the_fastest_backend_answers_unless_another_is_named(library):
    usable = [name for name in CPU if backends()[name]["usable"]]
    now = c_int()
    library.call("get_backend", pointer(now))
    assert now.value == CPU[usable[-1]]
    for name, number in CPU.items():
        assert bool(library.plain("backend_usable", c_int, number)) == (name in usable)
        if name not in usable:
            with pytest.raises(Refused) as refused:
                library.call("set_backend", number)
            assert refused.value.status == UNAVAILABLE
    library.call("set_backend", 0)
    library.call("get_backend", pointer(now))
    assert now.value == 0
    library.call("set_backend", -1)


@requirement("library:dispatch")
def test_the_environment_names_a_backend_or_an_error(tmp_path):
    need("gcc")
    source = tmp_path / "main.c"
    source.write_text(
        "#include <context_graph.h>\n#include <stdio.h>\nint main(void) {\n"
        "    cgk_backend backend = CGK_BEST;\n    cgk_status status = cgk_get_backend(&backend);\n"
        "    const float one = 1;\n    float out;\n    const cgk_rows rows = {&one, 1, 1, 0, CGK_F32};\n"
        "    cgk_status used = cgk_dense_scores(&rows, &rows, 0, &out, 1);\n"
        '    printf("%d %d %d %s", (int)status, (int)used, (int)backend, cgk_message());\n    return 0;\n}\n',
        encoding="utf-8",
    )
    program = tmp_path / "main"
    run(
        "gcc",
        f"-I{INCLUDE}",
        source,
        LIBRARY / "libcontext_graph_kernels.a",
        "-lstdc++",
        "-lm",
        "-pthread",
        "-o",
        program,
    )

    def answer(asked: str) -> str:
        environment = os.environ | {"CONTEXT_GRAPH_BACKEND": asked}
        return subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stdout

    assert answer("scalar") == "0 0 0 "
    assert answer("cuda") == "4 4 -1 CONTEXT_GRAPH_BACKEND must be scalar, avx2 or avx512 for this library, got cuda"
