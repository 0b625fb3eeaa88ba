"""Context Graph for LlamaIndex: a retriever, and a block of an agent's memory."""

from asyncio import to_thread
from typing import Any

from context_graph.integrations import verbs
from context_graph.memory import Memory
from context_graph.models import to_iso
from context_graph.recall.answer import Hit

try:
    from llama_index.core.base.llms.types import ChatMessage
    from llama_index.core.memory import BaseMemoryBlock
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError(
        "context_graph.integrations.llamaindex needs llama-index-core; pip install 'ultimate-context-graph[llamaindex]'"
    ) from error

__all__ = ["ContextGraphBlock", "ContextGraphRetriever"]

SPOKEN = ("user", "assistant")


class ContextGraphRetriever(BaseRetriever):
    """Memories as text nodes, the best first; the score is the relevance, a probability.

    Parameters
    ----------
    top_k : int, optional
        Most nodes; the setting `top_k` by default.
    min_similarity : float, optional
        Least relevance, in [0, 1].

    Examples
    --------
    >>> ContextGraphRetriever(Memory("notes")).retrieve("Which instrument does Anna play?")     # doctest: +SKIP
    """

    def __init__(
        self, memory: Memory, *, top_k: int | None = None, min_similarity: float | None = None, **options: Any
    ) -> None:
        self._memory, self._top_k, self._min_similarity = memory, top_k, min_similarity
        super().__init__(**options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        answer = self._memory.recall(query_bundle.query_str, top_k=self._top_k, min_similarity=self._min_similarity)
        return [_node(hit) for hit in answer]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await to_thread(self._retrieve, query_bundle)


def _node(hit: Hit) -> NodeWithScore:
    metadata = {
        "tag": hit.tag, "speaker": hit.node.speaker, "occurred_at": to_iso(hit.node.occurred_at),
        "replaced_by": hit.replaced_by,
    }  # fmt: skip
    return NodeWithScore(node=TextNode(id_=hit.id, text=hit.content, metadata=metadata), score=hit.relevance)


class ContextGraphBlock(BaseMemoryBlock[str]):
    """A block of `llama_index.core.memory.Memory`: it keeps the turns that leave the short-term memory, and tells what
    is remembered for the last thing that the user said.

    Examples
    --------
    >>> block = ContextGraphBlock(memory=Memory("notes"))                                       # doctest: +SKIP
    >>> chat = llama_index.core.memory.Memory.from_defaults(memory_blocks=[block])              # doctest: +SKIP
    """

    name: str = "context_graph"
    memory: Memory
    max_tokens: int = 1_024
    """Length of what is told, at most."""

    async def _aget(self, messages: list[ChatMessage] | None = None, **options: Any) -> str:
        asked = [message.content for message in messages or () if message.role == "user" and message.content]
        if not asked:
            return ""
        return str(await to_thread(self.memory.inject, asked[-1], max_tokens=self.max_tokens))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        turns = [(str(message.role.value), message.content or "") for message in messages if message.role in SPOKEN]
        await to_thread(verbs.captured, self.memory, turns)
