"""What a second thought corrects is told below it."""

import pytest


@pytest.mark.parametrize(
    ("texts", "question", "now"),
    [
        (["The plumber comes on Monday at 8.", "oh no, Tuesday"], "When does the plumber come?", "Tuesday"),
        (["We need 14 chairs for the party.", "sorry, 16"], "How many chairs do we need?", "16"),
    ],
)
def test_the_corrected_value_is_told_below(lines_for, texts, question, now):
    first, second, *_ = lines_for(texts, question)
    assert now in first
    assert "earlier" in second or "until" in second
