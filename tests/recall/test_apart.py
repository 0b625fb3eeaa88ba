"""What a later statement does not end: another matter, another part, something that happened once."""

import pytest

from context_graph.ingest.draft import Draft
from tests.requirements import requirement

HOLD = [
    ("What does my private number end in?", "My private number ends in 530.",
     "Got a phone for work, it ends in 118."),
    ("Why did we drop Redis?", "We dropped Redis because the nodes ran out of memory.",
     "The nodes were upgraded to 64 GB of memory last week."),
    ("Who mended the mower?", "Jens mended the mower with a new belt.",
     "Ruth wants a mower that runs on batteries."),
    ("Is the import throttled?", "throttling for /import is in, 20 a minute per account",
     "import bug: umlauts arrive broken, ticket #77, assigned to Wim"),
    ("How did I like Stoner?", "finished Stoner, wonderful, 5/5", "finished the second season of Dark"),
    ("Who is my dentist?", "My dentist is Dr. Okoro.", "Dr. Okoro doubled the fluoride."),
    ("Where are the leeks?", "The leeks are behind the shed, two rows.", "Rust took half of the leeks."),
    ("How old is Fenja?", "My mare Fenja is twelve.", "Fenja gets three kilos of oats."),
    ("How many onions go into the soup?", "Soup: 4 onions, 1 leek, a litre of stock.",
     "I made the soup for nine guests."),
    ("When do I fly back?", "The return flight is on 9 December.", "They moved my flight to 11:15."),
    ("Which database do we use?", "Decision: we use Postgres.", "Bob thinks we should use MySQL instead."),
    ("Which tracker do we use?", "Errors go to Sentry.", "We try Glitchtip next to Sentry until May."),
    ("How many active paying accounts are there?", "Active paying accounts stood at 840 on Monday.",
     "The accounts team gets 90,000 euros in June."),
    ("Who has bay 2?", "A Ms. Brandt takes bay 2 from September, 50 euros.", "Bay 1 goes to the pizzeria, 60 a month."),
    ("How much bisoprolol do I take?", "The bisoprolol went up to 5 mg.",
     "Dr. Osei says no grapefruit with bisoprolol, apples instead."),
]  # fmt: skip
"""A question, what answers it, and what was told later of something else with words in common."""

ENDS = [
    ("Who mended the mower?", "Jens mended the mower.", "Correction: it was Ruth who mended the mower, not Jens."),
    ("Who is my dentist?", "My dentist is Dr. Okoro.", "Dr. Okoro retired, I see Dr. Lindh now."),
    ("Where are the leeks?", "The leeks are behind the shed.", "I moved the leeks to the greenhouse."),
    ("How many onions go into the soup?", "Soup: 4 onions, 1 leek.", "I take two onions for the soup now."),
    ("Which tracker do we use?", "Errors go to Sentry.", "We replaced Sentry by Glitchtip."),
    ("Which room do I sleep in?", "I'm at the Seehof from Monday, room 214.", "I'm in room 118 now."),
    ("Who has bay 2?", "A Ms. Brandt takes bay 2 from May.", "Ms. Brandt left, bay 2 goes to the pizzeria."),
    ("may the two jobs run in parallel?", "The import must never run in parallel with the payout job, they deadlock.",
     "Wei fixed the deadlock, so the two jobs can overlap again."),
    ("How much do I weigh?", "I weigh 82 kilos.", "I'm down to 79."),
    ("How much bisoprolol do I take?", "I take 5 mg of bisoprolol.", "No bisoprolol any more, says Dr. Osei."),
]  # fmt: skip


@pytest.fixture
def say(memory, clock):
    def say(text: str) -> str:
        clock.pass_time(days=3)
        return memory.remember(Draft(text, "said to you")).node.id

    return say


def lines(memory, question: str) -> list[str]:
    return [line for line in str(memory.inject(question)).splitlines() if line.startswith("> ")]


