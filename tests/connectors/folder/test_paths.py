"""Every name of a file is stored as another text, and found again."""

import os

from hypothesis import given
from hypothesis import strategies as st

from context_graph.connectors.folder.paths import path_on_disk, printed_path, stored_path

NAMES = st.lists(st.sampled_from([b"\\", b"x", b"e9", b"\xe9", b"\xc3\xa9", b"a", b"\n"]), max_size=8).map(b"".join)


@given(NAMES)
def test_a_stored_path_is_valid_and_names_one_file(name):
    path = os.fsdecode(name)
    stored = stored_path(path)
    assert stored.encode().decode() == stored
    assert path_on_disk(stored) == path


@given(NAMES)
def test_a_printed_path_is_one_line(name):
    assert len(printed_path(stored_path(os.fsdecode(name))).splitlines()) <= 1


def test_bytes_that_are_no_text_are_escaped():
    assert stored_path(os.fsdecode(b"caf\xe9.md")) == "caf\\xe9.md"
    assert stored_path("docs\\new.md") == "docs\\new.md"
