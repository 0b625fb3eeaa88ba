"""Indexes in files: what was saved answers as before, on any backend; what is no such file is refused."""

import json
import os
import subprocess
import sys
import threading
import zlib

import numpy as np
import pytest
from expectations import ball, unit_rows
from numpy.testing import assert_array_equal

from context_graph.errors import ArrayError
from context_graph.kernels import _files, backends, cones, dense, hdc, maxsim, poincare, sparse
from context_graph.kernels._files import MAGIC
from tests.requirements import requirement

N, DIM = 3_000, 96  # a column of rows is larger than a huge page, so that it is mapped


def documents(rng, n):
    sizes = rng.integers(0, 12, n)
    terms = np.concatenate([np.zeros(0, np.int64), *(rng.choice(500, size, replace=False) for size in sizes)])
    return terms, rng.integers(1, 5, len(terms)).astype(np.float32), sizes


def sparse_answers(index):
    terms, weights = np.arange(7), np.ones(7, np.float32)
    return *index.search(terms, weights, 20, bm25=True), index.df(terms), index.dot(terms, weights)


def tokens(rng, n):
    return unit_rows(rng, 2 * n, 48), np.resize([1, 3, 0, 4], n)


DENSE = [{}, {"dtype": "float16"}, {"dtype": "bfloat16"}, {"dtype": "int8"}, {"prefilter_bits": 1}]
SCENES = {
    **{
        f"dense {options}": (
            dense.Index,
            lambda backend, options=options: dense.Index(DIM, backend=backend, **options),
            lambda rng, n: (unit_rows(rng, n, DIM),),
            lambda index: (*index.search(np.eye(3, DIM, dtype=np.float32), 9), index.rows([0, len(index) - 1])),
        )
        for options in DENSE
    },
    **{
        f"maxsim {keep}": (
            maxsim.Index,
            lambda backend, keep=keep: maxsim.Index(48, keep=keep, backend=backend),
            tokens,
            lambda index: (*index.search(np.eye(3, 48, dtype=np.float32), 9), index.codes(3), index.offsets),
        )
        for keep in (None, "float32", "float16")
    },
    **{
        f"poincare {screened}": (
            poincare.Index,
            lambda backend, screened=screened: poincare.Index(DIM, curvature=0.5, screened=screened, backend=backend),
            lambda rng, n: (ball(rng, n, DIM),),
            lambda index: index.nearest(np.zeros((2, DIM), np.float32), 9),
        )
        for screened in (False, True)
    },
    "cones": (
        cones.Index,
        lambda backend: cones.Index(DIM, backend=backend),
        lambda rng, n: (ball(rng, n, DIM),),
        lambda index: (index.ancestors(np.full((2, DIM), 0.05, np.float32)), index.rows([0, len(index) - 1])),
    ),
    "hdc": (
        hdc.Index,
        lambda backend: hdc.Index(backend=backend),
        lambda rng, n: (hdc.items(rng.integers(0, 1 << 40, n), seed=1),),
        lambda index: index.search(hdc.items([1, 2], seed=0), 9),
    ),
    "sparse": (sparse.Index, lambda backend: sparse.Index(backend=backend), documents, sparse_answers),
}
each_scene = pytest.mark.parametrize("name", SCENES)
UNCODED = ("cones", "dense {}", "hdc", "maxsim None", "poincare False", "sparse")


def filled(name, backend, rng, n=N):
    _, make, parts, _ = SCENES[name]
    index = make(backend)
    index.append(*parts(rng, n))
    if name == "sparse" and n > 5:
        index.discount([1, 5])
    return index


def assert_same(name, one, other):
    for left, right in zip(SCENES[name][3](one), SCENES[name][3](other), strict=True):
        assert_array_equal(left, right)


@requirement("kernels:save-and-load")
@each_scene
def test_what_was_saved_answers_as_before_and_grows_on(backend, name, rng, tmp_path):
    if backend == "cuda" and name not in UNCODED:
        pytest.skip("cuda keeps no codes, signs or halves")
    kind, _, parts, _ = SCENES[name]
    index = filled(name, backend, rng)
    index.metadata = {"model": "of mine", "width": [3, 4]}
    index.save(tmp_path / "index")
    loaded = kind.load(tmp_path / "index", backend=backend, verify=True)
    assert len(loaded) == N and loaded.backend == backend and loaded.metadata == {"model": "of mine", "width": [3, 4]}
    assert os.listdir(tmp_path) == ["index"], "nothing is left beside it"
    assert_same(name, index, loaded)
    more = parts(rng, 70)
    assert_array_equal(index.append(*more), loaded.append(*more))
    (tmp_path / "index").unlink()
    assert_same(name, index, loaded)


