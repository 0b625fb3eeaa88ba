"""Batches: what one home tells another of its rows, signed, and checked to the last field before it is believed."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from context_graph.connectors.jsonl.format import UUID
from context_graph.errors import InvalidInput
from context_graph.safety.pii import MARK
from context_graph.store import BIRTH, GROUPS, KINDS, Position, Registers, Stamp, canonical, keys, time_of
from context_graph.sync.limits import MAX_BATCH_BYTES

__all__ = [
    "FORMAT", "Batch", "Entry", "check_time", "is_key", "opened", "parsed_entry", "position_of",
    "sealed", "signed_by", "spelling",
]  # fmt: skip

FORMAT = 1
"""Of a batch; a higher one is refused."""

MAX_BATCH_ENTRIES = 20_000
MAX_HLC = 2**62
PSEUDONYM = b'"redacted-'
"""As a name of an agent or a session begins that was replaced."""

SIGNED = b"context-graph sync 1\n"
"""Stands before the digest that is signed, so that the signature means nothing anywhere else."""


@dataclass(slots=True)
class Entry:
    """The state of one row, or the mark that it has gone.

    Attributes
    ----------
    at : Stamp
        The write that made the row, or took it away.
    registers : dict
        By name, the write that a register comes from and its columns. A memory that was forgotten has its state alone.
    birth : dict
        What a new row begins with.
    """

    table: str
    id: str
    alive: bool
    at: Stamp
    registers: dict[str, tuple[Stamp, dict[str, Any]]] = field(default_factory=dict)
    birth: dict[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether a row can be made of it."""
        return self.alive and self.registers.keys() == GROUPS[self.table].keys()

    @property
    def there(self) -> tuple[Stamp, bool]:
        """What decides whether the row is there."""
        return self.at, self.alive

    @property
    def stamps(self) -> Registers:
        """Its registers without their values."""
        later = {group: stamp for group, (stamp, _) in self.registers.items() if stamp != self.at}
        return Registers(self.alive, self.at, later)

    @property
    def columns(self) -> dict[str, Any]:
        """All columns that it tells."""
        return {column: value for _, values in self.registers.values() for column, value in values.items()}

    def joined(self, other: "Entry") -> "Entry":
        """Of each register the later one, as far as it is of the same row or of one made later."""
        newer, older = (self, other) if self.there >= other.there else (other, self)
        if not newer.alive or not older.alive:
            return newer
        base, more = (older, newer) if older.whole and not newer.whole else (newer, older)
        registers = dict(base.registers)
        for group, found in more.registers.items():
            if found[0] >= base.at and (group not in registers or _order(found) > _order(registers[group])):
                registers[group] = found
        return Entry(base.table, base.id, True, base.at, registers, base.birth or more.birth)

    def to_json(self) -> dict[str, Any]:
        registers = {
            group: {"values": values} if stamp == self.at else {"at": list(stamp), "values": values}
            for group, (stamp, values) in self.registers.items()
        }
        return {
            "of": self.table, "id": self.id, "alive": self.alive, "at": list(self.at), "registers": registers,
            "birth": self.birth,
        }  # fmt: skip


def _order(register: tuple[Stamp, Mapping[str, Any]]) -> tuple[Stamp, tuple[int, bytes]]:
    return register[0], spelling(register[1])


def spelling(values: Mapping[str, Any]) -> tuple[int, bytes]:
    """Which of two values of one stamp stands, in all homes alike: that in which less was replaced, then the later.

    Stamps are of one write each, so this decides only where a home replaced secrets, or a damaged clock gave one twice.
    """
    text = canonical(dict(values))
    return -text.count(MARK.encode()) - text.count(PSEUDONYM), text


