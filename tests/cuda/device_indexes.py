"""Indexes on a GPU: rows are copied there once, a search moves the query, the mask and the answer, and nothing else.

`test_arrays.py` runs this with the emulated module, which counts what is copied. On a machine with a card
`pytest tests/cuda/device_indexes.py` runs it there, without the counts.
"""

import numpy as np
import pytest
from device_arrays import (  # noqa: F401
    BYTES_OF_FLAGS,
    DeviceArray,
    FarTensor,
    as_bfloat16,
    copied,
    far,
    farpy,
    numpy,
)  # fmt: skip
from expectations import ROUNDING, ball
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import backends, cones, dense, hdc, maxsim, poincare, sparse

pytestmark = pytest.mark.skipif(not backends()["cuda"]["usable"], reason=backends()["cuda"]["reason"])

rng = np.random.default_rng(20261123)
ROWS, QUERIES = rng.standard_normal((300, 50)).astype(np.float32), rng.standard_normal((3, 50)).astype(np.float32)
MASK = rng.random(300) > 0.3
POINTS, FEW = ball(rng, 300, 50), ball(rng, 3, 50)
WORDS = hdc.items(np.arange(300, dtype=np.uint64), seed=3)
HALVES = ROWS.astype(np.float16)


def brain(rows):
    """The upper halves of floats, as bfloat16 has them."""
    return (rows.view(np.uint32) & 0xFFFF0000).view(np.float32)


# Name: how the index is made, its rows, the rows as they are kept, queries, its search, the plain function.
CASES = {
    "dense float32": (lambda **o: dense.Index(50, **o), ROWS, ROWS, QUERIES, "search", dense.topk),
    "dense float16": (lambda **o: dense.Index(50, dtype="float16", **o), HALVES, HALVES, QUERIES, "search", dense.topk),
    "dense bfloat16": (
        *(lambda **o: dense.Index(50, dtype="bfloat16", **o), brain(ROWS), brain(ROWS)),
        *(QUERIES, "search", dense.topk),
    ),
    "hdc": (lambda **o: hdc.Index(**o), WORDS, WORDS, WORDS[5:8] ^ WORDS[6:9], "search", None),
    "poincare": (lambda **o: poincare.Index(50, **o), POINTS, POINTS, FEW, "nearest", poincare.nearest),
}
each_index = pytest.mark.parametrize("case", CASES)


def filled(case, **options):
    make, rows, *_ = CASES[case]
    index = make(**({"backend": "cuda"} | options))
    for start in (0, 100, 101, 220):  # doubles on the way
        stop = {0: 100, 100: 101, 101: 220, 220: 300}[start]
        assert_array_equal(index.append(rows[start:stop]), np.arange(start, stop))
    assert len(index) == 300 and index.device == 0 and index.backend == "cuda"
    return index


@each_index
def test_an_index_answers_as_the_plain_function_does(case):
    _, rows, kept, queries, search, plain = CASES[case]
    index = filled(case)
    for mask in (None, MASK):
        found = getattr(index, search)(queries, 7, mask=mask)
        if plain is not None:
            wanted = plain(queries, kept, 7, mask=mask, backend="cuda")
        else:
            there = hdc.distances(queries, rows, backend="reference").astype(np.int64)
            there[:, ~(np.ones(300, bool) if mask is None else mask)] = hdc.BEYOND
            ids = np.argsort(there, axis=1, kind="stable")[:, :7]
            wanted = np.take_along_axis(there, ids, 1), ids
        for one, same in zip(found, wanted, strict=True):
            assert type(one) is np.ndarray
            if case == "dense bfloat16" and one.dtype == np.float32:
                assert_allclose(one, same, **ROUNDING)  # the plain function has the rows as floats, in another order
            else:
                assert_array_equal(one, same)


