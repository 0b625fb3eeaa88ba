"""Chunks of one text, and the passes of the models over them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from context_graph.embed.inputs import Pooled
from context_graph.embed.text_model import TextModel

__all__ = ["Chunks", "Passes"]


class Chunks(NamedTuple):
    """A text as a model reads it: the chunks that are embedded at once, and the rest."""

    text: str
    at_once: list[Any]
    rest: list[Any]


class Passes:
    """The forward passes over one text: one for each model, when a space first asks for it.

    Parameters
    ----------
    read : callable
        The text as the model of a space reads it.
    """

    def __init__(
        self,
        run: Callable[[TextModel, Sequence[Any]], list[Any]],
        encoders: Mapping[str, TextModel],
        read: Callable[[str], Chunks],
    ) -> None:
        self._run, self._encoders, self._read = run, encoders, read
        self._states: dict[tuple[TextModel, str], list[Any]] = {}

    def chunks(self, space: str) -> list[Any]:
        """The chunks that are embedded at once."""
        return self._read(space).at_once

    def beside(self, space: str, others: list[Any]) -> list[Any]:
        """States of other chunks, which share the pass of the text's own by the model of a space."""
        encoder, read = self._encoders[space], self._read(space)
        states = self._run(encoder, [*read.at_once, *others])
        self._states[encoder, read.text] = states[: len(read.at_once)]
        return states[len(read.at_once) :]

    def states(self, space: str) -> list[Any]:
        """States of each chunk by the model of a space."""
        encoder, read = self._encoders[space], self._read(space)
        if (encoder, read.text) not in self._states:
            self._states[encoder, read.text] = self._run(encoder, read.at_once)
        return self._states[encoder, read.text]

    def whole(self, space: str) -> np.ndarray:
        """The text as one vector: unit (384,)."""
        return self._encoders[space].pooled(self.states(space))

    def parts(self, space: str) -> Pooled:
        """The mean of the token vectors of parts of the text, as a function of their spans.

        A model whose token vectors are no parts of that of a text reads the parts by themselves.
        """
        encoder, text = self._encoders[space], self._read(space).text
        tokens = np.concatenate([encoder.content(one) for one in self.states(space)]) if encoder.has_parts else None

        def pooled(spans: Sequence[tuple[int, int]]) -> np.ndarray:
            """Unit length; zero where none was embedded: float32 (384,)."""
            if tokens is None:
                joined = " ".join(text[start:end] for start, end in spans)
                return encoder.pooled(self._run(encoder, encoder.chunked(joined)[:1]))
            total = np.zeros(tokens.shape[1], np.float32)
            for start, end in spans:
                total += tokens[slice(*encoder.part(text, start, end))].sum(axis=0)
            return encoder.narrowed(total)

        return pooled
