"""The lines of an export: what each is called, and the way between a row of the store and its JSON."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from context_graph.cases import Model
from context_graph.embed import OPTIONAL
from context_graph.embed.late import DIMENSIONS as TOKEN_DIMENSIONS
from context_graph.embed.semantic import DIMENSIONS
from context_graph.errors import InvalidInput
from context_graph.index.batch import BIT_WORDS, FORMS, unpack_tokens, unpack_words
from context_graph.ingest.draft import CONTENT_LIMIT, METADATA_DEPTH, METADATA_LIMIT, METADATA_ROOM, deeper
from context_graph.knowledge.document import Document, DocumentTree
from context_graph.knowledge.running import Agent, Trajectory, Workflow
from context_graph.knowledge.vectors import StoredVector
from context_graph.media import kind_of
from context_graph.models import EARLIEST, LATEST, Edge, Goal, Node, NodeKind, NodeState, Record, Scope
from context_graph.reading.media import FILE
from context_graph.regex import regex
from context_graph.runtime.records import MAX_RECORD_CHARACTERS, check_record
from context_graph.runtime.session import SessionState
from context_graph.store import Pair, Session

__all__ = ["KINDS", "UUID", "VERSION", "line_of", "read", "vector_line"]

VERSION = 2
"""Of the format of an export; raised when an older program could no longer read it. 2: records."""

RECORDS = (Agent, Document, DocumentTree, Model, StoredVector, Trajectory, Workflow)
"""Types of records that an export may hold: each is registered where it is imported."""

KINDS: dict[str, type] = {"node": Node, "edge": Edge, "goal": Goal, "record": Record, "session": Session, "pair": Pair}
FIELDS = {name: frozenset(field.name for field in fields(kind)) for name, kind in KINDS.items()}
UNIT = ("importance", "learning_score", "taint", "weight", "confidence", "excitatory", "inhibitory", "modulatory")
"""Numbers in [0, 1]."""

TIMES = (
    "created_at", "occurred_at", "valid_from", "valid_to", "last_accessed", "state_at", "started_at", "last_seen",
    "updated_at",
)  # fmt: skip
COUNTS = ("access_count", "position", "count")
"""Whole numbers in [0, 2^31)."""

MEASURES = ("delta_s", "delta_c", "w_e", "phi", "learning_score", "steering_reward")
"""Numbers, none of which is ever far from 1."""

NUMBERS = (int, float)
"""As JSON has them: true and false are none."""

UUID = regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""As ids are written."""

LARGEST_MEASURE = 1_000.0


def line_of(kind: str, item: Any) -> dict[str, Any]:
    """The JSON of a node, edge, goal, record, session or pair; times are microseconds since 1970-01-01 UTC."""
    return {"type": kind, **asdict(item)}


def vector_line(node_id: str, space: str, model: str, data: bytes) -> dict[str, Any]:
    """The JSON of one vector, its bytes in base64."""
    text = base64.b64encode(data).decode()
    return {"type": "vector", "node_id": node_id, "space": space, "model": model, "data": text}


def read(line: Mapping[str, Any]) -> Any:
    """The item that a line stands for: a node, edge, goal, record, session, pair, or (node id, space, model, bytes)."""
    kind = line.get("type")
    if kind == "vector":
        return _vector(line)
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidInput(f"expected a type of {', '.join(KINDS)} or vector, got {str(kind)[:40]!r}")
    made, known = KINDS[kind], FIELDS[kind]
    values = {name: value for name, value in line.items() if name != "type"}
    if unknown := values.keys() - known:
        raise InvalidInput(f"a {kind} has no field {sorted(unknown)[0][:40]!r}; fields: {', '.join(sorted(known))}")
    try:
        item = made(**values)
    except TypeError as error:  # names the fields that are missing
        raise InvalidInput(f"the {kind} is incomplete: {str(error).split('__init__() ')[-1]}") from None
    for name in UNIT:
        value = values.get(name, 0)
        if type(value) not in NUMBERS or not 0 <= value <= 1:
            raise InvalidInput(f"{kind}.{name} must be a number in [0, 1], got {value!r:.40}")
    for name, value in values.items():
        if type(value) is str:
            if len(value) > CONTENT_LIMIT:
                raise InvalidInput(
                    f"{kind}.{name} must have at most {CONTENT_LIMIT} characters, got {len(value)}; shorten it"
                )
        elif value is not None:
            _check_bounds(kind, name, value)
    if isinstance(item, Node):
        _check_node(item)
    if isinstance(item, Record):
        _check_record(item)
    if isinstance(item, Session):
        _check_state(item)
    return item


