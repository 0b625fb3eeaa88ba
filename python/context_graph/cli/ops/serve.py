"""`context-graph serve`."""

import argparse

from context_graph.cli._opening import settings_of
from context_graph.cli._options import options, whole_number
from context_graph.errors import InvalidInput

HOST, PORT = "127.0.0.1", 8765
OF_HTTP = ("host", "port", "allow_host")


def parser() -> argparse.ArgumentParser:
    text = "Run the MCP server: for one client on standard input and output, or for many over HTTP."
    command = options("serve", text, example="context-graph serve --tools all")
    command.add_argument("--tools", help="tools to list: core (default), all, or names separated by commas")
    command.add_argument(
        "--transport", choices=("stdio", "http", "sse"), default="stdio",
        help="stdio (default); http: /mcp and /api/v1; sse: the same with /sse for clients of 2024-11-05, deprecated",
    )  # fmt: skip
    command.add_argument("--host", help=f"address to listen on over HTTP (default {HOST}); another one needs a token")
    command.add_argument(
        "--port", type=whole_number(0, 65_535), help=f"port over HTTP (default {PORT}; 0: any free one)"
    )
    command.add_argument(
        "--allow-host", action="append", metavar="NAME",
        help="a name under which clients or a proxy reach this server over HTTP; may be given several times",
    )  # fmt: skip
    return command


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server import serve, serve_http

    settings = settings_of(parsed, tools=parsed.tools)
    if parsed.transport == "stdio":
        for name in OF_HTTP:
            if getattr(parsed, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise InvalidInput(f"{option} is for a server over HTTP", hint="add --transport http", field=name)
        serve(settings)
        return 0
    port = PORT if parsed.port is None else parsed.port
    serve_http(settings, parsed.host or HOST, port, sse=parsed.transport == "sse", names=parsed.allow_host or ())
    return 0
