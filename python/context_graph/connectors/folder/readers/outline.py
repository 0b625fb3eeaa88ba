"""Code as an outline of its definitions, laid over its lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from context_graph.connectors.folder.readers.registry import Section
from context_graph.ingest.splitter import LONGEST_PART

__all__ = ["Definition", "outlined"]

MAX_SIGNATURE_CHARS = 200


@dataclass(slots=True)
class Definition:
    """One definition, with those inside it.

    Attributes
    ----------
    first, last : int
        Its lines from 0, with the comment above it; both belong to it.
    declared : int
        The line of its name.
    """

    name: str
    kind: str
    first: int
    last: int
    declared: int
    signature: str = ""
    inner: list["Definition"] = field(default_factory=list)


def outlined(lines: Sequence[str], definitions: Sequence[Definition]) -> Iterator[Section]:
    """Each definition, and the lines between them; one that is too long for a part by those inside it."""
    yield from _within(lines, definitions, 0, len(lines), "", None)


def _within(
    lines: Sequence[str], definitions: Sequence[Definition], first: int, end: int, name: str, of: Definition | None
) -> Iterator[Section]:
    reached = first
    for one in sorted(definitions, key=lambda one: (one.first, -one.last)):
        if one.first < reached or one.last >= end:
            continue  # on a line with the one before it
        yield from _between(lines, reached, one.first, name, of)
        yield from _of(lines, one, f"{name}.{one.name}" if name else one.name)
        reached = one.last + 1
    yield from _between(lines, reached, end, name, of)


def _of(lines: Sequence[str], one: Definition, name: str) -> Iterator[Section]:
    text = "\n".join(lines[one.first : one.last + 1])
    if len(text) <= LONGEST_PART or not one.inner:
        signature = " ".join(one.signature.split())[:MAX_SIGNATURE_CHARS]
        yield Section(name, text, one.first + 1, definition=one.kind, signature=signature)
    else:
        yield from _within(lines, one.inner, one.first, one.last + 1, name, one)


def _between(lines: Sequence[str], first: int, end: int, name: str, of: Definition | None) -> Iterator[Section]:
    """What stands between definitions; of a long one, the lines up to the first inside it declare it."""
    if not any(line.strip(" \t{}();,") for line in lines[first:end]):
        return  # brackets that close
    heads = of is not None and first == of.first
    signature = " ".join(of.signature.split())[:MAX_SIGNATURE_CHARS] if of is not None and heads else ""
    definition = of.kind if of is not None and heads else ""
    yield Section(name, "\n".join(lines[first:end]), first + 1, definition=definition, signature=signature)