def _check_bounds(kind: str, name: str, value: Any) -> None:
    """See that times, counts, measures, lists and objects are such as every answer can tell."""
    number = type(value) in NUMBERS
    if name in TIMES and number and not EARLIEST <= value <= LATEST:
        raise InvalidInput(f"{kind}.{name} must lie in the years 1 to 9999, got {value!r:.40}; correct it in the file")
    if name in COUNTS and number and not 0 <= value < 2**31:
        raise InvalidInput(f"{kind}.{name} must be a whole number in [0, 2^31), got {value!r:.40}")
    if name in MEASURES and number and not abs(value) <= LARGEST_MEASURE:
        raise InvalidInput(f"{kind}.{name} must be within {LARGEST_MEASURE:.0f} of 0, got {value!r:.40}")
    if isinstance(value, list) and len(value) > METADATA_LIMIT:
        raise InvalidInput(f"{kind}.{name} must have at most {METADATA_LIMIT} entries, got {len(value)}")
    if isinstance(value, dict) and deeper(value, METADATA_DEPTH):
        raise InvalidInput(f"{kind}.{name} may be nested {METADATA_DEPTH} levels deep; move what is deeper to content")
    max_characters = MAX_RECORD_CHARACTERS if kind == "record" else METADATA_ROOM
    if isinstance(value, dict) and len(repr(value)) > max_characters:
        raise InvalidInput(f"{kind}.{name} must stay below {max_characters} characters; move text to content")


def _check_state(session: Session) -> None:
    """See that the state of a session can be taken up again."""
    try:
        state = SessionState.from_dict(session.id, dict(session.state)).to_dict()
        numbers = [*state["pulse"].values(), *state["modulators"].values(), *state["levels"], *state["rewards"]]
        sound = (
            all(type(one) in (int, float, bool) and abs(one) < 2**31 for one in numbers)
            and EARLIEST <= state["last_seen"] <= LATEST
            and type(state["pulse"].get("interactions", 0)) is int
            and all(_identifier(id) for id in state["focus"])
        )
    except (TypeError, ValueError, AttributeError):
        sound = False
    if not sound:
        raise InvalidInput(
            f"session.state is not one of a session, got {str(session.state)[:40]!r}; leave the line out"
        )


def _check_record(record: Record) -> None:
    _identifier(record.id)
    if not isinstance(record.data, dict):
        raise InvalidInput(f"record.data must be an object, got {type(record.data).__name__}")
    if record.scope not in list(Scope) or record.state not in list(NodeState):
        raise InvalidInput(
            f"record.scope must be one of {', '.join(Scope)} and record.state one of {', '.join(NodeState)}, "
            f"got {record.scope!r:.40} and {record.state!r:.40}"
        )
    check_record(record)


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
    if node.superseded_by == node.id:
        raise InvalidInput("node.superseded_by names the node itself")


def _identifier(text: Any) -> str:
    """Citation tags are the first digits of an id, so it must be a UUID."""
    if isinstance(text, str) and UUID.fullmatch(text):
        return text
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
    return 0 <= form < FORMS and all(0 <= count < 1e6 for count in terms.values())


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
    **{id: encoder.is_sound for id, encoder in OPTIONAL.items()},
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
