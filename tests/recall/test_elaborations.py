"""A part, a repair or a further step ends nothing of what is there."""

import pytest

from context_graph.recall.apart import surely_apart
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement


@requirement("recall:a-part-ends-nothing")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We have a greenhouse behind the shed.", "The greenhouse needs a new pane."),
        ("Migraine since my twenties.", "Got prescribed a nasal spray for my migraine."),
        ("I drive a Skoda Fabia.", "The Skoda passed its inspection."),
        ("Pat and I are dating.", "Pat and I bought a flat together."),
        ("Milo works at Brixton Bakery.", "Milo was promoted to head baker at Brixton Bakery."),
        ("We adopted a cat called Juno.", "Juno was sterilised today."),
        ("I'm a member of the chess club.", "They elected me secretary of the chess club."),
        ("Prod logs go to Splunk.", "Tracing is off in prod."),
        ("Whales are a kind of mammal.", "A mammal is a kind of vertebrate."),
    ],
)
def test_both_hold(before, after):
    assert surely_apart("", before, after)


@requirement("recall:a-part-ends-nothing")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We have a greenhouse behind the shed.", "The greenhouse blew away, it's gone."),
        ("I drive a Skoda Fabia.", "I got a Dacia instead of the Skoda."),
        ("Pat and I are dating.", "Pat and I broke up."),
        ("The gate code is 4411.", "The gate got a new code: 9021."),
        ("The car is at the garage.", "The car was repaired, it's back."),
        ("The choir meets in the hall.", "The choir got a new room: the chapel."),
        ("Prod runs Node 18.", "Prod runs Node 22 now."),
        ("I live in Bergen.", "I live in Oslo."),
        ("The laptop has 8 GB.", "The laptop got 16 GB of memory."),
        ("The flat costs 900 euros.", "The flat got dearer, 980 euros now."),
        ("The printer is broken.", "The printer was repaired."),
    ],
)
def test_and_what_ends_it_ends_it(before, after):
    assert not surely_apart("", before, after)


@requirement("recall:a-part-ends-nothing")
@pytest.mark.parametrize(
    ("before", "after", "question"),
    [
        ("Diagnosed with hay fever.", "New spray for the hay fever, once a day.", "Do I have hay fever?"),
        ("Nora and I are a couple.", "Nora and I got engaged.", "Are Nora and I a couple?"),
        ("We have a hut in Sälen.", "The hut in Sälen got a new stove.", "Do we have a hut?"),
    ],
)
def test_what_has_a_new_part_is_told_without_a_mark(memory, clock, before, after, question):
    for text in (before, "The library closes at six.", "My neighbour keeps bees.", after):
        memory.remember(text)
        clock.pass_time(days=30)
    hits = [hit for hit in inject(memory, Question(question)).hits if hit.content == before]
    assert hits and not hits[0].until and not hits[0].replaced_by
