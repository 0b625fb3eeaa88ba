"""Background for a task: recall, then as much of it as the budget allows, with citations."""

import time
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from context_graph.citations import tag_of
from context_graph.derived.facts import Entry, adds_to, spelled
from context_graph.display import Plain, line
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.lexical import date_words
from context_graph.embed.wordpiece import token_count
from context_graph.models import Caller, Node
from context_graph.presentation.addresses import address_of, is_of_file
from context_graph.progress import stage
from context_graph.reading import cues
from context_graph.reading.acts import asked_for
from context_graph.reading.annotations import annotations_of
from context_graph.reading.asked_time import asked_time
from context_graph.reading.contradiction import Kind
from context_graph.reading.former_states import tells_former_state
from context_graph.reading.intent import parse
from context_graph.reading.open_items import is_of_other_work
from context_graph.reading.recency import asks_for_latest
from context_graph.reading.utterance import ASSISTANTS, USERS, utterance
from context_graph.recall.answer import Answer, Hit
from context_graph.recall.answer_model import answer_probabilities
from context_graph.recall.attributes_asked import asks_for_the_untold
from context_graph.recall.briefing import BUDGET, brief
from context_graph.recall.by_words import MIN_SHARE
from context_graph.recall.compression import AUTO_ABOVE, FENCE, Distilled, Mode, Source, distil
from context_graph.recall.current.order import announced_behind, asks_for_now, asks_how_it_was
from context_graph.recall.dietary import dietary_notes
from context_graph.recall.elapsed import Elapsed, elapsed
from context_graph.recall.file_passages import beside_files
from context_graph.recall.lists import tells_list, with_news_of_items
from context_graph.recall.normalization import as_asked
from context_graph.recall.notes import of_one_person, of_one_user
from context_graph.recall.outcomes import with_outcome
from context_graph.recall.precision import is_judged, is_of_notes, likeliest_first, likely_ones, may_answer_none
from context_graph.recall.priority import POLICIES, Policy, Priority
from context_graph.recall.profile import profile
from context_graph.recall.question import Question
from context_graph.recall.recall import recall
from context_graph.recall.standing_wishes import with_wishes_behind
from context_graph.recall.telling import (
    NEAREST,
    Telling,
    are_of_others,
    asks_when_it_happened,
    is_doubtful,
    lacks_answer,
    own_first,
    worth,
)
from context_graph.recall.turns import in_order_of_turns
from context_graph.recall.whole_times import MAX_OF_TIME, asks_for_a_time, left_out_line, of_whole_time
from context_graph.retrieval.relevance import MIN_STATEMENT_RELEVANCE, SURE
from context_graph.safety.quoting import INTRODUCTION, inline

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Disputed", "Injected", "alert", "considered", "disputed", "inject", "listing"]

FACTS = "Stated of whom this names:"
EARLIER = "earlier than the line above"
"""What is said of a memory directly after one that may have taken its place; elsewhere it names that one."""

FORMER = "of an earlier time"
"""What is said of a memory that itself tells how something was before, beside one that tells how it is."""

CORRECTION = 200
"""Characters of a correction that are told before a memory."""

MAX_ADDRESS = 120
"""Characters of a path with its lines, of which the end says most."""

DISPUTED = "disputed"
"""What is said of a memory that another one told beside it contradicts."""

UNSURE = "None of these surely answers the question: they are the nearest of what is known."
"""What is said before memories that are told for want of better ones."""

MAX_DISPUTES = 3
"""Pairs that the line about them names."""


class Disputed(NamedTuple):
    """Two memories of a context that disagree."""

    hit: Hit
    other: Hit
    kind: Kind
    confidence: float
    topic: str


@dataclass(frozen=True, slots=True)
class Injected(Plain):
    """Context for an agent; as a text it is what belongs in its prompt.

    Attributes
    ----------
    abstained : bool
        Nothing was relevant enough to be said.
    disputes : tuple of Disputed
        What of it disagrees, each pair once.
    """

    distilled: Distilled
    hits: tuple[Hit, ...]
    answer: Answer
    tags: tuple[str, ...]
    abstained: bool
    latency_ms: int
    layers_ms: dict[str, float] = field(default_factory=dict)
    disputes: tuple[Disputed, ...] = ()

    @property
    def text(self) -> str:
        """What is told; empty where nothing was relevant enough."""
        return self.distilled.text

    @property
    def tokens(self) -> int:
        """The length of the text."""
        return self.distilled.tokens

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Injected({line(self.text)!r}, tokens={self.tokens}, memories={len(self.hits)})"


