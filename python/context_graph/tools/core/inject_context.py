"""inject_context: background for a task, distilled."""

from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, PrivateAttr

from context_graph.models import Caller, EdgeType, NodeKind
from context_graph.presentation.answer_budget import ANSWER_BYTES, fitting
from context_graph.presentation.nodes import Neighborhood, neighborhood
from context_graph.tools.base import (
    AgentId,
    DomainName,
    Id,
    Instant,
    Maybe,
    ScopeName,
    ToolInput,
    ToolOutput,
    Verbosity,
    WireModel,
)  # fmt: skip
from context_graph.tools.registry import built, tool
from context_graph.tools.retrying import MAX_RETRY_TOKENS, Retry

if TYPE_CHECKING:
    from context_graph.memory import Memory
    from context_graph.recall.inject import Injected
    from context_graph.recall.question import Question

__all__ = ["inject_context"]

DOUBTFUL = 0.8  # entropy, seed 001 6.6
GATED = ("generate_search_plan", "epistemic_action", "expand_causal_path")
CAUSAL_LINKS = 20
MAX_CONES, MAX_CONE_DEPTH = 8, 3
MAX_VERBOSITY = 2
BUNDLE_BYTES = 8_000
CONFLICT_ID_BYTES = 6


class InjectContextInput(ToolInput):
    hints: ClassVar = {
        "query": 'to be told what is known before anything is asked, ask "What should I know before we start?"',
    }

    query: str = Field(min_length=1, max_length=4096)
    """What background is needed, in natural language."""

    max_tokens: int = Field(2048, ge=100, le=8192)
    """Token budget of the returned context."""

    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    priority: Literal["low", "normal", "high", "critical"] = "normal"
    """low = cached, or by words alone; high = normal; critical = all that is relevant, unshortened."""

    distillation_mode: Literal["auto", "raw", "narrative", "structured", "code_focused"] = "auto"
    """How text is compressed: auto by size, raw not, narrative prose, structured bullets, code_focused keeps code."""

    include_metadata: list[Literal["causal_links", "entailment_cones", "neighborhood", "conflicts"]] = Field([])
    """Graph data bundled into the answer."""

    verbosity_level: Verbosity = 1
    """0 = text only, 1 = text with citation tags, 2 = also name and relevance of every memory."""

    agent_id: Maybe[AgentId] = Field(None, max_length=128)
    """Agent that speaks."""

    domain: Maybe[DomainName] = None
    """Only memories of this domain."""

    scope: Maybe[ScopeName] = None
    """Only memories kept for: the user's clients, this session, this conversation."""

    as_of: Maybe[Instant] = None
    """Answer from what was valid then."""

    asked_at: Maybe[Instant] = None
    """When it is asked, for words like "yesterday"; now by default. It hides nothing."""

    project: Maybe[str] = Field(None, min_length=1, max_length=1_000)
    """Only memories of this project: its name, its repository's address, or a seeded folder."""

    explain: bool = False
    """Return stages and times."""


class UtlMetrics(WireModel):
    """The state of learning after the call."""

    entropy: float
    coherence: float
    learning_score: float
    """Of the session's last memory; 0 before the first."""


class PathStep(WireModel):
    node_id: Id
    node_name: str
    edge_type: str | None = None
    """Of the edge to the next step."""

    edge_weight: float | None = None


class CausalPath(WireModel):
    """A cause-effect chain."""

    path: list[PathStep]
    narrative: str
    hop_count: int
    path_confidence: float


class ConflictView(WireModel):
    """Two memories of the context that disagree."""

    node_ids: list[Id]
    cosine_similarity: float
    topic: str
    kind: Literal["value", "negation"]
    """Two values of one thing, or that it is so and that it is not."""

    confidence: float
    """How sure it is that both cannot hold; set by hand, by what differs."""

    causal_coherence: float
    """1 less that."""


class EntailmentCone(WireModel):
    """What a concept of the context is a kind of, and what is a kind of it, as statements say."""

    node_id: Id
    aperture: float
    """Half the opening of its cone, in radians."""

    ancestors: list[Id]
    descendants: list[Id]
    apex: list[float] | None = None
    """Its point in the Poincaré ball; with verbosity_level 2."""

    axis: list[float] | None = None
    """The direction in which its cone opens; with verbosity_level 2."""


class BundledMetadata(WireModel):
    """What include_metadata asked for."""

    causal_links: list[CausalPath] | None = None
    entailment_cones: list[EntailmentCone] | None = None
    neighborhood: Neighborhood | None = None
    conflicts: list[ConflictView] | None = None


class ConflictAlert(WireModel):
    """Memories of the context disagree, and which holds is not known; the context says so too."""

    has_conflict: bool
    conflicting_nodes: list[Id]
    topic: str
    message: str
    suggested_action: Literal["merge_concepts", "ask_user", "ignore"]
    conflict_id: str
    """The same whenever these disagree."""


