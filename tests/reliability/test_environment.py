"""A full disk, a read-only one, a folder that is gone, a clock that jumps: a typed error, and a server that goes on."""

import json
import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from privileges import IN_A_PLACE_OF_ITS_OWN, as_a_mere_user, limit_file_size, needs_mounts

from context_graph.errors import StoreError
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget, restore
from context_graph.ingest.goals import add_goal
from context_graph.memory import Memory
from context_graph.recall.question import Question
from context_graph.server.dispatch import call
from context_graph.settings import Settings
from context_graph.store import Store
from tests.requirements import requirement

YEAR_US = 31_557_600_000_000
ROOM = 400_000  # bytes: some memories fit
SERVE = """
from context_graph.server import serve
from context_graph.settings import load_settings
serve(load_settings()[0])
"""


def store(server, number: int):
    """Store a memory over the wire; its id, or None where the server said that it could not."""
    text = f"Entry {number} of the log: " + f"the light number {number} burnt. " * 60
    result = server.call("store_memory", content=text, rationale="the log of the lighthouse")
    answer = result["structuredContent"]
    if not result["isError"]:
        assert answer["success"]
        return answer["node_id"]
    assert answer["error"]["code"] == "STORE_ERROR", answer
    assert "success" not in answer and "node_id" not in answer
    told = " ".join(part["text"] for part in result["content"])
    assert "stored" not in told.lower() and "nothing was written" in told
    return None


def kept(home: Path) -> set[str]:
    with Store.open(home, clock=lambda: 0, new_id=lambda: "x", flush_seconds=None) as store:
        assert store.verify().ok
        return {node.id for node in store.memories()}


def health_of(server) -> dict:
    return server.call("use_tool", name="get_health")["structuredContent"]


def fill(server) -> set[str]:
    """Store until the disk is full; the ids acknowledged."""
    told: set[str] = set()
    for number in range(1_000):
        id = store(server, number)
        if id is None:
            return told
        told.add(id)
    raise AssertionError("the disk never filled")


def test_a_full_disk_is_told_and_the_server_goes_on_when_there_is_room(start, tmp_path):
    server = start()
    limit_file_size(server.popen.pid, ROOM)
    server.begin()
    told = fill(server)
    assert told
    assert store(server, 10_000) is None
    found = server.call("search_graph", query="the light")
    assert not found["isError"] and any("the last write failed" in part["text"] for part in found["content"])
    health = health_of(server)
    assert health["status"] == "degraded" and "the last write failed" in health["components"]["writing"]
    limit_file_size(server.popen.pid, resource.RLIM_INFINITY)
    told.add(store(server, 10_000))
    assert health_of(server)["status"] == "healthy"
    assert server.leave() == 0
    assert kept(tmp_path / "home") == told


FULL = f"""{IN_A_PLACE_OF_ITS_OWN}
mount(b"none", home, b"tmpfs", 0, b"size=1500k")
Path(os.fsdecode(home), "ballast").write_bytes(bytes(700_000))
{SERVE}"""


