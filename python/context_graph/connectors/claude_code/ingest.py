"""Turns become memories: each once, without what is trivial, private, or read back from the memory itself."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_graph.citations import node_of
from context_graph.connectors.claude_code.filters import is_trivial
from context_graph.connectors.claude_code.ledger import Ledger, key_of
from context_graph.connectors.claude_code.transcript import Turn
from context_graph.embed.lexical import date_words
from context_graph.embed.stems import stems
from context_graph.errors import ContextGraphError
from context_graph.ingest.batch import BATCH, remember_many
from context_graph.ingest.draft import Draft
from context_graph.ingest.remember import Remembered
from context_graph.ingest.splitter import pieces
from context_graph.models import NodeState
from context_graph.regex import regex
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.safety.privacy import GAP
from context_graph.safety.quoting import INTRODUCTION

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Origin", "keep"]

MAX_SESSION_PARTS = 100_000  # of one session
QUOTED = 0.8  # share of a cited line's stems that its memory holds, from which the line is a quotation

_KINDS = {"user": "what the user asked", "assistant": "answer of the assistant"}
_CITED = regex(r"(?:\[node_[0-9a-f]{6,36}\][\s.,;)]*)+$")
_TAG = regex(r"\[node_[0-9a-f]{6,36}\]")
_QUOTED_LINES = regex(r"\n> {3,5}(?:\[quoted\] )?")
"""Joins the lines of one quotation of `safety.quoting`: the tag stands behind the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where turns come from.

    Attributes
    ----------
    source : str
        Which host or command brought them.
    event : str
        On which occasion.
    """

    session: str
    source: str
    event: str
    agent: str
    project: str = ""
    repository: str = ""


@dataclass(frozen=True, slots=True)
class _News:
    """A turn that is worth keeping, and what of it is new."""

    turn: Turn
    text: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn and its parts that are not stored yet, by their keys."""

    turn: Turn
    drafts: dict[str, Draft]


def keep(
    memory_of: Callable[[], "Runtime"], turns: Iterable[Turn], ledger: Ledger, origin: Origin, *, follow: bool = False
) -> Counter[str]:
    """Store what is new of some turns, in their order, 64 parts to a write.

    The ledger is written after each write, so a process that ends between leaves nothing out; what it had stored is
    found in the store by its key.

    Parameters
    ----------
    memory_of : callable
        Opens the memory; not called where nothing is new.
    follow : bool
        The turns are those of the ledger's transcript: note how far they reach.

    Returns
    -------
    Counter
        Turns that were stored, known, private and trivial; memories made; turns cut.
    """
    counts: Counter[str] = Counter()
    stored: dict[str, str | Draft] | None = None
    waiting: list[_Turn] = []
    for turn in turns:
        counts["turns"] += 1
        news = _news(turn, ledger)
        if isinstance(news, str):
            counts[news] += 1
            continue
        memory = memory_of()
        stored = _stored(memory, origin.session) if stored is None else stored
        waiting.append(_drafted(memory, news, origin, stored))
        ledger.message_keys.update(news.keys)
        if sum(len(one.drafts) for one in waiting) >= BATCH:
            _keep(memory, waiting, stored, ledger, counts, follow=follow)
            waiting = []
    if waiting and stored is not None:
        _keep(memory_of(), waiting, stored, ledger, counts, follow=follow)
    return counts


def _keep(
    memory: "Runtime",
    waiting: Sequence[_Turn],
    stored: dict[str, str | Draft],
    ledger: Ledger,
    counts: Counter[str],
    *,
    follow: bool,
) -> None:
    """Store the parts of some turns; then the ledger may say so."""
    drafts = [draft for turn in waiting for draft in turn.drafts.values()]
    done = {id(draft): outcome for draft, outcome in zip(drafts, remember_many(memory, drafts), strict=True)}
    for turn in waiting:
        new_memories = 0
        for key, draft in turn.drafts.items():
            outcome = done[id(draft)]
            if not isinstance(outcome, Remembered):
                raise outcome
            stored[key] = outcome.node.id
            new_memories += outcome.stored
        counts["stored" if new_memories else "known"] += 1
        counts["memories"] += new_memories
        counts["cut"] += turn.turn.cut
        if follow and turn.turn.end:
            ledger.offset = turn.turn.end
    ledger.save()


