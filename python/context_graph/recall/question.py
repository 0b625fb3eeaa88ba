"""What is asked, by whom, and which memories may answer."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Self

from context_graph import arguments
from context_graph.errors import InvalidInput
from context_graph.instants import from_datetime
from context_graph.models import Domain
from context_graph.recall.selection import Selection

__all__ = ["MAX_QUERY_CHARS", "Question"]

MAX_QUERY_CHARS = 16_384  # characters of a question that are read


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
    by_words : bool
        Answer from the answer cache, else by the words alone: no model reads the question. `relevance` is then the
        share of its words, by their rarity, that a memory holds.
    selection : Selection, optional
        What else limits the memories that may answer; one that asks for the past lets those answer of which another
        took the place.
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
    by_words: bool = False
    selection: Selection | None = None

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

    def filters(self) -> tuple[Hashable, ...]:
        """What else of a question than its words decides its answer: all but who asks, and whether that is counted."""
        return tuple(tuple(value) if isinstance(value, list) else value for value in _FILTERS(self))


INSTANTS = {"as_of", "asked_at", "created_after"}
TEXTS = {"session_id", "agent_id", "domain", "scope", "modality", "project"}

_FILTERS = attrgetter(*({each.name for each in fields(Question)} - {"text", "session_id", "agent_id", "record"}))
