"""The memories on which is measured whether what is told answers."""

import pytest

from benchmarks.quality.answerability import FOLDER, read

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_questions_name_statements_of_their_memory(path):
    statements, questions = read(path)
    numbers = [statement.number for statement in statements]
    assert numbers == [*range(1, len(numbers) + 1)]
    assert all((asked.answers | asked.related) <= set(numbers) for asked in questions)
    assert all(bool(asked.answers) == (asked.kind == "answered") for asked in questions)


def test_half_of_the_memories_are_held():
    held = [path for path in FILES if path.stem.startswith("held")]
    assert 2 * len(held) == len(FILES) >= 8
