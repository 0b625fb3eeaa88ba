"""A statement that says several things, of which a later one changes some."""

import pytest

from context_graph.embed.stems import stems
from context_graph.recall.parts import asked_kinds, changed_part
from context_graph.recall.question import Question
from tests.requirements import requirement

CHOIR = "The choir sings every Wednesday at half seven in St. Michael's."
BAND = "Kai plays drums, Mira sings, I play bass."
LEFT = "Mira left the band, Lea sings."
DATABASES = "Staging uses Postgres 14, production uses Postgres 15."
CREDITS = "Art is done by Pilar, music by Jonas."
MEETING = "Annual meeting: 21 March, 7 pm, at the Lindenhof."
RATES = "Learning rate 3e-4 works best, batch size 64."


@pytest.mark.parametrize(
    ("question", "earlier", "later", "part"),
    [
        ("Who sings?", BAND, LEFT, "one"),
        ("Who plays bass?", BAND, LEFT, "another"),
        ("Which Postgres runs in staging?", DATABASES, "Staging is on Postgres 16 now.", "one"),
        ("Which Postgres runs in production?", DATABASES, "Staging is on Postgres 16 now.", "another"),
        ("What do I do on Thursdays?", "I swim on Mondays and Thursdays.", "On Thursdays I do yoga instead.", "one"),
        ("What do I clean?", "I clean the kitchen, Tom does the bath.", "We swapped: I do the bath, Tom the kitchen.",
         "one"),
        ("Which learning rate do I use?", RATES, "Batch size 64 doesn't fit, it's 32 now.", "another"),
        ("Which batch size do I use?", RATES, "Batch size 64 doesn't fit, it's 32 now.", "one"),
        ("Which learning rate do I use?", RATES, "Lowered the learning rate to 1e-4.", "one"),
        ("What car do we drive?", "We drive a blue Skoda, built 2015.", "We sold the Skoda.", ""),
        ("Who does the art?", CREDITS, "Jonas dropped out so we license the music.", "another"),
        ("Who makes the music?", CREDITS, "Jonas dropped out so we license the music.", "one"),
        ("Who is Ana?", "I met Ana, a teacher from Berlin.", "Ana moved to Ghent.", ""),
        ("When is the meeting?", MEETING, "We moved the meeting to 28 March.", "one"),
        ("Where is the meeting?", MEETING, "We moved the meeting to 28 March.", "another"),
        ("Where do I live?", "I live in Graz.", "I moved to Linz.", ""),
        ("What car do we drive?", "Our car is a blue Skoda, a 2015 model.", "We sold the Skoda.", ""),
        ("When is choir?", CHOIR, "The choir moved to Thursdays.", "one"),
        ("Where do we sing?", CHOIR, "The choir moved to Thursdays.", "another"),
        ("Where do we sing?", CHOIR, "The choir is cancelled from Wednesday on.", ""),
        ("Who bakes?", "", "", ""),
    ],
)  # fmt: skip
def test_the_part_that_changes_is_the_one_that_the_later_one_is_about(question, earlier, later, part):
    assert changed_part(frozenset(stems(question)), earlier, later, asked_kinds(question)) == part


@requirement("recall:parts")
def test_what_still_holds_of_a_statement_is_not_told_as_past(memory, tell):
    tell(BAND)
    tell(LEFT)
    sings = {hit.node.content: hit for hit in memory.recall(Question("Who sings?")).hits}
    assert sings[BAND].until is not None and sings[BAND].partly
    bass = {hit.node.content: hit for hit in memory.recall(Question("Who plays bass?")).hits}
    assert bass[BAND].until is None and bass[BAND].replaced_by is None


def test_a_reason_is_no_common_subject(memory, tell):
    tell("Lessons are on Tuesdays because of the choir.")
    tell("The choir has moved to Thursdays.")
    hits = {hit.node.content: hit for hit in memory.recall(Question("When is choir?")).hits}
    assert hits["Lessons are on Tuesdays because of the choir."].replaced_by is None


def test_what_is_put_on_another_day_without_its_name_is_told_with_its_new_day(lines_for):
    texts = ["Bo from Lund ordered a fitting, 80 euros, on 3 May.", "Bo has to push it to 10 May."]
    first, second, *_ = lines_for(texts, "When is the fitting for Lund?")
    assert "10 May" in first
    assert "earlier than" in second or "in part until" in second
