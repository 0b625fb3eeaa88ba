"""Readers of the files of a folder: one file for each kind, by suffix."""

from context_graph.connectors.folder.readers import (  # noqa: F401
    data,
    definitions,
    html,
    markdown,
    notebook,
    pdf,
    plain,
    python,
    table,
)
from context_graph.connectors.folder.readers.registry import READERS, MissingExtra, Reader, Section, Unreadable

__all__ = ["READERS", "MissingExtra", "Reader", "Section", "Unreadable"]
