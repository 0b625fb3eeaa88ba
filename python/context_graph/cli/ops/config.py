"""`context-graph config`."""

import argparse
from dataclasses import fields

from context_graph.cli._options import options
from context_graph.cli._output import show


def parser() -> argparse.ArgumentParser:
    found = options("config", "Show every setting and where it comes from.", example="context-graph config show")
    found.add_argument("action", choices=("show",), nargs="?", default="show")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.settings import PREFIX, Settings, load_settings

    settings, origins = load_settings({"home": parsed.home, "tier": parsed.tier})
    if origins["tools"] != "default":
        from context_graph.tools.registry import listed

        listed(settings.tools)  # or says which tools there are
    entries = [
        {"name": field.name, "value": _plain(getattr(settings, field.name)), "origin": origins[field.name],
         "environment": PREFIX + field.name.upper()}
        for field in fields(Settings)
    ]  # fmt: skip
    text = "\n".join(f"{e['name']:<20} {_told(e['value']):<36} {e['origin']}" for e in entries)
    file = settings.home / "config.toml"
    show(parsed, entries, f"{text}\n\nset them by CONTEXT_GRAPH_<NAME>, or all but home in {file}")
    return 0


def _told(value: object) -> str:
    return "-" if value is None else str(value)


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool | None) else str(value)
