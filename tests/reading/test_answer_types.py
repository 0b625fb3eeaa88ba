"""What kind of answer a question asks for, and which statements hold one."""

import pytest

from context_graph.embed.stems import stems
from context_graph.reading.answer_types import answer_type, holds_answer

ASKED = (
    ("Who looks after the bees?", "somebody"),
    ("whose van is it", "somebody"),
    ("What time does the pool close?", "hour"),
    ("When do we close?", "time"),
    ("On which day is choir?", "time"),
    ("how long is the lease", "length"),
    ("How much did the boiler cost?", "amount"),
    ("What does Gareth pay for the flat?", "amount"),
    ("How many hives do I have?", "number"),
    ("how old is the apprentice", "age"),
    ("Where do the hives stand?", "place"),
    ("Why was the launch late?", "reason"),
    ("Which breed is the dog?", ""),
    ("Which town did we live in when the children were small?", ""),
    ("oven servicing, who", "somebody"),
    ("Is the pool open?", ""),
    ("Wann ist Chor?", ""),
    ("", ""),
)


@pytest.mark.parametrize(("question", "kind"), ASKED)
def test_what_a_question_asks_for(question, kind):
    assert answer_type(question) == kind


HELD = (
    ("Who looks after the bees?", "Bethan feeds the bees.", "The bees are fed on Mondays."),
    ("Who is with Ada?", "Ada came with Tom.", "Ada came early."),
    ("who picks me up", "My sister picks me up.", "The bus picks me up."),
    ("What time do we eat?", "We eat at half past six.", "We eat on Sunday."),
    ("When do we eat?", "We eat on Sunday.", "We eat a lot."),
    ("How long is the lease?", "The lease runs for two years.", "The lease is signed."),
    ("How much is the rent?", "The rent is 540.", "The rent is due."),
    ("How many hives are there?", "Three hives are left.", "The hives are fine."),
    ("How old is Femke?", "Kids: Mats, 10, Femke, 7, and baby Joris.", "Femke swims at 4."),
    ("How old is the boiler?", "The boiler was built in 2012.", "The boiler cost 1,940."),
    ("Where are the hives?", "The hives are behind the chapel.", "The hives are fine."),
    ("Why is the launch late?", "The launch is late because of the audit.", "The launch is late."),
)


@pytest.mark.parametrize(("question", "holding", "lacking"), HELD)
def test_which_statement_holds_it(question, holding, lacking):
    kind, asked = answer_type(question), frozenset(stems(question))
    assert holds_answer(holding, kind, asked)
    assert not holds_answer(lacking, kind, asked)


def test_an_age_is_of_whom_the_question_names():
    for holding in ("Mr. Boone is 61 years old.", "My daughter turned 8.", "He turned 61.", "turned 61 today"):
        assert holds_answer(holding, "age", (), {"boon"})
    assert not holds_answer("Lotte turned 8 today.", "age", (), {"boon"})


def test_nothing_is_said_of_a_statement_in_another_language():
    assert holds_answer("Die Bienen stehen hinter der alten Kapelle und es geht ihnen gut.", "amount", ())


def test_who_writes_no_capitals_may_name_somebody():
    assert holds_answer("amira does the playlist", "somebody", ())


def test_only_the_beginning_of_a_long_text_is_read():
    assert not holds_answer("We eat a lot. " * 100 + "At six.", "hour", ())
