"""The book of facts: what memories say of each person and thing, gathered over sessions and citing its memories."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from context_graph.citations import tag_of
from context_graph.derived.view import IndexedView, view
from context_graph.display import Plain, Row, line
from context_graph.embed.lexical import name_term
from context_graph.extraction import ONE_AT_A_TIME, Fact, SpeechContext, facts
from context_graph.extraction.proposals import proposals_of
from context_graph.graph.entities import mentions
from context_graph.index.corpus import Corpus
from context_graph.instants import to_datetime
from context_graph.models import Microseconds, Node, to_iso
from context_graph.names import name_key
from context_graph.reading.utterance import utterance
from context_graph.retrieval.fact_score import Meant
from context_graph.retrieval.rules import named_speakers
from context_graph.safety.quoting import inline
from context_graph.store import Change, Reader
from context_graph.visibility import Viewer, may_see_mask

__all__ = ["Entry", "Facts", "Said", "adds_to", "spelled", "told_of"]

MAX_ENTRIES, FITTING = 5, 0.9
"""Entries that a turn is told, and how well each must answer it (`Meant.fits`): see benchmarks/quality/facts.py."""

PROPOSED_WEIGHT = 0.95
"""Of how well a value answers that a language model has proposed: it must answer all but wholly, and comes later."""

MAX_READ_MEMORIES = 256
"""Memories about those whom a turn names, the last stored, that are read for it: what was read before costs nothing."""

TEXTS_AT_ONCE = 1_024
"""Memories whose texts are read from the store together."""

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Said(Plain):
    """One value of an entry.

    Attributes
    ----------
    memories : tuple of str
        Ids of the memories that say so, the oldest first.
    first, last : int
        When it was first and last said, in microseconds.
    past : bool
        Another value has taken its place since.
    proposed_by : str
        The language model that has proposed it; empty where the rules read it.
    """

    value: str
    memories: tuple[str, ...]
    first: int
    last: int
    past: bool
    proposed_by: str = ""

    INSTANTS = ("first", "last")

    @property
    def first_time(self) -> datetime:
        """When it was first said, in UTC."""
        return to_datetime(self.first)

    @property
    def last_time(self) -> datetime:
        """When it was last said, in UTC."""
        return to_datetime(self.last)


@dataclass(frozen=True, slots=True)
class Entry(Row):
    """What is said of somebody or something in one relation: ("Melanie", "play", [clarinet, violin])."""

    subject: str
    relation: str
    values: tuple[Said, ...]

    def row(self) -> dict[str, Any]:
        holding, past = (
            [f"{said.value}{_mark(said)}" for said in self.values if said.past is over] for over in (False, True)
        )
        return {
            "subject": self.subject, "relation": self.relation, "values": ", ".join(holding), "past": ", ".join(past),
            "last": max((said.last_time for said in self.values), default=None),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Entry({line(spelled(self, most_tags=0), 120)!r})"


class _Stated(NamedTuple):
    """A fact and where it stands."""

    row: int
    before: int
    """The row of the turn that says who the subject is; `NOBODY` where the memory says it itself."""

    fact: Fact
    proposed_by: str = ""
    """The language model that has proposed it; empty where the rules read it."""


@view("facts", "store")
class Facts(IndexedView):
    """Facts of a store, in RAM: each memory is read when somebody first asks for what it states.

    Nothing is written, for all of it follows from the memories. Who asks is told only what stands in memories that
    they may see and that are live and valid; where the turn before says who is meant, that turn must be so, too.
    """

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._length = 0
        self._news: set[str] = set()
        self._called: dict[int, str] = {}
        self._sharing: dict[int, frozenset[int]] = {}
        """The speakers of each session, of memories that anyone may see."""

        self._open = np.zeros(0, bool)
        """Which memories anyone may see, live or not."""

        self._place = np.zeros(0, np.int64)
        self._of: dict[int, list[_Stated]] = {}
        """What a memory states; one that nobody has asked for is missing."""

    def apply(self, change: Change) -> None:
        if change.table == "nodes" and (change.concerns("content") or change.concerns("metadata")):
            self._news.add(change.id)

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        gone = np.array([*rows.values()], np.int64)
        known = gone[gone < len(self._place)]
        after = np.flatnonzero(np.isin(self._place, self._place[known] + 1))  # the next turns, which may lean on them
        for row in (*gone.tolist(), *after.tolist()):
            self._of.pop(row, None)
        self._called.clear()
        self._length = -1  # sessions have other turns, and perhaps other speakers

    # What is asked

    def entries(self, corpus: Corpus, now: Microseconds, viewer: Viewer, name: str | None = None) -> list[Entry]:
        """Entries that a viewer may see, by subject in the order in which they were first spoken of.

        The first call reads every memory; later ones what is new.

        Parameters
        ----------
        name : str, optional
            Only of this person or thing, in any case; by the first name alone where nothing has that name.
        """
        with corpus.lock:
            visible = corpus.visible(viewer, now=now)
            return self._entries(corpus, np.flatnonzero(visible), visible, name)

    def answering(self, corpus: Corpus, question: str, visible: np.ndarray, called: Iterable[str] = ()) -> list[Entry]:
        """The few entries of whom a question names that answer it, the most fitting first.

        Reads only the last memories of and about those, so that it may be asked at every turn.

        Parameters
        ----------
        visible : bool (n,)
            What may be told.
        called : iterable of str
            Names that the question uses, beside those of speakers and those that a capital shows.
        """
        speakers = [corpus.speakers.texts[code] for code in named_speakers(corpus, question)]
        names = {name_key(name): name for name in (*speakers, *(m.text for m in mentions(question)), *called)}
        intent, candidates = Meant.of(question, names.values()), {}
        for key, name in names.items():
            about = visible & (corpus.columns.speaker == corpus.speakers.known(name.lower()))
            about[corpus.named.postings(name_term(key))[0]] = True
            rows = np.flatnonzero(about & visible)[-(MAX_READ_MEMORIES // len(names)) :]
            for entry in self._entries(corpus, rows, visible, name):
                fits = intent.fits(entry.subject, entry.relation, [said.value for said in entry.values])
                pairs = zip(fits, entry.values, strict=True)
                fit = max(fit * (PROPOSED_WEIGHT if said.proposed_by else 1.0) for fit, said in pairs)
                candidates[entry.subject, entry.relation] = fit, entry
        fitting = [(fit, entry) for fit, entry in candidates.values() if fit >= FITTING]
        return [entry for _, entry in sorted(fitting, key=_by_fit)[:MAX_ENTRIES]]

    def _entries(self, corpus: Corpus, rows: np.ndarray, visible: np.ndarray, name: str | None) -> list[Entry]:
        gathered: dict[str, dict[str, list[_Stated]]] = {}
        for stated in self._told(corpus, rows, visible):
            relations = gathered.setdefault(name_key(stated.fact.subject), {})
            relations.setdefault(stated.fact.relation, []).append(stated)
        return [_entry(corpus, those) for key in _called(gathered, name) for those in gathered[key].values()]

    def stated(self, corpus: Corpus, rows: np.ndarray, visible: np.ndarray) -> list[tuple[int, Fact]]:
        """The facts in some memories, each with its row; where the turn before is not visible, only what needs none.

        What a language model has proposed is none of them.

        Parameters
        ----------
        rows : int64 (m,)
        visible : bool (n,)
            What who asks may see.
        """
        told = self._told(corpus, rows, visible)
        return [(stated.row, stated.fact) for stated in told if not stated.proposed_by]

    def _told(self, corpus: Corpus, rows: np.ndarray, visible: np.ndarray) -> list[_Stated]:
        with self._taking_in(corpus):
            self._renew(corpus)
            self._read(corpus, [row for row in rows.tolist() if row not in self._of])
            found = [stated for row in rows.tolist() for stated in self._of[row]]
        return [stated for stated in found if stated.before == NOBODY or visible[stated.before]]

    # What is taken in

    def _renew(self, corpus: Corpus) -> None:
        """Forget what was read from memories that changed, or whose session has other speakers now."""
        news, self._news = self._news, set()
        for id in news:
            if (row := corpus.row_of.get(id)) is not None:
                self._of.pop(row, None)
                self._of.pop(self._after(corpus, row), None)
        if len(corpus) == self._length:
            return
        self._length = len(corpus)
        self._place = np.empty(len(corpus), np.int64)
        self._place[corpus.session_order] = np.arange(len(corpus))
        columns = corpus.columns
        self._open = may_see_mask(columns)
        spoken = columns.dialogue & self._open
        sharing: dict[int, set[int]] = {}
        for session, speaker in np.unique(
            np.stack([columns.session[spoken], columns.speaker[spoken]]), axis=1
        ).T.tolist():
            sharing.setdefault(session, set()).add(speaker)
        before, self._sharing = self._sharing, {session: frozenset(those) for session, those in sharing.items()}
        changed = [session for session, those in self._sharing.items() if before.get(session, those) != those]
        for row in np.flatnonzero(np.isin(columns.session, changed)).tolist() if changed else ():
            self._of.pop(row, None)

    def _after(self, corpus: Corpus, row: int) -> int:
        """The row of the turn after one, which may lean on it; `NOBODY` at the end."""
        at = int(self._place[row]) + 1 if row < len(self._place) else len(self._place)
        return int(corpus.session_order[at]) if at < len(self._place) else NOBODY

    def _read(self, corpus: Corpus, rows: list[int]) -> None:
        for start in range(0, len(rows), TEXTS_AT_ONCE):
            part = rows[start : start + TEXTS_AT_ONCE]
            before = {row: self._before(corpus, row) for row in part}
            ids = {corpus.ids[row] for row in (*part, *before.values()) if row != NOBODY} - {""}
            nodes = {node.id: node for node in self._store.nodes(ids)}
            for row in part:
                node = nodes.get(corpus.ids[row])
                if node is None:
                    self._of[row] = []
                    continue
                earlier = nodes.get(corpus.ids[before[row]]) if before[row] != NOBODY else None
                before_it = "" if earlier is None else utterance(earlier.content, earlier.speaker)
                context = SpeechContext(node.speaker, self._other(corpus, row), before_it)
                self._of[row] = [
                    _Stated(row, before[row] if fact.leans else NOBODY, fact)
                    for fact in facts(utterance(node.content, node.speaker), context)
                ] + _proposed(row, node)

    def _before(self, corpus: Corpus, row: int) -> int:
        """The turn before a turn of a dialogue; `NOBODY` where there is none."""
        columns, at = corpus.columns, int(self._place[row]) - 1
        if at < 0 or not columns.dialogue[row]:
            return NOBODY
        previous = int(corpus.session_order[at])
        return previous if columns.session[previous] == columns.session[row] else NOBODY

    def _other(self, corpus: Corpus, row: int) -> str | None:
        """Who "you" is: the other one of exactly two who speak in a session, among memories that anyone may see."""
        columns = corpus.columns
        own, speakers = int(columns.speaker[row]), self._sharing.get(int(columns.session[row]), frozenset())
        if not columns.dialogue[row] or not self._open[row] or len(speakers) != 2:
            return None
        (other,) = speakers - {own}
        if other not in self._called:
            spoken = columns.dialogue & (columns.speaker == other) & self._open
            (node,) = self._store.nodes([corpus.ids[np.flatnonzero(spoken & columns.live)[0]]])
            self._called[other] = node.speaker or ""
        return self._called[other] or None


def adds_to(entry: Entry, told_ids: Collection[str]) -> bool:
    """Whether an entry says more than memories told anyway, by id: several values, or one of another memory."""
    return len(entry.values) > 1 or not any(id in told_ids for id in entry.values[0].memories)


def spelled(entry: Entry, *, most_tags: int = 1) -> str:
    """One line that tells an entry: its values as they were first said in turn, each with its last citations."""
    values = []
    for value in entry.values:
        tags = [tag_of(id) for id in value.memories[-most_tags:]] if most_tags else []
        more = len(value.memories) - len(tags)
        last = f" (last said {to_iso(value.last)[:10]})" if value.past else ""
        head = f"{inline(value.value)}{last}{_mark(value)}"
        values.append(" ".join([head, *tags, *([f"and {more} more"] if tags and more else [])]))
    return f"{inline(entry.subject)}, {inline(entry.relation)}: {'; '.join(values)}"


def told_of(entry: Entry) -> dict[str, Any]:
    """An entry as JSON takes it."""
    values = [
        {
            "value": said.value, "past": said.past, "first": to_iso(said.first), "last": to_iso(said.last),
            "memories": list(said.memories), **({"proposed_by": said.proposed_by} if said.proposed_by else {}),
        }
        for said in entry.values
    ]  # fmt: skip
    return {"subject": entry.subject, "relation": entry.relation, "values": values}


def _by_fit(fitting: tuple[float, Entry]) -> tuple[float, str, str]:
    return -round(fitting[0], 6), fitting[1].subject, fitting[1].relation


def _called(subjects: Iterable[str], name: str | None) -> list[str]:
    """The subjects of a name: all without one, else this and "Anna's dog", else those whose first word it is."""
    known = list(subjects)
    if name is None:
        return known
    key = name_key(name)
    exact = [subject for subject in known if subject == key or subject.startswith(f"{key} s ")]
    return exact if key in known else [subject for subject in known if subject.split(" ")[0] == key]


def _proposed(row: int, node: Node) -> list[_Stated]:
    """What a language model has proposed that a memory claims; such a claim has no place of its own in the text."""
    proposals = proposals_of(node)
    if proposals is None:
        return []
    return [
        _Stated(row, NOBODY, Fact(claim.subject, claim.relation, claim.object, (0, 0)), proposals.model)
        for claim in proposals.claims
    ]


def _entry(corpus: Corpus, statements: list[_Stated]) -> Entry:
    """One entry, of all that is stated of a subject in a relation.

    What the rules read wins: where one value holds at a time, nothing that was proposed stands beside it.
    """
    read, proposed = ([one for one in statements if bool(one.proposed_by) is by] for by in (False, True))
    first = (read or proposed)[0].fact
    alone = first.relation in ONE_AT_A_TIME or first.relation.startswith("favorite")
    known = {name_key(one.fact.value) for one in read}
    more = [] if read and alone else [one for one in proposed if name_key(one.fact.value) not in known]
    return Entry(first.subject, first.relation, (*_values(corpus, read, alone), *_values(corpus, more, alone)))


def _values(corpus: Corpus, statements: list[_Stated], alone: bool) -> list[Said]:
    """The values of an entry, by when they were first said.

    Parameters
    ----------
    alone : bool
        One holds at a time.
    """
    moment = corpus.columns.occurred_at
    by_value: dict[str, list[_Stated]] = {}
    for stated in sorted(statements, key=lambda stated: (int(moment[stated.row]), stated.row)):
        by_value.setdefault(name_key(stated.fact.value), []).append(stated)
    latest = max(((int(moment[stated.row]), stated.row) for stated in statements), default=(0, NOBODY))[1]
    holds = [key for key, those in by_value.items() if those[-1].row == latest]
    return [
        Said(
            those[0].fact.value,
            tuple(corpus.ids[row] for row in dict.fromkeys(stated.row for stated in those)),
            int(moment[those[0].row]),
            int(moment[those[-1].row]),
            past=alone and not any(key in other or other in key for other in holds),
            proposed_by=those[0].proposed_by,
        )
        for key, those in by_value.items()
    ]


def _mark(said: Said) -> str:
    return f" (proposed by {said.proposed_by})" if said.proposed_by else ""
