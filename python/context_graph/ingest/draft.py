"""What is given to be remembered, settled into the fields of a node."""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from operator import index
from typing import Any, Self, SupportsIndex

from context_graph import arguments
from context_graph.dates import read_date
from context_graph.errors import InvalidInput
from context_graph.instants import EARLIEST, LATEST, from_datetime
from context_graph.media import MediaFile
from context_graph.models import Domain, Scope
from context_graph.safety.pii import scrub, scrub_all
from context_graph.texts import says_something, storable, storable_all

__all__ = [
    "CONTENT_LIMIT", "METADATA_DEPTH", "METADATA_LIMIT", "METADATA_ROOM", "Draft", "check_fields", "check_room",
    "cleaned", "deeper", "settled",
]  # fmt: skip

CONTENT_LIMIT = 65_536
METADATA_LIMIT = 32_768  # characters of JSON; metadata is for fields, content for text
METADATA_ROOM = 2 * METADATA_LIMIT
"""Characters of stored metadata: what was replaced in them may have grown, and the name stands there too."""

METADATA_DEPTH = 16
MAX_ADDED_METADATA = 4_096
"""Characters that storing adds to metadata: what is known of a file, and whether a date was given."""

TEXTS = {"rationale", "session_id", "agent_id", "domain", "scope", "speaker", "name"}
LONGEST = {name: CONTENT_LIMIT for name in TEXTS} | {"name": METADATA_LIMIT}
"""Characters of each text, as an import takes them; the name stands in the metadata too."""


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


def check_fields(draft: Draft) -> None:
    """Refuse a draft with a field of another type, or beyond what an export of it could bring back."""
    if not isinstance(draft.content, str):
        arguments.text(draft.content, "content", advice="give a text or a Draft")
    for name in sorted(TEXTS):
        _check_text(getattr(draft, name), name)
    if draft.importance is not None:
        arguments.share(draft.importance, "importance")
    if draft.occurred_at is not None:
        _check_moment(draft.occurred_at)
    if not isinstance(draft.metadata, Mapping):
        raise InvalidInput(f"metadata must be a mapping, got {type(draft.metadata).__name__}", field="metadata")
    for name in ("link_to", "derived_from"):
        targets = getattr(draft, name)
        is_sequence = isinstance(targets, list | tuple)
        arguments.names([one for one in targets if not isinstance(one, Draft)] if is_sequence else targets, name)


def _check_text(value: Any, name: str) -> None:
    if value is None and name != "rationale":
        return
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be a text, got {type(value).__name__} {str(value)[:40]!r}", field=name)
    if len(value) > LONGEST[name]:
        raise InvalidInput(
            f"{name} must have at most {LONGEST[name]} characters, got {len(value)}; shorten it or put it into content",
            field=name,
        )


def _check_moment(value: Any) -> None:
    if not isinstance(value, SupportsIndex) or isinstance(value, bool):
        raise InvalidInput(
            f"occurred_at of a Draft must be microseconds since 1970-01-01 UTC, got {type(value).__name__} "
            f"{str(value)[:40]!r}; context_graph.instants.from_datetime makes them of a datetime",
            field="occurred_at",
        )
    if not EARLIEST <= index(value) <= LATEST:
        raise InvalidInput(
            f"occurred_at must lie in the years 1 to 9999, got {value} microseconds since 1970-01-01 UTC",
            field="occurred_at",
        )


def check_room(draft: Draft) -> None:
    """Refuse a cleaned draft that grew beyond what can be stored, where much in it was replaced."""
    for name in ("content", "rationale", "speaker"):
        if (length := len(getattr(draft, name) or "")) > CONTENT_LIMIT:
            raise InvalidInput(
                f"{name} must have at most {CONTENT_LIMIT} characters once sensitive text is replaced, got {length}; "
                "split it",
                field=name,
            )
    if len(repr(draft.metadata)) + len(repr(draft.name)) + MAX_ADDED_METADATA > METADATA_ROOM:
        raise InvalidInput(
            f"metadata and name must stay below {METADATA_ROOM - MAX_ADDED_METADATA} characters once sensitive text is "
            "replaced; put text into content",
            field="metadata",
        )


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
    if not says_something(draft.content):
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
    if _length(draft.metadata) > METADATA_LIMIT:
        raise InvalidInput(
            f"metadata must stay below {METADATA_LIMIT} characters; put text into content", field="metadata"
        )
    _check_json(draft.metadata)
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


def _length(metadata: Mapping[str, Any]) -> int:
    try:
        return len(repr(metadata))
    except (ValueError, RecursionError) as error:  # a number of more digits than Python writes
        raise InvalidInput(f"metadata must be data that JSON can hold: {error}", field="metadata") from error


def _check_json(metadata: Mapping[str, Any]) -> None:
    """Refuse what JSON cannot hold by the name of its field, before fields of this package stand beside it."""
    for name, value in metadata.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            got = f"{type(value).__name__} {value!r:.40}"
            raise InvalidInput(
                f"metadata must be data that JSON can hold; {str(name)[:40]!r} is {got}", field="metadata"
            ) from error


def _crowded(value: Any) -> bool:
    """Whether nested data has so many entries, of three characters at least, that its text must be too long."""
    count, layer = 0, [value]
    for _ in range(METADATA_DEPTH + 1):
        layer = [outer for outer in layer if isinstance(outer, Mapping | list | tuple)]
        count += sum(map(len, layer))
        if count > METADATA_LIMIT // 3 or not layer:
            break
        layer = [inner for outer in layer for inner in (outer.values() if isinstance(outer, Mapping) else outer)]
    return count > METADATA_LIMIT // 3


def deeper(value: Any, levels: int) -> bool:
    """Whether nested data has more levels than so many."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [inner for outer in layer for inner in _entries(outer)]
        if not layer:
            return False
    return True


def _entries(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


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
