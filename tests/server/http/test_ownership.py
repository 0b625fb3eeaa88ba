"""Whose sessions are whose, also for servers beside each other and after a loss of power."""

import uuid

import pytest

from context_graph.errors import Forbidden
from context_graph.server.http.ownership import FILE, Ownership


@pytest.fixture
def ownership(tmp_path):
    """Makes the owners as a server of this home reads them."""
    return lambda taken=lambda session: False: Ownership(tmp_path, taken)


SESSION = str(uuid.UUID(int=7))


def test_the_first_owns_a_session_for_servers_beside_and_after_it(ownership):
    first, beside = ownership(), ownership()
    first.claim(SESSION, "user anna")
    for server in (first, beside, ownership()):
        server.claim(SESSION.upper(), "user anna")
        with pytest.raises(Forbidden, match="somebody else than the token anna, for whom this token speaks"):
            server.claim(f"urn:uuid:{SESSION}", "token anna")
    beside.claim(str(uuid.UUID(int=8)), "user ben")
    with pytest.raises(Forbidden):
        first.claim(str(uuid.UUID(int=8)), "user anna")


def test_what_the_memory_has_of_a_session_is_the_local_users(ownership):
    with pytest.raises(Forbidden, match="belongs") as refused:
        ownership(lambda session: session == SESSION).claim(SESSION, "user anna")
    assert "name a new one" in refused.value.hint


def test_a_line_that_was_cut_off_spoils_no_other(ownership, tmp_path):
    ownership().claim(SESSION, "user anna")
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'["0000')
    server = ownership()
    server.claim(str(uuid.UUID(int=8)), "user ben")
    for owner, number in (("user anna", 8), ("user ben", 7)):
        with pytest.raises(Forbidden):
            ownership().claim(str(uuid.UUID(int=number)), owner)


def test_what_is_no_id_is_left_to_the_tool(ownership, tmp_path):
    ownership().claim("nonsense", "user anna")
    assert not (tmp_path / FILE).exists()
