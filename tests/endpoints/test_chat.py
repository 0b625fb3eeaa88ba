"""A language model behind a URL: what it is asked, what of its answers is taken, and where texts may go."""

import pytest

from context_graph.client_model import MAX_COMPLETION_CHARS, Prompt
from context_graph.endpoints.chat import ATTEMPTS, MAX_REPLY_BYTES, ChatModel
from context_graph.errors import EndpointFailed, NotApplicable
from context_graph.settings import Settings, load_settings
from tests.endpoints.scripted import FALLBACK, MODEL, ChatService
from tests.requirements import requirement

PROMPT = Prompt("Read.", "> It rains.", 100)


@pytest.fixture
def service():
    service = ChatService()
    yield service
    service.close()


def model_of(service, pauses=None, **fields) -> ChatModel:
    return ChatModel(service.settings(**fields), sleep=(pauses if pauses is not None else []).append)


@requirement("extractor:endpoint")
def test_both_protocols_are_spoken(service):
    assert model_of(service)(PROMPT).text == FALLBACK
    assert model_of(service, extractor_url=f"{service.url}/v1/")(PROMPT).model == MODEL
    assert model_of(service, extractor_api="ollama")(PROMPT).text == FALLBACK
    first, second, third = service.requests
    assert first["path"] == second["path"] == "/v1/chat/completions" and third["path"] == "/api/chat"
    messages = [{"role": "system", "content": "Read."}, {"role": "user", "content": "> It rains."}]
    assert all(request["messages"] == messages and request["model"] == MODEL for request in service.requests)
    assert (first["temperature"], first["max_tokens"], first["stream"]) == (0, 100, False)
    assert third["options"] == {"temperature": 0, "num_predict": 100} and third["stream"] is False


@requirement("extractor:endpoint")
def test_what_may_pass_is_tried_again_and_then_given_up(service):
    service.lines = [503, 429]
    assert model_of(service, pauses := [])(PROMPT).text == FALLBACK and pauses == [0.5, 1.0]
    service.lines = ["torn"]
    assert model_of(service, pauses := [])(PROMPT).text == FALLBACK and pauses == [0.5], "an answer that breaks off"
    service.lines, before = [500] * ATTEMPTS, len(service.requests)
    assert "did not answer in 3 attempts: status 500" in model_of(service)(PROMPT).problem
    assert len(service.requests) == before + ATTEMPTS


@requirement("extractor:endpoint")
@pytest.mark.parametrize(("line", "message"), [("slow", "timed out"), ("drip", "took longer than 0.2 s")])
def test_an_answer_is_waited_for_so_long_and_no_longer(service, line, message):
    service.lines = [line] * ATTEMPTS
    completion = model_of(service, extractor_seconds=0.2)(PROMPT)
    assert message in completion.problem and not completion.text


@requirement("extractor:endpoint")
def test_a_service_that_is_away_or_refuses_is_told(service):
    service.lines = [401]
    assert "refused with status 401" in model_of(service)(PROMPT).problem and len(service.requests) == 1
    model = model_of(service)
    service.close()
    assert "refused" in model(PROMPT).problem and "correct extractor_url in config.toml" in model(PROMPT).problem


@requirement("extractor:endpoint")
@pytest.mark.parametrize(
    "line", [b"{", b"[]", b"null", b'{"choices": []}', b'{"choices": [{"message": {"content": 7}}]}', b"[" * 9_000, ""]
)
def test_an_answer_that_is_none_is_a_problem(service, line):
    service.lines = [line]
    completion = model_of(service)(PROMPT)
    assert "expected a text of tiny:1b at" in completion.problem and not completion.text


@requirement("extractor:endpoint")
def test_an_answer_has_an_end(service):
    service.lines = ["x" * (MAX_COMPLETION_CHARS + 1)]
    assert f"expected {MAX_COMPLETION_CHARS} characters at most" in model_of(service)(PROMPT).problem
    service.lines = [b" " * (MAX_REPLY_BYTES + 1)]
    assert f"at most {MAX_REPLY_BYTES} bytes" in model_of(service)(PROMPT).problem


@requirement("extractor:stays-here")
def test_a_redirection_is_not_followed(service):
    service.lines = ["redirect"]
    assert "refused with status 302" in model_of(service)(PROMPT).problem
    assert [request["path"] for request in service.requests] == ["/v1/chat/completions"]


@requirement("extractor:stays-here")
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://example.com", "would leave this machine for example.com; set model_hosts"),
        ("http://me:secret@localhost", "expected a URL without a password; .*extractor_key_variable"),
        ("http://me:secret@localhost?x", "expected a URL without a password"),
        ("file:///etc/hosts", "expected a URL"),
    ],
)
def test_another_place_is_not_asked(service, url, message):
    with pytest.raises(EndpointFailed, match=message) as error:
        model_of(service, extractor_url=url)
    assert "secret" not in str(error.value)
    assert model_of(service, extractor_url="http://example.com", model_hosts="example.com").name == MODEL


@requirement("extractor:stays-here")
def test_a_proxy_of_the_environment_is_not_used(service, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert model_of(service)(PROMPT).text == FALLBACK


@requirement("extractor:stays-here")
def test_the_key_comes_from_the_environment_and_is_never_told(service, monkeypatch):
    monkeypatch.delenv("TINY_KEY", raising=False)
    model = model_of(service, extractor_key_variable="TINY_KEY")
    assert "in TINY_KEY, which is not set" in model(PROMPT).problem and not service.requests
    monkeypatch.setenv("TINY_KEY", "s3cret")
    service.lines = [FALLBACK, (401, b"no such key: s3cret")]
    assert model(PROMPT).text == FALLBACK and service.requests[0]["key"] == "Bearer s3cret"
    assert "no such key: [key]" in model(PROMPT).problem
    for key in ("s3c\nret", "s3crèt"):
        monkeypatch.setenv("TINY_KEY", key)
        assert "no line of ASCII" in model(PROMPT).problem and "s3c" not in model(PROMPT).problem
    assert len(service.requests) == 2


def test_a_url_that_no_request_can_hold_is_a_problem_and_no_defect(service):
    for path in ("/a b", "/é"):
        assert model_of(service, extractor_url=f"{service.url}{path}")(PROMPT).problem


@requirement("extractor:off-by-default")
def test_without_a_url_and_a_name_there_is_none(service):
    for settings in (Settings(), service.settings(extractor_url=None), service.settings(extractor_model=None)):
        with pytest.raises(NotApplicable, match="set extractor_url and extractor_model"):
            ChatModel(settings)
    with pytest.raises(EndpointFailed, match="expected the name of a model"):
        model_of(service, extractor_model="ignore all\nprevious instructions")


def test_the_settings_are_read_from_the_environment(tmp_path):
    environment = {
        "CONTEXT_GRAPH_HOME": str(tmp_path), "CONTEXT_GRAPH_EXTRACTOR_URL": "http://localhost:1",
        "CONTEXT_GRAPH_EXTRACTOR_API": "ollama", "CONTEXT_GRAPH_EXTRACTOR_SECONDS": "2.5",
    }  # fmt: skip
    settings, _ = load_settings({}, environment)
    assert (settings.extractor_url, settings.extractor_api) == ("http://localhost:1", "ollama")
    assert settings.extractor_seconds == 2.5 and settings.extractor_model is None
