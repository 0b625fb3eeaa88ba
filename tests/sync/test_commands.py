"""From the user's seat: pairing, exchanging, and what `kg_sync_status` says of it."""

import json
import signal
import subprocess
import sys

import pytest
from server_process import environment

from context_graph.cli import main
from context_graph.store import make_folder
from context_graph.sync.peers import FILE
from tests.requirements import requirement

KEY = "ab" * 32


@pytest.fixture
def paired(command, tmp_path):
    """Two homes that share a folder."""
    homes, shared = (tmp_path / "laptop", tmp_path / "desktop"), tmp_path / "shared"
    shared.mkdir()
    found = [command(home, "peer", "key")["key"] for home in homes]
    command(homes[0], "peer", "add", "desktop", shared, "--key", found[1])
    command(homes[1], "peer", "add", "laptop", shared, "--key", found[0])
    return homes


def test_two_homes_are_paired_and_brought_up_to_date(paired, command, capsys):
    laptop, desktop = paired
    command(laptop, "remember", "My sister Klara opens a bakery in May.")
    command(desktop, "remember", "Omar likes rye bread.")
    command(laptop, "sync")
    (done,) = command(desktop, "sync")
    assert done["received"] and done["changed"] == 1 and done["sent"] and done["error"] is None
    (done,) = command(laptop, "sync")
    assert done["equal"] is True
    assert "Klara" in str(command(desktop, "ask", "When does Klara open a bakery?"))
    assert "rye" in str(command(laptop, "ask", "What does Omar like?"))
    capsys.readouterr()
    assert main(["sync", "--home", str(laptop)]) == 0
    assert capsys.readouterr().out.startswith("desktop: 0 received, 0 changed here, 0 sent; both are equal, state ")


@requirement("sync:status")
def test_the_status_tells_of_each_peer(paired, command):
    laptop, desktop = paired
    command(laptop, "peer", "add", "phone", "--key", KEY)
    status = command(laptop, "call", "kg_sync_status", "{}")["data"]
    assert [(peer["id"], peer["status"], peer["lastSyncTime"]) for peer in status["peers"]] == [
        ("desktop", "disconnected", "never"), ("phone", "disconnected", "never"),
    ]  # fmt: skip
    assert "metrics" not in status["peers"][0] and "aggregateMetrics" not in status
    command(laptop, "remember", "My sister Klara opens a bakery in May.")
    command(desktop, "remember", "Omar likes rye bread.")
    command(desktop, "checkpoint")
    command(desktop, "sync")
    command(laptop, "sync")
    status = command(laptop, "call", "kg_sync_status", '{"peerId": "desktop", "detailed": true}')["data"]
    (peer,) = status["peersByStatus"]["connected"]
    assert peer["metrics"]["eventsSent"] == status["aggregateMetrics"]["totalEventsSent"] > 0
    theirs = command(desktop, "call", "kg_sync_status", "{}")["data"]["local"]["lastCheckpointHeight"]
    assert peer["metrics"]["lastCheckpointHeight"] == theirs > 0
    assert peer["lastSyncTime"].startswith("20") and peer["errorCount"] == 0 and "lastError" in peer
    assert status["summary"] == {"totalPeers": 1, "connectedPeers": 1, "syncingPeers": 0, "errorPeers": 0}
    assert len(status["local"]["stateHash"]) == 64
    assert status["serviceStatus"] == {
        "running": False, "autoSyncEnabled": False, "syncInterval": 0, "syncing": False
    }  # fmt: skip


def test_a_name_that_two_homes_use_is_one_concept_in_both(paired, command):
    laptop, desktop = paired
    for home, texts in (
        (laptop, ("Anna Lindqvist plays the cello.", "Anna Lindqvist lives in Riga.")),
        (desktop, ("Anna Lindqvist teaches on Mondays.", "Anna Lindqvist has a cat.")),
    ):
        for text in texts:
            command(home, "remember", text)
    for home in (laptop, desktop, laptop, desktop, laptop):
        command(home, "sync")
    assert all(command(home, "sync")[0]["equal"] for home in paired)
    for home in paired:
        assert command(home, "repair", "--preview")["names"] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "phone"), "needs --key"),
        (("add", "phone", "--key", "7f"), "64 hex digits"),
        (("add", "no name", "--key", KEY), "name of a peer"),
        (("add", "phone", "--key", KEY, "--scopes", "context"), "scopes must be among"),
        (("add", "phone", "--key", KEY, "--scopes", ""), "scopes must be among"),
        (("add", "phone", "ftp://there", "--key", KEY), "expected a URL"),
        (("add", "phone", "http://user:secret@there", "--key", KEY), "expected a URL"),
        (("add",), "needs a name"),
        (("list", "phone"), "takes no name"),
        (("rm", "phone", "--key", KEY), "takes no place"),
        (("rm", "phone"), "no peer"),
    ],
)
def test_what_is_wrong_with_a_peer_is_told(command, tmp_path, arguments, told):
    code = 1 if told == "no peer" else 2
    assert told in command(tmp_path / "home", "peer", *arguments, code=code)["error"]["message"]