@each_index
def test_a_search_moves_the_query_the_mask_and_the_answer(case, copied):  # noqa: F811
    _, _, _, queries, search, _ = CASES[case]
    index = filled(case)
    find = getattr(index, search)
    find(queries, 7)
    for mask, bytes_of_mask in ((None, 0), (MASK, MASK.nbytes)):
        before = copied()
        found = find(queries, 7, mask=mask)
        up, down, within = copied() - before
        answer = sum(part.nbytes for part in found)
        # The Poincaré ball reads its queries twice: as they are for the scan, and padded for their own 1 - c|x|².
        most = (3 if case == "poincare" else 1) * queries.nbytes + bytes_of_mask + BYTES_OF_FLAGS
        assert up <= most and down <= answer + BYTES_OF_FLAGS and within == 0


@each_index
def test_an_append_moves_what_is_appended_and_growth_stays_on_the_device(case, copied):  # noqa: F811
    make, rows, *_ = CASES[case]
    index = make(backend="cuda")
    before = copied()
    index.append(rows[:100])
    up, _, _ = copied() - before
    each = up / 100
    assert (not before.any() and up == 0) or up <= max(rows[:100].nbytes, index.nbytes) + BYTES_OF_FLAGS
    before = copied()
    index.append(rows[100:101])  # the hundred others move on, within the device
    up, _, within = copied() - before
    assert up <= each + BYTES_OF_FLAGS and (within >= 100 * each / 2 or up == 0)
    index.reserve(300)
    before = copied()
    index.append(rows[101:])
    up, _, within = copied() - before
    assert up <= 199 * each + BYTES_OF_FLAGS and within <= 450 * each  # the ball's points wait for their 1 - c|x|²


@pytest.mark.parametrize("case", [case for case in CASES if case != "dense bfloat16"])
def test_rows_from_a_gpu_are_copied_there_and_settle_the_index(case, copied):  # noqa: F811
    make, rows, kept, queries, search, _ = CASES[case]
    index = make()
    assert index.device is None
    there = far(rows[:200])
    before = copied()
    assert_array_equal(index.append(there), np.arange(200))
    up, down, within = copied() - before
    assert up <= BYTES_OF_FLAGS + 4 * rows.shape[1] and down <= BYTES_OF_FLAGS
    assert within >= there.kept.size * there.kept.itemsize or up == 0
    assert index.device == 0 and index.backend == "cuda"
    index.append(rows[200:])  # from the CPU now
    wanted = getattr(filled(case), search)(queries, 7)
    assert_array_equal(getattr(index, search)(queries, 7)[1], wanted[1])
    asked, mask = far(queries), far(MASK)
    before = copied()
    scores, ids = numpy(getattr(index, search)(asked, 7, mask=mask))
    up, _, _ = copied() - before
    assert up <= BYTES_OF_FLAGS + (scores.nbytes if case == "hdc" else 0)  # its distances become integers on the host
    again = getattr(index, search)(queries, 7, mask=MASK)
    assert_array_equal(scores, again[0])
    assert_array_equal(ids, again[1])
    assert_array_equal(index.rows([3, 299, 3]), kept[[3, 299, 3]].astype(index.rows([0]).dtype))


@pytest.mark.parametrize("case", ["dense float32", "dense float16", "dense bfloat16", "poincare"])
def test_rows_are_replaced_and_read_where_they_lie(case, copied):  # noqa: F811
    _, rows, kept, queries, search, plain = CASES[case]
    index = filled(case)
    before = copied()
    index.replace([4, 250, 4], rows[[0, 1, 2]])
    up, _, _ = copied() - before
    assert up <= 3 * rows[0].nbytes + 3 * BYTES_OF_FLAGS
    now = kept.copy()
    now[[4, 250]] = kept[[2, 1]]
    assert_array_equal(index.rows([250, 4, 5]), now[[250, 4, 5]].astype(np.float32))
    assert_array_equal(getattr(index, search)(queries, 9)[1], plain(queries, now, 9, backend="cuda")[1])
    index.replace(far(np.array([7])), far(rows[8:9]) if case != "dense bfloat16" else rows[8:9])
    assert_array_equal(index.rows([7]), kept[[8]].astype(np.float32))


