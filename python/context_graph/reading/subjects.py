"""Whom or what a short statement is about: the words before its first verb."""

from collections.abc import Sequence

from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["SELF", "WORD", "content_stems", "of_another", "subject_of"]

OPENING = 8
"""Words among which the subject of a statement is looked for."""

SELF = "self"
"""The subject of who speaks of themselves."""

_ARTICLES = frozenset("the a an this that these der die das el la los las".split())
_DETERMINERS = cues.POSSESSIVE | _ARTICLES
_ADVERBS = frozenset(
    "actually again also and besides but finally here however later maybe meanwhile now ok okay only otherwise perhaps"
    " so sometimes soon still then there today tomorrow tonight usually well yesterday yet auch dann heute jetzt"
    " también ahora".split()
)
_TITLES = frozenset("mr mrs ms miss dr prof sir herr frau señor señora".split())
_PREPOSITIONS = frozenset("of to for in at on with from by about von zu für in bei mit de para en con".split())

WORD = regex(r"[^\W_]+(?:['’.,:/-][^\W_]+)*[%€$£]?|[<>=!]=?")


def subject_of(words: Sequence[str]) -> frozenset[str]:
    """Stems of the subject, `SELF` for who says it; empty where no verb that is known follows.

    Parameters
    ----------
    words : sequence of str
        Of the statement, in lower case.

    Examples
    --------
    >>> sorted(subject_of("my brother jonas lives in oslo".split())), sorted(subject_of("we moved to preetz".split()))
    (['brother', 'jona'], ['self'])
    """
    subject: set[str] = set()
    owned = False
    for word in words[:OPENING]:
        if word in cues.VERBS:
            return frozenset(subject)
        if word in cues.SELF and not subject and not owned:
            if word not in cues.POSSESSIVE:
                return frozenset((SELF,))
            owned = True
        elif stem := stem_of(word.removesuffix("'s")):
            subject.add(stem)
    return frozenset()  # no verb that is known: whatever stands there may be more than the subject


@kept_for_texts(maxsize=512)  # a statement is compared with each of those beside it, by many rules
def content_stems(text: str) -> frozenset[str]:
    """Stems of the words of a text but its contractions: two statements with "I'm" or "don't" have nothing in common
    by that.

    Examples
    --------
    >>> sorted(content_stems("I'm at Acme, don't call."))
    ['acm', 'call']
    """
    return frozenset(stem for stem in stems(text) if not stem.endswith(cues.CONTRACTED))


def _is_somebody(tokens: Sequence[str], i: int) -> bool:
    """Whether a word within a subject may name a person: "the field Datum", behind an article, is a thing, as is what
    has capitals only ("our API"), or a digit.
    """
    if any(map(str.isdigit, tokens[i])):
        return False
    before = [token.lower() for token in tokens[max(i - 2, 0) : i]]
    abbreviated = tokens[i].isupper() and len(tokens[i]) > 1
    return tokens[i][0].isupper() and not abbreviated and (_ARTICLES.isdisjoint(before) or before[-1] in _TITLES)


@kept_for_texts(maxsize=512)
def of_another(text: str) -> bool:
    """Whether a statement opens with another person than who says it; neither with a thing ("rent", "the choir") nor
    with what both do ("Klara and I").

    Examples
    --------
    >>> of_another("My brother Jonas lives in Oslo."), of_another("We moved to Preetz."), of_another("Rent is due.")
    (True, False, False)
    >>> of_another("The field Datum has two forms."), of_another("Our API is slow.")
    (False, False)
    >>> of_another("Mrs. Olsen has two dogs."), of_another("My HbA1c was 6.9.")
    (True, False)
    """
    tokens = [word[0].replace("’", "'") for word, _ in zip(WORD.finditer(text), range(OPENING), strict=False)]
    words = [word.lower() for word in tokens]
    if not subject_of(words) - {SELF} or any(word in cues.SELF - cues.POSSESSIVE for word in words):
        return False
    end = next((i for i, word in enumerate(words) if word in cues.VERBS or word in _PREPOSITIONS), len(words))
    subject = [word.removesuffix("'s") for word in words[:end]]
    if not cues.KIN.isdisjoint(subject):
        return True
    if any(_is_somebody(tokens, i) for i in range(1, end)):
        return True
    named = words[0] not in _DETERMINERS | _ADVERBS and tokens[0][0].isupper()
    return named and bool(subject) and is_like_a_first_name(subject[0])
