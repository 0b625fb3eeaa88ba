"""What announces a statement changes nothing of what it states."""

import pytest

from context_graph.reading.preamble import without_preamble
from context_graph.server.dispatch import call

ANNOUNCED = [
    "FYI: {}", "Just so you know, {}", "Remember: {}", "Please remember that {}", "By the way, {}", "Update: {}",
    "Note: {}", "Hey! {} Thanks!", "Save this: {}", "I wanted to tell you that {}",
]  # fmt: skip
TEXTS = (
    "I live in Berlin.", "The choir meets on Mondays.", "Kai plays drums.", "We pay 300 euros for the room.",
    "I moved to Munich.", "The choir moved to Thursdays.",
)  # fmt: skip


@pytest.mark.parametrize("form", ANNOUNCED)
def test_only_what_changed_ends_whatever_announces_it(memory, clock, form):
    for text in TEXTS:
        clock.pass_time(days=20)
        call(memory, "store_memory", {"content": form.format(text), "rationale": "said to you"})
    ended = set()
    for question in ("Where do I live?", "When does the choir meet?", "Who plays drums?", "What does the room cost?"):
        context = call(memory, "inject_context", {"query": question}).structured["context"]
        ended |= {line.split(") ")[1] for line in context.splitlines() if "until" in line.split(")")[0]}
    assert {text for text in TEXTS if any(text in line for line in ended)} == {TEXTS[0], TEXTS[1]}


@pytest.mark.parametrize(
    "text",
    [
        "Remember to call mum.", "So the tests pass.", "Hello World is the first program.", "Note that.", "Update",
        "Well water is fine.", "I need to tell Anna that Kai left.", "And so it goes",
    ],
)  # fmt: skip
def test_what_is_stated_stays(text):
    assert without_preamble(text) == text


BEFORE = [
    "Quick reminder that ", "For your reference, ", "In case that's useful: ", "To be clear, ", "Just to confirm: ",
    "As a reminder, ", "One thing to remember: ", "Hey, so ", "Do remember that ", "It might help to know that ",
    "I thought you should know that ", "Please be advised that ", "Could you please store this: ",
    "Thanks for your help. ", "Sorry for the noise, but ", "On a side note, ", "Also, ", "P.S. ", "For later: ",
    "It's important to know that ", "Dear assistant, ", "If you could, please remember that ",
    "When you get a chance, please note that ", "Allow me to mention that ", "Keep this in mind: ",
    "Make a mental note that ", "Just letting you know, ", "Vergiss nicht, dass ", "No olvides que ",
]  # fmt: skip
BEHIND = [
    ", for the record.", ", in case you need it.", ", if that helps.", ". Please remember that.",
    ". Keep that in mind.", ". Got it?", ". Don't forget!", ", as I said.", ", just FYI.", ", danke.", ", por favor.",
]  # fmt: skip


@pytest.mark.parametrize("words", BEFORE)
def test_what_announces_it_is_left_out(words):
    assert without_preamble(f"{words}Marta's flight lands at noon.") == "Marta's flight lands at noon."


@pytest.mark.parametrize("words", BEHIND)
def test_what_closes_it_is_left_out(words):
    assert without_preamble(f"Marta's flight lands at noon{words}") == "Marta's flight lands at noon"


@pytest.mark.parametrize(
    "text",
    [
        "Also Ben came.", "Do the dishes.", "The reminder that rings at nine is mine.", "So far the tests pass.",
        "Keep this in the fridge: the insulin.", "I thought you left.", "If you could see this garden!",
        "The record is kept for the record company.", "One thing led to another.",
    ],
)  # fmt: skip
def test_what_only_looks_like_an_announcement_stays(text):
    assert without_preamble(text) == text
