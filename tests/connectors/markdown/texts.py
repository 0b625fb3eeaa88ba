"""Texts that look like parts of a file, and a memory that holds one."""

from hypothesis import strategies as st

from context_graph.connectors.markdown.note import LINKS
from context_graph.models import Node

__all__ = ["SAID", "TEXTS", "node"]

PIECES = (
    "---", "\n---\n", "...\n", "id: 00000000-0000-0000-0000-000000000000\n", "tags: [a]\n", "[[Other|name]]", "![[x]]",
    "\r\n", "\r", "\n", "\n\n\n", "```\n", "~~~", "\u202e", "\u2066", "\x1b[2J", "\x07", "\x85", "\u2028", "\ufeff",
    LINKS, f"{LINKS}\n", "## Links\n", "- similar: [[a|b]]\n", "%%", "# Title\n", "Anna", " ", "\t", "\U0001f600", "é",
)  # fmt: skip
NO_NUL = st.characters(codec="utf-8", exclude_characters="\0")
TEXTS = st.one_of(st.text(NO_NUL, min_size=1), st.lists(st.sampled_from(PIECES), min_size=1).map("".join))
SAID = TEXTS.filter(str.strip)


def node(content="Anna plays the clarinet.", **fields) -> Node:
    given = {"id": "0193a4b2-c100-7000-8000-000000000001", "name": "Anna", "session_id": "s1"} | fields
    times = dict.fromkeys(("created_at", "occurred_at", "valid_from", "last_accessed"), 1_767_225_600_123_456)
    return Node(content=content, **times | given)