class ToolGatingWarning(WireModel):
    """Retrieval is doubtful."""

    triggered: bool
    entropy_score: float
    message: str
    suggested_tools: list[str]
    auto_retry_after: bool = False
    """The next call of a suggested tool in this session brings this context again in retried_context."""


class InjectContextOutput(ToolOutput):
    context: str
    """What is remembered, distilled; empty where nothing was relevant enough."""

    tokens_used: int
    tokens_before_distillation: int
    distillation_applied: Literal["none", "narrative", "structured", "code_focused"]
    compression_ratio: float
    """Share of tokens saved."""

    nodes_retrieved: list[Id]
    utl_metrics: UtlMetrics
    latency_ms: int
    bundled_metadata: BundledMetadata | None = None
    conflict_alert: ConflictAlert | None = None
    tool_gating_warning: ToolGatingWarning | None = None
    citation_tags: list[str] | None = None
    """hydrate_citation shows what stands behind a tag."""

    explain: dict[str, Any] | None = None
    _by_words: bool = PrivateAttr(False)

    def notes(self) -> list[str]:
        if self.context:
            return []
        if self._by_words:
            return ["No memory has enough of these words. Ask with priority normal, which looks for the meaning too."]
        return [
            "Nothing in memory is relevant enough to this query. Ask in other words, look at weaker matches with "
            "search_graph, or store what you learn with store_memory."
        ]


@tool(family="core", title="Inject context", tier=1, read_only=True)
def inject_context(memory: "Memory", args: InjectContextInput, caller: Caller) -> InjectContextOutput:
    """Fetch background for a task: relevant memories, distilled to the token budget, with citation tags. Use first at
    the start of work, and before answering about people, decisions or earlier work.
    """
    from context_graph.recall.inject import considered, inject
    from context_graph.recall.question import Question

    question = Question(
        args.query, considered(args.max_tokens, args.priority), domain=args.domain, scope=args.scope, as_of=args.as_of,
        asked_at=args.asked_at, project=args.project,
    )  # fmt: skip
    injected = inject(
        memory,
        question,
        caller=caller,
        max_tokens=args.max_tokens,
        mode=args.distillation_mode,
        verbosity=args.verbosity_level,
        priority=args.priority,
    )
    text, state = injected.distilled, memory.session(caller.session_id)
    pulse, doubtful = state.pulse, state.pulse.entropy > DOUBTFUL
    state.retry = _retry(args, question) if doubtful else None
    output = InjectContextOutput(
        context=text.text,
        tokens_used=text.tokens,
        tokens_before_distillation=text.tokens_before,
        distillation_applied=text.applied,
        compression_ratio=round(max(0.0, 1 - text.tokens / text.tokens_before), 4) if text.tokens_before else 0.0,
        nodes_retrieved=[hit.node.id for hit in injected.hits],
        utl_metrics=UtlMetrics(
            entropy=round(pulse.entropy, 4),
            coherence=round(pulse.coherence, 4),
            learning_score=_learned(memory, caller),
        ),
        latency_ms=injected.latency_ms,
        bundled_metadata=_bundle(memory, args, caller, injected) if args.include_metadata else None,
        conflict_alert=_conflict_alert(injected) if injected.disputes else None,
        tool_gating_warning=_warning(pulse.entropy, retried=state.retry is not None) if doubtful else None,
        citation_tags=list(injected.tags) or None,
        explain={"stages": injected.answer.stages, "layers_ms": injected.layers_ms} if args.explain else None,
    )
    output._by_words = args.priority == "low" and injected.answer.reflex is None
    return output


def _retry(args: InjectContextInput, question: "Question") -> Retry | None:
    """What a suggested tool asks again; None where all that is relevant was told already."""
    from context_graph.recall.inject import considered

    if args.priority == "critical":
        return None
    max_tokens = min(args.max_tokens, MAX_RETRY_TOKENS)
    top_k = considered(max_tokens, "critical")
    return Retry(replace(question, top_k=top_k), max_tokens, args.distillation_mode, args.verbosity_level)


def _learned(memory: "Memory", caller: Caller) -> float:
    last = memory.store.session_memories(memory.written_name(caller.session_id), 1)
    return round(last[0].learning_score, 4) if last else 0.0


def _warning(entropy: float, *, retried: bool) -> ToolGatingWarning:
    return ToolGatingWarning(
        triggered=True,
        entropy_score=round(entropy, 4),
        message=f"Entropy {entropy:.2f} is above {DOUBTFUL}: doubt this context, ask more narrowly, or ask the user.",
        suggested_tools=built(GATED),
        auto_retry_after=retried,
    )


def _conflict_alert(injected: "Injected") -> ConflictAlert:
    from context_graph.recall.inject import alert

    ids = list(dict.fromkeys(id for one in injected.disputes for id in (one.hit.node.id, one.other.node.id)))
    return ConflictAlert(
        has_conflict=True,
        conflicting_nodes=ids,
        topic=", ".join(dict.fromkeys(one.topic for one in injected.disputes)),
        message=f"{alert(injected.disputes)} Tell the user of both and ask; get_memetic_status has what to call then.",
        suggested_action="ask_user",
        conflict_id=blake2b("".join(sorted(ids)).encode(), digest_size=CONFLICT_ID_BYTES).hexdigest(),
    )