@dataclass(frozen=True, slots=True)
class Batch:
    """What a home tells of its rows between two positions of its log.

    Attributes
    ----------
    mark : str
        Of `upto`: where the log does not have that event any more, or other scopes are shared, all is told anew.
    more : bool
        Whether the log goes on behind it.
    signed : int
        Events that the last checkpoint of the sender signs.
    purged : dict
        Ids of what was deleted for good, and when.
    """

    sender: str
    after: Position
    upto: Position
    mark: str
    more: bool
    signed: int
    entries: tuple[Entry, ...] = ()
    purged: Mapping[str, int] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How much it tells."""
        return len(self.entries) + len(self.purged)

    @property
    def cursor(self) -> list[Any]:
        """What the reader asks for next."""
        return [*self.upto, self.mark]

    def stamps(self) -> Iterable[Stamp]:
        """Every stamp in it."""
        for entry in self.entries:
            yield entry.at
            yield from (stamp for stamp, _ in entry.registers.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT, "after": list(self.after), "upto": list(self.upto), "mark": self.mark, "more": self.more,
            "signed": self.signed, "entries": [entry.to_json() for entry in self.entries],
            "purged": sorted([id, hlc] for id, hlc in self.purged.items()),
        }  # fmt: skip

    @classmethod
    def from_json(cls, sender: str, values: Any) -> "Batch":
        """A batch of untrusted data.

        Raises
        ------
        InvalidInput
            It is no batch, or one that a newer version made.
        """
        batch = _object(values, "a batch")
        version = batch.get("format")
        if not isinstance(version, int) or version > FORMAT:
            raise InvalidInput(f"the batch has format {version!r:.20}, this version reads {FORMAT}; upgrade it")
        entries, purged = batch.get("entries"), batch.get("purged")
        if (
            not isinstance(entries, list)
            or not isinstance(purged, list)
            or len(entries) + len(purged) > MAX_BATCH_ENTRIES
        ):
            raise InvalidInput(f"a batch must have at most {MAX_BATCH_ENTRIES} entries")
        mark, signed = batch.get("mark"), batch.get("signed")
        if not isinstance(mark, str) or len(mark) > 100 or not _whole(signed):
            raise InvalidInput("a batch must name the mark of its end, and how much of its log is signed")
        gone = {}
        for pair in purged:
            if not isinstance(pair, list) or len(pair) != 2 or not _whole(pair[1]):
                raise InvalidInput("what was deleted for good must be told as an id and a stamp")
            gone[_identifier(pair[0])] = pair[1]
        return cls(
            sender, position_of(batch.get("after")), position_of(batch.get("upto")), mark, bool(batch.get("more")),
            int(signed or 0), tuple(parsed_entry(entry) for entry in entries), gone,
        )  # fmt: skip


def position_of(values: Any) -> Position:
    """A position in a log, of untrusted data."""
    if not isinstance(values, list) or len(values) != 3 or not _whole(values[0]) or not _whole(values[1]):
        raise InvalidInput(f"expected a position of a log, got {values!r:.60}")
    if not isinstance(values[2], str) or len(values[2]) > 64:
        raise InvalidInput("expected an id in a position of a log")
    return Position(*values)


def parsed_entry(values: Any) -> Entry:
    """An entry of untrusted data; what its columns hold is checked where a row is made of it."""
    entry = _object(values, "an entry")
    table, registers, birth = entry.get("of"), entry.get("registers"), entry.get("birth")
    if table not in KINDS:
        raise InvalidInput(f"expected an entry of {', '.join(KINDS)}, got {table!r:.40}")
    at, alive = _stamp(entry.get("at")), entry.get("alive")
    if not isinstance(alive, bool) or not isinstance(registers, dict) or not isinstance(birth, dict):
        raise InvalidInput("an entry must say whether its row is there, and have registers")
    parsed = {}
    for group, register in registers.items():
        columns = GROUPS[table].get(group)
        told = _object(register, "a register")
        column_values = told.get("values")
        if columns is None or not isinstance(column_values, dict) or column_values.keys() != set(columns):
            raise InvalidInput(f"{table} have no register {group!r:.40} with these columns")
        stamp = _stamp(told["at"]) if "at" in told else at
        if stamp < at:
            raise InvalidInput(f"{group} of {table} was written before its row")
        parsed[group] = stamp, column_values
    if not birth.keys() <= set(BIRTH[table]):
        raise InvalidInput(f"{table} begin with no {sorted(birth.keys() - set(BIRTH[table]))[0]!r:.40}")
    if alive and parsed.keys() != GROUPS[table].keys() and (table != "nodes" or parsed.keys() != {"state"}):
        raise InvalidInput(f"an entry of {table} must have all registers, or the state of a node alone")
    if not alive and (parsed or birth):
        raise InvalidInput("an entry of what has gone has no registers")
    return Entry(table, _identifier(entry.get("id")), alive, at, parsed, birth)


def _stamp(values: Any) -> Stamp:
    if not isinstance(values, list) or len(values) != 2 or not _whole(values[0]) or not 0 < values[0] < MAX_HLC:
        raise InvalidInput(f"expected a stamp, got {values!r:.80}")
    if not is_key(values[1]):
        raise InvalidInput(f"expected the key of a home in a stamp, got {values[1]!r:.80}")
    return Stamp(values[0], values[1])


def is_key(text: Any) -> bool:
    """Whether it is a public key as it is written: 64 hex digits."""
    return isinstance(text, str) and len(text) == 64 and not text.strip("0123456789abcdef")


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


def _object(values: Any, what: str) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise InvalidInput(f"expected {what} as an object, got {type(values).__name__}")
    return values


def _identifier(text: Any) -> str:
    if isinstance(text, str) and UUID.fullmatch(text):
        return text
    raise InvalidInput(f"expected a UUID in lower case as id, got {text!r:.60}")


def check_time(stamps: Iterable[Stamp], now: int, ahead: int) -> int:
    """The highest clock among some stamps, none of which may lie further in the future than a bound.

    Raises
    ------
    InvalidInput
        One does: it would win over every later write.
    """
    latest = max((stamp.hlc for stamp in stamps), default=0)
    if time_of(latest) > now + ahead:
        raise InvalidInput(
            f"a write is dated {(time_of(latest) - now) / 1_000_000:,.0f} s in the future, more than the "
            f"{ahead // 1_000_000} s that are let through: the clock there is ahead, or the one here behind; set them "
            "right and synchronise again"
        )
    return latest


# Signed messages


def sealed(home: Path, message: Mapping[str, Any]) -> bytes:
    """A message with the signature of this home, as it travels."""
    body = canonical(dict(message) | {"sender": keys.public_key(home)})
    signature = keys.sign(home, SIGNED + hashlib.sha256(body).digest())
    return b'{"message":%s,"signature":"%s"}' % (body, signature.encode())


def opened(data: bytes) -> tuple[str, dict[str, Any]]:
    """Who signed a message, and what it says; whoever asks sees whether they know the signer.

    Raises
    ------
    InvalidInput
        It is none, too long, or not what was signed.
    """
    if len(data) > MAX_BATCH_BYTES:
        raise InvalidInput(f"a message may have {MAX_BATCH_BYTES} bytes, got {len(data)}")
    try:
        envelope = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("the message is no JSON: it was cut or damaged") from None
    envelope = _object(envelope, "a message")
    message, signature = _object(envelope.get("message"), "a message"), envelope.get("signature")
    sender = message.get("sender")
    if not is_key(sender) or not isinstance(signature, str) or not signature.isascii():
        raise InvalidInput("the message names no sender and signature")
    digest = hashlib.sha256(canonical(message)).digest()  # refuses what is no Unicode, as everything below expects
    if not keys.verify(str(sender), SIGNED + digest, signature):
        raise InvalidInput("the signature does not fit the message: it was changed on its way")
    return str(sender), message


def signed_by(data: bytes, key: str) -> dict[str, Any]:
    """What a message says that must be signed by one key.

    Raises
    ------
    InvalidInput
        Another key signed it.
    """
    sender, message = opened(data)
    if sender != key:
        raise InvalidInput(f"the message is signed by {sender[:16]}, expected {key[:16]}: another home answers there")
    return message