def inject(
    memory: "Runtime",
    question: Question,
    *,
    caller: Caller | None = None,
    max_tokens: int = 2_048,
    mode: Mode = "auto",
    verbosity: int = 1,
    nearest: bool = True,
    without_session: str | None = None,
    priority: Priority = "normal",
    project: str | None = None,
) -> Injected:
    """Retrieve what a task needs and put it into `max_tokens` tokens.

    What is pinned and what the question names comes first (see `briefing`). Where the question is less likely than the
    setting `abstain_below` to be about anything here, nothing else is told, since a wrong memory costs more than none;
    else the memories found, in the order of their ranks.

    Parameters
    ----------
    verbosity : int
        0 text alone, 1 with citation tags, 2 also with name and relevance of every memory.
    nearest : bool
        Where nothing surely answers a question that can only be about this memory, the nearest are told, and a line
        says so; without, nothing is.
    without_session : str, optional
        Nothing of this session is told: who asks has it before them.
    project : str, optional
        Where it is asked: what is of another project says so. Without, where several are told.
    priority : str
        See `POLICIES`; a critical question is best asked for as many memories as `considered` says.
    """
    started = time.perf_counter()
    caller = (caller or memory.caller).within(question.session_id, question.agent_id)
    policy = POLICIES[priority]
    of_now = asks_for_now(question.text)  # "at the moment" is no word to search by
    question = replace(question, text=as_asked(question.text), by_words=question.by_words or policy.by_words)
    answer = _found(memory, question, caller)
    stage("briefing")
    called, facts = _called_for(memory, question, caller, answer, policy.max_briefed)
    (whole, complete, sure), first = _asked_for_whole(memory, question, caller, answer), {hit.node.id for hit in called}
    telling = _telling(memory, question, caller, answer, policy)
    probabilities = _probabilities(memory, question, answer, telling, policy)
    telling = telling._replace(hits=likely_ones(telling.hits, answer, probabilities, memory.settings.abstain_below))
    if telling.sure and (not sure or _is_of_area(question.text)):  # what answers best is told first
        of_whole = {hit.node.id for hit in whole}
        nearest_one = {hit.node.id for hit in telling.hits[:1]}  # it may be of the area though no word says so
        some = [hit for hit in telling.hits if not sure or hit.node.id in of_whole | nearest_one]
        called += [hit for hit in some if hit.node.id not in first]
        first |= {hit.node.id for hit in called}
    if sure and _is_of_dates(question.text):  # the soonest first
        called = [*whole, *(hit for hit in called if hit.node.id not in {one.node.id for one in whole})]
    else:
        called += [hit for hit in whole if hit.node.id not in first]
    first |= {hit.node.id for hit in whole}
    now = _now(memory, question) if question.as_of is None else question.as_of
    counted = elapsed(cues.readable(question.text), _but_of(answer.hits, without_session), now)
    if counted is not None:
        dated = {node.id for node in counted.nodes} - first
        called += [hit for hit in answer.hits if hit.node.id in dated]
        first |= dated
    if policy.complete:
        pass  # nothing of it is withheld for what else is told
    elif whole and (complete or (len(whole) > 1 and not telling.sure)):
        statements = _is_of_statements(question.text)
        nearest_hits = (hit for hit in telling.hits[:1] if not (statements and is_of_file(hit.node)))
        called = [*(hit for hit in nearest_hits if hit.alone >= SURE and hit.node.id not in first), *called]
        telling = Telling((), True)
    elif complete and not called:
        telling = Telling(telling.hits[:NEAREST], False)  # nothing is of the kind that is asked for
    if not nearest and not telling.sure and not policy.complete:
        telling = Telling((), True)
    hits = [*called, *(hit for hit in telling.hits if hit.node.id not in first)]
    hits = own_first(question.text, _but_of(hits, without_session))
    if not (asks_how_it_was(question.text, now) or _is_in_order(question.text)):
        ranked = _current_above(hits, answer)
        hits = with_news_of_items(memory, caller, question.text, ranked)
        hits = with_outcome(memory, caller, question.text, hits, answer.hits) if not question.by_words else hits
        if hits[:1] == ranked[:1] and not (called or telling.plain or _is_of_time(question.text, now)):
            hits = likeliest_first(hits, probabilities)
        hits = _but_of(hits, without_session)
        hits = announced_behind(hits, now) if of_now else hits
    if not parse(question.text).in_turn:
        hits = in_order_of_turns(question.text, hits, memory.corpus.row_of)
    hits = with_wishes_behind(cues.readable(question.text), hits, first)
    gated = time.perf_counter()
    lacking = not called and lacks_answer(question.text, hits)
    answered = called or telling.plain or tells_list(question.text, hits)
    doubtful = not telling.sure or is_doubtful(question.text, answer, memory.embedder.tier)
    none_answers = may_answer_none(hits, probabilities, doubtful=doubtful)
    if none_answers is not None and not asks_when_it_happened(question.text):
        doubtful = none_answers
    doubtful = doubtful or lacking or asks_for_the_untold(question.text, [hit.node.content for hit in hits])
    unsure = (doubtful and not answered) or are_of_others(question.text, hits)
    if lacking and language_of(question.text) != ENGLISH:
        hits = hits[:NEAREST]  # there the bar is low, and all of it may be told
    of_time = telling.left_out is not None
    longest = left_out_line(len(hits) if of_time else 0, counted=MAX_OF_TIME)  # what it may take of the room
    introduction = _introduction(disputed(hits), verbosity, unsure, counted, longest)
    several = bool({_project(hit.node) for hit in hits} - {"", project}) and (
        project is not None or len({_project(hit.node) for hit in hits} - {""}) > 1
    )
    stage("distillation")

    def distilled_of(told: Sequence[Hit]) -> Distilled:
        sources = [
            _source(hit, 1.0 if of_time or hit.node.id in first else hit.relevance, verbosity, above, several)
            for hit, above in zip(told, [None, *told], strict=False)
        ]
        return distil(
            question.text, sources, max_tokens=max_tokens - token_count(introduction) - 1, mode=mode,
            auto_above=max_tokens if policy.complete else AUTO_ABOVE,
        )  # fmt: skip

    distilled, used = _in_room(hits, distilled_of)
    against = disputed(used)
    shown = {hit.node.id for hit in used}
    if counted is not None and not shown.issuperset(node.id for node in counted.nodes):
        counted = None  # what it is counted from has no room
    distilled = _introduced(distilled, _introduction(against, verbosity, unsure, counted, _left_out(telling, shown)))
    more = [entry for entry in facts if adds_to(entry, shown)] if hits else []
    distilled, cited = _with_facts(distilled, more, max_tokens, verbosity)
    ended = time.perf_counter()
    layers = answer.layers_ms | {"L5_coherence": round(1000 * (ended - gated), 3)}
    tags = tuple(dict.fromkeys((*(tag_of(hit.node.id) for hit in used), *cited))) if verbosity else ()
    return Injected(
        distilled, used, answer, tags, not hits, round(1000 * (ended - started)), layers, against,
    )  # fmt: skip


