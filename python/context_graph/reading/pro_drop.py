"""Who says it, where the ending of a verb tells it: "Moro em Lisboa", "Mieszkam w Krakowie"."""

from itertools import islice

from context_graph.embed.languages import meanings
from context_graph.regex import regex

__all__ = ["says_i"]

_FIRST_PERSON = {
    "es": regex(r"\w+(?:(?<!ad)(?<!id)o|é|í|oy)"),
    "it": regex(r"(?!\w{3,}[aiu]to$)\w+o"),
    "pt": regex(r"\w+(?:(?<!ad)(?<!id)o|ei|i)|sou|estou|vou"),
    "pl": regex(r"\w+(?:[aei]m|ę|ł[ae]m)"),
}
"""What a verb of the first person ends with, by language; a participle does not."""

_REFLEXIVE = {"es": ("me",), "it": ("mi",), "pt": ("me",), "pl": ()}
MAX_WORDS = 3
"""Words among which the verb stands: "no me gusta"."""

_VERBS = frozenset(
    "live work eat drink have hate love like prefer drive move moved sold quit use want need play study speak read go"
    " take know think pay buy sell travel sleep run swim learn teach write cook smoke start stop own earn spend meet"
    " wear am be can must retired".split()
)
"""What such a verb means."""


def says_i(text: str, language: str) -> bool:
    """Whether one of the first words of a text is a verb of the first person, or stands behind "me".

    Examples
    --------
    >>> says_i("Abito a Roma.", "it"), says_i("Sposato con Ada.", "it")
    (True, False)
    >>> says_i("Vivo en Sevilla.", "es"), says_i("Mi sono trasferito a Bari.", "it"), says_i("Mieszkam w Łodzi.", "pl")
    (True, True, True)
    >>> says_i("Mi gato duerme.", "es"), says_i("Mario abita a Roma.", "it"), says_i("Kot śpi.", "pl")
    (False, False, False)
    """
    form = _FIRST_PERSON.get(language)
    if form is None:
        return False
    reflexive = False
    for word, meaning in islice(meanings(text, language), MAX_WORDS):
        if meaning in _VERBS and (reflexive or form.fullmatch(word)):
            return True
        reflexive |= word in _REFLEXIVE[language]
    return False
