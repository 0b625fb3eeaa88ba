"""E10: what a picture, sound or film says and how it looks or sounds; only for memories that hold one."""

from collections.abc import Sequence

import numpy as np

from context_graph.embed.inputs import Media, MemoryInput
from context_graph.embed.semantic import unit
from context_graph.embed.spaces import SpaceEncoder, space

__all__ = [
    "BLOCKS", "DIMENSIONS", "ID", "SIGNAL", "TEXT", "Media", "Multimodal", "signal_of", "text_blocks", "vector",
]  # fmt: skip

ID = "E10"
"""For what asks how a file looks or sounds: it reads the signal block, which no other space has."""

DIMENSIONS = 1024
TEXT, SIGNAL = slice(0, 640), slice(640, 1024)
BLOCKS = (TEXT, SIGNAL)
HEADING = 128
"""Of the static vector of name and entities, in the base tier: its leading principal components."""


def vector(text: Sequence[np.ndarray], media: Media) -> np.ndarray | None:
    """[text 640; signal 384], unit blocks, the whole of unit length; None where there is neither.

    No model here knows both pictures and words: the two blocks stand side by side, and words find a picture only by
    its caption and what is printed or said in it.

    Parameters
    ----------
    text : sequence of float32
        As `text_blocks` gives them.
    """
    if media.signal is None and not media.said:
        return None
    blocks = np.concatenate([unit(block) for block in text]) if media.said else np.zeros(TEXT.stop, np.float32)
    signal = np.zeros(SIGNAL.stop - SIGNAL.start, np.float32) if media.signal is None else media.signal
    return unit(np.concatenate([unit(blocks), unit(signal)]))


def text_blocks(blocks: Sequence[np.ndarray], tier: str) -> list[np.ndarray]:
    """The blocks of E1 that E10 has too: 640 numbers.

    With MiniLM: [MiniLM of the memory 384; static 256]. In the base tier: [static 256; static of the rarest half of the
    words 256; of heading and entities 128]. The window, which another memory is part of, is left out.
    """
    if tier == "minilm":
        return [blocks[1], blocks[0]]
    return [blocks[0], blocks[3], blocks[2][:HEADING]]


def signal_of(vector: np.ndarray) -> np.ndarray | None:
    """The signal block of a stored vector: float32 (384,), unit length; None where it has none."""
    signal = vector[SIGNAL].astype(np.float32)
    return unit(signal) if signal.any() else None


@space(id=ID, name="multimodal", dim=DIMENSIONS, kind="dense", metric="cosine")
class Multimodal(SpaceEncoder):
    """Memories that hold a picture, sound or film; compared block by block, in `retrieval/media_similarity.py`."""

    of_text = False

    def encode(self, memory: MemoryInput) -> np.ndarray | None:
        if memory.media is None:
            return None
        return vector(text_blocks(memory.blocks, memory.tier), memory.media)
