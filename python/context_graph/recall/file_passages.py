"""Statements apart from passages of seeded files: a docstring that says "always" tells no assistant how to answer."""

from typing import TYPE_CHECKING

import numpy as np

from context_graph.index.corpus import Corpus
from context_graph.index.fields import SEEDED
from context_graph.models import Caller, Node
from context_graph.presentation.addresses import is_of_file

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["beside_files", "but_of_files"]

MAX_BESIDE_FILES = 30
"""Last statements that say whose a memory is, where a search finds passages of files alone: as many as it finds."""


def but_of_files(corpus: Corpus, visible: np.ndarray) -> np.ndarray:
    """Which of the memories that may be answered are no passages of seeded files: bool (n,).

    Parameters
    ----------
    visible : bool (n,)
        What who asks may see, of a corpus whose lock is held.
    """
    seeded = corpus.agents.known(SEEDED)
    return visible if seeded < 0 else visible & (corpus.columns.agent[: len(visible)] != seeded)


def beside_files(memory: "Runtime", caller: Caller, nodes: list[Node]) -> list[Node]:
    """Those of some memories that are no passages of seeded files; where all are, the last that are none."""
    statements = [node for node in nodes if not is_of_file(node)]
    if statements or not nodes:
        return statements
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.flatnonzero(but_of_files(corpus, visible))
        ids = [corpus.ids[row] for row in rows[-MAX_BESIDE_FILES:].tolist()]
    return list(memory.store.nodes(ids))
