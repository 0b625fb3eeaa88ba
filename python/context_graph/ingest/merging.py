"""Memories that say the same become one; those that stood alone stay as its sources, past and readable.

A merge makes a new memory. Its sources end with it (`superseded_by`), so nothing that they say is lost: citations still
open them, and questions for the past still find them. One event holds all of it, and its undo brings back what was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.embed import Fingerprint
from context_graph.errors import InvalidInput, Refused, StoreBusy
from context_graph.extraction.proposals import PROPOSED
from context_graph.graph.entities import node_name
from context_graph.graph.statements import statements
from context_graph.index.vector_codec import vectors_of
from context_graph.ingest.concepts import absorb
from context_graph.ingest.curation import cleaned_note, put_annotation, put_reference
from context_graph.ingest.draft import CONTENT_LIMIT, METADATA_LIMIT
from context_graph.ingest.duplicates import adds_nothing
from context_graph.ingest.known import FIELDS_IN_METADATA, GROWING
from context_graph.ingest.linking import WIDTH, put_statements
from context_graph.models import Author, Caller, Domain, Edge, EdgeType, Node, NodeKind, NodeState, Scope
from context_graph.names import name_key
from context_graph.reading.annotations import ANNOTATIONS, annotations_of, as_metadata
from context_graph.reading.differences import Difference, differences
from context_graph.reading.fingerprints import DATED, NAMED, fingerprint_of, given_name, occurrence
from context_graph.reading.metadata import stand_beside, texts
from context_graph.reading.priors import AGREEING, Priors, agreement, priors_of
from context_graph.reading.summary import Passage, left_out, summary
from context_graph.safety.inspect import suspicion
from context_graph.visibility import as_wide

if TYPE_CHECKING:
    from context_graph.runtime import Runtime
    from context_graph.store import Transaction

__all__ = ["Merged", "Plan", "Strategy", "after", "in_time", "merge", "mergeable", "planned", "put_merge", "relation"]

Strategy = Literal["keep_newest", "keep_highest", "concatenate", "summarize"]

MAX_SOURCES = 50
"""Memories of one merge."""

SUMMARY = 1_200
"""Characters of a summary; of more text, half of it."""

MAX_TARGET_NAME = 128
MAX_MERGED_RATIONALE = 2_000
MAX_MERGED_ALIASES = 16
MAX_TOLD_DIFFERENCES = 8
"""Differences that a refusal names."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A merge before it is written.

    Attributes
    ----------
    made : Node, optional
        The memory that it will be, but for ordinal and position; None where concepts are joined, or only related.
    fingerprint : Fingerprint, optional
        Its vectors.
    differences : tuple of Difference
        What the sources differ in, and it is merged all the same.
    agreement : float
        The least agreement of the assumptions of two sources.
    related : bool
        The assumptions disagree: the sources are linked, and none is merged.
    passages : tuple of Passage
        Of a summary: its sentences and the places, `in_time`, of the sources that say them.
    omitted : tuple of str
        Sentences of the sources that the merged text does not say.
    """

    sources: tuple[Node, ...]
    name: str
    rationale: str
    new_node: Node | None = None
    fingerprint: Fingerprint | None = None
    differences: tuple[Difference, ...] = ()
    agreement: float = 1.0
    related: bool = False
    passages: tuple[Passage, ...] = ()
    omitted: tuple[str, ...] = ()
    redactions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a merge.

    Attributes
    ----------
    node : Node
        The merged node; of sources that were only related, the first of them.
    redirected : int
        Edges that lead to it now.
    note : str
        Of related sources: what holds under which assumptions.
    already : bool
        The sources were related before, and nothing was written.
    """

    plan: Plan
    node: Node
    redirected: int
    note: str
    reversal_hash: str
    already: bool = False


@dataclass(slots=True)
class Written:
    """What a merge wrote into an open transaction."""

    node: Node
    redirected: int = 0
    edges: list[Edge] = field(default_factory=list)


