"""Forward passes over many texts, made together before each of them is asked for: texts of like length share one."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from context_graph.embed.text_model import TextModel

__all__ = ["MAX_CACHED_PIECES", "Ahead"]

MAX_CACHED_PIECES = 16_384
"""Word pieces whose states are kept, 25 MB; what comes after them is read when it is asked for."""

MAX_PIECES_BETWEEN = 512
"""Word pieces that are read at once where others want the model too: less than a tenth of a second."""


class Ahead:
    """States by model and chunk; what is not among them is read then.

    Parameters
    ----------
    run : callable
        A pass: the model, and some chunks -> their states.
    """

    def __init__(self, run: "Callable[[TextModel, Sequence[Any]], list[Any]]") -> None:
        self._run = run
        self._states: dict[tuple[TextModel, Hashable], Any] = {}

    def read(self, encoder: "TextModel", chunks: Iterable[Any], between: Callable[[], None] | None = None) -> None:
        """Read chunks by a model, as many as may be kept; with `between`, a few at a time, and that after each."""
        wanted: dict[Hashable, Any] = {}
        room = MAX_CACHED_PIECES
        for chunk in chunks:
            room -= len(chunk)
            if room < 0:
                break
            wanted[_key(chunk)] = chunk
        for keys in [[*wanted]] if between is None else _few(wanted):
            states = self._run(encoder, [wanted[key] for key in keys])
            self._states |= {(encoder, key): found for key, found in zip(keys, states, strict=True)}
            if between is not None:
                between()

    def __call__(self, encoder: "TextModel", chunks: Sequence[Any]) -> list[Any]:
        """As `run`."""
        keys = [(encoder, _key(chunk)) for chunk in chunks]
        missing = [chunk for key, chunk in zip(keys, chunks, strict=True) if key not in self._states]
        found = iter(self._run(encoder, missing) if missing else ())
        return [self._states[key] if key in self._states else next(found) for key in keys]


def _few(chunks: dict[Hashable, Any]) -> Iterator[list[Hashable]]:
    """The keys of chunks of like length, as many as a model reads within a tenth of a second."""
    few: list[Hashable] = []
    room = MAX_PIECES_BETWEEN
    for key in sorted(chunks, key=lambda key: len(chunks[key])):
        room -= len(chunks[key])
        if few and room < 0:
            yield few
            few, room = [], MAX_PIECES_BETWEEN - len(chunks[key])
        few.append(key)
    if few:
        yield few


def _key(chunk: Any) -> Hashable:
    return chunk if isinstance(chunk, str) else tuple(chunk)
