"""What people met who told a memory of months: what answers is first, and is called earlier only where it is past."""

import pytest

from context_graph.ingest.draft import Draft
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement


@pytest.fixture
def lines(memory, clock):
    def lines(texts, question: str) -> list[str]:
        for text in texts:
            clock.pass_time(days=9)
            memory.remember(Draft(text, "said to you"))
        return [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]

    return lines


def _is_past(line: str) -> bool:
    return "earlier than" in line or "until" in line.split(")")[0]


@requirement("recall:one-change-one-thing")
@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("Leo quit fencing, he does judo now.", "Sorry, Nadia is from Split, not Zagreb."), "What does Leo do?"),
        (("My aunt's birthday is 3 June.", "Correction: the cook is called Marek, not Mark."), "When is her birthday?"),
        (("We open from Tuesday to Friday.", "From April we also open on Mondays."), "When are we open?"),
        (("The backups run on host-1.", "Bought a second server, host-2, for the queue."), "Where do backups run?"),
        (("A bakery delivers on Thursdays.", "Hof Lund doesn't deliver on Fridays any more."), "When is bread here?"),
    ],
)  # fmt: skip
def test_what_is_said_of_another_matter_ends_nothing(lines, texts, question):
    statement = next(line for line in lines(texts, question) if texts[0] in line)
    assert not _is_past(statement)


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("I share a flat in Ulm.", "The cat is grey.", "Moved in with Kai in Graz."), "Where do I live?"),
        (("Wash costs 9 euros, wax 20.", "It rains.", "Wax now costs 25, the wash stays the same."), "What is wax?"),
    ],
)  # fmt: skip
def test_what_took_the_place_of_it_is_told_first(lines, texts, question):
    first, *others = lines(texts, question)
    assert texts[2] in first
    assert _is_past(next(line for line in others if texts[0] in line))


@pytest.mark.parametrize(("passed", "first"), [(10, 0), (200, 1)])
def test_what_changes_in_a_month_to_come_comes_second_until_then(memory, clock, passed, first):
    texts = ("Our manager is Helga, call her before six.", "Helga retires at the end of May, Yusuf becomes manager.")
    for text in texts:
        clock.pass_time(days=9)
        memory.remember(Draft(text, "said to you"))
    clock.pass_time(days=passed)
    context = inject(memory, Question("Who is our manager?")).text
    assert texts[first] in next(line for line in context.splitlines() if line.startswith("> "))


def test_a_note_for_a_person_is_no_entry_about_them(lines):
    texts = (
        "Ravi: dentist on 22 January at 8:30.", "Ravi likes fried mushrooms.", "Ravi runs on Tuesdays before work.",
        "Hannah drinks oat milk, Ravi black tea.", "The van is due in June.",
    )  # fmt: skip
    assert "runs" in lines(texts, "When does Ravi run?")[0]
