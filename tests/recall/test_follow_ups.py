"""What was said of "it" right after a statement comes with it, though it has no word of the question."""

import pytest

from context_graph.ingest.draft import Draft

BEFORE = ("Anna plays the clarinet.", "The bins go out on Wednesdays.", "Our car is a Skoda.", "Nora studies law.")


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("The key for the bike shed is under the pot.", "I moved it to the meter box."), "Where is the shed key?"),
        (("Lumen offered me the job, 62,000 a year.", "I turned it down."), "Did I take the job at Lumen?"),
    ],
)  # fmt: skip
def test_it_is_what_was_told_before(memory, clock, told, question):
    for text in (*BEFORE, *told, *(text.replace(".", ", too.") for text in BEFORE)):
        memory.remember(Draft(text, "told in a conversation"))
        clock.pass_time(minutes=720)
    first, second, *_ = (line for line in memory.inject(question).text.splitlines() if line.startswith("> "))
    assert told[1] in first and told[0] in second and "earlier" in second
