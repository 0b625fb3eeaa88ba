"""What a client subscribes to is told when it changes, once for a burst, and not otherwise."""

import sys
import threading

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from server_process import environment

from context_graph.errors import InvalidInput, ResourceNotFound
from context_graph.server.protocol import HANDSHAKE_REVISIONS
from context_graph.server.subscriptions import MAX_WATCHED, Subscriptions
from tests.requirements import requirement

PULSE, MANIFEST, USER = "utl://current_session/pulse", "admin://manifest", "context://user"
SESSION = "0193a4b2-c1d2-4e3f-8a5b-6c7d8e9f0a1b"
KEY = "io.modelcontextprotocol/subscriptionId"
PATIENCE_S = 30


def update(server):
    """The next notification; a server that is busy may send it before the answer to the call that changed something."""
    kept = server.before_answer
    while "method" not in (message := kept.pop(0) if kept else server.read()):
        pass
    assert message["method"] == "notifications/resources/updated"
    return message["params"]


def keep(server, text, **more):
    stored = server.call("store_memory", content=text, rationale="needed by a test of subscriptions", **more)
    return stored["structuredContent"]["node_id"]


@requirement("server:updates")
@pytest.mark.parametrize("version", HANDSHAKE_REVISIONS)
def test_who_subscribes_to_the_pulse_hears_of_each_change(attach, version):
    server = attach()
    assert server.begin(version)["capabilities"]["resources"]["subscribe"]
    assert server.ask("resources/subscribe", uri=PULSE)["result"] == {}
    for text in ("Anna is a sailor.", "Zoe is a painter."):
        server.call("store_memory", content=text, rationale="needed by a test of subscriptions")
        assert update(server) == {"uri": PULSE}
    assert server.ask("resources/unsubscribe", uri=PULSE)["result"] == {}
    server.call("store_memory", content="Mia is a smith.", rationale="needed by a test of subscriptions")
    server.ask("resources/subscribe", uri=MANIFEST)
    server.call("store_memory", content="Ben is a baker.", rationale="needed by a test of subscriptions")
    assert update(server) == {"uri": MANIFEST}, "and of the pulse no more"


@requirement("server:updates")
def test_a_stream_of_the_newest_revision_says_what_it_tells_of_and_names_itself(start):
    server = start()
    assert server.begin("2026-07-28")["capabilities"]["resources"]["subscribe"]
    wanted = {"toolsListChanged": True, "resourceSubscriptions": [PULSE, "visualize://topic/x", "nope://x", PULSE]}
    stream = server.request("subscriptions/listen", notifications=wanted)
    assert server.read() == {
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": {KEY: stream}, "notifications": {"resourceSubscriptions": [PULSE]}},
    }
    keep(server, "Anna is a sailor.")
    assert update(server) == {"_meta": {KEY: stream}, "uri": PULSE}
    other = server.request("subscriptions/listen", notifications={"resourceSubscriptions": [USER]})
    assert server.read()["params"]["_meta"] == {KEY: other}
    server.send(method="notifications/cancelled", params={"requestId": stream})
    keep(server, "Zoe is a painter.")
    assert update(server) == {"_meta": {KEY: other}, "uri": USER}, "the first one was closed"
    server.popen.terminate()
    ended = server.read()
    while "method" in ended:
        ended = server.read()
    assert ended["id"] == other and ended["result"]["_meta"][KEY] == other
    assert server.wait() == 0


@requirement("server:updates")
@pytest.mark.long
def test_what_another_process_writes_or_the_user_edits_is_told(start, tmp_path):
    server, other = start(), start()
    server.begin()
    other.begin()
    node = keep(server, "Anna is a sailor.")
    for uri in (f"graph://{node}", MANIFEST):
        assert server.ask("resources/subscribe", uri=uri)["result"] == {}
    other.call("annotate_node", node_id=node, annotation="She sails the Bounty.")
    assert update(server) == {"uri": f"graph://{node}"}
    server.ask("resources/unsubscribe", uri=f"graph://{node}")
    (tmp_path / "home" / "manifest.md").write_text("# Mine\n", encoding="utf-8")
    assert update(server) == {"uri": MANIFEST}
    assert server.leave() == 0


def test_what_is_forgotten_is_told_of_once(attach):
    server = attach()
    server.begin()
    node = keep(server, "Anna is a sailor.")
    server.ask("resources/subscribe", uri=f"graph://{node}")
    server.call("forget_concept", node_id=node, reason="obsolete")
    assert update(server) == {"uri": f"graph://{node}"}
    assert "error" in server.ask("resources/read", uri=f"graph://{node}")


def test_a_wrong_subscription_says_what_was_expected(attach):
    server = attach()
    server.begin()
    for method, uri, code, told in (
        ("subscribe", "visualize://topic/x", -32602, "no updates to subscribe to"),
        ("subscribe", "nope://x", -32002, "expected one of context://{scope}"),
        ("subscribe", f"utl://{SESSION}/pulse", -32002, "current_session"),
        ("subscribe", f"graph://{SESSION}", -32002, "search_graph"),
        ("unsubscribe", PULSE, -32602, "one that is subscribed to"),
        ("subscribe", None, -32602, "uri must be a string"),
    ):
        error = server.ask(f"resources/{method}", uri=uri)["error"]
        assert error["code"] == code and told in error["message"]
    assert server.ask("subscriptions/listen", notifications={})["error"]["code"] == -32601
    modern = attach()
    modern.begin("2026-07-28")
    for notifications in (None, [], {"resourceSubscriptions": "x"}, {"resourceSubscriptions": [5]}):
        error = modern.ask("subscriptions/listen", notifications=notifications)["error"]
        assert error["code"] == -32602 and "must be" in error["message"]
    assert modern.ask("resources/subscribe", uri=PULSE)["error"]["code"] == -32601


