"""What plainly answers a question in other words than its own is told first, and without a doubt."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.inject import UNSURE
from context_graph.recall.plain_answers import answers_plainly

PROJECT = (
    "The auth service is owned by Ines, billing by Rahul, and the mobile app by Sofie.", "Line length is 100.",
    "Tests run with pytest -x.", "Tomasz owns the web frontend.", "Priya is on call for payments this week.",
    "I take care of the newsletter.", "Contact for payroll: Ada.",
)  # fmt: skip
FAMILY = (
    "We're five: me (Karen), my husband Doug, and the kids Ellie, 14, Max, 11, and Posy, 6.", "Doug hates tea.",
    "Posy switched from piano to ukulele, still Mondays.", "The Fiat failed its MOT.", "The Honda has been serviced.",
    "Max got a cat called Miso.", "Gran's hip hurts.",
)  # fmt: skip


@pytest.fixture
def told(memory, clock):
    def tell(texts, speaker=None):
        for text in texts:
            memory.remember(Draft(text, "told in a conversation", speaker=speaker))
            clock.pass_time(minutes=720)
        return memory

    return tell


def lines_for(memory, question):
    return memory.inject(question).text.splitlines()[1:]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who looks after the web frontend?", "Tomasz"), ("Who handles billing?", "Rahul"),
        ("who looks after payments?", "Priya"), ("Who does the newsletter?", "I take care"),
        ("Who is responsible for payroll?", "Ada"),
    ],
)  # fmt: skip
def test_who_has_a_role(told, question, answer):
    first, *_ = lines_for(told(PROJECT), question)
    assert answer in first


CLIENTS = (
    "Irene gets everything as plain text, she reads it on her phone.", "Minutes sent to Irene.",
    "Letters to Mr. Abel: formal, two pages at most.", "Called Mr. Abel about the fence.",
    "Irene is back from Oslo.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How should I format a mail to Irene?", "plain text"), ("How do I send documents to Irene?", "plain text"),
        ("What do I have to mind in letters to Abel?", "formal"), ("How long may a letter to Abel be?", "formal"),
        ("How should I write to Abel?", "formal"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("speaker", [None, "user"])
def test_how_to_write_to_somebody(told, question, answer, speaker):
    first, *_ = lines_for(told(CLIENTS, speaker), question)
    assert answer in first


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How old is Posy?", "Posy, 6"), ("What instrument is Posy learning?", "ukulele"),
        ("What pet does Max have?", "cat"), ("What's wrong with the Fiat?", "failed"), ("What's broken?", "failed"),
        ("What's wrong with Gran?", "hip"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("speaker", [None, "user"])
def test_an_age_one_of_a_class_and_what_is_broken(told, question, answer, speaker):
    first, *_ = lines_for(told(FAMILY, speaker), question)
    assert answer in first


@pytest.mark.parametrize(
    "question", ["How old is Doug?", "What instrument does Max play?", "What's wrong with the Honda?",
                 "What colour is Posy's bike?", "What sport does Doug do?"],
)  # fmt: skip
def test_what_is_of_another_is_told_with_a_doubt(told, question):
    first, *_ = lines_for(told(FAMILY, "user"), question)
    assert first == UNSURE


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("staging db host: db-2:5433", "Halyard uses PostgreSQL 15."), "what is the production db host?"),
        (("My mobile number is 0044 55.", "We ski in winter."), "What is my landline number?"),
        (("The ingest service is written in Go.", "ingest alerts go to PagerDuty"), "who owns ingest?"),
        (("The ingest service is written in Go.", "ingest alerts go to PagerDuty"), "when was ingest last deployed?"),
        (("Deploys go through Jenkins.", "Line length is 100."), "Who runs deploys?"),
        (("We failed to reach the summit.", "Line length is 100."), "Who is responsible for the summit?"),
        (("Ellie, 14, shares a room with Max.", "Line length is 100."), "How old is Max?"),
    ],
)  # fmt: skip
def test_what_was_never_told_is_doubted(told, texts, question):
    first, *_ = lines_for(told(texts), question)
    assert first == UNSURE


def test_who_somebody_likes_is_no_role():
    assert not answers_plainly("Who does Ada like?", "Doug and Ada like tea with Max.")
    assert answers_plainly("Who does the dishes?", "Ben does the dishes this week.")


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("We released 2.4 on Monday.", "Line length is 100."), "When was 2.4 shipped?"),
        (("staging db host: db-2", "production db host: db-1"), "what is the production db host?"),
    ],
)
def test_what_has_the_time_or_the_one_that_is_asked_for_is_not_doubted(told, texts, question):
    assert UNSURE not in lines_for(told(texts), question)


@pytest.mark.parametrize("speaker", [None, "user"])
def test_of_a_family_few_lines_that_only_share_the_name_are_told(told, speaker):
    hers = ("plays tennis", "needs new boots", "wants a coat", "babysits on Fridays", "walks to school", "paints")
    facts = [f"Ellie {deed}." for deed in (*hers, "reads a lot", "is 14", "has a red bike", "hates peas")]
    memory = told(["Ellie: orthodontist 12 November 16:00 at Mill Lane.", *facts], speaker)
    first, *others = lines_for(memory, "When does Ellie see the orthodontist?")
    assert "12 November" in first and len(others) < 6


OF_MYSELF = (
    "I'm an electrician.", "My name's Vera, 52, I like jazz.", "nana turned 88 on Sunday, we had plum cake",
    "My brother is a vet.", "The ladder stands behind the shed.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's my job?", "electrician"), ("How old am I?", "52"), ("How old is my grandma?", "88"),
        ("how old is gran", "88"), ("What is my profession?", "electrician"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("speaker", [None, "user"])
def test_what_one_says_of_oneself_and_of_ones_family(told, question, answer, speaker):
    memory = told(OF_MYSELF, speaker)
    assert answer in lines_for(memory, question)[0]
    assert UNSURE not in memory.inject(question).text
