"""No stored text commands the terminal of a person who looks at it."""

import json

import pytest

from tests.requirements import requirement

EVIL = "The lighthouse keeper Anna plays the cello.\x1b]0;pwned\x07\x1b[2J\x9b31m\u202eegnaro\u2066 and hides it."
CONTROLS = set("\x1b\x07\x9b\u202e\u2066")


@pytest.fixture
def told(run):
    """A home whose only memory holds escapes in its text, its reason, its concepts and its speaker."""
    metadata = {"speaker": "Anna\x1b[1m", "tags": ["red\x9b"], "pinned": True, "aliases": ["cel\u202elo"]}
    arguments = {"content": EVIL, "rationale": "told\x1b[5m by the keeper", "metadata": metadata}
    done = run("call", "store_memory", json.dumps(arguments))
    assert done.code == 0, done.err
    return json.loads(done.out)["node_id"]


@requirement("terminal:no-escapes")
@pytest.mark.parametrize("style", [(), ("--json",)])
@pytest.mark.parametrize(
    "command",
    [
        ("search", "who plays the cello"), ("log",), ("inspect", "NODE"), ("brief", "Anna"), ("facts",),
        ("call", "inject_context", '{"query": "who plays the cello?"}'), ("forget", "NODE", "--permanently", "--yes"),
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_what_a_command_prints_commands_no_terminal(run, told, command, style):
    done = run(*(told if word == "NODE" else word for word in command), *style)
    assert done.code == 0 and done.out.strip()
    assert not set(done.out + done.err) & CONTROLS


@requirement("terminal:no-escapes")
def test_json_holds_the_text_as_it_was(run, told):
    assert run("inspect", told, "--json").json["content"] == EVIL


@requirement("terminal:no-escapes")
def test_a_folder_of_an_evil_name_commands_no_terminal(run, tmp_path):
    folder = tmp_path / "notes\x1b[2J\u202e"
    folder.mkdir()
    done = run("seed", "--source", folder)
    assert done.code == 1 and "\\x1b[2J" in done.err
    assert not set(done.err) & CONTROLS
