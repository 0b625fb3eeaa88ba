"""What a text is: its fingerprint in every space that is built, in the tier that this machine has."""

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from context_graph.embed import causal, code, hyperdimensional, late, lexical, multimodal, semantic
from context_graph.embed.chunks import CHUNK_PIECES, chunked
from context_graph.embed.minilm import MiniLM, model_file
from context_graph.embed.program import Reading, reading
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.wordpiece import pieces as pieces_of

__all__ = ["CHUNKS_AT_ONCE", "Embedder", "Fingerprint", "QueryVectors", "Tier", "occasional_in", "spoken_text"]

Tier = Literal["base", "minilm"]
LONG = 128
"""Word pieces from which a memory is its own window: what stood before adds little, and a second pass costs much."""

CHUNKS_AT_ONCE = 4
"""Chunks embedded before the answer; the rest follow in the background and are found by their words meanwhile."""


@dataclass(frozen=True, slots=True, eq=False)
class Fingerprint:
    """One memory in all stored spaces.

    Attributes
    ----------
    semantic : float32 (1024,), unit length
        E1.
    chunks : list of int8 (t, 128)
        E12, one array a chunk.
    terms : dict
        E6: term id -> count, of text, date and speaker, and of the rationale's cues.
    bits : uint64 (160,)
        E9.
    pieces : int32 (t,)
        Word pieces of the text, from which the static vectors are summed again as rarity changes.
    pending : list
        Chunks still to be embedded.
    occasional : dict
        Space id -> float32 unit vector, of the spaces that only some memories have.
    """

    semantic: np.ndarray
    chunks: list[np.ndarray]
    terms: dict[int, int]
    bits: np.ndarray
    pieces: np.ndarray
    pending: list[list[int]] = field(default_factory=list)
    occasional: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class QueryVectors:
    """A question, in the spaces that it is asked in."""

    text: str
    semantic: np.ndarray
    static: np.ndarray
    """float32 (256,), unit length: compared with sums of neighbouring memories."""

    tokens: np.ndarray
    rarity: np.ndarray
    """float32 (t,): how rare each of its tokens is, in [0, 1]."""

    terms: dict[int, int]
    cues: dict[int, int]
    occasional: dict[str, np.ndarray] = field(default_factory=dict)
    """Space id -> float32 unit vector, of the spaces that only some memories have."""


