"""Words that complete what somebody begins to type: names and ids of what they may see, and their sessions."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from context_graph.access import visible_nodes
from context_graph.models import Caller, NodeState
from context_graph.presentation.visitor import CURRENT, Visitor
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MAX_SUGGESTIONS", "beginning_with", "concept_names", "node_ids", "sessions"]

MAX_SUGGESTIONS = 100
MIN_ID_DIGITS = 2
_ID = regex(r"\[?(?:node_)?([0-9a-f][0-9a-f-]+)\]?", re.I)


def beginning_with(text: str, words: Iterable[str]) -> list[str]:
    """Those of some words that begin so, whatever their case; a word that is typed whole is among them."""
    return [word for word in words if word.lower().startswith(text.lower())]


def concept_names(memory: "Runtime", text: str, caller: Caller) -> tuple[list[str], bool]:
    """Names of concepts that the caller may see: first those that begin so, then those with a word that does.

    Beside them, whether there may be more: who may see a concept is asked of a hundred, not of all.
    """
    from context_graph.derived import ConceptNames

    memory.catch_up()  # with what another process has written
    ids = memory.view(ConceptNames).beginning_with(text)
    visible = visible_nodes(memory, memory.store.nodes(ids[:MAX_SUGGESTIONS]), caller)
    return list(dict.fromkeys(node.name for node in visible)), len(ids) > MAX_SUGGESTIONS


def node_ids(memory: "Runtime", text: str, caller: Caller) -> list[str]:
    """Ids of live nodes that the caller may see and that begin with these digits; without any, what is in focus."""
    if not text:
        nodes = memory.store.nodes(memory.session(caller.session_id).focus)
    else:
        match = _ID.fullmatch(text)
        digits = match[1].replace("-", "") if match else ""
        nodes = memory.store.find_by_prefix(digits, MAX_SUGGESTIONS) if len(digits) >= MIN_ID_DIGITS else []
    return [node.id for node in visible_nodes(memory, nodes, caller) if node.state == NodeState.LIVE]


def sessions(text: str, visitor: Visitor) -> list[str]:
    """The sessions that are open to a visitor."""
    own = sorted(visitor.sessions | {visitor.caller.session_id})
    return beginning_with(text, (CURRENT, *own))
