"""Files that could not be read when they were stored are read, where what reads them has been installed since."""

from typing import TYPE_CHECKING

from context_graph.index.corpus import Corpus
from context_graph.ingest.rereading import readable, reread
from context_graph.runtime.tasks import Budget, OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["reread_files"]

READ_AT_ONCE = 32
"""Memories of one event: to read a file takes longer than to read a text."""


def _readable(memory: "Runtime", corpus: Corpus) -> list[str]:
    return readable(memory, corpus)


@task("reread", trigger=OnLoad(_readable), budget=Budget(items=READ_AT_ONCE), waiting="files wait to be read")
def reread_files(memory: "Runtime", round: Round) -> None:
    """Read the files of memories; what is found in them is embedded after it."""
    memory.background.plan("embed", reread(memory, round.items, round.over))
