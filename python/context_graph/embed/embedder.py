"""What a text is: its fingerprint in every space that is built, in the tier that this machine has."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np

from context_graph.embed import code, hyperdimensional, late, lexical, semantic
from context_graph.embed.ahead import Ahead
from context_graph.embed.chunks import CHUNK_PIECES, chunked
from context_graph.embed.encoder import Encoder
from context_graph.embed.inputs import Media, MemoryInput, Pooled, QuestionInput
from context_graph.embed.languages import in_english
from context_graph.embed.minilm import MODEL, model_file
from context_graph.embed.program import reading
from context_graph.embed.spaces import OPTIONAL, served
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.wordpiece import pieces as pieces_of
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock

__all__ = [
    "CHUNKS_AT_ONCE", "Embedder", "Fingerprint", "QueryVectors", "Tier", "Voice", "optional_in",
]  # fmt: skip

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
    optional : dict
        Space id -> float32 unit vector, of the optional spaces.
    """

    semantic: np.ndarray
    chunks: list[np.ndarray]
    terms: Mapping[int, float]
    bits: np.ndarray
    pieces: np.ndarray
    pending: list[list[int]] = field(default_factory=list)
    optional: dict[str, np.ndarray] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """What a speaker might say, in E12 as their memories are."""

    speaker: str
    tokens: np.ndarray
    rarity: np.ndarray


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
    original: str = ""
    """The question as it was asked; `text` is it in English."""

    readings: tuple[Mapping[int, float], ...] = ()
    """The terms again: in the language that it was asked in, and each time with another name of something that the text
    names in place of that one."""

    optional: dict[str, np.ndarray] = field(default_factory=dict)
    """Space id -> float32 unit vector, of the optional spaces."""

    voice: Voice | None = None
    """The question as a speaker whom it names would put it."""


