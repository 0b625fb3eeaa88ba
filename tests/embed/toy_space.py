"""A space of the tests, whole in this file: memories that name a colour, by which colours they name."""

import numpy as np

from context_graph.embed.inputs import MemoryInput, QuestionInput
from context_graph.embed.spaces import SpaceEncoder, space

COLOURS = "red orange yellow green blue violet black white".split()


@space(id="E14", name="colour", dim=len(COLOURS), kind="dense", metric="cosine")
class Colour(SpaceEncoder):
    """Memories that name a colour."""

    score_name = "colour"

    def has_content(self, text: str) -> bool:
        return self._vector(text) is not None

    def encode(self, memory: MemoryInput) -> np.ndarray | None:
        return self._vector(memory.text)

    def question(self, question: QuestionInput) -> np.ndarray | None:
        return self._vector(question.text)

    def pack(self, vector: np.ndarray) -> bytes:
        return super().pack(vector[::-1])  # in an order of its own, which only this file knows

    def unpack(self, data: bytes) -> np.ndarray:
        return super().unpack(data)[::-1]

    def _vector(self, text: str) -> np.ndarray | None:
        named = np.array([colour in text.lower() for colour in COLOURS], np.float32)
        return named / np.linalg.norm(named) if named.any() else None
