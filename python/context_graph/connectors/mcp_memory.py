"""The file of the official MCP memory server: entities with observations, and relations between them."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_graph.connectors.jsonl.format import parsed
from context_graph.errors import InvalidInput
from context_graph.ingest.draft import Draft
from context_graph.ingest.linking import join
from context_graph.ingest.remember import remember
from context_graph.models import EdgeType
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Entity", "Relation", "read_graph", "take_in"]

AGENT = "mcp-memory"

HIERARCHICAL = {"is a", "is an", "instance of", "kind of", "type of", "subclass of", "part of", "belongs to"}
CAUSAL = {"causes", "caused", "leads to", "triggers", "results in"}


@dataclass(frozen=True, slots=True)
class Entity:
    name: str
    kind: str
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    source: str
    kind: str
    target: str

    @property
    def words(self) -> str:
        """`works_at` as words."""
        return " ".join(self.kind.replace("_", " ").replace("-", " ").split()).lower()

    @property
    def edge_type(self) -> EdgeType:
        if self.words in HIERARCHICAL:
            return EdgeType.HIERARCHICAL
        return EdgeType.CAUSAL if self.words in CAUSAL else EdgeType.RELATIONAL


def read_graph(lines: Iterable[str]) -> tuple[list[Entity], list[Relation]]:
    """Entities and relations of a file, one JSON object a line, all checked before anything is stored."""
    entities: list[Entity] = []
    relations: list[Relation] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            line = parsed(text)
            if line.get("type") == "entity":
                entities.append(Entity(_text(line, "name"), _text(line, "entityType"), _observations(line)))
            elif line.get("type") == "relation":
                relations.append(Relation(_text(line, "from"), _text(line, "relationType"), _text(line, "to")))
            else:
                raise InvalidInput(f"expected type entity or relation, got {str(line.get('type'))[:40]!r}")
        except InvalidInput as error:
            raise InvalidInput(f"line {number}: {error}") from error
    if not entities and not relations:
        raise InvalidInput("expected entities or relations, the file holds none")
    return entities, relations


def _text(line: Mapping[str, Any], name: str) -> str:
    value = line.get(name)
    if not isinstance(value, str) or not 0 < len(value.strip()) <= 200:
        raise InvalidInput(f"{name} must be a text of 1 to 200 characters, got {str(value)[:40]!r}")
    return value.strip()


def _observations(line: Mapping[str, Any]) -> tuple[str, ...]:
    value = line.get("observations", [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise InvalidInput("observations must be a list of texts")
    return tuple(text.strip() for text in value if text.strip())


def take_in(memory: "Runtime", entities: Iterable[Entity], relations: Iterable[Relation]) -> Iterator[bool]:
    """Remember each observation and each relation as a memory; yields for each whether it was new.

    An observation that does not name its entity is stored behind its name. Relations also become edges between
    concepts: hierarchical and causal where their name says so, relational else.
    """
    first: dict[str, str] = {}
    for entity in entities:
        texts = [_named(entity.name, text) for text in entity.observations] or [f"{entity.name} is a {entity.kind}."]
        rationale = f"an observation about {entity.name} ({entity.kind}), kept by the memory server before this one"
        given = {"entity": entity.name, "entity_type": entity.kind, "tags": [entity.name]}
        for text in texts:
            id, stored = _remember(memory, entity.name, text, rationale, given, first.get(entity.name))
            first.setdefault(entity.name, id)
            yield stored
    for relation in relations:
        text = f"{relation.source} {relation.words} {relation.target}."
        rationale = f"how {relation.source} and {relation.target} are related, from the memory server before this one"
        given = {"relation": relation.kind, "tags": [relation.source, relation.target]}
        id, stored = _remember(memory, relation.source, text, rationale, given, first.get(relation.target))
        if not _joined(memory, relation):
            with memory.writing, memory.store.write("linked", memory.author(None, AGENT)) as tx:
                join(tx, tx.node(id), relation.source, relation.target, relation.edge_type, memory.new_id)
                tx.note.update(operation="linked", nodes=[id])
        yield stored


def _joined(memory: "Runtime", relation: Relation) -> bool:
    concepts = memory.store.concepts_named([relation.source, relation.target])
    between = memory.store.edges_between([node.id for node in concepts.values()], types=[relation.edge_type])
    return any(edge.origin == "explicit" for edge in between)


def _named(name: str, text: str) -> str:
    return text if name.casefold() in text.casefold() else f"{name}: {text}"


def _remember(
    memory: "Runtime", entity: str, text: str, rationale: str, given: dict[str, Any], link_to: str | None
) -> tuple[str, bool]:
    """Store one text in the session of its entity; a second import finds it there."""
    session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{AGENT}/{entity}"))
    cleaned = scrub(text, kinds=memory.settings.redacted).text
    for node in memory.store.session_memories(session, 10_000, states=("live", "quarantined", "forgotten")):
        if node.content == cleaned:
            return node.id, False
    done = remember(
        memory,
        Draft(
            text, rationale=rationale, metadata={"source": AGENT, **given}, session_id=session, agent_id=AGENT,
            link_to=() if link_to is None else (link_to,), read_head=False,
        ),
    )  # fmt: skip
    return done.node.id, done.stored
