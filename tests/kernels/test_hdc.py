import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import hdc
from context_graph.kernels.reference import hdc as reference

SEEDS = st.integers(0, 2**64 - 1)


def test_items_follow_the_counter():
    symbols = np.array([0, 1, 2**64 - 1], np.uint64)
    for seed in (0, 5, 2**64 - 1):
        assert_array_equal(reference.bits(hdc.items(symbols, seed=seed)), reference.items(symbols, seed))


@pytest.mark.parametrize("by", [0, 1, 15, 16, 17, 63, 64, 65, 5000, 9999, 10_000, -1, -77])
def test_permute_rolls_ten_thousand_bits(backend, by):
    x = hdc.items(np.arange(3), seed=1)
    rolled = hdc.permute(x, by, backend=backend)
    assert_array_equal(reference.bits(rolled), np.roll(reference.bits(x), by, axis=1))
    assert_array_equal(hdc.permute(rolled, -by, backend=backend), x)


def test_bind_is_exclusive_or_with_as_many_vectors_or_with_one(backend):
    x, y = hdc.items(np.arange(5), seed=1), hdc.items(np.arange(5, 10), seed=1)
    for left, right in ((x, y), (x, y[:1]), (x[:1], y), (x[:1], y[:1]), (x[:0], y[:0]), (x[:1], y[:0])):
        assert_array_equal(hdc.bind(left, right, backend=backend), left ^ right)
    with pytest.raises(ArrayError, match="x and y must have as many vectors, or one of them one, got 5 and 2"):
        hdc.bind(x, y[:2], backend=backend)


@settings(max_examples=30, deadline=None)
@given(a=SEEDS, b=SEEDS, by=st.integers(-20_000, 20_000))
def test_binding_twice_gives_the_original_back_and_keeps_distance(a, b, by):
    x, y, z = (hdc.items(np.array([s], np.uint64), seed=9) for s in (a, b, 77))
    assert_array_equal(hdc.bind(hdc.bind(x, y), y), x)
    assert_array_equal(hdc.hamming(hdc.bind(x, z), hdc.bind(y, z)), hdc.hamming(x, y))
    assert_array_equal(hdc.hamming(hdc.permute(x, by), hdc.permute(y, by)), hdc.hamming(x, y))


def majority(x, seed):
    return reference.words(reference.bundle(reference.bits(x), seed)[None])[0]


@pytest.mark.parametrize(
    "n", [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 101, 127, 128, 129, 255, 256, 257, 1000]
)
def test_a_bundle_is_the_majority(backend, n):
    x = hdc.items(np.arange(n), seed=2)
    assert_array_equal(hdc.bundle(x, seed=4, backend=backend), majority(x, 4))
    assert_array_equal(hdc.bundle(x, seed=2**64 - 1, backend=backend), majority(x, 2**64 - 1))


@pytest.mark.parametrize("n", [1, 2, 7, 8, 63, 64, 65, 128, 255, 256])
def test_a_bundle_of_equal_vectors_is_that_vector(backend, n):
    one = hdc.items([9], seed=2)
    assert_array_equal(hdc.bundle(np.repeat(one, n, axis=0), backend=backend), one[0])
    ones = np.packbits(np.arange(64 * hdc.WORDS) < hdc.BITS, bitorder="little").view("<u8")[None]
    assert_array_equal(hdc.bundle(np.repeat(ones, n, axis=0), backend=backend), ones[0])
    assert not hdc.bundle(np.zeros((n, hdc.WORDS), np.uint64), backend=backend).any()


