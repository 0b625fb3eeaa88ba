"""What the user is asked about: a later statement that may have ended an earlier one, and no two things of a kind."""

import pytest

from context_graph.recall.proposals import proposals

OF_OTHERS = [
    ("Agenda item 1: discuss the bridge with Ms Lund.", "Agenda item 2: discuss the ferry with Ms Perez."),
    ("Patient A received 5 mg on Monday.", "Patient B received 10 mg on Tuesday."),
    ("Experiment 1 used a learning rate of 0.1.", "Experiment 2 used a learning rate of 0.01."),
]
CHAINS = [
    ("A yak is a kind of bovid.", "Bovids are a kind of mammal."),
    ("Hard frost causes burst pipes.", "Burst pipes cause lost working days."),
    ("The summer house has a porch.", "The summer house got a new stove."),
]
OF_ENVIRONMENTS = [
    ("Production runs 3.8.1", "3.9.0 on staging"),
    ("Produktion steht auf 3.8.1", "3.9.0 auf Staging"),
    ("The prod cluster runs 3.8.1", "3.9.0 runs on the staging cluster"),
]
OF_ONE = [
    ("The choir meets in the morning.", "The choir now meets in the evening."),
    ("The retro is in Aspen.", "The retro is in Birch."),
    ("The band rehearses in the barn.", "The band now rehearses in the cellar."),
]


@pytest.mark.parametrize("pair", [*OF_OTHERS, *CHAINS, *OF_ENVIRONMENTS])
def test_two_of_many_things_are_asked_about_as_one_by_nobody(memory, clock, tell, pair):
    for text in pair:
        clock.pass_time(days=1)
        tell(text)
    assert not proposals(memory, memory.caller)


@pytest.mark.parametrize("pair", OF_ONE)
def test_what_may_have_ended_is_asked_about(memory, clock, tell, pair):
    for text in pair:
        clock.pass_time(days=1)
        tell(text)
    [proposal] = proposals(memory, memory.caller)
    assert (proposal.earlier.content, proposal.later.content) == pair
