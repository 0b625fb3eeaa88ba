"""A language model behind a URL, asked by OpenAI's chat protocol or Ollama's: off unless the settings name one."""

import json
import time
from collections.abc import Callable
from typing import Any

from context_graph.client_model import MAX_COMPLETION_CHARS, MODEL_NAME, Completion, Prompt
from context_graph.endpoints.service import Service, checked_url
from context_graph.errors import EndpointFailed, NotApplicable
from context_graph.settings import Settings

__all__ = ["ChatModel"]

ATTEMPTS = 3
MAX_REPLY_BYTES = 1_000_000
PATHS = {"openai": "/v1/chat/completions", "ollama": "/api/chat"}


class ChatModel:
    """The model that the settings name. It is a `ClientModel`: called, it asks, and raises nothing.

    Parameters
    ----------
    settings : Settings
        Those whose names begin with extractor, and `model_hosts`.
    attempts : int
        Requests before it is given up.
    sleep : callable
        Waits some seconds before a request is made again.

    Raises
    ------
    NotApplicable
        No model is named.
    EndpointFailed
        The URL is not one that may be asked, or the name of the model is none.
    """

    def __init__(
        self, settings: Settings, *, attempts: int = ATTEMPTS, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        if not settings.extractor_url or not settings.extractor_model:
            raise NotApplicable(
                "no language model is set that could propose anything; set extractor_url and extractor_model, such as "
                "http://localhost:11434 and llama3.1, in config.toml"
            )
        if not MODEL_NAME.fullmatch(settings.extractor_model):
            raise EndpointFailed(
                "expected the name of a model, such as llama3.1:8b, as extractor_model, got "
                f"{settings.extractor_model[:100]!r}"
            )
        url = checked_url(
            settings.extractor_url, settings.hosts, failure=EndpointFailed, key_option="extractor_key_variable"
        )
        self.name, self._api = settings.extractor_model, settings.extractor_api
        url = url._replace(path=_whole_path(url.path.rstrip("/"), self._api))
        self._service = Service(
            url, where=f"{self.name} at {url.geturl()}", failure=EndpointFailed,
            advice="start it, or correct extractor_url in config.toml", key_variable=settings.extractor_key_variable,
            silence_s=settings.extractor_seconds, whole_s=settings.extractor_seconds, attempts=attempts,
            max_bytes=MAX_REPLY_BYTES, sleep=sleep,
        )  # fmt: skip

    def __call__(self, prompt: Prompt) -> Completion:
        try:
            data = self._service.post(self._body(prompt))
        except EndpointFailed as error:
            return Completion(model=self.name, problem=str(error))
        text = _text(data, self._api)
        if text is None or not text.strip():
            said = "no text" if text is not None else f"{data[:80]!r}"
            problem = f"expected a text of {self._service.where} as {self._api} gives it, got {said}"
            return Completion(model=self.name, problem=problem)
        if len(text) > MAX_COMPLETION_CHARS:
            problem = f"expected {MAX_COMPLETION_CHARS} characters at most of {self._service.where}, got {len(text)}"
            return Completion(model=self.name, problem=problem)
        return Completion(text, self.name)

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.text}]
        body: dict[str, Any] = {"model": self.name, "messages": messages, "stream": False}
        if self._api == "ollama":
            return {**body, "format": "json", "options": {"temperature": 0, "num_predict": prompt.max_tokens}}
        return {**body, "temperature": 0, "max_tokens": prompt.max_tokens}


def _text(data: bytes, api: str) -> str | None:
    """What the model wrote, in the answer of a service; None where that is none.

    Examples
    --------
    >>> _text(b'{"message": {"content": "{}"}}', "ollama"), _text(b'{"choices": []}', "openai")
    ('{}', None)
    """
    try:
        answer = json.loads(data)
        text = answer["message"]["content"] if api == "ollama" else answer["choices"][0]["message"]["content"]
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None
    return text if isinstance(text, str) else None


def _whole_path(path: str, api: str) -> str:
    """The path of a protocol, where a URL names only the host, or the host and /v1."""
    if path.endswith(("/chat/completions", "/chat")):
        return path
    return f"{path}/chat/completions" if path.endswith("/v1") and api == "openai" else path + PATHS[api]
