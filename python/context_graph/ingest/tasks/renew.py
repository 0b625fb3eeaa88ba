"""A change of models in the background: what another model embedded is embedded anew, and answers from then on."""

from typing import TYPE_CHECKING
from zlib import crc32

from context_graph.index.corpus import Corpus
from context_graph.index.loader import behind
from context_graph.ingest.renewal import RENEWED_AT_ONCE, renew
from context_graph.runtime.tasks import OnLoad, Round, task

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["renew_all"]


def _new_model(memory: "Runtime", corpus: Corpus) -> list[str]:
    return [] if memory.embedder is memory.model else [memory.model.model]


@task("renew", trigger=OnLoad(_new_model), slow=True)
def renew_all(memory: "Runtime", round: Round) -> None:
    """Embed with the model of the settings what another one embedded.

    All in one round: tasks after it would embed with the former model. Another process may do the same: each begins
    elsewhere.
    """
    tried = None
    while (left := behind(memory.store, memory.model.makers)) and left != tried and not round.over():
        first = crc32(memory.caller.context_id.encode()) % len(left)
        renew(memory, [*left[first:], *left[:first]][:RENEWED_AT_ONCE], round.over)
        tried = left
    memory.renewed()
