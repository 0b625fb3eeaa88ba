"""get_memetic_status: the agent's dashboard."""

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from context_graph.access import visible_nodes
from context_graph.instants import DAY_US
from context_graph.models import Caller, EdgeType, Node, NodeKind, NodeState, Scope, to_iso
from context_graph.presentation.addresses import is_of_file
from context_graph.reading.metadata import BESIDE
from context_graph.reading.utterance import USERS
from context_graph.safety.quoting import inline
from context_graph.tools.base import Id, Maybe, ToolInput, ToolOutput, WireModel
from context_graph.tools.registry import built, tool
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.memory import Memory

__all__ = ["get_memetic_status"]

DUPLICATE_COSINE = 0.9
MAX_INSPECTED = 200
"""Memories looked at for each kind of task, the newest for duplicates, the oldest for orphans: a bounded cost."""

MAX_TASKS = 10
MAX_SHOWN_CHARS = 120
"""Characters of a memory in a question."""

Action = Literal["consolidate", "explore", "clarify", "curate", "ready"]

RATIONALE = "the user said so when asked"
ORPHAN_US = 30 * DAY_US


class GetMemeticStatusInput(ToolInput):
    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""


class CurationAnswer(WireModel):
    """What to call when the user answers so."""

    answer: str
    tool: str
    arguments: dict[str, Any]


class CurationTask(WireModel):
    task_type: Literal["potential_merge", "ambiguity_detected", "obsolete_info", "semantic_cancer"]
    target_nodes: list[Id]
    reason: str
    """Why."""

    suggested_tool: str | None = None
    """Absent where the user's answer decides what to call."""

    priority: Literal["low", "medium", "high"]
    proposal: Literal["update", "conflict"] | None = None
    """Of a question to the user: whether the later memory ended the earlier, or which of two holds."""

    question: str | None = None
    """Ask the user in these words, in their language; never answer it yourself."""

    answers: list[CurationAnswer] | None = None


class GetMemeticStatusOutput(ToolOutput):
    coherence_score: float
    entropy_level: float
    top_active_concepts: list[str]
    """At most five."""

    suggested_action: Action
    dream_available: bool
    curation_tasks: list[CurationTask]
    """Maintenance inbox."""

    stage: str
    """infancy, growth or maturity of this memory."""


@tool(family="core", title="Get memetic status", tier=1, read_only=True)
def get_memetic_status(memory: "Memory", args: GetMemeticStatusInput, caller: Caller) -> GetMemeticStatusOutput:
    """Your dashboard: entropy, coherence, active concepts, the suggested next action and the curation inbox. Call at
    the start of a session and when results confuse or contradict.
    """
    pulse, stage = memory.session(caller.session_id).pulse, memory.stage()
    asked = _proposals(memory, caller)
    known = {frozenset(task.target_nodes) for task in asked}
    merges = [task for task in _duplicates(memory, caller) if frozenset(task.target_nodes) not in known]
    tasks = [*asked, *merges, *_orphans(memory, caller)][:MAX_TASKS]
    wanted = pulse.suggested(stage, built=frozenset(built()))
    action: Action
    if tasks:
        action = "curate"
    elif wanted in ("trigger_dream", "epistemic_action"):
        action = "consolidate" if wanted == "trigger_dream" else "clarify"
    else:
        action = "explore" if pulse.entropy > stage.entropy or wanted == "get_neighborhood" else "ready"
    return GetMemeticStatusOutput(
        coherence_score=round(pulse.coherence, 4),
        entropy_level=round(pulse.entropy, 4),
        top_active_concepts=_concepts(memory, caller),
        suggested_action=action,
        dream_available=bool(memory.corpus.ids and built(["trigger_dream"])),
        curation_tasks=tasks,
        stage=stage.stage,
    )


def _concepts(memory: "Memory", caller: Caller) -> list[str]:
    """What the session's last memories name most often; before there are any, the concepts used most."""
    focus = memory.session(caller.session_id).focus
    edges = memory.store.edges(focus, types=[EdgeType.RELATIONAL])
    counted = Counter(end for edge in edges for end in (edge.source, edge.target) if end not in focus)
    near = [node for node in memory.store.nodes(counted) if node.kind == NodeKind.CONCEPT and _live(node)]
    concepts = sorted(near, key=lambda node: (-counted[node.id], node.name)) or memory.store.concepts(limit=20)
    return [node.name for node in visible_nodes(memory, concepts, caller)][:5]


