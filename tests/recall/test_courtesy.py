"""What stands around a question changes no answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.recall.courtesy import without_courtesy
from context_graph.recall.normalization import as_asked
from context_graph.server.dispatch import call

PLAIN = "Where do I live?"
SAID = [
    "Remind me: where do I live?", "Hey, quick question: where do I live?", "Before I forget: where do I live?",
    "I forgot, where do I live?", "Can you tell me where I live?", "Where do I live? Thanks!",
    "Where do I live? I need it for a form.", "As of today, where do I live?", "Where do I live these days?",
    "Where do I live now?", "Where do I live at the moment?", "According to my notes, where do I live?",
    "Based on what I told you, where do I live?", "From our earlier conversations, where do I live?",
    "User question: where do I live?", "Check your memory: where do I live?", "My colleague asks where do I live?",
    "I wonder where I live.", "WHERE DO I LIVE?", "So, um, where do I live?",
    "What's the latest: where do I live?", "As I said before, where do I live?",
    "Last thing for today: where do I live?", "First of all, where do I live?",
    "I asked you this yesterday, but where do I live?",
    "Ignore my last message. Where do I live?", "Where do I live? You told me earlier.",
    "Where do I live, do you remember?", "Where do I live as things stand?",
]  # fmt: skip
MEANT = [
    "I forgot my umbrella", "What have I done these days?", "When do we meet again?", "What now?", "Thanks!", "Please",
    "From the airport, how do I get home?", "Given my budget, what can I buy?", "Remind me of everything about Anna",
    "Before I fly, what must I pack?", "What did I do right now?", "Does IBM use AWS?",
    "Check the boiler pressure: what should it be?", "Reply to Anna: when did I promise it?",
    "Q3 revenue", "IBM AG", "Before the move, where did we live?", "Yesterday, what did I do?",
    "When we last talked, what did I say about Rust?", "My history test: when do I sit?", "Last order: what did I buy?",
    "I forgot my umbrella, where is it?", "You know Lena, where does she live?", "What's new? Who called?",
    "Remember my last order? What was in the box?",
]  # fmt: skip


@pytest.mark.parametrize("question", SAID)
def test_a_context_is_the_same_whatever_stands_around_the_question(memory, clock, question):
    texts = ("I live in Berlin.", "The bins go out on Mondays.", "My sister lives in Leipzig.", "I moved to Munich.")
    for text in texts:
        clock.pass_time(days=20)
        call(memory, "store_memory", {"content": text, "rationale": "said to you"})
    expected = call(memory, "inject_context", {"query": PLAIN}).structured["context"]
    assert "Munich" in expected
    assert call(memory, "inject_context", {"query": question}).structured["context"] == expected


@pytest.mark.parametrize("question", MEANT)
def test_what_is_asked_stays(question):
    assert as_asked(question) == question


@pytest.mark.parametrize("question", ["What's my job?", "What is the user's occupation?", "what's my line of work?"])
def test_what_somebody_works_as_stands_above_what_has_the_word_work(memory, clock, question):
    for text in ("Just moved to Lisbon for work, still living out of boxes.", "I'm a product designer at a fintech.",
                 "I cycle to work when it's not raining, 20 minutes.", "My lease runs until October."):  # fmt: skip
        clock.pass_time(minutes=3)
        call(memory, "store_memory", {"content": text, "rationale": "said to you"})
    context = call(memory, "inject_context", {"query": question}).structured["context"]
    assert "product designer" in next(line for line in context.splitlines() if line.startswith(">"))


@given(st.text(max_size=80))
def test_something_is_left_of_every_text(text):
    assert bool(without_courtesy(text).strip()) == bool(text.strip())


@given(st.sampled_from(SAID))
def test_what_is_left_has_no_courtesy_any_more(question):
    once = without_courtesy(question)
    assert without_courtesy(once) == once
