"""Context Graph for LangChain: a retriever, and tools for an agent."""

from typing import Any

from context_graph.integrations import verbs
from context_graph.memory import Memory
from context_graph.models import to_iso
from context_graph.recall.answer import Hit

try:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import BaseTool, StructuredTool
except ImportError as error:
    raise ImportError(
        "context_graph.integrations.langchain needs langchain-core; pip install 'ultimate-context-graph[langchain]'"
    ) from error

__all__ = ["ContextGraphRetriever", "memory_tools"]


class ContextGraphRetriever(BaseRetriever):
    """Memories as documents, the best first.

    Their metadata hold `relevance` (a probability), `tag`, `speaker`, `occurred_at`, and `replaced_by` where a later
    memory seems to take their place.

    Examples
    --------
    >>> retriever = ContextGraphRetriever(memory=Memory("notes"), top_k=5)      # doctest: +SKIP
    >>> retriever.invoke("Which instrument does Anna play?")                    # doctest: +SKIP
    """

    memory: Memory
    top_k: int | None = None
    """Most documents; the setting `top_k` by default."""

    min_similarity: float | None = None
    """Least relevance, in [0, 1]."""

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        answer = self.memory.recall(query, top_k=self.top_k, min_similarity=self.min_similarity)
        return [_document(hit) for hit in answer]


def _document(hit: Hit) -> Document:
    metadata = {
        "relevance": hit.relevance, "tag": hit.tag, "speaker": hit.node.speaker,
        "occurred_at": to_iso(hit.node.occurred_at), "replaced_by": hit.replaced_by,
    }  # fmt: skip
    return Document(id=hit.id, page_content=hit.content, metadata=metadata)


def memory_tools(memory: Memory, *, max_tokens: int = 1_024) -> list[BaseTool]:
    """`remember` and `recall`, as tools that an agent may call.

    Parameters
    ----------
    max_tokens : int
        Length of what `recall` tells, at most.
    """

    def remember(text: str, why: str = "") -> str:
        return verbs.remember(memory, text, why)

    def recall(question: str) -> str:
        return verbs.recall(memory, question, max_tokens)

    return [
        StructuredTool.from_function(remember, description=verbs.REMEMBER),
        StructuredTool.from_function(recall, description=verbs.RECALL),
    ]
