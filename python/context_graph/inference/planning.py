"""A goal turned into calls that run as they stand, after a look at what the store holds for it."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from context_graph.citations import tag_of
from context_graph.inference.concepts import named_in
from context_graph.models import Caller, Event, Node, NodeState
from context_graph.presentation.reversals import curation_of
from context_graph.recall.answer import Hit
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from context_graph.regex import regex
from context_graph.safety.quoting import inline
from context_graph.store import note_of, noted_nodes
from context_graph.visibility import may_see

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Plan", "PlannedCall", "plan"]

MAX_LOOKED_AT = 5
"""Results of a first search that a plan may name."""

LIKELY = 0.5
"""Relevance from which on a memory is taken for one about the goal."""

MAX_TO_FORGET = 3
"""Memories that a plan has forgotten, each by a call of its own."""

MAX_CODE_LOOKED_AT = 50
"""Results of a search for the function that a goal names."""

MAX_WRITES_READ = 200
"""Of the log, from its end, for the last write of a caller."""

MAX_TOMBSTONES_READ = 200
DAY_MINUTES = 1_440
"""The furthest that get_recent_context looks back."""

MIN_SUMMARY_CHARS, MAX_SUMMARY_CHARS = 20, 2_000
"""Of a line of reasoning that critique_context takes."""

NEEDS = {"query_causal": "pyagrum", "omni_infer": "pyagrum", "verify_code_node": "z3"}
"""Tools that answer only where a package is installed."""


def _said(*words: str) -> re.Pattern[str]:
    return regex(rf"\b(?:{'|'.join(words)})\b", re.I)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call, and why it is made."""

    tool: str
    params: dict[str, Any]
    rationale: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Calls in their order, and what led to them."""

    reasoning: str
    calls: tuple[PlannedCall, ...]


@dataclass
class _Goal:
    """A goal, and what a look into the store finds for it."""

    memory: "Runtime"
    text: str
    caller: Caller

    @cached_property
    def hits(self) -> list[Hit]:
        """The memories that answer the goal as it stands."""
        question = Question(self.topic, top_k=MAX_LOOKED_AT, record=False)
        return list(recall(self.memory, question, caller=self.caller).hits)

    @property
    def topic(self) -> str:
        """What it is about, without "find out", "forget everything about" and the like."""
        if order := _FORGET.search(self.text):
            return order[1].strip(" .!") or self.text
        return _FRAME.sub("", self.text).strip() or self.text

    @property
    def likely(self) -> list[Hit]:
        return [hit for hit in self.hits if hit.relevance >= LIKELY]

    @property
    def meant(self) -> list[Hit]:
        """Those of the likely memories that share a word with the topic."""
        from context_graph.embed.stems import stems

        asked = set(stems(self.topic))
        return [hit for hit in self.likely if asked & set(stems(f"{hit.node.name} {hit.node.content}"))]

    @cached_property
    def concepts(self) -> list[Node]:
        """The concepts that the goal names, in reading order."""
        return named_in(self.memory, self.text, self.caller)

    @cached_property
    def removed(self) -> tuple[Node, str] | None:
        """What is in the trash and shares most words with the goal, and the hash that brings it back; what was removed
        last where the goal has no words of its own.
        """
        from context_graph.embed.stems import stems

        store, viewer, asked = self.memory.store, self.memory.viewer(self.caller), set(stems(self.text))
        alike = [
            (len(asked & set(stems(f"{node.name} {node.content}"))), node.state_at or 0, node)
            for node in store.tombstones(limit=MAX_TOMBSTONES_READ)
            if may_see(node, viewer)
        ]
        alike = [entry for entry in alike if entry[0]] or ([] if self.names_something else alike)
        for _, _, node in sorted(alike, key=lambda entry: (-entry[0], -entry[1])):
            events = store.lineage(node.id, limit=20)
            if removal := next((event for event in reversed(events) if event.type == "forgotten"), None):
                return node, removal.hash[:16]
        return None

    @property
    def names_something(self) -> bool:
        """Whether more than the order itself is in its words: "bring back what was removed" names nothing."""
        from context_graph.embed.stems import stems

        return bool(stems(_UNNAMED.sub(" ", self.text)))

    @cached_property
    def last_write(self) -> Event | None:
        """What this caller wrote last and nobody took back, of what the goal is about where it says so."""
        from context_graph.embed.stems import stems

        about = _ABOUT.search(self.text)
        topic = set(stems(_UNNAMED.sub(" ", self.text[about.end() :]))) if about else set()
        for event in self._written():
            nodes = self.memory.store.nodes(noted_nodes(event)) if topic else ()
            if not topic or any(topic & set(stems(f"{node.name} {node.content}")) for node in nodes):
                return event
        return None

    def _written(self) -> Iterator[Event]:
        """The writes of this caller that stand and that a tool takes back, newest first."""
        author, undone = self.memory.author(self.caller), set[str]()
        for event in self.memory.store.events(MAX_WRITES_READ):
            if event.type == "undo":
                undone.add(str(note_of(event).get("undoes")))
            elif event.id in undone or author.session_id != event.author.session_id:
                continue
            elif event.type == "created" or curation_of(event):
                yield event

    @cached_property
    def code(self) -> Node | None:
        """The memory of the function that the goal names; the nearest with a function where it names none."""
        first, names = None, {name for groups in _FUNCTION_NAMED.findall(self.text) for name in groups if name}
        words = names or set(_IDENTIFIER.findall(self.text))
        question = Question(self.topic, top_k=MAX_CODE_LOOKED_AT, record=False)
        for hit in (*self.hits, *recall(self.memory, question, caller=self.caller).hits):
            functions = set(_FUNCTION.findall(hit.node.content))
            if functions & words:
                return hit.node
            first = first or (hit.node if functions else None)
        return None if names else first


Way = Callable[[_Goal], Iterator[PlannedCall]]


def plan(
    memory: "Runtime", goal: str, caller: Caller, *, limit: int, tools: Collection[str], session_id: str | None = None
) -> Plan:
    """The calls that a goal asks for, at most so many, each with arguments that exist in this store.

    Parameters
    ----------
    tools : collection of str
        The tools that are built; no other is named.
    session_id : str, optional
        The session that the calls name, where they take one.
    """
    aim = _Goal(memory, " ".join(goal.split()), caller)
    matches = [(match.start(), i) for i, (cue, _, _) in enumerate(WAYS) if (match := cue.search(aim.text))]
    ways = [WAYS[i] for _, i in sorted(matches)]
    calls: dict[tuple[str, str], PlannedCall] = {}
    fulfilled = []
    for _, aimed_at, way in (*ways, *((None, "", way) for way in (_background, _look_further, _ask))):
        made = [call for call in way(aim) if call.tool in tools and _usable(call.tool)]
        if made and aimed_at:
            fulfilled.append(aimed_at)
        for call in made:
            calls.setdefault((call.tool, repr(call.params)), call)
    chosen = tuple(calls.values())[:limit]
    return Plan(_reasoning(aim, fulfilled), tuple(_in_session(call, session_id) for call in chosen))


def _usable(tool: str) -> bool:
    return tool not in NEEDS or find_spec(NEEDS[tool]) is not None


IN_SESSION = ("search_graph", "inject_context", "get_recent_context", "get_neighborhood", "get_memetic_status",
              "epistemic_action", "store_memory")  # fmt: skip
"""Tools that take the session as an argument."""


def _in_session(call: PlannedCall, session_id: str | None) -> PlannedCall:
    if session_id is None or call.tool not in IN_SESSION:
        return call
    return PlannedCall(call.tool, call.params | {"session_id": session_id}, call.rationale)


def _reasoning(goal: _Goal, aims: list[str]) -> str:
    """What the goal was taken for, and what the store holds for it."""
    asks = f"The goal asks for {', then for '.join(aims)}." if aims else "The goal asks for what is known."
    likely = len(goal.likely)
    if likely:
        first = f"{goal.hits[0].relevance:.0%}"
        holds = f"{likely} of the {len(goal.hits)} best memories probably speak of it (the first: {first})."
    elif goal.hits:
        holds = f"No memory surely speaks of it; the nearest does with {goal.hits[0].relevance:.0%}."
    else:
        holds = "No memory speaks of it."
    named = [f"“{inline(node.name)}”" for node in goal.concepts[:4]]
    return f"{asks} {holds}" + (f" It names {', '.join(named)}." if named else "")


def _searched(query: str, rationale: str) -> PlannedCall:
    return PlannedCall("search_graph", {"query": query, "include_content": True}, rationale)


def _forget(goal: _Goal) -> Iterator[PlannedCall]:
    yield _searched(goal.topic, "What would be forgotten: read it before it goes.")
    for hit in goal.meant[:MAX_TO_FORGET]:
        yield PlannedCall(
            "forget_concept",
            {"node_id": hit.node.id, "reason": "user_requested"},
            f"Puts “{inline(hit.node.name)}” into the trash for 30 days; leave it out where that is not meant.",
        )


def _restore(goal: _Goal) -> Iterator[PlannedCall]:
    if _FORGET.search(goal.text):
        return
    words = goal.text if goal.names_something else EVERYTHING
    yield PlannedCall("search_tombstones", {"query": words}, "What was removed lies in the trash for 30 days.")
    if _WHY.search(goal.text):
        of = {"node_id": goal.removed[0].id} if goal.removed else {}
        yield PlannedCall("get_system_logs", {"log_type": "prune"} | of, "Who removed it, when and why.")
    if goal.removed:
        node, hash = goal.removed
        yield PlannedCall(
            "restore_from_hash",
            {"reversal_hash": hash, "preview": True},
            f"Shows what would come back of “{inline(node.name)}”; call it with preview=false to restore.",
        )


def _take_back(goal: _Goal) -> Iterator[PlannedCall]:
    if goal.removed and _RESTORE.search(goal.text):
        return  # the removal itself is what is to be undone
    yield PlannedCall(
        "get_system_logs", {}, "What was removed, merged or noted lately; restore_from_hash takes the hash."
    )
    yield PlannedCall(
        "get_recent_context", {"lookback_minutes": DAY_MINUTES},
        "What was stored in the last 24 hours; forget_concept removes what should not have been.",
    )  # fmt: skip
    if goal.last_write is not None:
        yield from _undone(goal, goal.last_write)


def _undone(goal: _Goal, event: Event) -> Iterator[PlannedCall]:
    """The calls that take back a write: by its hash where that is curation, else what it stored goes into the trash."""
    if curation_of(event):
        yield PlannedCall(
            "restore_from_hash",
            {"reversal_hash": event.hash[:16], "preview": True},
            "Shows what taking back the last write would change; call it with preview=false to do it.",
        )
        return
    stored = [node for node in goal.memory.store.nodes(noted_nodes(event)) if node and node.state == NodeState.LIVE]
    for node in stored if len(stored) <= MAX_TO_FORGET else ():  # a part of a write would be no undo
        yield PlannedCall(
            "forget_concept",
            {"node_id": node.id, "reason": "user_requested"},
            f"Takes back the last write: puts “{inline(node.name)}” into the trash for 30 days.",
        )


def _causes(goal: _Goal) -> Iterator[PlannedCall]:
    if _RESTORE.search(goal.text) and _STORED.search(goal.text):
        return  # why a memory is gone stands in the log
    ends = goal.concepts
    if _BACKWARD.search(goal.text):
        ends = ends[1::-1]  # "A because of B": B is the cause
    if len(ends) > 1:
        yield PlannedCall(
            "find_causal_path",
            {"start_concept": ends[0].id, "end_concept": ends[1].id, "path_type": "causal"},
            f"Whether what is stored leads from “{inline(ends[0].name)}” to “{inline(ends[1].name)}”, and who says so.",
        )
    if ends:
        way = "forward" if _FORWARD.search(goal.text) and not _WHY.search(goal.text) else "backward"
        yield PlannedCall(
            "omni_infer",
            {"query": ends[0].name, "direction": way, "start_nodes": [ends[0].id]},
            f"What probably {'follows from' if way == 'forward' else 'led to'} “{inline(ends[0].name)}”.",
        )
    yield _searched(goal.topic, "Memories that state a cause answer the question themselves.")


def _kinds(goal: _Goal) -> Iterator[PlannedCall]:
    for node in goal.concepts[:2]:
        yield PlannedCall(
            "entailment_query",
            {"node_id": node.id, "max_depth": 10},
            f"What “{inline(node.name)}” is a kind of, and what is a kind of it.",
        )


def _check(goal: _Goal) -> Iterator[PlannedCall]:
    if len(goal.text) >= MIN_SUMMARY_CHARS:
        focal = [hit.node.id for hit in goal.likely]
        yield PlannedCall(
            "critique_context",
            {"reasoning_summary": goal.text[:MAX_SUMMARY_CHARS]} | ({"focal_nodes": focal} if focal else {}),
            "What is stored against it, and what it takes for current that is past.",
        )
    yield from _sources(goal)


def _sources(goal: _Goal) -> Iterator[PlannedCall]:
    if goal.likely:
        yield PlannedCall(
            "hydrate_citation",
            {"citation_tags": [tag_of(hit.node.id) for hit in goal.likely[:3]]},
            "The words of the memories themselves, with who said them and when.",
        )


def _prove(goal: _Goal) -> Iterator[PlannedCall]:
    if goal.code is not None:
        names = " and ".join(_FUNCTION.findall(goal.code.content)[:3])
        yield PlannedCall("verify_code_node", {"node_id": goal.code.id}, f"Proves or refutes what {names} promises.")


def _tidy(goal: _Goal) -> Iterator[PlannedCall]:
    yield PlannedCall("get_memetic_status", {}, "Its curation_tasks name duplicates, conflicts and what is obsolete.")


def _history(goal: _Goal) -> Iterator[PlannedCall]:
    if goal.hits:
        node = goal.hits[0].node
        yield PlannedCall(
            "get_node_lineage", {"node_id": node.id}, f"Who stored and changed “{inline(node.name)}”, and when."
        )


def _recent(goal: _Goal) -> Iterator[PlannedCall]:
    yield PlannedCall(
        "get_recent_context", {"lookback_minutes": DAY_MINUTES}, "What was stored and found in the last 24 hours."
    )


def _keep(goal: _Goal) -> Iterator[PlannedCall]:
    match = _TO_KEEP.search(goal.text)
    if match and len(content := match[1].strip(" .")) >= 3:
        yield _searched(content, "Whether it is known already, or something stored says otherwise.")
        yield PlannedCall(
            "store_memory",
            {"content": f"{content[:1].upper()}{content[1:]}.", "rationale": f"The goal was: {goal.text}"[:500]},
            "Keeps it, in a sentence that stands alone.",
        )


def _health(goal: _Goal) -> Iterator[PlannedCall]:
    yield PlannedCall("get_health", {}, "Which part is broken, if any.")


def _background(goal: _Goal) -> Iterator[PlannedCall]:
    if _TASK.search(goal.text):
        yield PlannedCall("inject_context", {"query": goal.text}, "Background for the task, within a budget of tokens.")
    else:
        yield _searched(goal.topic, "The memories themselves, with their ids.")


def _look_further(goal: _Goal) -> Iterator[PlannedCall]:
    if _FORGET.search(goal.text) and goal.meant:
        return  # of what is gone by then
    if goal.likely:
        node = goal.likely[0].node
        yield PlannedCall(
            "get_neighborhood", {"focal_node_id": node.id}, f"What is linked to the best answer, “{inline(node.name)}”."
        )
        yield from _sources(goal)
    elif len(goal.text) >= 10:
        yield PlannedCall(
            "generate_search_plan", {"goal": goal.text}, "As little is known in these words: the same in others."
        )


def _ask(goal: _Goal) -> Iterator[PlannedCall]:
    if not goal.likely:
        yield PlannedCall("epistemic_action", {"force": True}, "As little is known: what to ask, and whom.")


_FRAME = regex(
    r"^(?:please\s+)?(?:(?:i|we) (?:want|need|would like) to\s+)?(?:find out|find|check(?: whether| if| that)?|look up"
    r"|look for|search for|learn|know|understand|tell me|show me|get)\s+(?:(?:everything|more|out)\s+)?(?:about\s+)?",
    re.I,
)
_RESTORE = _said(
    "restore", "undelete", "recover", "bring back", "deleted?", "deletions?", "removed", "removal", "trash",
    "forg[eo]t(?:ten|ting)?", "gone", "vanished", "disappeared", "no longer (?:there|found|known)",
)  # fmt: skip
_STORED = _said(
    "notes?", "memor(?:y|ies)", "entry", "entries", "facts?", "what (?:i|we|you) (?:said|told|stored|wrote)"
)
_FORGET = regex(
    r"^\W*(?:(?:please|ok(?:ay)?|can you|could you|(?:i|we) (?:want|need|would like)(?: you)? to)[\s,:]+)*"
    rf"(?:forget|delete|erase|unlearn|remove(?=.*{_STORED.pattern}))\s+(?!(?:the )?(?:duplicates?|it)\b)"
    r"(?:(?:everything|anything|all|what)\s+)?(?:that\s+)?"
    r"(?:(?:i|we|you)\s+(?:know|(?:have )?(?:stored|said|told))\s+)?"
    r"(?:the\s+(?:notes?|memor(?:y|ies)|facts?)\s+)?(?:(?:about|of|on|that)\s+)?(.+)",
    re.I,
)
"""An order to forget something; what was removed already is looked for by other words."""

_UNNAMED = regex(
    rf"{_RESTORE.pattern}|{_STORED.pattern}"
    r"|\b(?:please|undo|revert|take back|last|latest|just|again|everything|all|anything|something|can you|could you"
    r"|my|writes?|wrote|stored)\b",
    re.I,
)
"""The words of an order to bring something back that do not say what."""

EVERYTHING = "*"
"""A query without words: the trash is listed, what was removed last first."""

_ABOUT = _said("about", "concerning", "of")
_FUNCTION = regex(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(", re.M)
_IDENTIFIER = regex(r"[^\W\d]\w*")
_FUNCTION_NAMED = regex(
    r"\b(?:function|method|def)\s+(?:called\s+|named\s+)?(?!(?:is|has|does|can|in|of|that|which|works?|holds?|ends?"
    r"|keeps?|never|always|returns?|terminates?|called|named)\b)([^\W\d]\w*)\b|\b([^\W\d]\w*)\(|`([^\W\d]\w*)`"
    r"|\b([^\W\d]\w*_\w+)\b"
)
"""A name that can be nothing but that of a function; any word of a goal may be one."""

_WHY = _said("why", "causes? of", "caused", "reasons?", "led to", "root cause", "how come", "because")
_BACKWARD = _said("because(?: of)?", "caused by", "due to", "results? of", "effects? of", "stems? from", "comes? from")
_FORWARD = _said("what (?:happens|follows)", "consequences?", "effects?", "impact", "what if", "results? of", "lead to")
_TO_KEEP = regex(
    r"^(?:.*[.,;:!]\s+|.*\b(?:and|then|to|please)\s+)?(?:remember|store|save|note down|keep in mind)\b"
    r"(?: the fact)?(?: that)?[: ]+"
    r"(?!(?:about|for|from|of|what|where|when|who|whose|which|why|how|whether|if|time|money|effort|space)\b)([^?]+)$",
    re.I,
)
"""An order to keep something; a question of what is remembered, or of where something is stored, is none."""

_TASK = _said(
    "write", "prepare", "plan", "fix", "build", "implement", "draft", "answer", "begin", "start", "help", "decide",
    "review", "design", "refactor", "email", "explain",
)  # fmt: skip

WAYS: tuple[tuple[re.Pattern[str], str, Way], ...] = (
    (_FORGET, "something to forget", _forget),
    (_RESTORE, "what was removed", _restore),
    (_said("undo", "revert", "take back"), "a write to take back", _take_back),
    (
        _said("prove", "verify", "bounds", "terminates?", "null.?safe(?:ty)?", "formally"),
        "a proof about code",
        _prove,
    ),
    (
        regex("|".join((_WHY.pattern, _FORWARD.pattern, _BACKWARD.pattern, r"\b(?:cause|affect)s?\b")), re.I),
        "causes and effects",
        _causes,
    ),
    (
        _said(
            "kinds? of", "types? of", "sorts? of", "category", "subclass(?:es)?", "is an?", "are an?", "taxonomy",
            "hierarchy",
        ),
        "kinds of things",
        _kinds,
    ),
    (
        _said(
            "check", "whether", "contradict(?:s|ions?|ory)?", "conflicts?", "consistent", "still true", "still holds?",
            "outdated", "is it true", "sure",
        ),
        "a check of what is believed",
        _check,
    ),
    (_said("clean up", "tidy", "duplicates?", "merge", "maintenance", "curate", "curation", "inbox"), "order", _tidy),
    (
        _said(
            "history", "changed", "lineage", "provenance", "versions?", "who (?:stored|said|wrote|told)", "came to be"
        ),
        "how something came to be",
        _history,
    ),
    (
        _said(
            "recent(?:ly)?", "yesterday", "today", "left off", "resume", "continue", "last (?:week|session|time)",
            "latest", "pick up", "this week", "so far",
        ),
        "what happened lately",
        _recent,
    ),
    (_TO_KEEP, "something to keep", _keep),
    (_said("health", "healthy", "broken", "slow", "does not work", "not working"), "the state of the memory", _health),
)  # fmt: skip
"""What a goal may ask for, known by its words, with the calls that serve it."""