def merge(
    memory: "Runtime",
    node_ids: Sequence[str],
    name: str,
    strategy: Strategy = "keep_highest",
    *,
    force: bool = False,
    rationale: str = "",
    caller: Caller | None = None,
) -> Merged:
    """Make one memory of several that say the same, or one concept of several names.

    Where the assumptions of the sources disagree they are linked instead. Where they differ in what may make them two
    facts, nothing is done and the error says in what.

    Parameters
    ----------
    node_ids : sequence of str
        Ids or citation tags of two sources or more.
    force : bool
        Merge all the same.
    """
    caller = caller or memory.caller
    with memory.writing:
        plan = planned(memory, node_ids, name, strategy, force=force, rationale=rationale, caller=caller)
        known = _related_before(memory, plan) if plan.related else None
        if known is not None:
            return Merged(plan, plan.sources[0], 0, relation(plan.sources), known, already=True)
        with memory.store.write("related" if plan.related else "merged", memory.author(caller)) as tx:
            written = put_merge(memory, tx, plan, caller)
            tx.note.update(
                operation=tx.type, nodes=[written.node.id], sources=[node.id for node in plan.sources],
                strategy=strategy, forced=force,
            )  # fmt: skip
            if plan.rationale:
                tx.note.update(rationale=plan.rationale)
            node = tx.node(written.node.id)
        after(memory, plan, node)
        memory.committed(tx.committed)
    assert tx.committed is not None
    note = relation(plan.sources) if plan.related else ""
    return Merged(plan, node, written.redirected, note, tx.committed.hash[:16])


def after(memory: "Runtime", plan: Plan, node: Node) -> None:
    """What follows a write that holds a merge, before its event is taken in."""
    if plan.fingerprint is not None:
        memory.made(node.id, plan.fingerprint)
        if plan.fingerprint.pending:
            memory.background.plan("embed", [node.id])


# The plan


def planned(
    memory: "Runtime",
    node_ids: Sequence[str],
    name: str,
    strategy: Strategy,
    *,
    force: bool,
    rationale: str,
    caller: Caller,
) -> Plan:
    """Look at the sources and make what they will be; nothing is written."""
    named = [shown(memory, id, caller, field="source_node_ids") for id in node_ids]
    sources = tuple({node.id: node for node in named}.values())
    if not 2 <= len(sources) <= MAX_SOURCES:
        raise InvalidInput(
            f"expected 2 to {MAX_SOURCES} different nodes to merge, got {len(sources)}; search_graph tells ids",
            field="source_node_ids",
        )
    label = cleaned_note(memory, name, "target_name")
    if len(label.text.strip()) > MAX_TARGET_NAME:
        raise InvalidInput(
            f"target_name must have at most {MAX_TARGET_NAME} characters, got {len(name)}", field="target_name"
        )
    why = cleaned_note(memory, rationale, "rationale") if rationale.strip() else None
    target, reason = " ".join(label.text.split()), why.text if why else ""
    redactions = tuple(sorted({*label.redactions, *(why.redactions if why else ())}))
    _check_state(sources)
    if sources[0].kind == NodeKind.CONCEPT:
        apart = _concepts_apart(sources)
        _refuse(apart, force)
        return Plan(sources, target, reason, differences=tuple(apart), redactions=redactions)
    priors = [priors_of(node) for node in sources]
    agreed = min(agreement(one, other) for one, other in combinations(priors, 2))
    if agreed < AGREEING and not force:
        return Plan(sources, target, reason, agreement=agreed, related=True, redactions=redactions)
    apart = _apart(sources)
    _refuse(apart, force)
    author = memory.author(caller)
    made, passages, omitted = _made(memory, sources, target, reason, strategy, author)
    before = memory.store.session_memories(made.session_id, 1)
    fingerprint = fingerprint_of(memory.store, memory.embedder, made, before[0] if before else None)
    return Plan(sources, target, reason, made, fingerprint, tuple(apart), agreed, False, passages, omitted, redactions)


def mergeable(sources: Sequence[Node]) -> bool:
    """Whether memories could be merged without force."""
    try:
        _check_state(sources)
    except (InvalidInput, Refused):
        return False
    priors = [priors_of(node) for node in sources]
    agreed = min(agreement(one, other) for one, other in combinations(priors, 2))
    return sources[0].kind == NodeKind.MEMORY and agreed >= AGREEING and not _apart(sources)


def _check_state(sources: Sequence[Node]) -> None:
    """Only what holds today, is trusted, and is seen by the same people can be one memory."""
    first = sources[0]
    for node in sources:
        if node.kind != first.kind:
            raise InvalidInput(
                f"{first.name!r} is a {first.kind} and {node.name!r} a {node.kind}; merge memories with memories and "
                "concepts with concepts",
                field="source_node_ids",
            )
        if node.state != NodeState.LIVE:
            raise Refused(
                f"{tag_of(node.id)} is {node.state} ({node.state_reason}) and is not merged: what is in quarantine "
                "would come out of it by the merge"
            )
        if node.kind == NodeKind.CONCEPT:
            continue
        if node.valid_to is not None:
            raise Refused(
                f"{tag_of(node.id)} ({node.name!r}) holds no more, and a merge would bring it back; what holds today: "
                f"{tag_of(node.superseded_by) if node.superseded_by else 'search_graph finds it'}"
            )
        if node.modality != "text":
            raise Refused(f"{tag_of(node.id)} is a file ({node.modality}); only texts are merged. Link it with link_to")
        if not (as_wide(node, first) and as_wide(first, node)):
            raise Refused(
                f"{tag_of(first.id)} is kept for {first.scope} and {tag_of(node.id)} for {node.scope}: merged, one of "
                "them would be shown to others, or lost to them. Store it anew in the scope of the other first"
            )


