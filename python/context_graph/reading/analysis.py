"""What a memory says, read once: those who embed, judge and link it all ask here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from context_graph.embed.stems import stems, words
from context_graph.graph.entities import Mention, title_keys
from context_graph.graph.statements import Statement, statements
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.mentions import find_mentions
from context_graph.reading.metadata import texts
from context_graph.reading.utterance import utterance
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.embed import Embedder, Fingerprint
    from context_graph.embed.ahead import Ahead
    from context_graph.embed.multimodal import Media
    from context_graph.models import Microseconds

__all__ = ["MAX_ALIASES", "AnalyzedText"]

MAX_ALIASES = 16

NOTE = 200
"""Characters of a note that a name may open to say whom it is for; a longer text is an article about who has it."""

_FOR_PERSON = regex(r"\W*(?P<name>[A-ZÀ-Þ][a-zà-ÿ’'-]{1,20}): \S")


def _is_for_person(text: str) -> bool:
    """Whether a note opens with whom it is for."""
    match = _FOR_PERSON.match(text) if len(text) < NOTE else None
    return match is not None and is_like_a_first_name(match["name"])


@dataclass(frozen=True)
class AnalyzedText:
    """A text with its name and its speaker. Each reading of it is made when it is first asked for, and then kept.

    Attributes
    ----------
    name : str, optional
        The name it was given; None where it has one that was made of the text.
    metadata : mapping
        Whose tags and aliases are names too.
    """

    content: str
    name: str | None
    speaker: str | None
    metadata: Mapping[str, Any]

    @cached_property
    def said(self) -> str:
        """What is embedded: the text without who says it and when."""
        return utterance(self.content, self.speaker)

    @cached_property
    def words(self) -> tuple[str, ...]:
        return words(self.content)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stems(self.content))

    @cached_property
    def mentions(self) -> list[Mention]:
        """The names in it, its speaker, tags and aliases among them."""
        return find_mentions(self.content, self.metadata, self.speaker)

    @cached_property
    def titles(self) -> list[str]:
        """Keys of the names that it is an entry about, its aliases too; the turn of a dialogue is about none, nor is a
        note for a person: "Ravi: dentist at 9".
        """
        if self.speaker or (self.name is None and _is_for_person(self.content)):
            return []
        return title_keys(self.content, declared=self.name, aliases=texts(self.metadata, "aliases")[:MAX_ALIASES])

    @cached_property
    def statements(self) -> list[Statement]:
        """Causes and kinds that it states."""
        return statements(self.content)

    @property
    def latest(self) -> "Fingerprint | None":
        """Its vectors as they were made last; None where none are kept."""
        latest: tuple[Any, Fingerprint] | None = self.__dict__.get("_latest")
        return None if latest is None else latest[1]

    def fingerprint(
        self,
        embedder: "Embedder",
        *,
        previous: str,
        occurred_at: "Microseconds | None",
        rationale: str,
        media: "Media | None" = None,
        ahead: "Ahead | None" = None,
    ) -> "Fingerprint":
        """Its vectors in every space; the last ones are kept, unless passes or a file are given.

        Parameters
        ----------
        previous : str
            The memory before it in its session, as `spoken`.
        occurred_at : int, optional
            Only where a date was given.
        ahead : Ahead, optional
            Passes of a model that were made before.
        """
        inputs = embedder, embedder.statistics.updates, previous, occurred_at, rationale
        alone = ahead is None and media is None
        latest: tuple[Any, Fingerprint] | None = self.__dict__.get("_latest") if alone else None
        if latest is not None and latest[0] == inputs:
            return latest[1]
        is_same_text = latest is not None and latest[0][:1] + latest[0][3:] == inputs[:1] + inputs[3:]
        fingerprint = embedder.fingerprint(
            self.said,
            name=self.name,
            speaker=self.speaker,
            occurred_at=occurred_at,
            previous=previous,
            heading=" ".join([self.name or "", *(mention.text for mention in self.mentions)]),
            rationale=rationale,
            names=[mention.key for mention in self.mentions],
            titles=self.titles,
            media=media,
            ahead=ahead,
            unweighted=latest[1] if latest is not None and is_same_text else None,
        )
        if alone:
            self.__dict__["_latest"] = inputs, fingerprint  # as the cached properties are kept
        return fingerprint

    def take(
        self,
        embedder: "Embedder",
        updates: int,
        fingerprint: "Fingerprint",
        *,
        previous: str,
        occurred_at: "Microseconds | None",
        rationale: str,
        **readings: Any,
    ) -> None:
        """Keep vectors and readings that were made elsewhere, as if they had been asked for here.

        Parameters
        ----------
        updates : int
            Of the word statistics, when the vectors were weighted by them.
        readings : Any
            By the names of the properties.
        """
        self.__dict__.update(readings)  # as the cached properties are kept
        self.__dict__["_latest"] = (embedder, updates, previous, occurred_at, rationale), fingerprint