class Watching:
    """Subscriptions whose resources, store and patience are the test's."""

    def __init__(self):
        self.text, self.stamp, self.sent, self.reads = "a", 1, [], 0
        self.gathering, self.go_on = threading.Semaphore(0), threading.Semaphore(0)
        self.told = threading.Semaphore(0)
        self.all = Subscriptions(self.read, lambda: self.stamp, self.send, gather=self.gather)

    def read(self, target):
        self.reads += 1
        if self.text is None:
            raise ResourceNotFound("gone")
        return self.text

    def send(self, message):
        self.sent.append(message["params"]["uri"])
        self.told.release()

    def gather(self, ended):
        self.gathering.release()
        return self.go_on.acquire(timeout=PATIENCE_S) and not ended.is_set()


@requirement("server:updates-are-gathered")
def test_a_burst_of_calls_is_told_of_once():
    watching = Watching()
    watching.all.subscribe(PULSE)
    for text in "bcdef":
        watching.text = text
        watching.all.changed()
        if text == "b":
            assert watching.gathering.acquire(timeout=PATIENCE_S)
    watching.go_on.release()
    assert watching.told.acquire(timeout=PATIENCE_S)
    watching.all.close()
    watching.go_on.release()
    watching.all._thread.join(PATIENCE_S)
    assert not watching.all._thread.is_alive() and watching.sent == [PULSE]


def test_only_what_may_have_changed_is_read_again():
    watching = Watching()
    watching.all.subscribe(PULSE)
    watching.all.subscribe(USER)
    watching.all.look(called=True)
    reads = watching.reads
    watching.all.look(called=False)
    assert watching.reads == reads, "no call and no write"
    watching.all.look(called=True)
    assert watching.reads == reads + 1, "a call, no write: the pulse"
    watching.stamp = 2
    watching.all.look(called=False)
    assert watching.reads == reads + 3 and watching.sent == [], "read again, and the same"
    watching.text, watching.stamp = None, 3
    watching.all.look(called=False)
    watching.all.look(called=True)
    assert sorted(watching.sent) == [USER, PULSE], "gone: told once"
    watching.all.close()
    watching.go_on.release()


def test_what_is_written_while_it_is_looked_is_told_of_to_who_has_just_subscribed():
    """Who subscribes and writes while the writes are compared must not be missed by that look and all that follow."""
    sent: list[str] = []
    state = {"text": "a", "stamp": 1}

    def stamp() -> int:
        if state["stamp"] == 2:
            state["stamp"] = 3
            subscriptions._watch(USER)
            subscriptions._plain.add(USER)
            state["text"] = "b"
        return state["stamp"]

    subscriptions = Subscriptions(lambda _: state["text"], stamp, lambda message: sent.append(message["params"]["uri"]))
    subscriptions.look(called=False)
    state["stamp"] = 2
    subscriptions.look(called=True)
    subscriptions.look(called=False)
    assert sent == [USER]


def test_nothing_sleeps_on_a_timer_where_only_calls_change_what_is_watched():
    watching = Watching()
    watching.all.subscribe(PULSE)
    assert watching.all._patience() is None
    watching.all.subscribe(USER)
    assert watching.all._patience() > 0
    watching.all.unsubscribe(USER)
    assert watching.all._patience() is None
    watching.all.close()


def test_a_client_subscribes_to_so_many_and_no_more():
    watching = Watching()
    for number in range(MAX_WATCHED):
        watching.all.subscribe(f"graph://{number}")
    with pytest.raises(InvalidInput, match="unsubscribe from some first"):
        watching.all.subscribe(PULSE)
    watching.all.unsubscribe("graph://0")
    watching.all.subscribe(PULSE)
    watching.all.close()


@pytest.mark.filterwarnings("ignore:resources/subscribe is removed")
@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_public_client_hears_of_updates(tmp_path, mode):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "context_graph.server"], env=environment(tmp_path / "home")
    )
    heard = anyio.Event()
    store = {"content": "Anna is a sailor.", "rationale": "needed by a test of subscriptions"}

    async def hear(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            assert str(message.params.uri) == PULSE
            heard.set()

    async def talk():
        async with Client(server, mode=mode, message_handler=hear if mode == "legacy" else None) as client:
            with anyio.fail_after(PATIENCE_S):
                if mode == "legacy":
                    await client.subscribe_resource(PULSE)
                    await client.call_tool("store_memory", store)
                    await heard.wait()
                else:
                    async with client.listen(resource_subscriptions=[PULSE, MANIFEST]) as stream:
                        assert stream.honored.resource_subscriptions == [PULSE, MANIFEST]
                        await client.call_tool("store_memory", store)
                        uris = {(await anext(stream)).uri for _ in range(2)}
                        assert uris == {PULSE, MANIFEST}

    anyio.run(talk)
