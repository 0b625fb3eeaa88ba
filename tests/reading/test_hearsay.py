"""What is only said by somebody, and what its teller vouches for."""

import pytest

from context_graph.reading.hearsay import is_hearsay


@pytest.mark.parametrize(
    "text",
    [
        "Rumour has it the mill will be sold.",
        "Legend has it the mill burnt down twice.",
        "Everyone says the mill will be sold.",
        "Someone in the queue reckons the mill will be sold.",
        "The mill was allegedly sold.",
        "Ole keeps saying the mill opens at six.",
        "According to Ida the mill opens at six, but she mixes things up.",
        "Ole told me the mill opens at six, no idea if it's true.",
        "Angeblich macht die Mühle um sechs auf.",
    ],
)
def test_hearsay(text):
    assert is_hearsay(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mill opens at six.",
        "The miller says it opens at six.",
        "The vet thinks it's the knee.",
        "I think the mill opens at six now.",
        "Apparently the mill opens at six now.",
        "It's official, the rumours were true: the mill is sold.",
        "Word count is at seven thousand.",
        "The talk about mills is at six.",
        "Ole thinks of moving to Ulm.",
        "Someone else grinds the corn now.",
        "I heard back from the mill: it's Friday.",
    ],
)
def test_news(text):
    assert not is_hearsay(text)
