"""The server: tools over MCP. The protocol's package is imported when `serve` is called, not before."""

from context_graph.settings import Settings, calm_blas

__all__ = ["serve"]


def serve(settings: Settings) -> None:
    """Serve one client on stdin and stdout until it leaves; does not return."""
    calm_blas()
    from context_graph.server.stdio import serve as serve_stdio

    serve_stdio(settings)