def _refuse(apart: Sequence[Difference], force: bool) -> None:
    if apart and not force:
        told = "; ".join(str(one) for one in apart[:MAX_TOLD_DIFFERENCES])
        more = f"; and {len(apart) - MAX_TOLD_DIFFERENCES} more" if len(apart) > MAX_TOLD_DIFFERENCES else ""
        raise Refused(
            f"nothing was merged: these differ in what may make them two facts ({told}{more})",
            hint="Keep both, or annotate_node the one that is wrong. Where you are sure that they are one, "
            "force_merge=true merges them all the same.",
        )


def _apart(sources: Sequence[Node]) -> list[Difference]:
    """What the sources differ in that may make them several facts, each kind once for each pair with the first."""
    first, apart = sources[0], list[Difference]()
    for node in sources[1:]:
        apart += differences(first.content, node.content)
        apart += _fields_apart(first, node)
    for one, other in combinations(sources, 2):
        if stand_beside(one, other):
            apart.append(Difference("the user said that both hold", tag_of(one.id), tag_of(other.id)))
    return list(dict.fromkeys(apart))


def _fields_apart(one: Node, other: Node) -> list[Difference]:
    """Who says it, when it was, and other metadata that have two values."""
    apart = []
    if one.speaker != other.speaker:
        apart.append(Difference("speaker", one.speaker or "", other.speaker or ""))
    dates = [occurrence(node) for node in (one, other)]
    if None not in dates and dates[0] != dates[1]:
        apart.append(Difference("date", *(str(node.metadata.get("date", "")) or _day(node) for node in (one, other))))
    for key in sorted(_own(one.metadata).keys() & _own(other.metadata).keys()):
        if one.metadata[key] != other.metadata[key]:
            apart.append(Difference(f"metadata.{key}", str(one.metadata[key])[:60], str(other.metadata[key])[:60]))
    return apart


def _day(node: Node) -> str:
    from context_graph.models import to_iso

    return to_iso(node.occurred_at)[:10]


