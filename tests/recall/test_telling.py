"""What a context tells where nothing is likely to answer: the nearest of somebody's own statements, or nothing."""

from datetime import timedelta

import pytest

from context_graph.ingest.draft import Draft
from context_graph.instants import to_datetime
from context_graph.recall.inject import UNSURE, inject
from context_graph.recall.question import Question
from tests.requirements import requirement

TOLD = [
    "I lay out gardens, mostly small ones behind terraced houses.", "Petra Holm sells me the bulbs.",
    "The gravel comes from a pit near Lund.", "My knees hurt after a day of planting.",
    "Petra wants to be paid within a week.", "I learned the trade from my uncle.", "We lunch at the lake in summer.",
]  # fmt: skip


@pytest.fixture
def told(memory, clock):
    for text in TOLD:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    return memory


@requirement("recall:nearest-of-ones-own")
@pytest.mark.parametrize(
    "question", ["Which machines do we have?", "What's my blood group?", "Was Petra ever in debt?"]
)
def test_what_can_only_be_about_this_memory_is_told_the_nearest_and_that_it_is_no_more(told, question):
    answer = inject(told, Question(question))
    assert 0 < len(answer.hits) <= 5
    assert UNSURE in answer.distilled.text or told.recall(Question(question)).answered > 0.03


@pytest.mark.parametrize(
    "question", ["What does the gravel cost?", "Who owns the pit?", "Which doctor looks at my knees?"]
)
def test_what_hardly_anything_is_about_is_told_with_a_doubt(told, question):
    """Each has a word of what was told, and was told without one."""
    assert UNSURE in inject(told, Question(question)).distilled.text


OF_PEOPLE = (
    "My dad Fergus lives in Cobh and has a boat called Maeve.", "Fergus paints the boat blue every year.",
    "Conor broke a finger at training.", "I moved house when my dad Fergus fell ill.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "doubted"),
    [
        ("How old is Fergus?", True),
        ("How much did the boat of Fergus cost?", True),
        ("Who broke a finger at training?", False),
        ("Where does Fergus live?", False),
        ("When did Conor break his finger?", False),  # the date of the note says it
        ("What does Fergus paint?", False),
    ],
)
def test_what_lacks_the_kind_of_answer_that_is_asked_for_is_told_with_a_doubt(memory, clock, question, doubted):
    for text in OF_PEOPLE:
        clock.pass_time(days=2)
        memory.remember(Draft(text, "said to you"))
    told = inject(memory, Question(question)).distilled.text
    assert "Fergus" in told or "Conor" in told
    assert (UNSURE in told) is doubted


def test_turns_of_a_talk_are_not_judged_by_the_kind_of_answer(memory):
    for text in OF_PEOPLE:
        memory.remember(Draft(text, "said to you", speaker="Dee"))
    assert UNSURE not in inject(memory, Question("How old is Fergus, Dee's dad, with his boat Maeve in Cobh?")).text


@pytest.mark.parametrize("question", ["Who sells me the bulbs?", "What trade did I learn?"])
def test_what_was_told_is_told_without_a_doubt(told, question):
    assert UNSURE not in inject(told, Question(question)).distilled.text


@requirement("recall:nearest-of-ones-own")
@pytest.mark.parametrize(
    "question", ["What is the boiling point of mercury?", "How do vaccines work?", "Who wrote War and Peace?",
                 "When did Ottilie move in with me?"],
)  # fmt: skip
def test_what_is_about_something_else_or_somebody_unknown_is_told_nothing(told, question):
    assert inject(told, Question(question)).abstained


@requirement("recall:nearest-of-ones-own")
def test_a_definite_thing_in_a_word_near_a_known_one_is_of_this_memory(memory):
    for text in ("We're getting married on 6 June.", "Ninety guests are invited.", "My dress is from Amara."):
        memory.remember(Draft(text, "said to you"))
    assert "6 June" in inject(memory, Question("Where is the wedding?")).text
    assert inject(memory, Question("Where is the volcano?")).abstained


@requirement("recall:nearest-of-ones-own")
def test_key_words_near_known_ones_are_of_this_memory(memory):
    for text in ("We're getting married on 6 June.", "Ninety guests are invited.", "My dress is from Amara."):
        memory.remember(Draft(text, "said to you"))
    for words in ("wedding", "Wedding?", "wedding date", "which wedding date"):
        assert "6 June" in inject(memory, Question(words)).text
    for words in ("guest count", "how many guests"):
        assert "Ninety" in inject(memory, Question(words)).text
    for words in ("volcano", "quantum physics", "weather forecast berlin", "Who", "thanks"):
        assert inject(memory, Question(words)).abstained, words


