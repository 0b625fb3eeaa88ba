"""In a log of many statements that are alike none ends another."""

import random

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

FIRST = "Ida Tom Ana Bo Carla Emil".split()
LAST = "Tanaka Schulz Moreno Novak".split()
DID = {"sold": "sell", "shipped": "ship", "fixed": "fix", "bought": "buy", "lent": "lend"}
THINGS = "printer table lamp pump desk bike".split()


def rows(count: int, seed: int) -> list[tuple[str, str, str, str]]:
    """Who did what, the question for it, the number of the thing, and the statement."""
    dice, found = random.Random(seed), {}
    while len(found) < count:
        who, verb = f"{dice.choice(FIRST)} {dice.choice(LAST)}", dice.choice(list(DID))
        number, price = dice.randint(10_000, 99_999), dice.randint(100, 999)
        text = f"{who} {verb} a {dice.choice(THINGS)} number {number} in Leeds for {price} euros."
        found.setdefault((who, verb), (who, f"What did {who} {DID[verb]}?", str(number), text))
    return [*found.values()]


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    from context_graph.memory import Memory
    from context_graph.settings import Settings

    with Memory(Settings(home=tmp_path_factory.mktemp("log"))) as memory:
        memory.remember_many([Draft(text, "a log") for *_, text in rows(80, 1)])
        memory.background.wait()
        yield memory


@requirement("recall:a-log-of-many-alike")
@pytest.mark.parametrize("row", rows(80, 1)[:25], ids=lambda row: row[2])
def test_the_row_that_is_asked_for_comes_first_and_holds(log, row):
    _, question, number, text = row
    for asked in (f"number {number}", f"Who had number {number}?", question):
        first, *_ = [line for line in inject(log, Question(asked)).text.splitlines() if line.startswith("> ")]
        assert text in first and "earlier than" not in first and "until" not in first


@requirement("recall:a-log-of-many-alike")
def test_what_changes_in_it_is_still_seen(memory, clock):
    for text in ("The printer number 15432 is in Leeds.", "The printer number 15432 is in Porto now."):
        memory.remember(Draft(text, "a log"))
        clock.pass_time(days=1)
    first, second, *_ = [
        line for line in inject(memory, Question("Where is 15432?")).text.splitlines() if line.startswith("> ")
    ]
    assert "Porto" in first and ("until" in second or "earlier than" in second)
