"""Statements that name a new value or an end and no thing, and which statement before completes them."""

import pytest

from context_graph.reading.ellipsis import ellipsis_of, is_antecedent

ELLIPTIC = [
    ("They'd rather do the 4th.", "date"), ("Not before the 9th of June, the van broke down.", "date"),
    ("Pushed back to Wednesday.", "date"), ("So it's 2 May now.", "date"), ("Make that half past six.", "hour"),
    ("Now 21!", "count"), ("Down to 4.", "count"), ("We're at 1,200.", "count"), ("Another three.", "count"),
    ("It's been cancelled.", "end"), ("They've scrapped it, no money.", "end"), ("Fell through, sadly.", "end"),
    ("All done!", "done"), ("Took care of that.", "done"), ("Ilse has taken over.", "person"),
    ("Omar does it now.", "person"), ("Crete instead.", "name"), ("No, Crete.", "thing"), ("Blue it is.", "thing"),
]  # fmt: skip
WHOLE = [
    "The recital is on the 4th.", "We move in on 2 May.", "Bought 21 tiles.", "She is 21 now.", "The gig is cancelled.",
    "I finished the fence.", "Ilse took over as head of the kitchen.", "Disk use is 7.2 GB.", "Release branch: rel/3.9",
    "Tomorrow only, we begin at 8.", "Is it off?", "Lunch at noon.", "Fell through the ice.", "Omar stays after all.",
    "No meat for me.", "No como carne.", "Actually reading it was fun last year.",
    "It's cold.", "It's raining again.", "We went for a walk.", "It's a boy!", "We've decided to sell the car.",
    "Actually I like it.", "She's off today.", "They're off on Monday.", "Back on Monday.",
    "It's Bob's birthday now.", "We went to Rome.",
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), ELLIPTIC)
def test_what_names_no_thing_is_elliptic(text, kind):
    assert ellipsis_of(text) is not None and ellipsis_of(text).kind == kind


@pytest.mark.parametrize("text", WHOLE)
def test_what_names_a_thing_or_gives_no_value_is_not(text):
    assert ellipsis_of(text) is None


def test_a_weekly_day_completes_a_weekly_day():
    assert is_antecedent("Band practice is on Tuesdays.", "date", "Thursdays")
    assert not is_antecedent("The recital is on Tuesday.", "date", "Thursdays")


def test_what_the_value_names_is_no_other_thing():
    assert not is_antecedent("We go to Crete in June.", "thing", "Crete")
