"""A service that embeds: what it is asked, what of its answers is believed, and where texts may go."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from context_graph.embed import Embedder, late
from context_graph.embed.own.description import Description
from context_graph.embed.own.endpoint import ATTEMPTS, EndpointModel
from context_graph.embed.wordpiece import pieces
from context_graph.endpoints.service import checked_url
from context_graph.errors import EmbeddingFailed
from tests.requirements import requirement

WIDTH = 64


TABLE = np.random.default_rng(5).standard_normal((30_522, WIDTH))


def vector_of(text: str) -> list[float]:
    """A vector of the words of a text."""
    return TABLE[list(pieces(text)) or [0]].sum(axis=0).tolist()


class Service:
    """A scripted service: it answers each request by the next of its tricks, and well when there are none left."""

    def __init__(self) -> None:
        self.tricks: list[str] = []
        self.requests: list[dict] = []
        self.release = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
                status, answer = service.answer(self.path, body)
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", str(len(data) + (9 if data == b"broken off" else 0)))
                self.end_headers()
                if data != b"never":
                    self.wfile.write(data)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def answer(self, path, body):
        trick, vectors = self.tricks.pop(0) if self.tricks else "", [vector_of(text) for text in body["input"]]
        if trick.isdigit():
            return int(trick), {"error": "trouble"}
        if trick == "wide":
            vectors[-1].append(1.0)
        elif trick == "nan":
            vectors[0][3] = float("nan")
        elif trick == "few":
            vectors.pop()
        elif trick == "zero":
            vectors[0] = [0.0] * WIDTH
        elif trick == "torn":
            return 200, b'{"data": ['
        elif trick == "cut":
            return 200, b"broken off"
        elif trick == "slow":
            self.release.wait(5)
        if path == "/api/embed":
            return 200, {"embeddings": vectors}
        data = [{"index": i, "embedding": one} for i, one in enumerate(vectors)]
        return 200, {"data": data[::-1]}  # in any order

    def close(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service():
    made = Service()
    yield made
    made.close()


def opened(service, pauses=None, **told) -> EndpointModel:
    description = Description(url=service.url, model="tiny", **told)
    return EndpointModel(description, sleep=(pauses if pauses is not None else []).append)


@requirement("models:service")
@pytest.mark.parametrize(("api", "path"), [("openai", "/v1/embeddings"), ("ollama", "/api/embed")])
def test_a_service_is_asked_in_batches_by_its_protocol(service, api, path):
    model = opened(service, api=api, batch=4, query_prefix="query: ")
    model.load()
    service.requests.clear()
    texts = [f"text number {i}" for i in range(10)]
    found = model.hidden([model.chunked(text)[0] for text in texts])
    assert [len(request["input"]) for request in service.requests] == [4, 4, 2]
    assert {(request["path"], request["model"]) for request in service.requests} == {(path, "tiny")}
    assert np.allclose(found, [vector_of(text) for text in texts], atol=1e-5)
    model.hidden(["who?"], question=True)
    assert service.requests[-1]["input"] == ["query: who?"]


@requirement("models:service")
def test_what_may_pass_is_tried_again_after_longer_and_longer_pauses(service):
    pauses: list[float] = []
    service.tricks = ["500", "429", "503"]
    opened(service, pauses).load()
    assert pauses == [0.5, 1.0, 2.0]
    service.tricks = ["cut"]
    opened(service, again := []).load()
    assert again == [0.5]
    service.tricks = ["502"] * ATTEMPTS
    with pytest.raises(
        EmbeddingFailed, match=r"did not answer in 4 attempts: status 502 .*trouble.*choose another model"
    ):
        opened(service).load()


@requirement("models:service")
def test_one_that_refuses_is_not_asked_again(service):
    service.tricks = ["401"]
    with pytest.raises(EmbeddingFailed, match="refused with status 401"):
        opened(service).load()
    assert len(service.requests) == 1


@requirement("models:service")
def test_one_that_is_slow_or_away_is_given_up(service):
    service.tricks = ["slow"] * ATTEMPTS
    with pytest.raises(EmbeddingFailed, match="timed out"):
        opened(service, timeout_s=1).load()
    away = Description(url="http://127.0.0.1:9", model="tiny")
    with pytest.raises(EmbeddingFailed, match="start it, or choose another"):
        EndpointModel(away, sleep=lambda seconds: None).load()


@requirement("models:service")
@pytest.mark.parametrize(
    ("trick", "message"),
    [
        ("wide", "vectors of width 64 .*got one of 65"),
        ("nan", "finite numbers"),
        ("zero", "finite numbers"),
        ("few", "expected 2 vectors .* got 1; nothing of it is used"),
        ("torn", "expected embeddings as openai gives them"),
    ],
)
def test_an_answer_that_is_none_is_refused_whole(service, trick, message):
    model = opened(service)
    model.load()
    service.tricks = [trick]
    with pytest.raises(EmbeddingFailed, match=message):
        model.hidden(["one", "two"])


@requirement("models:service-stays-here")
def test_a_redirection_is_not_followed(service):
    service.tricks = ["302"]
    with pytest.raises(EmbeddingFailed, match="refused with status 302"):
        opened(service).load()


@requirement("models:service-stays-here")
@pytest.mark.parametrize("url", ["http://localhost:11434", "http://127.0.0.1:1/v1", "https://[::1]:8080/x"])
def test_this_machine_may_be_asked(url):
    assert checked_url(url, failure=EmbeddingFailed, key_option="--key-variable").hostname


@requirement("models:service-stays-here")
@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://example.com/v1", "would leave this machine for example.com; set model_hosts"),
        ("http://127.0.0.1.example.com", "would leave this machine"),
        ("http://10.0.0.1", "would leave this machine"),
        ("http://me:secret@localhost", "without a password"),
        ("file:///etc/hosts", "expected a URL"),
        ("http://localhost:99999", "is no URL"),
        ("ftp://localhost", "expected a URL"),
    ],
)
def test_any_other_place_may_not(url, message):
    with pytest.raises(EmbeddingFailed, match=message):
        checked_url(url, failure=EmbeddingFailed, key_option="--key-variable")


@requirement("models:service-stays-here")
def test_a_host_that_a_setting_names_may_be_asked():
    rules = {"failure": EmbeddingFailed, "key_option": "--key-variable"}
    assert checked_url("https://Models.example.com/v1", ["models.example.com"], **rules).hostname
    with pytest.raises(EmbeddingFailed, match="would leave this machine"):
        checked_url("https://models.example.com.evil.net/v1", ["models.example.com"], **rules)


@requirement("models:no-key-written")
def test_the_key_is_taken_from_the_environment_and_never_told(service, monkeypatch):
    model = opened(service, key_variable="TINY_KEY")
    monkeypatch.delenv("TINY_KEY", raising=False)
    with pytest.raises(EmbeddingFailed, match="in TINY_KEY, which is not set"):
        model.load()
    monkeypatch.setenv("TINY_KEY", "s3cret")
    model.load()
    assert service.requests[-1]["key"] == "Bearer s3cret"
    service.tricks = ["401"]
    with pytest.raises(EmbeddingFailed) as error:
        model.hidden(["x"])
    assert "s3cret" not in str(error.value) and "s3cret" not in model.name


@requirement("models:all-spaces")
def test_a_service_fills_the_spaces_that_need_no_token_vectors(service):
    own = Embedder(own=Description(url=service.url, model="tiny"))
    text = "The backup stopped because the disk was full.\n```python\ndef read(path):\n    return open(path)\n```"
    made, asked = own.fingerprint(text), own.query("Why did the backup stop?")
    assert made.semantic[256:640].any() and {"E5", "E7"} <= set(made.optional) and asked.optional["E5"].any()
    assert own.makers["E12"] == Embedder("base").makers["E12"] != own.makers["E1"]
    base = Embedder("base").query("Why did the backup stop?")
    assert np.array_equal(asked.tokens, base.tokens) and len(asked.tokens) == len(asked.idf)
    assert all(chunk.shape[1] == late.DIMENSIONS for chunk in made.chunks) and not made.pending
