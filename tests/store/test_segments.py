"""Cached arrays in files: what is read of them, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

from context_graph.store.segments import READ_BYTES, Segments
from tests.requirements import requirement


def resident_bytes_of(path: Path) -> int:
    """Bytes of a file's pages that count among this process's memory."""
    found, within = 0, False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8").splitlines():
        if "-" in line.split(" ", 1)[0]:
            within = line.endswith(str(path))
        elif within and line.startswith("Rss:"):
            found += int(line.split()[1]) * 1_024
    return found


@requirement("store:a-checked-file-is-not-held-in-ram")
def test_a_file_that_was_checked_is_not_held_in_ram(tmp_path):
    segments = Segments(tmp_path, "a model")
    segments.save(0, {"large": np.arange(4 << 20, dtype=np.uint8), "small": np.arange(8)})
    arrays = segments.load(0)
    path = next(tmp_path.rglob("*.segment"))
    assert resident_bytes_of(path) < 1 << 20  # the kernel reads a few pages ahead of those of the header
    assert arrays["large"].sum() > 0
    assert resident_bytes_of(path) > 3 << 20  # what is looked at is


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, READ_BYTES - 1, READ_BYTES, READ_BYTES + 5, 3 * READ_BYTES + 12])
def test_a_file_of_any_length_is_read_back_and_a_flipped_bit_anywhere_is_noticed(tmp_path, size):
    segments = Segments(tmp_path, "a model")
    numbers = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)
    segments.save(0, {"numbers": numbers})
    assert np.array_equal(segments.load(0)["numbers"], numbers)
    path = next(tmp_path.rglob("*.segment"))
    whole = path.read_bytes()
    for place in {len(whole) - size // 2 - 1, len(whole) - size, len(whole) - 1} if size else ():
        damaged = bytearray(whole)
        damaged[place] ^= 1
        path.write_bytes(damaged)
        assert segments.load(0) is None
