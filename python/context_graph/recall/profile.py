"""Questions for all of a kind: what is known of somebody, standing instructions, decisions, what is open or latest."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.derived.aliases import Aliases
from context_graph.embed import expansion
from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stem_of, stems, term_id, words
from context_graph.index.batch import DOES
from context_graph.index.corpus import Corpus
from context_graph.models import Caller, Node
from context_graph.reading import cues, supersession
from context_graph.reading.acts import acts_of, asked_for, named_in, same_errand, tells_task
from context_graph.reading.alternatives import Offer, chosen, offer
from context_graph.reading.asked_time import asked_time
from context_graph.reading.definitions import defines, name_asked_for
from context_graph.reading.errands import tells_done
from context_graph.reading.introductions import asks_own_age, asks_own_name, own_age, own_name
from context_graph.reading.open_items import closes, reopens
from context_graph.reading.recency import asks_for_latest
from context_graph.reading.roles import role_asked
from context_graph.reading.speech_questions import speech_asked
from context_graph.reading.utterance import ASSISTANTS, USERS, utterance
from context_graph.recall.about_user import about_user
from context_graph.recall.apart import SURE
from context_graph.recall.areas import of_areas
from context_graph.recall.current.comparable import comparable
from context_graph.recall.deadlines import asks_for_duties, asks_for_handing_in, deadlines, duties, of_topic
from context_graph.recall.file_passages import but_of_files
from context_graph.recall.holding import holding_all, holding_any
from context_graph.recall.roles import holders_of_role
from context_graph.recall.speech import said_by
from context_graph.recall.troubles import asks_for_all_troubles, troubles
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MAX_PROFILE_MEMORIES", "Profile", "profile"]

MAX_PROFILE_MEMORIES = 40
"""Memories that such a question is answered with."""

MAX_UNSURE = 12
"""Memories of a kind that are told where the question may ask for one thing."""

MIN_TROUBLES = 2
"""Memories of what is out of order from which on they are all of an answer; a single one is told first."""

MAX_LATEST = 8
"""Memories that are told of a question for what was said last."""

WITHOUT_TOPIC = 12
"""Memories of the form asked for up to which they are told though none has a word of the topic: "what did we decide as
a family?"."""

MAX_OF_ACT = 24
"""Of the last statements of the form asked for, those that are told though none has a word of the topic."""

MAX_HOLDERS = 4
"""Names of those who have a role that are asked for too."""

_STATUS = regex(
    r"(?:[-–:,;(|\]] ?|\. |\bstill |\bis |\bare )(?:open|in progress|pending|to do|todo|unassigned)"
    r"(?=\W*$|[,;.)\n]| ?\()",
    re.I | re.M,
)
"""The status of a ticket or a task that is not done."""

_STATUS_TERMS = [term_id(stem) for stem in stems("open progress pending unassigned")]

_LABEL = regex(r"^\W*(?:(?:my|our|the)\s+)?(?P<role>[\w-]+(?: [\w-]+)?)\s*(?::|\bis\b|\bare\b)\s*", re.I)
_NAME = regex(r"\b[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+)*")

EARLIEST, LATEST, MAX_INTRODUCTIONS = 200, 1_000, 2
"""Memories that are looked at for one in which the user says how they are called, and such that are told."""

SETTLING = 8
"""Memories that are looked at for one that settles what is open: those that share its rarest words."""

SAID_AGAIN = 0.6
"""Share of its words that one that settles it has at least."""

OPENNESS = frozenset(
    stem_of(word)
    for word in "open question issue point unclear undecided unresolved unanswered sure unsure still yet wait waiting"
    " missing decide decided clarify confirm confirmed find figure know answer answered todo need whether".split()
)
"""Stems that say that a thing is open: what settles it has others in their place."""


class Profile(NamedTuple):
    """What a question asks for as a whole.

    Attributes
    ----------
    nodes : tuple of Node
        The latest first; none where it asks for one thing.
    complete : bool
        They are all of an answer: what is merely like the question is about something else.
    sure : bool
        The question surely asks for all of a kind; else it may ask for one thing, which then comes first.
    """

    nodes: tuple[Node, ...] = ()
    complete: bool = False
    sure: bool = True


