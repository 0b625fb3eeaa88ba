"""What a host is told by itself: at the start of a session who its user is, at a prompt what that needs."""

from typing import TYPE_CHECKING

from context_graph.citations import tag_of
from context_graph.connectors.claude_code.hook_event import RecallRequest
from context_graph.embed.wordpiece import token_count
from context_graph.models import Node, NodeState
from context_graph.reading.acts import acts_of
from context_graph.recall.inject import considered, inject, listing
from context_graph.recall.profile import profile
from context_graph.recall.question import Question

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["PROMPT_TOKENS", "SESSION_TOKENS", "background"]

PROMPT_TOKENS = 300
"""Most tokens at a prompt."""

SESSION_TOKENS = 600
"""Most tokens at the start of a session."""

PROFILE_TOKENS = 400
"""Most of them for what is known of the user."""

LAST_TURNS = 3
"""Of the session before, what its user said last."""

LOOKED_THROUGH = 200
"""Memories, the latest, among which the session before is looked for."""

MAX_PROMPT = 2_000
"""Characters of a prompt that are read: what is longer was pasted, and says at its beginning what it is about."""

ABOUT_USER = "What do you know about me?"


def background(memory: "Runtime", moment: RecallRequest) -> str:
    """Text for the context of the host; empty where nothing surely belongs there.

    Of the session itself nothing is told: its host has that before it.
    """
    if moment.event == "UserPromptSubmit":
        return _told(memory, moment.text[:MAX_PROMPT], PROMPT_TOKENS, moment)
    known = _known_of_user(memory, moment)
    of_user = listing(known, max_tokens=PROFILE_TOKENS, heading="Known of the user:").text if known else ""
    last = [node for node in _last_session(memory, moment) if tag_of(node.id) not in of_user]
    heading = f"Last said in the project {moment.project}:"
    turns = listing(last, max_tokens=SESSION_TOKENS - token_count(of_user) - 2, heading=heading).text if last else ""
    return "\n\n".join(part for part in (of_user, turns) if part)


def _told(memory: "Runtime", text: str, max_tokens: int, moment: RecallRequest) -> str:
    """What a prompt needs; what is of another project says so."""
    question = Question(text, top_k=considered(max_tokens), record=False)
    own = memory.written_name(moment.session) if moment.session else None
    return inject(
        memory, question, max_tokens=max_tokens, nearest=False, without_session=own, project=moment.project or None
    ).distilled.text


def _known_of_user(memory: "Runtime", moment: RecallRequest) -> list[Node]:
    """What the user is like and wants; of what a hook captured what belongs to the project, and no question, for every
    second prompt is one.
    """
    own = memory.written_name(moment.session) if moment.session else None
    return [
        node
        for node in profile(memory, ABOUT_USER, memory.caller).nodes
        if node.session_id != own and (not node.metadata.get("captured") or _of_project(node, moment))
    ]


def _of_project(node: Node, moment: RecallRequest) -> bool:
    return _lies_in(node, moment) and "open" not in acts_of(node.content)


def _lies_in(node: Node, moment: RecallRequest) -> bool:
    """Whether a memory is of the project; of two checkouts of one name, of the same one."""
    repository = node.metadata.get("repository") or ""
    return (
        bool(moment.project)
        and node.metadata.get("project") == moment.project
        and (not repository or not moment.repository or repository == moment.repository)
    )


def _last_session(memory: "Runtime", moment: RecallRequest) -> list[Node]:
    """What the user said last in the session before this one in the project, the oldest first."""
    viewer = memory.viewer(memory.caller)
    own = memory.written_name(moment.session) if moment.session else None
    of_project = [
        node
        for node in memory.store.recent(0, LOOKED_THROUGH, "created_at", viewer=viewer)
        if _lies_in(node, moment) and node.session_id != own
    ]
    if not of_project:
        return []
    said = memory.store.session_memories(of_project[0].session_id, LOOKED_THROUGH, states=[NodeState.LIVE])
    return [node for node in said if node.speaker == "user"][-LAST_TURNS:]
