"""What an agent is told of a memory that it has just stored."""

import pytest

from tests.requirements import requirement


@requirement("store:hints-at-what-it-updates")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The office is in Bern.", "The office is in Basel now."),
        ("The API listens on port 8080.", "API port changed to 9090."),
        ("We use Node 18 in CI.", "Upgraded CI to Node 20."),
        ("The owner of billing is Kai.", "Billing is owned by Mia from now on."),
    ],
)
def test_the_agent_is_told_what_an_update_may_replace(memory, before, after):
    first = memory.remember(before, rationale="how it is set up")
    memory.remember("Lunch is at noon.", rationale="when we eat")
    second = memory.remember(after, rationale="it was decided today")
    assert first.tag in second.reward.suggestions[0]
    assert second.reward.reward >= 0


@pytest.mark.parametrize(
    ("before", "after"),
    [("Anna likes tea.", "Anna likes coffee."), ("The office is in Bern.", "The office has a roof terrace.")],
)
def test_and_of_what_both_hold_nothing_is_said(memory, before, after):
    memory.remember(before, rationale="how it is set up")
    assert not memory.remember(after, rationale="good to know").reward.suggestions