@requirement("recall:nearest-of-ones-own")
def test_key_words_for_what_a_person_has_find_it_in_other_words(memory):
    for text in ("User upgraded to Fedora 41.", "User wants code samples in TypeScript.", "User walks to the office."):
        memory.remember(Draft(text, "said to you"))
    assert "Fedora 41" in inject(memory, Question("operating system")).text
    assert "TypeScript" in inject(memory, Question("preferred programming language for examples")).text
    assert inject(memory, Question("causes of the French Revolution")).abstained


@requirement("recall:nearest-of-ones-own")
@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("worker concurrency = 8", "Line length is 100."), "how many workers run at once?"),
        (("flag `bulk_send` off in prod, on in staging", "Line length is 100."), "which feature flags exist?"),
        (("HAL-233: fails on a thousands comma.", "Line length is 100."), "what broke on thousands separators?"),
        (("Incident: ingest down 11:20-12:05.", "Line length is 100."), "when was the last outage?"),
        (("The Fiat won't start.", "The Honda runs fine."), "Which car has a problem?"),
        (("The Fiat won't start.", "The Honda runs fine."), "What's wrong with the car?"),
        (("I take 20 mg of citalopram in the morning.", "The Honda is due for its service."), "What medicine am I on?"),
        (("The washing machine is leaking.", "Ellie plays the flute."), "What needs repairing?"),
    ],
)  # fmt: skip
def test_a_rare_word_that_is_known_and_what_is_broken_are_of_this_memory(memory, texts, question):
    for text in texts:
        memory.remember(Draft(text, "said to you"))
    context = inject(memory, Question(question)).text
    assert texts[0] in context
    for general in ("What is the capital of France?", "How do vaccines work?", "What causes tides?"):
        assert inject(memory, Question(general)).abstained


def test_what_was_never_told_is_not_said_to_be_an_answer(told):
    _, unsure, *_ = inject(told, Question("Which football club do I support?")).distilled.text.splitlines()
    assert unsure == UNSURE


@requirement("recall:nearest-of-ones-own")
def test_a_talk_of_two_is_silent_where_nothing_answers(memory):
    for i, text in enumerate(TOLD):
        memory.remember(Draft(text, "said to you", speaker=("Ada", "Bo")[i % 2]))
    assert inject(memory, Question("Which suppliers do we have?")).abstained


@requirement("recall:only-that-time")
@pytest.mark.parametrize(
    ("question", "ago"),
    [
        ("What happened yesterday?", range(1, 2)),
        ("What did we do last week?", None),
        ("What did I tell you last week?", None),
        ("Give me a summary of last week.", None),
    ],
)
def test_of_a_question_for_a_time_alone_nothing_of_another_is_told(memory, clock, question, ago):
    entries = [
        "The gravel came late, on a Wednesday.", "Petra was ill, so we planted without her.", "Lunch at the lake.",
        "We fetched bulbs from Lund.", "A hedge for the school.", "My knees hurt, so I wrote bills.",
    ]  # fmt: skip
    for text in entries:
        clock.pass_time(days=3)
        memory.remember(Draft(text, "said to you"))
    clock.pass_time(days=1)
    today = to_datetime(clock.time).date()
    monday = today - timedelta(days=today.weekday())
    if ago is None:
        ago = range((today - monday).days + 1, (today - monday).days + 8)
    hits = inject(memory, Question(question)).hits
    assert {hit.node.content for hit in hits} == {
        text for text, days in zip(entries, range(16, 0, -3), strict=True) if days in ago
    }


def test_what_tells_nothing_is_false(told):
    assert not inject(told, Question("What is the capital of Mongolia?"))
    assert inject(told, Question("Who sells me the bulbs?"))


@pytest.mark.parametrize("speaker", [None, "user"])
@pytest.mark.parametrize(
    "question", ["What happened on 6 January?", "what did i do on january 6", "what was on the 6th of january?"]
)
def test_a_question_for_a_day_alone_is_told_that_day(memory, clock, speaker, question):
    """What a dialogue says in the ten days behind a day may be of it, but not before what was told on it."""
    days = {6: ("We dug a pond with Ole.", "The spade broke."), 9: ("A frog moved in.",), 14: ("It froze over.",)}
    clock.pass_time(days=6 - to_datetime(memory.present()).day)
    for day, texts in days.items():
        clock.pass_time(days=day - to_datetime(memory.present()).day)
        for text in texts:
            memory.remember(Draft(text, "said to you", speaker=speaker))
    clock.pass_time(days=4)
    answer = inject(memory, Question(question))
    assert [hit.node.content for hit in answer.hits] == [*days[6]]
    assert UNSURE not in answer.text


def test_what_happened_in_a_week_is_told_in_its_order(memory, clock):
    for text in ("The boiler was swept.", "Our cat had four kittens.", "We dug a pond with Ole."):
        memory.remember(Draft(text, "said to you"))
        clock.pass_time(days=1)
    clock.pass_time(days=5)
    answer = inject(memory, Question("What happened last week?"))
    told = [hit.node.occurred_at for hit in answer.hits]
    assert len(told) > 1
    assert told == sorted(told)
