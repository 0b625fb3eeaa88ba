"""E7: what a program does, which words it uses and how it is built; only for memories that hold code."""

from collections import Counter

import numpy as np

from context_graph.embed.inputs import MemoryInput, QuestionInput
from context_graph.embed.program import ABBREVIATIONS, LANGUAGES, Program, Reading, path_hash, plain, reading
from context_graph.embed.semantic import static_sum, unit
from context_graph.embed.spaces import SpaceEncoder, space
from context_graph.embed.statistics import PieceStatistics
from context_graph.embed.stems import stem_of, term_id, words
from context_graph.embed.wordpiece import pieces

__all__ = ["BLOCKS", "DIMENSIONS", "Code", "question_vector", "terms", "vector"]

DIMENSIONS = 1536
TOLD, WORDS, SYNTAX = slice(0, 384), slice(384, 640), slice(640, 1536)
BLOCKS = (TOLD, WORDS, SYNTAX)
NAME_WIDTH = TOLD.stop - WORDS.stop + WORDS.start
"""Of the static vector of the names alone, in the base tier: its leading principal components."""

WORDS_SHARE = {"base": 0.5, "minilm": 0.1}
"""What the identifiers count in a question beside what a program says of itself, by who reads that."""


def vector(code_reading: Reading, statistics: PieceStatistics, description: np.ndarray | None = None) -> np.ndarray:
    """[what it says of itself 384; its identifiers 256; its syntax 896], unit blocks, the whole of unit length.

    Parameters
    ----------
    description : float32 (384,), optional
        MiniLM's view of the program as it stands. Without it, in the base tier: [static of names and
        documentation 256; of the names alone 128].
    """
    programs = code_reading.programs
    if description is None:
        head = _static(" ".join(program.head for program in programs), statistics)
        names = _static(plain(" ".join(name for program in programs for name in program.names)), statistics)
        description = np.concatenate([unit(head), unit(names[:NAME_WIDTH])])
    identifiers = _static(" ".join(program.body for program in programs), statistics)
    return unit(np.concatenate([unit(description), unit(identifiers), unit(_syntax(programs))]))


def question_vector(text: str, statistics: PieceStatistics, description: np.ndarray | None = None) -> np.ndarray:
    """A question in the space of programs: float32 (1536,), unit length.

    Words for a language say which code is meant, not what it does, and are left out of the static blocks. Only
    a question that holds code itself has a syntax.
    """
    if (code_reading := reading(text)) is not None:
        return vector(code_reading, statistics, description)
    asked = [word for word in words(text) if word not in LANGUAGES]
    static = _static(" ".join(asked), statistics)
    share = WORDS_SHARE["base" if description is None else "minilm"]
    if description is None:
        description = np.concatenate([unit(static), unit(static[:NAME_WIDTH])])
    blocks = [unit(description), share * unit(static), np.zeros(SYNTAX.stop - SYNTAX.start, np.float32)]
    return unit(np.concatenate(blocks))


@space(id="E7", name="code", dim=DIMENSIONS, kind="dense", metric="cosine", served=True)
class Code(SpaceEncoder):
    """Memories that hold code."""

    memory_kind = "code"
    score_name = "code"

    def has_content(self, text: str) -> bool:
        return reading(text) is not None

    def encode(self, memory: MemoryInput) -> np.ndarray | None:
        found = reading(memory.text)
        if found is None:
            return None
        spans = [(memory.offset + start, memory.offset + end) for start, end in found.spans]
        return vector(found, memory.statistics, memory.parts()(spans) if memory.parts else None)

    def question(self, question: QuestionInput) -> np.ndarray | None:
        return question_vector(question.text, question.statistics, question.whole() if question.whole else None)


def terms(code_reading: Reading) -> dict[int, int]:
    """What a program adds to its words in E6: term id -> count.

    Its name and its documentation count again, for they say what it does; what is shortened is there in full; and
    the language is named.
    """
    added: list[str] = []
    for program in code_reading.programs:
        names, told = plain(" ".join(program.names)).split(), words(program.documentation)
        added += [*names, *names, *told]
        added += [ABBREVIATIONS[word] for word in (*names, *told, *program.body.split()) if word in ABBREVIATIONS]
        if program.language:
            added.append(program.language)
    return Counter(term_id(stem) for word in added if (stem := stem_of(word)))


def _static(text: str, statistics: PieceStatistics) -> np.ndarray:
    return static_sum(np.array(pieces(text), np.int32), statistics)


def _syntax(programs: tuple[Program, ...]) -> np.ndarray:
    """Paths of the syntax tree, each hashed to a place and a sign; the root of a count damps what is repeated."""
    width = SYNTAX.stop - SYNTAX.start
    found: Counter[str] = Counter()
    for program in programs:
        found.update(program.syntax)
    hashes = np.array([path_hash(path) for path in found], np.int64)
    counts = np.sqrt(np.fromiter(found.values(), np.float64, len(found)))
    signs = np.where(hashes >> 31 & 1, -1.0, 1.0)
    return np.bincount(hashes % width, weights=counts * signs, minlength=width).astype(np.float32)