def test_bfloat16_rows_of_a_gpu_are_kept_as_they_are():
    kept = DeviceArray.upload((ROWS.view(np.uint32) >> 16).astype(np.uint16))

    class Brain(FarTensor):
        dtype = "farpy.bfloat16"

        def __dlpack__(self, *, stream=None):
            return as_bfloat16(kept)

    index = dense.Index(50, dtype="bfloat16")
    index.append(Brain(kept))
    assert index.device == 0
    assert_array_equal(index.rows([2, 299]), brain(ROWS)[[2, 299]])
    assert_array_equal(index.search(QUERIES, 5)[1], dense.topk(QUERIES, brain(ROWS), 5, backend="cuda")[1])


def test_rows_named_by_their_ids_are_scored_on_the_device(copied):  # noqa: F811
    ids = np.array([5, 250, 5, 0])
    index, bits = filled("dense float32"), filled("hdc")
    before = copied()
    found = index.scores(QUERIES, ids=ids)
    up, down, within = copied() - before
    assert up <= QUERIES.nbytes + ids.nbytes + BYTES_OF_FLAGS and down <= found.nbytes + BYTES_OF_FLAGS and within == 0
    assert_array_equal(found, dense.scores(QUERIES, ROWS[ids], backend="cuda"))
    assert_array_equal(index.scores(QUERIES), dense.scores(QUERIES, ROWS, backend="cuda"))
    assert_array_equal(index.search(QUERIES, 5, prefix=12)[1], dense.topk(QUERIES[:, :12], ROWS[:, :12], 5)[1])
    assert_array_equal(numpy(index.search(far(QUERIES), 5, prefix=12))[1], index.search(QUERIES, 5, prefix=12)[1])
    assert_array_equal(bits.distances(WORDS[:2], ids=ids), hdc.distances(WORDS[:2], WORDS[ids]))
    assert_array_equal(bits.distances(WORDS[:2]), hdc.distances(WORDS[:2], WORDS))
    assert_array_equal(numpy(bits.distances(far(WORDS[:2]))), hdc.distances(WORDS[:2], WORDS))
    points = filled("poincare")
    assert_array_equal(points.distances(FEW), poincare.distances(FEW, POINTS, backend="cuda"))


TOKENS, LENGTHS = rng.standard_normal((333, 40)).astype(np.float32), np.array([0, 7, 16, 40, 1, 0, 100, 69, 33, 67])
STARTS = np.concatenate([[0], np.cumsum(LENGTHS)])
ASKED, SHARES = rng.standard_normal((5, 40)).astype(np.float32), rng.random(5).astype(np.float32)


def documents(keep, backend="cuda", kind=lambda array: array):
    """Documents in three appends, none of which ends where a block of sixteen tokens does."""
    index = maxsim.Index(40, keep=keep, backend=backend)
    for first, last in ((0, 3), (3, 4), (4, 10)):
        tokens = TOKENS[STARTS[first] : STARTS[last]].astype(np.float16 if keep == "float16" else np.float32)
        assert_array_equal(index.append(kind(tokens), LENGTHS[first:last]), np.arange(first, last))
    return index


