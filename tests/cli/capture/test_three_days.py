"""Three working days of a conversation with an assistant, captured: what was decided comes back on the next day."""

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from context_graph.connectors.claude_code.background import background
from context_graph.connectors.claude_code.hook_event import RecallRequest
from context_graph.memory import Memory
from context_graph.settings import Settings
from tests.requirements import requirement

DAYS = Path(__file__).with_name("three_days.txt").read_text("utf-8").split("## day ")[1:]

ASKED = [
    (1, "Which database do we use?", "SQLite for now", ""),
    (1, "Can I add pandas for the joins?", "no pandas", ""),
    (2, "When is the first import due?", "19 December", "12 December"),
    (2, "How do we store Datierung?", "a from year and a to year", ""),
    (2, "Where is the NAS mounted?", "/mnt/sammlung", ""),
    (3, "Which size do the thumbnails have?", "600 px", "400 px for the thumbnail"),
    (3, "Did we switch to Postgres?", "switch the importer to Postgres now", "SQLite for now"),
    (3, "What did we decide yesterday?", "the newer record wins", ""),
    (3, "What is still open?", "import the 1,900 loans", ""),
]
"""After how many days, what is asked, what has to be told of it, and what may stand behind that alone, with a mark."""


@pytest.fixture
def after(home, run, monkeypatch):
    """The memory after so many days; each is captured as the session of its number."""
    today = datetime.now(UTC)

    def after(count: int) -> Memory:
        for number, day in enumerate(DAYS[:count], start=1):
            lines = []
            for minute, line in enumerate(day.strip().splitlines()[1:]):
                at = today - timedelta(days=count + 1 - number) + timedelta(minutes=minute)
                role, _, text = line.partition(": ")
                lines.append(json.dumps({"role": role.lower(), "content": text, "timestamp": at.isoformat()}))
            monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO("\n".join(lines).encode())))
            assert run("capture", "--project", "museum", "--session", f"day {number}").code == 0
        return Memory(Settings(home=home, tier="base"))

    return after


@requirement("capture:what-was-decided-comes-back")
@pytest.mark.parametrize(("days", "question", "told", "past"), ASKED, ids=[asked[1] for asked in ASKED])
def test_what_was_said_yesterday_comes_back_at_a_prompt(after, days, question, told, past):
    with after(days) as memory:
        text = background(memory, RecallRequest("UserPromptSubmit", "today", "museum", question))
    assert told in text
    if past and past in text:
        line = next(line for line in text.splitlines() if past in line)
        assert text.index(told) < text.index(past)
        assert "until" in line or "earlier" in line


@requirement("capture:what-was-decided-comes-back")
def test_a_session_begins_with_the_decisions_and_silence_stays_silence(after):
    with after(3) as memory:
        begins = background(memory, RecallRequest("SessionStart", "today", "museum", ""))
        idle = [
            background(memory, RecallRequest("UserPromptSubmit", "today", "museum", prompt))
            for prompt in ("Write a haiku about autumn.", "What's the capital of Peru?")
        ]
    assert "no pandas" in begins and "the newer record wins" in begins and "1,900 loans" in begins
    assert idle == ["", ""]