@requirement("kernels:save-and-load")
@each_scene
def test_any_backend_reads_what_another_saved(name, rng, tmp_path):
    usable = [each for each in ("reference", "scalar", "avx2", "avx512") if backends()[each]["usable"]]
    for saving in usable:
        filled(name, saving, np.random.default_rng(3), 300).save(tmp_path / saving)
    for loading in usable:
        own = filled(name, loading, np.random.default_rng(3), 300)
        for saving in usable:
            assert_same(name, own, SCENES[name][0].load(tmp_path / saving, backend=loading))


@requirement("kernels:save-and-load")
@each_scene
def test_an_empty_index_is_saved_too(name, rng, tmp_path):
    index = SCENES[name][1](None)
    index.save(tmp_path / "index")
    loaded = SCENES[name][0].load(tmp_path / "index")
    assert len(loaded) == 0
    part = SCENES[name][2](rng, 20)
    assert_array_equal(index.append(*part), loaded.append(*part))
    assert_same(name, index, loaded)


@requirement("kernels:save-and-load")
def test_large_columns_are_mapped_and_not_copied(tmp_path, rng):
    filled("dense {}", None, rng, 20_000).save(tmp_path / "index")
    code = f"""
from context_graph.kernels import dense
index = dense.Index.load({str(tmp_path / "index")!r})
print(sum({str(tmp_path / "index")!r} in line for line in open("/proc/self/maps")))
"""
    if not os.path.exists("/proc/self/maps"):
        pytest.skip("no /proc/self/maps")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 0


@requirement("kernels:save-and-load")
def test_what_halves_leave_out_is_saved_with_them(rng, tmp_path):
    """Rows nearer to each other than half precision tells apart."""
    rows = (0.01 + rng.uniform(0, 3e-5, (500, DIM))).astype(np.float32)  # halves lie 8e-6 apart there
    index, plain = poincare.Index(DIM, screened=True), poincare.Index(DIM)
    for each in (index, plain):
        each.append(rows)
    index.save(tmp_path / "index")
    found = poincare.Index.load(tmp_path / "index").nearest(rows[:50], 3)
    for left, right in zip(found, plain.nearest(rows[:50], 3), strict=True):
        assert_array_equal(left, right)


@requirement("kernels:save-and-load")
def test_documents_behind_holes_keep_their_ids(rng, tmp_path):
    index = maxsim.Index(48)
    codes = rng.integers(-127, 128, (20, 48)).astype(np.int8)
    blocks, scale = maxsim.blocks_of(codes)
    with (tmp_path / "blocks").open("w+b") as file:
        file.write(blocks.tobytes())
        file.flush()
        for _ in range(2):
            index.append_mapped(blocks, scale, [9, 11], file.fileno(), 0)
    index.save(tmp_path / "index")
    for backend in ("scalar", "reference"):
        loaded = maxsim.Index.load(tmp_path / "index", backend=backend)
        assert len(loaded) == 4
        assert_array_equal(loaded.codes(3), codes[9:])


@requirement("kernels:save-and-load")
@each_scene
def test_a_file_saved_beside_appends_is_of_one_moment(name, rng, tmp_path):
    index = filled(name, None, rng, 100)
    part = SCENES[name][2](rng, 10)
    sizes = []

    def save():
        for turn in range(8):
            index.save(tmp_path / str(turn))
            sizes.append(len(SCENES[name][0].load(tmp_path / str(turn), verify=True)))

    thread = threading.Thread(target=save)
    thread.start()
    for _ in range(40):
        index.append(*part)
    thread.join()
    assert len(sizes) == 8 and all(100 <= size <= 500 and size % 10 == 0 for size in sizes)
    assert sizes == sorted(sizes)


@requirement("kernels:save-and-load")
def test_a_save_that_fails_leaves_the_file_that_was_there(tmp_path, rng):
    index = filled("dense {}", None, rng, 10)
    index.save(tmp_path / "index")
    before = (tmp_path / "index").read_bytes()
    index.metadata = {"when": object()}
    with pytest.raises(ArrayError, match="metadata must be JSON"):
        index.save(tmp_path / "index")
    assert (tmp_path / "index").read_bytes() == before and os.listdir(tmp_path) == ["index"]


