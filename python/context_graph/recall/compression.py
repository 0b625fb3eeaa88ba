"""Retrieved memories cut down to the sentences that a question needs, within a token budget."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Literal

from context_graph.embed.chunks import sentences
from context_graph.embed.languages import ENGLISH, in_english, language_of
from context_graph.embed.stems import distinct_stems, stems
from context_graph.embed.wordpiece import least_tokens, token_count
from context_graph.regex import regex
from context_graph.safety.quoting import quoted

__all__ = ["FENCE", "Distilled", "Mode", "Source", "distil"]

Mode = Literal["auto", "raw", "narrative", "structured", "code_focused"]
Applied = Literal["none", "narrative", "structured", "code_focused"]
AUTO_ABOVE = 2_048  # tokens; what fits is left as it is
SAME = 0.8  # share of a sentence's stems that an earlier one holds, from which it is redundant

PASSAGE = 128
"""Tokens that each memory may fill before any fills more."""

WINDOW = 96
"""Tokens, about, of each part into which one that would fill a passage alone is cut; a third where something ends
there."""

ENDING = ";}]"

JOINED = 0.25
"""What words that stand together as in the question count, beside what they count alone."""

CUT = "…"
"""Stands where such a part begins or ends."""

JOINT = 4  # tokens that a quoted line costs besides its words, at most

FENCE = "```"


_UNIT = regex(r"[^\s,;}\]]{1,80}(?:[,;}\]]+|\s+|$)|[\s,;}\]]{1,80}|[^\s,;}\]]{1,80}")
"""What is never cut: a word with what ends it; of what has no end, 80 characters."""


@dataclass(frozen=True, slots=True)
class Source:
    """One memory to distil.

    Attributes
    ----------
    tag : str
        Its citation tag, empty to cite nothing.
    head : str
        Date, source and speaker, put before what is quoted of it.
    weight : float
        Its relevance.
    """

    tag: str
    head: str
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class Distilled:
    """The text for the agent.

    Attributes
    ----------
    applied
        How; "none" where whole memories are told.
    used : tuple of int
        Which sources are quoted.
    """

    text: str
    tokens: int
    tokens_before: int
    applied: Applied
    used: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    source: int
    position: int
    text: str
    score: float
    code: bool = False


def distil(
    question: str, sources: Sequence[Source], *, max_tokens: int, mode: Mode = "auto", auto_above: int = AUTO_ABOVE
) -> Distilled:
    """Choose what to say of the sources; never more than `max_tokens`.

    Whole memories where they fit, else their sentences by relevance to the question, repetitions left out,
    in the order of the memories. code_focused keeps fenced code whole and verbatim.

    Parameters
    ----------
    auto_above : int
        Tokens above which "auto" chooses sentences, also where the budget is larger.
    """
    if not sources:
        return Distilled("", 0, 0, "none", ())
    lines = [_whole(source) for source in sources]
    before = sum(map(token_count, lines))
    if mode == "raw" or (mode == "auto" and before <= min(max_tokens, auto_above)):
        return _raw(sources, lines, max_tokens, before)
    applied: Applied
    if mode == "auto":
        applied = "code_focused" if any(FENCE in source.text for source in sources) else "structured"
    else:
        applied = mode
    chosen = _chosen(question, sources, max_tokens, applied, code_first=mode == "code_focused")
    text = _written(chosen, sources, applied)
    while chosen and token_count(text) > max_tokens:  # joints and headings cost a little more than their parts
        chosen.remove(min(chosen, key=lambda part: part.score))
        text = _written(chosen, sources, applied)
    used = tuple(sorted({part.source for part in chosen}))
    return Distilled(text, token_count(text), before, applied, used)


def _raw(sources: Sequence[Source], lines: Sequence[str], max_tokens: int, before: int) -> Distilled:
    """Whole memories, the most relevant first, as many as fit; a first one that is too long is cut.

    Parameters
    ----------
    lines : sequence of str
        Each source whole, as it is quoted.
    """
    fitting: list[str] = []
    used: list[int] = []
    total = 0
    for i, line in enumerate(lines):
        cost = token_count(line) + 1
        if total + cost > max_tokens:
            if not used:
                line = _cut(sources[i], max_tokens)
                fitting, used, total = ([line], [i], max_tokens) if line else ([], [], 0)
            continue
        fitting.append(line)
        used.append(i)
        total += cost
    text = "\n".join(fitting)
    return Distilled(text, token_count(text), before, "none", tuple(used))


def _whole(source: Source, length: int | None = None) -> str:
    return quoted(source.head, source.text[:length], source.tag)


def _cut(source: Source, max_tokens: int) -> str:
    """As much of its beginning as fits."""
    low, high = 0, len(source.text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if token_count(_whole(source, middle)) <= max_tokens else (low, middle - 1)
    return _whole(source, low) if low else ""


def _without_fences(text: str) -> tuple[str, list[tuple[int, str]]]:
    """A text without its fenced code, and the code with its places; an open fence ends with the text."""
    prose, fences, at = [], [], 0
    while (start := text.find(FENCE, at)) >= 0 and (line := text.find("\n", start)) >= 0:
        close = text.find("\n" + FENCE, line + 1)
        end = len(text) if close < 0 else close + 1 + len(FENCE)
        prose.append(text[at:start])
        fences.append((start, text[start:end]))
        at = end
    return "\n".join([*prose, text[at:]]), fences


def _chosen(
    question: str, sources: Sequence[Source], max_tokens: int, applied: str, *, code_first: bool
) -> list[_Part]:
    """The best parts that fit, in the order of the sources and of their texts.

    First each source gives its best passage, so that a long one takes no room from the next; then the best of what is
    left fills the room.

    Parameters
    ----------
    code_first : bool
        Whether code comes before all else; otherwise it is judged as sentences are.
    """
    asked = stems(in_english(question))
    question_stems, question_pairs = set(asked), {*pairwise(asked)}
    stems_of = cache(distinct_stems)  # a sentence is read for its score and in both rounds
    tokens_of = cache(token_count)
    parts = []
    for i, source in enumerate(sources):
        text = source.text
        if applied == "code_focused":
            text, fences = _without_fences(text)
            for start, fence in fences:
                score = 1.0 if code_first else _overlap(stems_of(fence), question_stems)
                parts.append(_Part(i, start, fence, source.weight * (0.5 + score) + 0.5 * code_first, code=True))
        language = ENGLISH if language_of(text) == ENGLISH else None  # else each sentence has its own
        for position, sentence in enumerate(_parts_of(sentences(text), question_stems)):
            read = in_english(sentence, language)
            part_stems = stems_of(read)
            brevity = 1.0 if len(part_stems) >= 3 else 0.5
            overlap = _overlap(part_stems, question_stems) + JOINED * _joined(stems(read), question_pairs)
            parts.append(_Part(i, position, sentence, source.weight * (0.5 + overlap) * brevity))
    parts.sort(key=lambda part: (-part.score, part.source, part.position))
    of_source = Counter(part.source for part in parts)
    heads = [token_count(source.head) + token_count(source.tag) + JOINT for source in sources]
    budget, spent = max_tokens, [0] * len(sources)
    chosen: dict[int, frozenset[str]] = {}
    for most in (PASSAGE, max_tokens):
        for place, part in enumerate(parts):
            if place in chosen:
                continue
            within = most if not (part.code and code_first) else max_tokens
            opened = heads[part.source] if part.code or not spent[part.source] else 0
            room = min(budget - opened, within - spent[part.source]) - JOINT
            if least_tokens(part.text) > room or tokens_of(part.text) > room:
                continue
            cost = tokens_of(part.text) + JOINT
            part_stems = stems_of(part.text)
            # what is all of a memory says something of its own, though another has its words
            differs = of_source[part.source] == 1 and part_stems not in chosen.values()
            if not part.code and part_stems and not differs and _is_redundant(part_stems, chosen.values()):
                continue
            budget -= cost + opened
            spent[part.source] += cost
            chosen[place] = part_stems
    return sorted((parts[place] for place in chosen), key=lambda part: (part.source, not part.code, part.position))


def _pieces(sentence: str) -> list[str]:
    """A sentence, or where it would fill a passage alone (JSON in one line, text without full stops) its words in
    windows, each cut behind what ends something, as far as anything does.
    """
    if least_tokens(sentence) <= PASSAGE and token_count(sentence) <= PASSAGE:
        return [sentence]
    pieces: list[str] = []
    start = end = tokens = 0
    for match in _UNIT.finditer(sentence):
        cost = token_count(match[0])
        ends = end and sentence[end - 1] in ENDING and tokens > WINDOW // 3
        if tokens and (ends or tokens + cost > WINDOW):
            pieces.append(sentence[start:end].strip())
            start, tokens = end, 0
        end, tokens = match.end(), tokens + cost
    pieces.append(sentence[start:].strip())
    last = len(pieces) - 1
    return [f"{CUT * (i > 0)}{piece}{CUT * (i < last)}" for i, piece in enumerate(pieces) if piece]


def _parts_of(whole: Sequence[str], question_stems: Set[str]) -> list[str]:
    """The sentences of a text; of one that is cut, the pieces with most words of the question, or the first."""
    parts: list[str] = []
    for sentence in whole:
        pieces = _pieces(sentence)
        if len(pieces) > 1:
            shared = [len(question_stems & distinct_stems(in_english(piece))) for piece in pieces]
            most = max(shared)
            about = [piece for piece, words in zip(pieces, shared, strict=True) if words == most]
            pieces = about if most else pieces[:1]
        parts += pieces
    return parts


def _is_redundant(part: frozenset[str], earlier: Iterable[frozenset[str]]) -> bool:
    """Whether one of the earlier parts holds most stems of another, which has some."""
    most = len(part)
    least = next(count for count in range(most + 1) if count / most >= SAME)
    return any(len(other) >= least and len(part & other) >= least for other in earlier)


def _joined(part: Sequence[str], question_pairs: Set[tuple[str, str]]) -> float:
    """The share of the question's neighbouring words that are neighbours here, too: "day 300" is not "day 100"."""
    return len({*pairwise(part)} & question_pairs) / max(len(question_pairs), 1)


def _overlap(terms: Set[str], question_terms: Set[str]) -> float:
    return len(terms & question_terms) / max(len(question_terms), 1)


def _written(parts: Sequence[_Part], sources: Sequence[Source], applied: str) -> str:
    """Parts as prose, a line each, or a line each with code between, quoted with their citations."""
    lines: list[str] = []
    for i in dict.fromkeys(part.source for part in parts):
        source = sources[i]
        own = [part for part in parts if part.source == i]
        lines += [quoted(source.head, part.text, source.tag) for part in own if part.code]
        said = (" " if applied == "narrative" else "\n").join(part.text for part in own if not part.code)
        if said:
            lines.append(quoted(source.head, said, source.tag))
    return "\n".join(lines)
