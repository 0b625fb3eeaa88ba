"""The names in a memory."""

from collections.abc import Mapping
from typing import Any

from context_graph.graph.entities import Mention, mentions
from context_graph.names import name_key

__all__ = ["find_mentions"]

ROLES = frozenset({"user", "assistant"})
"""Speakers that are no names: a concept of them would be linked to half of the memories, and lead nowhere."""


def find_mentions(content: str, metadata: Mapping[str, Any], speaker: str | None) -> list[Mention]:
    """The names in a memory, its speaker, tags and aliases among them."""
    given = [metadata.get("tags"), metadata.get("aliases")]
    named = [text for entry in given if isinstance(entry, list) for text in entry if isinstance(text, str)]
    by_key = {mention.key: mention for mention in mentions(content)}
    speakers = [speaker] if speaker and speaker.lower() not in ROLES else []
    for text in [*speakers, *named[:16]]:
        key = name_key(text)
        if len(key) >= 2:
            by_key.setdefault(key, Mention(text[:60], key, "name"))
    return list(by_key.values())
