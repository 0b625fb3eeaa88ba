"""The lines of an export: what each is called, and the way between a row of the store and its JSON."""

import base64
import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS
from context_graph.errors import InvalidInput
from context_graph.media import kind_of
from context_graph.memory.draft import CONTENT_LIMIT
from context_graph.memory.media import FILE
from context_graph.models import Edge, Goal, Node, NodeKind
from context_graph.retrieval.features import BIT_WORDS, OCCASIONAL, unpack_tokens, unpack_words
from context_graph.store import Pair, Session

__all__ = ["KINDS", "VERSION", "line_of", "read", "vector_line"]

VERSION = 1
"""Of the format of an export; raised when an older program could no longer read it."""

KINDS: dict[str, type] = {"node": Node, "edge": Edge, "goal": Goal, "session": Session, "pair": Pair}
UNIT = ("importance", "learning_score", "taint", "weight", "confidence", "excitatory", "inhibitory", "modulatory")
"""Numbers in [0, 1]."""


def line_of(kind: str, item: Any) -> dict[str, Any]:
    """The JSON of a node, edge, goal, session or pair; times are microseconds since 1970-01-01 UTC."""
    return {"type": kind, **asdict(item)}


def vector_line(node_id: str, space: str, model: str, data: bytes) -> dict[str, Any]:
    """The JSON of one vector, its bytes in base64."""
    text = base64.b64encode(data).decode()
    return {"type": "vector", "node_id": node_id, "space": space, "model": model, "data": text}


def read(line: Mapping[str, Any]) -> Any:
    """The item that a line stands for: a node, edge, goal, session, pair, or (node id, space, model, bytes)."""
    kind = line.get("type")
    if kind == "vector":
        return _vector(line)
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidInput(f"expected a type of {', '.join(KINDS)} or vector, got {str(kind)[:40]!r}")
    made, known = KINDS[kind], {field.name for field in fields(KINDS[kind])}
    given = {name: value for name, value in line.items() if name != "type"}
    if unknown := given.keys() - known:
        raise InvalidInput(f"a {kind} has no field {sorted(unknown)[0][:40]!r}; fields: {', '.join(sorted(known))}")
    try:
        item = made(**given)
    except TypeError as error:  # names the fields that are missing
        raise InvalidInput(f"the {kind} is incomplete: {str(error).split('__init__() ')[-1]}") from None
    for name in UNIT:
        value = given.get(name, 0)
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
            raise InvalidInput(f"{kind}.{name} must be a number in [0, 1], got {value!r:.40}")
    if isinstance(item, Node):
        _check_node(item)
    return item


def _check_node(node: Node) -> None:
    _identifier(node.id)
    if not isinstance(node.content, str) or not node.content.strip() or len(node.content) > CONTENT_LIMIT:
        raise InvalidInput(f"node.content must hold 1 to {CONTENT_LIMIT} characters of text")
    if (node.kind == NodeKind.MEMORY) != (isinstance(node.ordinal, int) and not isinstance(node.ordinal, bool)):
        raise InvalidInput(f"node.ordinal must be a whole number for a memory and null else, got {node.ordinal!r:.40}")
    if node.ordinal is not None and not 0 <= node.ordinal < 2**31:
        raise InvalidInput(f"node.ordinal must be in [0, 2^31), got {node.ordinal}")
    for name in ("metadata", "derived_from"):
        if not isinstance(getattr(node, name), dict if name == "metadata" else list | tuple):
            raise InvalidInput(f"node.{name} has the wrong type, {type(getattr(node, name)).__name__}")


def _identifier(text: Any) -> str:
    """Citation tags are the first digits of an id, so it must be a UUID."""
    try:
        if isinstance(text, str) and str(uuid.UUID(text)) == text:
            return text
    except ValueError:
        pass
    raise InvalidInput(f"expected a UUID in lower case as id, got {str(text)[:60]!r}")


def _vector(line: Mapping[str, Any]) -> tuple[str, str, str, bytes]:
    space, model = line.get("space"), line.get("model")
    try:
        data = base64.b64decode(line["data"], validate=True)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput("a vector needs its bytes as base64 in data") from error
    if not isinstance(space, str) or space not in CHECKS or not isinstance(model, str) or not 0 < len(model) <= 200:
        raise InvalidInput(f"expected a vector of {', '.join(CHECKS)} and its model, got {str(space)[:20]!r}")
    try:
        sound = CHECKS[space](data)
    except (ValueError, IndexError):
        sound = False
    if not sound:
        raise InvalidInput(f"the {len(data)} bytes are no vector of {space}")
    return _identifier(line.get("node_id")), space, model, data


def _of_width(width: int) -> Callable[[bytes], bool]:
    def sound(data: bytes) -> bool:
        vector = np.frombuffer(data, np.float16)
        return len(vector) == width and bool(np.isfinite(vector).all())

    return sound


def _words(data: bytes) -> bool:
    terms, _, form = unpack_words(data)
    return 0 <= form < 8 and all(0 <= count < 1e6 for count in terms.values())


def _tokens(data: bytes) -> bool:
    chunks = unpack_tokens(data)
    lengths = np.frombuffer(data, "<i4", len(chunks), 4)
    whole = 4 * (len(chunks) + 1) + TOKEN_DIMENSIONS * int(lengths.sum())
    return bool((lengths > 0).all()) and len(data) == whole


CHECKS: dict[str, Callable[[bytes], bool]] = {
    "E1": _of_width(DIMENSIONS),
    "E6": _words,
    "E9": lambda data: len(data) == 8 * BIT_WORDS,
    "E12": _tokens,
    **{id: _of_width(dim) for id, dim in OCCASIONAL.items()},
    FILE: lambda data: kind_of(data) is not None,
}
"""The spaces that the store keeps vectors of, and files: whether bytes are one."""


def parsed(text: str) -> dict[str, Any]:
    """A line as a JSON object."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"expected a JSON object, got {text[:40]!r}: {error}") from error
    if not isinstance(line, dict):
        raise InvalidInput(f"expected a JSON object, got {type(line).__name__}")
    return line
