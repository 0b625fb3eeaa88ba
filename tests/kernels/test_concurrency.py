"""Searches beside an append: an answer is of the rows before it or after it, never of something between."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from expectations import ball

from context_graph.kernels import cones, dense, hdc, maxsim, poincare, sparse
from tests.requirements import requirement

ROWS, DIM = 60, 24  # 64 rows have room from the start, so that one of the appends grows the columns
ADDED = 3


def scenes():
    """Of every index: how it is made, what is appended, and its searches."""
    rng = np.random.default_rng(5)
    rows = ball(rng, ROWS + 40 * ADDED, DIM)
    query = rows[:2]

    def scene(make, search, given=lambda part: (part,)):
        return make, lambda index, first, last: index.append(*given(rows[first:last])), search

    def tokens(part):
        return part, np.ones(len(part), np.int64)

    def terms(part):
        return np.arange(len(part)), part[:, 0].copy(), np.ones(len(part), np.int64)

    found = {
        f"dense {options}": scene(
            lambda backend, options=options: dense.Index(DIM, backend=backend, **options),
            lambda index: index.search(query, 70),
        )
        for options in ({}, {"dtype": "float16"}, {"dtype": "int8"}, {"prefilter_bits": 1})
    }
    found |= {
        f"maxsim {keep}": scene(
            lambda backend, keep=keep: maxsim.Index(DIM, keep=keep, backend=backend),
            lambda index: (*index.search(query, 70), index.score(query)),
            tokens,
        )
        for keep in (None, "float32")
    }
    found |= {
        f"poincare {screened}": scene(
            lambda backend, screened=screened: poincare.Index(DIM, screened=screened, backend=backend),
            lambda index: index.nearest(query, 70),
        )
        for screened in (False, True)
    }
    found["cones"] = scene(
        lambda backend: cones.Index(DIM, backend=backend),
        lambda index: index.descendants(0.2 * query),
    )
    found["hdc"] = scene(
        lambda backend: hdc.Index(backend=backend),
        lambda index: index.search(hdc.items([1, 2], seed=0), 70),
        lambda part: (hdc.items(np.arange(len(part)), seed=1),),
    )
    found["sparse"] = scene(
        lambda backend: sparse.Index(backend=backend),
        lambda index: index.search(np.arange(3), np.ones(3, np.float32), 70),
        terms,
    )
    return found


def bits(answer):
    return tuple((part.shape, part.tobytes()) for part in answer)


def interrupted(act, at, meanwhile):
    """act(), with `meanwhile` done at its event number `at`; the answer, and how many events there were."""
    seen = 0

    def look(*_):
        nonlocal seen
        seen += 1
        if seen == at + 1:
            sys.setprofile(None)
            meanwhile()
            sys.setprofile(look)

    sys.setprofile(look)
    try:
        answer = act()
    finally:
        sys.setprofile(None)
    return answer, seen


@requirement("kernels:search-beside-append")
@pytest.mark.parametrize("name", scenes())
def test_an_append_at_any_moment_of_a_search_is_seen_whole_or_not_at_all(backend, name):
    """Each call and return in a search is a moment at which another thread may have appended."""
    if backend == "cuda" and name not in ("cones", "dense {}", "hdc", "maxsim None", "poincare False", "sparse"):
        pytest.skip("cuda keeps no codes, signs or halves")
    make, append, search = scenes()[name]

    def filled():
        index = make(backend)
        append(index, 0, ROWS)
        return index

    index = filled()
    before = bits(search(index))
    append(index, ROWS, ROWS + 40 * ADDED)
    after = bits(search(index))
    assert before != after
    at = 0
    while True:
        index = filled()
        answer, events = interrupted(
            lambda index=index: search(index), at, lambda index=index: append(index, ROWS, ROWS + 40 * ADDED)
        )
        if at >= events:
            break
        parts = [{was[i] for was in (before, after)} for i in range(len(before))]
        assert all(part in allowed for part, allowed in zip(bits(answer), parts, strict=True)), (at, events)
        at += 1 + events // 200  # the reference calls much
    assert at > 10


@requirement("kernels:search-beside-append")
@pytest.mark.parametrize("name", scenes())
def test_readers_beside_appends_get_answers_of_one_moment(name):
    make, append, search = scenes()[name]
    index, moments = make(None), []
    append(index, 0, ROWS)
    moments.append(bits(search(index)[:2]))
    ends = range(ROWS, ROWS + 41 * ADDED, ADDED)
    with ThreadPoolExecutor(4) as pool:
        reads = [pool.submit(lambda: [bits(search(index)[:2]) for _ in range(20)]) for _ in range(4)]
        for first, last in pairwise(ends):
            append(index, first, last)
        answers = [answer for read in reads for answer in read.result()]
    alone = make(None)
    append(alone, 0, ROWS)
    for first, last in pairwise(ends):
        append(alone, first, last)
        moments.append(bits(search(alone)[:2]))
    assert set(answers) <= set(moments)
