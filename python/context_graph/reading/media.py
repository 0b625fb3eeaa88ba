"""What a memory says of its file."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from context_graph.embed.multimodal import Media, signal_of
from context_graph.models import Node

__all__ = ["FILE", "INSTALL", "NOTE", "OF", "media_of", "sha256_of"]

NOTE = "media"
"""Metadata key of what is known of a file: type, bytes, sha256, measures, whether it is kept, what is missing."""

FILE = "file"
"""Name under which the store keeps the file itself beside a memory's vectors, so that undo, purge, copies and
exports treat it as they treat those."""

INSTALL = "pip install 'ultimate-context-graph[media]'"
OF = {"image": "Text in the image", "audio": "Speech in the audio", "video": "Speech in the video"}
"""What stands above the text of a file in the content of its memory, by modality."""


def media_of(node: Node, vector: bytes | None) -> Media | None:
    """What the embedder needs of a stored memory's file; its signal is in the E10 vector that it has."""
    note = node.metadata.get(NOTE)
    if node.modality not in OF or not isinstance(note, dict):
        return None
    signal = None if vector is None else signal_of(np.frombuffer(vector, np.float16))
    return Media(signal, bool(note.get("text_from")))


def sha256_of(metadata: Mapping[str, Any]) -> str | None:
    """Which file a memory holds."""
    note = metadata.get(NOTE)
    return note.get("sha256") if isinstance(note, dict) else None
