"""`context-graph migrate`."""

import argparse

from context_graph.cli._opening import opened, settings_of
from context_graph.cli._options import options
from context_graph.cli._output import show


def parser() -> argparse.ArgumentParser:
    text = "Bring the store to the present format, after a backup; every other command does it too where it is needed."
    found = options("migrate", text, example="context-graph migrate --dry-run")
    found.add_argument("--dry-run", action="store_true", help="only say what would be done")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.store import FORMAT, format_at

    version = format_at(settings_of(parsed).home)
    data: dict[str, object] = {"from": version, "to": FORMAT, "migrated": False, "backup": None}
    if version is None:
        text = "there is no store yet; the first command that needs one makes it"
    elif version == FORMAT:
        text = f"the store has format {FORMAT}, the present one: nothing to do"
    elif parsed.dry_run and version < FORMAT:
        text = f"would copy the store to backups and bring it from format {version} to {FORMAT}"
    else:
        with opened(parsed) as memory:  # a newer format is refused here
            kept = memory.store.backups()[-1]
        data |= {"migrated": True, "backup": str(kept)}
        text = f"brought the store from format {version} to {FORMAT}; as it was, it is {kept}"
    show(parsed, data, text)
    return 0
