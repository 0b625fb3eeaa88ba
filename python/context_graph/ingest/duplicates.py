"""Whether a text says what another says already: the only reason not to store it, or to call it a duplicate."""

import unicodedata
from collections.abc import Sequence

from context_graph.ingest.converses import conversed
from context_graph.ingest.least_difference import least_difference
from context_graph.ingest.phrasing import has_dash, plainly, reworded
from context_graph.ingest.reordering import reordered, turned
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["adds_nothing", "quotes", "same_text"]

_CLOSING = ".!。"
"""Full stops and exclamation marks after a letter or digit: "Call me." is "Call me!", and "C++" is not "C"."""

_TOKEN = regex(r"[^\W_](?:[\w'’.,:/@-]*[\w'’])?|\S")
"""Words and numbers with what joins them (3.12, 10:30, don't, src/app.py), and every other character by itself."""

_ITEM = regex(r"^\s*[-*•]\s+")

_SENTENCE_ENDS = frozenset(".!?:;")
_UNHEARD = frozenset([*".,;\"'“”‘’«»", "a", "an", "the"])
"""What changes no meaning between words: punctuation of prose, quotation marks, articles."""

_JOINTS = frozenset(["and", "who", "which"])
MIN_JOINED_WORDS = 9
"""Words of a statement from which on it may have several clauses."""

_CAPITAL_MATTERS = frozenset(
    """access amazon apple april august basic bath bill bob brave cat chase china chrome dawn dell discord drew
    drive edge excel faith flint ford frank gap gene go grace hamburg hope hunter iris ivy jack jade java jersey
    job joy july june lent lily mac march mark max may meet mobile nice olive oracle orange outlook pages pat
    pearl penny polish python ray reading rich ring rob rose ruby rust safari sandy shell signal sky slack spark
    spring square stripe sue summer swift target teams turkey turin violet will windows word zoom""".split()
)
"""Words that with a capital are something else, or somebody: "polish", "march", "slack", "grace"."""

MAX_REWORDED, REWORDED_SHARE = 8, 0.1
"""Different words, or share of all words, up to which two texts may differ in phrasing alone."""


def same_text(a: str, b: str) -> bool:
    """Whether two texts are equal but for their Unicode form, white space and final full stop.

    Anything else may matter: a sign, an operator, case, one word. Indentation is kept where lines begin with it, since
    in code it decides what belongs together.

    Examples
    --------
    >>> same_text("Anna plays  the clarinet", "Anna plays the clarinet.")
    True
    >>> same_text("It has -5 degrees.", "It has 5 degrees."), same_text("x < 5", "x > 5")
    (False, False)
    """
    return not _begin_apart(a, b) and _normalised(a) == _normalised(b)


def _begin_apart(a: str, b: str) -> bool:
    """Whether two texts have different first words, which is soon seen; texts of a word or two may differ in a sign."""
    if not (a.isascii() and b.isascii()):
        return False
    if a[:1].isalnum() and b[:1].isalnum() and a[0] != b[0]:  # neither white space, nor a sign that may be dropped
        return True
    one, other = a.split(None, 2), b.split(None, 2)
    return len(one) == len(other) == 3 and one[0] != other[0]


def adds_nothing(text: str, stored: str) -> bool:
    """Whether a text differs from a known one only in punctuation, articles, the case of first words, and phrasing
    (`phrasing`): contractions, courtesy, spelling, a phrase that stands first or last.

    Such a text is stored, and called a duplicate. Every other difference may be a correction.

    Examples
    --------
    >>> adds_nothing("The keys hang on the hook, by the door", "Keys hang on the hook by the door.")
    True
    >>> adds_nothing("The keys hang on the hook by the window.", "The keys hang on the hook by the door.")
    False
    """
    differing, most_words = least_difference(text, stored)
    if differing > _tolerated(most_words):
        return False
    if _indented(text) or _indented(stored):
        return same_text(text, stored)
    dashes = (":", ";") if has_dash(text) or has_dash(stored) else (":",)
    return any(_says_the_same(text, stored, dash) for dash in dashes)