def _proposals(memory: "Memory", caller: Caller) -> list[CurationTask]:
    """Questions to the user; each answer repeats one of the two memories, which stores nothing new."""
    from context_graph.recall.proposals import proposals

    tasks = []
    for kind, earlier, later in proposals(memory, caller):
        one, other = (repr(inline(node.content[:MAX_SHOWN_CHARS])) for node in (earlier, later))
        both = _answer("no" if kind == "update" else "both", later, BESIDE, earlier)
        if kind == "update":
            who = "you" if (later.speaker or "user").lower() in USERS else inline(later.speaker or "")
            question = f"Did {one} end when {who} said {other}?"
            answers = [_answer("yes", later, "supersedes", earlier), both]
        else:
            question = f"{one} and {other} disagree. Which of them holds?"
            answers = [
                _answer("the first", earlier, "supersedes", later), _answer("the second", later, "supersedes", earlier),
                both,
            ]  # fmt: skip
        tasks.append(
            CurationTask(
                task_type="obsolete_info" if kind == "update" else "ambiguity_detected",
                target_nodes=[earlier.id, later.id],
                reason=f"{other} may have taken the place of {one}" if kind == "update" else f"{one}, but {other}",
                priority="low" if kind == "update" else "medium",
                proposal=kind,
                question=question,
                answers=answers,
            )
        )
    return tasks


def _answer(answer: str, holds: Node, key: str, other: Node) -> CurationAnswer:
    """A call that tells of a stored memory what became of another, by storing its text once more."""
    from context_graph.reading.fingerprints import occurrence

    metadata: dict[str, Any] = {key: [other.id]} | ({"speaker": holds.speaker} if holds.speaker else {})
    arguments: dict[str, Any] = {"content": holds.content, "rationale": RATIONALE, "metadata": metadata}
    if (dated := occurrence(holds)) is not None:
        arguments["occurred_at"] = to_iso(dated)
    if holds.scope != Scope.USER:
        arguments["scope"] = str(holds.scope)
    return CurationAnswer(answer=answer, tool="store_memory", arguments=arguments)


def _duplicates(memory: "Memory", caller: Caller) -> list[CurationTask]:
    """Pairs that are nearly the same, where no number, date, name or the like differs: merging them loses no fact."""
    from context_graph.ingest.merging import mergeable

    ids = memory.corpus.ids[-MAX_INSPECTED:]
    edges = memory.store.edges(ids, types=[EdgeType.SEMANTIC])
    close = sorted((edge for edge in edges if edge.weight > DUPLICATE_COSINE), key=lambda edge: (-edge.weight, edge.id))
    nodes = {
        node.id: node for node in memory.store.nodes({end for edge in close for end in (edge.source, edge.target)})
    }
    viewer = memory.viewer(caller)
    return [
        CurationTask(
            task_type="potential_merge",
            target_nodes=[edge.source, edge.target],
            reason=f"{edge.weight:.0%} similar: {nodes[edge.source].name!r} and {nodes[edge.target].name!r}",
            suggested_tool="merge_concepts",
            priority="medium" if edge.weight > 0.95 else "low",
        )
        for edge in close
        if {edge.source, edge.target} <= nodes.keys()  # one may be deleted for good meanwhile
        and all(_current(nodes[end]) and may_see(nodes[end], viewer) for end in (edge.source, edge.target))
        and mergeable([nodes[edge.source], nodes[edge.target]])
    ]


def _orphans(memory: "Memory", caller: Caller) -> list[CurationTask]:
    before = memory.clock() - ORPHAN_US
    if not any(node.created_at < before for node in memory.store.memories(limit=1)):
        return []  # the oldest is too young, so all are
    old = [node for node in memory.store.memories(limit=MAX_INSPECTED) if node.created_at < before and _current(node)]
    linked = {end for edge in memory.store.edges([node.id for node in old]) for end in (edge.source, edge.target)}
    viewer = memory.viewer(caller)
    return [
        CurationTask(
            task_type="obsolete_info",
            target_nodes=[node.id],
            reason=f"{node.name!r} is older than 30 days and linked to nothing",
            suggested_tool="forget_concept",
            priority="low",
        )
        for node in old
        if node.id not in linked and node.access_count == 0 and may_see(node, viewer)
    ]


def _live(node: Node) -> bool:
    return node.state == NodeState.LIVE


def _current(node: Node) -> bool:
    """Whether curation may be proposed for it: it holds, and no file keeps it."""
    return _live(node) and node.valid_to is None and not is_of_file(node)
