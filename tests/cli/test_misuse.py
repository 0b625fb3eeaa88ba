"""Each command on bad input: one line on standard error, the right exit code, JSON where asked for."""

import io
import os

import pytest

from context_graph.cli import _SYNONYMS, COMMANDS
from tests.reliability.privileges import as_a_mere_user
from tests.requirements import requirement

MISUSED = [
    ["serch"],
    ["search"],
    ["search", ""],
    ["search", "x", "-k", "500"],
    ["search", "x", "--top", "5"],
    ["search", "x", "--tier", "huge"],
    ["inspect", "zzz"],
    ["inspect", "node_"],
    ["undo", "xyz"],
    ["goal"],
    ["goal", "add"],
    ["goal", "list", "extra"],
    ["goal", "add", "x"],
    ["log", "-n", "0"],
    ["log", "--home", ""],
    ["goal", "add", "caf\udce9 and cake"],
    ["log", "-n", "many"],
    ["call"],
    ["call", "no_such_tool"],
    ["call", "search_graph", "{bad"],
    ["call", "search_graph", "[]"],
    ["call", "search_graph", "{}"],
    ["token"],
    ["token", "new"],
    ["token", "new", "a b"],
    ["token", "list", "extra"],
    ["token", "revoke", "x", "--scope", "read"],
    ["token", "new", "x", "--scope", "root"],
    ["seed"],
    ["config", "change"],
    ["export"],
    ["import"],
    ["prove"],
    ["prove", "xyz"],
    ["prove", "9c1e5a7704bd21f3", "--growth", "--with-content"],
    ["verify", "--proof"],
    ["backup", "here", "and", "there"],
]
FAILED = [
    ["seed", "--source", "/no/such/folder"],
    ["import", "/no/such/file"],
    ["import", "--format", "markdown", "/no/such/folder"],
    ["import", "--format", "mcp-memory", "/no/such/file"],
    ["restore", "/no/such/file"],
    ["backup", "/etc/hostname"],
    ["export", "/etc/hostname"],
    ["export", "--format", "markdown", "/etc"],
    ["backup", "/no/such/folder/copy"],
    ["export", "/no/such/folder/copy"],
    ["inspect", "node_0123456789"],
    ["forget", "0123456789"],
    ["undo", "9c1e5a7704bd21f3"],
    ["goal", "rm", "nothing"],
    ["token", "revoke", "nothing"],
    ["verify", "--proof", "/no/such/file"],
    ["prove", "9c1e5a7704bd21f3"],
]


@pytest.mark.parametrize("arguments", MISUSED, ids=" ".join)
def test_misuse_is_told_in_one_line(run, empty, arguments):
    told = run(*arguments)
    assert (told.code, told.out) == (2, "")
    assert _one_line(told.err)


@pytest.mark.parametrize(
    ("word", "command"),
    [("recall", "ask"), ("add", "remember"), ("delete", "forget"), ("ls", "list"), ("serch", "search")],
)
def test_a_word_for_a_command_leads_to_it(run, word, command):
    assert f"did you mean {command}?" in run(word).err


def test_what_leads_to_a_command_is_none_and_leads_to_one_that_is():
    assert not _SYNONYMS.keys() & COMMANDS.keys() and set(_SYNONYMS.values()) <= COMMANDS.keys()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--home", "/tmp/a b", "list"], "context-graph list --home '/tmp/a b'"),
        (["--home", "list", "list", "-n", "3"], "context-graph list -n 3 --home list"),
        (["--json", "search", "who is Anna"], "context-graph search 'who is Anna' --json"),
        (["--home", "x"], "context-graph COMMAND [options]"),
    ],
)
def test_options_before_the_command_are_told_where_they_stand(run, arguments, line):
    told = run(*arguments)
    assert told.code == 2 and f"options stand behind the command: {line}" in told.err
    assert _one_line(told.err)


@pytest.mark.parametrize("arguments", FAILED, ids=" ".join)
def test_failure_is_told_in_one_line(run, empty, arguments):
    told = run(*arguments)
    assert (told.code, told.out) == (1, "")
    assert _one_line(told.err)


@pytest.mark.parametrize(("arguments", "code"), [(a, 2) for a in MISUSED] + [(a, 1) for a in FAILED])
def test_errors_are_json_where_json_is_asked_for(run, empty, arguments, code):
    told = run(*arguments, "--json")
    assert told.code == code
    assert told.json["error"]["message"]
    assert _one_line(told.err)


