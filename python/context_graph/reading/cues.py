"""Words that tell what a statement does (ends a state, corrects, denies, adds), and of whom it speaks.

English first, with German and Spanish words that are unmistakable.
"""

import re

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.reading.preamble import without_preamble
from context_graph.reading.pro_drop import says_i
from context_graph.reading.third_person import told_of_user
from context_graph.reading.time_translations import in_english_with_times
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = [
    "BELIEVED", "CALLED", "CHANGED", "CONTRACTED", "CORRECTED", "ENDED", "EVENT", "JOINED", "KIN", "KIN_CALLED",
    "LANGUAGES", "MANY",
    "MORE", "NEGATED", "OPEN", "PAST", "POSSESSIVE", "SELF", "SETTLED", "STAYS", "TELLING_WHEN", "TIMED",
    "UNNAMED", "USER",
    "VERBS", "of_user", "readable",
]  # fmt: skip

LANGUAGES = ("en", "de", "es")
"""Languages whose cues and words of time are known."""


@kept_for_texts(maxsize=128)  # a result is read for what it became, what disagrees with it and what it is told with
def readable(text: str) -> str:
    """A text in a language whose cues are known: where its own is none of these, in English word by word; in English
    as it is usually written, and of the user as the user would say it; without what announces it. Who says it is
    named, where only the ending of a verb tells it.

    Examples
    --------
    >>> readable("Moro em Lisboa."), readable("Vivo en Sevilla."), readable("The user's cat is Momo.")
    ('I live in Lisboa.', 'Yo vivo en Sevilla.', 'My cat is Momo.')
    """
    text = without_preamble(text)
    language = language_of(text)
    read = (
        text if language != ENGLISH and language in LANGUAGES else told_of_user(in_english_with_times(text, language))
    )
    if language == ENGLISH or not says_i(text, language):
        return read
    return f"{'Yo' if language == 'es' else 'I'} {read[:1].lower()}{read[1:]}"


_SENTENCE_END = regex(r"[.!?:;]\W*$")
_CAPITAL_NEXT = regex(r" [A-ZÀ-Þ]")


def of_user(question: str) -> bool:
    """Whether a question is about whom the memory belongs to.

    Examples
    --------
    >>> of_user("Where do I live?"), of_user("Onde moro?"), of_user("Où est-ce que j'habite ?"), of_user("Who is Ana?")
    (True, True, True, False)
    >>> of_user("Who plays Barney in How I Met Your Mother?"), of_user("Who directed My Dear Desperado?")
    (False, False)
    """
    return any(
        not _in_title(text, match) for text in dict.fromkeys((question, readable(question)))
        for match in USER.finditer(text)
    )  # fmt: skip


def _in_title(text: str, match: re.Match[str]) -> bool:
    """Whether a word for who asks stands in a title: "How I Met Your Mother"."""
    if not match[0][0].isupper() or text.istitle() or not text[: match.start()].strip(" \"'¿(*-"):
        return False
    if match[0] != "I":
        return not _SENTENCE_END.search(text[: match.start()])
    return bool(_CAPITAL_NEXT.match(text, match.end()))


def _any(*lines: str) -> re.Pattern[str]:
    return regex(rf"(?<!\w)(?:{'|'.join(lines)})(?!\w)", re.I)


