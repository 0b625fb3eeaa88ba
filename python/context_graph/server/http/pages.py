"""The page for a browser: three files of this package, which hold no memory and need no token."""

import hashlib
from importlib.resources import files

from starlette.types import Receive, Scope, Send

from context_graph.server.http.answers import header, reply, wrong_method

__all__ = ["PAGES", "Page"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""What the page may do: whatever a memory says, nothing of it runs, and nothing is fetched from elsewhere."""

HEADERS = {
    "Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-cache",
}  # fmt: skip

PAGES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/app.js": ("app.js", "text/javascript; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
}
"""By path, the file and its type."""


class Page:
    """One file of the page."""

    def __init__(self, path: str) -> None:
        name, self._kind = PAGES[path]
        self._text = files("context_graph.server.http").joinpath("page", name).read_text("utf-8")
        self._tag = f'"{hashlib.sha256(self._text.encode()).hexdigest()[:32]}"'

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            raise wrong_method(scope["method"], "GET, HEAD")
        headers = {**HEADERS, "ETag": self._tag}
        if self._tag in (header(scope, "if-none-match") or ""):
            await reply(send, 304, None, headers)
        else:
            await reply(send, 200, self._text, headers, self._kind)
