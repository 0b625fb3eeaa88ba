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
_CERTAINLY = {
    "es": frozenset("soy estoy tengo voy juego doy hago puedo quiero sé fui era tenía hice".split()),
    "it": frozenset("ho sto faccio gioco vado posso voglio ero".split()),
    "pt": frozenset("sou estou tenho jogo vou faço posso quero fui tinha".split()),
    "pl": frozenset("jestem mam gram idę robię mogę chcę byłem byłam".split()),
}
"""Verbs of the first person whatever they mean, where no subject stands before them."""

_BEFORE = frozenset("no ya también siempre aún nunca non anche sempre mai não também já nie też zawsze ja".split())
"""Words that may stand before such a verb, which are no subject of another one."""

_ITALIAN_I_AM = regex(r"^\W*(?:(?:non|anche|ora|adesso) )?sono (?:molto |anche |un[ao]? )?\w{3,}[oa]\b")
"""Of "sono", I am or they are, what follows in the singular says which."""

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
    >>> says_i("Che gestore telefonico ho?", "it"), says_i("¿Qué móvil tengo?", "es")
    (True, True)
    >>> says_i("Soy alérgico a las nueces.", "es"), says_i("No juego al tenis.", "es"), says_i("El juego acaba.", "es")
    (True, True, False)
    """
    form = _FIRST_PERSON.get(language)
    if form is None:
        return False
    if language == "it" and _ITALIAN_I_AM.search(text.lower()):
        return True
    reflexive, is_open = False, True
    for word, meaning in islice(meanings(text, language), MAX_WORDS):
        if is_open and word in _CERTAINLY[language]:
            return True
        is_open &= word in _BEFORE
        if meaning in _VERBS and (reflexive or form.fullmatch(word)):
            return True
        reflexive |= word in _REFLEXIVE[language]
    if not text.rstrip().endswith("?"):
        return False
    last, meaning = next(reversed([("", None), *meanings(text, language)]))
    return last in _CERTAINLY[language] or (meaning in _VERBS and bool(form.fullmatch(last)))
