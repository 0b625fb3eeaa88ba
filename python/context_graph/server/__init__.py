"""The server: tools over MCP. What it takes is imported when `serve` is called, not before."""

from collections.abc import Callable, Sequence
from importlib.util import find_spec

from context_graph.errors import NotApplicable
from context_graph.garbage import look_seldom
from context_graph.heap import limit_arenas
from context_graph.settings import Settings, calm_blas

__all__ = ["serve", "serve_http"]


def serve(settings: Settings) -> None:
    """Serve one client on stdin and stdout until it leaves; does not return."""
    _prepare()
    from context_graph.server.stdio import serve as serve_stdio

    serve_stdio(settings)


def serve_http(
    settings: Settings,
    host: str,
    port: int,
    *,
    sse: bool = False,
    names: Sequence[str] = (),
    listening: Callable[[str], None] | None = None,
) -> None:
    """Serve many clients over HTTP until a signal comes; does not return.

    Parameters
    ----------
    sse : bool
        Whether clients of 2024-11-05 are served as well.
    names : sequence of str
        Under which this server is known beside the loopback.
    listening : callable, optional
        Given the server's URL once it listens, in place of the line on stderr.
    """
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise NotApplicable(
            f"the server over HTTP needs {' and '.join(missing)}",
            hint="pip install '.[http]' adds them, in a clone of the project",
        )
    _prepare()
    from context_graph.server.http.running import serve as serve_requests

    serve_requests(settings, host, port, sse=sse, names=names, listening=listening)


def _prepare() -> None:
    calm_blas()
    limit_arenas()
    look_seldom()
