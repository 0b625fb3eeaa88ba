"""Two agents on one memory: what one session keeps for itself, what all share, and where a statement comes from."""

import tempfile
from pathlib import Path

from context_graph import Draft, Memory, Question
from context_graph.settings import Settings

folder = tempfile.TemporaryDirectory()
settings = Settings(home=Path(folder.name), tier="base")

with Memory(settings, session_id="planner") as planner, Memory(settings, session_id="writer") as writer:
    planner.remember(Draft("The launch is on 3 March 2027.", rationale="the date", agent_id="planner"))
    note = "My draft of the launch plan has two open risks."
    planner.remember(Draft(note, rationale="for me alone", agent_id="planner", scope="session"))
    # Speaker and date may stand in the text, as in a log of a conversation.
    told = writer.remember(
        Draft("[8 February 2027] Ines: The launch needs a press kit.", rationale="a wish", agent_id="writer")
    )
    print("understood:", sorted(told.understood))

    question = "What about the launch?"
    for name, memory in (("planner", planner), ("writer", writer)):
        print(f"{name} finds:")
        for hit in memory.recall(Question(question)).hits:
            print(f"  {hit.node.content}  ({hit.node.scope}, by {hit.node.agent_id}, {hit.node.speaker or 'nobody'})")

    others = writer.recall(Question(question, exclude_agent_ids=["writer"]))
    print("of others:", [hit.node.content for hit in others.hits])
folder.cleanup()
