"""The passages of a folder of documents become memories in the background: its graph does not wait for them."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.readings import Readings
from context_graph.connectors.folder.seeding import seed
from context_graph.errors import InvalidInput
from context_graph.index.corpus import Corpus
from context_graph.knowledge.document import DocumentTree
from context_graph.knowledge.project import project_name, project_root, trees
from context_graph.runtime.records import Records
from context_graph.runtime.tasks import OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["DUE", "passages", "plan_passages"]

DUE = "due"
"""What a record of a folder says while its passages wait; a process that finds it goes on."""


def plan_passages(memory: "Runtime", folder: str) -> None:
    """Have the passages of a folder of this project remembered, by this process or the next one."""
    entry = next(one for one in trees(memory) if one.value.folder == folder)
    if entry.value.passages != DUE:
        Records(memory, DocumentTree).change(entry, replace(entry.value, passages=DUE))
    memory.background.plan("passages", [folder])


def _due(memory: "Runtime", corpus: Corpus) -> list[str]:
    project = (memory.settings.project or Path.cwd()).resolve().as_posix()
    records = memory.store.records("document_tree")
    return [one.data["folder"] for one in records if one.data.get("project") == project and one.data["passages"] == DUE]


@task("passages", trigger=OnLoad(_due), lease=True, slow=True, waiting="folders wait for their passages")
def passages(memory: "Runtime", round: Round) -> list[str]:
    """Remember folders as `context-graph seed` does: what changed is superseded, what is gone is forgotten."""
    left = []
    for folder in round.items:
        entry = next((one for one in trees(memory) if one.value.folder == folder), None)
        if entry is None or project_name(memory) != entry.value.project:
            continue
        count, complete = 0, True
        try:
            inventory = survey(project_root(memory) / folder, readings=Readings.of(memory.settings))
            for step in seed(memory, inventory, allow_removal=True, gives_way=True):
                count += step.change != "removed"
                if round.over():
                    complete = False
                    break
        except InvalidInput:  # a folder with nothing to remember
            count = 0
        if not complete:
            left.append(folder)
            continue
        now = next((one for one in trees(memory) if one.value.folder == folder), entry)
        Records(memory, DocumentTree).change(now, replace(now.value, passages=f"{count} passages are memories"))
    return left