def rewritten(path, change):
    """The file with another header, its CRC right."""
    data = path.read_bytes()
    length = int.from_bytes(data[len(MAGIC) : len(MAGIC) + 8], "little")
    head = json.loads(data[_files.FIXED : _files.FIXED + length])
    change(head)
    header = json.dumps(head).encode()
    start = MAGIC + len(header).to_bytes(8, "little") + zlib.crc32(header).to_bytes(8, "little") + header
    path.write_bytes(start + data[len(start) :])  # the arrays begin a page later


@pytest.fixture
def saved(tmp_path, rng):
    filled("dense {}", None, rng, 50).save(tmp_path / "index")
    return tmp_path / "index"


@requirement("kernels:files-are-data")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: b"", "that Index.save wrote"),
        (lambda data: b"PK" + data[2:], "that Index.save wrote"),
        (lambda data: data[: _files.FIXED + 20], "that Index.save wrote"),
        (lambda data: data[: len(MAGIC)] + b"\xff" * 8 + data[len(MAGIC) + 8 :], "that Index.save wrote"),
        (lambda data: data.replace(b'"rows": 50', b'"rows": 51', 1), "header that was written"),
        (lambda data: data[:-5000], "within the file's"),
    ],
    ids=["empty", "another magic", "a part", "an endless header", "another header", "cut off"],
)
def test_what_is_no_whole_file_of_an_index_is_refused(saved, change, words):
    saved.write_bytes(change(saved.read_bytes()))
    with pytest.raises(ArrayError, match=words):
        dense.Index.load(saved)


@requirement("kernels:files-are-data")
@pytest.mark.parametrize(
    ("key", "value"), [("offset", 1 << 50), ("offset", -4096), ("offset", 64), ("shape", [-50, 96]), ("dtype", "|O")]
)
def test_a_header_that_points_elsewhere_is_refused(saved, key, value):
    rewritten(saved, lambda head: head["arrays"]["rows"].update({key: value}))
    with pytest.raises(ArrayError, match="must have rows"):
        dense.Index.load(saved)


@requirement("kernels:files-are-data")
def test_an_array_of_negative_length_is_refused(tmp_path, rng):
    filled("sparse", None, rng, 40).save(tmp_path / "index")
    rewritten(tmp_path / "index", lambda head: head["arrays"]["docs"].update(shape=[-3]))
    with pytest.raises(ArrayError, match="must have docs within"):
        sparse.Index.load(tmp_path / "index")


@requirement("kernels:files-are-data")
def test_a_file_of_another_kind_is_refused(saved):
    with pytest.raises(ArrayError, match="must hold an index of hdc, got one of dense"):
        hdc.Index.load(saved)


@requirement("kernels:files-are-data")
def test_changed_bytes_are_found_by_verify(saved):
    with saved.open("r+b") as file:
        file.seek(-4096 * 2, os.SEEK_END)
        file.write(b"\x01")
    dense.Index.load(saved)
    with pytest.raises(ArrayError, match="bytes of rows as they were written"):
        dense.Index.load(saved, verify=True)


def poke(path, name, at, value):
    """Write one entry of an array in a file."""
    with _files.opened(path, "sparse", verify=False) as file:
        dtype, offset = np.dtype(file._places[name]["dtype"]), file.offset(name)
    with path.open("r+b") as file:
        file.seek(offset + at * dtype.itemsize)
        file.write(np.array([value], dtype).tobytes())


@requirement("kernels:files-are-data")
@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("docs", 0, 4_000_000_000), ("docs", 1, 0), ("starts", 1, 1 << 40), ("starts", 1, -1), ("forward", 3, 1 << 20),
        ("forward_starts", 2, 1 << 40), ("terms", 0, 1 << 60), ("terms", 0, -3), ("discounted", 0, 1 << 40),
    ],
)  # fmt: skip
def test_lists_that_lead_out_of_their_arrays_are_refused(tmp_path, rng, name, at, value):
    filled("sparse", None, rng, 200).save(tmp_path / "index")
    poke(tmp_path / "index", name, at, value)
    with pytest.raises(ArrayError):
        sparse.Index.load(tmp_path / "index")


@requirement("kernels:files-are-data")
def test_offsets_of_tokens_that_do_not_rise_are_refused(tmp_path, rng):
    index = filled("maxsim None", None, rng, 40)
    index._offsets[5] = 1 << 40
    index.save(tmp_path / "index")
    with pytest.raises(ArrayError, match="offsets must rise"):
        maxsim.Index.load(tmp_path / "index")
