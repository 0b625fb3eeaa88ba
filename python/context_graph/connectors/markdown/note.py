"""One memory as a Markdown file: front matter, its text, and links that every export writes anew."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any

from context_graph.errors import InvalidInput
from context_graph.instants import EARLIEST, LATEST, from_iso, to_iso
from context_graph.models import Node
from context_graph.reading.front_matter import date_in, front_matter, line_of_key, title_in
from context_graph.reading.metadata import texts
from context_graph.regex import regex

__all__ = ["MAX_NOTE_BYTES", "Fields", "Note", "read_note", "rendered"]

LINKS = "%% context-graph: what follows is written anew by every export %%"
"""Stands between the text and its links; the last such line of a file counts, so a text may hold it."""

HEADING = "## Links"
MAX_NOTE_BYTES = 1_000_000
MAX_FIELD = 200
MAX_TAGS_CHARACTERS = 4_000
"""Of tags that are written; a reader of front matter takes 16,384 characters of it."""

OWN = (
    "id", "kind", "name", "created", "occurred", "ended", "speaker", "tags", "importance", "scope", "session", "source",
    "supersedes", "superseded_by", "hash",
)  # fmt: skip
"""Keys of the front matter that an export writes; others are their writer's and stay."""

_LINK_LINE = regex(r"- [a-z ]+: \[\[[^\[\]]*\]\]")
_ID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DELIMITER = regex(r"\ufeff?---[ \t]*(?:\r?\n|$)")
_OWN_LINE = regex(rf"id: *{_ID.pattern}|hash: *[0-9a-f]{{64}}")
"""A line of front matter that nobody but an export writes."""


@dataclass(frozen=True, slots=True)
class Fields:
    """What a person may edit of a memory, as a file can hold it.

    Attributes
    ----------
    occurred : int
        Milliseconds, as front matter names them.
    """

    text: str
    name: str
    tags: tuple[str, ...]
    importance: float
    speaker: str
    occurred: int

    @classmethod
    def of(cls, node: Node) -> "Fields":
        tags: list[str] = []
        for tag in dict.fromkeys(texts(node.metadata, "tags")):
            if sum(len(_quoted(one)) for one in (*tags, tag)) > MAX_TAGS_CHARACTERS:
                break
            tags.append(tag)
        return cls(
            node.content, node.name[:MAX_FIELD], tuple(tags), round(float(node.importance), 4),
            (node.speaker or "")[:MAX_FIELD], node.occurred_at // 1_000,
        )  # fmt: skip

    @property
    def digest(self) -> str:
        """SHA-256 of what is said: line ends and blank lines around the text, which editors change, do not count."""
        plain = asdict(self) | {"text": _plain(self.text)}
        return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()

    def says_as(self, other: "Fields") -> bool:
        """Whether two say the same of the world: all but what is said about the memory itself."""
        return (_plain(self.text), self.speaker, self.occurred) == (_plain(other.text), other.speaker, other.occurred)


@dataclass(frozen=True, slots=True)
class Note:
    """A file as it was read.

    Attributes
    ----------
    id, hash : str
        As the front matter names them; empty where it does not.
    name, tags, importance, speaker, occurred : optional
        None where the front matter does not say.
    extra : mapping
        What else stands in the front matter.
    """

    text: str
    id: str
    hash: str
    kind: str
    name: str | None
    tags: tuple[str, ...] | None
    importance: float | None
    speaker: str | None
    occurred: int | None
    past: bool
    """Whether it had ended where it was exported."""

    extra: Mapping[str, Any]

    def fields(self, here: Fields) -> Fields:
        """What the file says, and what is known where it says nothing."""
        return Fields(
            self.text,
            here.name if self.name is None else self.name,
            here.tags if self.tags is None else self.tags,
            here.importance if self.importance is None else self.importance,
            here.speaker if self.speaker is None else self.speaker,
            here.occurred if self.occurred is None else self.occurred,
        )


def rendered(
    node: Node,
    *,
    supersedes: Iterable[str] = (),
    superseded_by: str = "",
    links: Iterable[tuple[str, str]] = (),
    extra: Mapping[str, Any] | None = None,
    concept: bool = False,
) -> str:
    """The file of a memory or concept.

    Parameters
    ----------
    supersedes, superseded_by
        Wiki links to the memories whose place it took, and to that which took its own.
    links : iterable of (str, str)
        A word for each link, and the wiki link.
    extra : mapping, optional
        Entries of front matter that others wrote.
    """
    fields = Fields.of(node)
    lines = [f"id: {node.id}"]
    if concept:
        lines += ["kind: concept", f"name: {_quoted(fields.name)}"]
    else:
        source = node.metadata.get("source")
        lines += [
            f"name: {_quoted(fields.name)}", f"created: {to_iso(node.created_at)}",
            f"occurred: {to_iso(node.occurred_at)}",
            *([] if node.valid_to is None else [f"ended: {to_iso(node.valid_to)}"]),
            f"speaker: {_quoted(fields.speaker)}", f"tags: [{', '.join(map(_quoted, fields.tags))}]",
            f"importance: {fields.importance}", f"scope: {node.scope}",
            f"session: {_quoted(node.session_id[:MAX_FIELD])}",
            *([f"source: {_quoted(source[:MAX_FIELD])}"] if isinstance(source, str) else []),
            *([f"supersedes: [{', '.join(map(_quoted, old))}]"] if (old := list(supersedes)) else []),
            *([f"superseded_by: {_quoted(superseded_by)}"] if superseded_by else []),
        ]  # fmt: skip
    lines.append(f"hash: {fields.digest}")
    lines += [
        f"{_quoted(key)}: {_escaped(json.dumps(value, ensure_ascii=False))}" for key, value in (extra or {}).items()
    ]
    below = "".join(f"- {word}: {link}\n" for word, link in links)
    return "---\n" + "\n".join(lines) + f"\n---\n\n{node.content}\n\n{LINKS}\n{HEADING}\n\n{below}"