def _in_room(
    hits: Sequence[Hit], distilled_of: Callable[[Sequence[Hit]], Distilled]
) -> tuple[Distilled, tuple[Hit, ...]]:
    """What is told of some hits, and which; told anew where one is "earlier than the line above" and there was no room
    for that line.
    """
    distilled = distilled_of(hits)
    tokens_before, tried = distilled.tokens_before, hits
    used = [hits[i] for i in distilled.used]
    while _below_successors(tried) & {hit.node.id for hit in used} - _below_successors(used):
        distilled = replace(distilled_of(used), tokens_before=tokens_before)
        tried, used = used, [used[i] for i in distilled.used]
    return distilled, tuple(used)


def _below_successors(hits: Sequence[Hit]) -> set[str]:
    """The ids of those that stand directly below what took the place of them."""
    return {hit.node.id for above, hit in pairwise(hits) if hit.replaced_by == above.node.id}


def _telling(memory: "Runtime", question: Question, caller: Caller, answer: Answer, policy: Policy) -> Telling:
    """What is told of the results: what is worth it, what has enough of the words, or all that has something of it."""
    if question.by_words and answer.reflex is None:
        return Telling(tuple(hit for hit in answer.hits if hit.alone >= MIN_SHARE), True)
    now = _now(memory, question)
    telling = worth(memory, question.text, caller, answer, now=now, most=question.top_k)
    if not policy.complete:
        return telling
    above = {hit.node.id for hit in telling.hits}
    relevant = tuple(hit for hit in answer.hits if hit.alone >= MIN_STATEMENT_RELEVANCE or hit.node.id in above)
    return Telling(relevant, telling.sure and bool(telling.hits), left_out=telling.left_out)


