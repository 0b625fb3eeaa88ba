"""The turns of a conversation, read from a transcript."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field, replace
from typing import Any

from context_graph.connectors.claude_code.filters import Clean, cleaned
from context_graph.connectors.claude_code.hook_event import project_of
from context_graph.errors import InvalidInput
from context_graph.models import Microseconds, from_iso
from context_graph.regex import regex
from context_graph.safety.pii import ALL_KINDS

__all__ = ["FORMATS", "Transcript", "Turn", "format_of", "read"]

FORMATS = ("claude-code", "jsonl", "text")
MAX_FORMAT_LINES = 20  # lines from which a format is recognised

_ROLES = {
    "user": "user", "human": "user", "you": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant",
}  # fmt: skip
_NO_TURNS = frozenset({"system", "developer", "tool", "function"})
_SPOKEN = regex(r"(?:\*\*)?([^\W\d_][\w .'-]{0,39})(?:\*\*)?:(?:\*\*)?(?:[ \t]+|$)")


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker said before another did.

    Attributes
    ----------
    texts : tuple of str
        The messages it came in, cleaned: an answer is written in several, with work between them.
    private : bool
        Something in it was marked as private.
    cut : bool
        A message was longer than what is kept of one.
    at : int, optional
        Microseconds; when it began.
    id : str
        Of its first message, where the host gave one.
    end : int
        Bytes of the transcript up to its end.
    """

    speaker: str
    texts: tuple[str, ...]
    private: bool = False
    cut: bool = False
    at: Microseconds | None = None
    id: str = ""
    end: int = 0

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts)


@dataclass(slots=True)
class Transcript:
    """The turns of a transcript, and what else it told.

    Attributes
    ----------
    bad : list of (int, str)
        Lines that could not be read, by number, and why.
    undated : list of (int, str)
        Lines whose timestamp could not be read, by number, and what it says; all else of them is taken.
    end : int
        Bytes that were read; the rest is not written to its end yet, or came later than asked for.
    recoded : int
        Lines that are not UTF-8, and were read as Windows-1252.
    """

    turns: list[Turn] = field(default_factory=list)
    bad: list[tuple[int, str]] = field(default_factory=list)
    undated: list[tuple[int, str]] = field(default_factory=list)
    session: str = ""
    project: str = ""
    repository: str = ""
    recoded: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Message:
    """One line of a transcript that belongs to the conversation.

    Attributes
    ----------
    timestamp : object
        As the line has it; where `at` is None it names no moment.
    """

    speaker: str
    content: Clean
    at: Microseconds | None
    id: str = ""
    timestamp: Any = None


def format_of(lines: Iterable[bytes]) -> str:
    """Which format the first lines are in."""
    for line in [line for line in lines if line.strip()][:MAX_FORMAT_LINES]:
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return "jsonl" if "role" in found else "claude-code"
    return "text"


def read(
    lines: Iterable[bytes],
    format: str,
    *,
    kinds: Set[str] = ALL_KINDS,
    start: int = 0,
    until: Microseconds | None = None,
) -> Transcript:
    """Read a transcript.

    Parameters
    ----------
    lines : iterable of bytes
        With their ends; the last may be unfinished.
    kinds : set of str
        Sensitive text that is replaced, as the setting `redact` says.
    start : int
        Bytes of the transcript before the first line.
    until : int, optional
        Microseconds: stop at the first message that is later.
    """
    if format == "text":
        return _read_text(lines, kinds)
    transcript = Transcript(end=start)
    message_of = _of_claude_code if format == "claude-code" else _of_jsonl
    for number, line in enumerate(lines, 1):
        try:
            message = _message(line, message_of, transcript, kinds)
        except InvalidInput as error:
            if not line.endswith(b"\n"):  # the host is still writing it
                break
            transcript.bad.append((number, str(error)))
            message = None
        if message is not None and until is not None and message.at is not None and message.at > until:
            break
        transcript.end += len(line)
        if message is not None:
            if message.at is None and message.timestamp not in (None, ""):
                transcript.undated.append((number, f"timestamp {str(message.timestamp)[:40]!r}"))
            _add(transcript, message, joined=format == "claude-code")
        elif transcript.turns:  # work between two messages of an answer
            transcript.turns[-1] = replace(transcript.turns[-1], end=transcript.end)
    return transcript


def _message(
    line: bytes,
    message_of: Callable[[dict[str, Any], Transcript], tuple[str, str, str] | None],
    transcript: Transcript,
    kinds: Set[str],
) -> _Message | None:
    if not line.strip():
        return None
    text, recoded = _decoded(line)
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("not JSON") from error
    transcript.recoded += recoded
    if not isinstance(record, dict):
        raise InvalidInput(f"expected an object, got {type(record).__name__}")
    message = message_of(record, transcript)
    if message is None:
        return None
    speaker, text, id = message
    clean = cleaned(text, kinds=kinds)
    if not clean.text and not clean.private:
        return None
    timestamp = record.get("timestamp")
    return _Message(speaker, clean, _instant(timestamp), id, timestamp)


