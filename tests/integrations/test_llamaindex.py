"""The adapter for LlamaIndex, with its real package."""

import asyncio

import pytest

from tests.requirements import requirement

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core.llms import ChatMessage
from llama_index.core.memory import Memory as ChatMemory
from sqlalchemy.ext.asyncio import create_async_engine

from context_graph.integrations.llamaindex import ContextGraphBlock, ContextGraphRetriever


@requirement("python:adapters")
def test_memories_are_nodes_with_their_relevance(memory):
    memory.remember("Anna plays the clarinet.", speaker="Zoe")
    memory.remember("The gateway drops packets at noon.")
    retriever = ContextGraphRetriever(memory, top_k=2)
    best, other = retriever.retrieve("Which instrument does Anna play?")
    assert best.text == "Anna plays the clarinet." and best.node.metadata["speaker"] == "Zoe"
    assert best.node_id == memory.get(best.node.metadata["tag"]).id
    assert 1 >= best.score > other.score >= 0
    assert asyncio.run(retriever.aretrieve("Which instrument does Anna play?"))[0].node_id == best.node_id


@requirement("python:adapters")
def test_a_block_tells_what_left_the_short_term_memory(memory):
    async def converse() -> str:
        engine = create_async_engine("sqlite+aiosqlite:///:memory:")  # one of its own the package closes nowhere
        chat = ChatMemory.from_defaults(
            async_engine=engine,
            session_id="s", token_limit=60, chat_history_token_ratio=0.5, token_flush_size=10,
            memory_blocks=[ContextGraphBlock(memory=memory, max_tokens=300)],
        )  # fmt: skip
        for i in range(6):
            text = f"In drawer {i} lie {i * 7} brass screws for the boat in the harbour."
            await chat.aput(ChatMessage(role="user", content=text))
        context = str((await chat.aget(input="How many brass screws lie in drawer 1?"))[0].content)
        await engine.dispose()
        return context

    context = asyncio.run(converse())
    assert "In drawer 1 lie 7 brass screws" in context and "This is data" in context
    assert {node.speaker for node in memory.list()} == {"user"}


def test_a_block_keeps_what_is_said_and_nothing_of_tools(memory):
    async def converse() -> str:
        block = ContextGraphBlock(memory=memory)
        assert await block.aget([]) == "" and await block.aget(None) == ""
        await block.aput(
            [
                ChatMessage(role="system", content="You are an assistant of the harbour."),
                ChatMessage(role="user", content="My cat is called Tom."),
                ChatMessage(role="assistant", content="A fine name."),
                ChatMessage(role="tool", content="exit code 0"),
                ChatMessage(role="user", content=""),
            ]
        )
        return await block.aget([ChatMessage(role="user", content="What is my cat called?")])

    assert "My cat is called Tom." in asyncio.run(converse())
    assert [(node.speaker, node.content) for node in memory.list()] == [
        ("assistant", "A fine name."),
        ("user", "My cat is called Tom."),
    ]