@pytest.mark.parametrize("keep", [None, "float32", "float16"])
def test_documents_are_kept_and_ranked_on_the_device(keep, copied):  # noqa: F811
    index, wanted = documents(keep), documents(keep, backend="scalar" if keep is None else "reference")
    assert index.device == 0 and wanted.device is None
    ids = np.array([3, 0, 9, 3])
    same = assert_array_equal if keep is None else lambda a, b: assert_allclose(a, b, rtol=1e-5, atol=1e-5)
    same(index.maxima(ASKED), wanted.maxima(ASKED))
    same(index.maxima(ASKED, ids=ids), wanted.maxima(ASKED, ids=ids))
    same(index.score(ASKED, weights=SHARES, ids=ids), wanted.score(ASKED, weights=SHARES, ids=ids))
    if keep is not None:
        stored = TOKENS.astype(np.float16) if keep == "float16" else TOKENS
        assert_array_equal(index.maxima(ASKED), maxsim.maxima(ASKED, stored, STARTS, backend="cuda"))
    for id in range(10):
        assert_array_equal(index.codes(id), wanted.codes(id))
    mask = np.arange(10) % 4 > 0
    for hidden in (None, mask):
        found = index.search(ASKED, 6, mask=hidden, weights=SHARES)
        expected = wanted.search(ASKED, 6, mask=hidden, weights=SHARES)
        same(found[0], expected[0])
        assert_array_equal(found[1], expected[1])
        assert type(found[0]) is np.ndarray
    assert_array_equal(index.search(ASKED, 100)[1], wanted.search(ASKED, 100)[1])
    before = copied()
    found = index.search(ASKED, 6, mask=mask, weights=SHARES)
    up, down, within = copied() - before
    answer = sum(part.nbytes for part in found)
    # Without `keep` the query comes back to be taken in 15 bits, two bytes a number, with a step and a bias a token.
    back = ASKED.nbytes if keep is None else 0
    most = ASKED.nbytes * (2 if keep is None else 1) + SHARES.nbytes + mask.nbytes + BYTES_OF_FLAGS
    assert up <= most and down <= answer + back + BYTES_OF_FLAGS and within == 0
    there = numpy(index.search(far(ASKED), 6, mask=far(mask), weights=far(SHARES)))
    for one, same_bits in zip(there, found, strict=True):
        assert_array_equal(one, same_bits)


@pytest.mark.parametrize("keep", [None, "float32", "float16"])
def test_tokens_come_from_a_gpu_and_move_once(keep, copied):  # noqa: F811
    index, same = documents(keep, backend=None, kind=far), documents(keep)
    assert index.device == 0 and index.backend == "cuda"
    assert_array_equal(index.search(ASKED, 5)[0], same.search(ASKED, 5)[0])
    assert_array_equal(index.maxima(ASKED), same.maxima(ASKED))
    index.reserve(12, 400)
    more = TOKENS[:20].astype(np.float16 if keep == "float16" else np.float32)
    before = copied()
    index.append(more, [20])
    up, _, within = copied() - before
    # Codes are written in whole blocks of sixteen tokens, with a scale each.
    assert up <= (more.nbytes if keep else 48 * (40 + 4)) + BYTES_OF_FLAGS and within == 0
    before = copied()
    index.append(far(more), [20])
    up, _, within = copied() - before
    if keep:  # but `far` copies them up
        assert up <= more.nbytes + 4 * 40 + BYTES_OF_FLAGS and (within == more.nbytes or not before.any())
    if keep == "float32":
        with pytest.raises(ArrayError, match="tokens must have dtype float32, got float16"):
            index.append(far(TOKENS.astype(np.float16)), [333])
        with pytest.raises(ArrayError, match="tokens must be finite, got NaN or infinity in an array on a GPU"):
            index.append(far(np.full((1, 40), np.nan, np.float32)), [1])


def bags(n):
    """Terms, values and lengths of n documents: few terms that are in most, many that are in few."""
    sizes = rng.integers(0, 12, n)
    terms = [np.unique(rng.zipf(1.3, size) % 500)[:size] for size in sizes]
    sizes = np.array([len(each) for each in terms])
    return np.concatenate(terms).astype(np.int64), rng.random(sizes.sum()).astype(np.float32) + 0.1, sizes


BAGS = bags(700)
ENDS = np.cumsum(BAGS[2])
WORD, RARE = np.array([3, 1, 77, 499, 1000]), rng.random(5).astype(np.float32)


def part_of(first, last):
    """The bags of documents first ... last - 1."""
    begin, end = (int(ENDS[at - 1]) if at else 0 for at in (first, last))
    return BAGS[0][begin:end], BAGS[1][begin:end], BAGS[2][first:last]


