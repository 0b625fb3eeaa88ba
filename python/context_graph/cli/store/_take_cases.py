"""`context-graph model take`: memories become cases of a model, shown first and stored with --yes."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import opened
from context_graph.cli._output import shortened, show
from context_graph.errors import InvalidInput

if TYPE_CHECKING:
    from context_graph.cases.mapping import Reading
    from context_graph.cases.preview import Plan
    from context_graph.cases.selection import Selection

__all__ = ["add_take_options", "given_take_options", "take"]

WIDTH = 100
CONFLICTS = ("error", "update", "keep_both", "skip")
FROM = ("tag", "id", "query", "speaker", "session", "agent", "domain", "scope", "since", "until")
OPTIONS = ("select", "feature", "outcome", "case_id", "on_conflict", "yes")
SPELLED = {"select": "--from"}


def add_take_options(parser: argparse.ArgumentParser) -> None:
    """The options of `take`."""
    group = parser.add_argument_group(
        "options of take; a SOURCE is text, date, speaker, tags, tag:A|B, word:A|B, "
        "number:WORD (next to it), metadata:KEY or fact:RELATION"
    )
    group.add_argument(
        "--from", dest="select", action="append", metavar="WHICH",
        help=f"which memories, such as tag:incident; {', '.join(FROM)}; several narrow it, ids add up",
    )  # fmt: skip
    group.add_argument("--feature", action="append", metavar="NAME=SOURCE", help="from where a feature is read")
    group.add_argument("--outcome", metavar="SOURCE", help="from where the outcome is read; without one, none is")
    group.add_argument("--case-id", metavar="SOURCE", help="from where the id is read; by default the citation tag")
    group.add_argument("--on-conflict", choices=CONFLICTS, help="for what is taken already (default error)")
    group.add_argument("--yes", action="store_true", help="store the cases; without it they are only shown")


def given_take_options(parsed: argparse.Namespace) -> list[str]:
    """The options of `take` that were given."""
    names = [name for name in OPTIONS if getattr(parsed, name) not in (None, False)]
    return [SPELLED.get(name, f"--{name.replace('_', '-')}") for name in names]


def take(parsed: argparse.Namespace) -> int:
    """Show what memories would become as cases, and store them where that is confirmed."""
    from context_graph.cases.preview import preview_cases
    from context_graph.cases.taking import take_cases

    selection, features = _selection(parsed.select or ()), _features(parsed.feature or ())
    with opened(parsed) as memory:
        plan = preview_cases(
            memory, parsed.name, selection, features, memory.caller, outcome=parsed.outcome, case_id=parsed.case_id,
            on_conflict=parsed.on_conflict or "error",
        )  # fmt: skip
        data: dict[str, Any] = {
            "model": plan.model,
            "stored": False,
            "memories": [one.to_dict() for one in plan.planned],
        }
        if not parsed.yes:
            show(parsed, data, "\n".join(_preview(plan)))
            return 0
        outcome = take_cases(memory, plan, memory.caller)
        undo = outcome.event_hash[:16]
        data |= {"stored": True, "undo_hash": undo, "quarantined": outcome.quarantined}
        pairs = zip(plan.becoming, outcome.stored, strict=True)
        data["cases"] = [{"case_id": one.case_id, "node_id": each.id} for one, each in pairs]
        if not outcome.stored:
            show(parsed, data | {"stored": False}, "nothing was stored: all that could be cases are taken already")
            return 0
        lines = [f"stored {len(outcome.stored)} cases of {plan.model}; context-graph undo {undo} takes them back"]
        if outcome.quarantined:
            lines.append(f"{outcome.quarantined} are in quarantine: they read like an order to an agent")
        show(parsed, data, "\n".join(lines))
    return 0


def _selection(texts: Sequence[str]) -> "Selection":
    from context_graph.arguments import one_of
    from context_graph.cases.selection import Selection
    from context_graph.dates import read_date
    from context_graph.models import Domain, Scope
    from context_graph.recall.catalogue import Filter

    values: dict[str, list[str]] = {}
    for text in texts:
        kind, _, value = text.partition(":")
        if kind not in FROM or not value.strip():
            raise InvalidInput(f"expected one of {', '.join(FROM)}, a colon and which; got {text!r:.60}", field="from")
        values.setdefault(kind, []).append(value.strip())
    for kind, several in values.items():
        if len(several) > 1 and kind not in ("tag", "id"):
            raise InvalidInput(f"expected one {kind}, got {len(several)}; tags and ids may be several", field="from")
    one = {kind: several[0] for kind, several in values.items()}
    which = Filter(
        speaker=one.get("speaker"), session_id=one.get("session"), agent_id=one.get("agent"),
        domain=one_of(one["domain"], "domain", Domain) if "domain" in one else None,
        scope=one_of(one["scope"], "scope", Scope) if "scope" in one else None,
        tags=tuple(values.get("tag", ())),
        since=read_date(one["since"], field="since") if "since" in one else None,
        until=read_date(one["until"], field="until") if "until" in one else None,
    )  # fmt: skip
    return Selection(tuple(values.get("id", ())), one.get("query"), which)


def _features(texts: Sequence[str]) -> dict[str, str]:
    features: dict[str, str] = {}
    for text in texts:
        name, equals, source = text.partition("=")
        if not equals or not name.strip() or name.strip() in features:
            problem = "one --feature of each name" if name.strip() in features else "--feature NAME=SOURCE"
            raise InvalidInput(f"expected {problem}, got {text!r:.60}", field="feature")
        features[name.strip()] = source
    if not features:
        raise InvalidInput("expected --feature NAME=SOURCE for at least one feature, got none", field="feature")
    return features


def _preview(plan: "Plan") -> list[str]:
    from context_graph.citations import tag_of

    lines = [f"{len(plan.becoming)} of {len(plan.planned)} memories would become cases of {plan.model}"]
    for one in plan.planned:
        lines.append(f"{tag_of(one.node_id)} {shortened(one.content, WIDTH)}")
        if one.left_out:
            lines.append(f"  left out: {one.left_out}")
            continue
        lines += [f"  {name} = {_told(reading)}" for name, reading in one.readings.items()]
        lines += [f"  {name} is missing: {why}" for name, why in one.missing.items()]
        lines.append(f"  outcome = {_told(one.outcome)}" if one.outcome else "  without an outcome")
        if one.replaces:
            lines.append(f"  takes the place of case {one.taken_as}")
        elif one in plan.conflicts:
            lines.append(f"  taken already as case {one.taken_as}; --on-conflict update, keep_both or skip")
    return [*lines, "nothing was stored; the same with --yes stores them"]


def _told(reading: "Reading") -> str:
    from context_graph.cases.features import spelt

    quote = f", {shortened(reading.quote, 60)!r}" if reading.quote else ", which is absent"
    return f"{shortened(spelt(reading.value), 60)}  ({reading.source}{quote})"
