"""Context Graph for the OpenAI Agents SDK: tools for an agent, and a session that remembers what was said."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from typing import Any

from context_graph.integrations import verbs
from context_graph.memory import Memory

try:
    from agents import FunctionTool, SQLiteSession, function_tool
except ImportError as error:
    raise ImportError(
        "context_graph.integrations.openai_agents needs openai-agents; "
        "pip install 'ultimate-context-graph[openai-agents]'"
    ) from error

__all__ = ["RememberingSession", "memory_tools"]

SPOKEN = ("user", "assistant")


def memory_tools(memory: Memory, *, max_tokens: int = 1_024) -> list[FunctionTool]:
    """`remember` and `recall`, as tools that an agent may call.

    Parameters
    ----------
    max_tokens : int
        Length of what `recall` tells, at most.

    Examples
    --------
    >>> Agent(name="Assistant", tools=memory_tools(Memory("notes")))            # doctest: +SKIP
    """

    async def remember(text: str, why: str) -> str:
        return await to_thread(verbs.remember, memory, text, why)

    async def recall(question: str) -> str:
        return await to_thread(verbs.recall, memory, question, max_tokens)

    return [
        function_tool(remember, description_override=verbs.REMEMBER),
        function_tool(recall, description_override=verbs.RECALL),
    ]


class RememberingSession:
    """A session of the SDK that also remembers what user and agent say, so that other sessions can recall it.

    The turns themselves, which the model is sent again word by word, are kept by another session of the SDK. To take a
    turn from it, or to clear it, forgets no memory.

    Parameters
    ----------
    history : Session, optional
        Keeps the turns; in RAM by default, for as long as this session lives.

    Examples
    --------
    >>> session = RememberingSession("support-17", Memory("notes"))             # doctest: +SKIP
    >>> await Runner.run(agent, "My name is Anna.", session=session)            # doctest: +SKIP
    """

    def __init__(self, session_id: str, memory: Memory, *, history: Any = None) -> None:
        self.session_id = session_id
        self.memory = memory
        self.history = SQLiteSession(session_id) if history is None else history
        self.session_settings = getattr(self.history, "session_settings", None)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The turns, the oldest first; the last ones where there is a limit."""
        items: list[Any] = await self.history.get_items(limit)
        return items

    async def add_items(self, items: list[Any]) -> None:
        """Keep some turns, and remember what is said in them."""
        await self.history.add_items(items)
        turns = [(item["role"], _text(item)) for item in items if item.get("role") in SPOKEN]
        await to_thread(verbs.captured, self.memory, turns, self.session_id)

    async def pop_item(self) -> Any:
        """Take the last turn away."""
        return await self.history.pop_item()

    async def clear_session(self) -> None:
        """Take all turns away."""
        await self.history.clear_session()


def _text(item: Mapping[str, Any]) -> str:
    """What is said in a message, which holds a text or a list of parts."""
    content = item.get("content") or ""
    parts: Sequence[Any] = [{"text": content}] if isinstance(content, str) else content
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))
