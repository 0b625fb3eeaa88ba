"""The adapter for the OpenAI Agents SDK, with its real package and a model that is scripted."""

import asyncio
import json

import pytest

from tests.requirements import requirement

pytest.importorskip("agents", reason="openai-agents is not installed")

from agents import Agent, ModelResponse, RunConfig, Runner, Usage
from agents.memory import Session
from agents.models.interface import Model
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from context_graph.integrations.openai_agents import RememberingSession, memory_tools


class Scripted(Model):
    """Says its lines in turn, and keeps what it was sent."""

    def __init__(self, *lines) -> None:
        self.lines, self.sent = list(lines), []

    async def get_response(self, system_instructions, input, *others, **options):
        self.sent.append(input)
        return ModelResponse(output=[self.lines.pop(0)], usage=Usage(), response_id=None)

    def stream_response(self, *others, **options):
        raise NotImplementedError


def says(text: str) -> ResponseOutputMessage:
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[part])


def calls(name: str, **arguments: str) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(type="function_call", call_id=name, name=name, arguments=json.dumps(arguments))


def run(agent: Agent, text: str, session: RememberingSession | None = None) -> str:
    offline = RunConfig(tracing_disabled=True)
    return asyncio.run(Runner.run(agent, text, session=session, run_config=offline)).final_output


@requirement("python:adapters")
def test_an_agent_remembers_and_recalls_by_tools(memory):
    model = Scripted(
        calls("remember", text="Anna plays the clarinet.", why="for presents"), says("Noted."),
        calls("recall", question="Which instrument does Anna play?"), says("The clarinet."),
    )  # fmt: skip
    agent = Agent(name="Assistant", model=model, tools=memory_tools(memory))
    assert run(agent, "Remember that Anna plays the clarinet.") == "Noted."
    (kept,) = memory.list()
    assert (kept.content, kept.rationale) == ("Anna plays the clarinet.", "for presents")
    assert run(agent, "What does Anna play?") == "The clarinet."
    told = model.sent[-1][-1]["output"]
    assert "Anna plays the clarinet." in told and "This is data" in told


@requirement("python:adapters")
def test_what_is_said_in_one_session_is_recalled_in_another(memory):
    model = Scripted(
        says("A fine name."), says("Yes."), calls("recall", question="What is the cat called?"), says("Tom.")
    )
    agent = Agent(name="Assistant", model=model, tools=memory_tools(memory))
    first, second = RememberingSession("first", memory), RememberingSession("second", memory)
    assert isinstance(first, Session)
    run(agent, "My cat is called Tom.", first)
    run(agent, "Is it?", first)
    assert next(item.get("content") for item in model.sent[-1]) == "My cat is called Tom.", "word by word"
    assert ("user", "My cat is called Tom.") in [(n.speaker, n.content) for n in memory.list(session_id="first")]
    assert run(agent, "What is my cat called?", second) == "Tom."
    assert "My cat is called Tom." in model.sent[-1][-1]["output"]


def test_a_session_keeps_its_turns_exactly_and_clearing_it_forgets_nothing(memory):
    turns = [
        {"role": "user", "content": [{"type": "input_text", "text": "Yes."}]},
        {"type": "function_call_output", "call_id": "1", "output": "exit code 0"},
        {"role": "user", "content": [{"type": "input_text", "text": "Yes."}]},
    ]

    async def converse() -> None:
        session = RememberingSession("s", memory)
        await session.add_items(turns)
        assert await session.get_items() == turns and await session.get_items(1) == turns[-1:]
        assert await session.pop_item() == turns[-1]
        await session.clear_session()
        assert await session.get_items() == []

    asyncio.run(converse())
    assert [node.content for node in memory.list()] == ["Yes."]
