"""What happened once ends nothing that lasts, and a correction ends what it corrects."""

import pytest

from context_graph.recall.apart import surely_apart
from tests.requirements import requirement

ONCE = [
    (
        "Omar is allergic to wasps",
        "Omar got stung by a wasp, his arm swelled up, he's fine",
        "what is Omar allergic to?",
    ),
    ("dad's allergic to ibuprofen", "the nurse almost gave dad ibuprofen yesterday", "can dad take ibuprofen?"),
    ("my nephew is intolerant to lactose", "my nephew drank lactose by mistake and threw up", "can he have lactose?"),
    ("Nora is scared of geese", "Nora met a goose at the lake and cried again", "is Nora scared of geese?"),
    ("the kids have swimming every wednesday", "no swimming for the kids this wednesday", "when do the kids swim?"),
    ("I drive the van to work", "the van was off today so I took a taxi", "how do I get to work?"),
    ("Mila goes to bed at eight", "Mila didn't go to bed till ten last night", "when does Mila go to bed?"),
    ("the bakery opens at six", "the bakery was closed today, family party", "when does the bakery open?"),
    ("every monday we eat soup", "we can't eat soup this monday, the cooker is broken", "what do we eat on mondays?"),
    ("saturday is laundry day", "no laundry day this week, machine's broken", "when is laundry day?"),
]


@requirement("recall:another-matter-ends-nothing")
@pytest.mark.parametrize(("lasting", "once", "question"), ONCE)
def test_what_happened_once_ends_nothing(lines_for, lasting, once, question):
    told = next(line for line in lines_for([lasting, once], question) if lasting in line)
    assert "until" not in told
    assert "earlier" not in told


@pytest.mark.parametrize(
    ("before", "now", "question"),
    [
        ("Omar is allergic to wasps", "Omar outgrew his wasp allergy", "what is Omar allergic to?"),
        ("dad's allergic to ibuprofen", "turns out dad's ibuprofen allergy was a mistake", "can dad take ibuprofen?"),
        ("Mila naps at one", "Mila doesn't nap anymore", "when does Mila nap?"),
        ("the bakery opens at six", "the bakery opens at seven from this monday", "when does the bakery open?"),
        ("the kids have swimming every wednesday", "no swimming from this wednesday on", "when do the kids swim?"),
        ("dentist appointment tomorrow at 9", "the dentist was cancelled today", "when is my dentist appointment?"),
    ],
)
def test_what_lasts_is_past_once_it_is_said_to_be_over(lines_for, before, now, question):
    [first, *_] = lines_for([before, now], question)
    assert now in first


CORRECTED = [
    (
        "Olga and I share a garden",
        "I was wrong about Olga being a lawyer, she's a judge",
        "who do I share a garden with?",
    ),
    ("Nele is my flatmate", "I got it wrong, Nele's 27 not 26", "who is my flatmate?"),
    ("Hugo is my best man", "turns out I was wrong, Hugo isn't from Norway, he's from Sweden", "who is my best man?"),
    ("Paul has a parrot", "actually no, Paul's still in it, he only missed a gig", "does Paul have a parrot?"),
    (
        "moving in on May 1st, back at the old place till then",
        "dad's surgery got pushed back to the 16th",
        "when do we move?",
    ),
]


@requirement("recall:another-matter-ends-nothing")
@pytest.mark.parametrize(("holds", "correction", "question"), CORRECTED)
def test_what_is_not_corrected_holds(lines_for, holds, correction, question):
    told = next(line for line in lines_for([holds, correction], question) if holds in line)
    assert "until" not in told
    assert "earlier" not in told


@pytest.mark.parametrize(
    ("before", "correction", "question"),
    [
        ("Olga's a lawyer", "I was wrong about Olga being a lawyer, she's a judge", "what does Olga do?"),
        ("Hugo's from Norway", "I was wrong, Hugo isn't from Norway, he's from Sweden", "where is Hugo from?"),
        ("Omar lives in Kiel", "I was wrong about Omar, he lives in Ulm", "where does Omar live?"),
        ("Paul sold the boat", "actually no, Paul's still got it, the buyer backed out", "did Paul sell the boat?"),
        ("my aunt is Scottish", "I was wrong, my aunt isn't from Scotland, she's Irish", "where is my aunt from?"),
    ],
)
def test_what_is_corrected_is_past(lines_for, before, correction, question):
    [first, *_] = lines_for([before, correction], question)
    assert correction in first


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Abdul drives the van on Fridays.", "Yesterday Abdul was ill, so Kirsty took the van round."),
        ("I go swimming with Stan.", "Stan had a fish supper on Thursday and couldn't make it, so I swam alone."),
        ("The rate limit is 60.", "For one load test on Friday the limit was set to 1000 and then put back."),
        ("My sister Lotte lives in Bristol.", "Lotte has a friend who moved to Lisbon; she stays put for now."),
        ("She does yoga on Wednesdays.", "She went to yoga on a Saturday once because Petra was at a wedding."),
        ("The expired key led to the failure.", "The failure led to many tickets."),
        ("Marek writes the ingest service.", "The ingest service receives events and writes to Kafka."),
    ],
)
def test_what_happened_once_or_is_of_another_matter_ends_nothing(earlier, later):
    assert surely_apart("", earlier, later)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Abdul drives the van.", "Abdul was ill on Friday and hasn't driven since then."),
        ("We live in Bristol.", "We had to move at once."),
        ("The gym opens at eight.", "The gym opens at nine now, once a week at ten."),
        ("Marek writes the ingest service.", "The ingest service is written by Ana now."),
    ],
)
def test_what_lasts_is_no_single_event(earlier, later):
    assert not surely_apart("", earlier, later)
