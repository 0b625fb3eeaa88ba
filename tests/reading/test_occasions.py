"""One more time of what is asked for the last of: something done, something measured."""

import pytest

from context_graph.reading.occasions import of_one_kind


@pytest.mark.parametrize(
    ("question", "texts", "of_kind"),
    [
        (
            "When did we last paint the shed?",
            ["Painted the shed.", "The shed is green.", "Shed done again."],
            [1, 0, 1],
        ),
        ("When was the last stocktaking?", ["Stocktaking: two crates are gone.", "The crates are new."], [1, 0]),
        ("When was the last flood?", ["Flood in the lower meadow.", "The meadow has a gate."], [1, 0]),
        ("When was the press last oiled?", ["Oiled the press.", "Press at 40 bar this morning."], [1, 0]),
        ("How long did my last swim take?", ["Swam for 40 minutes.", "Swim meet on 3 May.", "Swim: 38:20."], [1, 0, 1]),
        ("How much hay did we buy last?", ["Bought 40 bales.", "Hay smells good.", "Thirty bales came."], [1, 0, 1]),
        ("What was my last pulse?", ["Pulse 61.", "The pulse belt is broken.", "59 at rest."], [1, 0, 1]),
        ("What was the last film we saw?", ["We saw Dune.", "Saw Alien with Jo."], [1, 1]),
        ("When was the roof last mended?", ["The roof is slate.", "The roof has moss."], [1, 1]),
        ("What was my last pulse?", [], []),
    ],
)
def test_of_one_kind_is_what_tells_of_one_more_time(question, texts, of_kind):
    assert of_one_kind(question, texts).tolist() == [bool(each) for each in of_kind]
