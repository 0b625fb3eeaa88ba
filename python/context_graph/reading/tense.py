"""Whether the verbs of a text speak of what was or of what will be."""

import re

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


_FRENCH_PARTICIPLE = (
    r"(?:[a-zà-ÿ]{2,}é(?:e?s?)|fait|dit|écrit|conduit|cuit|construit|produit|eu|bu|vu|lu|su|pu|dû|voulu|perdu|vendu"
    r"|rendu|reçu"
    r"|tenu|venue?s?|revenue?s?|couru|vécu|connu|reconnu|répondu|attendu|entendu|descendue?s?|battu|cru|plu|élu|pris"
    r"|appris"
    r"|compris|repris|mis|promis|permis|remis|conquis|fini|dormi|choisi|réussi|servi|suivi|partie?s?|sortie?s?|senti"
    r"|menti"
    r"|grandi|rempli|ouvert|offert|couvert|découvert|rejoint|peint|mort|rompu)"
)
_TENSES: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "fr": (
        regex(
            r"\b(?:vais|vas|va|allons|allez|vont) (?:me |te |se |nous |vous |y )?[a-zà-ÿ]{2,}(?:er|ir|re|oir)\b"
            r"|\b[a-zà-ÿ]{2,}(?:erai|irai|drai|rons|rez|ront)\b|\b(?:sera|aura|fera|ira|viendra|pourra|devra|faudra"
            r"|dois|doit"
            r"|devons|doivent|faut|rendez-vous|prévue?s?|prochaine?)\b"
        ),
        regex(
            r"(?:\b|['’])(?:ai|as|a|avons|avez|ont)(?:-(?:je|tu|t-il|t-elle|t-on|nous|vous|ils|elles))? "
            r"(?:(?:pas|tous|tout|toutes|déjà|bien|encore|aussi|enfin|beaucoup|trop|jamais|rien) ){0,2}"
            rf"{_FRENCH_PARTICIPLE}\b"
            r"|\b(?:suis|es|est|sommes|êtes|sont) (?:(?:pas|tous|toutes|déjà|bien|aussi|enfin) ){0,2}"
            r"(?:allée?s?|venue?s?|partie?s?|rentrée?s?|arrivée?s?|restée?s?|née?s?|morte?s?|tombée?s?|sortie?s?"
            r"|passée?s?|montée?s?"
            r"|revenue?s?|retournée?s?|devenue?s?)\b"
            rf"|\b(?:me |m['’]|te |t['’]|se |s['’]|nous |vous )(?:suis|es|est|sommes|êtes|sont)(?:-(?:il|elle|on|ils"
            rf"|elles))? {_FRENCH_PARTICIPLE}\b"
            r"|\b(?:était|étais|étaient|étions|avait|avais|avaient|avions|faisait|allait|fallait|voulait|pouvait"
            r"|depuis)\b"
        ),
    ),
    "it": (
        regex(
            r"\b[a-zà-ÿ]{2,}(?:rò|rà|remo|rete|ranno)\b|\b(?:devo|devi|deve|dobbiamo|devono|bisogna|appuntamento"
            r"|prossim[oa])\b"
        ),
        regex(
            r"(?:\b|['’])(?:ho|hai|ha|abbiamo|avete|hanno|sono|sei|è|siamo|siete) "
            r"(?:(?:già|sempre|appena|anche|poi|tutti|tutte|mai|più|finalmente) ){0,2}"
            r"(?:[a-zà-ÿ]{2,}[aiu]t[oaie]|fatt[oaie]|dett[oaie]|vist[oaie]|pres[oaie]|mess[oaie]|lett[oaie]"
            r"|scritt[oaie]|pers[oaie]"
            r"|apert[oaie]|chius[oaie]|rimast[oaie]|mort[oaie]|cors[oaie]|rott[oaie]|spes[oaie]|scelt[oaie]"
            r"|vint[oaie]|decis[oaie]"
            r"|success[oaie]|nat[oaie]|stat[oaie])\b"
            r"|\b(?:era|erano|ero|eravamo|avevo|aveva|avevamo|avevano|[a-z]{3,}(?:avo|avamo|avano|evano|evamo))\b"
        ),
    ),
    "pt": (
        regex(
            r"\b(?:vou|vais|vai|vamos|vão) [a-zà-ÿ]{2,}r\b|\b[a-zà-ÿ]{2,}(?:ará|erá|irá|aremos|eremos|iremos|arão"
            r"|erão|irão)\b"
            r"|\b(?:tenho (?:de|que)|temos (?:de|que)|tem (?:de|que)|preciso|precisamos|próxim[oa]|marcad[oa])\b"
        ),
        regex(
            r"\b(?!meu\b|museu|europeu|estou\b|liceu)(?:[a-zà-ÿ]{2,}(?:ei|ou|eu|iu|aram|eram|iram|ámos|ávamos|avam"
            r"|ava)|fui|foi|fomos"
            r"|foram|fiz|fez|fizemos|vi|viu|vimos|tive|teve|tivemos|estive|esteve|estivemos|disse|vim|veio|pude|pôde"
            r"|pôs|houve"
            r"|dei|deu|demos|comemos|bebemos|era|eram|tinha|tinham|desde)\b"
        ),
    ),
    "nl": (
        regex(r"\b(?:zal|zullen|zult|ga|gaat|gaan|moet|moeten|afspraak|komt|komen|gepland|volgende?|komende?)\b"),
        regex(
            r"\b(?:heb|hebt|heeft|hebben|ben|bent|is|zijn)\b[^.?!]{1,60}? (?:(?:op|uit|aan|af|in|mee|over"
            r"|weg)?ge[a-zà-ÿ]{2,}[dtn]"
            r"|vergeten|verloren|verkocht|betaald|begonnen|ontmoet|bezocht|besteld|verhuisd|vertrokken|gekregen"
            r"|ontdekt)\b"
            r"|\b(?:was|waren|had|hadden|werd|werden|ging|gingen|kwam|kwamen|deed|deden|zag|zagen|at|aten|dronk"
            r"|dronken|nam|namen"
            r"|gaf|gaven|vond|vonden|kreeg|kregen|bleef|bleven|liep|liepen|reed|reden|sliep|sliepen|schreef|sprak"
            r"|las|zat|zaten"
            r"|stond|stonden|begon|begonnen|won|wonnen|verloor|viel|vielen|vertrok|belde|belden|maakte|maakten"
            r"|kookte|kookten"
            r"|werkte|werkten|speelde|speelden|haalde|haalden|gebeurde|gebeurden|kocht|kochten|bracht|brachten|sinds"
            r"|geleden)\b"
        ),
    ),
    "pl": (
        regex(r"\b(?:będę|będziesz|będzie|będziemy|będą|muszę|musi|musimy|trzeba|zamierzam|przyszł\w{1,3}"
        r"|następn\w{1,3})\b"),
        regex(
            r"\b(?!biał|wspaniał|całk|dział\b|oddział|materiał|kanał)[a-ząćęłńóśźż]{2,}(?:łem|łam|łeś|łaś|liśmy"
            r"|łyśmy|liście|łyście"
            r"|[aiyęe](?:ł|ła|ło|li|ły)|ął|ósł|szedł|szła|szli|szło)\b|\b(?:był|była|było|byli|były|miał|miała|mieli"
            r"|zmarł|zmarła)\b"
        ),
    ),
}  # fmt: skip
"""By language the cues of what is to come and of what is past. Each is bounded: it looks at no more than a few
words."""


