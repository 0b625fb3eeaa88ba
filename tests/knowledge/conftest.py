"""A project of a few documents, and a memory on the built-in tier that reads it."""

import random
import uuid

import pytest

from context_graph import Memory
from context_graph.settings import Settings
from tests.tools import contract

SECOND_US = 1_000_000

FILES = {
    "docs/index.md": "# Home\n\nSee [auth](guides/auth.md#log-in), [[Tokens|the tokens]] and [gone](gone.md).\n",
    "docs/guides/auth.md": "---\ntitle: Authentication\ntags: [security, api]\nstatus: draft\n---\n\n"
    "How people log in with a password. #Security/login\n\n## Log in\n\n"
    "`[[not a link]]`\n\n```\n[[nor this]] #nortag\n```\n\nBack [home](../index.md), "
    "[no such part](../index.md#nowhere).\n",
    "docs/concepts/Tokens.md": "# Tokens\n\nA token is signed with a key. ![[Authentication flow.png]]\n",
    "docs/lonely.md": "---\ntype: service\n---\nNobody links to the lighthouse.\n",
}  # fmt: skip


class Clock:
    """Moves a millisecond with each look, so that what follows is later."""

    def __init__(self):
        self.now = 1_767_225_600 * SECOND_US  # 2026-01-01

    def __call__(self):
        self.now += 1_000
        return self.now


@pytest.fixture
def project(tmp_path):
    """The folder of the project."""
    root = tmp_path / "project"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


@pytest.fixture
def opened(tmp_path, project):
    """Opens the memory of a folder for the project; the same one again by the same name."""
    dice = random.Random(7)

    def open_again(name="home", **more):
        ids = lambda: str(uuid.UUID(int=dice.getrandbits(128), version=4))  # noqa: E731
        settings = Settings(home=tmp_path / name, tier="base", abstain_below=0.0, project=project, **more)
        return Memory(settings, clock=Clock(), ids=ids)

    return open_again


@pytest.fixture
def memory(opened):
    with opened() as memory:
        yield memory


@pytest.fixture
def ask(memory):
    """The data of a call that must succeed, checked against the contract."""

    def asked(tool, /, **arguments):
        return contract.ask(memory, tool, **arguments)["data"]

    return asked


@pytest.fixture
def refused(memory):
    """The words of a call that must fail, in the envelope of the family, and write nothing."""

    def asked(tool, /, **arguments):
        head = memory.store.head()
        error = contract.refused(memory, tool, **arguments)
        assert memory.store.head() == head, "nothing half written"
        return error["message"], error["hint"]

    return asked
