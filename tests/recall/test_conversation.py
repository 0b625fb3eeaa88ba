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


EXCHANGE = [
    ("Always explain every error message when I ask about the import of bank statements.", "I will."),
    ("I decided to write the import with Python 3.12 and pandas, can you propose a structure for the project?",
     "Certainly! Make a package with a module for each bank, and tests beside it."),
    ("The import stops with an error that says \"ParserError: expected 7 fields, saw 9\" when it reads the file of "
     "March, which has a comma within the purpose of three payments. How can I fix that, please?",
     "Quote the fields, or pass on_bad_lines to the reader."),
    ("Hm, and what should the import do with a file that has a password?", "Ask for it once, and keep it nowhere."),
    ("I planned the page of reports today: it needs a chart for each month and a list of the largest payments.",
     "Sounds good. Begin with the list."),
    ("The reports page works, now I'd like to send it every Sunday by mail, which library is usual for that?",
     "The standard library can send mail."),
]  # fmt: skip


@pytest.fixture
def exchange(memory, clock):
    """A conversation of a user and an assistant, a day between two messages of one."""
    for asked, answered in EXCHANGE:
        clock.pass_time(days=1)
        memory.remember(asked, speaker="user")
        memory.remember(answered, speaker="assistant")
    return memory


@requirement("recall:of-a-conversation")
def test_a_longer_question_to_an_assistant_is_for_no_statements_of_a_form(exchange):
    for question in (
        "What exact error message did I mention when trying to read the bank file of March?",
        "Considering the import and the reports, what should I improve to avoid an error like that of the fields?",
    ):
        assert "expected 7 fields" in inject(exchange, Question(question)).text


@requirement("recall:of-a-conversation")
def test_a_short_one_that_says_so_is_and_what_the_assistant_advises_is_none_of_them(exchange):
    texts = [hit.node.content for hit in inject(exchange, Question("What are my standing instructions?")).hits]
    assert EXCHANGE[0][0] in texts and "Ask for it once, and keep it nowhere." not in texts


@requirement("recall:of-a-conversation")
def test_for_an_order_all_that_was_said_is_told_in_it(exchange):
    question = "Walk me through the order in which I brought up different aspects of my work on the import and reports."
    hits = [hit.node for hit in inject(exchange, Question(question)).hits if hit.node.speaker == "user"]
    assert len(hits) == len(EXCHANGE)
    assert [node.content for node in hits] == [asked for asked, _ in EXCHANGE]


WORKING_ON = [
    ("I'm trying to speed up the search of my recipe site, it takes about two seconds for 4,000 recipes, and I've "
     "heard that an index on the titles may help. Can you show me how to make one?", "Certainly! Make an index."),
    ("I'm planning the first demo of the recipe site for 20 January, and I want to be sure that the search and the "
     "import work by then. Can you help me to make a plan for it?", "Begin with the import."),
    ("I'm trying to test the import of the recipe site with files of 1,200 recipes, but some titles are lost on the "
     "way. Can you show me how to find out which ones?", "Compare the counts."),
    ("I'm having trouble with the layout of the recipe site on phones, the search field is cut off at the right side. "
     "Can you help me to fix the styles?", "Use a flexible width."),
]  # fmt: skip


@requirement("recall:of-a-conversation")
@pytest.mark.parametrize(
    "question",
    [
        "How many days are there between the demo of the recipe site and the test of the import?",
        "Have I ever had any trouble or errors with the search of my recipe site?",
        "When is the first demo of the recipe site planned?",
    ],
)
def test_what_goes_on_with_a_work_takes_the_place_of_nothing(memory, clock, question):
    for asked, answered in WORKING_ON:
        clock.pass_time(days=4)
        memory.remember(asked, speaker="user")
        memory.remember(answered, speaker="assistant")
    context = inject(memory, Question(question)).text
    assert "first demo" in context and "earlier than" not in context and "until" not in context


@requirement("recall:of-a-conversation")
def test_wishes_for_two_occasions_both_hold(memory, clock):
    for wish in (
        "Always use bullet points with figures when I ask about the format of my resume.",
        "Always use bullet points when I ask about the style of my letters.",
    ):
        clock.pass_time(days=4)
        memory.remember(wish, speaker="user")
        memory.remember("I will, thanks for telling me.", speaker="assistant")
    context = inject(memory, Question("How should I write my resume?")).text
    assert "format of my resume" in context and "earlier than" not in context


@requirement("recall:of-a-conversation")
def test_a_price_that_was_raised_is_told_first_though_it_is_asked_about(memory, clock):
    for told, answered in (
        ("I've chosen the printer Hartmann, they quoted 4,200 euros for 300 copies. What should I check?", "A proof."),
        ("The cover will be blue.", "Noted."),
        ("Hartmann raised the price to 4,650 euros because of the paper, is that usual?", "It happens."),
    ):
        clock.pass_time(days=2)
        memory.remember(told, speaker="user")
        memory.remember(answered, speaker="assistant")
    context = inject(memory, Question("What does the printer charge?")).text
    first, second, *_ = [line for line in context.splitlines() if line.startswith("> ")]
    assert "4,650" in first and "4,200" in second and "until" in second
