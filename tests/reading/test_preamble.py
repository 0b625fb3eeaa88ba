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