@needs_mounts
def test_a_full_file_system_is_told_and_the_server_goes_on_when_there_is_room(start, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    server = start(program=("-c", FULL))
    server.begin()
    inside = Path(f"/proc/{server.popen.pid}/root{home}")
    told = fill(server)
    assert told
    assert not server.call("search_graph", query="the light")["isError"]
    health = health_of(server)
    assert health["status"] == "degraded" and "KB left" in health["components"]["writing"]
    (inside / "ballast").unlink()
    told.add(store(server, 10_000))
    copied = shutil.copytree(inside, tmp_path / "copied")
    assert server.leave() == 0
    assert kept(copied) == told


FILLED = f"""{IN_A_PLACE_OF_ITS_OWN}
import shutil
mount(b"none", home, b"tmpfs", 0, b"size=4m")
shutil.copytree(os.environ["CG_LEFT"], os.fsdecode(home), dirs_exist_ok=True)
with open(os.path.join(os.fsdecode(home), "ballast"), "wb", buffering=0) as ballast:
    try:
        while True:
            ballast.write(bytes(4096))
    except OSError:
        pass
    ballast.truncate(ballast.tell() - 40_960)  # SQLite maps 32 KB to read a store that has a write-ahead log
from context_graph.cli import main
sys.exit(main(sys.argv[1:]))
"""


@needs_mounts
@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_command_answers_on_a_full_disk_and_says_once_that_nothing_is_counted(tmp_path, command):
    home, left = tmp_path / "home", tmp_path / "left"
    home.mkdir()
    with Memory(Settings(home=left, tier="base")) as memory:
        memory.remember(Draft("Anna plays the clarinet.", "a hobby of a friend"))

    def run(*words: str) -> subprocess.CompletedProcess:
        environment = os.environ | {"CONTEXT_GRAPH_HOME": str(home), "CONTEXT_GRAPH_TIER": "base", "CG_LEFT": str(left)}
        return subprocess.run([sys.executable, "-c", FILLED, *words], env=environment, capture_output=True, text=True)

    answered = run(command, "Who plays the clarinet?")
    assert answered.returncode == 0, answered.stderr
    assert "Anna plays the clarinet." in answered.stdout
    assert answered.stderr.count("could not be counted") == 1, answered.stderr
    assert "kept and will be written later" not in answered.stderr
    examined = run("doctor")
    assert examined.returncode == 1 and "FAILED  writing" in examined.stdout and "KB left" in examined.stdout


READ_ONLY = f"""{IN_A_PLACE_OF_ITS_OWN}
mount(home, home, None, BIND)
mount(b"none", home, None, REMOUNT | BIND | READ_ONLY)
{SERVE}"""


@needs_mounts
@requirement("store:read-only-disk")
def test_a_read_only_disk_answers_and_says_that_it_keeps_nothing(start, tmp_path, memory, tell):
    told = tell("Anna plays the clarinet.")
    memory.close()
    server = start(program=("-c", READ_ONLY))
    server.begin()
    for _ in range(2):
        found = server.call("search_graph", query="Who plays the clarinet?")
        assert found["structuredContent"]["results"][0]["node_id"] == told
        assert any("keeps nothing new" in part["text"] for part in found["content"])
        context = server.call("inject_context", query="Who plays the clarinet?")["structuredContent"]
        assert "Anna plays the clarinet." in context["context"]
        shown = server.call("hydrate_citation", citation_tags=context["citation_tags"])
        assert not shown["isError"] and "Anna plays the clarinet." in str(shown["structuredContent"])
        error = server.call("store_memory", content="Ben paints.", rationale="a hobby of a friend")
        assert error["structuredContent"]["error"]["code"] == "STORE_ERROR"
        assert "Read-only" in error["structuredContent"]["error"]["message"]
    assert server.ask("ping")["result"] == {}
    health = health_of(server)
    assert health["status"] == "degraded" and "cannot be written" in health["components"]["writing"]
    assert server.leave() == 0
    assert len(kept(tmp_path / "home")) == 1


COMMAND = READ_ONLY.replace(
    SERVE,
    """
from context_graph.cli import main
sys.exit(main(sys.argv[1:]))
""",
)


@needs_mounts
@requirement("store:read-only-disk")
@pytest.mark.parametrize("end", [pytest.param("closed", marks=pytest.mark.long), "killed"])
def test_commands_read_a_store_on_a_read_only_disk_as_it_was_left(tmp_path, end):
    home = tmp_path / "home"
    left = tmp_path / "left"
    with Memory(Settings(home=home, tier="base")) as memory:
        memory.remember(Draft("Anna plays the clarinet.", "a hobby of a friend"))
        if end == "killed":  # the log and its index stay beside the store
            shutil.copytree(home, left)
            assert (left / "graph.sqlite3-wal").stat().st_size
    if end == "closed":
        shutil.copytree(home, left)

    def run(*words: str) -> subprocess.CompletedProcess:
        environment = os.environ | {"CONTEXT_GRAPH_HOME": str(left), "CONTEXT_GRAPH_TIER": "base"}
        return subprocess.run([sys.executable, "-c", COMMAND, *words], env=environment, capture_output=True, text=True)

    before = {path.name: path.read_bytes() for path in left.iterdir() if path.is_file()}
    found = run("search", "clarinet", "--json")
    assert found.returncode == 0, found.stderr
    assert "Anna" in json.loads(found.stdout)["results"][0]["content"]
    assert found.stderr.count("keeps nothing new") == 1
    assert "the hashes hold" in run("verify").stdout
    refused = run("goal", "add", "play music")
    assert refused.returncode == 1 and "nothing was written" in refused.stderr and "copy the folder" in refused.stderr
    assert {path.name: path.read_bytes() for path in left.iterdir() if path.is_file()} == before


@requirement("store:read-only-disk")
def test_a_store_that_may_only_be_read_is_read(tmp_path):
    home = tmp_path / "home"
    with Memory(Settings(home=home, tier="base")) as memory:
        memory.remember(Draft("Anna plays the clarinet.", "a hobby of a friend"))
    (home / "graph.sqlite3").chmod(0o400)
    with as_a_mere_user(), Memory(Settings(home=home, tier="base")) as memory:
        assert _clarinet(memory) and memory.notices()
        with pytest.raises(StoreError, match="opened for reading alone; nothing was written"):
            memory.remember(Draft("Ben paints.", "a hobby of a friend"))
        assert memory.store.verify().ok
    (home / "graph.sqlite3").chmod(0o600)
    with Memory(Settings(home=home, tier="base")) as memory:
        assert _clarinet(memory) and not memory.notices()
        memory.remember(Draft("Ben paints.", "a hobby of a friend"))


def _clarinet(memory: Memory) -> bool:
    return memory.recall(Question("Who plays the clarinet?")).hits[0].node.content == "Anna plays the clarinet."


@pytest.mark.parametrize("place", ["a file", "below a file", "in a folder that may not be written"])
def test_a_home_that_cannot_be_is_refused_and_taken_once_it_can(tmp_path, place):
    home, wall = tmp_path / "home", tmp_path / "home"
    if place in ("a file", "below a file"):
        wall.write_text("not a folder", encoding="utf-8")
        home = wall if place == "a file" else wall / "below"
    else:
        wall.mkdir(mode=0o500)
        home = wall / "below"
    with as_a_mere_user():
        with pytest.raises(StoreError, match="expected a writable directory"):
            Memory(Settings(home=home, tier="base"))
        if wall.is_file():
            wall.unlink()
        else:
            wall.chmod(0o700)
        with Memory(Settings(home=home, tier="base")) as memory:
            memory.remember(Draft("Anna plays the clarinet.", "a hobby of a friend"))
            assert memory.store.verify().ok


@pytest.mark.parametrize(
    "fate", ["deleted", pytest.param("moved", marks=pytest.mark.long), pytest.param("replaced", marks=pytest.mark.long)]
)
def test_a_home_that_is_gone_takes_no_more_memories(start, tmp_path, fate):
    """An open file goes on taking writes after its name is gone, and they are lost with the process."""
    home, away = tmp_path / "home", tmp_path / "away"
    server = start()
    server.begin()
    told = {store(server, 1)}
    shutil.copytree(home, away) if fate == "deleted" else None
    shutil.rmtree(home) if fate == "deleted" else home.rename(away)
    if fate == "replaced":
        Memory(Settings(home=home, tier="base")).close()
    assert store(server, 2) is None
    assert server.call("forget_concept", node_id=min(told), reason="obsolete")["isError"]
    health = health_of(server)
    assert health["status"] == "unhealthy" and "deleted, moved or replaced" in health["components"]["writing"]
    found = server.call("search_graph", query="the light")
    assert any("deleted, moved or replaced" in part["text"] for part in found["content"])
    assert server.ask("ping")["result"] == {}
    if fate == "moved":
        away.rename(home)
        told.add(store(server, 2))
    assert server.leave() == 0
    assert kept(home if fate == "moved" else away) == told
    again = start()
    again.begin()
    assert store(again, 3)
    assert again.leave() == 0


@pytest.mark.parametrize("years", [(10,), (-30,), (10, -25, 3, 30, -40)])
def test_a_clock_that_jumps_by_years_loses_and_hides_nothing(tmp_path, clock, ids, years):
    settings = Settings(home=tmp_path / "home", tier="base")
    with Memory(settings, clock=clock, ids=ids) as memory:
        told = [memory.remember(Draft("Anna lives in house 0 in Prague.", "where a friend lives")).node.id]
        for number, jump in enumerate(years, 1):
            clock.time += jump * YEAR_US
            draft = Draft(f"Ben moved into house {number} in Prague.", "where a friend lives")
            told.append(memory.remember(draft).node.id)
            gone = forget(memory, told[-1], "user_requested")
            assert set(_found(memory)) == set(told[:-1])
            assert restore(memory, gone.reversal_hash, preview=False).node_ids == (told[-1],)
            old = memory.remember(Draft(f"Eva had house {number} in Prague.", "who lives where")).node.id
            new = Draft(f"Eva left house {number} in Prague.", "it changed", metadata={"supersedes": [old]})
            told.append(memory.remember(new).node.id)
            add_goal(memory, f"visit the friends in house {number}")
            memory.store.effects.flush()
            memory.store.checkpoint(memory.author(memory.caller))
            assert set(_found(memory)) == set(told)
        assert memory.store.verify().ok
        stamps = [event.hlc for event in memory.store.events(1_000)]
        assert stamps == sorted(stamps, reverse=True)
    with Memory(settings, clock=clock, ids=ids) as memory:
        assert set(_found(memory)) == set(told)


def _found(memory: Memory) -> list[str]:
    return [hit.node.id for hit in memory.recall(Question("house in Prague", top_k=100, record=False)).hits]


def test_settings_that_vanish_change_nothing_in_a_running_server(start, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.toml").write_text('tools = "all"\ntop_k = 3\n', encoding="utf-8")
    server = start(tools="")
    server.begin()
    told = {store(server, 1)}
    (home / "config.toml").unlink()
    told.add(store(server, 2))
    assert len(server.ask("tools/list")["result"]["tools"]) > 10
    assert server.leave() == 0
    again = start(tools="")
    again.begin()
    assert again.call("search_graph", query="the light")["structuredContent"]["count"] == 2
    assert again.leave() == 0
    assert kept(home) == told


def test_health_is_told_while_files_come_and_go(tmp_path, memory):
    """A journal that is listed may be gone before its size is asked for, as one that leads nowhere always is."""
    (tmp_path / "home" / "graph.sqlite3-elsewhere").symlink_to("nowhere")
    assert call(memory, "get_health", {}).structured["status"] == "healthy"


def test_health_tells_of_a_folder_that_may_no_longer_be_written(tmp_path, memory, tell):
    tell("Anna plays the clarinet.")
    (tmp_path / "home").chmod(0o500)
    try:
        with as_a_mere_user():
            health = call(memory, "get_health", {}).structured
    finally:
        (tmp_path / "home").chmod(0o700)
    assert health["status"] == "degraded" and "may no longer be written" in health["components"]["writing"]
    assert call(memory, "get_health", {}).structured["status"] == "healthy"


def test_a_memory_open_in_a_folder_that_may_no_longer_be_written_answers_or_refuses(tmp_path, clock, ids):
    home = tmp_path / "home"
    with Memory(Settings(home=home, tier="base"), clock=clock, ids=ids) as memory:
        told = [memory.remember(Draft("Anna lives in house 0 in Prague.", "where a friend lives")).node.id]
        home.chmod(0o500)
        try:
            with as_a_mere_user():
                assert _found(memory) == told
                with suppress(StoreError):
                    told.append(memory.remember(Draft("Ben lives in house 1 in Prague.", "where he lives")).node.id)
                assert set(_found(memory)) == set(told)
        finally:
            home.chmod(0o700)
    assert kept(home) == set(told)
