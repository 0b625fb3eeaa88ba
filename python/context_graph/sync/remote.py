"""A peer's server over HTTP: one address that was allowed, no redirect, bounded in bytes and time."""

import ipaddress
import json
import socket
import time
from collections.abc import Collection
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import SplitResult, urlsplit

from context_graph.errors import InvalidInput, NotApplicable, PeerUnreachable, SyncRefused
from context_graph.sync.display import plain_line
from context_graph.sync.limits import MAX_BATCH_BYTES, PATH
from context_graph.sync.peers import Peer

if TYPE_CHECKING:
    import httpx

__all__ = ["Remote", "allowed_address", "checked_place"]

CONNECT_S, READ_S, ANSWER_S = 10.0, 60.0, 300.0
MAX_PROBLEM_BYTES = 65_536


class Remote:
    """Asks one peer; opens no connection before the first question.

    Parameters
    ----------
    hosts : collection of str
        Names and addresses beside this machine's that may be spoken to.
    """

    def __init__(self, peer: Peer, hosts: Collection[str]) -> None:
        try:
            import httpx
        except ImportError:
            raise NotApplicable(
                "to reach a peer over HTTP, httpx is needed", hint="pip install 'ultimate-context-graph[sync]'"
            ) from None
        self._peer = peer
        parts = _parts(peer.place)
        address, port = allowed_address(parts, hosts)
        shown = f"[{address}]" if ":" in address else address
        self._url = f"{parts.scheme}://{shown}:{port}{parts.path.rstrip('/')}{PATH}"
        self._name = str(parts.hostname)
        self._headers = {
            "Host": parts.netloc, "Content-Type": "application/json", "Accept": "application/json",
            "Accept-Encoding": "identity",
        }  # fmt: skip
        if peer.token:
            self._headers["Authorization"] = f"Bearer {peer.token}"
        timeout = httpx.Timeout(READ_S, connect=CONNECT_S)
        self._client = httpx.Client(timeout=timeout, trust_env=False, follow_redirects=False)

    def ask(self, question: bytes) -> bytes:
        """The answer to a question.

        Raises
        ------
        PeerUnreachable
            Nobody answers, or not in time.
        SyncRefused
            The peer refuses, sends elsewhere, or too much.
        """
        import httpx

        extensions = {"sni_hostname": self._name} if self._url.startswith("https") else {}
        try:
            with self._client.stream(
                "POST", self._url, content=question, headers=self._headers, extensions=extensions
            ) as response:
                return self._read(response)
        except httpx.HTTPError as error:
            raise PeerUnreachable(
                f"{self._peer.name} at {self._peer.place} does not answer: {error or type(error).__name__}; "
                "is context-graph serve --transport http running there?"
            ) from error

    def _read(self, response: "httpx.Response") -> bytes:
        name, status = self._peer.name, response.status_code
        if 300 <= status < 400:
            raise SyncRefused(f"{name} sends elsewhere ({status}), and redirections are not followed; correct its URL")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise SyncRefused(f"{name} answers compressed, which was not asked for")
        limit = MAX_BATCH_BYTES if status == 200 else MAX_PROBLEM_BYTES
        ends_at = time.monotonic() + ANSWER_S
        parts, size = [], 0
        for part in response.iter_raw():
            size += len(part)
            if size > limit:
                raise SyncRefused(f"{name} sends more than {limit} bytes, as many as an answer may have")
            if time.monotonic() > ends_at:
                raise PeerUnreachable(f"{name} takes longer than {ANSWER_S:g} s for one answer")
            parts.append(part)
        body = b"".join(parts)
        if status != 200:
            raise SyncRefused(f"{name} refuses ({status}): {_problem(body)}")
        return body

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def checked_place(peer: Peer, hosts: Collection[str]) -> str:
    """What is to be done before a peer can be reached; empty where nothing is, or it has no URL.

    Raises
    ------
    InvalidInput
        Its place is no URL and no folder.
    """
    if not peer.is_url and "://" not in peer.place:
        folder = peer.folder
        return f"there is no folder {folder} yet" if folder is not None and not folder.is_dir() else ""
    parts = _parts(peer.place)
    try:
        allowed_address(parts, hosts)
    except (SyncRefused, PeerUnreachable) as error:
        return f"{error}; {error.hint}" if error.hint else str(error)
    return ""


def _problem(body: bytes) -> str:
    """Why a request was refused, as the peer says; its words are data."""
    try:
        error: Any = json.loads(body)["error"]
        text = str(error["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        text = "it says nothing that could be read"
    return plain_line(text)


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise InvalidInput(f"{url[:100]!r} is no URL: {error}", field="place") from error
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
        raise InvalidInput(f"expected a URL such as http://127.0.0.1:8765, got {url[:100]!r}", field="place")
    return parts


def allowed_address(parts: SplitResult, hosts: Collection[str]) -> tuple[str, int]:
    """The address and port to speak to, resolved once: of this machine, or of a host that the settings name.

    Raises
    ------
    SyncRefused
        It is another one, or one that no peer has.
    PeerUnreachable
        The name is not known.
    """
    host = str(parts.hostname).lower()
    port = parts.port or (443 if parts.scheme == "https" else 80)
    allowed = {one.strip().lower().strip("[]") for one in hosts}
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise PeerUnreachable(f"the host {host} is not known: {error.strerror or error}") from error
    addresses = [str(entry[4][0]).partition("%")[0] for entry in found]
    for text in addresses:
        address = ipaddress.ip_address(text)
        if text in allowed or address.is_loopback:
            continue
        if host not in allowed:
            raise SyncRefused(
                f"{host} ({text}) is not on this machine, and memories would leave it",
                hint=f'name the host in the setting sync_hosts where they may: sync_hosts = "{host}" in config.toml',
            )
        if address.is_link_local or address.is_multicast or address.is_unspecified or address.is_reserved:
            raise SyncRefused(f"{host} leads to {text}, where no peer can be")
    return addresses[0], port