def _probabilities(
    memory: "Runtime", question: Question, answer: Answer, telling: Telling, policy: Policy
) -> Mapping[str, float]:
    """How likely each of the first results answers, where what is told is chosen by what it says; else empty."""
    if question.by_words or policy.complete or telling.left_out is not None or not is_of_notes(answer.hits):
        return {}
    if not answer.hits or not is_judged(answer.hits[0].node):
        return {}  # what is read about, and no note, answers best
    return answer_probabilities(question.text, answer, memory.embedder.tier)


def _found(memory: "Runtime", question: Question, caller: Caller) -> Answer:
    """The results of a search; of one for nothing but a time all that somebody stated, where anything is known."""
    now = _now(memory, question)
    if not question.by_words and asks_for_a_time(question.text, now):
        answer = recall(memory, of_whole_time(memory, question, caller, now), caller=caller)
        if answer.hits:
            return answer
    return recall(memory, question, caller=caller)


def _is_in_order(question: str) -> bool:
    """Whether what a question asks for as a whole has an order of its own: all of the user, or what was said last, or
    one after the other."""
    wanted = asked_for(question)
    return asks_for_latest(question) or parse(question).in_turn or (wanted is not None and wanted.user)


def _is_of_time(question: str, now: int) -> bool:
    """Whether a question is for what was, or is to be, at some time or in some order."""
    times = asked_time(cues.readable(question), now)
    return bool(times.spans or times.order or times.event or times.since_when)


def _is_of_area(question: str) -> bool:
    """Whether a question asks for all of an area of life, which has no order."""
    wanted = asked_for(question)
    return wanted is not None and bool(wanted.areas) and not wanted.topic and not wanted.acts


def _is_of_statements(question: str) -> bool:
    """Whether a question asks for what somebody instructed, decided or left open, which no passage of a file does."""
    wanted = asked_for(question)
    return wanted is not None and bool(wanted.acts)


def _is_of_dates(question: str) -> bool:
    """Whether a question asks for what has a date to come."""
    wanted = asked_for(question)
    return wanted is not None and "deadline" in wanted.acts


def listing(nodes: Sequence[Node], *, max_tokens: int, heading: str = "") -> Distilled:
    """Some memories as a context tells them where nothing is asked: whole ones, in this order, as many as fit."""
    sources = [_source(Hit(node, 0.0, 0.0, 0.0, 0.5, 0.5, 0, {}), 1.0, 1, None) for node in nodes]
    introduction = f"{INTRODUCTION}\n{heading}" if heading else INTRODUCTION
    distilled = distil("", sources, max_tokens=max_tokens - token_count(introduction) - 1, mode="raw")
    return _introduced(distilled, introduction)


def _current_above(hits: Sequence[Hit], answer: Answer) -> list[Hit]:
    """With what took the place of each directly before it, whether it was to be told or not."""
    by_id = {hit.node.id: hit for hit in answer.hits}
    order: dict[str, Hit] = {}
    for hit in hits:
        chain = [hit]
        while (later := by_id.get(chain[-1].replaced_by or "")) is not None:  # each is later than the one before
            chain.append(later)
        order |= {one.node.id: one for one in reversed(chain) if one.node.id not in order}
    return [*order.values()]


def _source(hit: Hit, weight: float, verbosity: int, above: Hit | None, project: bool = False) -> Source:
    node = hit.node
    tag = tag_of(node.id) if verbosity else ""
    text = utterance(node.content, node.speaker)
    if node.metadata.get("kind") == "code" and FENCE not in text:
        text = f"{FENCE}\n{text}\n{FENCE}"  # code without its line breaks is none
    return Source(tag, _head(hit, verbosity, above, project), text, weight)


def _introduction(
    against: Sequence[Disputed], verbosity: int, unsure: bool, counted: Elapsed | None, left_out: str
) -> str:
    """The line that says what the rest is and, where it may not answer, some of it disagrees, a time is counted from it
    or it is not all of a time, one that says so."""
    lines = (
        INTRODUCTION,
        UNSURE if unsure else "",
        alert(against, verbosity),
        counted.told(tags=verbosity > 0) if counted is not None else "",
        left_out,
    )
    return "\n".join(line for line in lines if line)