NODE, HASH = "node_0123456789", "9c1e5a7704bd21f3"


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"], ["list"], ["search", "x"], ["ask", "x"], ["brief"], ["facts"], ["log"], ["inspect", NODE],
        ["forget", NODE], ["undo", HASH], ["goal", "list"], ["goal", "rm", "x"], ["model", "list"],
        ["model", "rm", "x"],
        ["model", "take", "x", "--from", "tag:x", "--feature", "a=text"], ["export", "-"], ["backup"], ["checkpoint"],
        ["verify"], ["replay"], ["prove", HASH], ["repair"], ["embed"], ["extract"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_what_only_reads_makes_no_memory(run, home, arguments):
    told = run(*arguments, "--json")
    assert told.code == 1 and told.json["error"]["code"] == "NOT_INITIALIZED"
    assert f"expected a memory in {home}, there is none yet; context-graph remember" in told.err
    assert _one_line(told.err) and not home.exists()
    home.mkdir()
    assert run(*arguments).code == 1 and not any(home.iterdir())


@pytest.mark.parametrize(
    "arguments", [["sync"], ["config"], ["model", "show"], ["peer", "list"], ["migrate"]], ids=" ".join
)
def test_what_needs_no_memory_makes_none(run, home, arguments):
    assert "there is none yet" not in run(*arguments).err
    assert not home.exists()


def test_doctor_without_a_memory_tries_one_elsewhere(run, home):
    told = run("doctor", "--json").json
    checks = {check["check"]: check for check in told["checks"]}
    assert told["ok"] and checks["memory"]["ok"] is None
    assert checks["memory"]["text"] == f"none in {home} yet; what follows was tried in an empty one"
    assert checks["model"]["ok"] and checks["search"]["ok"] and not home.exists()


def test_nothing_to_do_shows_the_overview_on_standard_error(run):
    told = run()
    assert (told.code, told.out) == (2, "")
    assert "usage" in told.err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(run, command):
    told = run(command, "--help")
    assert told.code == 0
    assert f"example: context-graph {command}" in told.out


@pytest.mark.parametrize("arguments", [["--tools", "nonsense"], ["--json"], ["--port", "80"]])
def test_a_server_that_cannot_start_keeps_standard_output_clean(run, arguments):
    told = run("serve", *arguments)
    assert (told.code, told.out) == (2, "")
    assert _one_line(told.err)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"top_k = [", "not valid TOML"),
        (b"colour = 'red'", "unknown setting 'colour'; known: "),
        (b"teir = 'base'", "unknown setting 'teir'; did you mean tier?"),
        (b"abstain_below = 7", "expected a number from 0 to 1, got '7'"),
        (b"sync_max_deletions = 5", "expected a number from 0 to 1, got '5'"),
        (b"top_k = 'many'", "top_k"),
        (b"home = '/elsewhere'", "set it by --home or CONTEXT_GRAPH_HOME"),
        (b"backend = 'fast'", "must be one of reference, scalar, avx2, avx512, cuda, got 'fast'"),
        (b"\xff\xfe", "not valid TOML"),
    ],
)
def test_a_wrong_config_file_is_named(run, home, text, said):
    home.mkdir()
    (home / "config.toml").write_bytes(text)
    told = run("log")
    assert told.code == 2
    assert said in told.err
    assert _one_line(told.err)


def test_an_option_that_there_is_not_names_the_one_that_was_meant(run):
    told = run("remember", "Anna sails.", "--tags", "sport")
    assert told.code == 2 and "unrecognized arguments: --tags sport; did you mean --tag?" in told.err


def test_a_config_file_may_begin_with_a_mark_of_the_byte_order(run, home):
    home.mkdir()
    (home / "config.toml").write_bytes(b"\xef\xbb\xbftop_k = 3\r\n")
    settings = run("config", "--json")
    assert settings.code == 0
    assert next(one["value"] for one in settings.json if one["name"] == "top_k") == 3


