"""The file of the official MCP memory server: entities with observations, and relations between them."""

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from context_graph.connectors.jsonl.format import parsed
from context_graph.errors import InvalidInput
from context_graph.ingest.batch import BATCH, batched, remember_many
from context_graph.ingest.draft import Draft
from context_graph.ingest.linking import join
from context_graph.ingest.remember import Remembered
from context_graph.models import EdgeType
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Reader

__all__ = ["Entity", "Relation", "import_graph", "read_graph"]

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


def import_graph(
    memory: "Runtime", entities: Iterable[Entity], relations: Iterable[Relation], *, events: list[str] | None = None
) -> Iterator[bool]:
    """Remember each observation and each relation as a memory, 64 to a write; yields for each whether it was new.

    An observation that does not name its entity is stored behind its name. Relations also become edges between
    concepts: hierarchical and causal where their name says so, relational else.

    Parameters
    ----------
    events : list of str, optional
        Where the hashes of the writes go, the newest first: in this order an undo takes them back.
    """
    run = _Run(memory, [] if events is None else events)
    for part in batched(_observed(entities), BATCH):
        for (name, *_), (id, stored) in zip(part, run.remember(part), strict=True):
            run.first.setdefault(name, id)
            yield stored
    for some in batched(relations, BATCH):
        done = run.remember([_related(relation, run.first.get(relation.target)) for relation in some])
        run.join(some, [id for id, _ in done])
        yield from (stored for _, stored in done)


class _Text(NamedTuple):
    """What is to be remembered of an entity: the text, why, its metadata, and the memory to link it to."""

    entity: str
    text: str
    rationale: str
    given: dict[str, Any]
    link_to: str | None = None
    first: bool = False
    """Link it to the first memory of its entity, which may be in the same write."""


def _observed(entities: Iterable[Entity]) -> Iterator[_Text]:
    for entity in entities:
        rationale = f"an observation about {entity.name} ({entity.kind}), kept by the memory server before this one"
        given = {"entity": entity.name, "entity_type": entity.kind, "tags": [entity.name]}
        for text in entity.observations or [f"{entity.name} is a {entity.kind}."]:
            yield _Text(entity.name, _named(entity.name, text), rationale, given, first=True)


def _related(relation: Relation, link_to: str | None) -> _Text:
    text = f"{relation.source} {relation.words} {relation.target}."
    rationale = f"how {relation.source} and {relation.target} are related, from the memory server before this one"
    given = {"relation": relation.kind, "tags": [relation.source, relation.target]}
    return _Text(relation.source, text, rationale, given, link_to)


class _Run:
    """One import: what it has met of each entity."""

    def __init__(self, memory: "Runtime", events: list[str]) -> None:
        self._memory, self._events = memory, events
        self._known: dict[str, dict[str, str | Draft]] = {}
        """By session, the texts that it has and their memories, forgotten ones too: they stay forgotten."""

        self.first: dict[str, str] = {}
        """By entity, its first memory."""

    def remember(self, texts: Sequence[_Text]) -> list[tuple[str, bool]]:
        """Store some texts by one write; for each the memory that has it, and whether that is new."""
        leading: dict[str, str | Draft] = dict(self.first)
        places: list[tuple[dict[str, str | Draft], str]] = []
        drafts: list[Draft] = []
        is_new: list[bool] = []
        for text in texts:
            session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{AGENT}/{text.entity}"))
            content = scrub(text.text, kinds=self._memory.settings.redacted).text
            session_texts = self._texts_of(session)
            is_new.append(content not in session_texts)
            if content not in session_texts:
                link_to = leading.get(text.entity) if text.first else text.link_to
                drafts.append(
                    Draft(
                        text.text, rationale=text.rationale, metadata={"source": AGENT, **text.given},
                        session_id=session, agent_id=AGENT, link_to=() if link_to is None else (link_to,),
                        read_head=False,
                    )
                )  # fmt: skip
                session_texts[content] = drafts[-1]
            if text.first:
                leading.setdefault(text.entity, session_texts[content])
            places.append((session_texts, content))
        stored: dict[int, Remembered] = {}
        for draft, outcome in zip(drafts, remember_many(self._memory, drafts), strict=True):
            if not isinstance(outcome, Remembered):
                raise outcome
            stored[id(draft)] = outcome
            self._note(outcome.event_hash)
        outcomes = []
        for (session_texts, content), new in zip(places, is_new, strict=True):
            of = session_texts[content]
            if isinstance(of, Draft):
                session_texts[content], new = stored[id(of)].node.id, new and stored[id(of)].stored
            outcomes.append((str(session_texts[content]), new))
        return outcomes

    def _note(self, hash: str | None) -> None:
        """Keep the hash of a write, once."""
        if hash and hash[:16] not in self._events[:1]:
            self._events.insert(0, hash[:16])

    def _texts_of(self, session: str) -> dict[str, str | Draft]:
        if session not in self._known:
            states = ("live", "quarantined", "forgotten")
            nodes = self._memory.store.session_memories(session, 10_000, states=states)
            self._known[session] = {node.content: node.id for node in reversed(nodes)}  # the oldest of each text
        return self._known[session]

    def join(self, relations: Sequence[Relation], ids: Sequence[str]) -> None:
        """Join the concepts of some relations by one write, where they are not joined yet."""
        memory, joined = self._memory, []
        with memory.writing, memory.store.write("linked", memory.author(memory.caller.within(agent_id=AGENT))) as tx:
            for relation, node_id in zip(relations, ids, strict=True):
                if not _joined(tx, relation):
                    join(tx, tx.node(node_id), relation.source, relation.target, relation.edge_type, memory.new_id)
                    joined.append(node_id)
            if joined:
                tx.note.update(operation="linked", nodes=joined)
        self._note(tx.committed.hash if tx.committed else None)


def _joined(seen: "Reader", relation: Relation) -> bool:
    concepts = seen.concepts_named([relation.source, relation.target])
    between = seen.edges_between([node.id for node in concepts.values()], types=[relation.edge_type])
    return any(edge.origin == "explicit" for edge in between)


def _named(name: str, text: str) -> str:
    return text if name.casefold() in text.casefold() else f"{name}: {text}"
