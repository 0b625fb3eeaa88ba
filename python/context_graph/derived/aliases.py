"""Other names of what a question names, as memories say them: a question that uses one is asked with all.

Memories have aliases, and their user says what those close to them are called: "my sister Klara". A language model may
have proposed that two names of a text are one's; these come last.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from context_graph.derived.view import IndexedView, view
from context_graph.embed import QueryVectors
from context_graph.embed.stems import counted, stem_of, term_id
from context_graph.extraction.proposals import proposals_of
from context_graph.graph.entities import title_of
from context_graph.graph.naming import Names
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.names import name_key
from context_graph.reading.analysis import MAX_ALIASES
from context_graph.reading.fingerprints import given_name
from context_graph.reading.metadata import texts
from context_graph.reading.relatives import CLOSE, relatives
from context_graph.reading.utterance import USERS
from context_graph.store import Change, Reader

__all__ = ["AliasMatch", "Aliases", "widened"]

MAX_ALIASED_THINGS, MAX_OTHER_NAMES = 4, 4
"""Things of a question whose other names are asked for too, and names of each."""


MAX_PROPOSED_NAMES = 4
"""Pairs of names that a language model has proposed of one memory."""

MAX_OF_RELATIVES = 512
"""Memories that are read for what those close to the user are called."""


class _Thing(NamedTuple):
    """One of the things that a memory gives names."""

    id: str
    place: int
    """0 for the memory itself; from `_PROPOSED_FROM` on what was proposed."""


_PROPOSED_FROM = 1 + MAX_ALIASED_THINGS


class AliasMatch(NamedTuple):
    """Something that a question names.

    Attributes
    ----------
    row : int
        The memory that says what it is called.
    mention : str
        The words that name it, in lower case.
    others : tuple of str
        What else it is called.
    own : bool
        It is that memory itself, not somebody whom it names.
    """

    row: int
    mention: str
    others: tuple[str, ...]
    own: bool = True


@view("aliases", "store")
class Aliases(IndexedView):
    """The memories with aliases and their names, read from the store when a question is first asked.

    An alias may join a memory long after it was embedded; here it counts from the next question on.
    """

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._names = Names()
        self._called: dict[_Thing, tuple[str, ...]] = {}
        self._news: set[str] | None = None

    def apply(self, change: Change) -> None:
        if self._news is not None and change.table == "nodes" and change.concerns("metadata"):
            self._news.add(change.id)

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for id in rows:
            self._forget(id)

    def __len__(self) -> int:
        return len({thing.id for thing in self._called})

    def read(self, corpus: Corpus) -> None:
        """Take in what a first question would wait for."""
        with self._taking_in(corpus):
            self._refresh(corpus)

    def named(self, corpus: Corpus, question: str, visible: np.ndarray) -> list[AliasMatch]:
        """What a question names, of the memories that who asks may see: bool (n,)."""
        with self._taking_in(corpus):
            self._refresh(corpus)
            if not self._called:
                return []
            matches = []
            for thing, words in sorted(self._names.mentions(question).items(), key=_is_proposed):
                assert isinstance(thing, _Thing)
                row = corpus.row_of.get(thing.id)
                if row is not None and row < len(visible) and visible[row]:
                    keys = {name_key(words), name_key(words.replace(" ", ""))}
                    others = [name for name in self._called[thing] if name_key(name) not in keys]
                    matches.append(AliasMatch(row, words, tuple(others[:MAX_OTHER_NAMES]), not thing.place))
            return matches[:MAX_ALIASED_THINGS]

    def _refresh(self, corpus: Corpus) -> None:
        store = self._store
        if self._news is None:
            changed, nodes = set(), [*store.with_metadata('"aliases":'), *store.nodes(_of_relatives(corpus))]
        else:
            changed, nodes = self._news, store.nodes(self._news) if self._news else []
        self._news = set()
        for id in changed:
            self._forget(id)
        for node in nodes:
            for place, names in enumerate(_called(node)):
                if names:
                    self._called[_Thing(node.id, place)] = names
                    self._names.add(_Thing(node.id, place), names)

    def _forget(self, id: str) -> None:
        for thing in [_Thing(id, i) for i in range(_PROPOSED_FROM + MAX_PROPOSED_NAMES)]:
            self._called.pop(thing, None)
            self._names.remove(thing)


def _of_relatives(corpus: Corpus) -> list[str]:
    """The last memories that have a word for somebody close."""
    rows = [corpus.terms.postings(term_id(stem_of(word)))[0] for word in CLOSE]
    return [corpus.ids[row] for row in np.unique(np.concatenate(rows))[-MAX_OF_RELATIVES:].tolist()]


def _called(node: Node) -> list[tuple[str, ...]]:
    """The names of each thing that a memory gives several: of itself, of those close to the user who says it, and the
    pairs that a language model has proposed, where the rules read neither name.
    """
    if node.ordinal is None:
        return []
    by_user = node.speaker is None or node.speaker.lower() in USERS
    close = relatives(node.content) if by_user else []
    read = [_names_of(node), *close[:MAX_ALIASED_THINGS]]
    proposals = proposals_of(node)
    if proposals is None:
        return read
    keys = {name_key(name) for names in read for name in names}
    pairs = [(one.name, one.alias) for one in proposals.aliases if not {name_key(one.name), name_key(one.alias)} & keys]
    return [*read, *[()] * (_PROPOSED_FROM - len(read)), *pairs[:MAX_PROPOSED_NAMES]]


def _is_proposed(mention: tuple[Hashable, str]) -> bool:
    thing = mention[0]
    return isinstance(thing, _Thing) and thing.place >= _PROPOSED_FROM


def _names_of(node: Node) -> tuple[str, ...]:
    """What a memory with aliases is called, each name once; none without aliases."""
    aliases = texts(node.metadata, "aliases")[:MAX_ALIASES]
    title = None if node.speaker else title_of(node.content, declared=given_name(node))
    given = [*texts(node.metadata, "name")[:1], *texts(node.metadata, "title")[:1], *([title] if title else [])]
    return tuple({name_key(name): name for name in (*given, *aliases)}.values()) if aliases else ()


def widened(vectors: QueryVectors, called: list[AliasMatch]) -> QueryVectors:
    """A question that is also asked with the other names of what it names, each in place of the one that it says."""
    renamed = []
    for thing in called:
        rest = {term: count for term, count in vectors.terms.items() if term not in counted(thing.mention)}
        for name in thing.others:
            words = counted(name)
            renamed.append(dict.fromkeys(words, 1.0 / max(len(words), 1)) | rest)
    return replace(vectors, renamed=(*vectors.renamed, *renamed)) if renamed else vectors