def _left_out(telling: Telling, shown: Set[str]) -> str:
    """What is said of those in a time that is asked for alone which are not among the ids shown."""
    if telling.left_out is None:
        return ""
    return left_out_line(
        telling.left_out + sum(hit.node.id not in shown for hit in telling.hits),
        counted=telling.left_out + len(telling.hits),
    )  # fmt: skip


def _now(memory: "Runtime", question: Question) -> int:
    """When it is asked, in microseconds."""
    return memory.present() if question.asked_at is None else question.asked_at


def _but_of(hits: Sequence[Hit], session: str | None) -> list[Hit]:
    """The hits that are not of a session."""
    return [hit for hit in hits if session is None or hit.node.session_id != session]


def alert(against: Sequence[Disputed], verbosity: int = 1) -> str:
    """One line that says which memories disagree; empty where none do."""
    if not against:
        return ""
    if not verbosity:
        return f"What is marked {DISPUTED} disagrees; which holds is not known."
    pairs = "; ".join(f"{tag_of(one.hit.node.id)} {tag_of(one.other.node.id)}" for one in against[:MAX_DISPUTES])
    return f"These {'two ' if len(against) == 1 else ''}disagree: {pairs}; which holds is not known."


def disputed(hits: Sequence[Hit]) -> tuple[Disputed, ...]:
    """The pairs of some results that disagree, each once, in the order of their ranks."""
    place = {hit.node.id: i for i, hit in enumerate(hits)}
    return tuple(
        Disputed(hit, hits[place[other]], kind, confidence, topic)
        for i, hit in enumerate(hits)
        for other, kind, confidence, topic in hit.disputes
        if place.get(other, -1) > i
    )


def _introduced(distilled: Distilled, introduction: str) -> Distilled:
    """With the lines that say what the rest is."""
    if not distilled.text:
        return distilled
    text, more = f"{introduction}\n{distilled.text}", token_count(introduction) + 1
    return replace(distilled, text=text, tokens=token_count(text), tokens_before=distilled.tokens_before + more)


def _with_facts(
    distilled: Distilled, facts: Sequence[Entry], max_tokens: int, verbosity: int
) -> tuple[Distilled, list[str]]:
    """The text and, in the room that it leaves, a line for each entry; with the tags of what these cite."""
    lines: list[str] = []
    cited: list[str] = []
    for entry in facts:
        line = f"> {spelled(entry, most_tags=1 if verbosity else 0)}"
        head = [] if lines else [FACTS]
        text = "\n".join([distilled.text or INTRODUCTION, *head, line])
        if (tokens := token_count(text)) <= max_tokens:
            distilled = replace(distilled, text=text, tokens=tokens)
            lines.append(line)
            cited += [tag_of(said.memories[-1]) for said in entry.values]
    return distilled, cited


def _is_of_exchange(memory: "Runtime", results: Sequence[Node]) -> bool:
    """Whether users say some of it to an assistant whose turns are stored, too."""
    answered = any((name or "").lower() in ASSISTANTS for name in memory.corpus.speakers.texts)
    return answered and any((node.speaker or "").lower() in USERS for node in results)


def _called_for(
    memory: "Runtime", question: Question, caller: Caller, answer: Answer, max_briefed: int = BUDGET
) -> tuple[list[Hit], tuple[Entry, ...]]:
    """What is pinned, named by the question, or not eaten where it is about food; and facts: of what holds everywhere
    and in the question's domain.

    A question about another time, or limited in any other way, gets what its search finds and no more; one for how
    something was, or for all of some time, of all this what is pinned.
    """
    plain = Question(
        question.text, question.top_k, question.session_id, question.agent_id, question.domain,
        asked_at=question.asked_at, by_words=question.by_words,
    )  # fmt: skip
    if question != plain:
        return [], ()
    scopes = () if question.domain is None else (f"domain:{question.domain}",)
    hits = {hit.node.id: hit for hit in answer.hits}
    relevance = {id: hit.alone for id, hit in hits.items()}
    briefing = brief(memory, question.text, scopes=scopes, caller=caller, relevance=relevance, budget=max_briefed)
    now = _now(memory, question)
    past = asks_how_it_was(question.text, now) or asks_for_a_time(question.text, now)
    diet = () if past else dietary_notes(memory, question.text, caller, answer)
    pinned = (*(node for node in briefing.prelude if node.metadata.get("pinned") is True), *briefing.pinned)
    nodes = {node.id: node for node in (*pinned, *(() if past else briefing.relevant), *diet)}.values()
    facts = () if past else briefing.facts
    return [hits.get(node.id) or Hit(node, 0.0, 0.0, 0.0, 0.5, 0.5, 0, {}) for node in nodes], facts


