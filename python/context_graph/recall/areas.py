"""All memories of an area of life: the family, what the user's body does, who they work with."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from context_graph.embed.languages import ENGLISH, in_english, language_of
from context_graph.embed.stems import stems
from context_graph.index.batch import PASSAGE
from context_graph.index.corpus import Corpus
from context_graph.models import Node
from context_graph.reading import cues
from context_graph.reading.areas import AREAS, OF_TEXT, areas_of, logits
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.reading.holders import holder, mentions_self
from context_graph.recall.dietary import is_constraint
from context_graph.recall.holding import holding_all
from context_graph.regex import regex

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["of_areas"]

READ = 20_000
"""The last memories that are judged."""

BATCH = 512
"""Memories that are judged at once, each word of which takes 1 KB meanwhile."""

MAX_OF_AREAS = 200
"""The latest of an area that are read."""

_OF_PEOPLE = frozenset({"family", "colleagues"})
"""Areas that are persons: what is told of those with a name is of the area too."""

_OF_ONESELF = frozenset({"health", "learning", "vehicles", "devices", "travel", "leisure"})
"""Areas of which a question for "my" means nobody else's."""

INTRODUCING, INTRODUCTION = 1_000, 400
"""The last memories that are read for who is introduced, and characters of each."""

MAX_PEOPLE = 24
"""Names of persons of an area that are looked for."""

_NAME = r"(?P<name>[A-ZÀ-Þ][a-zà-ÿ'’-]+)"
_WORD = r"(?P<who>[^\W\d_]+(?:-[^\W\d_]+){0,3})"
_INTRODUCED = (
    regex(rf"(?<![\w'’]){_WORD}(?=(?:,| is(?: called| named)?| are| called| named| heißt| ist| se llama)? {_NAME})"),
    regex(
        rf"\b{_NAME}(?:,| is| ist| es|['’]s)? (?:(?:my|our|the|a|an|mein\w*|unser\w*|mi|nuestr[ao]) )?(?:\w+ )?{_WORD}"
    ),
)
"""A word for whom somebody is, and their name: "our apprentice is called Luca", "Luca, the apprentice"."""

_LISTED = regex(r"^\W*(?P<who>[^\W\d_]+)\s*:(?P<list>.+)")
_NAMED = regex(_NAME)
_AT_WORK = regex(
    rf"(?:^|[,;.] |\band ){_NAME}(?: (?:from|in|at) [\w -]{{2,24}}?)?"
    r" (?:works|covers|leads|manages|handles|supervises|does (?:the|all|our)|runs the|looks after|takes over|took over"
    r"|joined|is (?:on call|off|on leave|in charge|off sick|new|our|my))\b"
)
"""Somebody who works: "Kirsty works Saturdays, Abdul does the orders"."""


def of_areas(
    memory: "Runtime", corpus: Corpus, areas: frozenset[str], visible: np.ndarray, question: str
) -> np.ndarray:
    """Rows of the memories of some areas, ascending.

    Parameters
    ----------
    visible : bool (n,)
        What who asks may see, of a corpus whose lock is held.
    """
    rows = np.flatnonzero(visible)
    rows = rows[corpus.has(PASSAGE, rows) == 0][-READ:]  # an article is of nobody's life
    missing = corpus.areas.missing(rows)
    for first in range(0, len(missing), BATCH):
        some = missing[first : first + BATCH]
        corpus.areas.append(some, logits(*corpus.pieces(some)))
    spoken = corpus.areas.of(rows) >= OF_TEXT
    columns = [AREAS.index(area) for area in areas]
    chosen = rows[spoken[:, columns].any(axis=1)][-MAX_OF_AREAS:]
    nodes = memory.store.nodes(corpus.ids[row] for row in chosen)
    if areas & _OF_PEOPLE:
        holding = [holding_all(corpus, stems(name)) for name in _people(memory, corpus, rows, spoken, areas)]
        chosen = np.unique(np.concatenate([chosen, *holding])) if holding else chosen
    if "food" in areas:
        health = rows[spoken[:, AREAS.index("health")]][-MAX_OF_AREAS:]
        of_health = memory.store.nodes(corpus.ids[row] for row in health)
        bound = [corpus.row_of[node.id] for node in of_health if is_constraint(node)]
        chosen = np.union1d(chosen, np.array(bound, np.int64))
    if areas <= _OF_ONESELF and cues.of_user(cues.readable(question)):
        of_others = {corpus.row_of[node.id] for node in nodes if _is_of_another(node)}
        chosen = np.array([row for row in chosen.tolist() if row not in of_others], np.int64)
    of_view: np.ndarray = chosen[visible[chosen]]
    return of_view


def _is_of_another(node: Node) -> bool:
    whose = holder(node.content) if language_of(node.content) == ENGLISH else None
    return whose is not None and whose.kind != "self" and not mentions_self(node.content)


def _people(
    memory: "Runtime", corpus: Corpus, rows: np.ndarray, spoken: np.ndarray, areas: frozenset[str]
) -> list[str]:
    """Names of persons of some areas, as memories introduce them; who is of the family works beside nobody.

    Parameters
    ----------
    spoken : bool (m, `COUNT`)
        Of which areas each of the rows is.
    """
    names: dict[str, dict[str, None]] = {}
    for area in sorted(_OF_PEOPLE):
        of_area = rows[spoken[:, AREAS.index(area)]][-MAX_OF_AREAS:]
        introduced = (
            _introduced(node.content, area) for node in memory.store.nodes(corpus.ids[row] for row in of_area)
        )
        names[area] = dict.fromkeys(name for some in introduced for name in some)
    if "colleagues" in areas:
        latest = memory.store.nodes(corpus.ids[row] for row in rows[-INTRODUCING:])
        names["colleagues"] |= dict.fromkeys(name for node in latest for name in _at_work(node.content))
    others = names["family"] if "family" not in areas else {}
    wanted = dict.fromkeys(name for area in areas & _OF_PEOPLE for name in names[area] if name not in others)
    return [*wanted][:MAX_PEOPLE]


def _introduced(text: str, area: str) -> Iterator[str]:
    """Names of persons of an area, as a statement introduces them."""
    text, language = text[:INTRODUCTION], language_of(text)
    for form in _INTRODUCED:
        for match in form.finditer(text):
            if _is_name(match["name"]) and area in areas_of(in_english(match["who"], language)):
                yield match["name"]
    listed = _LISTED.match(text)
    if listed is not None and area in areas_of(in_english(listed["who"], language)):
        yield from (name for name in _NAMED.findall(listed["list"]) if _is_name(name))


def _at_work(text: str) -> Iterator[str]:
    """Names of persons who are said to work, in English."""
    if language_of(text) == ENGLISH:
        yield from (match["name"] for match in _AT_WORK.finditer(text[:INTRODUCTION]) if _is_name(match["name"]))


def _is_name(word: str) -> bool:
    return may_be_a_first_name(word) and not cues.TIMED.fullmatch(word.lower())
