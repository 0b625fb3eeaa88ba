"""The fingerprint of a memory that is stored already, made anew from what the store knows of it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from context_graph.embed import Fingerprint, late, lexical
from context_graph.embed.multimodal import Media
from context_graph.graph.entities import node_name, title_keys
from context_graph.memory.beliefs import texts
from context_graph.memory.draft import Draft
from context_graph.memory.links import find_mentions
from context_graph.memory.media import media_of
from context_graph.memory.utterance import utterance
from context_graph.models import Microseconds, Node
from context_graph.retrieval.features import OCCASIONAL, form_of, pack_tokens, pack_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from context_graph.embed import Embedder
    from context_graph.memory.memory import Memory
    from context_graph.store import Transaction
    from context_graph.store.queries import Queries

__all__ = [
    "DATED",
    "MOST_ALIASES",
    "NAMED",
    "completed",
    "fingerprint_in",
    "fingerprint_of",
    "given_name",
    "occurrence",
    "put_vectors",
    "spoken",
    "titles_of",
    "vectors_of",
    "windows_without",
]

DATED = "_dated"
"""Metadata key of memories whose date was given, not taken from the clock: only such a date is indexed."""

NAMED = "_name"
"""Metadata key of the whole name that a memory was given: the node's own may be cut, or made of its text."""

MOST_ALIASES = 16


def spoken(node: Node | None) -> str:
    """A memory as the window of the next one sees it."""
    if node is None:
        return ""
    return f"{node.speaker}: {utterance(node.content, node.speaker)}" if node.speaker else node.content


def fingerprint_of(
    memory: "Memory",
    node: Node,
    previous: Node | None,
    media: Media | None = None,
    *,
    embedder: "Embedder | None" = None,
) -> Fingerprint:
    """Embed a stored memory as it was embedded when it was stored.

    Parameters
    ----------
    previous : Node, optional
        The memory before it in its session.
    media : Media, optional
        Of its file, how that looks or sounds; as its vector in E10 says where it is not given.
    embedder : Embedder, optional
        By default the one that answers.
    """
    return fingerprint_in(memory.store, embedder or memory.embedder, node, previous, media)


def fingerprint_in(
    seen: "Queries", embedder: "Embedder", node: Node, previous: Node | None, media: Media | None = None
) -> Fingerprint:
    """The same of a memory of any store or snapshot."""
    given = given_name(node)
    if media is None and node.modality != "text":
        media = media_of(node, seen.vectors([node.id], "E10").get(node.id))
    found = find_mentions(Draft(node.content, metadata=node.metadata, speaker=node.speaker))
    return embedder.fingerprint(
        utterance(node.content, node.speaker),
        name=given,
        speaker=node.speaker,
        occurred_at=occurrence(node),
        previous=spoken(previous),
        heading=" ".join([given or "", *(mention.text for mention in found)]),
        rationale=node.rationale,
        names=[mention.key for mention in found],
        titles=titles_of(node.content, given, node.speaker, node.metadata),
        media=media,
    )


def titles_of(content: str, given: str | None, speaker: str | None, metadata: "Mapping[str, Any]") -> list[str]:
    """Keys of the names that a memory is an entry about, its aliases too; the turn of a dialogue is about none."""
    return [] if speaker else title_keys(content, given=given, aliases=texts(metadata, "aliases")[:MOST_ALIASES])


def given_name(node: Node) -> str | None:
    """The name that a memory was given, or got in a merge; None where its name was made of its text."""
    given = node.metadata.get(NAMED)
    if isinstance(given, str) and node.name == node_name(node.content, given=given):
        return given
    return None if node.name == node_name(node.content) else node.name


def occurrence(node: Node) -> Microseconds | None:
    """The date of a memory where one was given."""
    return node.occurred_at if node.metadata.get(DATED) else None


def completed(
    embedder: "Embedder", fingerprint: Fingerprint, stop: "Callable[[], bool]" = lambda: False
) -> tuple[np.ndarray, list[np.ndarray]] | None:
    """E1 and the token vectors of all chunks, those pending too; None where `stop` said to leave."""
    chunks, pools = list(fingerprint.chunks), []
    for chunk in fingerprint.pending:
        if stop():
            return None
        tokens, pool = embedder.later(chunk)
        chunks.append(late.quantised(tokens))
        pools.append(pool)
    return (embedder.with_rest(fingerprint, pools) if pools else fingerprint.semantic), chunks


def vectors_of(node: Node, fingerprint: Fingerprint, makers: "Mapping[str, str]") -> dict[str, tuple[str, bytes]]:
    """What the store keeps of a memory in every space: its maker's name and the bytes.

    Parameters
    ----------
    makers : mapping
        Of the spaces that a model serves; see `Embedder`.
    """
    occasional = {
        id: (makers[id], vector.astype(np.float16).tobytes()) for id, vector in fingerprint.occasional.items()
    }
    return occasional | {
        "E1": (makers["E1"], fingerprint.semantic.astype(np.float16).tobytes()),
        "E6": (lexical.MAKER, pack_words(fingerprint, form_of(node.content))),
        "E9": ("hdc-1", fingerprint.bits.tobytes()),
        "E12": (makers["E12"], pack_tokens(fingerprint.chunks)),
    }


def put_vectors(tx: "Transaction", node_id: str, vectors: "Mapping[str, tuple[str, bytes]]") -> None:
    """Keep what `vectors_of` made of a memory anew, and nothing of an older reading.

    A space that only some memories have may hold a vector though this reading finds nothing for it: by another model,
    or another version. Left there, it would be compared with vectors of this one, or made anew for ever.
    """
    for space, (maker, data) in vectors.items():
        tx.put_vector(node_id, space, maker, data)
    for space in OCCASIONAL.keys() - vectors.keys():
        tx.remove_vector(node_id, space)


def windows_without(memory: "Memory", node: Node) -> "Mapping[tuple[str, str], tuple[str, bytes]]":
    """E1 of the memories whose window held this one, or one derived from it, made anew without them.

    The next memory of a session is embedded together with the one before it. Where the next was not live, the one
    after it may have been embedded with this one, and so on up to the first that was live all the time.
    """
    gone = memory.store.derived(node.id)
    made: dict[tuple[str, str], tuple[str, bytes]] = {}
    for one in (node, *gone):
        if one.ordinal is not None:
            made |= _windows_after(memory, one, {node.id, *(other.id for other in gone)})
    return made


def _windows_after(memory: "Memory", node: Node, gone: set[str]) -> dict[tuple[str, str], tuple[str, bytes]]:
    made: dict[tuple[str, str], tuple[str, bytes]] = {}
    earlier = memory.store.session_memories(node.session_id, len(gone) + 1, before_position=node.position)
    previous = next((other for other in reversed(earlier) if other.id not in gone), None)
    for follower in memory.store.session_after(node.session_id, node.position):
        if follower.id in gone:
            continue
        done = completed(memory.embedder, fingerprint_of(memory, follower, previous))
        assert done is not None
        made[follower.id, "E1"] = (memory.embedder.makers["E1"], done[0].astype(np.float16).tobytes())
        if follower.state == "live" and not any(
            event.type == "forgotten" for event in memory.store.lineage(follower.id, limit=1_000)
        ):
            break
    return made
