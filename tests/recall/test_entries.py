"""A change of one entry of a list leaves the others."""

import pytest

from tests.requirements import requirement

KEYS = "Keys:\n- cellar: Ole\n- attic: Greta\n- garage: Omar"
HOSTS = "Staging cache: redis 7.0\nProduction cache: redis 6.2"
LEVELS = "Retries: upload 3, download 5, sync 8"
OTHERS = [
    (KEYS, "The cellar key is with Bo now.", "Who has the attic key?"),
    (HOSTS, "Production cache upgraded to redis 7.2", "Which redis version does the staging cache have?"),
    (LEVELS, "upload retries set to 6", "How many retries does sync have?"),
]  # fmt: skip


@requirement("recall:entries-of-lists")
@pytest.mark.parametrize(("earlier", "later", "question"), OTHERS)
def test_another_entry_stays(lines_for, earlier, later, question):
    first = lines_for((earlier, later), question)[0]
    assert earlier.splitlines()[0] in first and "earlier than" not in first


@requirement("recall:entries-of-lists")
def test_the_entry_itself_does_not(lines_for):
    later = "The cellar key is with Bo now."
    assert later in lines_for((KEYS, later), "Who has the cellar key?")[0]
