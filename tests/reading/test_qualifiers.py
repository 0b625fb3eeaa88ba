"""What is said of one of several things that exclude each other is not said of the others."""

import pytest

from context_graph.reading.qualifiers import qualified_alike


@pytest.mark.parametrize(
    ("question", "text", "alike"),
    [
        ("what is the production db host?", "staging db host: db-2", False),
        ("what is the production db host?", "prod db host: db-1, staging: db-2", True),
        ("What is my landline number?", "My mobile number is 0044 55.", False),
        ("What is in the right drawer?", "The left drawer holds the spoons.", False),
        ("What do I take in the morning?", "I take aspirin in the evening.", False),
        ("Where do we go in summer?", "In winter we ski.", False),
        ("What is my old address?", "My new address is Elm Row 4.", False),
        ("Which database is there?", "The staging database is crow.", None),
        ("Is it right that Ada left?", "Ben left the left one.", None),
        ("When do I work from home?", "The work starts at nine.", None),
        ("What is the production or staging host?", "staging host: db-2", None),
    ],
)  # fmt: skip
def test_whether_a_statement_names_the_one_that_is_asked_for(question, text, alike):
    assert qualified_alike(question, text) is alike