def profile(memory: "Runtime", question: str, caller: Caller, *, of_one: bool = True) -> Profile:
    """What a question asks for as a whole.

    All that name its topic, all statements of the form that it asks for, or both.

    Parameters
    ----------
    of_one : bool
        It is the memory of one person. In a conversation every second turn asks, likes or decides: there a question has
        to say in words that it asks so, and statements of a form are told where they are few, or on the topic.
    """
    for asks, own in ((asks_own_name, own_name), (asks_own_age, own_age)):
        if asks(question):
            return Profile(_introduced(memory, caller, own))
    if asks_for_latest(question):
        return Profile(_latest(memory, caller), True)
    if of_one and asks_for_all_troubles(question):
        broken = _broken(memory, question, caller)
        if broken:
            return Profile(broken, len(broken) >= MIN_TROUBLES)
    if of_one and (role := role_asked(question)) is not None and (holders := holders_of_role(memory, caller, role)):
        return Profile(tuple(holders[:MAX_PROFILE_MEMORIES]))
    if (speech := speech_asked(question)) is not None and (statements := said_by(memory, caller, speech)):
        spoken = any(speech.who.lower() in (node.speaker or "").lower().split() for node in statements)
        return Profile(tuple(statements), spoken and not speech.about)
    wanted = asked_for(question)
    if wanted is None or not (of_one or wanted.worded):
        return Profile()
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        stated = but_of_files(corpus, visible)
        if wanted.user:
            known, left_open = about_user(memory, corpus, stated) if of_one else ([], frozenset())
            told = [node for node in known if node.id not in left_open or not _settled(memory, corpus, stated, node)]
            return Profile(tuple(told[:MAX_PROFILE_MEMORIES]), bool(told))
        topic_rows = holding_all(corpus, wanted.topic)
        if wanted.task:
            topic_rows = holding_any(corpus, same_errand(wanted.topic))
        names = _called(memory, corpus, question, wanted.topic, visible)
        for name in names:
            topic_rows = np.union1d(topic_rows, holding_all(corpus, stems(name)))
        if not visible[topic_rows].any():
            topic_rows = _near_all(corpus, question, wanted.topic)
        labelled = [corpus.ids[row] for row in topic_rows if visible[row]] if not wanted.acts else []
        for name in _holders(memory.store.nodes(labelled[:MAX_PROFILE_MEMORIES]), wanted.topic):
            topic_rows = np.union1d(topic_rows, holding_all(corpus, stems(name)))
        on_topic = topic_rows[visible[topic_rows]]
        rows, complete = on_topic, wanted.named or bool(names)
        if wanted.areas and not len(on_topic):
            if not of_one:
                return Profile()
            rows = of_areas(memory, corpus, wanted.areas, stated, question)
            complete = wanted.sure and bool(len(rows)) and not wanted.topic
        if "deadline" in wanted.acts:
            if not of_one:
                return Profile()
            within = asked_time(cues.readable(question), memory.present()).spans
            coming = of_topic(deadlines(memory, corpus, visible, within), wanted.topic)
            if asks_for_handing_in(question):
                coming = duties(coming) or coming
            most = MAX_PROFILE_MEMORIES if wanted.sure else MAX_UNSURE
            return Profile(tuple(coming[:most]), wanted.sure and bool(coming), wanted.sure)
        if wanted.acts:
            named = [stem_of(name.lower()) for name in named_in(question)] if "instruction" in wanted.acts else []
            acts = wanted.acts | {"preference"} if named else wanted.acts  # "for Dominic" they are one
            acting = np.flatnonzero(stated)
            acting = acting[corpus.has(sum(DOES[act] for act in acts), acting) > 0]
            rows = acting[np.isin(acting, np.union1d(topic_rows, holding_all(corpus, named)))]
            complete = wanted.sure and not wanted.task and (bool(len(rows)) or not wanted.topic)
            if not len(rows) and not wanted.task and (of_one or len(acting) <= WITHOUT_TOPIC):
                on_topic = on_topic[stated[on_topic]]
                on_topic = np.union1d(on_topic, acting[np.isin(acting, holding_any(corpus, wanted.topic))])
                rows = np.union1d(acting[-MAX_OF_ACT:], on_topic)
        if "open" in wanted.acts:
            rows = np.union1d(rows, _with_status(memory, corpus, stated))
        ids = [corpus.ids[row] for row in rows]
        due = []
        if "open" in wanted.acts and of_one and asks_for_duties(question):
            due = duties(deadlines(memory, corpus, stated))
            due = of_topic(due, wanted.topic)
            ids = [*dict.fromkeys([*ids, *(node.id for node in due)])]
        first = {corpus.ids[row] for row in on_topic}
    nodes = memory.store.nodes(ids)
    if wanted.acts:
        asked = [name.lower() for name in named_in(question) if not _names_thing(question, name)]
        nodes = [node for node in nodes if all(name in f"{node.speaker} {node.content}".lower() for name in asked)]
        if wanted.acts <= {"instruction", "preference"}:  # what an assistant advises is none of its user
            nodes = [node for node in nodes if (node.speaker or "").lower() not in ASSISTANTS]
        if "open" in wanted.acts:
            nodes = [node for node in nodes if not _settled(memory, corpus, stated, node)]
    name = name_asked_for(question)
    saying = {node.id for node in nodes if name and defines(node.content, name)}
    pressing = {node.id: place - len(due) for place, node in enumerate(due)}  # the soonest first

    def rank(node: Node) -> tuple[bool, bool, int, bool, int, str]:
        pressed = pressing.get(node.id, 0), not (due and tells_task(node.content))
        return node.id not in first, node.id not in saying, *pressed, -node.occurred_at, node.id

    nodes = sorted(nodes, key=rank)
    most = MAX_PROFILE_MEMORIES if wanted.sure else MAX_UNSURE
    return Profile(tuple(nodes[:most]), complete, wanted.sure)


