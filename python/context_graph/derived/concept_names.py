"""The concepts of the store by what they are called: which are one thing, and which a phrase means."""

from collections.abc import Iterable, Mapping

from context_graph.derived.view import MaterializedView, view
from context_graph.graph.naming import NEGATING, Names, concept_key
from context_graph.models import Microseconds, Node, NodeKind, NodeState
from context_graph.names import name_key
from context_graph.store import Change, Reader

__all__ = ["ConceptNames"]

ALL = 2**31
MIN_READING = 0.5
"""How well a concept must fit a phrase to be a reading of it."""

MAX_SHARING = 2_000
"""Concepts looked at that share a word with a phrase: of a word in more of them, the others decide."""


@view("concept_names", "store")
class ConceptNames(MaterializedView):
    """Live concepts by the words of their names, read from the store when somebody first asks.

    Concepts whose names differ only in inflection and articles are one thing: "Mammals" and "a mammal". The eldest of
    them stands for all.
    """

    def __init__(self, store: Reader) -> None:
        self._store = store
        super().__init__()

    def rebuild(self) -> None:
        self._names = Names()
        self._key_of: dict[str, tuple[str, ...]] = {}
        self._spelled: dict[str, str] = {}
        self._alike: dict[tuple[str, ...], dict[str, Microseconds]] = {}
        self._holding: dict[str, set[str]] = {}
        self._news: set[str] | None = None

    def apply(self, change: Change) -> None:
        if self._news is not None and change.table == "nodes" and (change.concerns("name") or change.concerns("state")):
            self._news.add(change.id)

    def drop(self, nodes: Iterable[str], rows: Mapping[str, int]) -> None:
        for id in nodes:
            self._remove(id)

    def alike(self, node_id: str) -> tuple[str, ...]:
        """The concepts that are the same thing as this one, the eldest first; what is no concept is itself alone."""
        with self._lock:
            self._refresh()
            group = self._alike.get(self._key_of.get(node_id, ()), {})
            return tuple(sorted(group, key=lambda id: (group[id], id))) or (node_id,)

    def beginning_with(self, text: str) -> list[str]:
        """The concepts whose name begins so, then those with a later word that does; each by name."""
        key = name_key(text)
        with self._lock:
            self._refresh()
            first = [(name, id) for id, name in self._spelled.items() if name.startswith(key)]
            later = [(name, id) for id, name in self._spelled.items() if f" {key}" in name and not name.startswith(key)]
        return [id for _, id in (*sorted(first), *sorted(later))]

    def readings(self, phrase: str) -> dict[str, float]:
        """The concepts that a phrase may mean, by id: 1 where it is the name, less the more words they do not share.

        A name with a slip of the keys counts 0.9, with two 0.8. Where a name has all words of the phrase and others,
        it counts from 0.5 to 1; where each has words of its own, the share of words that both have.
        """
        with self._lock:
            self._refresh()
            key = concept_key(phrase)
            scores = dict.fromkeys(self._alike.get(key, ()), 1.0)
            whole = "".join(key)
            for id, score in self._names.matches(phrase).items():
                if (
                    score < 1.0 and abs(len("".join(self._key_of[str(id)])) - len(whole)) <= 2
                ):  # the whole phrase, slips
                    scores[str(id)] = max(score, scores.get(str(id), 0.0))
            words = set(key)
            for id in self._sharing(words):
                own = set(self._key_of[id])
                shared = len(words & own) / len(words | own)
                score = 0.5 + shared / 2 if words < own else shared
                if score >= MIN_READING and words & NEGATING == own & NEGATING:
                    scores[id] = max(score, scores.get(id, 0.0))
            return scores

    def _sharing(self, words: set[str]) -> set[str]:
        """Concepts with a word of these, those of the rarest words first."""
        sharing: set[str] = set()
        for ids in sorted((self._holding.get(word, set()) for word in words), key=len):
            if len(sharing) + len(ids) > MAX_SHARING and sharing:
                break
            sharing |= ids
        return sharing

    def _refresh(self) -> None:
        if self._news is None:
            changed, nodes = set[str](), self._store.concepts(ALL)
        else:
            changed, nodes = self._news, self._store.nodes(self._news) if self._news else []
        self._news = set()
        for id in changed:
            self._remove(id)
        for node in nodes:
            if node.kind == NodeKind.CONCEPT and node.state == NodeState.LIVE:
                self._add(node)

    def _add(self, node: Node) -> None:
        key = concept_key(node.name)
        self._key_of[node.id] = key
        self._spelled[node.id] = name_key(node.name)
        self._alike.setdefault(key, {})[node.id] = node.created_at
        for word in key:
            self._holding.setdefault(word, set()).add(node.id)
        self._names.add(node.id, [node.name])

    def _remove(self, id: str) -> None:
        key = self._key_of.pop(id, None)
        if key is None:
            return
        self._names.remove(id)
        del self._spelled[id]
        del self._alike[key][id]
        if not self._alike[key]:
            del self._alike[key]
        for word in set(key):
            self._holding[word].discard(id)
            if not self._holding[word]:
                del self._holding[word]
