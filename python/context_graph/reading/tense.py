"""Whether the verbs of a text speak of what was or of what will be."""

from context_graph.regex import regex
from context_graph.texts import caseless

__all__ = ["lean_of"]

_AHEAD = regex(
    r"\b(?:will|won't|['’]ll|going to|gonna|shall|have to|has to|need to|needs to|must|tomorrow|upcoming|due|deadline"
    r"|scheduled|planned|planning|booked for|invited|expected|appointment|reminder|remind|next|coming"
    r"|(?:['’](?:s|m|re)|is|am|are) (?:moving|leaving|coming|flying|travell?ing|visiting|retiring|joining)"
    r"|(?:hast|habe|haben|hat|habt) [^.?!]{1,40} vor(?=\W*$)"
    r"|werde|wird|werden|wirst|muss|müssen|soll|sollen|steht an|stehen an|geplant|fällig|termin|kommt|kommen"
    r"|voy a|vamos a|va a|van a|tengo que|tenemos que|hay que|viene|vienen|será|serán|haré|haremos|toca)\b"
)
_GERMAN_WAS = (
    r"was(?= (?:(?:alles|so|noch|denn|genau) )?(?:(?:mach|hab|geh|fahr|unternehm|brauch|nehm|ess|koch|hol|kauf|schenk"
    r"|bring|plan|feier|spiel|besprech|komm|steh|lieg|müss|soll|woll|könn|dürf|werd|pass|lauf|tu|zieh|trag|seh|les)"
    r"(?:en|n|e|t|st|iert)|tun|ist|sind|hat|hast|gibt|läuft|trägt|isst|muss|darf|kann|wird|wirst|waren|gab"
    r"|ich|du|er|wir|ihr|für|als|im|bei|zu|mein|meine|unser|unsere|heute|morgen|noch)\b)"
)
"""The German "what", which is spelled as a verb of the English past."""

_BEHIND = regex(
    rf"\b(?!{_GERMAN_WAS})"
    r"(?:did|was|were|had|been|ago|yesterday|(?!need|seed|feed|speed|breed|indeed|hundred|red\b|bed\b)[a-z]{2,}ed"
    r"|went|came|saw|said|took|left|fell|made|got|met|began|told|gave|bought|ran|wrote|lost|won|paid|sold|sent|spent"
    r"|felt|found|kept|held|built|brought|thought|caught|taught|ate|drank|drove|flew|swam|sang|broke|broken|done|gone"
    r"|seen|heard|learnt|slept|spoke|stood|understood|woke|wore|became|chose|rose|shook|stole|threw|grew|knew|hid|rode"
    r"|war|waren|warst|hatte|hatten|habe|habt|hast|gab|ging|gingen|kam|kamen|sah|sahen|machte|fand|geschah|passierte"
    r"|wurde|wurden|ge[a-zäöü]{2,}(?:t|en)"
    r"|fue|fui|fuimos|fueron|era|eran|hubo|pasó|había|habían|estuve|estuvo|estuvimos|hice|hizo|hicimos|vi|vimos|dijo"
    r"|dije|compré|comimos|[a-z]{2,}(?:amos|imos|aron|ieron|aste|iste))\b"
)


def lean_of(text: str) -> int:
    """Where the verbs of a text point: 1 ahead, -1 behind, 0 where they say nothing or both.

    Examples
    --------
    >>> lean_of("Was machen wir im Juli?"), lean_of("Was haben wir im Juli gemacht?"), lean_of("Was it in July?")
    (0, -1, -1)
    >>> lean_of("Was haben wir im Juli vor?"), lean_of("What was an issue?")
    (1, -1)
    >>> lean_of("Ingrid moved to Bergen"), lean_of("She's moving to Bergen"), lean_of("Met Ingrid, she's moving")
    (-1, 1, 0)
    """
    plain = caseless(text)  # patterns for letters of both cases take twice as long
    ahead = set(_AHEAD.findall(plain))
    behind = set(_BEHIND.findall(plain)) - ahead  # "scheduled" is no past
    return bool(ahead) - bool(behind)