def _news(turn: Turn, ledger: Ledger) -> _News | str:
    """What of a turn is new, or why nothing is: private, trivial or known."""
    if turn.speaker == "assistant":
        if ledger.private:  # it may repeat what must not be kept
            return "private"
    elif turn.private or not is_trivial(turn.text):
        ledger.private = turn.private
    if turn.private and not turn.text.replace(GAP, "").strip():
        return "private"
    if is_trivial(turn.text):
        return "trivial"
    if ledger.is_removed(turn.speaker, turn.at):
        return "known"
    fresh = {key: text for text in turn.texts if (key := key_of(turn.speaker, text)) not in ledger.message_keys}
    text = "\n\n".join(fresh.values())
    if is_trivial(text):
        return "known"
    return _News(turn, text, tuple(fresh))


def _stored(memory: "Runtime", session: str) -> dict[str, str | Draft]:
    """The captured parts of a session by their keys, forgotten ones too: they must not come back."""
    nodes = memory.store.session_memories(memory.written_name(session), MAX_SESSION_PARTS, states=list(NodeState))
    return {key: node.id for node in nodes if isinstance(key := node.metadata.get("key"), str)}


def _drafted(memory: "Runtime", news: _News, origin: Origin, stored: dict[str, str | Draft]) -> _Turn:
    """The parts of a turn that are new, each linked to the first; they are noted as stored, which they will be."""
    turn = news.turn
    text = _without_quotations(memory, news.text) if turn.speaker == "assistant" else news.text
    parts = [] if is_trivial(text) else list(pieces(text))
    drafts: dict[str, Draft] = {}
    first: str | Draft | None = None
    for number, part in enumerate(parts, 1):
        key = key_of(turn.speaker, part)
        if key not in stored:
            of_many = {"part": number, "parts": len(parts)} if len(parts) > 1 else {}
            stored[key] = drafts[key] = Draft(
                part,
                _rationale(turn.speaker, origin.project, of_many),
                metadata=_metadata(turn, key, origin) | of_many,
                link_to=() if first is None else (first,),
                session_id=origin.session,
                agent_id=origin.agent,
                occurred_at=turn.at,
                speaker=turn.speaker,
                passive=True,
            )
        first = first or stored[key]
    return _Turn(turn, drafts)


def _metadata(turn: Turn, key: str, origin: Origin) -> dict[str, Any]:
    """What marks a memory as captured; `key` is what it is recognised by."""
    found = {"source": origin.source, "captured": True, "event": origin.event, "turn": turn.id or key, "key": key}
    of_project = {"project": origin.project, "repository": origin.repository}
    return found | {key: name for key, name in of_project.items() if name} | ({"cut": True} if turn.cut else {})


def _rationale(speaker: str, project: str, of_many: dict[str, int]) -> str:
    """Why it was kept, from what is known without understanding it.

    It does not quote the question of an answer: who deletes that for good must not find it here. The question is the
    memory before it in the session, and as such part of its vectors.
    """
    what = _KINDS.get(speaker, f"what {speaker} said")
    where = f" in project {project}" if project else ""
    after = f", part {of_many['part']} of {of_many['parts']}" if of_many else ""
    told = f"{what}{where}{after}"
    return told if suspicion(told) < QUARANTINE_FROM else f"said in a conversation{after}"  # names can be orders


def _without_quotations(memory: "Runtime", text: str) -> str:
    """Without the lines that cite a memory and say what it says: context that was handed out is coming back."""
    if "[node_" not in text:
        return text
    lines = _QUOTED_LINES.sub(" ", text).split("\n")
    return "\n".join(line for line in lines if line != INTRODUCTION and not _is_quotation(memory, line)).strip()


def _is_quotation(memory: "Runtime", line: str) -> bool:
    cited = _CITED.search(line)
    if cited is None:
        return False
    try:
        nodes = [node_of(memory.store, tag) for tag in _TAG.findall(cited[0])]
    except ContextGraphError:  # no memory, or a forgotten one
        return False
    held = " ".join(f"{node.speaker or ''} {node.content} {date_words(node.occurred_at)}" for node in nodes)
    said = set(stems(_TAG.sub("", line)))
    return len(said & set(stems(held))) >= QUOTED * len(said)