ENDED = _any(
    r"no longer|any ?more|any longer|not any|no more|instead|in (?:its|their) place|in place of|switched|swapped",
    r"moved|migrated",
    r"renamed|replaced|upgraded|downgraded|bumped|promoted|quit|left|leaves(?! (?:at|from)\b)|stopped|gave up",
    r"given up|dropped|removed|sold|traded|churned",
    r"paused|suspended|cancel(?:s|l?ed|l?ing)?|rebooked|reset|halved|doubled|put back|died|passed away|called off",
    r"bailed|(?:i|we|they|let['’]s)(?: will|['’]ll)? skip",
    r"(?:is|are) off",
    r"can['’]t make it|on (?:leave|sabbatical)|dropped out|pulled out|withdrawn|withdrew|scrapped",
    r"postponed|pushed (?:back|to)",
    r"slips?|slipped|fell through",
    r"delay(?:s|ed)?|\w+ later than|rescheduled|brought forward|got rid of|(?:run|ran) out|took over|takes over",
    r"taken over|retired|retires(?= ?[,;.])",
    r"reassigned|resigned|(?:threw|thrown) out|ditched|folded|went (?:under|bust)",
    r"finished (?:with )?(?!by|at|in|on)",
    r"handed in (?:my|his|her|their) notice",
    r"been (?:put|set|shifted|brought|taken|carried|transferred|handed)|shifted|stolen?",
    r"(?<!is )(?<!are )fired|sacked|let go|ported",
    r"felled|tore? down|torn down|given back|waived|written off|wrote off|refunded|revoked|repealed|lapsed|laid off",
    r"wound (?:up|down)|shut down|phased out|decommissioned|discontinued|terminated|disbanded|dissolved|backed out",
    r"deprecated|scaled (?:back|down)|merged into|paid off|packed in",
    r"broke up|split up|divorced|expired|back (?:to|on|in|at|from)|once more|from (?:now|\w+day) on|as of",
    r"going forward|(?:come|came) a?round to|warmed to|gone off|went off|settled on|converted to|given in",
    r"on second thought|changed|turned|became|become|reopened|rolled back|these days|by now|starting \w+",
    r"nicht mehr|stattdessen|gewechselt|umgezogen|gezogen|verschoben|verlegt|abgesagt|gekündigt|aufgehört",
    r"umgestiegen|umbenannt|(?:hoch|herauf|rauf|herab|herunter|runter|ab|um)gesetzt|(?:hoch|herunter|runter|um)gestellt",
    r"(?:hoch|herunter|runter)gestuft|erhöht|angehoben|verdoppelt|halbiert|gesenkt|reduziert|verringert|gekürzt",
    r"gestrichen|ausgefallen|fällt aus|fallen aus|entfällt|vertagt|aufgeschoben|vor(?:gezogen|verlegt)|storniert",
    r"geplatzt|(?:aus|ein|weg|zurück|zusammen)gezogen|verkauft|verschenkt|ersetzt|ausgetauscht|umgetauscht|abgelöst",
    r"zurückge(?:geben|bracht|schickt)|weggeworfen|weggegeben|entsorgt|abgeschafft|abgemeldet|abbestellt|aufgegeben",
    r"aufgelöst|abgebrochen|beendet|hingeschmissen|geschmissen|ausge(?:treten|stiegen|schieden)|abgelaufen|entlassen",
    r"wird geschlossen|gestorben|verstorben|eingeschläfert|getrennt|geschieden",
    r"abgegeben|zugemacht|macht zu|dichtgemacht",
    r"ab (?:sofort|jetzt|heute|\w+tag)|ya no|en lugar de|en vez de|cambi(?:ó|é|amos|aron|ado)",
    r"(?:mud|traslad)(?:é|ó|amos|aron|ado|ada|ados)|cancel(?:ad[oa]|ado|ó|aron|amos|é)|anul(?:ad[oa]|ó|aron|amos|é)",
    r"dej[éó](?! (?:\w+ ){1,3}en\b)|dejado|dejaron",
    r"aplaz(?:ad[oa]|ó|aron|amos|é)|pospuest[oa]|posp(?:uso|usieron|usimos)|suspendid[oa]",
    r"suspendi(?:ó|eron)|retras(?:ad[oa]|ó|aron|amos)|adelant(?:ad[oa]|ó|aron|amos)|duplic(?:ad[oa]|ó|aron)",
    r"(?:me|le|te|nos|les|se|lo|la|ha|han|hemos|he) (?:sub|baj)(?:ió|ieron|ido|ó|aron|ado|í|é)",
    r"aument(?:ad[oa]|ó|aron)|redu(?:cido|jo|jeron)|rebaj(?:ado|ó|aron)|vend(?:ido|í|ió|imos|ieron)",
    r"devuelto|devolv(?:í|ió|imos|ieron)|regal(?:ado|é|ó|amos) (?:el|la|los|las|mi|nuestr\w+)|renunci(?:é|ó|ado)",
    r"dimit(?:í|ió|ido)|despid(?:ieron|ió)|despedido|jubilado|jubiló|falleci(?:ó|do)|muri(?:ó|eron)|ha muerto",
    r"de baja|(?:separ|divorci)(?:é|ó|ado|aron|amos)|caduc(?:ó|ado)|sustitu(?:ido|yó)|reemplaz(?:ado|ó)|quitado",
    r"cerró|cerraron|ha cerrado|han cerrado",
    r"pasa(?:n|do|mos)? a(?:l| las?| los)? (?:\w+es|s[aá]bados?|domingos?|las \w+)",
)
"""A state has ended, or begins to."""

