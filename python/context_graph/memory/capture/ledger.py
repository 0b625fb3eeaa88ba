"""What is known of a captured session: how far its transcript was read, and what was said.

It stands beside the store, not in it: a memory that was removed for good has left the store, and must not come back
with the next look at the transcript.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from context_graph.memory.capture.spool import spool_of, write

__all__ = ["Ledger", "key_of", "ledger_of"]

KEY_BYTES = 10


@dataclass(slots=True)
class Ledger:
    """One session.

    Attributes
    ----------
    transcript : str
        The path of its transcript, and `offset` how many bytes of it were read.
    said : set of str
        Keys of the messages that were stored, known already, or left out.
    private : bool
        The last prompt held something private, so what answers it is not kept either.
    """

    path: Path
    transcript: str = ""
    offset: int = 0
    said: set[str] = field(default_factory=set)
    private: bool = False

    def save(self) -> None:
        """Write it; without it nothing is lost, and what the store still holds is not stored twice."""
        data = {
            "transcript": self.transcript, "offset": self.offset, "private": self.private, "said": sorted(self.said),
        }  # fmt: skip
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        write(self.path, json.dumps(data))


def ledger_of(home: Path, session: str) -> Ledger:
    """The ledger of a session, empty where there is none or where it is damaged."""
    path = spool_of(home) / "sessions" / f"{_digest(session)}.json"
    try:
        found = json.loads(path.read_text("utf-8"))
        return Ledger(
            path, str(found["transcript"]), int(found["offset"]), set(map(str, found["said"])), bool(found["private"])
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Ledger(path)


def key_of(speaker: str, text: str) -> str:
    """Names what someone said, whatever its spacing, without repeating it."""
    return _digest(f"{speaker}\0{' '.join(text.split())}")


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).hexdigest()
