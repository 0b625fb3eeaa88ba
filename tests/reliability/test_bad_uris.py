"""Whatever stands in a URI, a prompt or a word to complete: an answer or a clear refusal, and a store that did not
change."""

import json
from urllib.parse import quote

import pytest
from hostile import TEXTS, VALUES, named

from context_graph import Draft, Memory
from context_graph.presentation.visitor import Visitor
from context_graph.prompts import all_prompts
from context_graph.resources import all_resources
from context_graph.server.completion import completion
from context_graph.server.jsonrpc import RequestError
from context_graph.server.lookup import prompted, read
from context_graph.settings import Settings
from tests.requirements import requirement

MAX_LINE = 65_000


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    with Memory(Settings(home=tmp_path_factory.mktemp("uris"), tier="base")) as memory:
        for text in TEXTS[:20]:
            memory.remember(
                Draft(f"Anna said: {text[:2_000]}", rationale="needed by a test of hostile URIs", passive=True)
            )
        memory.store.effects.flush()
        yield memory


def answered(memory, lookup):
    """The bytes of an answer, or of a refusal that says something; nothing else may come."""
    visitor = Visitor(memory.caller)
    head = memory.store.head()
    try:
        values = lookup.answer(memory, visitor)
    except Exception as error:
        refusal = lookup.refusal(error)
        assert isinstance(refusal, RequestError) and refusal.code in (-32602, -32002), repr(error)[:500]
        values = {"message": refusal.message, "data": refusal.data}
        assert 10 < len(refusal.message) < 1_000
    memory.store.effects.flush()
    assert memory.store.head() == head
    line = json.dumps(values, ensure_ascii=False).encode("utf-8", "replace")
    assert len(line) < MAX_LINE


@requirement("server:hostile-uris")
@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_a_hostile_text_in_a_uri_is_answered(memory, text):
    escaped = quote(text.encode("utf-8", "replace"), safe="")
    for one in all_resources():
        for name in one.parameters:
            for part in (text, escaped, escaped[:500]):
                parameters = {each: one.choices.get(each, ("Anna",))[0] for each in one.parameters} | {name: part}
                uri = one.template
                for each, value in parameters.items():
                    uri = uri.replace(f"{{{each}}}", value)
                answered(memory, read(uri, stateless=False))
                answered(memory, read(f"{uri}?{part}={part}", stateless=True))
    answered(memory, read(text, stateless=False))


@requirement("server:hostile-uris")
@pytest.mark.parametrize("value", [*TEXTS, *VALUES], ids=named)
def test_a_hostile_argument_of_a_prompt_is_answered(memory, value):
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        return  # no message that was read has one
    for one in all_prompts():
        right = {
            argument.name: argument.choices[0] if argument.choices else "Anna said something or other."
            for argument in one.arguments
            if argument.required
        }
        for argument in one.arguments:
            answered(memory, prompted(one.name, right | {argument.name: value}))


@requirement("server:hostile-uris")
@pytest.mark.parametrize("text", TEXTS, ids=named)
def test_a_hostile_word_is_completed_or_refused(memory, text):
    references = [{"type": "ref/resource", "uri": one.template} for one in all_resources()]
    references += [{"type": "ref/prompt", "name": one.name} for one in all_prompts()]
    for reference in (*references, {"type": "ref/resource", "uri": text}, {"type": "ref/prompt", "name": text}):
        for name in ("topic", "node_id", "session", "session_id", "scope", text):
            answered(memory, completion(reference, name, text, {"scope": text}, stateless=False))
