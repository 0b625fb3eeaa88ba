"""Notes that several people keep in one memory: what one reports takes the place of what another said."""

import numpy as np
import pytest

from context_graph.recall.inject import UNSURE, inject
from context_graph.recall.question import Question
from context_graph.retrieval.config import KINDS
from context_graph.retrieval.fusion import kinds_of
from tests.requirements import requirement

OTHERS = (
    ("Kofi", "The flour comes from the mill in Rahden."), ("Jelena", "The van needs new tyres before winter."),
    ("Sanne", "The school wants 60 rolls on Thursday."),
)  # fmt: skip

CHANGES = [
    ("The oven in the back is broken.", "The oven has been repaired.", "Does the back oven work?"),
    ("The till crashes when you scan a voucher.", "The voucher problem at the till is solved.", "Does the till crash?"),
    ("The tasting is on 4 March.", "The tasting was moved to 11 March.", "When is the tasting?"),
    ("We buy our butter from Alpenhof.", "We switched the butter to Lindner.", "Who delivers our butter?"),
    ("There are twelve sacks of rye in the cellar.", "The rye has run out.", "How much rye is in the cellar?"),
    ("Ole can't drive yet.", "I have my licence now, I can drive.", "Can Ole drive?"),
    ("Milan does the early shift.", "Milan left, Ruth does the early shift now.", "Who does the early shift?"),
]


@requirement("recall:of-a-group")
@pytest.mark.parametrize(("before", "after", "question"), CHANGES)
def test_what_another_reports_takes_the_place_of_what_was_said(memory, clock, before, after, question):
    for speaker, text in (("Ada", before), *OTHERS, ("Ole", after)):
        memory.remember(text, speaker=speaker)
        clock.pass_time(days=1)
    lines = [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]
    assert after in lines[0]
    assert all("until" in line or "earlier than" in line for line in lines if before in line)


@requirement("recall:of-a-group")
@pytest.mark.parametrize(
    ("before", "after", "question"),
    [
        ("I am on call this weekend.", "I changed my weekend, I'm in Bonn.", "Who is on call this weekend?"),
        ("My mother moved to the coast.", "My mother moved to Ulm.", "Where does Ada's mother live?"),
        ("The stall costs 40 euros.", "The stall costs 55 euros.", "What does the stall cost?"),
    ],
)
def test_what_two_say_of_themselves_or_state_otherwise_both_stand(memory, clock, before, after, question):
    for speaker, text in (("Ada", before), *OTHERS, ("Ole", after)):
        memory.remember(text, speaker=speaker)
        clock.pass_time(days=1)
    hits = inject(memory, Question(question)).hits
    assert not any(hit.until or hit.replaced_by for hit in hits if hit.content == before)


@requirement("recall:of-a-group")
def test_a_group_is_told_the_nearest_with_a_doubt(memory, clock):
    for speaker, text in (("Ada", "We have nineteen life jackets in the shed."), *OTHERS):
        memory.remember(text, speaker=speaker)
        clock.pass_time(days=1)
    text = inject(memory, Question("How many life vests are in stock?")).text
    assert UNSURE in text
    assert "nineteen life jackets" in text


@requirement("recall:of-a-group")
def test_who_speaks_alone_writes_notes_and_two_have_a_dialogue(memory, clock):
    def kinds():
        return {KINDS[kind] for kind in np.unique(kinds_of(memory.corpus)).tolist()}

    for text in ("The vet is called Dr. Lund.", "My boss is Aoife."):
        memory.remember(text, speaker="Gavin")
    assert kinds() == {"note"}
    memory.remember("Mine is called Niamh.", speaker="Orla")
    assert kinds() == {"dialogue"}
