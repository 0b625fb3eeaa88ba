"""Peers: who this home is synchronised with, from a file that only a person changes."""

import json
import os
import stat
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from context_graph.errors import InvalidInput, NotFound, StoreError
from context_graph.models import Scope
from context_graph.regex import regex
from context_graph.store import write_whole
from context_graph.sync.batch import is_key

__all__ = ["FILE", "SCOPES", "Peer", "Peers"]

FILE = "peers.json"
NAME = regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

SCOPES = (str(Scope.USER), str(Scope.SESSION))
"""Scopes that may be shared; what belongs to one conversation never leaves."""

MAX_PEERS = 100


@dataclass(frozen=True, slots=True)
class Peer:
    """Another home.

    Attributes
    ----------
    key : str
        Its public key, in hex: what another key signed is refused.
    place : str
        The URL of its server, or a folder that both reach; empty where it only comes here.
    token : str, optional
        For its server.
    scopes : tuple of str
        Memories of these scopes may leave, and come in.
    """

    name: str
    key: str
    place: str = ""
    token: str | None = None
    scopes: tuple[str, ...] = (str(Scope.USER),)

    @property
    def is_url(self) -> bool:
        """Whether it is reached over HTTP."""
        return self.place.startswith(("http://", "https://"))

    @property
    def folder(self) -> Path | None:
        """The folder that is shared with it."""
        return None if self.is_url or not self.place else Path(os.path.expanduser(self.place))


class Peers:
    """The peers of one home; a change of the file counts from the next look on."""

    def __init__(self, home: Path) -> None:
        self._path = home / FILE

    def all(self) -> list[Peer]:
        """Every peer, as they were added.

        Raises
        ------
        StoreError
            Others may read the file, or it is damaged.
        """
        try:
            status = os.lstat(self._path)
        except FileNotFoundError:
            return []
        if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
            mode = stat.filemode(status.st_mode)
            raise StoreError(f"{self._path} must be a file that its owner alone may read, got {mode}; chmod 600 it")
        try:
            values = json.loads(self._path.read_text("utf-8"))
            peers = [_checked(**entry) for entry in values]
        except (ValueError, TypeError) as error:
            raise StoreError(
                f"{self._path} is damaged ({error}); correct it, or remove it and add peers anew"
            ) from None
        return peers

    def of(self, name: str) -> Peer:
        """The peer of a name, or of a key that begins so."""
        peers = self.all()
        matching = [peer for peer in peers if peer.name == name or (len(name) >= 8 and peer.key.startswith(name))]
        if len(matching) != 1:
            names = ", ".join(peer.name for peer in peers)
            there = f"there is {names}" if names else "none is configured"
            raise NotFound(
                f"no peer is called {name[:80]!r}, nor has a key that begins so; {there}",
                hint="context-graph peer add NAME PLACE --key KEY adds one",
            )
        return matching[0]

    def with_key(self, key: str) -> Peer | None:
        """The peer that signs with a key."""
        return next((peer for peer in self.all() if peer.key == key), None)

    def add(self, peer: Peer) -> None:
        """Add a peer.

        Raises
        ------
        InvalidInput
            A field is not what it should be, or another peer has the name or key.
        """
        _checked(**asdict(peer))
        peers = self.all()
        for other in peers:
            if other.name == peer.name or other.key == peer.key:
                what = "is there already" if other.name == peer.name else "has this key"
                raise InvalidInput(f"the peer {other.name!r} {what}; context-graph peer rm {other.name} removes it")
        if len(peers) >= MAX_PEERS:
            raise InvalidInput(f"there are {MAX_PEERS} peers, as many as may be")
        self._write([*peers, peer])

    def remove(self, name: str) -> Peer:
        """Remove a peer; what came from it stays."""
        peer = self.of(name)
        self._write([other for other in self.all() if other != peer])
        return peer

    def _write(self, peers: Sequence[Peer]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(self._path, json.dumps([asdict(peer) for peer in peers], indent=1).encode())


def _checked(**values: Any) -> Peer:
    peer = Peer(**values | {"scopes": tuple(values.get("scopes", (str(Scope.USER),)))})
    if not isinstance(peer.name, str) or not NAME.fullmatch(peer.name):
        shape = "1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit"
        raise InvalidInput(f"the name of a peer must have {shape}, got {peer.name!r:.80}", field="name")
    if not is_key(peer.key):
        raise InvalidInput(
            f"the key of a peer has 64 hex digits, got {peer.key!r:.80}", field="key",
            hint="context-graph peer key says it, on the other machine",
        )  # fmt: skip
    if not isinstance(peer.place, str) or not (peer.token is None or isinstance(peer.token, str)):
        raise InvalidInput("the place and the token of a peer are texts", field="place")
    unknown = [scope for scope in peer.scopes if scope not in SCOPES]
    if unknown or not peer.scopes:
        raise InvalidInput(f"scopes must be among {', '.join(SCOPES)}, got {peer.scopes!r:.80}", field="scopes")
    return peer
