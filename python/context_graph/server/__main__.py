"""`python -m context_graph.server`: the server on stdin and stdout, with settings from the environment."""

import sys

from context_graph.errors import ContextGraphError
from context_graph.server import serve
from context_graph.settings import load_settings

try:
    serve(load_settings()[0])
except ContextGraphError as error:
    print(f"context-graph: {error}", file=sys.stderr)
    raise SystemExit(2) from None
