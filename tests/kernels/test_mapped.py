"""Rows that stand in a file serve an index as if they had been appended."""

import os

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from context_graph import _core
from context_graph.errors import ArrayError
from context_graph.kernels import dense, hdc, maxsim, sparse
from context_graph.kernels._arrays import resident
from context_graph.kernels.maxsim import BLOCK, blocks_of

PAGE = 4_096
OFFSETS = pytest.mark.parametrize("offset", [PAGE, 64], ids=["on a page", "between pages"])


@pytest.fixture
def written(tmp_path):
    """Writes arrays to a file of their own, at an offset; the file is closed and deleted at the end."""
    files = []

    def write(array, offset):
        path = tmp_path / f"rows {len(files)}"
        path.write_bytes(bytes(offset) + array.tobytes())
        files.append(os.open(path, os.O_RDONLY))
        path.unlink()
        return files[-1]

    yield write
    for file in files:
        os.close(file)


@OFFSETS
@pytest.mark.parametrize("room", [3_000, 0], ids=["reserved", "not reserved"])
def test_dense_rows_of_a_file_are_searched_as_if_appended(backend, rng, written, offset, room):
    rows = rng.standard_normal((2_048, 512)).astype(np.float16)
    more, query = rows[::-1][:5], rng.standard_normal((2, 512)).astype(np.float32)
    mapped, appended = (dense.Index(512, dtype="float16", backend=backend) for _ in range(2))
    mapped.reserve(room)
    for part in (rows[:1_024], rows[1_024:]):
        assert_array_equal(mapped.append_mapped(part, written(part, offset), offset), appended.append(part))
    for index in (mapped, appended):
        index.append(more)
        index.replace([7, 1_500], more[:2].astype(np.float32))
    assert len(mapped) == len(appended) and mapped.nbytes == appended.nbytes
    assert_array_equal(mapped.scores(query), appended.scores(query))
    for one, other in zip(mapped.search(query, 9), appended.search(query, 9), strict=True):
        assert_array_equal(one, other)


def test_what_is_written_over_laid_rows_does_not_reach_the_file(tmp_path, rng):
    rows = rng.standard_normal((1_024, 1_024)).astype(np.float16)
    path = tmp_path / "rows"
    path.write_bytes(rows.tobytes())
    index = dense.Index(1_024, dtype="float16")
    index.reserve(2_000)
    with path.open("rb") as file:
        index.append_mapped(rows, file.fileno(), 0)
    index.replace([0], np.ones((1, 1_024), np.float32))
    assert path.read_bytes() == rows.tobytes()
    assert_array_equal(index.rows([0]), np.ones((1, 1_024)))
    assert_array_equal(index.rows([1]), rows[1:2].astype(np.float32))


@OFFSETS
def test_vectors_of_a_file_are_searched_as_if_appended(backend, written, offset):
    vectors = hdc.items(np.arange(2_048), seed=3)
    mapped, appended = hdc.Index(backend=backend), hdc.Index(backend=backend)
    mapped.reserve(2_500)
    for part in (vectors[:1_024], vectors[1_024:]):
        assert_array_equal(mapped.append_mapped(part, written(part, offset), offset), appended.append(part))
    assert_array_equal(mapped.distances(vectors[5:7]), appended.distances(vectors[5:7]))


