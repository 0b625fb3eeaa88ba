"""The name of an agent, from the first call to the permanent deletion of its last memory."""

from context_graph import Draft
from context_graph.ingest.forget import forget
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.settings import Settings
from tests.requirements import requirement

NAME = "anna-bergmann"


def files_with(home, text: str) -> list[str]:
    return [file.name for file in home.rglob("*") if file.is_file() and text.encode() in file.read_bytes()]


@requirement("store:agent-names-go")
def test_it_is_in_no_file_of_the_home_once_all_its_memories_are_deleted_for_good(tmp_path):
    settings = Settings(home=tmp_path / "home", tier="base")
    with Memory(settings) as memory:
        kept = memory.remember(Draft("The ferry to Moss leaves at nine.", "when the ferry leaves", agent_id="ferryman"))
        hers = [
            memory.remember(Draft(text, "what is known of the pass", agent_id=NAME)).node.id
            for text in ("The pass over the Arlberg is shut in June.", "Snow ploughs clear the Arlberg in May.")
        ]
        memory.recall(Question("When is the Arlberg open?", agent_id=NAME))
        memory.store.effects.flush()
        memory.store.backup()
    with Memory(settings) as memory:  # another process: from its cache
        memory.recall(Question("When is the Arlberg shut?", agent_id=NAME))
        for id in hers:
            assert files_with(settings.home, NAME)
            assert forget(memory, id, "user_requested", soft=False).remains == ()
        memory.recall(Question("When does the ferry leave?"))
    assert files_with(settings.home, NAME) == []
    with Memory(settings) as memory:
        assert memory.store.verify().ok
        assert memory.store.node(kept.node.id).agent_id == "ferryman"
