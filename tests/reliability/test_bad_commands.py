"""Every verb of the command on hostile arguments: one line on standard error, an exit code, an unchanged store."""

import json
from pathlib import Path

import pytest
from hostile import TEXTS, named

from context_graph.cli import COMMANDS, main

WORDS = [
    text
    for text in TEXTS
    if len(text) < 100_000
    and "\x00" not in text
    and "passwd" not in text  # no argument holds NUL, and that file exists
]
VERBS = {
    "search": [["{}"], ["x", "-k", "{}"], ["x", "--project", "{}"]],
    "remember": [["x", "--supersedes", "{}"], ["{}", "--date", "never"]],
    "ask": [["{}"], ["x", "--tokens", "{}"], ["x", "--project", "{}"]],
    "list": [["{}"], ["-n", "{}"]],
    "status": [["{}"]],
    "completion": [["{}"], ["bash", "{}"]],
    "view": [["--port", "{}"], ["{}"]],
    "model": [
        ["show", "{}"],
        ["{}"],
        ["rm", "{}", "--permanently"],
        ["use", "{}"],
        ["use", ".", "--pooling", "{}"],
        ["take", "{}", "--from", "tag:x", "--feature", "a=text", "--yes"],
        ["take", "x", "--from", "{}", "--feature", "{}", "--yes"],
        ["take", "x", "--from", "query:{}", "--feature", "a={}", "--yes"],
    ],
    "token": [["revoke", "{}"], ["{}"], ["new", "x", "--scope", "{}"]],
    "seed": [["--source", "{}"], ["--source", "{}", "--poll"]],
    "inspect": [["{}"]],
    "log": [["--type", "{}"], ["-n", "{}"]],
    "forget": [["{}"], ["{}", "--permanently", "--yes"]],
    "undo": [["{}"], ["{}", "--preview"]],
    "release": [["{}"]],
    "goal": [["rm", "{}"], ["{}"], ["list", "{}"]],
    "call": [["{}", "{{}}"], ["search_graph", "{}"]],
    "tools": [["{}"]],
    "doctor": [["{}"]],
    "config": [["{}"]],
    "serve": [["--tools", "{}"], ["{}"]],
    "quickstart": [["{}"]],
    "export": [["{}", "extra"]],
    "import": [["{}"], ["{}", "--format", "mcp-memory"], ["x", "--format", "{}"]],
    "backup": [["{}", "extra"]],
    "restore": [["{}"]],
    "verify": [["--proof", "{}"], ["{}"]],
    "replay": [["{}"]],
    "repair": [["{}"], ["--preview", "{}"]],
    "embed": [["{}"], ["--tier", "{}"]],
    "checkpoint": [["{}"]],
    "prove": [["{}"], ["{}", "--growth"]],
    "migrate": [["{}"]],
    "hook": [["{}"], ["install", "--scope", "{}"], ["install", "--settings", "{}", "--dry-run"]],
    "capture": [["--format", "{}"]],
    "bench": [["recall", "--data", "{}"], ["{}", "--data", "."], ["recall", "--data", ".", "--measure", "{}"]],
    "facts": [["{}"], ["{}", "--json"]],
    "extract": [["{}"], ["--limit", "{}"], ["--dry-run", "{}"]],
    "brief": [["{}"], ["x", "--scope", "{}"], ["x", "--budget", "{}"]],
    "peer": [
        ["{}"],
        ["rm", "{}"],
        ["add", "{}", "--key", "x"],
        ["add", "x", "--key", "{}"],
        ["add", "x", "{}", "--key", "x"],
    ],
    "sync": [["{}"], ["--watch", "{}"], ["--accept-deletions", "{}"]],
}
FINE = {
    ("search", 0),
    ("search", 2),
    ("ask", 0),
    ("ask", 2),
    ("log", 0),
    ("hook", 2),
    ("brief", 0),
    ("brief", 1),
    ("facts", 0),
    ("facts", 1),
}
"""Forms in which any text means something."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTEXT_GRAPH_HOME", str(home / "store"))
        patch.setenv("CONTEXT_GRAPH_TIER", "base")
        patch.setenv("HOME", str(home))
        patch.chdir(home)
        assert main(["call", "store_memory", '{"content": "Anna plays.", "rationale": "a hobby of hers"}']) == 0
        assert main(["call", "create_cerebrum_model", '{"name": "x", "model_type": "case_based"}']) == 0
        yield home


def contents(home: Path) -> list:
    import apsw

    rows = apsw.Connection(str(home / "store" / "graph.sqlite3"))
    return [
        rows.execute("SELECT hash FROM events WHERE type <> 'effects'").fetchall(),
        rows.execute("SELECT id, content, state FROM nodes").fetchall(),
    ]


def test_every_verb_is_tried():
    assert set(VERBS) == set(COMMANDS)


@pytest.mark.parametrize("verb", VERBS)
def test_hostile_arguments_are_told_in_one_line_and_change_nothing(home, capsys, verb):
    before = contents(home)
    for form, arguments in enumerate(VERBS[verb]):
        for text in WORDS:
            capsys.readouterr()
            code = main([verb, *(argument.format(text) for argument in arguments)])
            out, err = capsys.readouterr()
            tried = (verb, *arguments, named(text))
            assert code in (0, 1, 2), tried
            assert "Traceback" not in err and "a defect at" not in err, (tried, err[-500:])
            if code:
                assert err.startswith("context-graph") and err.count("\n") == 1, (tried, err[:500])
            elif (verb, form) not in FINE:
                assert text.strip() in ("", "-0", "null") or "x" not in out, tried
    assert contents(home) == before


@pytest.mark.parametrize("verb", ["search", "inspect", "import", "restore", "prove", "goal"])
def test_told_as_json_it_is_json(home, capsys, verb):
    for text in WORDS:
        capsys.readouterr()
        code = main([verb, *(argument.format(text) for argument in VERBS[verb][0]), "--json"])
        out, _ = capsys.readouterr()
        assert out == "" or json.loads(out) is not None
        assert code in (0, 1, 2)
