"""What several tests of this folder do: tell some texts, one after another, and ask."""

import pytest

from context_graph.ingest.draft import Draft


@pytest.fixture
def lines_for(memory, clock):
    """The lines of a context for a question, after some texts were told three days apart."""

    def lines_for(texts, question):
        for text in texts:
            memory.remember(Draft(text, "told in a conversation"))
            clock.pass_time(days=3)
        return [line for line in memory.inject(question).text.splitlines() if line.startswith("> ")]

    return lines_for
