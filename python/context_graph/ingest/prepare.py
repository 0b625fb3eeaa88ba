"""A draft made ready: its file read, its fields settled, its text cleaned and judged for orders to an agent."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from context_graph.errors import AdversarialBlocked
from context_graph.index.corpus import Corpus
from context_graph.ingest.draft import Draft, check_fields, check_room, cleaned, settled
from context_graph.ingest.media import MediaReading, noted, read_media
from context_graph.models import Caller, to_iso
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.utterance import read_head
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Begun", "Prepared", "attributed", "begun", "prepare"]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is kept of a draft, as far as it depends on nothing that is stored.

    Attributes
    ----------
    text : AnalyzedText
        What it says; each reading of it is made once, by whoever asks first.
    file : MediaReading, optional
        What was found in its file.
    redactions : tuple of str
        Kinds of sensitive text that were replaced.
    taint : float
        How much the content reads like an order to an agent.
    understood : mapping
        Speaker and date that were read from the beginning of the content.
    heading : str, optional
        A name before a colon: a speaker if somebody of this name has spoken before, see `attributed`.
    form : int, optional
        The traits of its text, where they are known already.
    """

    draft: Draft
    text: AnalyzedText
    file: MediaReading | None
    redactions: tuple[str, ...]
    taint: float
    understood: Mapping[str, str]
    heading: str | None = None
    form: int | None = None


class Begun(NamedTuple):
    """A draft with its file read and its fields settled, as `Prepared` has them; not cleaned yet."""

    draft: Draft
    file: MediaReading | None
    understood: Mapping[str, str]
    heading: str | None


def begun(memory: "Runtime", draft: Draft) -> Begun:
    """Read the file of a draft and settle its fields; what cannot be stored is refused."""
    check_fields(draft)
    draft, file = read_media(memory, draft)
    draft, understood, heading = _headed(settled(draft))
    return Begun(draft, file, understood, heading)


def prepare(memory: "Runtime", draft: Draft, caller: Caller) -> Prepared:
    """Read the file of a draft, settle its fields, clean it: nothing uncleaned goes further."""
    draft, file, understood, heading = begun(memory, draft)
    draft, redactions = cleaned(draft, kinds=memory.settings.redacted)
    check_room(draft)
    if agent := draft.agent_id or caller.agent_id:
        draft = replace(draft, agent_id=memory.written_name(agent))
    draft = noted(draft, file)
    return Prepared(draft, _analyzed(draft), file, tuple(redactions), _inspect(draft), understood, heading)


def _analyzed(draft: Draft) -> AnalyzedText:
    return AnalyzedText(draft.content, draft.name, draft.speaker, draft.metadata)


def _headed(draft: Draft) -> tuple[Draft, dict[str, str], str | None]:
    """Speaker and date as the content begins with them, where no field gives them; and what may be a speaker.

    The content stays as it was told.
    """
    titled = draft.name is not None  # a document, not an utterance
    if titled or not draft.read_head or draft.file is not None or (draft.speaker and draft.occurred_at is not None):
        return draft, {}, None
    head, understood = read_head(draft.content), {}
    speaker = head.speaker if draft.speaker is None else None
    if speaker and head.sure:
        draft = replace(draft, speaker=speaker)
        understood["speaker"] = speaker
    if draft.occurred_at is None and head.occurred_at is not None:
        draft = replace(draft, occurred_at=head.occurred_at)
        understood["occurred_at"] = to_iso(head.occurred_at)
    return draft, understood, None if head.sure or draft.speaker else speaker or head.heading


def attributed(prepared: Prepared, corpus: Corpus, *, memory: "Runtime") -> Prepared:
    """With the name before the first colon as its speaker, where somebody of this name has spoken before.

    It may be a heading as well, so what follows it does not tell.
    """
    name = prepared.heading
    if name is None or corpus.speakers.known(name.lower()) < 0:
        return prepared
    draft, redactions = cleaned(replace(prepared.draft, speaker=name), kinds=memory.settings.redacted)
    return replace(
        prepared,
        draft=draft,
        text=_analyzed(draft),
        redactions=tuple(sorted({*prepared.redactions, *redactions})),
        understood={"speaker": name, **prepared.understood},
    )


def _inspect(draft: Draft) -> float:
    """How suspicious the content is; an order to the agent itself in the rationale is refused."""
    if suspicion(draft.rationale) >= QUARANTINE_FROM:
        raise AdversarialBlocked(
            "the rationale reads like an instruction to an agent and was not stored; "
            "say in plain words why this matters"
        )
    return suspicion(draft.content)
