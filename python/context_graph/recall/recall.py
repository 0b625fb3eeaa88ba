"""Answering one question: from its words to ranked memories."""

import sys
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, overload

import numpy as np

from context_graph import arguments
from context_graph.citations import tag_of
from context_graph.derived import Aliases, Goals, Projects
from context_graph.derived.aliases import widened
from context_graph.display import Plain, Row, Table, line
from context_graph.embed import QueryVectors, lexical
from context_graph.embed.languages import language_of
from context_graph.errors import InvalidInput
from context_graph.index.corpus import Corpus
from context_graph.instants import from_datetime, to_datetime
from context_graph.models import Caller, Domain, Node, Scope
from context_graph.nervous.pulse import result_entropy
from context_graph.progress import stage
from context_graph.reading import cues
from context_graph.reading.asked_time import asked_time
from context_graph.reading.contradiction import Kind
from context_graph.recall.conflicts import Conflict, conflicts, together
from context_graph.recall.current import Judged, Replacement, asks_for_the_past, current_first, replacements
from context_graph.recall.normalization import asked, plain_words, signature
from context_graph.recall.reranking import RERANKED, reranked
from context_graph.recall.sources import MemorySources, texts_of
from context_graph.retrieval.config import RankingConfig
from context_graph.retrieval.entity_linking import Named
from context_graph.retrieval.first_person import in_voice
from context_graph.retrieval.pipeline import dominant_space, search
from context_graph.retrieval.relevance import answered, in_order, probability, signals
from context_graph.retrieval.rules import named_speakers
from context_graph.retrieval.time_fit import TimeFit, time_fit
from context_graph.retrieval.types import Found, Query
from context_graph.runtime import AnswerCache
from context_graph.runtime.answer_cache import MIN_QUERY_COSINE, CachedAnswer
from context_graph.runtime.session import SessionState
from context_graph.safety.pii import scrub
from context_graph.settings import SECRET_KINDS
from context_graph.visibility import SCOPES

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Answer", "Dispute", "Hit", "Question", "query_for", "question_vectors", "recall", "retrieve", "signals_of"]

MINUTE_US = 60_000_000

