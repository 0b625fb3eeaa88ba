"""What is given to be remembered, settled into the fields of a node."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from context_graph import arguments
from context_graph.dates import read_date
from context_graph.errors import InvalidInput
from context_graph.instants import from_datetime
from context_graph.media import MediaFile
from context_graph.models import Domain, Scope
from context_graph.safety.pii import scrub, scrub_all
from context_graph.texts import storable, storable_all

__all__ = ["CONTENT_LIMIT", "METADATA_DEPTH", "METADATA_LIMIT", "Draft", "cleaned", "deeper", "settled"]

CONTENT_LIMIT = 65_536
METADATA_LIMIT = 32_768  # characters of JSON; metadata is for fields, content for text
METADATA_DEPTH = 16
TEXTS = {"rationale", "session_id", "agent_id", "domain", "scope", "speaker", "name"}


@dataclass(frozen=True, slots=True)
class Draft:
    """One memory to store.

    Without the fields, the metadata keys session, agent_id, domain, scope, date, speaker and name (or title) are read;
    tags, aliases, supersedes and holds_beside are read always.

    Attributes
    ----------
    rationale : str
        Why it matters.
    importance : float, optional
        In [0, 1]; given, it counts as set by the user.
    link_to : sequence of str or Draft
        Ids of memories that it belongs to; in `remember_many` also drafts that stand before it.
    occurred_at : int, optional
        Microseconds; when it happened, now if not given.
    file : MediaFile, optional
        A picture, sound or film, from `context_graph.media.opened`; the content is then its caption, or empty.
    passive : bool
        Captured, not chosen: it weighs less, earns no reward, leaves the session as it is, and is not stored where a
        memory says the same already, whoever said that and when.
    read_head : bool
        Whether a date and a speaker at the beginning of the content are read where no field gives them; off for what is
        no utterance, such as the parts of a document.
    derived_from : sequence of str
        Ids of memories whose content it repeats: deleting one of them for good deletes this one too.
    """

    content: str
    rationale: str = ""
    importance: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    link_to: "Sequence[str | Draft]" = ()
    session_id: str | None = None
    agent_id: str | None = None
    domain: str | None = None
    scope: str | None = None
    occurred_at: int | None = None
    speaker: str | None = None
    name: str | None = None
    modality: str = "text"
    file: MediaFile | None = None
    passive: bool = False
    read_head: bool = True
    derived_from: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        draft: "str | Draft",
        *,
        metadata: Mapping[str, Any] | None = None,
        tags: Sequence[str] | None = None,
        supersedes: str | Sequence[str] | None = None,
        **fields: Any,
    ) -> Self:
        """The draft itself, or one of a text and the fields that are not None; instants are datetimes here."""
        fields = arguments.given(fields | {"metadata": metadata, "tags": tags, "supersedes": supersedes})
        if isinstance(draft, cls):
            if fields:
                raise InvalidInput(f"a Draft has its own {next(iter(fields))}; set it there", field="content")
            return draft
        content = arguments.text(draft, "content", advice="give a text or a Draft")
        entries = fields.pop("metadata", {})
        if not isinstance(entries, Mapping):
            raise InvalidInput(f"metadata must be a mapping, got {type(entries).__name__}", field="metadata")
        entries = dict(entries)
        if "tags" in fields:
            entries["tags"] = arguments.names(fields.pop("tags"), "tags")
        if "supersedes" in fields:
            replaced = fields.pop("supersedes")
            entries["supersedes"] = replaced if isinstance(replaced, str) else arguments.names(replaced, "supersedes")
        if "occurred_at" in fields:
            fields["occurred_at"] = from_datetime(fields["occurred_at"], field="occurred_at")
        for name in TEXTS & fields.keys():
            arguments.text(fields[name], name)
        if "importance" in fields:
            fields["importance"] = arguments.share(fields["importance"], "importance")
        if "link_to" in fields:
            fields["link_to"] = arguments.names(fields["link_to"], "link_to")
        return cls(content, metadata=entries, **fields)


def cleaned(draft: Draft, *, kinds: Set[str]) -> tuple[Draft, list[str]]:
    """The draft without secrets and personal data, and the kinds that were replaced.

    Lone surrogates, which no file can hold, become U+FFFD.
    """
    content, rationale = scrub(storable(draft.content), kinds=kinds), scrub(storable(draft.rationale), kinds=kinds)
    metadata, types = scrub_all(storable_all(dict(draft.metadata)), kinds=kinds)
    name = scrub(storable(draft.name), kinds=kinds) if draft.name else None
    speaker = scrub(storable(draft.speaker), kinds=kinds) if draft.speaker else None
    types = types | {*content.types, *rationale.types}
    types |= {*(name.types if name else ()), *(speaker.types if speaker else ())}
    return (
        replace(
            draft, content=content.text, rationale=rationale.text, metadata=metadata,
            name=name.text if name else None, speaker=speaker.text if speaker else None,
        ),
        sorted(types),
    )  # fmt: skip


def settled(draft: Draft) -> Draft:
    """Fields that were not given, read from the metadata; what makes no sense is refused."""
    if not draft.content.strip():
        raise InvalidInput("content must hold text, got only blanks", field="content")
    if len(draft.content) > CONTENT_LIMIT:
        raise InvalidInput(
            f"content must have at most {CONTENT_LIMIT} characters, got {len(draft.content)}; "
            "split it and link the parts with link_to",
            field="content",
        )
    if _crowded(draft.metadata):
        raise InvalidInput(
            f"metadata must stay below {METADATA_LIMIT} characters, got far more entries; put text into content",
            field="metadata",
        )
    if deeper(draft.metadata, METADATA_DEPTH):
        raise InvalidInput(
            f"metadata may be nested {METADATA_DEPTH} levels deep; put text into content", field="metadata"
        )
    if len(repr(draft.metadata)) > METADATA_LIMIT:
        raise InvalidInput(
            f"metadata must stay below {METADATA_LIMIT} characters; put text into content", field="metadata"
        )
    metadata = draft.metadata
    occurred_at = draft.occurred_at
    if occurred_at is None and metadata.get("date") is not None:
        occurred_at = read_date(str(metadata["date"]), field="metadata.date")
    return replace(
        draft,
        session_id=draft.session_id or _text(metadata, "session"),
        agent_id=draft.agent_id or _text(metadata, "agent_id"),
        domain=_one_of(Domain, draft.domain, "domain") or _choice(metadata, "domain", Domain) or Domain.GENERAL,
        scope=_one_of(Scope, draft.scope, "scope") or _choice(metadata, "scope", Scope) or Scope.USER,
        occurred_at=occurred_at,
        speaker=draft.speaker or _text(metadata, "speaker"),
        name=draft.name or _text(metadata, "name") or _text(metadata, "title"),
    )


def _crowded(value: Any) -> bool:
    """Whether nested data has so many entries, of three characters at least, that its text must be too long."""
    count, layer = 0, [value]
    for _ in range(METADATA_DEPTH + 1):
        layer = [outer for outer in layer if isinstance(outer, Mapping | list)]
        count += sum(map(len, layer))
        if count > METADATA_LIMIT // 3 or not layer:
            break
        layer = [inner for outer in layer for inner in (outer.values() if isinstance(outer, Mapping) else outer)]
    return count > METADATA_LIMIT // 3


def deeper(value: Any, levels: int) -> bool:
    """Whether nested data has more levels than so many."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, Mapping) else outer if isinstance(outer, list) else ())
        ]
        if not layer:
            return False
    return True


def _text(given: Mapping[str, Any], key: str) -> str | None:
    value = given.get(key)
    return value.strip()[:128] if isinstance(value, str) and value.strip() else None


def _one_of(choices: type[StrEnum], word: str | None, field: str) -> str | None:
    if word and word not in list(choices):
        raise InvalidInput(f"{field} must be one of {', '.join(choices)}, got {word[:40]!r}", field=field)
    return word


def _choice(given: Mapping[str, Any], key: str, choices: type[StrEnum]) -> str | None:
    """A metadata value where it is one of the words the field knows; metadata is free-form, so others are no error."""
    value = given.get(key)
    return value.lower() if isinstance(value, str) and value.lower() in list(choices) else None
