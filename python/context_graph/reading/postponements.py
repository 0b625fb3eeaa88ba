"""That an event is at another time or off, which an earlier statement has a verb for: "la boda" of "se casa"."""

import re

from context_graph.reading import cues
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["may_postpone", "postpones"]

READ = 240
"""Characters of a statement that are looked at."""

_EVENTS = tuple(
    (noun, regex(rf"\b(?:{verb})\b", re.I))
    for noun, verb in (
        (
            r"hochzeit|trauung|boda|wedding",
            r"heirat(?:e|et|en)|traut sich|se casan?|me caso|nos casamos|(?:gets?|getting|be) married"
            r"|marr(?:y|ies|ying)",
        ),
        (
            r"op|operation|eingriff|operaci[oó]n|cirug[ií]a|surgery",
            r"oper(?:iert|iere|ieren|an|amos)|unters messer|having (?:\w+ ){1,2}(?:operated|replaced|removed)",
        ),
        (
            r"reise|urlaub|ausflug|tour|viaje|vacaciones|excursi[oó]n|escapada",
            r"(?:fliege|fahre|reise|verreise)[nt]?|viaj(?:o|amos|an?)|volamos|vuelo"
            r"|(?:vamos|voy|nos vamos|me voy) (?:a|de)",
        ),
        (r"umzug|mudanza", r"zieh(?:e|t|en)|(?:nos|me|se) mud(?:amos|o|an?)"),
        (r"besuch|visita", r"besuch(?:e|t|en)|komm(?:e|t|en)|vienen?|visita(?:n|mos)?"),
        (r"feier|fest|party|fiesta", r"feier(?:e|t|n)|celebr(?:o|a|an|amos)"),
        (
            r"appointment|appt|(?P<kind>[a-zäöüß]{3,20}?s?)?termin|cita",
            r"dentist|orthodontist|doctor|gp|physio|vet|optician|hairdresser|haircut|barber|check-?up|scan|x-ray|hygienist"
            r"|zahnarzt|kieferorthopäd(?:e|in)|(?:haus|kinder|frauen|augen|haut|tier)?(?:arzt|ärztin)|friseur(?:in)?"
            r"|physiotherapie|vorsorge|impfung|dentista|ortodoncista|m[eé]dic[oa]|fisio|veterinari[oa]|peluquer[ií]a"
            r"|oculista|pediatra|revisi[oó]n",
        ),
        (r"taufe|bautizo", r"(?:wird|werden) (?:[\w.]+ ){0,4}getauft|bautiz(?:o|a|an|amos)"),
    )
)
"""Nouns for an event, and how a statement says with a verb that it is to be."""

_MOVED = (
    r"(?:verschoben|verlegt|vertagt|aufgeschoben|vorgezogen|vorverlegt|abgesagt|fällt aus|fällt ins wasser|gestrichen"
    r"|(?:aplaz|retras|adelant|cancel|anul)(?:ad[oa]s?|ó|aron|amos)|pospuest[oa]|suspend(?:id[oa]|ió)|pospuso"
    r"|postponed|pushed|moved|put off|delayed|brought forward|rescheduled|cancell?ed|called off|(?:is|['’]s) off)"
)
_CHANGES = tuple(
    regex(rf"\b(?P<whose>[\w'’]+ )?(?:{noun})\b(?:[^.;!?]|(?<=\d)\.){{0,50}}\b{_MOVED}\b", re.I) for noun, _ in _EVENTS
) + tuple(regex(rf"\b{_MOVED}\b (?P<whose>[\w'’]+ )?(?:{noun})\b", re.I) for noun, _ in _EVENTS)
_SAYS_MOVED = regex(_MOVED, re.I)
_OWN = frozenset("my our mein meine unser unsere mi nuestra nuestro".split())
_ARTICLES = frozenset(
    "the that this die der das ihr ihre sein seine dein deine la el su tu her his their all whole".split()
)
_OF_WHO_SAYS = regex(r"\b(?:i|we|we['’]re|i['’]m|ich|wir|me|nos|vamos|voy|viajo|viajamos|celebramos)\b", re.I)
_OF_SOMEBODY = regex(
    r"\b(?:von|of|de|del) (?:(?:mi|tu|su|my|her|his|our|nuestr[ao]|meine[rmn]?|unsere[rmn]?|dem|der|the|la|los) )?"
    r"([^\W\d_]{3,})",
    re.I,
)
_MONTH = regex(
    r"\b(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|enero|febrero|marzo|abril"
    r"|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|\d)",
    re.I,
)
_WORD = regex(r"[^\W\d_]+")


@kept_for_texts(maxsize=1_024)
def may_postpone(text: str) -> bool:
    """Whether a statement says of any event that it is at another time or off."""
    return bool(_SAYS_MOVED.search(text[:READ])) and any(change.search(text[:READ]) for change in _CHANGES)


def postpones(earlier: str, later: str) -> bool:
    """Whether a later statement moves or calls off, by its noun, an event at a time that an earlier one tells of with a
    verb, and names nobody else for whom it is.

    Examples
    --------
    >>> postpones("Mi hermana se casa el 6 de junio.", "La boda se ha aplazado a septiembre.")
    True
    >>> postpones("Mi hermana se casa el 6 de junio.", "La boda de Marta se ha aplazado a septiembre.")
    False
    >>> postpones("Mi hermana se casa el 6 de junio.", "El viaje se ha aplazado a septiembre.")
    False
    """
    earlier, later = earlier[:READ], later[:READ]
    if not (cues.TIMED.search(earlier) or _MONTH.search(earlier)):
        return False
    matches = ((change.search(later), verb) for change, (_, verb) in zip(_CHANGES, _EVENTS * 2, strict=True))
    return any(match and verb.search(earlier) and _of_the_same(match, earlier, later) for match, verb in matches)


def _of_the_same(match: re.Match[str], earlier: str, later: str) -> bool:
    """Whether an event is nobody's but who the earlier statement speaks of."""
    whose = (match["whose"] or "").strip().lower()
    if whose in _OWN:
        return bool(_OF_WHO_SAYS.search(earlier))
    before, after = (set(map(str.lower, _WORD.findall(text))) for text in (earlier, later))
    owners = {name.lower() for name in _OF_SOMEBODY.findall(later) if not _MONTH.match(name)}
    owners |= cues.KIN.intersection(after)
    if kind := match.groupdict().get("kind"):
        owners.add(kind.lower())
    if whose and whose not in _ARTICLES:
        owners.add(whose.removesuffix("'s").removesuffix("’s"))
    return all(owner in before or owner.removesuffix("s") in before for owner in owners)
