"""Working notes of an agent in a session: files beside the store, which end after an hour, and no memories.

What is only thought of must be able to go without a trace, which an event log never lets it: so notes stand in
`scratch/` in the home, a file for each agent in each session, for their owner alone. Dreams take the important ones
into the memory.
"""

import fcntl
import json
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from context_graph.errors import InvalidInput, Refused, StoreError
from context_graph.ingest.curation import cleaned_note
from context_graph.ingest.draft import Draft
from context_graph.ingest.judging import SURPRISE_WEIGHTS
from context_graph.ingest.remember import Remembered, remember
from context_graph.instants import MINUTE_US
from context_graph.models import Caller, Microseconds, Scope
from context_graph.nervous import utl
from context_graph.reading.analysis import AnalyzedText
from context_graph.safety.pii import scrub

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["TTL_MINUTES", "Item", "Pad", "Privacy", "clear", "commit", "let_go", "read", "ripe", "store"]

Privacy = Literal["private", "team", "shared"]

TTL_MINUTES = 60
MAX_ITEMS = 100
"""Notes of one agent in one session."""

MAX_AGENT_NAME = 128
QUOTE = 12
"""Letters from which on a note may be a quotation; "yes" stands in many texts."""

MIDDLING = 0.5
"""The importance that arousing words are added to: that of a memory for which nobody gave any."""

SCOPES = {"private": Scope.SESSION, "team": Scope.SESSION, "shared": Scope.USER}
"""Who sees a note that became a memory: nobody beyond those who could read it, but for other agents of its session."""

_PADS = uuid.UUID("5c1b0f5e-7a53-4a52-9d3c-0d1c1a3d0b5e")


@dataclass(frozen=True, slots=True)
class Item:
    """One note.

    Attributes
    ----------
    delta_s : float
        How new it was beside the memories of then.
    importance : float
        Surprise times arousal, at most 1: above `threshold` a dream takes it into the memory.
    """

    id: str
    content: str
    session_id: str
    agent_id: str
    created_at: Microseconds
    delta_s: float
    importance: float
    threshold: float
    privacy: Privacy = "private"
    tags: tuple[str, ...] = ()

    def expires_at(self) -> Microseconds:
        return self.created_at + TTL_MINUTES * MINUTE_US

    def readable_by(self, session: str, agent: str) -> bool:
        """Whether an agent in a session may read it."""
        if self.session_id == session and self.agent_id == agent:
            return True
        return self.privacy == "shared" or (self.privacy == "team" and self.session_id == session)


@dataclass(frozen=True, slots=True)
class Pad:
    """What an agent in a session may read, oldest first; `own` counts its own notes."""

    id: str
    items: tuple[Item, ...]
    own: int
    redactions: tuple[str, ...] = ()


def store(
    memory: "Runtime",
    content: str,
    caller: Caller,
    *,
    privacy: Privacy = "private",
    tags: Sequence[str] = (),
    threshold: float = 0.6,
) -> Pad:
    """Write one note down."""
    session, agent = _owner(memory, caller)
    note = cleaned_note(memory, content, "content")
    labels = tuple(scrub(tag.strip(), kinds=memory.settings.redacted).text for tag in tags if tag.strip())
    delta_s, importance = _judged(memory, note.text, caller)
    moment = memory.clock()
    item = Item(
        memory.new_id(), note.text, session, agent, moment, delta_s, importance, threshold, privacy, labels
    )  # fmt: skip
    with _folder(memory) as folder:
        own = _load(folder / _file(session, agent), moment)
        if len(own) >= MAX_ITEMS:
            raise Refused(
                f"this scratchpad holds {MAX_ITEMS} notes, and nothing was added; action=clear empties it, and "
                "store_memory keeps what lasts"
            )
        _save(folder / _file(session, agent), [*own, item])
    return Pad(_pad_id(session, agent), (*own, item), len(own) + 1, note.redactions)


def read(memory: "Runtime", caller: Caller, *, tags: Sequence[str] = ()) -> Pad:
    """What an agent in a session may read: its own notes, those of its session's team, those that all share.

    Parameters
    ----------
    tags : sequence of str
        Only notes with one of these, where any is given.
    """
    session, agent = _owner(memory, caller)
    wanted = set(tags)
    every = [item for item in _all(memory) if not wanted or wanted & set(item.tags)]
    items = tuple(item for item in every if item.readable_by(session, agent))
    own = sum((item.session_id, item.agent_id) == (session, agent) for item in items)
    return Pad(_pad_id(session, agent), items, own)


def clear(memory: "Runtime", caller: Caller) -> int:
    """Take an agent's own notes in a session away; returns how many there were."""
    session, agent = _owner(memory, caller)
    with _folder(memory) as folder:
        own = _load(folder / _file(session, agent), memory.clock())
        _save(folder / _file(session, agent), [])
    return len(own)