@OFFSETS
@pytest.mark.parametrize("lengths", [[3, 0, 40, 7], [32, 32], [0, 0], [64, 1, 0]])
def test_documents_of_a_file_are_scored_as_if_appended(backend, rng, written, offset, lengths):
    lengths, dim = np.array(lengths), 128
    mapped, appended = maxsim.Index(dim, backend=backend), maxsim.Index(dim, backend=backend)
    mapped.reserve(100, 20_000)
    for part in range(3):
        codes = rng.integers(-127, 128, (lengths.sum(), dim)).astype(np.int8)
        blocks, scale = blocks_of(codes, multiple=2 * BLOCK)
        assert len(scale) % (2 * BLOCK) == 0
        assert_array_equal(
            mapped.append_mapped(blocks, scale, lengths, written(blocks, offset), offset),
            appended.append_int8(codes, lengths),
        )
        if part:
            one = rng.integers(-127, 128, (3, dim)).astype(np.int8)
            assert_array_equal(mapped.append_int8(one, [3]), appended.append_int8(one, [3]))
        assert len(mapped) == len(appended)
    query = rng.standard_normal((5, dim)).astype(np.float32)
    some = rng.permutation(len(mapped))[: len(mapped) // 2 + 1]
    assert_array_equal(mapped.maxima(query), appended.maxima(query))
    assert_array_equal(mapped.maxima(query, ids=some), appended.maxima(query, ids=some))
    assert_array_equal(mapped.score(query, ids=some), appended.score(query, ids=some))
    mask = rng.integers(0, 2, len(mapped)).astype(bool)
    for one, other in zip(mapped.search(query, 6, mask=mask), appended.search(query, 6, mask=mask), strict=True):
        assert_array_equal(one, other)
    for id in range(len(mapped)):
        assert_array_equal(mapped.codes(id), appended.codes(id))
    with pytest.raises(ArrayError, match="ids must lie in"):
        mapped.maxima(query, ids=[len(mapped)])


def documents(rng, n):
    lengths = rng.integers(0, 20, n)
    terms = [rng.choice(200, size, replace=False) * 7_919 for size in lengths]
    terms = np.concatenate([np.zeros(0, np.int64), *terms])
    return terms, rng.integers(0, 6, len(terms)).astype(np.float32), lengths


@pytest.mark.parametrize("n", [0, 1, 500])
def test_an_index_that_was_written_out_goes_on_where_it_was(backend, rng, n):
    first, second = documents(rng, n), documents(rng, 90)
    grown, source = sparse.Index(backend=backend), sparse.Index(backend=backend)
    loaded = sparse.Index(backend=backend)
    grown.append(*first)
    source.append(*first)
    loaded.load_arrays(source.to_arrays())
    del source
    for index in (grown, loaded):
        index.append(*second)
        index.discount([n // 2, n + 3])
        index.restore([n + 3])
        index.discount([n + 9])
    terms, weights = np.arange(0, 200, 3) * 7_919, rng.random(67).astype(np.float32)
    assert len(loaded) == len(grown) and loaded.average_length == grown.average_length
    assert_array_equal(loaded.df(terms), grown.df(terms))
    assert_array_equal(loaded.lengths, grown.lengths)
    for bm25 in (False, True):
        for one, other in zip(
            loaded.search(terms, weights, 20, bm25=bm25), grown.search(terms, weights, 20, bm25=bm25), strict=True
        ):
            assert_array_equal(one, other)
    some = rng.permutation(len(grown))[:40]
    assert_array_equal(loaded.table(terms, some), grown.table(terms, some))
    for one, other in zip(loaded.terms_of(some), grown.terms_of(some), strict=True):
        assert_array_equal(one, other)
    for term in terms[:20].tolist():
        for one, other in zip(loaded.postings(term), grown.postings(term), strict=True):
            assert_array_equal(one, other)
    seeds = rng.random(40)
    assert_array_equal(loaded.pagerank(some, seeds, terms=terms), grown.pagerank(some, seeds, terms=terms))


def test_an_index_is_written_out_alike_however_it_came_to_be(rng):
    first, second = documents(rng, 300), documents(rng, 50)
    grown, loaded = sparse.Index(), sparse.Index()
    grown.append(*first)
    loaded.load_arrays(grown.to_arrays())
    for index in (grown, loaded):
        index.append(*second)
    ours, theirs = loaded.to_arrays(), grown.to_arrays()
    assert ours.keys() == theirs.keys()
    for name in ours:
        assert_array_equal(ours[name], theirs[name], err_msg=name)


def test_only_an_empty_index_takes_over_another(rng):
    index = sparse.Index()
    index.append(*documents(rng, 5))
    with pytest.raises(ArrayError, match="only an empty index"):
        index.load_arrays(index.to_arrays())


def test_nothing_is_laid_over_what_is_no_large_arena(written):
    page = np.ones(PAGE, np.uint8)
    file = written(page, 0)
    small = np.zeros(4 * PAGE, np.uint8)
    start = -small.ctypes.data % PAGE
    assert not _core.map_file(file, 0, small[start : start + PAGE])
    large = resident((1 << 22,), np.uint8)
    assert not _core.map_file(file, 0, large[64 : 64 + PAGE]), "not on a page"
    assert not _core.map_file(file, 0, large[: PAGE // 2]), "no whole page"
    assert not small.any() and not large.any()
    assert _core.map_file(file, 0, large[PAGE : 2 * PAGE])
    assert large[PAGE : 2 * PAGE].all() and not large[:PAGE].any() and not large[2 * PAGE :].any()


@pytest.mark.parametrize("n", [0, 1, 7, 8, 63, 64, 65, 1_000, 100_003])
def test_sums_of_words_and_of_words_times_their_places(rng, n):
    data = rng.integers(0, 256, n).astype(np.uint8)
    words = np.concatenate([data, np.zeros(-n % 8, np.uint8)]).view("<u8").tolist()
    plain = sum(words) % 2**64
    placed = sum(place * word for place, word in enumerate(words, 1)) % 2**64
    assert _core.sums(data) == (plain, placed)
