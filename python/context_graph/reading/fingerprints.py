"""The fingerprint of a memory that is stored already, made anew from what the store knows of it."""

from typing import TYPE_CHECKING

from context_graph.embed import Fingerprint, multimodal
from context_graph.embed.multimodal import Media
from context_graph.graph.entities import is_named_by_text, node_name
from context_graph.models import Microseconds, Node
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.media import media_of
from context_graph.reading.utterance import utterance

if TYPE_CHECKING:
    from context_graph.embed import Embedder
    from context_graph.embed.ahead import Ahead
    from context_graph.store import Reader, Said

__all__ = ["DATED", "NAMED", "fingerprint_of", "given_name", "occurrence", "spoken"]

DATED = "_dated"
"""Metadata key of memories whose date was given, not taken from the clock: only such a date is indexed."""

NAMED = "_name"
"""Metadata key of the whole name that a memory was given: the node's own may be cut, or made of its text."""


def spoken(node: "Node | Said | None") -> str:
    """A memory as the window of the next one sees it."""
    if node is None:
        return ""
    return f"{node.speaker}: {utterance(node.content, node.speaker)}" if node.speaker else node.content


def fingerprint_of(
    reader: "Reader",
    embedder: "Embedder",
    node: Node,
    previous: Node | None,
    media: Media | None = None,
    ahead: "Ahead | None" = None,
) -> Fingerprint:
    """Embed a stored memory as it was embedded when it was stored.

    Parameters
    ----------
    reader : Reader
        The store or the snapshot that it is in.
    previous : Node, optional
        The memory before it in its session.
    media : Media, optional
        Of its file, how that looks or sounds; as its stored vector says where it is not given.
    ahead : Ahead, optional
        Passes of a model that were made before, with those of others.
    """
    given = given_name(node)
    if media is None and node.modality != "text":
        media = media_of(node, reader.vectors([node.id], multimodal.ID).get(node.id))
    return AnalyzedText(node.content, given, node.speaker, node.metadata).fingerprint(
        embedder,
        previous=spoken(previous),
        occurred_at=occurrence(node),
        rationale=node.rationale,
        media=media,
        ahead=ahead,
    )


def given_name(node: Node) -> str | None:
    """The name that a memory was given; None where its name was made of its text, or labels a merge.

    A label is an alias of the merged memory, and no title: what was merged may be a statement, whose place a later one
    takes, as none takes that of an entry with a title.
    """
    given = node.metadata.get(NAMED)
    if isinstance(given, str) and node.name == node_name(node.content, given=given):
        return given
    if node.derived_from:
        return None
    return None if is_named_by_text(node.name, node.content) else node.name


def occurrence(node: Node) -> Microseconds | None:
    """The date of a memory where one was given."""
    return node.occurred_at if node.metadata.get(DATED) else None
