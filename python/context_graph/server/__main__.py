"""`python -m context_graph.server`: the server on stdin and stdout; all settings but the tools from the environment."""

import argparse
import sys

from context_graph.errors import ContextGraphError
from context_graph.server import serve
from context_graph.settings import load_settings

parser = argparse.ArgumentParser(
    prog="python -m context_graph.server", allow_abbrev=False, description="Serve one client on stdin and stdout.",
    epilog="`context-graph serve` has more options, such as --home, --tier and --transport.",
)  # fmt: skip
parser.add_argument("--tools", help="tools to list: core (default), all, or names separated by commas")
parsed = parser.parse_args()  # ends with exit code 2 where an argument is not known
try:
    serve(load_settings({"tools": parsed.tools})[0])
except ContextGraphError as error:
    print(f"context-graph: {error}", file=sys.stderr)
    raise SystemExit(2) from None
