"""What the harness needs of a memory server of somebody else."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, NamedTuple

from benchmarks.environments import Unavailable
from benchmarks.quality.peers.stdio import StdioServer

__all__ = ["Match", "Peer", "Unavailable"]


class Match(NamedTuple):
    """A result of a search: the server's own key of a memory, and the text that it returned."""

    key: str
    text: str


class Peer(ABC):
    """A server of somebody else, in an environment of its own, with all its files in one folder.

    Attributes
    ----------
    package : str
        What was installed, with its version.
    way : str
        How it was used here, in a sentence that stands in the results.
    """

    package: ClassVar[str]
    way: ClassVar[str]

    def __init__(self, home: Path) -> None:
        self.home = home
        self._server: StdioServer | None = None

    @abstractmethod
    def command(self) -> list[str | Path]:
        """What starts the server; raises `Unavailable` where it cannot be had here."""

    def variables(self) -> dict[str, str]:
        """What it finds in its environment beside PATH, HOME and the language."""
        return {}

    @abstractmethod
    def store(self, text: str) -> str:
        """Store a memory; returns its key, which is that of an earlier one where the server took it for known."""

    @abstractmethod
    def search(self, question: str, limit: int) -> list[Match]:
        """The best results of its search, at most so many."""

    @abstractmethod
    def stored(self, key: str) -> str:
        """The text of a memory as the server keeps it."""

    def clear(self) -> None:
        """An empty store; by default a new process on an empty folder."""
        self.close()
        folder = self.home / f"store-{len(list(self.home.iterdir()))}"
        folder.mkdir()
        self._folder = folder
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "SSL_CERT_FILE") if name in os.environ}
        self._server = StdioServer(
            self.command(), {**kept, "HOME": str(self.home), **self.variables()}, folder / "errors.log"
        )

    @property
    def folder(self) -> Path:
        """The folder of the present store."""
        return self._folder

    @property
    def running(self) -> bool:
        """Whether `clear` has started the server."""
        return self._server is not None

    @property
    def server(self) -> StdioServer:
        """The running server; `clear` starts it."""
        assert self._server is not None, "clear() starts the server"
        return self._server

    def close(self) -> None:
        """End the server."""
        if self._server is not None:
            self._server.close()
            self._server = None