def _names_thing(question: str, name: str) -> bool:
    """Whether a name is part of what a thing is called: "the Aksoy book" is about no one person."""
    return re.search(rf"\b(?:the|our|my) {re.escape(name)} [a-z]{{3,}}", question) is not None


def _latest(memory: "Runtime", caller: Caller) -> tuple[Node, ...]:
    """What was said last, the latest first; of what was stored last, for a memory may hold much."""
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.flatnonzero(but_of_files(corpus, visible))
        ids = [corpus.ids[row] for row in rows[-LATEST:]]
    nodes = sorted(memory.store.nodes(ids), key=lambda node: (node.occurred_at, node.created_at, node.id), reverse=True)
    return tuple(nodes[:MAX_LATEST])


def _broken(memory: "Runtime", question: str, caller: Caller) -> tuple[Node, ...]:
    """What is out of order, the latest first."""
    corpus = memory.corpus
    with corpus.lock:
        stated = but_of_files(corpus, corpus.visible(memory.viewer(caller), now=memory.present()))
        return tuple(troubles(memory, corpus, stated, question)[:MAX_PROFILE_MEMORIES])


def _introduced(memory: "Runtime", caller: Caller, own: Callable[[str], str]) -> tuple[Node, ...]:
    """Where the user said how they are called or how old they are, the latest first: people do so early, and say when
    that changes. Others who are named as speakers introduce themselves.
    """
    corpus = memory.corpus
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        rows = np.flatnonzero(but_of_files(corpus, visible))
        ids = [corpus.ids[row] for row in np.union1d(rows[:EARLIEST], rows[-LATEST:])]
    by_user = [node for node in memory.store.nodes(ids) if (node.speaker or USERS[0]).lower() in USERS]
    nodes = [node for node in by_user if own(node.content)]
    return tuple(sorted(nodes, key=lambda node: (-node.occurred_at, node.id))[:MAX_INTRODUCTIONS])