CHANGED = _any(
    r"now|new|since|joined|started|begun|began|finally|meanwhile|again|closed|ended|over|only|down to|up to",
    r"raised|lowered|got|fixed",
    r"works?|finished|jetzt|nun|seit|neue[rsnm]?|wieder|inzwischen|mittlerweile|ahora|desde|nuev[oa]s?|otra vez",
)
"""A state may have changed: weaker words of the same kind."""

CORRECTED = _any(
    r"actually|correction|misspoke|mistaken?|wrong|sorry|oops|wait|scratch that|strike that|forget what|i meant",
    r"after all(?=\W*$|[,.;!])|turns out|turned out|typo|red herring|false alarm",
    r"erratum|corrects|misread|misheard|miscounted|it was never",
    r"mixed|rather|i checked|fix|eigentlich|korrektur|falsch|vertan|quatsch|perdón|corrección|equivoqu[éeoó]",
    r"en realidad",
)
STAYS = _any(
    r"same|unchanged|as (?:before|it was|they were)|left alone|unverändert|gleiche[rnms]?|mism[oa]s?",
)
"""Something stays as it was, beside what changes: "same day and time"."""

BELIEVED = regex(
    r"\b(?:thought|thinks|believed|believes|assumed|assumes|claimed|claims|guessed|insisted|expected)\b.*"
    r"\b(?:wrong|mistaken|incorrect|not true|untrue|confused|misread|misremembered)\b"
    r"|\b(?:dachte|glaubte|meinte|behauptete)\b.*\b(?:falsch|irrte?|geirrt)\b"
    r"|\b(?:creía|pensaba|pensó|creyó)\b.*\b(?:equivocad[oa]|mal)\b",
    re.I | re.S,
)
"""Somebody's mistake, told as one: it says nothing of how things are."""

TELLING_WHEN = frozenset(
    "now nowadays longer anymore currently still instead again already yet actually today lately recently since ago "
    "jetzt nun inzwischen mittlerweile wieder noch schon ahora todavía aún ya".split()
)
"""Words for when or that something changed, which two statements share though they are about two things."""

NEGATED = _any(
    r"not?|never|none|nothing|nobody|without|neither|nor|cannot|\w+n['’]t|nicht|kein\w*|nie|niemand|nunca|nadie|"
    r"ning[úu]n\w*"
)
MORE = _any(
    r"(?<!^)also|too|another|second|additional(?:ly)?|besides|as well|both|other",
    r"(?<!no )(?<!any )more|plus|auch|außerdem|weitere[rsn]?",
    r"zweite[rsn]?",
    r"también|además|otr[oa]|segund[oa]",
)
"""It adds to what was said; "also" that opens a message only goes on talking."""

OPEN = regex(
    r"\?\s*$|^(?:if|should|could|would|what|who|when|where|how|why|do|does)\b|"
    r"\b(?:might|maybe|perhaps|wish|would|considering|thinking (?:of|about)|hope|dream|what if|if (?:i|we|she|he)|"
    r"(?<!n['’]t )(?<!not )(?<!longer )wants? to|"
    r"used to|as a child|vielleicht|würde|könnte|wünsch\w*|quizás?|tal vez|ojalá)\b",
    re.I,
)
"""A question, a wish, a condition, or the past: it says nothing of how things are. Not to want to any more does."""

EVENT = _any(
    r"yesterday|last \w+|this (?:morning|afternoon)|visited|went|bought|saw|met|played|won|lost|cooked|baked|read",
    r"there (?:was|were)|said|gestern|ayer|fui|compré",
)
"""What happened once ends nothing."""

