"""Whose a statement is: the speaker's, a relative's, the neighbours', somebody's with a name."""

import pytest

from context_graph.reading.holders import asked_holder, holder, may_be_one, mentions_self, tells_of_own


@pytest.mark.parametrize(
    ("text", "kind", "relation"),
    [
        ("I'm vegan", "self", ""), ("our rent went up", "self", ""), ("Greta and I are engaged", "self", ""),
        ("my dentist is Dr. Hall", "self", ""), ("my boss is called Ruth", "self", "boss"),
        ("Ruth is my new boss", "self", "boss"), ("Ruth is Tom's boss", "named", ""),
        ("my little nephew hates peas", "relative", "nephew"),
        ("granny moved in with my uncle", "relative", "grandmother"),
        ("the neighbours have a new dog", "relative", "neighbour"),
        ("the doctor told dad to rest", "relative", "father"),
        ("so apparently Pete smokes", "named", ""), ("Olga's got a cold", "named", ""),
    ],
)  # fmt: skip
def test_whose_a_statement_is(text, kind, relation):
    assert (holder(text).kind, holder(text).relation) == (kind, relation)


@pytest.mark.parametrize("text", ["", "the rent is due", "no pizza today", "Rent is due", "Monday is off"])
def test_what_is_nobodys(text):
    assert holder(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Pete doesn't smoke", "my flatmate isn't scared of spiders", "Olga's got a new dentist", "Lars sold his bike",
        "my uncle can't stand jazz", "my aunt moved to Hamburg", "Mia's kids sleep at nine", "my sister earns more now",
    ],
)  # fmt: skip
def test_what_is_true_of_its_holder_alone(text):
    assert tells_of_own(text)


@pytest.mark.parametrize(
    "text",
    [
        "Karim runs the tests now", "Ana moved standup", "dad sold the car", "Kim is on call", "Lea sings now",
        "Pete likes to meet at ten", "my brother fixed it",
    ],
)  # fmt: skip
def test_what_others_have_a_part_in(text):
    assert not tells_of_own(text)


def test_a_relative_that_is_named_is_no_word_for_the_speaker():
    assert not mentions_self("Pete hates peas, like my dad")
    assert mentions_self("Pete hates peas, like me")


def test_we_may_be_the_children_and_i_am_not():
    assert may_be_one(holder("we live in Ulm"), holder("my kids live in Ulm"))
    assert not may_be_one(holder("I live in Ulm"), holder("my kids live in Ulm"))
    assert not may_be_one(holder("my mum sings"), holder("Pete's mum sings"))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("what's my shoe size", "self"),
        ("do we have dogs?", "self"),
        ("When does dad swim?", "relative"),
        ("Is Greta married?", "named"),
    ],
)
def test_whom_a_question_asks_about(question, kind):
    assert asked_holder(question).kind == kind


@pytest.mark.parametrize(
    "question", ["", "who do I swim with?", "do I know anyone in Ulm?", "what should I cook?", "what is broken?"]
)
def test_what_asks_about_nobody_or_for_others(question):
    assert asked_holder(question) is None