def _called(memory: "Runtime", corpus: Corpus, question: str, topic: Sequence[str], visible: np.ndarray) -> list[str]:
    """What else the topic is called: "Klara" for "my sister"."""
    called = memory.view(Aliases).named(corpus, question, visible)
    return [other for thing in called if {*topic} <= {*stems(thing.mention)} for other in thing.others]


def _holders(nodes: Sequence[Node], topic: Sequence[str]) -> list[str]:
    """Who or what has a role, as notes label it: for the publisher, of "Publisher: Moonbow, contact Rosalind" both."""
    names: dict[str, None] = {}
    for node in nodes:
        text = utterance(node.content, node.speaker)
        label = _LABEL.match(text)
        if label is not None and stems(label["role"]) == tuple(topic) and language_of(text) == ENGLISH:
            names |= dict.fromkeys(_NAME.findall(text[label.end() :]))
    return [*names][:MAX_HOLDERS]


def _settled(memory: "Runtime", corpus: Corpus, visible: np.ndarray, node: Node) -> bool:
    """Whether a later memory decides, answers or does what this one leaves open, in most of its words."""
    own = {*stems(node.content)} - OPENNESS
    with corpus.lock:
        shared = np.zeros(len(visible), np.float32)
        for stem in own:
            holders = corpus.terms.postings(term_id(stem))[0]
            holders = holders[holders < len(visible)]  # what was stored since waits for the next question
            shared[holders] += 1.0 / max(len(holders), 1)  # a word in another language is found in English
        shared[~visible] = 0.0
        best = [row for row in np.argsort(-shared, kind="stable")[:SETTLING].tolist() if shared[row] > 0]
        numbered = holding_any(corpus, [stem for stem in own if stem.isdigit()])  # "closes #71" has no other word of it
        numbered = numbered[numbered < len(visible)]
        numbered = numbered[visible[numbered]][-SETTLING:]
        ids = [corpus.ids[row] for row in dict.fromkeys([*best, *numbered.tolist()])]
    offered, nearest = offer(node.content), list(memory.store.nodes(ids))
    reopened = max((later.occurred_at for later in nearest if reopens(node.content, later.content)), default=0)
    return any(
        comparable(node, later)
        and (
            _chooses(offered, later.content)
            or (reopened <= later.occurred_at and closes(node.content, later.content))
            or tells_done(node.content, later.content)
            or (
                len(own.intersection(stems(later.content))) >= SAID_AGAIN * len(own)
                and supersession.related(node.content, later.content)
                and supersession.logit(node.content, later.content) >= SURE
            )
        )
        for later in nearest
    )


def _with_status(memory: "Runtime", corpus: Corpus, visible: np.ndarray) -> np.ndarray:
    """Rows that say of something that it is open, as a tracker does: "ORI-12 login loop - open"."""
    holders = np.unique(np.concatenate([corpus.terms.postings(term)[0] for term in _STATUS_TERMS]))
    rows = holders[holders < len(visible)]
    rows = rows[visible[rows]][-LATEST:]
    open_ids = {node.id for node in memory.store.nodes(corpus.ids[row] for row in rows) if _STATUS.search(node.content)}
    return np.array([row for row in rows.tolist() if corpus.ids[row] in open_ids], np.int64)


def _chooses(offered: Offer | None, text: str) -> bool:
    return offered is not None and chosen(offered, text) is not None and "open" not in acts_of(text)


def _near_all(corpus: Corpus, question: str, topic: Sequence[str]) -> np.ndarray:
    """Rows that have every one of these words, or one near it in meaning: "bath" and "shower" for "bathroom"."""
    spelled = {stem_of(word): word for word in words(question)}
    rows: np.ndarray | None = None
    for stem in topic:
        near = [corpus.terms.postings(term)[0] for term in expansion.terms(spelled.get(stem, stem))]
        holders = np.unique(np.concatenate(near))
        rows = holders if rows is None else np.intersect1d(rows, holders, assume_unique=True)
    return np.zeros(0, np.int64) if rows is None else rows