def _own(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that are no fields of a node, no lists that grow, and none of ours."""
    return {
        key: value
        for key, value in metadata.items()
        if key not in FIELDS_IN_METADATA and key not in GROWING and not key.startswith("_")
    }


def _concepts_apart(sources: Sequence[Node]) -> list[Difference]:
    first = sources[0]
    return [
        Difference("name", first.name, node.name) for node in sources[1:] if name_key(first.name) != name_key(node.name)
    ]


# What is made


def _made(
    memory: "Runtime", sources: Sequence[Node], name: str, reason: str, strategy: Strategy, author: Author
) -> tuple[Node, tuple[Passage, ...], tuple[str, ...]]:
    """The merged memory without its place, its cited sentences, and what of the sources it does not say."""
    by_time = in_time(sources)
    base = _base(by_time, strategy)
    content, passages, omitted = _content(by_time, base, strategy)
    if len(content) > CONTENT_LIMIT:
        raise InvalidInput(
            f"the merged text would have {len(content)} characters, at most {CONTENT_LIMIT} are kept; use "
            "merge_strategy summarize, or merge fewer",
            field="merge_strategy",
        )
    moment, last = memory.clock(), by_time[-1]
    agents, domains = ({getattr(node, field) for node in sources} for field in ("agent_id", "domain"))
    speakers = {node.speaker for node in sources}
    titled = any(given_name(node) for node in sources)
    dated_by = base if strategy in ("keep_newest", "keep_highest") else last
    rationale = "\n".join(dict.fromkeys(filter(None, (*(node.rationale for node in by_time), reason))))
    node = Node(
        id=memory.new_id(),
        ordinal=0,
        name=node_name(content, given=name),
        content=content,
        rationale=rationale[:MAX_MERGED_RATIONALE],
        created_at=moment,
        occurred_at=dated_by.occurred_at,
        valid_from=moment,
        last_accessed=max(node.last_accessed for node in sources),
        access_count=sum(node.access_count for node in sources),
        importance=max(node.importance for node in sources),
        importance_by_user=any(node.importance_by_user for node in sources),
        johari_quadrant=base.johari_quadrant,
        delta_s=base.delta_s,
        delta_c=base.delta_c,
        w_e=base.w_e,
        phi=base.phi,
        learning_score=base.learning_score,
        steering_reward=base.steering_reward,
        agent_id=agents.pop() if len(agents) == 1 else author.agent_id,
        session_id=author.session_id if base.scope == Scope.USER else base.session_id,
        context_id=author.context_id if base.scope == Scope.USER else base.context_id,
        scope=base.scope,
        domain=next(iter(domains - {Domain.GENERAL})) if len(domains - {Domain.GENERAL}) == 1 else base.domain,
        speaker=speakers.pop() if len(speakers) == 1 else (base.speaker if strategy.startswith("keep") else None),
        semantic_cluster=base.semantic_cluster,
        metadata=_metadata(by_time, base, name, titled=titled),
        taint=max(suspicion(content), *(node.taint for node in sources)),
        derived_from=tuple(node.id for node in sources),
    )
    return node, passages, omitted


def in_time(sources: Sequence[Node]) -> list[Node]:
    """Memories in the order in which they happened; a `Passage` names its sources by their place in it."""
    return sorted(sources, key=lambda node: (node.occurred_at, node.created_at, node.ordinal or 0))


def _base(by_time: Sequence[Node], strategy: Strategy) -> Node:
    """The source that speaks for all: the last, or of the most important ones the last."""
    if strategy == "keep_highest":
        return max(reversed(by_time), key=lambda node: node.importance)
    return by_time[-1]


def _content(
    by_time: Sequence[Node], base: Node, strategy: Strategy
) -> tuple[str, tuple[Passage, ...], tuple[str, ...]]:
    contents = [node.content for node in by_time]
    if strategy in ("keep_newest", "keep_highest"):
        return base.content, (), left_out(base.content, contents)
    if strategy == "concatenate":
        several = len({node.speaker for node in by_time}) > 1
        parts: list[str] = []
        for node in by_time:
            text = f"{node.speaker}: {node.content}" if several and node.speaker else node.content
            if not any(adds_nothing(text, part) for part in parts):
                parts.append(text)
        return "\n\n".join(parts), (), ()
    made = summary(contents, max(SUMMARY, sum(map(len, contents)) // 2))
    return made.text, made.passages, tuple(passage.text for passage in made.omitted)


def _metadata(by_time: Sequence[Node], base: Node, name: str, *, titled: bool) -> dict[str, Any]:
    """The metadata of all sources, those of the base first; lists and notes are joined, the name is an alias."""
    metadata: dict[str, Any] = {}
    for node in by_time:
        metadata |= {key: value for key, value in node.metadata.items() if key != NAMED}
    metadata |= {key: value for key, value in base.metadata.items() if key != NAMED}
    for key in GROWING:
        joined = [text for node in by_time for text in texts(node.metadata, key)]
        if key == "aliases":
            joined = [name, *joined, *(given for node in by_time if (given := given_name(node)))]
            joined = list(dict.fromkeys(joined))[:MAX_MERGED_ALIASES]
        if joined:
            metadata[key] = list(dict.fromkeys(joined))
    metadata.pop(ANNOTATIONS, None)
    metadata.pop(PROPOSED, None)  # of another text
    notes = sorted((note for node in by_time for note in annotations_of(node)), key=lambda note: note.at)
    metadata |= as_metadata(notes)
    metadata |= {DATED: True} if any(occurrence(node) is not None for node in by_time) else {}
    metadata |= {NAMED: name} if titled else {}
    if len(repr(metadata)) > METADATA_LIMIT:
        raise Refused("the metadata of these together are more than one memory takes; merge fewer of them")
    return metadata


# What is written


def put_merge(memory: "Runtime", tx: "Transaction", plan: Plan, caller: Caller) -> Written:
    """Write a plan into an open transaction, where its sources are still what they were."""
    now = {node.id: node for node in tx.nodes(node.id for node in plan.sources)}
    for node in plan.sources:
        found = now.get(node.id)
        if found is None or _changes(found) != _changes(node):
            raise StoreBusy(
                f"{tag_of(node.id)} was changed by somebody else meanwhile, and nothing was merged; look at it again"
            )
    if plan.related:
        return _put_relation(memory, tx, plan, caller)
    if plan.new_node is None or plan.fingerprint is None:
        return _put_concept(tx, plan)
    node = _placed(tx, plan.new_node)
    tx.put(node, new=True)
    tx.put_vectors(node.id, vectors_of(node, plan.fingerprint, memory.embedder.makers))
    written = Written(node)
    for source in plan.sources:
        written.redirected += _redirect(tx, source.id, node.id, {one.id for one in plan.sources})
    written.edges += put_statements(tx, node, statements(node.content), memory.new_id)
    for source in plan.sources:
        tx.update(source.id, valid_to=node.created_at, superseded_by=node.id)
    return written


def _changes(node: Node) -> tuple[Any, ...]:
    return node.content, node.name, node.rationale, node.state, node.valid_to, dict(node.metadata), node.scope


def _placed(tx: "Transaction", node: Node) -> Node:
    return replace(node, ordinal=tx.next_ordinal(), position=tx.session_position(node.session_id))


def _redirect(tx: "Transaction", source: str, target: str, sources: set[str]) -> int:
    """Lead the edges of a source to the merged memory, each once; the order of a session stays with its sources."""
    edge_keys = {_ends(edge) for edge in tx.edges(target)}
    count = 0
    for edge in tx.edges(source):
        if edge.edge_type == EdgeType.TEMPORAL or {edge.source, edge.target} <= sources:
            continue
        first, second = (target if end == source else end for end in (edge.source, edge.target))
        ends = (first, second, edge.edge_type, edge.origin)
        if ends not in edge_keys:  # of two that say the same, one stays where it was
            edge_keys.add(ends)
            tx.update_edge(edge.id, source=first, target=second)
            count += 1
    return count


def _ends(edge: Edge) -> tuple[str, str, EdgeType, str]:
    return edge.source, edge.target, edge.edge_type, edge.origin


def _put_concept(tx: "Transaction", plan: Plan) -> Written:
    """Let the oldest concept stand for all of them, under the new name."""
    oldest, *others = sorted(plan.sources, key=lambda node: (node.created_at, node.id))
    redirected = sum(absorb(tx, oldest, other) for other in others)
    aliases = [*texts(oldest.metadata, "aliases"), *(node.name for node in plan.sources if node.name != plan.name)]
    metadata = {key: value for key, value in oldest.metadata.items() if key != "name_key"}
    metadata |= {"aliases": list(dict.fromkeys(aliases))[:MAX_MERGED_ALIASES]}
    metadata |= {"name_key": plan.name} if len(plan.name) > 60 else {}
    widest = max(plan.sources, key=lambda node: WIDTH[node.scope]).scope
    tx.update(oldest.id, name=plan.name[:60], content=plan.name, metadata=metadata, scope=widest)
    return Written(tx.node(oldest.id), redirected)


# Assumptions that disagree


def relation(sources: Sequence[Node]) -> str:
    """What holds under which assumptions: "In Python, ... [node_...]; in the domain medical: ... [node_...]"."""
    from context_graph.safety.quoting import inline

    told = []
    for node in sources:
        priors, text = priors_of(node), inline(node.content[:200])
        told.append(f"{text if priors.frames else f'{_under(priors)}: {text}'} {tag_of(node.id)}")
    return "; ".join(told)


def _under(priors: Priors) -> str:
    frames = ", ".join(priors.frames)
    return frames or (
        f"in the domain {priors.domain}" if priors.domain != Domain.GENERAL else "as another agent sees it"
    )


def _related_before(memory: "Runtime", plan: Plan) -> str | None:
    """The hash of the event that related these sources; None where they are not all related."""
    first = plan.sources[0]
    edges = memory.store.edges(first.id, types=[EdgeType.RELATIONAL])
    hashes = []
    for node in plan.sources[1:]:
        edge = next((e for e in edges if e.origin == "explicit" and {e.source, e.target} == {first.id, node.id}), None)
        events = [] if edge is None else memory.store.lineage(edge.id, 1_000)
        found = next((event for event in reversed(events) if event.type == "related"), None)
        if found is None:
            return None
        hashes.append(found.hash[:16])
    return hashes[-1] if hashes else None


def _put_relation(memory: "Runtime", tx: "Transaction", plan: Plan, caller: Caller) -> Written:
    """Link the sources, and note on each what it holds under; a note quotes no other memory, which may be deleted."""
    by = memory.author(caller).agent_id
    first = tx.node(plan.sources[0].id)
    written = Written(first)
    for source in plan.sources[1:]:
        node = tx.node(source.id)
        edge = put_reference(memory, tx, first, node)
        written.edges += [edge] if edge else []
        for one, other in ((first.id, node.id), (node.id, first.id)):
            current = tx.node(one)
            text = f"holds {_under(priors_of(current))}; {tag_of(other)} says it under other assumptions"
            note = cleaned_note(memory, text, "relational note")
            if not any(known.reference == other and known.text == note.text for known in annotations_of(current)):
                put_annotation(
                    memory, tx, current, note, "user_note", other=tx.node(other), id=memory.new_id(), by=by
                )  # fmt: skip
    return written