def _asked_for_whole(
    memory: "Runtime", question: Question, caller: Caller, answer: Answer
) -> tuple[list[Hit], bool, bool]:
    """What a question asks for as a whole, where nothing limits it, whether that is all of an answer, and whether it
    surely asks so; what was replaced has its mark.
    """
    plain = Question(
        question.text, question.top_k, question.session_id, question.agent_id, asked_at=question.asked_at,
        record=question.record, by_words=question.by_words,
    )  # fmt: skip
    of_dates = _is_of_dates(question.text)
    if question != plain or (not of_dates and asks_for_a_time(question.text, _now(memory, question))):
        return [], False, True
    results, wanted = beside_files(memory, caller, [hit.node for hit in answer.hits]), asked_for(question.text)
    of_one = is_of_notes(answer.hits) and of_one_person(results) and not _is_of_exchange(memory, results)
    of_one = of_one or (wanted is not None and wanted.user and of_one_user(results))
    nodes, complete, sure = profile(memory, question.text, caller, of_one=of_one)
    spans = asked_time(cues.readable(question.text), _now(memory, question)).spans
    if spans and not of_dates:
        nodes = tuple(node for node in nodes if any(span.start <= node.occurred_at < span.end for span in spans))
        complete = complete and bool(nodes)
    by_id = {hit.node.id: hit for hit in answer.hits}
    hits = [by_id.get(node.id) or Hit(node, 0.0, 0.0, 0.0, 0.5, 0.5, 0, {}) for node in nodes]
    if wanted is not None and "open" in wanted.acts:
        hits = [_still_open(hit, by_id.get(hit.replaced_by or "")) for hit in hits]
    return hits, complete, sure


def _still_open(hit: Hit, later: Hit | None) -> Hit:
    """What is told as open, without the mark of what took its place where that has nothing in common with its work."""
    if later is None or not is_of_other_work(hit.node.content, later.node.content):
        return hit
    return replace(hit, replaced_by=None, until=None, partly=False)


def _head(hit: Hit, verbosity: int, above: Hit | None, project: bool) -> str:
    """When it was, where it comes from, whether it is to be trusted, and who said it."""
    node = hit.node
    came = node.metadata.get("source")
    source = address_of(node) or (came if isinstance(came, str) else node.agent_id)
    of_project = f"in {_project(node)[:60]}" if project and _project(node) else ""
    validity = ""
    if hit.until is not None:
        day = date_words(hit.until)
        end = "later that day" if day == date_words(node.occurred_at) else day
        validity = f"{'in part ' if hit.partly else ''}until {end}"
    elif hit.replaced_by is not None and tells_former_state(node.content):
        validity = FORMER
    elif hit.replaced_by is not None:
        another = tag_of(hit.replaced_by).strip("[]") if verbosity else "another"
        validity = EARLIER if above is not None and hit.replaced_by == above.node.id else f"earlier than {another}"
    notes = [
        date_words(node.occurred_at), validity, DISPUTED if hit.disputes else "",
        _corrected(node), f"from {source[-MAX_ADDRESS:]}" if source else "", of_project,
        "low trust" if node.taint else "",
    ]  # fmt: skip
    parts = [f"({', '.join(note for note in notes if note)})"]
    if verbosity == 2:
        parts.append(f"{node.name!r}, relevance {hit.relevance:.2f}:")
    if node.speaker:
        parts.append(f"{node.speaker}:")
    return " ".join(parts)


def _project(node: Node) -> str:
    project = node.metadata.get("project")
    return project if isinstance(project, str) else ""


def _corrected(node: Node) -> str:
    """The last correction in the margin of a memory, which is read before the memory itself."""
    corrections = [note.text for note in annotations_of(node) if note.type == "correction"]
    if not corrections:
        return ""
    text = corrections[-1]
    return f"corrected: {inline(text[:CORRECTION])}{'…' if len(text) > CORRECTION else ''}"


def considered(max_tokens: int, priority: Priority = "normal") -> int:
    """How many memories to look at for a budget."""
    return POLICIES[priority].considered(max_tokens)