SETTLED = (
    (
        _any(r"owes?|borrowed|lent|(?:give|bring|pay|return)\w* back|schuld\w*|geliehen|debo|prest\w+"),
        _any(r"paid|repaid|gave|brought|returned|back|settled|bezahlt|zurück|pagad[oa]|devuelto"),
    ),
    (
        _any(
            r"open(?: question)?:|undecided|to decide|not decided|haven['’]t decided|who|which|whether|offen|pendiente"
        ),
        _any(r"settled|decided|agreed|went for|it(?:['’]s| is) (?:going to be|to be)|entschieden|decidido"),
    ),
    (
        _any(
            r"fail(?:s|ed|ing)?|broken?|flaky|bugs?|jams?|jammed|leaks?|crash\w*|drops|(?:doesn|don)['’]t work",
            r"stuck|clogged|cracked|blank|flickers?|drips?|hangs|stalls|runs (?:\w+ ){0,3}hot",
            r"too (?:hot|cold|slow|loud)|(?:plays?|playing|acts?|acting) up|hurts?|aches?|sore|struggles?|struggling",
            r"kaputt|rot[oa]",
        ),
        _any(
            r"fixed|repaired|solved|resolved|works|passes|stable|green|mended|repariert|arreglad[oa]",
            r"sorted|cured|cleared up|went away|(?:has|have|got) (?:it|this|that|the \w+) down",
            r"(?:is|are|'s) (?:fine|all right|ok(?:ay)?|up again)|false alarm|up and running|back up",
        ),
    ),
    (
        _any(r"needs? to|(?:have|has|had) to|must|to ?do|remind|remember to|still to|overdue|muss|tengo que|hay que"),
        _any(r"done|finished|completed|dealt with|taken care of|erledigt|fertig|hecho"),
    ),
    (
        _any(
            r"never|not allowed|forbidden|prohibited|banned|(?:must|may|can|should)(?:n['’]t| ?not)|don['’]t|verboten"
        ),
        _any(
            r"(?:is|are|'s|be) (?:now )?(?:fine|ok|okay|allowed|welcome)|may(?! be\b)|erlaubt",
            r"can(?: \w+){0,3} (?:now|again|any ?time)",
        ),
    ),
    (
        _any(
            r"in (?:the )?hospital|ill|sick|injured|sprained|infected|fever|flu|crutches|surgery|krank|enferm[oa]",
            r"(?:has|have|having) (?:a cold|covid|chickenpox|measles)",
        ),
        _any(
            r"home again|well again|better|recovered|healthy|healed|out of hospital|on (?:his|her|my|their) feet|gesund"
        ),
    ),
    (
        _any(r"away|abroad|on (?:holiday|vacation|leave|sabbatical|tour)|out of office|verreist"),
        _any(r"(?:is|are|am|'s|came|comes) (?:back|home)|returned|zurück"),
    ),
    (
        _any(
            r"thinking (?:about|of)|thinks? (?:about|of)|plans?|planning|planned|considering|hop(?:e|es|ing) to",
            r"wants? to|would like to|trying (?:to|out)|learning|taking up|applied for|looking (?:at|into)|might",
            r"we may|toying with",
            r"überleg\w+|quisier\w+",
        ),
        _any(
            r"said no|turned (?:it |us |me |them )?down|rejected|declined|fell through|scrapped|shelved|called off",
            r"off the table|gave up|given up|decided against|dropped the (?:idea|plan)",
            r"not (?:going to )?happen(?:ing)?",
            r"no (?:\w+ ){1,3}(?:for now|after all|this year)|won['’]t|abgesagt|verworfen|al final no",
        ),
    ),
)
"""Owed and given back, open and decided, broken and repaired, to be done and done, forbidden and allowed, ill and well,
away and back, planned and given up.
"""

CALLED = _any(r"called|named?|goes by|title[ds]?|renamed|heißt|heisst|umbenannt|se llama|nombre")

MANY = _any(
    r"likes?|loves?|hate|enjoys?|have|has|owns?|speaks?|knows?|needs?|plays?|visited|bought|read|want|collect",
    r"mag|spreche|habe|gusta|tengo|hablo",
)
"""Verbs that hold of several things at once."""

HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"