@requirement("recall:another-matter-ends-nothing")
@pytest.mark.parametrize(("question", "holds", "later"), HOLD)
def test_what_was_told_later_of_something_else_ends_nothing(memory, say, question, holds, later):
    for text in ("The bins go out on Wednesdays.", holds, "Nora plays chess.", later, "The wifi is slow upstairs."):
        say(text)
    told = [line for line in lines(memory, question) if holds in line]
    assert told and "until" not in told[0].partition(holds)[0] and "earlier" not in told[0].partition(holds)[0]


@pytest.mark.parametrize(("question", "before", "now"), ENDS)
def test_what_plainly_changes_the_same_thing_stands_first(memory, say, question, before, now):
    for text in ("The bins go out on Wednesdays.", before, "Nora plays chess.", now, "The wifi is slow upstairs."):
        say(text)
    assert now in lines(memory, question)[0]


def test_of_what_is_listed_beside_each_other_one_part_changes(memory, say):
    """The question about the other part is still answered by the earlier statement."""
    listed = "we ship the worker to render.com, region oregon, service name mail-worker"
    changed = "render region changed from oregon to frankfurt"
    say(listed)
    say(changed)
    assert listed in lines(memory, "Where do we ship the worker?")[0]
    assert changed in lines(memory, "Which region is render in?")[0]


def test_a_thing_that_is_held_later_is_still_held_where_it_was(memory, say):
    say("Our spring fair is on the 12th of May in Ahlbeck.")
    say("Spring fair put off by a week to the 19th, the hall is flooded.")
    where = next(line for line in lines(memory, "Where is the spring fair?") if "Ahlbeck" in line)
    assert "until" not in where and "earlier" not in where
    assert "19th" in lines(memory, "When is the spring fair?")[0]


def test_a_clause_that_shares_the_verb_of_another_is_a_part_of_its_own(memory, say):
    say("the gateway listens on 7000 locally, the site on 4000")
    say("gateway moved to port 7100 because of a clash")
    assert "4000" in lines(memory, "Which port is the site on?")[0]
    assert "7100" in lines(memory, "Which port does the gateway use?")[0]


MOVED = [
    ("When does the contract with Acme end?", "The contract with Acme ends on 31 March 2027.", "Acme moved to Vienna."),
    ("How much memory does Osprey have?", "Osprey has 64 GB of memory.", "The server Osprey moved to rack 12."),
    ("Why was Osprey down?", "Osprey was down because a disk was full.", "Osprey moved its queue to Kafka."),
    ("Who met the auditor?", "Yesterday Lea met the auditor.", "Lea moved to Bremen last week."),
    ("When does the bakery open?", "The bakery opens at seven.", "The bakery moved to Mill Street."),
    ("What does Jonas play?", "Jonas plays the violin.", "Jonas switched schools in September."),
    ("What does the API use for login?", "The API uses JWT for login.", "The API moved to port 9000."),
    ("What's the budget of Atlas?", "Project Atlas has a budget of 40,000.", "Project Atlas was renamed Pegasus."),
]
"""A question, what answers it, and that the subject, or a thing of it, has moved."""

MOVED_FROM = [
    ("Where is the bakery?", "The bakery is on Elm Road.", "The bakery moved to Mill Street."),
    ("When does the choir meet?", "The choir meets on Mondays.", "The choir has moved to Thursdays."),
    ("Which port does the API listen on?", "The API listens on 8080.", "The API moved to port 9000."),
    ("What does Osprey use as a queue?", "The queue of Osprey is RabbitMQ.", "Osprey moved its queue to Kafka."),
]


@requirement("recall:another-matter-ends-nothing")
@pytest.mark.parametrize(("question", "holds", "later"), MOVED)
def test_that_a_thing_has_moved_ends_only_where_or_when_it_was(memory, say, question, holds, later):
    say(holds)
    say(later)
    [first, *_] = lines(memory, question)
    assert holds in first and "until" not in first


@pytest.mark.parametrize(("question", "before", "later"), MOVED_FROM)
def test_where_or_when_a_thing_was_is_past_once_it_has_moved(memory, say, question, before, later):
    say(before)
    say(later)
    [first, *_] = lines(memory, question)
    assert later in first
