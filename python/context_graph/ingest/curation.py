"""What an agent says of a memory that is stored: notes in its margin, and how much it matters."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_graph.access import shown
from context_graph.errors import AdversarialBlocked, InvalidInput, Refused
from context_graph.graph.edges import CONFIDENCE, profile
from context_graph.ingest.draft import METADATA_LIMIT
from context_graph.models import Caller, Edge, EdgeType, Node, NodeKind, NodeState
from context_graph.reading.annotations import Annotation, AnnotationType, annotations_of, as_metadata
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.safety.pii import scrub
from context_graph.visibility import as_wide

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = [
    "Annotated", "Boosted", "Note", "annotate", "boost", "cleaned_note", "put_annotation", "put_reference",
]  # fmt: skip

REFERENCE_WEIGHT = 0.8
POINTING = ("reference", "deprecation")
"""Notes that may point to another memory."""


@dataclass(frozen=True, slots=True)
class Note:
    """The text of a note as it may be kept.

    Attributes
    ----------
    redactions : tuple of str
        Kinds of sensitive text that were replaced.
    taint : float
        How much it reads like an order to an agent.
    """

    text: str
    redactions: tuple[str, ...]
    taint: float


@dataclass(frozen=True, slots=True)
class Annotated:
    """What became of a note.

    Attributes
    ----------
    closed : bool
        The memory holds no more from now on, for the note says so.
    reversal_hash : str
        Takes it back.
    """

    annotation: Annotation
    node: Node
    redactions: tuple[str, ...]
    closed: bool
    reversal_hash: str


@dataclass(frozen=True, slots=True)
class Boosted:
    """What became of an importance; without a reversal hash nothing changed."""

    previous: float
    importance: float
    reversal_hash: str | None


def annotate(
    memory: "Runtime",
    node_id: str,
    text: str,
    kind: AnnotationType = "user_note",
    *,
    reference: str | None = None,
    caller: Caller | None = None,
) -> Annotated:
    """Put a note in the margin of a memory; a deprecation ends its validity, in favour of what it points to."""
    caller = caller or memory.caller
    note = cleaned_note(memory, text, "annotation")
    if reference is not None and kind not in POINTING:
        raise InvalidInput(
            f"reference_node_id goes with annotation_type {' or '.join(POINTING)}, got {kind}; leave it out, or change "
            "the type",
            field="reference_node_id",
        )
    with memory.writing:
        author = memory.author(caller)
        with memory.store.write("annotated", author) as tx:
            node = shown(memory, node_id, caller, reader=tx)
            other = (
                None if reference is None else shown(memory, reference, caller, field="reference_node_id", reader=tx)
            )
            annotation, closed = put_annotation(
                memory, tx, node, note, kind, other=other, id=memory.new_id(), by=author.agent_id
            )
            tx.note.update(operation="annotated", nodes=[node.id], type=kind)
            node = tx.node(node.id)
        memory.committed(tx.committed)
    assert tx.committed is not None
    return Annotated(annotation, node, note.redactions, closed, tx.committed.hash[:16])


def put_annotation(
    memory: "Runtime",
    tx: "Transaction",
    node: Node,
    note: Note,
    kind: AnnotationType,
    *,
    other: Node | None,
    id: str,
    by: str | None,
) -> tuple[Annotation, bool]:
    """Write a note into an open transaction; returns it, and whether the memory ends with it.

    Parameters
    ----------
    other : Node, optional
        What it points to, which the caller may see.
    """
    if other is not None and other.id == node.id:
        raise InvalidInput("a note cannot point to the memory that it is on", field="reference_node_id")
    annotation = Annotation(id, kind, note.text, memory.clock(), by, None if other is None else other.id)
    metadata = {**node.metadata, **as_metadata([*annotations_of(node), annotation])}
    if len(repr(metadata)) > METADATA_LIMIT:
        raise Refused(
            f"the metadata of {node.name!r} are full: {len(annotations_of(node))} notes stand there, and nothing was "
            "added; store what is left to say as a memory of its own, linked with link_to"
        )
    tx.update(node.id, metadata=metadata, taint=max(node.taint, note.taint))
    closed = kind == "deprecation" and _closed(tx, node, other, annotation.at)
    if kind == "reference" and other is not None:
        put_reference(memory, tx, node, other)
    return annotation, closed


def put_reference(memory: "Runtime", tx: "Transaction", node: Node, other: Node) -> Edge | None:
    """A Relational edge from a node to another; None where there is one."""
    known = tx.edges_between([node.id, other.id], types=[EdgeType.RELATIONAL])
    if any(edge.origin == "explicit" and edge.source == node.id for edge in known):
        return None
    excitatory, inhibitory, modulatory = profile(EdgeType.RELATIONAL, node.domain)
    moment = memory.clock()
    edge = Edge(
        id=memory.new_id(), source=node.id, target=other.id, edge_type=EdgeType.RELATIONAL, weight=REFERENCE_WEIGHT,
        confidence=CONFIDENCE["explicit"], excitatory=excitatory, inhibitory=inhibitory, modulatory=modulatory,
        domain=node.domain, created_at=moment, last_accessed=moment,
    )  # fmt: skip
    tx.put_edges([edge])
    return edge


def boost(memory: "Runtime", node_id: str, factor: float, reason: str = "", *, caller: Caller | None = None) -> Boosted:
    """Multiply the importance of a memory, within [0, 1]."""
    caller = caller or memory.caller
    note = cleaned_note(memory, reason, "reason") if reason.strip() else None
    with memory.writing:
        with memory.store.write("boosted", memory.author(caller)) as tx:
            node = shown(memory, node_id, caller, reader=tx)
            if node.state == NodeState.QUARANTINED:
                raise Refused(
                    f"{node.name!r} is in quarantine ({node.state_reason}) and its importance stays {node.importance}; "
                    "what is in quarantine is not answered, however important"
                )
            importance = min(1.0, max(0.0, node.importance * factor))
            if importance != node.importance:
                tx.update(node.id, importance=importance)
                tx.note.update(operation="boosted", nodes=[node.id], factor=factor)
                if note is not None:
                    tx.note.update(reason=note.text)
        memory.committed(tx.committed)
    return Boosted(node.importance, importance, tx.committed.hash[:16] if tx.committed else None)


def cleaned_note(memory: "Runtime", text: str, field: str) -> Note:
    """A text that an agent adds to a memory, without what is sensitive; an order to an agent is refused."""
    if not text.strip():
        raise InvalidInput(f"{field} must hold text, got only blanks", field=field)
    clean = scrub(text.encode("utf-8", "replace").decode().replace("\0", "\ufffd"), kinds=memory.settings.redacted)
    taint = suspicion(clean.text)
    if taint >= QUARANTINE_FROM:
        raise AdversarialBlocked(
            f"the {field} reads like an instruction to an agent, and nothing was written; say in plain words what is "
            "to be known"
        )
    return Note(clean.text, tuple(sorted(clean.types)), taint)


def _closed(tx: "Transaction", node: Node, other: Node | None, moment: int) -> bool:
    """End the validity of a memory; one that has ended keeps its end."""
    if node.kind != NodeKind.MEMORY:
        raise InvalidInput(
            f"only a memory can be deprecated, and {node.name!r} is a concept, the name that memories mention; "
            "deprecate the memories, or forget_concept it",
            field="annotation_type",
        )
    if other is not None and (other.kind != NodeKind.MEMORY or other.state != NodeState.LIVE):
        raise InvalidInput(
            f"only a memory that is live can take the place of another, got the {other.state} {other.kind} "
            f"{other.name!r}",
            field="reference_node_id",
        )
    if other is not None and not as_wide(other, node):
        raise Refused(
            f"{other.name!r} is kept for {other.scope} alone and cannot take the place of a memory kept for "
            f"{node.scope}: others would be left with neither; leave reference_node_id out, or store it for them first"
        )
    if node.valid_to is not None:
        return False
    tx.update(node.id, valid_to=moment, superseded_by=None if other is None else other.id)
    return True
