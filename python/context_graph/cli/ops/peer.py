"""`context-graph peer`."""

import argparse
import os

from context_graph.cli._opening import settings_of
from context_graph.cli._options import options
from context_graph.cli._output import complain, show
from context_graph.errors import InvalidInput

EXAMPLE = "context-graph peer add laptop http://127.0.0.1:8765 --key 5f1c..."


def parser() -> argparse.ArgumentParser:
    text = "Say which other homes this one is synchronised with: add, list or rm; key says the key of this one."
    command = options("peer", text, example=EXAMPLE)
    command.add_argument("action", choices=("add", "list", "rm", "key"))
    command.add_argument("name", nargs="?", help="what the peer is called here")
    command.add_argument(
        "place", nargs="?", help="the URL of its server, or a folder that both reach; without, it only comes here"
    )
    command.add_argument("--key", help="its public key, which context-graph peer key says there")
    command.add_argument("--token", help="for its server, from context-graph token new NAME --scope sync there")
    command.add_argument("--scopes", help="scopes of memories that are shared: user (default), or user,session")
    return command


def run(parsed: argparse.Namespace) -> int:
    from context_graph.store import keys, make_folder
    from context_graph.sync.peers import Peer, Peers
    from context_graph.sync.remote import checked_place

    settings = settings_of(parsed)
    if (parsed.name is None) != (parsed.action in ("list", "key")):
        problem = "needs a name" if parsed.name is None else "takes no name"
        raise InvalidInput(f"peer {parsed.action} {problem}", field="name")
    if parsed.action != "add" and (parsed.key or parsed.token or parsed.scopes or parsed.place):
        raise InvalidInput(f"peer {parsed.action} takes no place, --key, --token or --scopes", field="action")
    peers = Peers(settings.home)
    if parsed.action == "key":
        make_folder(settings.home)
        key = keys.public_key(settings.home)
        show(parsed, {"key": key}, key)
    elif parsed.action == "add":
        if not parsed.key:
            raise InvalidInput("peer add needs --key", field="key", hint="context-graph peer key says it, there")
        scopes = tuple(part.strip() for part in ("user" if parsed.scopes is None else parsed.scopes).split(","))
        peer = Peer(parsed.name, parsed.key.strip().lower(), _place(parsed.place or ""), parsed.token, scopes)
        if keys.exists(settings.home) and peer.key == keys.public_key(settings.home):
            raise InvalidInput("that is this home's own key", field="key", hint="context-graph peer key, there")
        advice = checked_place(peer, settings.peer_hosts)
        peers.add(peer)
        show(parsed, {"added": peer.name, "key": peer.key, "place": peer.place}, f"added {peer.name}")
        if advice:
            complain(f"context-graph peer: {advice}")
    elif parsed.action == "rm":
        peer = peers.remove(parsed.name)
        show(parsed, {"removed": peer.name}, f"removed {peer.name}; what came from it stays")
    else:
        entries = [
            {"name": peer.name, "place": peer.place, "key": peer.key, "scopes": list(peer.scopes)}
            for peer in peers.all()
        ]
        lines = [
            f"{peer.name}  {peer.place or '(comes here)'}  {','.join(peer.scopes)}  key {peer.key[:16]}"
            for peer in peers.all()
        ]
        show(parsed, entries, "\n".join(lines) or "no peers; context-graph peer add NAME PLACE --key KEY adds one")
    return 0


def _place(text: str) -> str:
    """A URL as it is; a folder from the root on, since sync may run in another one."""
    return text if not text or "://" in text else os.path.abspath(os.path.expanduser(text))
