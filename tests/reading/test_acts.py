"""What statements do, and which questions ask for all of a kind."""

import pytest

from context_graph.reading.acts import acts_of, asked_for

STATEMENTS = [
    ("Always quote prices without tax.", "instruction"),
    ("For reports, use metric units.", "instruction"),
    ("Don't call me before noon.", "instruction"),
    ("Antworte auf Deutsch.", "instruction"),
    ("Skip meetings that are longer than an hour.", "instruction"),
    ("Order what is on the list.", "instruction"),
    ("I prefer aisle seats.", "preference"),
    ("Omar can't stand coriander.", "preference"),
    ("My favourite editor is Helix.", "preference"),
    ("We agreed on birch for the shelves.", "decision"),
    ("The board chose the blue design.", "decision"),
    ("Wir haben uns für Holz entschieden.", "decision"),
    ("Still unclear who pays the deposit.", "open"),
    ("The plumber hasn't replied.", "open"),
    ("Not sure yet whether we take the blue tiles.", "open"),
    ("Do we need a permit? Nobody knows.", "open"),
]

TO_DO = (
    "Call the insurance about the window.", "Send Ole the list by Friday.", "Buy stamps.", "Remember to pay Omar.",
    "Book the hall for May.", "please remind me to water the shelves", "Don't forget to renew the permit.",
)  # fmt: skip
CONDUCT = (
    "Call the user by first name.", "Remember to always use tabs.", "Call my wife before you book anything.",
    "Order the results by date.", "Remember to answer in German.", "Pay the rent in full every month.",
)  # fmt: skip


@pytest.mark.parametrize("text", TO_DO)
def test_what_is_to_be_done_once_is_open_and_no_standing_instruction(text):
    assert acts_of(text) == {"open"}


@pytest.mark.parametrize(
    "text",
    [
        "Report sent to Irene.", "no wait, the fence is 2 m high", "the second draft was approved",
        "Oh wait, Thursday.", "Plan 3 has been signed by Abel.",
    ],
)  # fmt: skip
def test_what_was_done_and_a_second_thought_are_no_instructions(text):
    assert "instruction" not in acts_of(text)


@pytest.mark.parametrize("text", ["So tea for Irene from now on.", "From now on only Rust for tools."])
def test_what_holds_for_something_from_now_on_is_an_instruction(text):
    assert "instruction" in acts_of(text)


@pytest.mark.parametrize("text", CONDUCT)
def test_how_things_are_to_be_done_is_no_task(text):
    assert "open" not in acts_of(text)


@pytest.mark.parametrize(("text", "act"), STATEMENTS)
def test_statements_are_told_apart_by_their_form(text, act):
    assert act in acts_of(text)


@pytest.mark.parametrize(
    "text",
    ["The shelves are of birch.", "Omar lives in Graz.", "It rained all day.", "", "Skip pickup is on Monday.",
     "Work laptop got stolen.", "Review meetings were long in March."],
)  # fmt: skip
def test_a_plain_fact_does_nothing(text):
    assert acts_of(text) == frozenset()


@pytest.mark.parametrize(
    ("question", "acts", "topic"),
    [
        ("What are my standing instructions?", {"instruction"}, ()),
        ("What did we agree on for the shelves?", {"decision"}, ("shelf",)),
        ("What is still unresolved with the permit?", {"open"}, ("permit",)),
        ("What did we take in the end?", {"decision"}, ()),
        ("How do I like my reports?", {"instruction", "preference"}, ()),
        ("What do you know about Omar?", set(), ("omar",)),
        ("Bring me up to speed on the kitchen.", set(), ("kitchen",)),
        ("The roofer: what have you got?", set(), ("roofer",)),
        ("anything on the roof?", set(), ("roof",)),
    ],
)
def test_questions_for_all_of_a_kind(question, acts, topic):
    wanted = asked_for(question)
    assert wanted is not None
    assert (wanted.acts, wanted.topic) == (acts, topic)


@pytest.mark.parametrize(
    "question",
    [
        "How is the next sluice chosen?",
        "How does it decide which pump to start?",
        "Which valve is picked for a flood?",
        "What decides when the pump stops?",
        "Where is the retry delay decided?",
        "Which instructions does the installer print?",
        "What are the TODOs in this module?",
    ],
)
def test_how_something_works_asks_for_no_decisions(question):
    wanted = asked_for(question)
    assert wanted is None or not wanted.acts


@pytest.mark.parametrize(
    "question",
    ["How do we decide?", "Which pump did we choose?", "What has been decided?", "How did the board decide?"],
)
def test_what_somebody_decided_is_asked_for(question):
    assert asked_for(question).acts == {"decision"}


@pytest.mark.parametrize(
    "question",
    [
        "Where does Omar live?",
        "When is the dentist?",
        "How tall is the shelf?",
        "What did I have for lunch?",
        "How do you know?",
        "What's the insurance policy number?",
        "What is our house rule for the rent deadline?",
        "What did the roof cost in the end?",
        "What went wrong with the roof?",
        "",
    ],
)
def test_a_question_for_one_thing_asks_for_nothing_whole(question):
    assert asked_for(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "What do you know?", "What do you know about me?", "Who am I?", "Tell me about myself.", "Wer bin ich?",
        "Summarize everything you know about us", "What should I know before we start?", "What have I told you so far?",
    ],
)  # fmt: skip
def test_a_question_for_all_that_is_known_of_the_user(question):
    wanted = asked_for(question)
    assert wanted is not None and wanted.user and not wanted.acts and not wanted.topic


@pytest.mark.parametrize("question", ["What should I know about the roof?", "What do you know of Lena?", "Say more."])
def test_a_question_for_something_else_is_none_for_the_user(question):
    wanted = asked_for(question)
    assert wanted is None or not wanted.user


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("How is the roof coming along?", ("roof",)),
        ("How's the thesis going?", ("thesi",)),
        ("Which suppliers do we have?", ("supplier",)),
        ("Remind me of everything concerning the roof.", ("roof",)),
        ("Sum up Omar for me in full.", ("omar",)),
        ("How are you doing that?", None),
        ("Which car do I have?", None),
    ],
)
def test_how_something_stands_is_asked_for_as_a_whole(question, topic):
    found = asked_for(question)
    assert (found.topic if found is not None and found.sure else None) == topic


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("How should I write status mails?", ("statu", "mail")),
        ("How do I want you to answer emails?", ("email",)),
        ("How should I handle errors in Go?", ("go",)),
        ("How should you behave?", ()),
        ("How should you answer me?", ()),
    ],
)
def test_what_is_to_be_done_in_some_way_is_the_topic(question, topic):
    asked = asked_for(question)
    assert asked.acts == {"instruction"} and asked.topic == topic