NEAREST = 8
"""Memories like a later one, among which what it took the place of is looked for."""
MAX_QUERY_CHARS = 16_384  # characters of a question that are read
SHOWN = 3  # hits in the repr of an answer


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, by whom, and which memories may answer.

    Attributes
    ----------
    as_of : int, optional
        Microseconds: answer from what was valid then.
    asked_at : int, optional
        Microseconds: what "yesterday" is read against, the present by default. It hides nothing.
    min_similarity : float
        Least calibrated relevance, in [0, 1].
    agent_ids, exclude_agent_ids : sequence of str
        Perspective lock: only, or never, memories of these agents.
    newest_first : bool
        Put what holds now before what it takes the place of, and say until when that held (see `current`).
    record : bool
        Count the access; off for diagnostics.
    project : str, optional
        Only memories of this project: its name, the address of its repository, or a folder that was read.
    """

    text: str
    top_k: int = 10
    session_id: str | None = None
    agent_id: str | None = None
    domain: str | None = None
    scope: str | None = None
    as_of: int | None = None
    min_similarity: float = 0.0
    min_importance: float | None = None
    johari_quadrants: Sequence[str] = ()
    created_after: int | None = None
    modality: str | None = None
    agent_ids: Sequence[str] = ()
    exclude_agent_ids: Sequence[str] = ()
    newest_first: bool = True
    record: bool = True
    asked_at: int | None = None
    project: str | None = None

    @classmethod
    def of(cls, question: "str | Question", *, default_top_k: int = 10, **fields: Any) -> Self:
        """The question itself, or one of a text and the fields that are not None; instants are datetimes here.

        Parameters
        ----------
        default_top_k : int
            Most results where no field `top_k` says how many.
        """
        fields = arguments.given(fields)
        if isinstance(question, cls):
            if fields:
                raise InvalidInput(f"a Question has its own {next(iter(fields))}; set it there", field="question")
            return question
        words = arguments.text(question, "question", advice="ask in a few words, or give a Question")
        for name in INSTANTS & fields.keys():
            fields[name] = from_datetime(fields[name], field=name)
        for name in TEXTS & fields.keys():
            arguments.text(fields[name], name)
        if "domain" in fields:
            arguments.one_of(fields["domain"], "domain", Domain)
        if "min_similarity" in fields:
            fields["min_similarity"] = arguments.share(fields["min_similarity"], "min_similarity")
        if "agent_ids" in fields:
            fields["agent_ids"] = arguments.names(fields["agent_ids"], "agent_ids")
        return cls(words, **{"top_k": default_top_k} | fields)


INSTANTS = {"as_of", "asked_at", "created_after"}
TEXTS = {"session_id", "agent_id", "domain", "scope", "modality", "project"}

_FRAME = attrgetter(*({each.name for each in fields(Question)} - {"text", "session_id", "agent_id", "record"}))
"""What else of a question decides its answer: all but who asks, and whether that is counted."""


class Dispute(NamedTuple):
    """That two results disagree, told of one of them.

    Attributes
    ----------
    other : str
        The id of the other.
    kind, confidence, topic
        See `conflicts.Conflict`.
    """

    other: str
    kind: Kind
    confidence: float
    topic: str


@dataclass(frozen=True, slots=True)
class Hit(Row):
    """One result; `content`, `id` and `tag` are those of its node.

    Attributes
    ----------
    relevance : float
        Calibrated probability in [0, 1]; it never rises from one rank to the next.
    alone : float
        The same judged without its rank, by the memory alone.
    score : float
        The fused sum that decides the rank.
    alignment, theta : float
        With the user's goals; 0.5 without goals.
    dominant : int
        The space that contributed most, 0-12.
    parts : dict
        Contribution of each score to the fused sum.
    replaced_by : str, optional
        The id of a later result that seems to take its place.
    until : int, optional
        When that was said, in microseconds: until then this held. None where only the question makes it likely.
    partly : bool
        It says more than the later one changes.
    replaced_likely : float
        How likely it takes its place, in [0, 1]; 0 where nothing does.
    disputes : tuple of Dispute
        The results that disagree with this one, where it is not known which of them holds.
    """

    node: Node
    relevance: float
    alone: float
    score: float
    alignment: float
    theta: float
    dominant: int
    parts: dict[str, float]
    replaced_by: str | None = None
    until: int | None = None
    partly: bool = False
    replaced_likely: float = 0.0
    disputes: tuple[Dispute, ...] = ()

    INSTANTS = ("until",)

    @property
    def content(self) -> str:
        return self.node.content

    @property
    def id(self) -> str:
        return self.node.id

    @property
    def tag(self) -> str:
        """The citation tag of the memory, such as [node_0193a4b2c1]."""
        return tag_of(self.node.id)

    @property
    def until_time(self) -> datetime | None:
        """`until` as a datetime in UTC."""
        return None if self.until is None else to_datetime(self.until)

    def row(self) -> dict[str, Any]:
        return {"relevance": self.relevance, **self.node.row(), "replaced_by": self.replaced_by}

    def __repr__(self) -> str:
        return f"Hit({self.relevance:.2f}, {line(self.content)!r}, tag={self.tag!r})"


@dataclass(frozen=True, slots=True)
class Answer(Plain, Table):
    """Ranked results and how they were found; a sequence of its hits."""

    hits: tuple[Hit, ...]
    entropy: float
    answered: float
    """Probability that anything in this memory is about the question."""

    stages: tuple[dict[str, Any], ...]
    layers_ms: dict[str, float] = field(default_factory=dict)
    reflex: Literal["exact", "near"] | None = None
    """Whether it was answered from the reflex cache, and how."""

    def __len__(self) -> int:
        return len(self.hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self.hits[place]

    def rows(self) -> Sequence[Hit]:
        return self.hits

    def __repr__(self) -> str:
        first = ", ".join(map(repr, self.hits[:SHOWN]))
        more = f", and {len(self) - SHOWN} more" if len(self) > SHOWN else ""
        return f"Answer({self.answered:.2f}, [{first}{more}])"


def recall(memory: "Runtime", question: Question, *, caller: Caller | None = None) -> Answer:
    """Answer one question: read it, answer it as just before if nothing changed, else search; remember the asking."""
    started = time.perf_counter()
    if not question.text.strip():
        raise InvalidInput("Query string is empty; ask in a few words what you are looking for", field="query")
    if question.scope is not None and question.scope not in SCOPES:
        raise InvalidInput(f"scope must be one of {', '.join(SCOPES)}, got {question.scope[:40]!r}", field="scope")
    text = asked(scrub(question.text[:MAX_QUERY_CHARS], kinds=memory.settings.redacted & SECRET_KINDS).text)
    if question.agent_ids or question.exclude_agent_ids:
        wanted, unwanted = (map(memory.written_name, ids) for ids in (question.agent_ids, question.exclude_agent_ids))
        question = replace(question, agent_ids=tuple(wanted), exclude_agent_ids=tuple(unwanted))
    caller = (caller or memory.caller).within(question.session_id, question.agent_id)
    state = memory.session(caller.session_id)
    corpus = memory.corpus
    now = memory.present()
    read = time.perf_counter()
    cached = memory.settings.reflex and question.record
    frame = _frame(memory, corpus, state, caller, question) if cached else ()
    answers = memory.view(AnswerCache)
    version = answers.version
    answer = answers.exact((frame, plain_words(text)), now) if cached else None
    if answer is not None:
        return _again(memory, state, caller, answer, "exact", sensing=read - started, since=read)
    looked = time.perf_counter()
    stage("reading the question")
    vectors = question_vectors(memory, corpus, text)
    sensed = time.perf_counter()
    least = MIN_QUERY_COSINE[corpus.embedder.tier]
    alike = (frame, signature(text), *named_speakers(corpus, text)) if cached and least is not None else ()
    if alike and least is not None:
        answer = answers.near(alike, vectors.semantic, least, now)
        if answer is not None:
            return _again(memory, state, caller, answer, "near", sensing=sensed - started, since=sensed)
    felt = time.perf_counter()
    fresh, stages = _fresh(memory, corpus, state, caller, question, vectors, now)
    searched = time.perf_counter()
    if cached:
        answers.keep((frame, plain_words(text)), alike, fresh, version)
    if question.record:
        _feel(memory, state, caller, fresh)
    learned = time.perf_counter()
    layers = {
        "L1_sensing": read - started + sensed - looked, "L2_reflex": looked - read + felt - sensed,
        "L3_memory": searched - felt, "L4_learning": learned - searched,
    }  # fmt: skip
    return Answer(fresh.hits, fresh.entropy, fresh.answered, stages, _ms(layers))


def _frame(memory: "Runtime", corpus: Corpus, state: SessionState, caller: Caller, question: Question) -> Hashable:
    """All that an answer depends on besides the words, in a process where settings never change."""
    told = (tuple(value) if isinstance(value, list) else value for value in _FRAME(question))
    uses_modulators = memory.ranking[corpus.embedder.tier].uses_modulators
    mood = (state.modulators.dopamine, state.modulators.serotonin) if uses_modulators else ()
    return (state.session_id, caller.context_id, *mood, *told)


def _again(
    memory: "Runtime",
    state: SessionState,
    caller: Caller,
    answer: CachedAnswer[Hit],
    how: Literal["exact", "near"],
    *,
    sensing: float,
    since: float,
) -> Answer:
    """An answer from the cache; asking is felt as if it had been searched for."""
    answered = time.perf_counter()
    _feel(memory, state, caller, answer)
    learned = time.perf_counter()
    layers = {"L1_sensing": sensing, "L2_reflex": answered - since, "L4_learning": learned - answered}
    stage: dict[str, Any] = {
        "stage": "reflex",
        "hit": how,
        "in": len(memory.view(AnswerCache)),
        "out": len(answer.hits),
    }
    stage["ms"] = round(1000 * (answered - since), 3)
    return Answer(answer.hits, answer.entropy, answer.answered, (stage,), _ms(layers), how)


def _ms(layers: dict[str, float]) -> dict[str, float]:
    return {name: round(1000 * seconds, 3) for name, seconds in layers.items()}


def _fresh(
    memory: "Runtime",
    corpus: Corpus,
    state: SessionState,
    caller: Caller,
    question: Question,
    vectors: QueryVectors,
    now: int,
) -> tuple[CachedAnswer[Hit], tuple[dict[str, Any], ...]]:
    """Search, and judge what was found."""
    wanted = max(question.top_k, RERANKED) if memory.reranker is not None else question.top_k
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=now, as_of=question.as_of)
        mask = _mask(memory, corpus, question, visible)
        until = corpus.unchanged_until(now) if question.as_of is None else sys.maxsize
        asked_at = now if question.asked_at is None else question.asked_at
        query = query_for(
            memory, corpus, vectors, mask, wanted, visible=visible, now=asked_at,
            dopamine=state.modulators.dopamine, serotonin=state.modulators.serotonin,
        )  # fmt: skip
        if query.times is not None and question.asked_at is None:
            until = min(until, now - now % MINUTE_US + MINUTE_US)  # what "later today" means moves with the clock
        pool = retrieve(memory, corpus, query)
        found_ids = {int(row): corpus.ids[row] for row in pool.rows} if memory.reranker else {}
    if memory.reranker is not None:  # nobody waits for the indexes meanwhile
        contents = {node.id: node.content for node in memory.store.nodes(found_ids.values())}
        texts = {row: contents[id] for row, id in found_ids.items() if id in contents}
        reranked(memory.reranker, vectors.original, pool, texts, question.top_k)
    with corpus.lock:
        judged = signals(pool, *_coverage(corpus, query, pool.rows), scale=corpus.embedder.scale)
        alone = probability(judged, corpus.embedder.tier)
        about = answered(judged, corpus.embedder.tier)
        agreement = _agreement(corpus, pool.rows)
        theta = memory.view(Goals).theta(corpus, pool.rows)
    nodes = {node.id: node for node in memory.store.nodes(corpus.ids[row] for row in pool.rows)}
    places = [i for i, row in enumerate(pool.rows) if corpus.ids[row] in nodes]
    result_nodes = [nodes[corpus.ids[pool.rows[i]]] for i in places]
    lasting = None if query.times is None else query.times.may_hold(pool.rows[places])

    def near(place: int) -> list[Node]:
        """What a result is like."""
        with corpus.lock:
            row = corpus.row_of.get(result_nodes[place].id)
            if row is None:
                return []  # deleted for good since it was found
            may = np.zeros(len(corpus), bool)
            may[: len(mask)] = mask[: len(corpus)]  # what was stored since is no part of this answer
            found = corpus.semantic.search(corpus.semantic.rows(np.array([row])), NEAREST, mask=may)[1][0]
            ids = [corpus.ids[row] for row in found if row >= 0]
        return memory.store.nodes(ids)

    replaced, against, order = _current(
        question,
        cues.readable(vectors.original),
        result_nodes,
        Judged(
            [float(alone[i]) for i in places],
            about,
            corpus.embedder.tier,
            timed=lasting is not None,
            searched=int(np.count_nonzero(mask)),
        ),
        lasting,
        near,
    )
    likely, total = alone[places], pool.total[places]
    joined = [(one.second, one.first) for one in against]
    for newer, place in (*((by.by, place) for place, by in replaced.items()), *joined):
        # what takes the place of another, or denies it, is as good an answer
        likely[newer], total[newer] = max(likely[newer], likely[place]), max(total[newer], total[place])
    disputes = _disputes(against, result_nodes)
    relevance = in_order(likely[order])
    columns = {name: part.tolist() for name, part in pool.parts.items()}
    hits = []
    for rank, place in enumerate(order):
        if relevance[rank] < question.min_similarity:
            break
        i, by = places[place], replaced.get(place)
        parts = {name: values[i] for name, values in columns.items()}
        hits.append(
            Hit(
                result_nodes[place],
                float(relevance[rank]),
                float(likely[place]),
                float(total[place]),
                float(pool.raw["alignment"][i]) if "alignment" in pool.raw else 0.5,
                float(theta[i]),
                dominant_space(parts),
                {name: round(part, 4) for name, part in parts.items()},
                None if by is None else result_nodes[by.by].id,
                result_nodes[by.by].occurred_at if by is not None and by.sure else None,
                by is not None and by.sure and by.partly,
                by.likely if by is not None else 0.0,
                tuple(disputes.get(place, ())),
            )
        )
    entropy = result_entropy(sorted((hit.alone for hit in hits), reverse=True))
    since = now if question.as_of is None else 0
    return CachedAnswer(tuple(hits), entropy, about, agreement, vectors.semantic, since, until), tuple(pool.trace)


def _current(
    question: Question,
    text: str,
    nodes: Sequence[Node],
    judged: Judged,
    lasting: np.ndarray | None,
    near: Callable[[int], Sequence[Node]],
) -> tuple[dict[int, Replacement], list[Conflict], list[int]]:
    """What is replaced, what disagrees, and the order to tell it in; a question for the past is told in the order of
    its ranks.

    Parameters
    ----------
    lasting : bool (m,), optional
        Which may take the place of another, where the question asks for a time: what was then stays so.
    """
    newest = question.newest_first and question.as_of is None and (lasting is None or bool(lasting.any()))
    replaced = replacements(text, nodes, judged, near) if newest else {}
    if lasting is not None:
        replaced = {place: by for place, by in replaced.items() if lasting[by.by]}
    against = conflicts(text, nodes, replaced, by_time=newest) if question.newest_first else []
    past = asks_for_the_past(text)
    order = [*range(len(nodes))] if past else together(current_first(len(nodes), replaced), against)
    return replaced, against, order


def _disputes(against: Sequence[Conflict], nodes: Sequence[Node]) -> dict[int, list[Dispute]]:
    """By place, with which others it disagrees."""
    found: dict[int, list[Dispute]] = {}
    for one in against:
        for place, other in ((one.first, one.second), (one.second, one.first)):
            found.setdefault(place, []).append(Dispute(nodes[other].id, one.kind, one.confidence, one.topic))
    return found


def question_vectors(memory: "Runtime", corpus: Corpus, text: str) -> QueryVectors:
    """A question in the spaces that it is asked in, and in the voice of a speaker of this memory whom it names."""
    speaker, said = in_voice(corpus, text) if memory.ranking[corpus.embedder.tier].voice else ("", "")
    return corpus.embedder.query(text, speaker=speaker, first_person=said)


def query_for(
    memory: "Runtime",
    corpus: Corpus,
    vectors: QueryVectors,
    mask: np.ndarray,
    top_k: int,
    *,
    method: Literal["zscore", "rrf"] = "zscore",
    dopamine: float = 3.0,
    serotonin: float = 0.5,
    visible: np.ndarray | None = None,
    config: RankingConfig | None = None,
    now: int | None = None,
) -> Query:
    """What the pipeline is asked.

    Parameters
    ----------
    now : int, optional
        Microseconds: when it is asked, which is what "yesterday" is read against; by default the present.
    visible : bool (n,), optional
        What who asks may see, whether or not it may answer: of it aliases are taken. By default what may answer.
    config : RankingConfig, optional
        By default that of this memory for the tier that answers.
    """
    called = memory.view(Aliases).named(corpus, vectors.text, mask if visible is None else visible)
    vectors = widened(vectors, called)
    times = _times(memory, corpus, cues.readable(vectors.original), memory.present() if now is None else now, mask)
    if times is not None and times.restricts:
        vectors = _without(vectors, times.asked.said)
    tier, goals = corpus.embedder.tier, memory.view(Goals).vectors()
    return Query(
        vectors, mask, top_k, tier, config or memory.ranking[tier], method, dopamine, serotonin,
        named=Named.of(corpus, vectors.text, [(thing.row, thing.said) for thing in called if thing.own]),
        goals=goals if len(goals) else None,
        times=times,
    )  # fmt: skip


def _times(memory: "Runtime", corpus: Corpus, text: str, now: int, mask: np.ndarray) -> TimeFit | None:
    return time_fit(corpus, asked_time(text, now), text, now, mask, lambda rows: texts_of(memory, corpus, rows))


def _without(vectors: QueryVectors, said: Collection[str]) -> QueryVectors:
    """A question without its words of time: they are no words of what happened then."""
    language = language_of(vectors.original)
    gone = {term for word in said for term in (*lexical.every_reading(word, language), *lexical.cues(word))}

    def left(counts: Mapping[int, Any]) -> dict[int, Any]:
        return {term: count for term, count in counts.items() if term not in gone}

    readings = tuple(left(reading) for reading in vectors.readings)
    return replace(vectors, terms=left(vectors.terms), cues=left(vectors.cues), readings=readings)


def retrieve(memory: "Runtime", corpus: Corpus, query: Query) -> Found:
    """Run the pipeline with all that this memory knows beside its index."""
    return search(corpus, query, MemorySources(memory, corpus, query))


def signals_of(
    memory: "Runtime", vectors: QueryVectors, top_k: int, among: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the best results and the signals their relevance is judged by: for fitting the calibration.

    Parameters
    ----------
    among : int64, optional
        The rows to answer from; all by default.
    """
    corpus = memory.corpus
    mask = corpus.columns.live.copy()
    if among is not None:
        mask[:] = False
        mask[among] = True
    query = query_for(memory, corpus, vectors, mask, top_k)
    found = retrieve(memory, corpus, query)
    return found.rows, signals(found, *_coverage(corpus, query, found.rows), scale=corpus.embedder.scale)