class Embedder:
    """Turns texts into vectors; models load at first use and stay.

    Parameters
    ----------
    tier : "auto", "minilm" or "base"
        auto takes MiniLM when its package is installed.
    model_folder : Path, optional
        A folder with `model.onnx` in place of the package's model.
    """

    def __init__(
        self, tier: Literal["auto", "base", "minilm"] = "auto", *, model_folder: Path | None = None, threads: int = 1
    ) -> None:
        file = None if tier == "base" else model_file(model_folder)
        if tier == "minilm" and file is None:
            from context_graph.errors import EmbeddingFailed

            raise EmbeddingFailed(
                "tier 'minilm' needs its model, which is not installed; "
                "run pip install 'ultimate-context-graph[minilm]' or set the tier to auto"
            )
        self.tier: Tier = "base" if file is None else "minilm"
        self.statistics = PieceStatistics()
        self._minilm = None if file is None else MiniLM(file, threads=threads, verified=model_folder is None)
        self._forward = threading.Lock()  # ONNX Runtime is thread-safe; one pass at a time keeps latency even

    @property
    def model(self) -> str:
        """Names the vectors' origin: vectors of two models are never compared."""
        return "static256-1" if self._minilm is None else "static256+minilm-l6-int8-1"

    @property
    def loaded(self) -> bool:
        return self._minilm is None or self._minilm.loaded

    def load(self) -> None:
        """Load what a first text would wait for."""
        self.query("warm up")

    def fingerprint(
        self,
        text: str,
        *,
        name: str | None = None,
        speaker: str | None = None,
        occurred_at: int | None = None,
        previous: str = "",
        heading: str = "",
        rationale: str = "",
        names: Collection[str] = (),
        titles: Collection[str] = (),
        media: multimodal.Media | None = None,
    ) -> Fingerprint:
        """Embed one memory.

        Parameters
        ----------
        text : str
            Up to 65,536 characters; longer than four chunks comes back with `pending` chunks.
        name : str, optional
            The name it was given; the text is embedded after it.
        occurred_at : int, optional
            Microseconds; only a date that was given is indexed with the words.
        previous : str
            The memory before it in the session: the window view is of both.
        heading : str
            Name and entities.
        rationale : str
            Why it is kept: its words are cues.
        names, titles : collection of str
            Keys of the names in it, and of its own: kept beside the words, for links.
        media : Media, optional
            Of a memory that holds a picture, sound or film.
        """
        found = reading(text)
        headed = lexical.titled(text, name)
        spoken = spoken_text(text, speaker, name)
        chunks = chunked(spoken)
        pieces = np.array([piece for chunk in chunks for piece in chunk], np.int32)
        before = np.array(chunked(spoken_text(previous))[-1] if previous else [], np.int32)
        own = semantic.static_sum(pieces, self.statistics)
        if self._minilm is None:
            window = own + semantic.static_sum(before, self.statistics)
            about = np.array(chunked(heading)[0] if heading else [], np.int32)
            rare = semantic.rarest_half(pieces, self.statistics)
            blocks = [own, window] + [semantic.static_sum(part, self.statistics) for part in (about, rare)]
            tokens, pending = [late.static(np.array(chunk, np.int32)) for chunk in chunks], []
            passed = None
        else:
            hidden = self.hidden([*chunks[:CHUNKS_AT_ONCE], *self._window(before, chunks[0])])
            window = [hidden.pop()] if len(hidden) > min(len(chunks), CHUNKS_AT_ONCE) else hidden[:1]
            blocks = [own, semantic.pooled(hidden), semantic.pooled(window)]
            tokens, pending = [late.contextual(chunk) for chunk in hidden], chunks[CHUNKS_AT_ONCE:]
            passed = _Pass(spoken, np.concatenate([chunk[1:-1] for chunk in hidden]))
        field_text = lexical.field_text(headed, speaker=speaker, occurred_at=occurred_at)
        return Fingerprint(
            semantic.blocks_to_vector(blocks),
            [late.quantised(chunk) for chunk in tokens],
            dict(Counter(lexical.terms(field_text)) + Counter(code.terms(found) if found else ()))
            | lexical.cues(rationale)
            | lexical.names(names, titles),
            hyperdimensional.bits(headed),
            pieces,
            pending,
            self._occasional(found, spoken, passed, blocks, media),
        )

    def query(self, text: str) -> QueryVectors:
        """Embed a question; of a very long one the first chunk speaks."""
        pieces = np.array(chunked(text)[0], np.int32)
        static = semantic.static_sum(pieces, self.statistics)
        if self._minilm is None:
            rare = semantic.static_sum(semantic.rarest_half(pieces, self.statistics), self.statistics)
            blocks, tokens, told = [static, static, static, rare], late.static(pieces), None
        else:
            hidden = self.hidden([pieces.tolist()])
            told = semantic.pooled(hidden)
            blocks, tokens = [static, semantic.pooled(hidden), semantic.pooled(hidden)], late.contextual(hidden[0])
        return QueryVectors(
            text,
            semantic.blocks_to_vector(blocks),
            semantic.unit(static),
            tokens,
            self.statistics.weights(pieces),
            lexical.terms(text),
            lexical.cues(text),
            self._asked(text, told),
        )

    def _asked(self, text: str, told: np.ndarray | None) -> dict[str, np.ndarray]:
        """A question in the spaces that only some memories have, and that it asks about."""
        made = {"E5": causal.question(text, self.statistics, told), "E7": code.question(text, self.statistics, told)}
        return {id: vector for id, vector in made.items() if vector is not None}

    def _occasional(
        self,
        found: Reading | None,
        spoken: str,
        passed: "_Pass | None",
        blocks: list[np.ndarray],
        media: multimodal.Media | None,
    ) -> dict[str, np.ndarray]:
        """The spaces that this memory has beside those that every memory has."""
        made = {}
        if clauses := causal.causes(spoken):
            made["E5"] = causal.vector(clauses, spoken, self.statistics, passed.pooled if passed else None)
        if found is not None:
            offset = len(spoken) - len(found.text)  # of the speaker's name
            told = passed.pooled([(offset + start, offset + end) for start, end in found.parts]) if passed else None
            made["E7"] = code.vector(found, self.statistics, told)
        if media is not None:
            shown = multimodal.vector(multimodal.text_blocks(blocks, self.tier), media)
            made |= {} if shown is None else {"E10": shown}
        return made

    def with_rest(self, fingerprint: Fingerprint, pools: list[np.ndarray]) -> np.ndarray:
        """E1 of a long memory once its pending chunks are embedded: its own MiniLM block becomes the mean over all."""
        vector = fingerprint.semantic.copy()
        own = semantic.OWN["minilm"][1]
        done = len(fingerprint.chunks)
        length = np.linalg.norm(vector[own])
        vector[own] = semantic.unit(done * semantic.unit(vector[own]) + sum(pools)) * length
        return semantic.unit(vector)

    def own_part(self, vectors: np.ndarray) -> np.ndarray:
        """The blocks of E1 that depend on the memory's own text only: (n, 1024) -> unit rows."""
        part = np.concatenate([vectors[..., block] for block in semantic.OWN[self.tier]], axis=-1)
        return part / np.maximum(np.linalg.norm(part, axis=-1, keepdims=True), 1e-9)

    def hidden(self, chunks: Sequence[Sequence[int]]) -> list[np.ndarray]:
        """MiniLM's hidden states of chunks; only in the `minilm` tier."""
        with self._forward:
            return self._minilm.hidden(chunks)

    def _window(self, before: np.ndarray, first: list[int]) -> list[list[int]]:
        """The end of the previous memory and this one, in one pass; nothing where one of them says nothing new."""
        if len(before) == 0 or len(first) >= LONG:
            return []
        room = CHUNK_PIECES - min(len(first), CHUNK_PIECES // 2)
        head = before[-room:].tolist()
        return [head + first[: CHUNK_PIECES - len(head)]]


def occasional_in(text: str) -> bool:
    """Whether a text has content of a space that only some memories have."""
    return reading(text) is not None or bool(causal.causes(text))


def spoken_text(text: str, speaker: str | None = None, name: str | None = None) -> str:
    """What is embedded of a memory: its speaker, its name and its text, code in plain words."""
    found = reading(text)
    plain = lexical.titled(text if found is None else found.text, name)
    return f"{speaker}: {plain}" if speaker else plain


class _Pass:
    """One forward pass over a text, from which its parts are read."""

    def __init__(self, text: str, tokens: np.ndarray) -> None:
        self._text, self._tokens = text, tokens

    def pooled(self, spans: Sequence[tuple[int, int]]) -> np.ndarray:
        """Mean of the token vectors of parts of the text, unit length; zero where none was embedded: float32 (384,)."""
        total = np.zeros(self._tokens.shape[1], np.float32)
        for start, end in spans:
            first = len(pieces_of(self._text[:start]))
            total += self._tokens[first : first + len(pieces_of(self._text[start:end]))].sum(axis=0)
        return semantic.unit(total)
