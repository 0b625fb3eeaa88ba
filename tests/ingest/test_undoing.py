"""Taking back goes on past what nothing is left of."""

import pytest

from context_graph.errors import Refused, ReversalNotFound
from context_graph.ingest.draft import Draft


def test_undo_without_a_name_goes_on_behind_what_was_permanently_deleted(memory):
    memory.remember("Anna plays the clarinet.")
    memory.remember("Bob repairs bicycles.")
    secret = memory.remember("The third one is a secret.")
    undo = memory.forget(secret).reversal_hash
    memory.undo(undo)  # its undo is emptied too, and no longer says what it took back
    memory.forget(secret, permanently=True)
    memory.remember("The kiln runs at 1200 degrees.")
    for left in (["Bob", "Anna"], ["Anna"], []):
        assert not memory.undo(preview=True).done
        memory.undo()
        assert [node.content.split()[0] for node in memory.list()] == left
    with pytest.raises(ReversalNotFound, match="this session wrote nothing"):
        memory.undo()
    with pytest.raises(Refused, match="permanently deleted since"):
        memory.undo(secret.event_hash)


def test_undo_without_a_name_takes_back_what_is_left_of_a_write(memory):
    first, second = memory.remember_many([Draft("Anna plays the clarinet."), Draft("Bob repairs bicycles.")])
    memory.forget(first, permanently=True)
    assert memory.undo().node_ids == (second.id,)
    assert memory.list() == []


def test_undo_without_a_name_tells_what_refers_to_what_it_would_take_away(memory):
    memory.remember("The workshop is closed in May.")
    anna = memory.remember("Anna plays the clarinet.")
    bob = memory.remember("Bob repairs bicycles.", link_to=[anna.id])
    memory.forget(bob)
    memory.undo()
    with pytest.raises(Refused, match="refer to what this undo would take away"):
        memory.undo(anna)
