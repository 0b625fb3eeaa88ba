"""A summary made of sentences as they stand, each with the texts that say it; and what of them it leaves out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from context_graph.embed.chunks import sentences
from context_graph.embed.stems import stems
from context_graph.reading.differences import covers

__all__ = ["Passage", "Summary", "left_out", "summary"]


@dataclass(slots=True)
class Passage:
    """A sentence.

    Attributes
    ----------
    sources : list of int
        Places of the texts that say all of it.
    """

    text: str
    sources: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Summary:
    """What is told and what is not, both in the order of the texts."""

    passages: tuple[Passage, ...]
    omitted: tuple[Passage, ...] = ()

    @property
    def text(self) -> str:
        """The sentences as one text."""
        text = ""
        for passage in self.passages:
            gap = "" if not text else " " if text[-1] in ".!?。！？" else "\n"
            text += gap + passage.text
        return text


def summary(texts: Sequence[str], max_characters: int) -> Summary:
    """The sentences of some texts, none of which says only what another one says; those that matter most.

    Parameters
    ----------
    max_characters : int
        Where all sentences fit, none is left out. At least one is told.
    """
    passages: list[Passage] = []
    for place, text in enumerate(texts):
        for sentence in sentences(text):
            _take(passages, sentence, place)
    ranked = sorted(range(len(passages)), key=lambda i: (-_weight(passages, i), i))
    chosen: set[int] = set()
    left = max_characters
    for i in ranked:
        length = len(passages[i].text) + 1
        if length <= left or not chosen:
            chosen.add(i)
            left -= length
    return Summary(
        tuple(passage for i, passage in enumerate(passages) if i in chosen),
        tuple(passage for i, passage in enumerate(passages) if i not in chosen),
    )


def left_out(text: str, texts: Sequence[str]) -> tuple[str, ...]:
    """The sentences of some texts that a text does not say, each once."""
    own = sentences(text)
    return tuple(
        dict.fromkeys(
            sentence
            for other in texts
            for sentence in sentences(other)
            if not any(covers(one, sentence) for one in (*own, text))
        )
    )


def _take(passages: list[Passage], sentence: str, place: int) -> None:
    """Add a sentence, unless one says as much; of two of which one says more, that one stays."""
    for i, known in enumerate(passages):
        if covers(known.text, sentence):
            if covers(sentence, known.text) and place not in known.sources:
                known.sources.append(place)
            return
        if covers(sentence, known.text):
            passages[i] = Passage(sentence, [place])
            return
    passages.append(Passage(sentence, [place]))


def _weight(passages: Sequence[Passage], i: int) -> float:
    """How much a sentence shares with the others, and how many texts say it."""
    own = set(stems(passages[i].text))
    if not own:
        return 0.0
    others = [set(stems(passage.text)) for j, passage in enumerate(passages) if j != i]
    shared = sum(len(own & other) / len(own) for other in others) / max(len(others), 1)
    return shared + len(passages[i].sources)
