"""Files that could not be read when they were stored, for what reads them was not installed, and can be now."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from context_graph.embed import multimodal
from context_graph.embed.multimodal import Media
from context_graph.errors import InvalidInput, PayloadTooLarge
from context_graph.graph.entities import is_named_by_text, node_name
from context_graph.index.segment_cache import segments_of
from context_graph.index.vector_codec import put_vectors, vectors_of
from context_graph.ingest.media import examined, lacking, with_text
from context_graph.media import opened
from context_graph.models import Node, NodeState
from context_graph.reading.fingerprints import fingerprint_of, given_name
from context_graph.reading.media import FILE, INSTALL, NOTE, media_of
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.embed import Fingerprint
    from context_graph.index.corpus import Corpus
    from context_graph.runtime import Runtime

__all__ = ["readable", "reread"]


def readable(memory: "Runtime", corpus: "Corpus") -> list[str]:
    """Memories that say of their file what could not be had without the extra, and can be had now; the latest first."""
    if not (corpus.columns.modality != corpus.modalities.known("text")).any():
        return []  # without files, nothing is looked through
    return [node.id for node in reversed(memory.store.with_metadata(INSTALL)) if _readable(node)]


def _readable(node: Node) -> bool:
    note = node.metadata.get(NOTE)
    if not isinstance(note, dict) or not note.get("kept") or node.state == NodeState.FORGOTTEN:
        return False
    missed = {text for text in note.get("missing", ()) if text.endswith(INSTALL)}
    return bool(missed - set(lacking(node.modality, note["type"])))


def reread(memory: "Runtime", node_ids: Iterable[str], stop: Callable[[], bool] = lambda: False) -> list[str]:
    """Read the files of memories again and keep what was found, as one event; returns those with chunks to embed.

    What is found is content like any other: it is cleaned and inspected, and nothing is taken away. A memory that
    another model has embedded is left to a process with that model.
    """
    readings: dict[str, tuple[Node, Node, Fingerprint]] = {}
    for node in memory.store.nodes(node_ids):
        made_by = memory.store.vector_models(node.id).get("E1")
        if stop():
            break  # what was read is kept
        if _readable(node) and made_by == memory.embedder.makers["E1"]:
            readings[node.id] = (node, *_read(memory, node))
    if not readings:
        return []
    with memory.writing, memory.store.write("read", memory.author(memory.caller)) as tx:
        for id, (before, after, fingerprint) in list(readings.items()):
            now = tx.node(id, forgotten=True)
            if now.content != before.content or now.metadata.get(NOTE) != before.metadata[NOTE]:
                del readings[id]  # another process was faster
                continue
            state = {} if after.state == before.state else _state_of(after)
            metadata = {**now.metadata, NOTE: after.metadata[NOTE]}
            tx.update(id, content=after.content, name=after.name, metadata=metadata, taint=after.taint, **state)
            put_vectors(tx, id, vectors_of(after, fingerprint, memory.embedder.makers))
            if not after.metadata[NOTE]["kept"]:
                tx.remove_vector(id, FILE)
            if after.ordinal is not None:
                segments_of(memory.store, memory.embedder).remove(after.ordinal)
        tx.note.update(operation="read", nodes=list(readings))
    memory.committed()
    return [id for id, (_, _, fingerprint) in readings.items() if fingerprint.pending]


def _read(memory: "Runtime", node: Node) -> "tuple[Node, Fingerprint]":
    """The memory as it will be, and its vectors."""
    note, settings = node.metadata[NOTE], memory.settings
    missing = [note_now for note_now in note["missing"] if not note_now.endswith(INSTALL)]
    hidden: tuple[str, ...] = ()
    signal, text = None, ""
    try:
        data = memory.store.vectors([node.id], FILE)[node.id]
        file = opened(data, most_bytes=max(len(data), 1), most_pixels=settings.media_pixels)
        signal, text, still = examined(memory, file)
        missing += [note_now for note_now in still if note_now not in missing]
        text, hidden = scrub(text, kinds=settings.redacted).text, scrub(text, kinds=settings.redacted).types
    except (InvalidInput, PayloadTooLarge) as error:
        missing.append(f"it could not be read when its decoder was installed: {error}")
    content, cut = with_text(node.content, node.modality, text)
    if hidden:
        missing.append(
            f"the file itself is kept no longer, for the text in it held {', '.join(hidden)}, which cannot be cut out "
            "of it; the log holds it until the memory is deleted permanently"
        )
    sources = [*note["text_from"], *([("ocr" if node.modality == "image" else "speech")] if text else [])]
    note_now = {**note, "kept": not hidden, "text_from": sources, "missing": [*missing, *cut]}
    taint = max(node.taint, suspicion(content))
    blocked = taint >= QUARANTINE_FROM and node.state == NodeState.LIVE
    name = node.name if not is_named_by_text(node.name, node.content) else node_name(content, given=given_name(node))
    after = replace(
        node, content=content, name=name, metadata={**node.metadata, NOTE: note_now}, taint=taint,
        state=NodeState.QUARANTINED if blocked else node.state,
    )  # fmt: skip
    before = memory.store.session_memories(node.session_id, 1, before_position=node.position)
    known = media_of(after, memory.store.vectors([node.id], multimodal.ID).get(node.id))
    media = Media(signal if known is None or signal is not None else known.signal, bool(sources))
    if blocked:
        after = replace(
            after, state_reason="its file reads like an instruction to an agent", state_at=memory.clock(),
            state_by="system",
        )  # fmt: skip
    return after, fingerprint_of(memory.store, memory.embedder, after, before[0] if before else None, media)


def _state_of(node: Node) -> dict[str, object]:
    return {key: getattr(node, key) for key in ("state", "state_reason", "state_at", "state_by")}
