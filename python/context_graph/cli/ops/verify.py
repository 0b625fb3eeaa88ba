"""`context-graph verify`."""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from context_graph.cli._opening import opened
from context_graph.cli._options import options, reading_content
from context_graph.cli._output import show
from context_graph.errors import InvalidInput


def parser() -> argparse.ArgumentParser:
    text = "Check the hashes of the log, its signed checkpoints, and that the tables are what it says."
    found = options("verify", text, example="context-graph verify")
    found.add_argument("--proof", metavar="PATH", help="check a proof of context-graph prove instead; - reads it here")
    return found


def run(parsed: argparse.Namespace) -> int:
    if parsed.proof is not None:
        from context_graph.store import check_proof

        with reading_content():
            said = check_proof(_proof(parsed.proof))
        show(parsed, {"ok": True, "shows": said}, said)
        return 0
    with opened(parsed) as memory:
        report, backups = memory.store.verify(), memory.store.verify_backups()
    data, text = described(report)
    data["backups"] = [{"path": str(path), "ok": not wrong, "wrong": wrong} for path, wrong in backups.items()]
    bad = [
        f"backup {path} is not sound: {wrong}; make a new one and remove it" for path, wrong in backups.items() if wrong
    ]
    good = len(backups) - len(bad)
    text = "\n".join([text, *bad, *([f"{good} backups are sound"] if good else [])])
    data["ok"] = report.ok and not bad
    show(parsed, data, text)
    return 0 if data["ok"] else 1


def described(report: Any) -> tuple[dict[str, Any], str]:
    """A verification as data and in words."""
    data = {"ok": report.ok, **asdict(report)}
    if report.ok:
        signed = f", {report.checkpoints} signed checkpoints" if report.checkpoints else ""
        good = f"{report.events} events{signed}: the hashes hold, and replay gives exactly these tables"
        return data, "\n".join([good, *report.notes])
    lines = list(report.notes)
    if report.first_bad_seq is not None:
        lines.append(f"event {report.first_bad_seq} is not what was written: {report.reason}")
    lines += report.differences
    if report.chain_intact:
        lines.append("the log itself is sound: context-graph replay makes the tables anew from it")
    else:
        lines.append("context-graph restore puts a backup in its place")
    return data, "\n".join(lines)


def _proof(path: str) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
        proof = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} holds no JSON: {error}", field="proof") from error
    if not isinstance(proof, dict):
        raise InvalidInput("expected a proof as context-graph prove writes it", field="proof")
    return proof
