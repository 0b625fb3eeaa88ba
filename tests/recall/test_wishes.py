"""What somebody would like ends nothing; what says that it stays as it was comes first, and ends the wish."""

import pytest

from context_graph.reading.wishes import wishes_of_another


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["The cover is green.", "The publisher would rather have a blue cover."], "What colour is the cover?"),
        (["The keynote is at nine.", "Ilse would prefer to have the keynote at ten."], "When is the keynote?"),
        (
            ["We eat at Casa Lupo on Mondays.", "Should we eat at Nonna instead? Ida asked."],
            "Where do we eat on Mondays?",
        ),
        (["The fair is in hall 4.", "The caterer hopes for hall 7 for the fair."], "Which hall is the fair in?"),
    ],
)
def test_a_wish_ends_nothing(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[0] in lines[0] and "until" not in lines[0] and "earlier" not in lines[0]


KEPT = [
    (
        ["Choir is on Mondays.", "The conductor wants choir on Thursdays.", "We outvoted the conductor, Monday stays."],
        "When is choir?",
    ),
    (
        ["The rent is 900 euros.", "The landlord asked for 950.", "Talked to the landlord, we're staying at 900."],
        "How much is the rent?",
    ),
    (
        ["We ship from Graz.", "Sales would rather ship from Linz.", "Sales lost the vote, we stick with Graz."],
        "Where do we ship from?",
    ),
    (
        [
            "The play starts at eight.",
            "Should the play start at seven? Ida asked.",
            "Told Ida no, it remains at eight.",
        ],
        "When does the play start?",
    ),
]


@pytest.mark.parametrize(("told", "question"), KEPT)
def test_what_stays_comes_first_and_the_wish_is_over(lines_for, told, question):
    lines = lines_for(told, question)
    assert told[2] in lines[0]
    assert "until" not in next(line for line in lines if told[0] in line)
    assert all("until" in line for line in lines if told[1] in line)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["Ida drinks tea.", "Ida would rather have coffee."], "What does Ida drink?"),
        (["Standup is at 9:30.", "Bo wants standup at 10, so we moved it to 10."], "When is standup?"),
        (["Petra takes 35 euros for cleaning.", "Petra wants 45 now."], "What does cleaning cost?"),
        (["Standup is at 9:30.", "Bo would like standup at 10.", "We moved standup to 10."], "When is standup?"),
    ],
)
def test_what_is_granted_or_ones_own_still_counts(lines_for, told, question):
    assert told[-1] in lines_for(told, question)[0]


def test_a_wish_of_whom_it_is_about_is_news():
    assert not wishes_of_another("Ida drinks tea.", "Ida would rather have coffee.")
    assert not wishes_of_another("The porter wants ten.", "The cook would rather have nine.")