def read_note(data: bytes, *, exported: bool = False) -> Note:
    """A file as text and fields; what is wrong with it is an error in words.

    Parameters
    ----------
    exported : bool
        Whether an export wrote a file of this path, so that --- at its beginning opens front matter.
    """
    if len(data) > MAX_NOTE_BYTES:
        raise InvalidInput(f"it has more than {MAX_NOTE_BYTES:,} bytes")
    try:
        whole = data.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"it is not text in UTF-8: {error.reason}") from None
    if re.match("\ufeff?---[ \t]*\r\n", whole):
        whole = whole.replace("\r\n", "\n")  # an editor wrote all of it so
    values, start, problems = front_matter(whole)
    if problems:
        raise InvalidInput(problems[0])
    if not start and (problem := _broken(whole, exported)):
        raise InvalidInput(problem)
    try:
        return Note(
            _text_of(whole[start:]), _id(values), _word(values.get("hash")), _word(values.get("kind")),
            _name(values), _tags(values), _importance(values), _told(values, "speaker"), _occurred(values),
            bool(values.get("ended")),
            {key: value for key, value in values.items() if key not in OWN},
        )  # fmt: skip
    except _WrongValue as error:
        line = line_of_key(whole, error.key)
        where = f"line {line}: " if line else ""
        raise InvalidInput(f"front matter: {where}{error.key}: {error}") from None


class _WrongValue(ValueError):
    """A value of front matter that makes no sense."""

    def __init__(self, key: str, problem: str) -> None:
        super().__init__(problem)
        self.key = key


def _broken(whole: str, exported: bool) -> str:
    """What is wrong where a file begins with front matter that is not told from its text; empty where it does not."""
    opened = _DELIMITER.match(whole)
    lines = (whole[opened.end() :] if opened else whole).removeprefix("\ufeff").strip().splitlines()
    head = takewhile(str.strip, lines)
    own = any(_OWN_LINE.fullmatch(line.strip().lower()) for line in head)
    if opened:
        return "front matter not closed: expected a line --- below its keys" if own or exported else ""
    return f"front matter not opened: expected --- as the first line, got {lines[0][:40]!r}" if own else ""


def _text_of(body: str) -> str:
    """What stands above the links."""
    text, line, below = body.removeprefix("\n").rpartition(f"{LINKS}\n")
    if not line or (text and not text.endswith("\n")):
        return body.strip("\r\n")
    strange = [one for one in below.splitlines() if one.strip() not in ("", HEADING) and not _LINK_LINE.fullmatch(one)]
    if strange:
        raise InvalidInput("text stands below its links, where an export would lose it; move it above them")
    return text.removesuffix("\n").removesuffix("\n")


def _id(values: Mapping[str, Any]) -> str:
    id = _word(values.get("id")).lower()
    return id if _ID.fullmatch(id) else ""


def _word(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _told(values: Mapping[str, Any], key: str) -> str | None:
    value = values.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise _WrongValue(key, f"expected text, got {type(value).__name__}")
    if len(str(value)) > MAX_FIELD:
        raise _WrongValue(key, f"expected at most {MAX_FIELD} characters, got {len(str(value))}")
    return str(value)


def _name(values: Mapping[str, Any]) -> str | None:
    """That under `name`; where no export wrote the note, else its title."""
    name = _told(values, "name")
    return name if name is not None or _id(values) else title_in(values)[:MAX_FIELD] or None


def _tags(values: Mapping[str, Any]) -> tuple[str, ...] | None:
    entries = values.get("tags")
    if entries is None:
        return None
    entries = re.split(r"[,\s]+", entries) if isinstance(entries, str) else entries
    if not isinstance(entries, list) or not all(isinstance(tag, str | int | float) for tag in entries):
        raise _WrongValue("tags", "expected a list of words")
    return tuple(dict.fromkeys(str(tag).strip() for tag in entries if str(tag).strip()))


def _importance(values: Mapping[str, Any]) -> float | None:
    value = values.get("importance")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _WrongValue("importance", f"expected a number from 0 to 1, got {str(value)[:40]!r}")
    return round(float(value), 4)


def _occurred(values: Mapping[str, Any]) -> int | None:
    """That under `occurred`; where no export wrote the note, else its date, if that can be read."""
    value = values.get("occurred")
    if value is None or value == "":
        moment = None if _id(values) else date_in(values)
        return None if moment is None else round(moment / 1_000)
    try:
        moment = from_iso(str(value)[:60])
    except InvalidInput:
        raise _WrongValue(
            "occurred", f"expected a date such as 2026-11-21T09:30:00Z, got {str(value)[:40]!r}"
        ) from None
    if not EARLIEST <= moment <= LATEST:
        raise _WrongValue("occurred", "expected a date in the years 1 to 9999")
    return round(moment / 1_000)


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _quoted(text: str) -> str:
    """A text as YAML reads it back exactly, on one line."""
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(json_text: str) -> str:
    return "".join(
        one if one.isprintable() else f"\\u{ord(one):04x}" if ord(one) < 0x10000 else f"\\U{ord(one):08x}"
        for one in json_text
    )