def _mask(memory: "Runtime", corpus: Corpus, question: Question, visible: np.ndarray) -> np.ndarray:
    """Which of the visible memories may answer: perspective and filters, in one pass over the columns."""
    mask, columns = visible.copy(), corpus.columns
    if question.scope is not None:
        mask &= columns.scope == SCOPES[Scope(question.scope)]
    if question.domain is not None:
        mask &= columns.domain == corpus.domains.known(question.domain)
    if question.modality is not None:
        mask &= columns.modality == corpus.modalities.known(question.modality)
    if question.min_importance is not None:
        mask &= columns.importance >= question.min_importance
    if question.created_after is not None:
        mask &= columns.created_at > question.created_after
    if question.johari_quadrants:
        mask &= np.isin(columns.johari, [corpus.joharis.known(name) for name in question.johari_quadrants])
    if question.agent_ids:
        mask &= np.isin(columns.agent, [corpus.agents.known(name) for name in question.agent_ids])
    if question.exclude_agent_ids:
        mask &= ~np.isin(columns.agent, [corpus.agents.known(name) for name in question.exclude_agent_ids])
    if question.project is not None:
        mask &= memory.view(Projects).mask(corpus, question.project)
    return mask


def _coverage(corpus: Corpus, query: Query, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rarity-weighted share of the question that each memory holds, in the reading that suits it best, the share that
    is its time alone, and the share that it and the ones above it hold together: float32 (k,) each.

    A time counts as a word that the memories within it hold.
    """
    times, shares, together = query.times, [], []
    fit = np.zeros(len(rows), np.float32) if times is None else np.clip(times.fit[rows], 0.0, 1.0)
    worth = 0.0 if times is None else times.rarity
    timed = np.zeros(len(rows), np.float32)
    language = language_of(query.vectors.original)
    light = set() if times is None else set().union(*(lexical.every_reading(word, language) for word in times.light))
    for reading in (query.vectors.terms, *query.vectors.readings):
        terms = sorted(reading.keys() - light or reading)
        rarity = np.log1p(corpus.documents / (corpus.terms.df(terms) + 0.5)).astype(np.float32)
        held = corpus.terms.table(terms, rows) > 0
        whole = max(float(rarity.sum()) + worth, 1e-9)
        shares.append((held @ rarity + worth * fit) / whole)
        all_held, all_fit = np.logical_or.accumulate(held), np.maximum.accumulate(fit)
        together.append((all_held @ rarity + worth * all_fit) / whole)
        timed = np.maximum(timed, np.float32(worth / whole) * fit)
    return np.maximum.reduce(shares), timed, np.maximum.reduce(together)


def _agreement(corpus: Corpus, rows: np.ndarray) -> float | None:
    """Mean pairwise cosine of the results."""
    if len(rows) < 2:
        return None
    vectors = corpus.semantic.rows(rows[:10])
    k = len(vectors)
    return float(((vectors @ vectors.T).sum() - (vectors * vectors).sum()) / (k * (k - 1)))


def _feel(memory: "Runtime", state: SessionState, caller: Caller, answer: CachedAnswer[Hit]) -> None:
    """What asking does to the session; written later, with the effects of other reads."""
    moment = memory.clock()
    state.interacted(moment)
    state.pulse = state.pulse.searched(answer.entropy, answer.agreement)
    state.modulators = state.modulators.searched(state.pulse.entropy, state.pulse.coherence, empty=not answer.hits)
    state.follow(answer.semantic)
    top = [hit.node.id for hit in answer.hits[:10]]
    state.attend(top[:3])
    memory.interacted()
    pairs = [(a, b) for i, a in enumerate(top[:3]) for b in top[i + 1 : 3]]
    memory.store.effects.add(memory.author(caller), nodes=top, pairs=pairs, state=state.to_dict(), at=moment)