class Embedder:
    """Turns texts into vectors; models load at first use and stay.

    Parameters
    ----------
    tier : "auto", "minilm" or "base"
        auto takes MiniLM when its package is installed.
    model_folder : Path, optional
        A folder with a model of the user's own in place of the package's; see `Encoder`.
    space_models : mapping, optional
        Space id, one of `served`, -> a folder with another model for that space alone.

    Attributes
    ----------
    makers : dict
        Space id -> the origin of its vectors: those of two models are never compared.
    """

    def __init__(
        self,
        tier: str = "auto",
        *,
        model_folder: Path | None = None,
        space_models: Mapping[str, Path] | None = None,
        threads: int = 1,
    ) -> None:
        file, space_models = None if tier == "base" else model_file(model_folder), space_models or {}
        _check(tier, file, model_folder, space_models)
        self.tier: Tier = "base" if file is None else "minilm"
        self.statistics = PieceStatistics()
        self._encoders: dict[str, Encoder] = {}
        if file is not None:
            whole = Encoder(file, threads=threads, packaged=model_folder is None)
            own = {f: Encoder(f / MODEL, threads=threads, packaged=False) for f in {*space_models.values()}}
            self._encoders = {id: own[space_models[id]] if id in space_models else whole for id in served()}
        self.makers = {id: f"static256+{encoder.name}" for id, encoder in self._encoders.items()}
        self.makers = self.makers or dict.fromkeys(served(), "static256-1")
        for id in OPTIONAL.keys() - self.makers.keys():
            self.makers[id] = self.makers["E1"]  # whose blocks it takes
        # ONNX Runtime is thread-safe; one pass at a time keeps latency even.
        self._forward = lock(Rank.MODEL, "Embedder._forward")

    @property
    def model(self) -> str:
        """Names all models at once."""
        return " ".join(dict.fromkeys(self.makers.values()))

    @property
    def loaded(self) -> bool:
        return all(encoder.loaded for encoder in self._encoders.values())

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
        media: Media | None = None,
        ahead: Ahead | None = None,
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
        ahead : Ahead, optional
            Passes that were made before, see `ahead`.
        """
        code_reading = reading(text)
        headed = lexical.titled(text if code_reading else in_english(text), name)
        spoken = _spoken(text, speaker, name)
        chunks = chunked(spoken)
        pieces = np.array([piece for chunk in chunks for piece in chunk], np.int32)
        before = np.array(chunked(self.read(previous))[-1] if previous else [], np.int32)
        own = semantic.static_sum(pieces, self.statistics)
        if not self._encoders:
            window = own + semantic.static_sum(before, self.statistics)
            about = np.array(chunked(heading)[0] if heading else [], np.int32)
            rare = semantic.rarest_half(pieces, self.statistics)
            blocks = [own, window] + [semantic.static_sum(part, self.statistics) for part in (about, rare)]
            tokens, pending = [late.static(np.array(chunk, np.int32)) for chunk in chunks], []
            passed = None
        else:
            if code_reading is not None:  # else both read the same
                spoken = self.read(text, speaker, name)
                chunks = chunked(spoken)
            passed = _Passes(ahead or self._run, self._encoders, spoken, chunks[:CHUNKS_AT_ONCE])
            window = passed.beside("E1", self._window(before, chunks[0])) or passed.states("E1")[:1]
            blocks = [own, passed.whole("E1"), self._encoders["E1"].pooled(window)]
            tokens = [self._encoders["E12"].tokens(chunk) for chunk in passed.states("E12")]
            pending = chunks[CHUNKS_AT_ONCE:]
        words = lexical.terms(lexical.field_text(headed, speaker=speaker, occurred_at=occurred_at))
        if code_reading:
            words = dict(Counter(words) + Counter(code.terms(code_reading)))
        elif in_own := lexical.native(text) | lexical.written(text):
            words = dict(Counter(words) | Counter(in_own))
        return Fingerprint(
            semantic.blocks_to_vector(blocks),
            [late.quantised(chunk) for chunk in tokens],
            words | lexical.cues(in_english(rationale)) | lexical.names(names, titles),
            hyperdimensional.bits(headed),
            pieces,
            pending,
            self._optional(text, spoken, passed, blocks, media),
        )

    def ahead(self, memories: Iterable[tuple[str, str | None, str | None, str]]) -> Ahead | None:
        """What a model reads of memories that are about to be embedded, read together; None in the base tier.

        Parameters
        ----------
        memories : iterable of (text, speaker, name, previous)
            As `fingerprint` will be given them.
        """
        if not self._encoders:
            return None
        ahead, texts, windows = Ahead(self._run), [], []
        for text, speaker, name, previous in memories:
            chunks = chunked(self.read(text, speaker, name))[:CHUNKS_AT_ONCE]
            before = np.array(chunked(self.read(previous))[-1] if previous else [], np.int32)
            texts += chunks
            windows += self._window(before, chunks[0])
        for encoder in dict.fromkeys((self._encoders["E1"], self._encoders["E12"])):
            ahead.read(encoder, [*texts, *windows] if encoder is self._encoders["E1"] else texts)
        return ahead

    def read(self, text: str, speaker: str | None = None, name: str | None = None) -> str:
        """What the vectors of a memory are made of: a model reads code as it stands, for it was trained on code."""
        return _spoken(text, speaker, name, plain=not self._encoders)

    def query(self, text: str, *, speaker: str = "", first_person: str = "") -> QueryVectors:
        """Embed a question; of a very long one the first chunk speaks.

        Parameters
        ----------
        speaker, first_person : str
            Whom it is about, and how they would put it: read in the same pass.
        """
        original, native = text, lexical.native(text)
        text = in_english(text)
        pieces = np.array(chunked(text)[0], np.int32)
        voice = [chunked(_spoken(first_person, speaker))[0]] if first_person else []
        static = semantic.static_sum(pieces, self.statistics)
        passed = None
        if not self._encoders:
            rare = semantic.static_sum(semantic.rarest_half(pieces, self.statistics), self.statistics)
            blocks, tokens = [static, static, static, rare], late.static(pieces)
            voice_tokens = [late.static(np.array(each, np.int32)) for each in voice]
        else:
            passed = _Passes(self._run, self._encoders, text, [pieces.tolist()])
            others = passed.beside("E12", voice)
            told = passed.whole("E1")
            blocks = [static, told, told]
            tokens, *voice_tokens = (self._encoders["E12"].tokens(each) for each in [*passed.states("E12"), *others])
        rarities = [self.statistics.weights(np.array(each, np.int32)) for each in voice]
        return QueryVectors(
            text,
            semantic.blocks_to_vector(blocks),
            semantic.unit(static),
            tokens,
            self.statistics.weights(pieces),
            lexical.terms(text),
            lexical.cues(text),
            original=original,
            readings=(native,) if native else (),
            optional=self._asked(text, passed),
            voice=Voice(speaker, voice_tokens[0], rarities[0]) if first_person else None,
        )

    def _asked(self, text: str, passed: "_Passes | None") -> dict[str, np.ndarray]:
        """A question in the optional spaces that it asks about."""
        vectors = {}
        for id, encoder in OPTIONAL.items():
            whole = partial(passed.whole, self._served(id)) if passed else None
            vector = encoder.question(QuestionInput(text, self.statistics, whole))
            if vector is not None:
                vectors[id] = vector
        return vectors

    def _optional(
        self,
        text: str,
        spoken: str,
        passed: "_Passes | None",
        blocks: list[np.ndarray],
        media: Media | None,
    ) -> dict[str, np.ndarray]:
        """A memory in the optional spaces that it has content for."""
        vectors = {}
        for id, encoder in OPTIONAL.items():
            parts = partial(passed.parts, self._served(id)) if passed else None
            vector = encoder.encode(
                MemoryInput(text, spoken, len(spoken) - len(text), self.statistics, self.tier, blocks, media, parts)
            )
            if vector is not None:
                vectors[id] = vector
        return vectors

    def _served(self, id: str) -> str:
        """The space whose model serves a space."""
        return id if id in self._encoders else "E1"

    def with_rest(self, fingerprint: Fingerprint, pools: list[np.ndarray]) -> np.ndarray:
        """E1 of a long memory once its pending chunks are embedded: its own MiniLM block becomes the mean over all."""
        vector = fingerprint.semantic.copy()
        own = semantic.OWN["minilm"][1]
        done = len(fingerprint.chunks)
        length = np.linalg.norm(vector[own])
        vector[own] = semantic.unit(done * semantic.unit(vector[own]) + sum(pools)) * length
        return semantic.unit(vector)

    @property
    def own_width(self) -> int:
        """How many of the first numbers of E1 `own_part` reads."""
        return max(block.stop for block in semantic.OWN[self.tier])

    def own_part(self, vectors: np.ndarray) -> np.ndarray:
        """The blocks of E1 that depend on the memory's own text only: (n, 1024), or `own_width` -> unit rows."""
        part = np.concatenate([vectors[..., block] for block in semantic.OWN[self.tier]], axis=-1)
        return part / np.maximum(np.linalg.norm(part, axis=-1, keepdims=True), 1e-9)

    def later(self, chunk: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """A chunk that was pending: its E12, unit rows (t, 128), and its part of E1, unit (384,)."""
        passed = _Passes(self._run, self._encoders, "", [list(chunk)])
        return self._encoders["E12"].tokens(passed.states("E12")[0]), passed.whole("E1")

    def _run(self, encoder: Encoder, chunks: Sequence[Sequence[int]]) -> list[np.ndarray]:
        with self._forward:
            return encoder.hidden(chunks)

    def _window(self, before: np.ndarray, first: list[int]) -> list[list[int]]:
        """The end of the previous memory and this one, in one pass; nothing where one of them says nothing new."""
        if len(before) == 0 or len(first) >= LONG:
            return []
        room = CHUNK_PIECES - min(len(first), CHUNK_PIECES // 2)
        head = before[-room:].tolist()
        return [head + first[: CHUNK_PIECES - len(head)]]


def optional_in(text: str) -> bool:
    """Whether a text has content for an optional space."""
    return any(encoder.has_content(text) for encoder in OPTIONAL.values())


def _spoken(text: str, speaker: str | None = None, name: str | None = None, *, plain: bool = True) -> str:
    """What is embedded of a memory: its speaker, name and text in English; with `plain`, code in plain words."""
    found = reading(text)
    if found is None:
        text = in_english(text)
    headed = lexical.titled(found.text if found is not None and plain else text, name)
    return f"{speaker}: {headed}" if speaker else headed


class _Passes:
    """The forward passes over one text: one for each model, when a space first asks for it.

    Parameters
    ----------
    chunks : list of list of int
        Those that are embedded at once.
    """

    def __init__(
        self,
        run: Callable[[Encoder, Sequence[Sequence[int]]], list[np.ndarray]],
        encoders: Mapping[str, Encoder],
        text: str,
        chunks: list[list[int]],
    ) -> None:
        self._run, self._encoders, self._text, self._chunks = run, encoders, text, chunks
        self._states: dict[Encoder, list[np.ndarray]] = {}

    def beside(self, space: str, others: list[list[int]]) -> list[np.ndarray]:
        """Hidden states of other word pieces, which share the pass of the chunks by the model of a space."""
        encoder = self._encoders[space]
        hidden = self._run(encoder, [*self._chunks, *others])
        self._states[encoder] = hidden[: len(self._chunks)]
        return hidden[len(self._chunks) :]

    def states(self, space: str) -> list[np.ndarray]:
        """Hidden states of each chunk by the model of a space."""
        encoder = self._encoders[space]
        if encoder not in self._states:
            self._states[encoder] = self._run(encoder, self._chunks)
        return self._states[encoder]

    def whole(self, space: str) -> np.ndarray:
        """The text as one vector: unit (384,)."""
        return self._encoders[space].pooled(self.states(space))

    def parts(self, space: str) -> Pooled:
        """The mean of the token vectors of parts of the text, as a function of their spans."""
        tokens, encoder = np.concatenate([chunk[1:-1] for chunk in self.states(space)]), self._encoders[space]

        def pooled(spans: Sequence[tuple[int, int]]) -> np.ndarray:
            """Unit length; zero where none was embedded: float32 (384,)."""
            total = np.zeros(tokens.shape[1], np.float32)
            for start, end in spans:
                first = len(pieces_of(self._text[:start]))
                total += tokens[first : first + len(pieces_of(self._text[start:end]))].sum(axis=0)
            return encoder.narrowed(total)

        return pooled


def _check(tier: str, file: Path | None, model_folder: Path | None, space_models: Mapping[str, Path]) -> None:
    """What was asked for is there, or an error says what is not."""
    if unknown := set(space_models) - set(served()):
        raise EmbeddingFailed(
            f"space_models names {', '.join(sorted(unknown))}; a model can serve {', '.join(served())}"
        )
    wanted = [*([model_folder] if model_folder is not None and tier != "base" else ()), *space_models.values()]
    if missing := [folder for folder in wanted if model_file(folder) is None]:
        raise EmbeddingFailed(f"expected a {MODEL} in {missing[0]}, found none; correct model_folder or space_models")
    if wanted and find_spec("onnxruntime") is None:
        raise EmbeddingFailed("a model of your own needs ONNX Runtime; run pip install onnxruntime")
    if file is None and (tier == "minilm" or space_models):
        needs = "space_models need" if space_models else "what was asked for needs"
        raise EmbeddingFailed(
            f"{needs} the model of tier 'minilm', which is not installed or switched off; "
            "run pip install 'ultimate-context-graph[minilm]', or set the tier to auto"
        )
