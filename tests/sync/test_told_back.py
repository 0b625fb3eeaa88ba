"""What a peer told is not told back to it, and nobody misses anything for that."""

import pytest
from sync_scenes import Home, converge

from context_graph.errors import ContextGraphError
from context_graph.sync.exchange import Answering
from tests.requirements import requirement

MONDAYS = "The Riga orchestra rehearses on Mondays."


def boilers(home: Home, count: int) -> set[str]:
    return {
        home.tell(f"Boiler {number} was mended in week {number}, because Omar asked for it.") for number in range(count)
    }


def edit(home: Home, id: str, **columns):
    with home.store.write("edited", home.memory.author(home.memory.caller)) as tx:
        tx.update(id, **columns)


def test_what_was_told_is_not_told_back(homes):
    ada, ben = homes("ada", "ben")
    ben_ids = boilers(ben, 5)
    assert ada.meet(ben).sent == 0 and ada.store.existing(ben_ids) == ben_ids
    ada.tell(MONDAYS)
    assert ben.meet(ada).equal
    done = ben.meet(ada)
    assert (done.sent, done.folded.received, done.equal) == (0, 0, True)


def put_back(homes, tmp_path, count: int) -> tuple[Home, Home, set[str]]:
    """Ada, and Ben who told her this many memories and was put back from a backup that had none of them."""
    ada, ben = homes("ada", "ben")
    ada.tell(MONDAYS)
    ada.meet(ben)
    copy = ben.store.backup(tmp_path / "copy.sqlite3")
    lost = boilers(ben, count)
    ada.meet(ben)
    ben.store.restore(copy, ben.memory.author(ben.memory.caller))
    assert not ben.store.existing(lost)
    return ada, ben, lost


@requirement("sync:homes-converge")
@pytest.mark.parametrize("asks", ["who lost it", "who has it"])
def test_a_home_that_was_put_back_is_told_all_that_it_told_in_many_batches(homes, tmp_path, asks):
    ada, ben, lost = put_back(homes, tmp_path, 12)
    for home in (ada, ben):
        home.answering = Answering(home.memory, max_rows=3)
    done = ada.meet(ben, max_rows=3) if asks == "who has it" else ben.meet(ada, max_rows=3)
    assert ben.store.existing(lost) == lost and done.equal


@requirement("sync:homes-converge")
def test_a_line_that_breaks_while_a_home_learns_again_costs_nothing(homes, tmp_path, monkeypatch):
    ada, ben, lost = put_back(homes, tmp_path, 12)
    answers = iter(range(2))
    answer = ben.answering.answer

    def breaking(question: bytes) -> bytes:
        if next(answers, None) is None:
            raise ContextGraphError("the line broke")
        return answer(question)

    monkeypatch.setattr(ben.answering, "answer", breaking)
    with pytest.raises(ContextGraphError):
        ada.meet(ben, max_rows=3)
    monkeypatch.undo()
    assert ada.meet(ben).equal and ben.store.existing(lost) == lost


def test_registers_made_anew_of_the_log_do_not_say_who_told_what(homes, tmp_path):
    ada, ben, lost = put_back(homes, tmp_path, 4)
    ben.tell("Omar went home.")
    ada.meet(ben, max_rows=3)
    (ada.path / "sync.sqlite3").unlink()
    assert ada.meet(ben).equal and ben.store.existing(lost) == lost


@requirement("sync:relayed")
@pytest.mark.parametrize(
    "order",
    [pytest.param("along", marks=pytest.mark.long), pytest.param("against", marks=pytest.mark.long), "all ways"],
)
def test_three_homes_in_a_ring_miss_nothing(homes, order):
    ada, ben, cleo = ring = homes("ada", "ben", "cleo")
    ids = set().union(*(boilers(home, 3) for home in ring))
    pairs = {
        "along": [(ada, ben), (ben, cleo), (cleo, ada)],
        "against": [(ben, ada), (ada, cleo), (cleo, ben)],
        "all ways": [(ada, ben), (cleo, ben), (cleo, ada), (ada, cleo)],
    }[order]
    for _ in range(2):
        for one, other in pairs:
            one.meet(other, max_rows=4)
    for number, id in enumerate(sorted(ids)):
        edit(ring[number % 3], id, rationale=f"edited by {number}")
    for _ in range(2):
        for one, other in pairs:
            one.meet(other, max_rows=4)
    assert len({home.hash() for home in ring}) == 1
    assert all(home.store.existing(ids) == ids for home in ring)
    converge(*ring)
