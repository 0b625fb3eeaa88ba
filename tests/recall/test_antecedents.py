"""An elliptic statement takes the place of the last one before it that it can complete, with others between."""

import pytest

from tests.requirements import requirement

BETWEEN = "The neighbours have a new fence.", "The bread was stale.", "I like the smell of rain."
UPDATES = [
    ("The recital is on 12 June.", "They can only make the 19th.", "When is the recital?"),
    ("We get the boat on 3 July.", "A week later, the 10th.", "When do we get the boat?"),
    ("There are 14 singers in the choir.", "Up to 16!", "How many singers are in the choir?"),
    ("I need to renew my visa.", "All sorted.", "Do I still need to renew my visa?"),
    ("Greta coaches the juniors.", "Omar's taken over.", "Who coaches the juniors?"),
    ("The picnic is on 12 June.", "They've called it off.", "When is the picnic?"),
    ("We're flying to Athens in May.", "Crete instead.", "Where are we flying in May?"),
    ("Omar peels the potatoes, I wash up.", "My back is bad, so we've swapped.", "Who peels the potatoes?"),
    ("Omar looks after the boat, I do the paperwork.", "Omar and I have swapped.", "Who does the paperwork?"),
    ("Omar kocht, ich mache den Abwasch.", "Omar und ich haben getauscht.", "Wer kocht bei uns?"),
]  # fmt: skip


@requirement("recall:elliptic-updates")
@pytest.mark.parametrize("between", [0, 3])
@pytest.mark.parametrize(("earlier", "later", "question"), UPDATES)
def test_it_is_told_first(lines_for, earlier, later, question, between):
    first, *others = lines_for((earlier, *BETWEEN[:between], later), question)
    assert later in first
    assert all("earlier than" in line or "until" in line for line in others if earlier in line)


@requirement("recall:elliptic-updates")
def test_the_last_of_two_plans_is_meant(lines_for):
    plans = "The picnic is on 12 June.", "The concert is on 14 June.", "Cancelled."
    assert "Cancelled" in lines_for(plans, "When is the concert?")[0]
    assert "picnic is on 12 June" in lines_for((), "When is the picnic?")[0]


@requirement("recall:elliptic-updates")
def test_a_plan_that_was_moved_and_called_off_is_off(lines_for):
    plans = "The picnic is on 12 June.", "Not till the 19th.", "The bread was stale.", "Scrapped, too wet."
    first, *others = lines_for(plans, "When is the picnic?")
    assert "Scrapped" in first
    assert all("earlier than" in line for line in others if "June" in line or "19th" in line)


@requirement("recall:elliptic-updates")
def test_nothing_of_another_kind_is_completed(lines_for):
    statements = "The picnic is on 12 June.", "I like tea.", "Up to 16!", "All sorted."
    first, *_ = lines_for(statements, "When is the picnic?")
    assert "12 June" in first and "earlier" not in first


SPRING = [
    "The pottery course begins on 14 April, eight evenings.", "The rent is 1,150.", "I've saved 2,300 for the boat.",
    "Ruben does our taxes.", "Always write dates as 2026-03-07 please.", "They can only do the 21st.",
    "The van is a grey Vito.", "Up to 2,900!", "We're going to Gdansk at Whitsun.", "Bought new trainers, size 42.",
    "Warsaw instead, the flights were silly.", "I drink about four coffees a day.", "Down to two.",
]  # fmt: skip


@requirement("recall:elliptic-updates")
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When does the pottery course begin?", "21st"), ("How much is the rent?", "1,150"),
        ("How much have I saved for the boat?", "2,900"), ("Where are we going at Whitsun?", "Warsaw"),
        ("What size are my trainers?", "size 42"), ("How much coffee do I drink?", "Down to two"),
        ("How should you write dates?", "2026-03-07"), ("What colour is the van?", "grey"),
    ],
)  # fmt: skip
def test_each_completes_its_own_among_many(lines_for, question, first):
    assert first in lines_for(SPRING, question)[0]