@pytest.mark.parametrize("n", [2, 8, 16, 64, 66, 100, 256])
def test_even_votes_go_to_the_vector_of_the_seed(backend, n):
    x = hdc.items(np.arange(n), seed=2)
    x[n // 2 :] = x[: n // 2] ^ hdc.bundle(x[:0], seed=1)  # even where that vector has ones, among others
    assert_array_equal(hdc.bundle(x, seed=5, backend=backend), majority(x, 5))


def test_bundles_are_alike_wherever_their_vectors_lie(backend):
    x = hdc.items(np.arange(140), seed=3)
    wanted = majority(x[:70], 0)
    for start in range(8):  # words after the start of a cache line
        room = np.zeros(x.size + 8, np.uint64)
        moved = room[start : start + 70 * hdc.WORDS].reshape(70, hdc.WORDS)
        moved[:] = x[:70]
        assert_array_equal(hdc.bundle(moved, backend=backend), wanted)
    for rows in (np.repeat(x[:70], 2, axis=0)[::2], np.asfortranarray(x[:70])):
        assert_array_equal(hdc.bundle(rows, backend=backend), wanted)
    assert_array_equal(hdc.bundle(x[:70], seed=np.uint64(0), backend=backend), wanted)


def test_a_bundle_is_near_its_members(backend):
    x = hdc.items(np.arange(30), seed=3)
    together = hdc.bundle(x[:15], backend=backend)
    near = hdc.distances(together[None], x, backend=backend)[0]
    assert near[:15].max() < near[15:].min()


@pytest.mark.parametrize("ngram", [1, 2, 3, 5, 16])
def test_encode_bundles_ngrams(backend, ngram):
    symbols = np.random.default_rng(4).integers(0, 20, 150)
    offsets = np.array([0, 0, 1, 3, 6, 80, 150])
    wanted = reference.words(reference.encode(symbols.astype(np.uint64), offsets, ngram=ngram, seed=6))
    found = hdc.encode(symbols, offsets, ngram=ngram, seed=6, backend=backend)
    assert_array_equal(found, wanted)


def test_encode_tells_order_apart_and_survives_a_typo():
    texts = [
        "the quick brown fox jumps over it",
        "the quick brwon fox jumps over it",
        "it over jumps fox brown quick the",
    ]
    symbols = np.concatenate([[ord(c) for c in text] for text in texts])
    offsets = np.cumsum([0] + [len(text) for text in texts])
    codes = hdc.encode(symbols, offsets)
    typo, reordered = hdc.distances(codes[:1], codes[1:])[0]
    assert typo < reordered < 5200


@pytest.mark.parametrize(("n", "q"), [(0, 3), (1, 5), (300, 3), (303, 9)])  # alone, and four queries with four rows
def test_distances_and_search_agree_with_the_definition(backend, n, q):
    rows, queries = hdc.items(np.arange(n), seed=5), hdc.items(np.arange(n, n + q), seed=5)
    rows[200:220] = rows[100:101] if n else rows[200:220]  # ties
    wanted = reference.hamming(reference.bits(queries), reference.bits(rows))
    assert_array_equal(hdc.distances(queries, rows, backend=backend), wanted)
    index = hdc.Index(backend=backend)
    index.append(rows[: n // 2])
    index.append(rows[n // 2 :])
    assert len(index) == n and index.nbytes == n * 1280
    mask = np.arange(n) % 3 > 0
    for threads in (1, 2):
        found, ids = index.search(queries, 40, mask=mask, threads=threads)
        for j in range(q):
            order = [i for i in np.lexsort((np.arange(n), wanted[j])) if mask[i]][:40]
            assert ids[j].tolist() == order + [-1] * (40 - len(order))
            assert found[j].tolist() == wanted[j][order].tolist() + [hdc.BEYOND] * (40 - len(order))
    if n:
        assert_array_equal(index.distances(queries, ids=[n - 1, 0]), wanted[:, [n - 1, 0]])
    if n > 2:
        assert_array_equal(hdc.hamming(rows[:3], queries[:3], backend=backend), wanted[:3, :3].diagonal())


def test_wrong_inputs_are_named(backend):
    x = hdc.items(np.arange(2), seed=0)
    with pytest.raises(ArrayError, match="x must have dtype uint64"):
        hdc.bundle(x.view(np.int64), backend=backend)
    with pytest.raises(ArrayError, match="x must have 160 columns"):
        hdc.bundle(x[:, :157], backend=backend)
    for word in (156, 159):
        spared = x.copy()
        spared[1, word] |= np.uint64(1 << 63)
        with pytest.raises(ArrayError, match="x must have zeros after bit 9999; build vectors with"):
            hdc.bundle(spared, backend=backend)
    with pytest.raises(ArrayError, match=r"seed must lie in \[0, 2\^64\), got -1"):
        hdc.bundle(x, seed=-1, backend=backend)
    with pytest.raises(ArrayError, match="zeros after bit 9999"):
        hdc.bundle(~x, backend=backend)
    with pytest.raises(ArrayError, match="for all pairs use distances"):
        hdc.hamming(x, x[:1], backend=backend)
    with pytest.raises(ArrayError, match=r"ngram must lie in \[1, 16\]"):
        hdc.encode([1], [0, 1], ngram=0, backend=backend)
    with pytest.raises(ArrayError, match="offsets must rise from 0 to the 1 symbols"):
        hdc.encode([1], [0, 2], backend=backend)
    with pytest.raises(ArrayError, match=r"seed must lie in"):
        hdc.items([1], seed=-1)