def inverted(backend, kind=lambda array: array):
    index = sparse.Index(backend=backend)
    for first, last in ((0, 1), (1, 2), (2, 40), (40, 41), (41, 500), (500, 700)):  # lists grow and move
        index.append(*map(kind, part_of(first, last)))
    return index


@pytest.mark.parametrize("bm25", [False, True])
def test_postings_are_kept_and_searched_on_the_device(bm25, copied):  # noqa: F811
    index, wanted = inverted("cuda"), inverted("scalar")
    assert index.device == 0 and wanted.device is None and len(index) == 700
    index.discount([5, 6])
    wanted.discount([5, 6])
    score = "bm25" if bm25 else "dot"
    assert_array_equal(getattr(index, score)(WORD, RARE), getattr(wanted, score)(WORD, RARE))
    for term in range(500):
        assert_array_equal(index.dot([term], np.ones(1, np.float32)), wanted.dot([term], np.ones(1, np.float32)))
    mask = rng.random(700) > 0.4
    for k, hidden in ((10, None), (10, mask), (900, mask)):
        before = copied()
        found = index.search(WORD, RARE, k, mask=hidden, bm25=bm25)
        up, down, within = copied() - before
        for one, same in zip(found, wanted.search(WORD, RARE, k, mask=hidden, bm25=bm25), strict=True):
            assert_array_equal(one, same)
        most = (16 + 4) * len(WORD) + (0 if hidden is None else mask.nbytes) + BYTES_OF_FLAGS
        assert up <= most and down <= 12 * k + BYTES_OF_FLAGS and within == 0
    there = index.search(far(WORD), far(RARE), 10, mask=far(mask), bm25=bm25)
    for one, same in zip(numpy(there), wanted.search(WORD, RARE, 10, mask=mask, bm25=bm25), strict=True):
        assert_array_equal(one, same)
    assert_array_equal(numpy(getattr(index, score)(far(WORD), far(RARE))), getattr(wanted, score)(WORD, RARE))


def test_documents_of_an_inverted_index_go_up_once(copied):  # noqa: F811
    index = inverted("cuda")
    terms, values, sizes = bags(30)
    before = copied()
    index.append(terms, values, sizes)
    up, down, _ = copied() - before
    # A posting is 8 bytes; each list that grows says from where, to where and how many, twice if it moves.
    assert up <= 8 * len(terms) + 48 * len(np.unique(terms)) + 4 * len(sizes) and down == 0
    same = inverted("scalar")
    same.append(terms, values, sizes)
    assert index.nbytes == same.nbytes + 8 * len(terms) + 8 * len(BAGS[0]) + 4 * 730
    settled = inverted(None, kind=far)
    assert settled.device == 0
    assert_array_equal(settled.dot(WORD, RARE), inverted("scalar").dot(WORD, RARE))
    empty = sparse.Index(backend="cuda")
    assert empty.search(WORD, RARE, 2)[1].tolist() == [-1, -1] and empty.dot(WORD, RARE).shape == (0,)
    with pytest.raises(ArrayError, match="this index keeps its rows on the CPU"):
        inverted("scalar").append(*map(far, bags(3)))


def test_the_environment_asks_for_the_device(monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "cuda")
    assert dense.Index(3).device == hdc.Index().device == poincare.Index(3).device == 0
    monkeypatch.setenv("CONTEXT_GRAPH_BACKEND", "scalar")
    with pytest.raises(ArrayError, match="this index keeps its rows on the CPU, got an array on CUDA device 0"):
        dense.Index(50).append(far(ROWS))


def test_an_index_of_the_cpu_takes_nothing_from_a_gpu():
    index = dense.Index(50)
    index.append(ROWS)
    with pytest.raises(ArrayError, match=r"this index keeps its rows on the CPU, .* on CUDA device 0; copy it"):
        index.append(far(ROWS))
    with pytest.raises(ArrayError, match=r"dense\.search takes arrays on the CPU, where it keeps its own"):
        index.search(far(QUERIES), 1)
    with pytest.raises(ArrayError, match="this index keeps its rows on the CPU"):
        hdc.Index(backend="scalar").append(far(WORDS))