def _decoded(line: bytes) -> tuple[str, bool]:
    """A line as text, and whether it is Windows-1252: no other encoding is guessed, and nothing is replaced unsaid."""
    try:
        return line.decode("utf-8").removeprefix("\ufeff"), False
    except UnicodeDecodeError:
        pass
    try:
        return line.decode("cp1252"), True
    except UnicodeDecodeError as error:
        raise InvalidInput("neither UTF-8 nor Windows-1252") from error


def _of_claude_code(record: dict[str, Any], transcript: Transcript) -> tuple[str, str, str] | None:
    """Speaker, text and id of a line that somebody said; tools, side chains and the host's own lines are nobody's."""
    kind, message = record.get("type"), record.get("message")
    if kind not in ("user", "assistant"):
        return None
    if not isinstance(message, dict):
        raise InvalidInput(f"expected a message in a line of type {kind}, got {type(message).__name__}")
    if any(record.get(mark) is True for mark in ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage")):
        return None
    if message.get("model") == "<synthetic>":  # the host speaks in the place of the model
        return None
    transcript.session = transcript.session or _told(record, "sessionId")
    if not transcript.project:
        transcript.project, transcript.repository = project_of(_told(record, "cwd"))
    return kind, _text_of(message.get("content")), _told(record, "uuid")


def _of_jsonl(record: dict[str, Any], transcript: Transcript) -> tuple[str, str, str] | None:
    role = record.get("role")
    if not isinstance(role, str) or not role.strip():
        raise InvalidInput("expected a role and a content")
    if "content" not in record:
        raise InvalidInput("expected a content beside the role")
    role = role.strip()
    if role.lower() in _NO_TURNS:
        return None
    return _ROLES.get(role.lower(), role[:60]), _text_of(record["content"]), _told(record, "id")


def _text_of(content: Any) -> str:
    """The words of a message, without tool calls, their results and thoughts."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(text for text in texts if isinstance(text, str))


def _told(record: dict[str, Any], key: str) -> str:
    value = record.get(key)
    return value if isinstance(value, str) else ""


def _instant(text: Any) -> Microseconds | None:
    try:
        return from_iso(text) if isinstance(text, str) else None
    except InvalidInput:
        return None


def _add(transcript: Transcript, message: _Message, *, joined: bool) -> None:
    """Take in a message; the assistant's messages up to the next prompt are one answer."""
    utterance, last = message.content, transcript.turns[-1] if transcript.turns else None
    texts = (utterance.text,) if utterance.text else ()
    if joined and last is not None and last.speaker == message.speaker == "assistant":
        private, cut = last.private or utterance.private, last.cut or utterance.cut
        transcript.turns[-1] = replace(last, texts=last.texts + texts, private=private, cut=cut, end=transcript.end)
    else:
        transcript.turns.append(
            Turn(message.speaker, texts, utterance.private, utterance.cut, message.at, message.id, transcript.end)
        )


def _read_text(lines: Iterable[bytes], kinds: Set[str]) -> Transcript:
    """Turns that begin with a name and a colon.

    Where someone is called User or Assistant, only such words are speakers; else the first name, and every name that
    begins two lines: a lone "Note:" is none.
    """
    transcript = Transcript()
    texts = []
    for number, line in enumerate(lines, 1):
        try:
            text, recoded = _decoded(line)
        except InvalidInput as error:
            transcript.bad.append((number, str(error)))
            text, recoded = "", False
        transcript.recoded += recoded
        texts.append(text.rstrip("\r\n"))
    speaker_matches = [_SPOKEN.match(text) for text in texts]
    names = Counter(match[1] for match in speaker_matches if match)
    speakers = {name for name in names if name.lower() in _ROLES or name.lower() in _NO_TURNS}
    if not any(name.lower() in _ROLES for name in speakers):
        speakers = {name for name, count in names.items() if count > 1} | set(list(names)[:1])
    open_turn: tuple[str, list[str]] | None = None
    before: list[int] = []
    for number, (text, match) in enumerate(zip(texts, speaker_matches, strict=True), 1):
        if match and match[1] in speakers:
            _close(transcript, open_turn, kinds)
            open_turn = (match[1], [text[match.end() :]])
        elif open_turn is not None:
            open_turn[1].append(text)
        elif text.strip():
            before.append(number)
    _close(transcript, open_turn, kinds)
    transcript.bad += [(number, "nobody is named who says it") for number in before]
    transcript.bad.sort()
    return transcript


def _close(transcript: Transcript, turn: tuple[str, list[str]] | None, kinds: Set[str]) -> None:
    if turn is None or turn[0].lower() in _NO_TURNS:
        return
    clean = cleaned("\n".join(turn[1]), kinds=kinds)
    if clean.text or clean.private:
        speaker = _ROLES.get(turn[0].lower(), turn[0])
        transcript.turns.append(Turn(speaker, (clean.text,) if clean.text else (), clean.private, clean.cut))
