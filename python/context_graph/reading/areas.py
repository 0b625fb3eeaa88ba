"""Which areas of life a text is about: family, health, food, work, travel.

"Tinnitus again, left ear" and "How is my health?" share no word, and lie near the same words. A linear model over the
static vector of a word says how much it speaks for each area; a text is judged by its word that speaks most for one,
and by its words together. Fitted on words and sentences by benchmarks/quality/areas.py.
"""

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import in_english
from context_graph.embed.static_table import DIMENSIONS, piece_count, row_lengths
from context_graph.embed.static_table import rows as table_rows
from context_graph.embed.wordpiece import continuations, pieces
from context_graph.reading import attributes
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["AREAS", "AREA_WEIGHTS", "COUNT", "OF_TEXT", "Model", "areas_of", "logits", "model", "named_areas"]

AREA_WEIGHTS = Path(__file__).parent.parent / "data" / "areas.npz"

AREAS = (
    "family", "health", "food", "work", "colleagues", "learning", "travel", "vehicles", "devices", "home", "pets",
    "money", "leisure", "tech",
)  # fmt: skip
COUNT = len(AREAS)

TOGETHER = 1.0
"""What all words of a text together count beside the one that speaks most."""

OF_TEXT = -1.0
"""Logit from which a text is of an area."""

_BATCH = 1 << 14
"""Rows of the table of word pieces that are judged at once."""

_NAMES = {
    "family": "family relatives relations kin household in-laws folks familie verwandten verwandte angehörigen familia"
    " parientes",
    "health": "health body medical medically physically ailments illnesses complaints conditions gesundheit"
    " gesundheitlich krankheiten beschwerden salud",
    "food": "food eating meals cooking menu diet diets dietary essen kochen ernährung comida",
    "work": "work job professionally workplace career employment office business arbeit beruf beruflich betrieb"
    " trabajo",
    "colleagues": "colleagues coworkers co-workers workmates teammates team staff employees helpers crew kollegen"
    " kolleginnen mitarbeiter leute compañeros empleados",
    "learning": "learning studies education courses lessons training skills kurse ausbildung studium estudios cursos",
    "travel": "travel travels trips journeys holidays vacations reisen urlaube viajes",
    "vehicles": "vehicles wheels cars fahrzeuge autos vehículos coches",
    "devices": "devices gadgets equipment gear hardware machines appliances electronics kit geräte technik aparatos"
    " dispositivos",
    "home": "house home flat apartment haus wohnung casa",
    "pets": "pets animals livestock tiere haustiere animales mascotas",
    "money": "money financially finanziell finances finance financial debts spending geld finanzen dinero finanzas",
    "leisure": "hobbies hobby pastimes leisure sports crafts freizeit hobbys aficiones",
    "tech": "stack infrastructure setup architecture technology technik tech",
}
_AREAS_OF_NAME: dict[str, list[str]] = {}
for _area, _words in _NAMES.items():
    for _name in _words.split():
        _AREAS_OF_NAME.setdefault(_name, []).append(_area)

_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class Model(NamedTuple):
    """
    Attributes
    ----------
    weights : float32 (257, `COUNT`)
        By dimension of a static vector, the last row the intercept.
    of_piece : float32 (30522, `COUNT`)
        What each word piece says as a word of its own.
    """

    weights: np.ndarray
    of_piece: np.ndarray

    @classmethod
    def of(cls, weights: np.ndarray) -> "Model":
        weights = weights.astype(np.float32)
        of_piece = np.empty((piece_count(), COUNT), np.float32)
        for first in range(0, len(of_piece), _BATCH):
            vectors = table_rows(np.arange(first, min(first + _BATCH, len(of_piece))))
            of_piece[first : first + len(vectors)] = _judge(vectors, weights)
        return cls(weights, of_piece)


@lru_cache(maxsize=1)
def model() -> Model:
    """The weights of the package, read once."""
    with np.load(AREA_WEIGHTS, allow_pickle=False) as read:
        return Model.of(read["weights"])


def _judge(vectors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Logits of vectors of any length: float32 (m, 256) -> float32 (m, `COUNT`)."""
    judged: np.ndarray = (vectors @ weights[:DIMENSIONS]) / np.maximum(row_lengths(vectors), np.float32(1e-9))
    judged += weights[DIMENSIONS]
    return judged


def logits(piece_rows: np.ndarray, lengths: np.ndarray, judge: Model | None = None) -> np.ndarray:
    """How much texts speak for each area, whose pieces stand one after the other: int (t,), int (m,) -> float32
    (m, `COUNT`).
    """
    judge = judge or model()
    spoken = np.full((len(lengths), COUNT), -np.inf, np.float32)
    together = _judge(attributes.vectors(piece_rows, lengths), judge.weights)
    if len(piece_rows):
        owners = np.flatnonzero(lengths)
        starts = (np.cumsum(lengths) - lengths)[owners]
        begins = ~continuations()[piece_rows]
        begins[starts] = True
        words = np.flatnonzero(begins)
        of_word = judge.of_piece[piece_rows[words]]
        ends = np.append(words[1:], len(piece_rows))
        several = np.flatnonzero(ends - words > 1)
        if len(several):
            spans = [np.arange(words[word], ends[word]) for word in several]
            of_several = attributes.vectors(piece_rows[np.concatenate(spans)], (ends - words)[several])
            of_word[several] = _judge(of_several, judge.weights)
        spoken[owners] = np.maximum.reduceat(of_word, np.searchsorted(words, starts))
    scores: np.ndarray = np.where(np.isinf(spoken), together, spoken) + np.float32(TOGETHER) * together
    return scores


@kept_for_texts(maxsize=1_024)
def areas_of(text: str, *, least: float = OF_TEXT) -> frozenset[str]:
    """The areas that a text is about.

    Examples
    --------
    >>> sorted(areas_of("Tinnitus again, left ear.")), sorted(areas_of("My uncle keeps goats."))
    (['health'], ['family', 'pets'])
    >>> areas_of("Answer in bullet points.")
    frozenset()
    """
    of_text = np.array(pieces(in_english(text)), np.int64)
    judged = logits(of_text, np.array([len(of_text)]))[0]
    return frozenset(area for area, logit in zip(AREAS, judged.tolist(), strict=True) if logit >= least)


def named_areas(text: str) -> dict[str, frozenset[str]]:
    """The words of a text that are names of areas, each with what it names.

    Examples
    --------
    >>> named_areas("Tell me about my family and my bike."), named_areas("The roof leaks.")
    ({'family': frozenset({'family'})}, {})
    """
    named = {word.lower(): _AREAS_OF_NAME.get(word.lower()) for word in _WORD.findall(text)}
    return {word: frozenset(areas) for word, areas in named.items() if areas}
