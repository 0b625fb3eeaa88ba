"""A service that embeds texts, such as Ollama or any that speaks OpenAI's protocol: off unless it is chosen."""

import hashlib
import json
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from context_graph.embed.own.description import Description, plain
from context_graph.embed.own.fit import VERSION, Fit, neutral, stored
from context_graph.embed.own.probing import fitted
from context_graph.embed.semantic import unit
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import TextModel
from context_graph.endpoints.service import Service, checked_url
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, reentrant_lock

__all__ = ["ATTEMPTS", "EndpointModel"]

PATHS = {"openai": "/v1/embeddings", "ollama": "/api/embed"}
CHARS_A_TOKEN = 3
"""Of a text that is cut to the longest that a service reads: no token of prose is shorter on average."""

DEFAULT_TOKENS = 512
ATTEMPTS = 4
MAX_ANSWER_BYTES = 256_000_000


class EndpointModel(TextModel):
    """A model behind a URL. It has no token vectors: E12 keeps its static form.

    Parameters
    ----------
    description : Description
        Of a service.
    hosts : collection of str
        Hosts besides this machine that it may be on.
    fits : Path, optional
        Where its fit is kept.
    sleep : callable
        Waits some seconds before a request is made again.

    Raises
    ------
    InvalidInput, EmbeddingFailed
        The URL is not one that may be asked.
    """

    has_tokens = has_parts = False
    multilingual = True
    chunks_at_once = 1_000  # a request takes many: nothing of a memory waits

    def __init__(
        self,
        description: Description,
        *,
        hosts: Collection[str] = (),
        fits: Path | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = checked_url(description.url or "", hosts, failure=EmbeddingFailed, key_option="--key-variable")
        self.url = parts._replace(path=_whole_path(parts.path.rstrip("/"), description.api))
        self._description = description
        self._service = Service(
            self.url, where=f"{description.model} at {self.url.geturl()}", failure=EmbeddingFailed,
            advice="start it, or choose another model by context-graph model use",
            key_variable=description.key_variable, silence_s=description.timeout_s, attempts=ATTEMPTS,
            max_bytes=MAX_ANSWER_BYTES, sleep=sleep,
        )  # fmt: skip
        identity = f"{self.url.geturl()} {description.api} {description.model} {description.reading}"
        self.name = f"{plain(description.model or '')[:32]}-{hashlib.sha256(identity.encode()).hexdigest()[:12]}"
        self.limit = (description.max_tokens or DEFAULT_TOKENS) * CHARS_A_TOKEN
        if description.multilingual is not None:
            self.multilingual = description.multilingual
        self._file = fits / f"{self.name}-{VERSION}.npz" if fits is not None else None
        self.fit: Fit | None = None
        self._lock = reentrant_lock(Rank.LEAF, "EndpointModel._lock")

    @property
    def loaded(self) -> bool:
        return self.fit is not None

    def load(self) -> None:
        with self._lock:
            if self.fit is not None:
                return
            self._use(neutral(self._description.width or len(self._ask(["width"], False)[0])))
            try:
                self._use(stored(self._file, lambda: fitted(self, lambda texts: self._all(texts, False), self._use)))
            except BaseException:
                self.fit = None
                raise

    def _use(self, fit: Fit) -> None:
        self.fit, self.scale = fit, fit.scale

    def chunked(self, text: str, *, question: bool = False) -> list[str]:
        """Parts of a text, cut at blanks, as long as the service reads."""
        parts, rest = list[str](), text
        while len(rest) > self.limit:
            cut = rest.rfind(" ", self.limit // 2, self.limit)
            cut = self.limit if cut < 0 else cut
            parts.append(rest[:cut])
            rest = rest[cut:].lstrip()
        return [*parts, rest]

    def window(self, previous: str, first: str) -> list[str]:
        if not previous or not first or len(first) >= self.limit // 2:
            return []
        return [f"{previous[-(self.limit - len(first) - 1) :]}\n{first}"]

    def hidden(self, chunks: Sequence[str], *, question: bool = False) -> list[np.ndarray]:
        """The vector of each chunk, float32 (width,)."""
        self.load()
        return list(self._all(chunks, question))

    def _all(self, chunks: Sequence[str], question: bool) -> np.ndarray:
        assert self.fit is not None
        vectors: list[np.ndarray] = []
        for start in range(0, len(chunks), self._description.batch):
            vectors += self._ask(chunks[start : start + self._description.batch], question)
        width = len(self.fit.centre)
        if wrong := next((len(one) for one in vectors if len(one) != width), None):
            self._wrong(f"vectors of width {width}", f"one of {wrong}")
        return np.array(vectors, np.float32).reshape(len(vectors), width)

    def pooled(self, states: Sequence[np.ndarray]) -> np.ndarray:
        return self.narrowed(np.sum([unit(one) for one in states], axis=0))

    def narrowed(self, vector: np.ndarray) -> np.ndarray:
        assert self.fit is not None
        vector = unit(vector)
        vector = vector - self.fit.centre if vector.any() else vector
        return super().narrowed(vector if self.fit.narrow is None else vector @ self.fit.narrow)

    def tokens(self, states: np.ndarray) -> np.ndarray:
        """Not to be had of an endpoint.

        Raises
        ------
        NotImplementedError
            Always: an endpoint gives no token vectors.
        """
        raise NotImplementedError(f"{self.name} has no token vectors")

    def content(self, states: np.ndarray) -> np.ndarray:
        """Not to be had of an endpoint.

        Raises
        ------
        NotImplementedError
            Always: an endpoint gives no token vectors.
        """
        raise NotImplementedError(f"{self.name} has no token vectors")

    def part(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Not to be had of an endpoint.

        Raises
        ------
        NotImplementedError
            Always: an endpoint gives no token vectors.
        """
        raise NotImplementedError(f"{self.name} has no token vectors")

    def idf(self, text: str, chunk: str, statistics: PieceStatistics) -> np.ndarray:
        """Not to be had of an endpoint.

        Raises
        ------
        NotImplementedError
            Always: an endpoint gives no token vectors.
        """
        raise NotImplementedError(f"{self.name} has no token vectors")

    def _ask(self, chunks: Sequence[str], question: bool) -> list[np.ndarray]:
        """The vectors of one request."""
        prefix = (self._description.query_prefix if question else self._description.passage_prefix) or ""
        texts = [prefix + (chunk or " ") for chunk in chunks]
        body: dict[str, Any] = {"model": self._description.model, "input": texts}
        if self._description.api == "openai":
            body["encoding_format"] = "float"
        if self._description.width is not None:
            body["dimensions"] = self._description.width
        return self._vectors(self._service.post(body), len(chunks))

    @property
    def where(self) -> str:
        """The model and its service, for a person."""
        return self._service.where

    def _vectors(self, data: bytes, count: int) -> list[np.ndarray]:
        try:
            answer = json.loads(data)
            if self._description.api == "ollama":
                rows = answer["embeddings"]
            else:
                rows = [one["embedding"] for one in sorted(answer["data"], key=lambda one: one.get("index", 0))]
            vectors = [np.array(row, np.float64) for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._wrong(f"embeddings as {self._description.api} gives them", f"{data[:80]!r} ({error})")
        if len(vectors) != count:
            self._wrong(f"{count} vectors", str(len(vectors)))
        for vector in vectors:
            if vector.ndim != 1 or len(vector) < 8 or not np.isfinite(vector).all() or not vector.any():
                self._wrong("vectors of finite numbers", f"{vector!r:.80}")
        if self._description.width is not None and any(len(vector) != self._description.width for vector in vectors):
            self._wrong(f"vectors of width {self._description.width}", f"some of {len(vectors[0])}")
        return [vector.astype(np.float32) for vector in vectors]

    def _wrong(self, wanted: str, got: str) -> NoReturn:
        raise EmbeddingFailed(f"expected {wanted} from {self.where}, got {got}; nothing of it is used")


def _whole_path(path: str, api: str) -> str:
    """The path of a protocol, where a URL names only the host, or the host and /v1."""
    if path.endswith(("/embeddings", "/embed")):
        return path
    return f"{path}/embeddings" if path.endswith("/v1") and api == "openai" else path + PATHS[api]