def test_a_wrong_environment_variable_is_named(run, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_THREADS", "several")
    told = run("config")
    assert told.code == 2
    assert "threads (environment)" in told.err


def test_a_home_that_is_a_file(run, tmp_path):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    told = run("log", "--home", tmp_path / "file")
    assert told.code == 1
    assert f"expected a writable directory at {tmp_path}/file, got: it is a file; choose" in told.err
    assert f"got: {tmp_path}/file is a file; choose" in run("log", "--home", tmp_path / "file" / "home").err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_cannot_be_written(run, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    told = run("log", "--home", tmp_path / "locked" / "home")
    assert told.code == 1
    assert _one_line(told.err)


def test_a_home_that_no_folder_can_hold(run):
    told = run("log", "--home", "/proc/no-such-home")
    assert told.code == 1
    assert _one_line(told.err)


def test_a_home_that_may_only_be_read_is_told_once(run, home):
    assert run("remember", "The rent is 850 euros.").code == 0
    (home / "graph.sqlite3").chmod(0o400)
    home.chmod(0o500)
    with as_a_mere_user():
        for arguments in (["ask", "rent"], ["search", "rent"], ["list"]):
            told = run(*arguments)
            assert told.code == 0 and "850" in told.out
            assert told.err.count("cannot be written") == 1 and _one_line(told.err), arguments
        refused = run("remember", "The rent is 900 euros.")
        assert refused.code == 1 and refused.err.count("cannot be written") == 1 and _one_line(refused.err)
        unknown = run("inspect", "node_0123456789")
        assert unknown.code == 1 and unknown.err.count("cannot be written") == 1


def test_an_unknown_home_directory(run, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_HOME", "~nobody-of-this-name-exists/memory")
    told = run("log")
    assert told.code == 2
    assert "home directory" in told.err


def test_a_damaged_store_is_told_and_left_alone(run, home):
    home.mkdir()
    damaged = b"this is no database " * 400
    (home / "graph.sqlite3").write_bytes(damaged)
    told = run("search", "anything")
    assert told.code == 1
    assert "damaged" in told.err
    report = run("doctor", "--json")
    assert (report.code, report.json["ok"]) == (1, False)
    assert {"backend scalar", "tools"} <= {check["check"] for check in report.json["checks"] if check["ok"]}
    assert (home / "graph.sqlite3").read_bytes() == damaged


def test_an_ambiguous_prefix_names_the_candidates(run, memory, tell, monkeypatch):
    ids = iter(["aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"])
    usual = memory.new_id
    monkeypatch.setattr(memory, "new_id", lambda: next(ids, None) or usual())
    tell("The tomatoes stand on the balcony.")
    tell("Bicycles need oil before winter comes.")
    memory.close()
    told = run("inspect", "aaaaaaaa", "--home", memory.settings.home)
    assert told.code == 2
    assert "-000000000001" in told.err and "-000000000002" in told.err


def test_a_folder_without_text_is_told(run, tmp_path):
    (tmp_path / "empty").mkdir()
    told = run("seed", "--source", tmp_path / "empty")
    assert told.code == 1
    assert "holds no Markdown, text or code" in told.err


def test_forgetting_twice_points_to_undo(run, stored):
    node = stored[0]["node_id"]
    run("forget", node)
    told = run("forget", node)
    assert told.code == 1
    assert "forgotten already" in told.err


def test_a_redone_removal_of_what_is_gone_is_refused(run, stored):
    undo = run("forget", stored[0]["node_id"], "--json").json["undo"]
    assert run("undo", undo).code == 0
    told = run("undo", undo)
    assert told.code == 1
    assert "already undone" in told.err and "; context-graph undo " in told.err and "restore_from" not in told.err


def test_an_interrupt_says_that_nothing_is_lost(run, notes, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("context_graph.connectors.folder.seeding.remember_batches", interrupted)
    told = run("seed", "--source", notes)
    assert told.code == 130
    assert "interrupted" in told.err


def test_a_defect_is_told_with_its_place(run, empty, monkeypatch):
    def broken(*_):
        raise KeyError("holding")

    monkeypatch.setattr("context_graph.store.Store.events", broken)
    told = run("log", "--json")
    assert told.code == 1
    assert told.json["error"]["code"] == "DEFECT"
    assert _one_line(told.err) and "test_misuse.py" in told.err


def _one_line(text: str) -> bool:
    return text.startswith("context-graph") and text.count("\n") == 1 and "Traceback" not in text


@requirement("seed:bounded-file")
def test_a_huge_file_given_to_seed_by_name_is_refused_before_it_is_read(run, tmp_path):
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    done = run("seed", "--source", path)
    assert done.code == 1 and "at most 1,000,000 are read; split it" in done.err


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        (["verify", "--proof"], b"\x00\xff"), (["verify", "--proof"], b""), (["verify", "--proof"], b"[]"),
        (["verify", "--proof"], b"{}"), (["hook", "install", "--settings"], b"\x00\xff"),
        (["hook", "uninstall", "--settings"], b"[]"), (["restore"], b""), (["restore"], b"\x00\xff"),
    ],
)  # fmt: skip
def test_a_file_that_makes_no_sense_is_a_failure_and_no_misuse(run, empty, tmp_path, arguments, content):
    (tmp_path / "file").write_bytes(content)
    told = run(*arguments, tmp_path / "file")
    assert (told.code, told.out) == (1, "")
    assert _one_line(told.err)


@pytest.mark.parametrize("arguments", [["restore"], ["bench", "recall", "--data"]], ids=" ".join)
def test_a_folder_without_what_is_looked_for_is_a_failure_and_no_misuse(run, empty, tmp_path, arguments):
    told = run(*arguments, tmp_path)
    assert told.code == 1 and _one_line(told.err)


def test_what_does_not_fit_what_is_there_is_a_failure_and_no_misuse(run, empty, monkeypatch):
    told = run("sync")
    assert told.code == 1 and "no peer is configured; context-graph peer add" in told.err
    assert run("token", "new", "laptop").code == 0
    told = run("token", "new", "laptop")
    assert told.code == 1 and "there is a token 'laptop' already" in told.err
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n\n")))
    told = run("capture")
    assert told.code == 1 and "holds no turn" in told.err


@pytest.mark.parametrize("number", ["0", "5000", "101", "abc"])
def test_the_setting_of_results_is_bounded_as_the_option_is(run, monkeypatch, number):
    monkeypatch.setenv("CONTEXT_GRAPH_TOP_K", number)
    told = run("search", "gloves")
    assert told.code == 2 and f"top_k (environment): expected a whole number from 1 to 100, got '{number}'" in told.err


def test_a_text_that_is_too_long_is_not_sent_to_an_option_that_there_is_not(run, empty):
    told = run("remember", "word " * 20_000)
    assert told.code == 2 and "link_to" not in told.err
    assert "write it into a file for context-graph seed" in told.err
