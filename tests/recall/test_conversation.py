"""What a user tells an assistant changes as what they note does, whatever the assistant answers between."""

from itertools import pairwise

import pytest

from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from tests.requirements import requirement

CHANGES = [
    ("We host the shop at Hetzner.", "Noted, Hetzner.", "Prices went up again, I moved everything to OVH last night.",
     "OK, OVH then.", "Where is the shop hosted?"),
    ("I asked my neighbour Youssef for the market, at 14 euros an hour.", "That is 224 euros.",
     "I gave Youssef a raise to 15 an hour.", "Then it is 240 euros.", "What do I pay my neighbour?"),
    ("The bike was stolen from the courtyard.", "Report it to the police.",
     "I found the bike! It stood behind the containers.", "What luck.", "Was my bicycle stolen?"),
    ("The wifi keeps dropping in the lab.", "Try a repeater.", "The wifi is solved, it was the microwave.", "Good.",
     "Is the wifi in the lab still dropping?"),
    ("The open house is planned for Saturday 5 December.", "Noted: open house on Saturday 5 December.",
     "The open house has to be postponed to Saturday 9 January.", "Then I announce 9 January.",
     "When is the open house?"),
    ("For the report we take LaTeX.", "LaTeX it is.", "My boss can't open it, let's do it in Word after all.",
     "Word then.", "What do we write the report in?"),
]  # fmt: skip


@requirement("recall:of-a-conversation")
@pytest.mark.parametrize(("before", "echo", "after", "answer", "question"), CHANGES)
def test_the_new_is_told_first_and_the_old_marked_with_its_echo(memory, clock, before, echo, after, answer, question):
    turns = [(before, echo), ("The header is green.", "Noted."), ("We go live on Tuesday.", "Fine."), (after, answer)]
    for said, answered in turns:
        for speaker, text in (("user", said), ("assistant", answered)):
            clock.pass_time(minutes=20)
            memory.remember(text, speaker=speaker)
    lines = [line for line in inject(memory, Question(question)).text.splitlines() if line.startswith("> ")]
    assert after in lines[0]
    old = [line for line in lines if before in line or (echo in line and "Noted" in echo)]
    assert before in old[0]
    assert all("until" in line or "earlier than" in line for line in old)


@requirement("recall:of-a-conversation")
@pytest.mark.parametrize("max_tokens", [80, 100, 200, 300])
def test_earlier_than_the_line_above_is_said_of_no_other_line(memory, clock, max_tokens):
    painted = "From now on the front door of the clubhouse by the river is painted {} every spring, which all decided."
    texts = ["The front door of the clubhouse is painted red.", painted.format("green"), "The front door is grey now."]
    for text in texts:
        clock.pass_time(days=1)
        memory.remember(text)
    context = inject(memory, Question("What colour is the front door painted?"), max_tokens=max_tokens).text
    lines = [line for line in context.splitlines() if line.startswith("> ")]
    assert "line above" not in lines[0]
    for above, line in pairwise(lines):
        if "earlier than the line above" in line:
            older, newer = (next(i for i, text in enumerate(texts) if text in one) for one in (line, above))
            assert older < newer
