"""`context-graph token`."""

import argparse

from context_graph.cli._options import options
from context_graph.cli._output import complain, show
from context_graph.errors import InvalidInput

EXAMPLE = "context-graph token new laptop --scope write --user anna"


def parser() -> argparse.ArgumentParser:
    text = "Make, list or revoke the tokens with which clients reach the server over HTTP."
    command = options("token", text, example=EXAMPLE)
    command.add_argument("action", choices=("new", "list", "revoke"))
    command.add_argument("name", nargs="?", help="what the token is called")
    command.add_argument(
        "--scope", choices=("read", "write", "admin", "sync"),
        help="read: tools that only read; write: all tools (default); admin: the server's log as well; "
        "sync: for another home, which gets nothing else",
    )  # fmt: skip
    command.add_argument("--user", help="whose sessions its sessions are (default: the token's own)")
    command.add_argument("--agent", help="the agent that writes (default: the token's name)")
    return command


def run(parsed: argparse.Namespace) -> int:
    from context_graph.server.http.tokens import FILE, Tokens
    from context_graph.settings import home_of

    if (parsed.name is None) != (parsed.action == "list"):
        problem = "needs a name" if parsed.name is None else "takes no name"
        raise InvalidInput(f"token {parsed.action} {problem}", field="name")
    if parsed.action != "new" and (parsed.scope or parsed.user or parsed.agent):
        raise InvalidInput(f"token {parsed.action} takes no --scope, --user or --agent", field="action")
    tokens = Tokens(home_of(parsed.home))
    if parsed.action == "new":
        token = tokens.new(parsed.name, parsed.scope or "write", user=parsed.user, agent=parsed.agent)
        show(parsed, {"name": parsed.name, "token": token}, token)
        complain("context-graph token: this is the only time that it is shown; a client sends it as Bearer token")
    elif parsed.action == "revoke":
        left = tokens.revoke(parsed.name)
        show(parsed, {"revoked": parsed.name, "left": left}, f"revoked {parsed.name}; {left} left")
        if not left:
            complain(f"context-graph token: nobody gets in over HTTP now; remove {FILE} to need no token on loopback")
    else:
        entries = tokens.described()
        lines = [
            f"{one['name']}  {one['scope']}  user {one['user'] or '-'}  agent {one['agent'] or one['name']}  "
            f"{one['created_at']}"
            for one in entries
        ]
        show(parsed, entries, "\n".join(lines) or "no tokens")
    return 0