TIMED = _any(
    r"\d{1,2}(?::\d\d| ?[ap]m| uhr)|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|noon|midnight|mornings?",
    r"afternoons?|evenings?",
    rf"(?:at|past|until|till) {HOUR}(?! \w+s\b)",
    r"january|february|march|april|may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd",
    r"th)|tomorrow",
    r"weekly|monthly|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lunes|martes|miércoles|jueves|viernes",
    r"sábado|domingo",
)
PAST = _any(
    r"used to|did\b.{1,60}\buse to|previous(?:ly)?|former(?:ly)?|originally|initially|at first|in the past|history",
    r"back then",
    r"(?:was|were|did) .{0,60}\b(?:the|my|our|his|her|their) (?:original|initial)(?= \w)",
    r"(?:was|were|did|had) .{0,80}\bat the (?:very )?(?:beginning|start|outset)(?! of)",
    r"(?:was|were|did|had) .{1,60}\bwhen (?:i|we|he|she|they|it|you) (?:was|were|had|got|started|began|lived|moved in)",
    r"how (?:has|have|did) .{1,60} chang\w+|früher|damals|vorher|antes|anteriormente",
)
"""The question asks how things were."""

BEFORE = _any("before|earlier|until")
"""The question may ask how things were: "Where did I live before?"."""

AT_PRESENT = regex(
    r"^\W*(?:(?!(?:did|(?<=\w )was|were|had|hatten?|haben?)\b)[\w'’]+ ){0,4}?"
    r"(?:do|does|is|are|am|should|shall|will|must|can|needs?|ha(?:ve|s) to|muss|müssen|soll(?:en)?|darf|dürfen|kann"
    r"|können|nehmen?|mache[nt]?|esse[nt]?|trinken?|brauchen?|deb(?:o|emos)|tom(?:o|amos)|ha(?:go|cemos)"
    r"|ten(?:go|emos)|p(?:uedo|odemos))\b",
    re.I,
)
"""The question asks how things are or will be, by its first verb."""

JOINED = _any("and|or|und|oder|y|o|&")
"""The question asks for several things by name."""

USER = _any(r"i|my|me|mine|we|our|(?-i:us)|ours|ich|mein\w*|mir|mich|wir|unser\w*|yo|mis?|nosotr[oa]s|nuestr[oa]s?")
"""The question is about whom the memory belongs to."""

SELF = frozenset(
    "i i'm i've i'd i'll we we're we've we'll me us mine ours you ich wir yo my our your mein meine unser unsere "
    "mi mis "
    "nuestro".split()
)
POSSESSIVE = frozenset("my our your mein meine unser unsere mi mis nuestro".split())
KIN = frozenset(
    "sister brother mother father mom mum dad parents wife husband partner son daughter kid kids child boss "
    "manager colleague "
    "neighbour neighbor friend cousin uncle aunt grandma grandpa grandmother grandfather girlfriend boyfriend "
    "flatmate roommate "
    "intern client schwester bruder mutter vater frau mann sohn tochter eltern chef kollegin kollege oma opa "
    "hermana hermano "
    "madre padre hijo hija prima primo".split()
)
KIN_CALLED = {
    word: kin
    for kin, called in {
        "grandmother": "granny grandma gran nan nana", "grandfather": "grandpa granddad grandad",
        "mother": "mum mom mama mummy mommy", "father": "dad papa daddy", "child": "kid", "children": "kids",
        "husband": "hubby", "wife": "missus", "flatmate": "roommate housemate",
    }.items()
    for word in called.split()
}  # fmt: skip
"""Other words for somebody of the family or the household."""

UNNAMED = frozenset("he he's she she's it it's they they're er sie es él ella ellos ellas".split())
"""Of whom another clause says the name."""

CONTRACTED = ("'m", "'re", "'r", "'ve", "'v", "'ll", "'d", "n't")
"""Ends a word that carries no subject, or its stem: "I'm", "doesn't"."""

VERBS = frozenset(
    "is are was were am be been has have had does do did can will would should shall must may might lives live "
    "works work runs "
    "run uses use goes go takes take gets get plays play likes like loves love hates prefers prefer needs need "
    "wants want meets "
    "meet starts start ends closes opens happens happen manages manage moved moves left joined became turned got "
    "went bought "
    "sold said thinks think studies study speaks speak drives drive eats eat drinks drink reads read sits sit "
    "keeps keep pays "
    "pay costs cost belongs knows know brings returns return supports support answers answer owns own wears wear "
    "ist sind war hat haben wird wohnt wohne arbeitet arbeite heißt heisst wurde bin trinke fahre "
    "es está son tiene vive vivo trabajo se".split()
)
"""Where the subject of a short statement ends."""
