"""What a text is: its fingerprint in every space that is built, in the tier that this machine has."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal

import numpy as np

from context_graph.embed import code, hyperdimensional, late, lexical, semantic, static_table
from context_graph.embed.ahead import Ahead
from context_graph.embed.chunks import chunked
from context_graph.embed.encoder import Encoder
from context_graph.embed.fingerprint import Fingerprint, FirstPerson, Pending, QueryVectors
from context_graph.embed.inputs import Media, MemoryInput, QuestionInput
from context_graph.embed.languages import in_english
from context_graph.embed.minilm import DIMENSIONS as MINILM
from context_graph.embed.minilm import model_file
from context_graph.embed.own.description import Description
from context_graph.embed.passes import Chunks, Passes
from context_graph.embed.program import reading
from context_graph.embed.spaces import OPTIONAL, served
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.text_model import AS_FITTED, CHUNKS_AT_ONCE, Scale, TextModel
from context_graph.errors import EmbeddingFailed
from context_graph.locks import Rank, lock

__all__ = [
    "CHUNKS_AT_ONCE", "Embedder", "Tier", "optional_in",
]  # fmt: skip

Tier = Literal["base", "minilm"]
STATIC_MAKER = "static256-1"


class Embedder:
    """Turns texts into vectors; models load at first use and stay.

    Parameters
    ----------
    tier : "auto", "minilm" or "base"
        auto takes MiniLM when its package is installed.
    model_folder : Path, optional
        A folder with a model of the user's own in place of the package's; see `FolderModel`.
    space_models : mapping, optional
        Space id, one of `served`, -> a folder with another model for that space alone.
    own : Description, optional
        A model of the user's own in place of the package's, with all that is to be known of it.
    hosts : collection of str
        Where besides this machine a service may be that embeds texts.
    fits : Path, optional
        Where what is measured of models of the user's own is kept.

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
        own: Description | None = None,
        hosts: Collection[str] = (),
        fits: Path | None = None,
    ) -> None:
        space_models = space_models or {}
        if model_folder is not None and own is None:
            own = Description(folder=str(model_folder))
        file = None if tier == "base" or own is not None else model_file()
        _check(tier, file, own, space_models)
        self.tier: Tier = "base" if tier == "base" or (file is None and own is None) else "minilm"
        self.statistics = PieceStatistics()
        self._encoders: dict[str, TextModel] = {}
        if self.tier == "minilm":
            whole = Encoder(file, threads=threads) if file is not None else _model(own, threads, hosts, fits)
            others = {
                folder: _model(Description(folder=str(folder)), threads, hosts, fits)
                for folder in dict.fromkeys(space_models.values())
            }
            self._encoders = {id: others[space_models[id]] if id in space_models else whole for id in served()}
        self.makers = {id: f"static256+{encoder.name}" for id, encoder in self._encoders.items()}
        self.makers = self.makers or dict.fromkeys(served(), STATIC_MAKER)
        self._late = self._encoders.get("E12")
        """Who makes token vectors; None where they are static."""

        if self._late is not None and not self._late.has_tokens:
            self._late, self.makers["E12"] = None, STATIC_MAKER
        for id in OPTIONAL.keys() - self.makers.keys():
            self.makers[id] = self.makers["E1"]  # whose blocks it takes
        # ONNX Runtime is thread-safe; one pass at a time keeps latency even.
        self._forward = lock(Rank.MODEL, "Embedder._forward")

    @property
    def model(self) -> str:
        """Names all models at once."""
        return " ".join(dict.fromkeys(self.makers.values()))

    @property
    def label(self) -> str:
        """Who reads, for a person: base, minilm, or the models of the user's own by name."""
        own = [model.name for model in dict.fromkeys(self._encoders.values()) if not isinstance(model, Encoder)]
        return ", ".join(own) or self.tier

    @property
    def ranking(self) -> str:
        """Which weights a search takes: those of the tier, or those of the package's model of many languages."""
        whole = self._encoders.get("E1")
        return "multilingual" if whole is not None and whole.levels_languages else self.tier

    @property
    def models(self) -> dict[str, TextModel]:
        """The model of each space that one serves."""
        return dict(self._encoders)

    @property
    def scale(self) -> Scale:
        """How scores compare with those that relevance was fitted on."""
        if not self._encoders:
            return AS_FITTED
        late_model, whole = self._encoders["E12"], self._encoders["E1"]
        return Scale(late_model.scale.late, whole.scale.cosine)

    @property
    def loaded(self) -> bool:
        return all(encoder.loaded for encoder in self._encoders.values())

    def load(self) -> None:
        """Load what a first text would wait for."""
        self.query("warm up")

    def unload(self) -> None:
        """Let go of the models; the next text reads them again."""
        for encoder in self._encoders.values():
            encoder.unload()

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
        unweighted: Fingerprint | None = None,
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
        unweighted : Fingerprint, optional
            Of the same memory without media, in the base tier, but for `previous` and by other word statistics: what
            neither has a part in is taken from it.
        """
        if unweighted is not None and not self._encoders:
            spoken, pieces = _spoken(text, speaker, name), unweighted.pieces
            blocks = self._static_blocks(semantic.static_sum(pieces, self.statistics), pieces, previous, heading)
            vector = semantic.blocks_to_vector(blocks)
            return replace(unweighted, semantic=vector, optional=self._optional(text, spoken, None, None, blocks, None))
        code_reading = reading(text)
        headed = lexical.titled(text if code_reading else in_english(text), name)
        spoken = _spoken(text, speaker, name)
        chunks = chunked(spoken)
        pieces = np.array([piece for chunk in chunks for piece in chunk], np.int32)
        own = semantic.static_sum(pieces, self.statistics)
        if not self._encoders:
            blocks = self._static_blocks(own, pieces, previous, heading)
            codes, pending = [late.static_codes(np.array(chunk, np.int32)) for chunk in chunks], []
            read, passed = None, None
        else:
            whole = self._encoders["E1"]
            read = self._parts(text, speaker, name)
            passed = Passes(ahead or self._run, self._encoders, read)
            window = passed.beside("E1", self._window(previous, passed.chunks("E1")[0])) or passed.states("E1")[:1]
            blocks = [own, passed.whole("E1"), whole.pooled(window)]
            if self._late is None:
                codes, later = [late.static_codes(np.array(chunk, np.int32)) for chunk in chunks], []
            else:
                codes = [late.quantised(self._late.tokens(chunk)) for chunk in passed.states("E12")]
                later = read("E12").rest
            pending = [Pending(*pair) for pair in zip_longest(read("E1").rest, later)]
        words = lexical.terms(lexical.field_text(headed, speaker=speaker, occurred_at=occurred_at))
        if code_reading:
            words = dict(Counter(words) + Counter(code.terms(code_reading)))
        elif in_own := lexical.native(text) | lexical.written(text):
            words = dict(Counter(words) | Counter(in_own))
        return Fingerprint(
            semantic.blocks_to_vector(blocks),
            codes,
            words | lexical.cues(in_english(rationale)) | lexical.names(names, titles),
            hyperdimensional.bits(headed),
            pieces,
            pending,
            self._optional(text, spoken, read if passed else None, passed, blocks, media),
        )

    def ahead(
        self,
        memories: Iterable[tuple[str, str | None, str | None, str]],
        *,
        between: Callable[[], None] | None = None,
    ) -> Ahead | None:
        """What a model reads of memories that are about to be embedded, read together; None in the base tier.

        Parameters
        ----------
        memories : iterable of (text, speaker, name, previous)
            As `fingerprint` will be given them.
        between : callable, optional
            Where others want the model too: called after each few chunks.
        """
        if not self._encoders:
            return None
        ahead, whole = Ahead(self._run), self._encoders["E1"]
        texts: dict[TextModel, list[Any]] = {whole: []}
        if self._late is not None:
            texts[self._late] = []
        windows: list[Any] = []
        for text, speaker, name, previous in memories:
            for encoder, chunks in texts.items():
                chunks += self._chunks(encoder, text, speaker, name).at_once
            windows += self._window(previous, self._chunks(whole, text, speaker, name).at_once[0])
        for encoder, chunks in texts.items():
            ahead.read(encoder, [*chunks, *windows] if encoder is whole else chunks, between)
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
        static = semantic.static_sum(pieces, self.statistics)
        passed, put = None, _spoken(first_person, speaker) if first_person else ""
        idf, voiced = self.statistics.weights(pieces), None
        if self._late is None:
            tokens = late.static(pieces)
            if put:
                put_pieces = np.array(chunked(put)[0], np.int32)
                voiced = FirstPerson(speaker, late.static(put_pieces), self.statistics.weights(put_pieces))
        if not self._encoders:
            rare = semantic.static_sum(semantic.rarest_half(pieces, self.statistics), self.statistics)
            blocks = [static, static, static, rare]
        else:
            parts = self._asking(original, text)
            passed = Passes(partial(self._run, question=True), self._encoders, parts)
            if self._late is not None:
                spoken = [self._late.chunked(put, question=True)[0]] if put else []
                others = passed.beside("E12", spoken)
                tokens, idf = self._late.tokens(passed.states("E12")[0]), self._idf(parts("E12"))
                if put:
                    read = Chunks(put, spoken, [])
                    voiced = FirstPerson(speaker, self._late.tokens(others[0]), self._idf(read))
            semantic_vector = passed.whole("E1")
            blocks = [static, semantic_vector, semantic_vector]
        return QueryVectors(
            text,
            semantic.blocks_to_vector(blocks),
            semantic.unit(static),
            tokens,
            idf,
            lexical.terms(text),
            lexical.cues(text),
            original=original,
            readings=(native,) if native else (),
            optional=self._asked(text, passed),
            first_person=voiced,
        )

    def _asked(self, text: str, passed: "Passes | None") -> dict[str, np.ndarray]:
        """A question in the optional spaces that it asks about."""
        vectors = {}
        for id, encoder in OPTIONAL.items():
            whole = partial(passed.whole, self._served(id)) if passed else None
            vector = encoder.question(QuestionInput(text, self.statistics, whole))
            if vector is not None:
                vectors[id] = vector
        return vectors

    def _static_blocks(self, own: np.ndarray, pieces: np.ndarray, previous: str, heading: str) -> list[np.ndarray]:
        """The blocks of E1 in the base tier: the text, its window, its name and entities, its rarest word pieces."""
        before = np.array(chunked(self.read(previous))[-1] if previous else [], np.int32)
        window = own + semantic.static_sum(before, self.statistics)
        about = np.array(chunked(heading)[0] if heading else [], np.int32)
        rare = semantic.rarest_half(pieces, self.statistics)
        return [own, window] + [semantic.static_sum(part, self.statistics) for part in (about, rare)]

    def _optional(
        self,
        text: str,
        spoken: str,
        read: "Callable[[str], Chunks] | None",
        passed: "Passes | None",
        blocks: list[np.ndarray],
        media: Media | None,
    ) -> dict[str, np.ndarray]:
        """A memory in the optional spaces that it has content for."""
        vectors = {}
        for id, encoder in OPTIONAL.items():
            parts = partial(passed.parts, self._served(id)) if passed else None
            spoken = read(self._served(id)).text if read else spoken
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
        blocks = [vectors[..., block] for block in semantic.OWN[self.tier]]
        part = blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=-1)
        return part / np.maximum(static_table.row_lengths(part), 1e-9)

    def later(self, pending: Pending) -> tuple[np.ndarray, np.ndarray]:
        """A chunk that was pending: its E12, unit rows (t, 128), and its part of E1, unit (384,)."""
        whole, states = self._encoders["E1"], dict[TextModel, Any]()
        pool, tokens = np.zeros(MINILM, np.float32), np.zeros((0, late.DIMENSIONS), np.float32)
        if pending.semantic is not None:
            states[whole] = self._run(whole, [pending.semantic])
            pool = whole.pooled(states[whole])
        if self._late is not None and pending.tokens is not None:
            (state,) = states[whole] if self._late is whole else self._run(self._late, [pending.tokens])
            tokens = self._late.tokens(state)
        return tokens, pool

    def is_long(self, text: str, speaker: str | None = None, name: str | None = None) -> bool:
        """Whether a memory has chunks that are embedded in the background."""
        return any(self._chunks(model, text, speaker, name).rest for model in dict.fromkeys(self._encoders.values()))

    @property
    def done_at_once(self) -> int:
        """How many chunks a memory has in E12 before the rest of a long one is embedded."""
        return CHUNKS_AT_ONCE if self._late is None else self._late.chunks_at_once

    def _run(self, encoder: TextModel, chunks: Sequence[Any], *, question: bool = False) -> list[Any]:
        with self._forward:
            return encoder.hidden(chunks, question=question)

    def _window(self, previous: str, first: Any) -> list[Any]:
        """The end of the previous memory and this one, in one pass; nothing where one of them says nothing new."""
        whole = self._encoders["E1"]
        if not previous:
            return []
        return whole.window(_spoken(previous, plain=False, translated=not whole.multilingual), first)

    def _chunks(
        self, model: TextModel, text: str, speaker: str | None, name: str | None, *, translated: bool | None = None
    ) -> Chunks:
        translated = not model.multilingual if translated is None else translated
        spoken = _spoken(text, speaker, name, plain=False, translated=translated)
        chunks = model.chunked(spoken)
        return Chunks(spoken, chunks[: model.chunks_at_once], chunks[model.chunks_at_once :])

    def _parts(self, text: str, speaker: str | None, name: str | None) -> "Callable[[str], Chunks]":
        """A memory as the model of a space reads it."""
        chunks: dict[tuple[TextModel, bool], Chunks] = {}

        def parts(space: str) -> Chunks:
            model = self._encoders[space]
            key = model, _translated(model, space)
            if key not in chunks:
                chunks[key] = self._chunks(model, text, speaker, name, translated=key[1])
            return chunks[key]

        return parts

    def _asking(self, original: str, translated: str) -> "Callable[[str], Chunks]":
        """A question as the model of a space reads it: of a very long one the first chunk."""

        def parts(space: str) -> Chunks:
            model = self._encoders[space]
            text = translated if _translated(model, space) else original
            return Chunks(text, model.chunked(text, question=True)[:1], [])

        return parts

    def _idf(self, read: Chunks) -> np.ndarray:
        assert self._late is not None
        return self._late.idf(read.text, read.at_once[0], self.statistics)


def optional_in(text: str) -> bool:
    """Whether a text has content for an optional space."""
    return any(encoder.has_content(text) for encoder in OPTIONAL.values())


def _translated(model: TextModel, space: str) -> bool:
    """Whether a model reads a text in English."""
    return not model.multilingual or (space in OPTIONAL and OPTIONAL[space].of_english)


def _spoken(
    text: str, speaker: str | None = None, name: str | None = None, *, plain: bool = True, translated: bool = True
) -> str:
    """What is embedded of a memory: its speaker, name and text, in English with `translated`; with `plain`, code in
    plain words."""
    found = reading(text)
    if found is None and translated:
        text = in_english(text)
    headed = lexical.titled(found.text if found is not None and plain else text, name)
    return f"{speaker}: {headed}" if speaker else headed


def _model(description: Description | None, threads: int, hosts: Collection[str], fits: Path | None) -> TextModel:
    """A model of the user's own, not loaded yet."""
    assert description is not None
    if description.url is not None:
        from context_graph.embed.own.endpoint import EndpointModel

        return EndpointModel(description, hosts=hosts, fits=fits)
    if description.package is not None:
        from context_graph.embed.own.multilingual_model import MultilingualModel

        return MultilingualModel(threads=threads, fits=fits)
    from context_graph.embed.own.folder_model import FolderModel

    return FolderModel(description, threads=threads, fits=fits)


def _check(tier: str, file: Path | None, own: Description | None, space_models: Mapping[str, Path]) -> None:
    """What was asked for is there, or an error says what is not."""
    if unknown := set(space_models) - set(served()):
        raise EmbeddingFailed(
            f"space_models names {', '.join(sorted(unknown))}; a model can serve {', '.join(served())}"
        )
    if file is None and ((tier == "minilm" and own is None) or (space_models and (own is None or tier == "base"))):
        needs = "space_models need" if space_models else "what was asked for needs"
        raise EmbeddingFailed(
            f"{needs} the model of tier 'minilm', which is not installed or switched off; "
            "run pip install 'ultimate-context-graph[minilm]', or set the tier to auto"
        )
