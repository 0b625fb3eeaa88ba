"""What is a list, which of its items a later statement settles, and which questions are for the list itself."""

import pytest

from context_graph.reading.lists import adds_to, asks_for_list, items_of, settles

SHOPPING = "Shopping list: oat milk, eggs, rye bread and coffee."


@pytest.mark.parametrize(
    ("text", "items"),
    [
        (SHOPPING, ("oat milk", "eggs", "rye bread", "coffee")),
        ("I still have to call Bo, file the tax form and mow.", ("call Bo", "file the tax form", "mow")),
        ("Ich muss noch: Reifen wechseln, Oma anrufen, putzen", ("Reifen wechseln", "Oma anrufen", "putzen")),
        ("Release:\n1. bump the version\n2. tag\n3) announce it", ("bump the version", "tag", "announce it")),
        ("* [x] tent\n* [ ] map\n* [ ] lamp\n* rope", ("map", "lamp", "rope")),
    ],
)  # fmt: skip
def test_items(text, items):
    assert items_of(text) == items


@pytest.mark.parametrize(
    "text",
    [
        "", ":", "a: b", "Bo likes tea, coffee and cocoa.", "Address: Mill Street 4",
        "Note: he is ill. So no choir, no band, no gym.",
        "Summary: " + ", ".join(["nine words of which none is an item of anything"] * 3), "x, y, z: " + "a, " * 400,
    ],
)  # fmt: skip
def test_what_is_no_list(text):
    assert items_of(text) == ()


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("Got the coffee.", "coffee"),
        ("Forget the rye bread, we still have some.", "rye bread"),
        ("My brother lends us his car seat.", "a car seat"),
        ("Die Reifen sind gewechselt.", "Reifen wechseln"),
        ("Piotr can't come.", "Piotr"),
    ],
)
def test_what_settles_an_item(text, item):
    assert settles(text, item)


@pytest.mark.parametrize(
    "text", ["Is the coffee there?", "We must still get coffee.", "coffee", "He likes it.", "got coffee " * 40]
)
def test_what_settles_none(text):
    assert not settles(text, "coffee")


def test_additions_name_the_list():
    assert adds_to("Add lemons to the shopping list", SHOPPING)
    assert not adds_to("Add Bo to the guest list", SHOPPING)
    assert not adds_to("Did I put lemons on the list?", SHOPPING)
    assert not adds_to("Put lemons on the list", "We need eggs, milk and tea")


def test_a_question_for_an_item_is_none_for_the_list():
    assert asks_for_list("What else do I need?", SHOPPING)
    assert asks_for_list("What do we still need for the baby?", "We need a crib, nappies and a baby monitor")
    assert not asks_for_list("Should I get coffee?", SHOPPING)
    assert not asks_for_list("When is the dentist?", "To do: dentist, taxes, plants")
