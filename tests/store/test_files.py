"""Files beside the store: whole or not at all, and named where the disk takes no more."""

import resource
from collections.abc import Iterator

import pytest

from context_graph.store import keys
from context_graph.store.files import write_whole
from tests.reliability.privileges import limit_file_size

SELF = 0


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file may grow beyond ten bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    limit_file_size(SELF, 10)
    yield
    limit_file_size(SELF, before)


def test_a_file_that_does_not_fit_is_named_and_leaves_nothing(tmp_path, full_disk):
    path = tmp_path / "tokens.json"
    with pytest.raises(OSError, match=r"tokens\.json"):
        write_whole(path, bytes(100))
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_does_not_fit_is_named_and_leaves_nothing(tmp_path, full_disk):
    with pytest.raises(OSError, match=r"ed25519\.key"):
        keys.public_key(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_made_once(tmp_path):
    assert keys.public_key(tmp_path) == keys.public_key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["ed25519.key"]