def test_what_only_the_cpu_does_is_refused():
    for options in ({"dtype": "int8"}, {"prefilter_bits": 1}):
        with pytest.raises(ArrayError, match=r"dtype 'int8' and prefilter_bits .* which backend 'cuda' does not do"):
            dense.Index(50, backend="cuda", **options)
        with pytest.raises(ArrayError, match="which backend 'cuda' does not do"):
            dense.Index(50, **options).append(far(ROWS))
    with pytest.raises(ArrayError, match="screened reads halves of the rows first, which backend 'cuda' does not"):
        poincare.Index(50, screened=True, backend="cuda")


def test_wrong_rows_leave_the_index_as_it_was():
    index, bad = filled("dense float32"), ROWS[:2].copy()
    bad[1, 3] = np.inf
    for rows in (bad, far(bad)):
        with pytest.raises(ArrayError, match="rows must be finite"):
            index.append(rows)
    with pytest.raises(ArrayError, match="rows must have dtype float32, got float16"):
        index.append(far(HALVES))
    with pytest.raises(ArrayError, match="rows must have dtype bfloat16 on a GPU, got float32; cast them there"):
        dense.Index(50, dtype="bfloat16").append(far(ROWS))
    points, outside = filled("poincare"), POINTS[:3].copy()
    outside[2] = 1
    for rows in (outside, far(outside)):
        with pytest.raises(ArrayError, match=r"rows must be finite and inside the ball.* in row 2"):
            points.append(rows)
        with pytest.raises(ArrayError, match=r"rows must be finite and inside the ball.* in row 2"):
            points.replace([0, 1, 2], rows)
    assert len(index) == len(points) == 300
    assert_array_equal(points.rows(np.arange(300)), POINTS)
    with pytest.raises(ArrayError, match=r"ids must lie in \[0, 300\), got 300 to 300"):
        index.rows([300])


def test_cones_are_kept_on_the_device():
    index = cones.Index(50)
    index.append(far(POINTS[:100]))
    index.append(POINTS[100:])
    assert index.backend == "cuda" and index.device == 0 and len(index) == 300
    for ask, scan in ((index.ancestors, cones.ancestors), (index.descendants, cones.descendants)):
        assert_array_equal(ask(FEW), scan(FEW, POINTS, backend="scalar"))
        assert_array_equal(numpy(ask(far(FEW), width=0.4)), scan(FEW, POINTS, width=0.4, backend="scalar"))
    outside = POINTS[:3].copy()
    outside[2] = 1
    for rows in (outside, far(outside)):
        with pytest.raises(ArrayError, match=r"rows must be finite and inside the unit ball.* in row 2"):
            index.append(rows)
    index.replace([7], POINTS[8:9])
    assert_array_equal(index.rows([7, 9]), POINTS[[8, 9]])


def test_an_empty_index_answers_with_padding():
    assert dense.Index(50, backend="cuda").search(QUERIES, 2)[1].tolist() == [[-1, -1]] * 3
    assert hdc.Index(backend="cuda").search(WORDS[:1], 2)[0].tolist() == [[hdc.BEYOND] * 2]
    assert poincare.Index(50, backend="cuda").nearest(FEW, 1)[1].tolist() == [[-1]] * 3
    assert dense.Index(50, backend="cuda").scores(QUERIES).shape == (3, 0)
    assert dense.Index(50, backend="cuda").rows([]).shape == (0, 50)


def test_what_was_handed_out_is_read_on_while_rows_are_added():
    index = filled("dense float32")
    held = index._columns.first("rows", 300)
    index.append(np.zeros((5000, 50), np.float32))
    assert_array_equal(held.numpy(), ROWS)
