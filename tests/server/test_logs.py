"""What a client that asks for it hears of the server's log: its level, no secret, no flood."""

import logging

import pytest

from context_graph.server.logs import LEVELS, MAX_MESSAGES, ClientLog
from context_graph.server.protocol import HANDSHAKE_REVISIONS
from context_graph.settings import Settings
from tests.requirements import requirement

logger = logging.getLogger("context_graph.server.test")


@pytest.fixture
def log():
    sent, moments = [], [0.0]
    log = ClientLog(sent.append, Settings().redacted, clock=lambda: moments[0])
    log.sent, log.moments = sent, moments
    yield log
    log.close()


def told(log):
    assert all(message["method"] == "notifications/message" for message in log.sent)
    return [(message["params"]["level"], message["params"]["data"]["message"]) for message in log.sent]


@requirement("server:logs")
def test_records_are_sent_from_the_level_on_that_the_client_named(log):
    logger.error("before it asked")
    log.begin("warning")
    logger.info("little")
    logger.warning("more than %d", 5)
    log.begin("debug")
    logger.debug("least")
    logging.getLogger("another.package").error("not ours")
    assert told(log) == [("warning", "more than 5"), ("debug", "least")]
    assert log.sent[0]["params"]["logger"] == "context_graph.server.test"
    log.begin("emergency")
    logger.critical("not enough")
    assert len(log.sent) == 2


def test_each_level_of_the_protocol_has_one_of_python(log):
    log.begin("debug")
    for number in (5, *LEVELS.values()):
        logger.log(number, "level")
    assert [level for level, _ in told(log)] == [name for name in LEVELS]


@requirement("server:logs")
def test_neither_secrets_nor_tracebacks_nor_control_characters_leave(log):
    log.begin("debug")
    try:
        raise ValueError("the key is sk-proj-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
    except ValueError:
        logger.exception("mail anna@example.com \x1b[2J %s", "x" * 5_000)
    logger.error("stuck; every thread:\nThread 1:\n  File secret.py")
    (_, first), (_, second) = told(log)
    assert first.startswith("mail [REDACTED:EMAIL] \\x1b[2J xxx") and len(first) < 1_100
    assert "sk-proj" not in str(log.sent) and "Traceback" not in str(log.sent)
    assert second == "stuck; every thread:"


@requirement("server:logs")
def test_a_flood_is_cut_off_and_the_next_message_says_how_much(log):
    log.begin("debug")
    for number in range(MAX_MESSAGES + 7):
        logger.warning("drop %d", number)
    assert len(log.sent) == MAX_MESSAGES
    log.moments[0] = 1.5
    logger.warning("after")
    assert log.sent[-1]["params"]["data"] == {"message": "after", "left_out": 7}


@requirement("server:logs")
@pytest.mark.parametrize(
    "version", [HANDSHAKE_REVISIONS[0], *(pytest.param(one, marks=pytest.mark.long) for one in HANDSHAKE_REVISIONS[1:])]
)
def test_every_older_revision_gets_what_it_asks_for_and_stderr_stays_as_it_was(start, version):
    server = start()
    assert server.begin(version)["capabilities"]["logging"] == {}
    server.call("get_health")
    assert len(server.lines) == 2, "nothing is sent before it is asked for"
    assert server.ask("logging/setLevel", level="debug")["result"] == {}
    call = server.request("tools/call", name="get_health", arguments={})
    messages = [server.read() for _ in range(2)]
    (record,) = [message["params"] for message in messages if message.get("method") == "notifications/message"]
    assert record["level"] == "debug" and record["data"]["message"].startswith("get_health took ")
    assert call in [message.get("id") for message in messages]
    assert "must be one of debug" in server.ask("logging/setLevel", level="loud")["error"]["message"]
    assert server.leave() == 0 and server.errors() == ""


def test_the_newest_revision_has_no_such_ability(attach):
    server = attach()
    assert "logging" not in server.begin("2026-07-28")["capabilities"]
    assert server.ask("logging/setLevel", level="debug")["error"]["code"] == -32601