def _says_the_same(text: str, stored: str, dash: str) -> bool:
    (words, of_text), (others, of_stored) = _worded(text, dash), _worded(stored, dash)
    if len(of_text ^ of_stored) > _tolerated(min(len(words), len(others))):
        return False
    caseless = text.islower() or stored.islower()  # typed without capitals: their case says nothing
    return _alike(words, others, caseless, built=False) or _alike(words, others, caseless, built=True)


def _alike(words: tuple[str, ...], others: tuple[str, ...], caseless: bool, *, built: bool) -> bool:
    one, other = ([*_plainly(each, built)] for each in (words, others))
    if caseless:
        one, other = ([word.lower() for word in each] for each in (one, other))
    one, other = _in_one_case(one, other)
    if one == other or reordered(one, other) or turned(one, other) or _joined(one) == _joined(other):
        return True
    return built and conversed(one, other)


def _tolerated(words: int) -> float:
    """In how many words a text of so many may differ from another in phrasing alone."""
    return max(MAX_REWORDED, REWORDED_SHARE * words)


def _joined(words: Sequence[str]) -> list[str]:
    """A long statement without the words that join its clauses: "Mia, who runs the shop, is away"."""
    return [word for word in words if word not in _JOINTS] if len(words) >= MIN_JOINED_WORDS else [*words]


def _in_one_case(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """With a word in lower case that only one of them has with a capital, unless the capital makes it another word."""
    small = {word for each in (one, other) for word in each if word.islower()}
    names = {
        word for word in {*one} ^ {*other}
        if word[1:].islower() and word[:1].isupper() and word.lower() in small - _CAPITAL_MATTERS
    }  # fmt: skip
    if not names:
        return one, other
    one, other = ([word.lower() if word in names else word for word in words] for words in (one, other))
    return one, other


@kept_for_texts(maxsize=1_024)
def _worded(text: str, dash: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of a text in wordings that are the same whoever uses them: in their order, and each once."""
    worded = tuple(_content(_unshouted(reworded(text, dash))))
    return worded, frozenset(worded)


@kept_for_texts(maxsize=1_024)
def _plainly(words: tuple[str, ...], built: bool) -> tuple[str, ...]:
    return tuple(plainly(words, built=built))


def quotes(text: str, stored: str) -> bool:
    """Whether a text repeats a known one as an agent reads it back to its user: an item of a list, at most.

    Examples
    --------
    >>> quotes("- the lamp is red", "The lamp is red."), quotes("-5 degrees", "5 degrees")
    (True, False)
    """
    text = _ITEM.sub("", text)
    if _indented(text) or _indented(stored):
        return same_text(text, stored)
    return _content(text) == _content(stored)  # what is dropped for it differs in no word, not even in phrasing


@kept_for_texts(maxsize=256)
def _normalised(text: str) -> str:
    lines = [line.rstrip() for line in unicodedata.normalize("NFC", text).strip("\r\n").splitlines()]
    plain = "\n".join(lines).rstrip() if _indented(text) else " ".join(" ".join(lines).split())
    bare = plain.rstrip(_CLOSING)
    return bare if bare[-1:].isalnum() else plain


def _indented(text: str) -> bool:
    """Whether a line of it, not the first, begins with white space: code, or a list in a list."""
    return any(line[:1].isspace() and line.strip() for line in text.strip().splitlines()[1:])


def _unshouted(text: str) -> str:
    """A text of capitals alone in lower case."""
    return text.capitalize() if text.isupper() and len(text.split()) > 2 else text


def _content(text: str) -> list[str]:
    """Its words, numbers and signs in order; a word that opens a sentence in lower case, for its case says nothing."""
    tokens, opens = [], True
    for token in _TOKEN.findall(unicodedata.normalize("NFC", text).replace("’", "'")):
        if opens and (len(token) == 1 or token[1:].islower()):
            token = token.lower()
        if token not in _UNHEARD:
            tokens.append(token)
        opens = token in _SENTENCE_ENDS or (opens and token in _UNHEARD)
    return tokens