def ripe(memory: "Runtime", caller: Caller) -> list[Item]:
    """The notes that are important enough to be remembered: of the caller's agent all, of others what is not private,
    for a memory is seen by its whole session.
    """
    agent = memory.written_name(caller.agent_id) if caller.agent_id else None
    grown = (item for item in _all(memory) if item.importance > item.threshold)
    return [item for item in grown if item.privacy != "private" or item.agent_id == agent]


def commit(memory: "Runtime", items: Sequence[Item], over: Callable[[], bool] = lambda: False) -> list[Remembered]:
    """Remember notes, each as a memory of its agent and session; what is remembered leaves its scratchpad."""
    memories = []
    for item in items:
        if over():
            break
        draft = Draft(
            item.content,
            rationale="a working note that was new enough to be kept",
            metadata={"tags": list(item.tags)} if item.tags else {},
            session_id=item.session_id,
            agent_id=item.agent_id,
            scope=SCOPES[item.privacy],
            occurred_at=item.created_at,
        )
        memories.append(remember(memory, draft, wakes_dreams=False))
        _drop(memory, lambda other, id=item.id: other.id == id)  # type: ignore[misc]  # bound now
    return memories


def let_go(memory: "Runtime", content: str) -> None:
    """Take notes away that hold a text which is about to be deleted for good."""
    if (memory.settings.home / "scratch").is_dir():
        _drop(memory, lambda item: content in item.content or (len(item.content) >= QUOTE and item.content in content))


def _judged(memory: "Runtime", text: str, caller: Caller) -> tuple[float, float]:
    """How new a text is beside what its agent may see, and how important that makes it."""
    analyzed = AnalyzedText(text, None, None, {})
    fingerprint = analyzed.fingerprint(memory.embedder, previous="", occurred_at=None, rationale="")
    corpus, novelty = memory.corpus, memory.novelty
    with corpus.lock:
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        near = novelty.of(corpus, fingerprint, visible)
    delta_s = utl.surprise(near.distances, near.nearest, SURPRISE_WEIGHTS)
    return delta_s, min(1.0, delta_s * utl.arousal(analyzed.words, MIDDLING))


def _owner(memory: "Runtime", caller: Caller) -> tuple[str, str]:
    agent = (caller.agent_id or "").strip().encode("utf-8", "backslashreplace").decode()  # half a surrogate is no text
    if not agent or len(agent) > MAX_AGENT_NAME:
        raise InvalidInput(
            f"agent_id must have 1 to {MAX_AGENT_NAME} characters, got {len(agent)}; it keeps agents apart",
            field="agent_id",
        )
    return memory.written_name(caller.session_id), memory.written_name(agent)


# Files


@contextmanager
def _folder(memory: "Runtime") -> Iterator[Path]:
    """The folder of all scratchpads, for one process and thread at a time."""
    folder = memory.settings.home / "scratch"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written ({error.strerror}), so no working note can be kept") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(lock)


def _all(memory: "Runtime") -> list[Item]:
    """Every note that has not ended; files of which all notes have go."""
    if not (memory.settings.home / "scratch").is_dir():
        return []
    moment, items = memory.clock(), list[Item]()
    with _folder(memory) as folder:
        for path in sorted(folder.glob("*.json")):
            living = _load(path, moment)
            items += living
            if not living:
                path.unlink(missing_ok=True)
    return sorted(items, key=lambda item: (item.created_at, item.id))


def _drop(memory: "Runtime", which: Callable[[Item], bool]) -> None:
    moment = memory.clock()
    with _folder(memory) as folder:
        for path in sorted(folder.glob("*.json")):
            living = _load(path, moment)
            left = [item for item in living if not which(item)]
            if len(left) < len(living):
                _save(path, left)


def _load(path: Path, moment: Microseconds) -> list[Item]:
    """The notes of a file that have not ended; a damaged file holds none."""
    try:
        entries = json.loads(path.read_text("utf-8"))
        items = [_item(entry) for entry in entries]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return [item for item in items if item.created_at <= moment < item.expires_at()]


def _item(entry: dict[str, Any]) -> Item:
    if entry["privacy"] not in get_args(Privacy):
        raise ValueError(entry["privacy"])
    return Item(**{**entry, "tags": tuple(map(str, entry["tags"]))})


def _save(path: Path, items: Sequence[Item]) -> None:
    """A file that is there as a whole or not at all; without notes it goes."""
    if not items:
        path.unlink(missing_ok=True)
        return
    partial = path.with_suffix(f".{os.urandom(4).hex()}.partial")
    try:
        file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as opened:
            json.dump([asdict(item) for item in items], opened, ensure_ascii=False)
        os.replace(partial, path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}), so the working note was not kept") from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _pad_id(session: str, agent: str) -> str:
    return str(uuid.uuid5(_PADS, f"{session}\0{agent}"))


def _file(session: str, agent: str) -> str:
    return f"{_pad_id(session, agent)}.json"
