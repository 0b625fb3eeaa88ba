"""Questions for who has a role."""

from context_graph.ingest.draft import Draft
from context_graph.models import from_iso
from context_graph.recall.inject import UNSURE, inject
from context_graph.recall.question import Question

TEXTS = (
    "Flour comes from Hof Lund, 25 kilos a week.", "Pia cleans the flat every Thursday.",
    "Parking is free after eight.", "Eggs are delivered by Frau Behn.", "We get our coffee from Kaffeewerk Süd.",
    "Jo cuts my hair.",
)  # fmt: skip


def test_all_who_have_a_role_are_told_and_without_a_doubt(memory, clock):
    clock.time = from_iso("2026-03-01T09:00:00Z")
    for text in TEXTS:
        clock.pass_time(minutes=10)
        memory.remember(Draft(text, "said to you"))

    def told(question: str) -> list[str]:
        context = inject(memory, Question(question)).text
        assert UNSURE not in context
        return [text for line in context.splitlines() for text in TEXTS if text in line]

    assert told("Who are our suppliers?") == [TEXTS[4], TEXTS[3], TEXTS[0]]
    assert told("Who is my hairdresser?")[0] == TEXTS[5]
    assert told("Who is our cleaner?")[0] == TEXTS[1]
