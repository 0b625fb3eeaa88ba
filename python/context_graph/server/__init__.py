"""The server: tools over MCP. What it takes is imported when `serve` is called, not before."""

import gc

from context_graph.settings import Settings, calm_blas

__all__ = ["serve"]

GARBAGE_AFTER = 50_000
"""Objects between two looks for garbage: loading modules makes many and leaves none; looking every 700 costs 6 %."""


def serve(settings: Settings) -> None:
    """Serve one client on stdin and stdout until it leaves; does not return."""
    calm_blas()
    gc.set_threshold(GARBAGE_AFTER)
    from context_graph.server.stdio import serve as serve_stdio

    serve_stdio(settings)
