"""`context-graph view`."""

import argparse
import sys
import threading

from context_graph.cli._opening import settings_of
from context_graph.cli._options import options, whole_number
from context_graph.cli._output import show

HOST = "127.0.0.1"


def parser() -> argparse.ArgumentParser:
    text = "Open the page of the memory in a browser, on this machine alone, until Ctrl-C."
    command = options("view", text, example="context-graph view --no-open")
    command.add_argument(
        "--port", type=whole_number(0, 65_535), default=0, help="port to listen on (default: any free one)"
    )
    command.add_argument("--no-open", action="store_true", help="print the address, and open no browser")
    return command


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server import serve_http

    def listening(url: str) -> None:
        show(parsed, {"url": url}, f"the page is at {url}; Ctrl-C ends it")
        sys.stdout.flush()
        if not parsed.no_open:
            threading.Thread(target=_browse, args=(url,), daemon=True).start()

    serve_http(settings_of(parsed), HOST, parsed.port, listening=listening)
    return 0


def _browse(url: str) -> None:
    import webbrowser  # a browser in a terminal returns only when it is left

    webbrowser.open(url)
