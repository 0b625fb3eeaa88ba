"""What comes before any request: where it was sent, by whose page, and with which token."""

import logging
from collections.abc import Collection, Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from context_graph.errors import ContextGraphError
from context_graph.server.http.answers import Gone, Refusal, header, refuse
from context_graph.server.http.identity import SYNC
from context_graph.server.http.service import Service
from context_graph.sync.limits import PATH

__all__ = ["IDENTITY", "Guard", "is_loopback"]

logger = logging.getLogger(__name__)

IDENTITY = "context_graph.identity"
"""Where the scope of a request says whom it comes from."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class Guard:
    """Lets through what this server is meant to answer; the rest is refused before its body is read.

    A page on the web can make a browser send requests to this machine, under a name of its own that it points here
    (DNS rebinding): so `Host` must be a name of this server, and `Origin`, which browsers send, a page of such a name.

    Parameters
    ----------
    names : iterable of str
        Names and addresses of this server, beside those of the loopback.
    public : set of str
        Paths that are answered without a token.
    """

    def __init__(
        self, app: ASGIApp, service: Service, names: Iterable[str] = (), *, public: Collection[str] = ()
    ) -> None:
        self._public = public
        self._app, self._service = app, service
        self._names = LOOPBACK | {name.lower().strip("[]") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            self._check(scope)
            await self._app(scope, receive, send)
        except Refusal as refusal:
            await refuse(scope, send, refusal)
        except ContextGraphError as error:
            logger.error("a request was refused: %s", error)
            await refuse(scope, send, Refusal(503, "the server cannot answer now; its log says why"))
        except Gone:
            return

    def _check(self, scope: Scope) -> None:
        host = _name(f"//{header(scope, 'host') or ''}")
        if host not in self._names:
            told = "Host must name this server; --allow-host NAME adds the name under which a proxy or a network has it"
            raise Refusal(403, told)
        origin = header(scope, "origin")
        if origin is not None and _name(origin) not in self._names:
            raise Refusal(403, "Origin must be a page of this machine, or of a name given by --allow-host")
        if scope["path"] in self._public:
            return
        scheme, _, token = (header(scope, "authorization") or "").partition(" ")
        given = token.strip() if scheme.lower() == "bearer" else None
        identity = scope[IDENTITY] = self._service.identified(given or None)
        if identity is not None and identity.scope == SYNC and scope["path"] != PATH:
            raise Refusal(403, f"a token of scope {SYNC} is for {PATH} alone")


def _name(url: str) -> str | None:
    """The name in a URL, without its port."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment:
        return None
    return parts.hostname


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
