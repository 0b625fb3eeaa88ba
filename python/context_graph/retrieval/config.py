"""What each score, rule and link weighs in a search: values that are passed, never changed in place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

__all__ = ["JUDGED_RULES", "KINDS", "LINKS", "RANKING", "RULES", "SPECIAL", "Change", "RankingConfig"]

KINDS = ("note", "dialogue", "code", "request", "reply")
"""What a memory is; the turn of a dialogue has a speaker. Between a user and an assistant it is a request or a reply.
What counts for one may mislead about the others."""

SPECIAL = {
    "note": ("note", "topic"), "dialogue": ("dialogue", "several"), "code": ("code", "code"),
    "request": ("exchange", "exchange"), "reply": ("exchange", "exchange"),
}  # fmt: skip
"""By kind: the table of most questions, and that of questions for a topic, or for several things."""

RULES = {
    "title": 4.0, "speaker": 2.0, "time": 6.0, "order": 3.0, "asks": -2.5, "answers": 1.0, "information": 1.0,
    "when": 1.0, "how_many": 0.0, "background": -3.0, "wish": 6.0, "thread": 0.7, "attribute": 4.0, "of_another": -6.0,
    "test": -10.0, "passage": -4.0, "defines": 3.0, "no_definition": -4.0, "identifier": 12.0, "composed": 8.0,
    "answer_type": 2.0, "kind": 3.0,
}  # fmt: skip
"""Weight of each rule, in units of a z-sum whose standard deviation over a dialogue is about 4; "thread" is the share
of its sum that a request hands on to one that goes on with it."""

JUDGED_RULES = ("attribute", "identifier")
"""Rules that relevance is judged by."""

LINKS = {"link": 12.0, "second": 2.5, "rank": 0.5, "edges": 0.0}
"""What a link from the best hit adds to the sum; the weights of what a second question finds, in deviations of BM25, of
the standardised PageRank, and of what edges of the graph lead to."""

MODULATED = ("completion", "fused", "graph")
"""Scores that depend on the modulators of the session."""

Weights = Mapping[str, float]
Change = tuple[str, str, float]
"""A table (one of `tables`, or "rules", "links", "strengths" for gate and first person), a name and its new weight."""


@dataclass(frozen=True, slots=True)
class RankingConfig:
    """The weights of one tier; set by hand, see docs/research/retrieval.md for what each is worth.

    Attributes
    ----------
    tables : mapping
        Weight of each z-score, by kind of memory and question. A note is weighed as "topic" where the question names
        nothing: among notes about one subject likeness tells more than it misleads. A turn is weighed as "several"
        where the question expects more than one answer: they lie in several sessions, so what else a session says
        tells less. Requests and replies are weighed as "exchange".
    rules, links : mapping
        Weights of rules and links, in units of the sum.
    gate : float
        How far the learned gate turns the weights of each space for a question: 0 not at all, 1 in full proportion.
    first_person : float
        Whether late interaction asks the turns of a dialogue in the voice of the speaker whom the question names: 1
        yes. Vectors of the base tier know no sentence, and so no person.
    """

    tables: Mapping[str, Weights]
    rules: Weights = field(default_factory=lambda: dict(RULES))
    links: Weights = field(default_factory=lambda: dict(LINKS))
    gate: float = 0.0
    first_person: float = 0.0

    def tables_of(self, kind: str) -> list[str]:
        """The names of the tables that memories of a kind are weighed by."""
        return list(dict.fromkeys(SPECIAL[kind]))

    def weights_of(self, kinds: np.ndarray, *, topical: bool = False, several: bool = False) -> dict[str, np.ndarray]:
        """What each score weighs for memories of these kinds: int (m,) -> name -> float32 (m,).

        Parameters
        ----------
        topical : bool
            The question names nothing that the store has a name for.
        several : bool
            The question expects more than one answer.
        """
        special = {"note": topical, "dialogue": several}
        tables = [self.tables[SPECIAL[kind][special.get(kind, False)]] for kind in KINDS]
        names = dict.fromkeys(name for table in tables for name in table)
        weights = np.array([[table.get(name, 0.0) for table in tables] for name in names], np.float32)[:, kinds]
        return dict(zip(names, weights, strict=True))

    @property
    def uses_modulators(self) -> bool:
        """Whether an answer depends on the session: by a score that is off by default, or by the gate."""
        return bool(self.gate) or any(table.get(name) for table in self.tables.values() for name in MODULATED)

    def changed(self, changes: Iterable[Change]) -> "RankingConfig":
        """The same with other weights."""
        tables = {name: dict(table) for name, table in self.tables.items()}
        rules, links, strengths = (
            dict(self.rules),
            dict(self.links),
            {"gate": self.gate, "first_person": self.first_person},
        )
        every = {**tables, "rules": rules, "links": links, "strengths": strengths}
        for table, name, weight in changes:
            every[table][name] = weight
        return replace(self, tables=tables, rules=rules, links=links, **strengths)


TABLES: dict[str, dict[str, dict[str, float]]] = {
    "minilm": {
        "note": {"words": 1.0, "late_rare": 0.75, "meaning": 1.0},
        "topic": {"words": 1.0, "late_rare": 0.75, "semantic": 0.5, "meaning": 1.0, "feedback": 0.5},
        "dialogue": {
            "words_near": 0.75,
            "words_session": 0.5,
            "late_rare": 1.0,
            "late_pair": 0.5,
            "late_near": 1.0,
            "code": 1.0,
        },
        "several": {"words_near": 0.5, "late_rare": 1.0, "late_pair": 0.5, "late_near": 0.5, "code": 1.0},
        "code": {"words": 1.0, "late_rare": 1.0, "code": 3.0},
        "exchange": {"words": 1.0, "semantic": 0.5, "meaning": 1.0, "reply_meaning": 1.5},
    },
    "base": {
        "note": {"words": 1.0, "late_rare": 0.5, "meaning": 1.0},
        "topic": {
            "words": 1.0,
            "words_like": 0.5,
            "late_rare": 0.5,
            "semantic": 0.5,
            "meaning": 1.0,
            "feedback": 0.5,
        },
        "dialogue": {
            "words_pair": 0.5,
            "words_near": 0.5,
            "words_session": 1.0,
            "window": 1.0,
            "window_near": 0.5,
            "late_rare": 1.0,
            "late_near": 1.0,
            "code": 1.0,
        },
        "several": {
            "words_pair": 0.5,
            "words_near": 0.5,
            "window": 1.0,
            "window_near": 0.5,
            "late_rare": 1.0,
            "late_near": 1.0,
            "code": 1.0,
        },
        "code": {"words": 1.0, "words_like": 0.5, "window": 1.0, "late_rare": 0.5, "code": 1.0},
        "exchange": {"words": 1.0, "meaning": 0.5, "reply_meaning": 1.5},
    },
}

TABLES["multilingual"] = TABLES["minilm"] | {
    "note": {"words": 0.5, "late_rare": 1.5, "semantic": 1.0},
    "topic": {"words": 0.5, "late_rare": 1.5, "semantic": 1.0, "feedback": 0.5},
}
"""Words that two languages share mislead more often than they lead."""

RANKING = {
    "base": RankingConfig(TABLES["base"]),
    "minilm": RankingConfig(TABLES["minilm"], first_person=1.0),
    "multilingual": RankingConfig(TABLES["multilingual"], first_person=1.0),
}
"""By what reads; see `Embedder.ranking`."""