def _conflicts(memory: "Memory", injected: "Injected") -> list[ConflictView]:
    views, corpus = [], memory.corpus
    for one in injected.disputes:
        ids = [one.hit.node.id, one.other.node.id]
        with corpus.lock:
            rows = [row for id in ids if (row := corpus.row_of.get(id)) is not None]
            if len(rows) < len(ids):
                continue  # one was deleted for good meanwhile
            a, b = corpus.semantic.rows(rows)
        views.append(
            ConflictView(
                node_ids=ids, cosine_similarity=round(float(a @ b), 4), topic=one.topic, kind=one.kind,
                confidence=one.confidence, causal_coherence=round(1.0 - one.confidence, 4),
            )
        )  # fmt: skip
    return views


def _bundle(memory: "Memory", args: InjectContextInput, caller: Caller, injected: "Injected") -> BundledMetadata:
    ids = [hit.node.id for hit in injected.hits]
    bundled = BundledMetadata()
    max_bytes = max(0, min(BUNDLE_BYTES, ANSWER_BYTES - len(injected.distilled.text.encode())))
    if "causal_links" in args.include_metadata:
        bundled.causal_links = fitting(_causal_links(memory, ids), max_bytes // 2)
    if "entailment_cones" in args.include_metadata:
        cones = _cones(memory, ids, caller, whole=args.verbosity_level == MAX_VERBOSITY)
        bundled.entailment_cones = fitting(cones, max_bytes // 2)
    if "neighborhood" in args.include_metadata:
        whole = neighborhood(memory, ids, caller)
        nodes = fitting(whole.nodes, max_bytes // 2)
        kept = {node.node_id for node in nodes}
        edges = [edge for edge in whole.edges if edge.source in kept and edge.target in kept]
        bundled.neighborhood = Neighborhood(
            nodes=nodes,
            edges=fitting(edges, max_bytes // 4),
            focal_point=[id for id in whole.focal_point if id in kept],
        )
    if "conflicts" in args.include_metadata:
        bundled.conflicts = _conflicts(memory, injected)
    return bundled


def _cones(memory: "Memory", ids: list[str], caller: Caller, *, whole: bool) -> list[EntailmentCone]:
    """The cones of the concepts of which the retrieved memories speak, in the order of these memories."""
    from context_graph.access import visible_nodes
    from context_graph.inference.hierarchy import kinds

    things = {edge.target for edge in memory.store.edges(ids, types=[EdgeType.RELATIONAL])} - set(ids)
    links = memory.store.edges(things, types=[EdgeType.HIERARCHICAL])
    ends = dict.fromkeys(end for link in links for end in (link.source, link.target) if end in things)
    cones = []
    for node in visible_nodes(memory, memory.store.nodes(ends), caller)[:MAX_CONES]:
        hierarchy = kinds(memory, node, caller, depth=MAX_CONE_DEPTH)
        if not hierarchy.ancestors and not hierarchy.descendants:
            continue
        apex = hierarchy.apex.astype(float)
        axis = apex / max(float((apex @ apex) ** 0.5), 1e-9)
        cone = EntailmentCone(
            node_id=node.id,
            aperture=round(hierarchy.aperture, 4),
            ancestors=[one.node.id for one in hierarchy.ancestors],
            descendants=[one.node.id for one in hierarchy.descendants],
        )
        if whole:
            cone.apex, cone.axis = apex.round(4).tolist(), axis.round(4).tolist()
        cones.append(cone)
    return cones


def _causal_links(memory: "Memory", ids: list[str]) -> list[CausalPath]:
    """Causes and effects that the retrieved memories speak of, the strongest first."""
    near = {end for edge in memory.store.edges(ids) for end in (edge.source, edge.target)} - set(ids)
    concepts = {node.id: node for node in memory.store.nodes(near) if node.kind == NodeKind.CONCEPT}
    edges = memory.store.edges_between([*concepts, *ids], types=[EdgeType.CAUSAL])
    named = concepts | {node.id: node for node in memory.store.nodes(ids)}
    links = []
    for edge in sorted(edges, key=lambda edge: (-edge.weight, edge.id))[:CAUSAL_LINKS]:
        cause, effect = named[edge.source], named[edge.target]
        step = PathStep(
            node_id=cause.id, node_name=cause.name, edge_type=str(edge.edge_type), edge_weight=round(edge.weight, 4)
        )
        links.append(
            CausalPath(
                path=[step, PathStep(node_id=effect.id, node_name=effect.name)],
                narrative=f"{cause.name} leads to {effect.name}",
                hop_count=1,
                path_confidence=round(edge.weight, 4),
            )
        )
    return links
