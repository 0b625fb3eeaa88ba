"""Questions for what somebody said."""

import pytest

from context_graph.reading.speech_questions import reports_speech, speech_asked
from tests.requirements import requirement


@requirement("recall:what-somebody-said")
@pytest.mark.parametrize(
    ("question", "who", "about"),
    [
        ("What did Bob say?", "Bob", ""),
        ("what did bob say about the lease yesterday?", "bob", "the lease"),
        ("What has Bob told me?", "Bob", ""),
        ("So, what does Anna think of the new office?", "Anna", "the new office"),
        ("What’s Bob’s opinion on the queue?", "Bob", "the queue"),
        ("Did Carla mention anything about invoices?", "Carla", "invoices"),
        ("Anything new from Carla?", "Carla", ""),
        ("everything Bob said about Redis", "Bob", "Redis"),
        ("What did the vet say about Milo?", "vet", "Milo"),
        ("Was hat Anna über den Umzug gesagt?", "Anna", "den Umzug"),
        ("¿Qué dijo Marta sobre el horno?", "Marta", "el horno"),
    ],
)
def test_who_spoke_and_of_what_is_read(question, who, about):
    assert speech_asked(question) == (who, about)


@pytest.mark.parametrize(
    "question",
    [
        "What did I say?", "what did you tell me about Bob?", "What did Bob buy?", "What does Bob think he is?",
        "Who said something about invoices?", "What did they say?", "What is the report about?", "",
    ],
)  # fmt: skip
def test_other_questions_ask_for_something_else(question):
    assert speech_asked(question) is None


@pytest.mark.parametrize(
    ("text", "reports"),
    [
        ("Bob says the lease ends in May.", True),
        ("According to Bob, it ends in May.", True),
        ("Bob just told me that it ends in May.", True),
        ("I told Bob that it ends in May.", False),
        ("Bobby says hello.", False),
    ],
)
def test_a_report_of_speech_is_told_from_what_somebody_does(text, reports):
    assert reports_speech(text, "Bob") is reports
