"""What is known of a captured session: how far its transcript was read, and what was said.

It stands beside the store, not in it: a memory that was removed for good has left the store, and must not come back
with the next look at the transcript.
"""

import hashlib
import json
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from context_graph.connectors.claude_code.spool import lease, rejected, spool_of, waiting, write
from context_graph.models import Microseconds

__all__ = ["Ledger", "key_of", "ledger_of", "let_go"]

KEY_BYTES = 10
LEASE_SECONDS = 5.0
APART_US = 3_000_000


@dataclass(slots=True)
class Ledger:
    """One session.

    Attributes
    ----------
    transcript : str
        The path of its transcript, and `offset` how many bytes of it were read.
    message_keys : set of str
        Keys of the messages that were stored, known already, or left out.
    private : bool
        The last prompt held something private, so what answers it is not kept either.
    removed : list of (str, int)
        Who had said what was deleted for good, and when.
    """

    path: Path
    transcript: str = ""
    offset: int = 0
    message_keys: set[str] = field(default_factory=set)
    private: bool = False
    removed: list[tuple[str, Microseconds]] = field(default_factory=list)

    def is_removed(self, speaker: str, at: Microseconds | None) -> bool:
        """Whether what someone said then was deleted for good; a hook and a transcript tell times a little apart."""
        return at is not None and any(who == speaker and abs(at - then) < APART_US for who, then in self.removed)

    def save(self) -> None:
        """Write it; without it nothing is lost, and what the store still holds is not stored twice."""
        data = {
            "transcript": self.transcript, "offset": self.offset, "private": self.private,
            "said": sorted(self.message_keys), "removed": self.removed,
        }  # fmt: skip
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        write(self.path, json.dumps(data))


def ledger_of(home: Path, session: str) -> Ledger:
    """The ledger of a session, empty where there is none or where it is damaged."""
    path = spool_of(home) / "sessions" / f"{_digest(session)}.json"
    try:
        found = json.loads(path.read_text("utf-8"))
        return Ledger(
            path, str(found["transcript"]), int(found["offset"]), set(map(str, found["said"])), bool(found["private"]),
            [(str(speaker), int(at)) for speaker, at in found.get("removed", ())],
        )  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Ledger(path)


def let_go(home: Path, session: str, speaker: str, text: str, at: Microseconds) -> None:
    """Forget what was said, also where it still waits, but for who said something when: so it does not come back.

    A key would confirm a guess of what is deleted.

    Called before a permanent deletion, under the lease where a worker gives it back in time.
    """
    if not (home / "spool").is_dir():
        return
    with lease(home, patience_s=LEASE_SECONDS):
        ledger = ledger_of(home, session)
        paragraphs = text.split("\n\n")  # a memory may be several messages, and a message several paragraphs
        spans = combinations(range(len(paragraphs) + 1), 2)
        keys = {key_of(speaker, "\n\n".join(paragraphs[first:last])) for first, last in spans}
        if keys & ledger.message_keys:
            ledger.message_keys -= keys
            ledger.removed.append((speaker, at))
            ledger.save()
        for path in (*waiting(home), *rejected(home)):
            if json.dumps(text)[1:-1] in path.read_text("utf-8", "replace"):
                path.unlink(missing_ok=True)


def key_of(speaker: str, text: str) -> str:
    """Names what someone said, whatever its spacing, without repeating it."""
    return _digest(f"{speaker}\0{' '.join(text.split())}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).hexdigest()