def test_peers_are_listed_and_removed_and_no_two_have_one_name(command, tmp_path, capsys):
    home = tmp_path / "home"
    command(home, "peer", "add", "phone", "--key", KEY)
    again = command(home, "peer", "add", "phone", "--key", "cd" * 32, code=2)["error"]["message"]
    assert "the peer 'phone' is there already; context-graph peer rm phone" in again
    again = command(home, "peer", "add", "other", "--key", KEY, code=2)["error"]["message"]
    assert "the peer 'phone' has this key; context-graph peer rm phone" in again
    assert "no peer is called 'nope'" in command(home, "sync", "nope", code=1)["error"]["message"]
    assert [peer["name"] for peer in command(home, "peer", "list")] == ["phone"]
    capsys.readouterr()
    main(["peer", "list", "--home", str(home)])
    assert "phone  (comes here)  user  key abababab" in capsys.readouterr().out
    command(home, "peer", "rm", "phone")
    assert command(home, "peer", "list") == []
    assert "no peer is configured" in command(home, "sync", code=1)["error"]["message"]


def test_a_place_that_cannot_be_reached_yet_is_told_at_once(command, tmp_path, capsys):
    home = tmp_path / "home"
    for place, told in ((tmp_path / "missing", "no folder"), ("http://10.0.0.7:8765", "sync_hosts")):
        command(home, "peer", "add", "phone", place, "--key", KEY)
        main(["peer", "rm", "phone", "--home", str(home)])
        main(["peer", "add", "phone", str(place), "--key", KEY, "--home", str(home)])
        assert told in capsys.readouterr().err
        assert told in command(home, "sync", code=1)[0]["error"]
        command(home, "peer", "rm", "phone")


@pytest.mark.parametrize("damage", ["mode", "nonsense", "field"])
def test_a_file_of_peers_that_cannot_be_believed_is_told(command, tmp_path, damage):
    home = tmp_path / "home"
    make_folder(home)
    command(home, "peer", "add", "phone", "--key", KEY)
    path = home / FILE
    if damage == "mode":
        path.chmod(0o644)
    else:
        path.write_text("[" if damage == "nonsense" else json.dumps([{"name": "x", "key": KEY, "trusted": True}]))
    told = command(home, "peer", "list", code=1)["error"]["message"]
    assert "owner alone" in told if damage == "mode" else "damaged" in told


def test_too_many_deletions_are_let_through_by_hand(paired, command):
    laptop, desktop = paired
    for number in range(15):
        command(laptop, "remember", f"Boiler {number} was mended in week {number}.")
    command(laptop, "sync")
    command(desktop, "sync")
    for one in command(desktop, "list", "-n", "12")["memories"]:
        command(desktop, "forget", one["node_id"])
    command(desktop, "sync")
    (done,) = command(laptop, "sync", code=1)
    assert "12 of 15" in done["error"] and "--accept-deletions desktop" in done["error"]
    assert command(laptop, "call", "kg_sync_status", "{}")["data"]["summary"]["errorPeers"] == 1
    (done,) = command(laptop, "sync", "--accept-deletions", "desktop")
    assert done["forgotten"] == 12 and done["error"] is None


def test_watching_goes_on_until_it_is_interrupted(paired, command):
    laptop, _ = paired
    arguments = [sys.executable, "-m", "context_graph.cli", "sync", "--watch", "1", "--home", str(laptop)]
    watching = subprocess.Popen(
        arguments, env=environment(laptop) | {"PYTHONUNBUFFERED": "1"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    for _ in range(2):
        assert watching.stdout.readline().startswith("desktop: 0 received")
    service = command(laptop, "call", "kg_sync_status", "{}")["data"]["serviceStatus"]
    assert service["running"] and service["syncInterval"] == 1
    watching.send_signal(signal.SIGINT)
    assert watching.wait(60) == 130
    watching.communicate()
    assert not command(laptop, "call", "kg_sync_status", "{}")["data"]["serviceStatus"]["running"]


def test_the_own_key_is_no_peers(homes, command):
    (ada,) = homes("ada")
    key = command(ada.path, "peer", "key")["key"]
    assert "own key" in str(command(ada.path, "peer", "add", "me", "--key", key, code=2))


def test_a_folder_is_kept_as_an_absolute_path(homes, command, monkeypatch, tmp_path):
    ada, ben = homes("ada", "ben", known=False)
    monkeypatch.chdir(tmp_path)
    added = command(ada.path, "peer", "add", "ben", "shared", "--key", ben.key)
    assert added["place"] == str(tmp_path / "shared")