def lean_of(text: str, language: str = "") -> int:
    """Where the verbs of a text point: 1 ahead, -1 behind, 0 where they say nothing or both.

    Parameters
    ----------
    language : str
        "fr", "it", "pt", "nl" or "pl"; by default cues of English, German and Spanish count together.

    Examples
    --------
    >>> lean_of("Was machen wir im Juli?"), lean_of("Was haben wir im Juli gemacht?"), lean_of("Was it in July?")
    (0, -1, -1)
    >>> lean_of("Was haben wir im Juli vor?"), lean_of("What was an issue?")
    (1, -1)
    >>> lean_of("Ingrid moved to Bergen"), lean_of("She's moving to Bergen"), lean_of("Met Ingrid, she's moving")
    (-1, 1, 0)
    >>> lean_of("On a mangé vendredi", "fr"), lean_of("On va manger vendredi", "fr"), lean_of("On mange vendredi", "fr")
    (-1, 1, 0)
    """
    plain = caseless(text)  # patterns for letters of both cases take twice as long
    if tenses := _TENSES.get(language):
        return bool(tenses[0].search(plain)) - bool(tenses[1].search(plain))
    ahead = set(_AHEAD.findall(plain))
    behind = set(_BEHIND.findall(plain)) - ahead  # "scheduled" is no past
    return bool(ahead) - bool(behind)
