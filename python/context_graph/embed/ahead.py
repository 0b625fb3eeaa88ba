"""Forward passes over many texts, made together before each of them is asked for: texts of like length share one."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from context_graph.embed.encoder import Encoder

__all__ = ["MAX_CACHED_PIECES", "Ahead"]

MAX_CACHED_PIECES = 16_384
"""Word pieces whose states are kept, 25 MB; what comes after them is read when it is asked for."""


class Ahead:
    """Hidden states by model and word pieces; what is not among them is read then.

    Parameters
    ----------
    run : callable
        A pass: the model, and word pieces of some texts -> hidden states.
    """

    def __init__(self, run: "Callable[[Encoder, Sequence[Sequence[int]]], list[np.ndarray]]") -> None:
        self._run = run
        self._states: dict[tuple[Encoder, tuple[int, ...]], np.ndarray] = {}

    def read(self, encoder: "Encoder", texts: Iterable[Sequence[int]]) -> None:
        """Read texts by a model, as many as may be kept."""
        wanted: dict[tuple[int, ...], None] = {}
        room = MAX_CACHED_PIECES
        for text in texts:
            room -= len(text)
            if room < 0:
                break
            wanted[tuple(text)] = None
        states = self._run(encoder, list(wanted))
        self._states |= {(encoder, text): found for text, found in zip(wanted, states, strict=True)}

    def __call__(self, encoder: "Encoder", texts: Sequence[Sequence[int]]) -> "list[np.ndarray]":
        """As `run`."""
        keys = [(encoder, tuple(text)) for text in texts]
        missing = [list(key[1]) for key in keys if key not in self._states]
        found = iter(self._run(encoder, missing) if missing else ())
        return [self._states[key] if key in self._states else next(found) for key in keys]
