"""Notes in the margin of a memory: corrections, references, deprecations, remarks; kept in its metadata."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from context_graph.models import Microseconds, Node

__all__ = ["ANNOTATIONS", "Annotation", "AnnotationType", "annotations_of", "as_metadata"]

ANNOTATIONS = "_annotations"
"""Metadata key: its notes, oldest first."""

AnnotationType = Literal["correction", "reference", "deprecation", "user_note"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """One note.

    Attributes
    ----------
    at : int
        When it was written, in microseconds.
    by : str, optional
        The agent that wrote it.
    reference : str, optional
        Id of the memory that it points to.
    """

    id: str
    type: AnnotationType
    text: str
    at: Microseconds
    by: str | None = None
    reference: str | None = None


def annotations_of(node: Node) -> tuple[Annotation, ...]:
    """The notes of a node, oldest first; what metadata from elsewhere hold under the key else is passed over."""
    entries = node.metadata.get(ANNOTATIONS)
    read = (_annotation(entry) for entry in entries) if isinstance(entries, list) else ()
    return tuple(annotation for annotation in read if annotation is not None)


def as_metadata(annotations: Sequence[Annotation]) -> dict[str, Any]:
    """The metadata that keep some notes."""
    entries = [{name: value for name, value in asdict(one).items() if value is not None} for one in annotations]
    return {ANNOTATIONS: entries} if entries else {}


def _annotation(entry: Any) -> Annotation | None:
    if not isinstance(entry, Mapping):
        return None
    id, given, text, at = (entry.get(name) for name in ("id", "type", "text", "at"))
    kind: AnnotationType | None = next((known for known in get_args(AnnotationType) if known == given), None)
    if kind is None or not (isinstance(id, str) and isinstance(text, str) and isinstance(at, int)):
        return None
    by, reference = entry.get("by"), entry.get("reference")
    return Annotation(
        id, kind, text, at, by if isinstance(by, str) else None, reference if isinstance(reference, str) else None
    )
