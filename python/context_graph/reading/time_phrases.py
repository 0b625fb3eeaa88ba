"""The words and phrases of time of French, Italian, Portuguese, Dutch and Polish, each with its English."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Final

__all__ = ["PHRASES", "TimePhrases"]

_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"


def _lexicon(**english: str) -> dict[str, str]:
    """Words of a language -> English, from an English word (with _ for a blank) and its words, likewise."""
    return {
        word.replace("_", " "): meaning.replace("_", " ")
        for meaning, words in english.items()
        for word in words.split()
    }


def _listed(english: str, words: str) -> dict[str, str]:
    """Words -> English, in the same order on both sides; forms of one word stand with a stroke between them."""
    pairs = zip(english.split(), words.split(), strict=True)
    return {form.replace("_", " "): meaning for meaning, forms in pairs for form in forms.split("/")}


def _numbered(words: str, first: int = 1) -> dict[str, str]:
    """Numerals in their order -> figures."""
    return _listed(" ".join(str(first + place) for place in range(len(words.split()))), words)


@dataclass(frozen=True)
class TimePhrases:
    """What one language has; each table leads from its words, in lower case, to English.

    Attributes
    ----------
    weekdays, months, units, numbers, parts, seasons, festivals : mapping
        Names; `parts` are those of a day.
    ordinals : mapping
        Words for the first day of a month -> its figure; its other days are numbers.
    short_weekdays : mapping
        Names of weekdays that mean something else, too: they are one only behind a preposition or beside "next".
    lengths : mapping
        Lengths of time that are no number and unit.
    days : mapping
        "yesterday" and its like.
    phrases : mapping
        Whole phrases. With a stroke the second meaning is that of a sentence about the past.
    before, after : mapping
        What says which one is meant, before its noun and after it: "last", "next", "coming", "this".
    edges : mapping
        The beginning, the middle and the end of a month or a year.
    prepositions : mapping
        What may stand before a day, with the article.
    inside : str
        An expression: what stands before a month or a season alone.
    article, of, to, edge_of : str
        Expressions: before a date; between a day, its month and its year; between two days; between an edge and what it
        is one of.
    with_part : str
        An expression: what stands between a day and the part of it.
    habit : str
        An expression: words before a weekday that is any of its kind.
    unless : str
        An expression: what a short weekday is no day before.
    patterns : mapping
        Phrases with slots: {length}, {number}, {unit}, {weekday}, {part}. A clock time with a point is no date.
    hints : str
        Small words that the language does not share with English, German and Spanish.
    """

    weekdays: Mapping[str, str]
    months: Mapping[str, str]
    units: Mapping[str, str]
    numbers: Mapping[str, str]
    parts: Mapping[str, str]
    seasons: Mapping[str, str]
    festivals: Mapping[str, str]
    lengths: Mapping[str, str]
    days: Mapping[str, str]
    phrases: Mapping[str, str]
    before: Mapping[str, str]
    edges: Mapping[str, str]
    prepositions: Mapping[str, str]
    inside: str
    article: str
    of: str
    to: str
    edge_of: str
    with_part: str
    habit: str
    patterns: Mapping[str, str]
    hints: str
    after: Mapping[str, str] = field(default_factory=dict)
    ordinals: Mapping[str, str] = field(default_factory=dict)
    short_weekdays: Mapping[str, str] = field(default_factory=dict)
    unless: str = "(?!)"


_FRENCH = TimePhrases(
    weekdays=_listed(_WEEKDAYS, "lundi mardi mercredi jeudi vendredi samedi dimanche"),
    months=_listed(
        _MONTHS, "janvier/janv février/févr mars avril mai juin juillet/juil août septembre octobre/oct novembre/nov"
        " décembre/déc"),
    units=_lexicon(
        minute="minute minutes", hour="heure heures", day="jour jours", week="semaine semaines", month="mois",
        weekend="week-end week-ends weekend weekends", quarter="trimestre trimestres", year="an ans année années"),
    numbers={
        **_numbered("un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"),
        "vingt": "20", "trente": "30", "quarante": "40", "une dizaine de": "10", "une quinzaine de": "15",
        "une vingtaine de": "20", "une douzaine de": "12", "quelques": "a few", "deux ou trois": "a few",
    },
    ordinals={"premier": "1"},
    parts=_lexicon(
        morning="matin matinée", noon="midi", afternoon="après-midi aprem", evening="soir soirée", night="nuit"),
    seasons=_listed("spring summer autumn winter", "printemps été automne hiver"),
    festivals={
        "noël": "Christmas", "réveillon de noël": "Christmas Eve", "veille de noël": "Christmas Eve",
        "nouvel an": "New Year", "jour de l'an": "New Year's Day", "saint-sylvestre": "New Year's Eve",
        "réveillon du nouvel an": "New Year's Eve", "réveillon du jour de l'an": "New Year's Eve",
        "pâques": "Easter", "saint-valentin": "Valentine's Day", "toussaint": "1 November",
    },
    lengths={
        "une demi-heure": "30 minutes", "huit jours": "a week", "quinze jours": "a fortnight",
        "une quinzaine": "a fortnight", "un quart d'heure": "15 minutes", "six mois": "6 months",
    },
    days={
        "avant-hier": "the day before yesterday", "avant hier": "the day before yesterday", "hier": "yesterday",
        "aujourd'hui": "today", "demain": "tomorrow", "après-demain": "the day after tomorrow",
        "après demain": "the day after tomorrow",
    },
    phrases={
        "cette nuit": "tonight/last night", "ces derniers jours": "in the last days", "ces derniers temps": "lately",
        "dernièrement": "lately", "récemment": "recently", "l'autre jour": "the other day",
        "ces jours-ci": "these days",
        "ces dernières semaines": "in the last weeks", "ces derniers mois": "in the last months",
        "dans les prochains jours": "in the next days", "dans les prochaines semaines": "in the next weeks",
        "tout à l'heure": "later today/today",
        "il y a une semaine jour pour jour": "a week ago today",
    },
    before=_lexicon(this="ce cet cette", next="prochain prochaine"),
    after=_lexicon(last="dernier dernière passé passée", next="prochain prochaine", coming="qui_vient")
    | {"de l'année dernière": "last", "de l'an dernier": "last", "de cette année": "this"},
    edges={
        "début": "beginning of", "au début": "beginning of", "mi": "middle of", "milieu": "middle of",
        "au milieu": "middle of", "fin": "end of", "à la fin": "end of", "en fin": "end of", "en début": "beginning of",
    },
    prepositions={
        "jusqu'à la": "until", "jusqu'à": "until", "jusqu'au": "until", "jusqu'en": "until", "jusque": "until",
        "depuis le": "since", "depuis la": "since", "depuis": "since", "à partir du": "from", "à partir de": "from",
        "à partir d'": "from", "dès le": "from", "dès": "from", "avant le": "before", "avant": "before",
        "après le": "after", "après": "after", "pour le": "for", "pour la": "for", "pour": "for", "d'ici le": "by",
        "d'ici au": "by", "d'ici à": "by", "d'ici": "by", "du": "from", "au": "to", "à": "to", "le": "on", "de": "from",
    },
    inside=r"en|au mois d['’]|au mois de|du mois de|le mois de|mois de|courant|dès|pour|vers|à l['’]|pour l['’]"
    r"|durant l['’]"
    r"|pendant l['’]|de l['’]|au",
    article="le ", of="de ", to="au|-|–|et le|et|à", edge_of=r"de la |de l['’]|du mois de |du mois d['’]|du |de |d['’]",
    with_part=r"(?: au| dans la| en| le| vers| à| dans l['’])?",
    habit="le|les|la|chaque|tous les|un|une|du|au|des|aux|ces|mes",
    patterns={
        "il y a (?:environ |à peine |déjà |presque |tout juste |à peu près |plus de )?{length}": "{length} ago",
        r"ça fait (?:déjà )?{length}(?= qu)": "for the last {length}",
        "(?:dans|sous) (?:environ |à peine |tout juste |à peu près |moins de )?{length}": "in {length}",
        r"d['’]ici {length}": "within {length}",
        "depuis (?:environ |déjà |bientôt |presque |plus de )?{length}": "for the last {length}",
        "(?:les|ces|des|aux|au cours des) {number} derni(?:ers|ères) {unit}": "in the last {number} {unit}s",
        "(?:les|ces|des|aux|au cours des) {number} prochain(?:e?s) {unit}": "in the next {number} {unit}s",
        "{weekday} en huit": "a week on {weekday}",
        "{weekday} en quinze": "two weeks on {weekday}",
    },
    hints="il ce cette est je j on une avec chez le en un",
)  # fmt: skip

_ITALIAN = TimePhrases(
    weekdays=_listed(_WEEKDAYS, "lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    months=_listed(
        _MONTHS, "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    units=_lexicon(
        minute="minuto minuti", hour="ora ore", day="giorno giorni", week="settimana settimane", month="mese mesi",
        weekend="fine_settimana weekend week-end", quarter="trimestre trimestri", year="anno anni"),
    numbers={
        **_numbered("un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici"
                    " quindici sedici"),
        "venti": "20", "trenta": "30", "quaranta": "40", "una decina di": "10", "una quindicina di": "15",
        "una ventina di": "20", "qualche": "a few", "alcuni": "a few", "alcune": "a few", "pochi": "a few",
        "un paio di": "2", "due o tre": "a few",
    },
    ordinals={"primo": "1"},
    parts=_lexicon(
        morning="mattina mattino mattinata", noon="mezzogiorno", afternoon="pomeriggio", evening="sera serata",
        night="notte"),
    seasons=_listed("spring summer autumn winter", "primavera estate autunno inverno"),
    festivals={
        "natale": "Christmas", "vigilia di natale": "Christmas Eve", "capodanno": "New Year's Day",
        "san silvestro": "New Year's Eve", "pasqua": "Easter", "san valentino": "Valentine's Day",
        "ferragosto": "15 August", "epifania": "6 January", "santo stefano": "26 December", "ognissanti": "1 November",
    },
    lengths={
        "un'ora": "an hour", "mezz'ora": "30 minutes", "mezzora": "30 minutes", "un'oretta": "an hour",
        "sei mesi": "6 months",
    },
    days={
        "l'altro ieri": "the day before yesterday", "ieri l'altro": "the day before yesterday",
        "l'altroieri": "the day before yesterday", "altro ieri": "the day before yesterday",
        "avantieri": "the day before yesterday", "ieri": "yesterday", "oggi": "today", "domani": "tomorrow",
        "dopodomani": "the day after tomorrow", "domani l'altro": "the day after tomorrow",
        "dopo domani": "the day after tomorrow",
    },
    phrases={
        "stanotte": "tonight/last night", "questa notte": "tonight/last night", "stamattina": "this morning",
        "stamani": "this morning", "stamane": "this morning", "stasera": "this evening",
        "l'altro giorno": "the other day",
        "l'altra sera": "the other day", "ultimamente": "lately", "di recente": "recently", "recentemente": "recently",
        "negli ultimi giorni": "in the last days", "nelle ultime settimane": "in the last weeks",
        "negli ultimi tempi": "lately", "nei prossimi giorni": "in the next days",
        "nelle prossime settimane": "in the next weeks", "nel fine settimana": "on the weekend",
        "nel weekend": "on the weekend", "un domani": "some day", "il domani": "the future",
    },
    before=_lexicon(
        last="scorso scorsa", next="prossimo prossima", this="questo questa quest'", coming="il_prossimo la_prossima"),
    after=_lexicon(last="scorso scorsa passato passata", next="prossimo prossima", coming="che_viene venturo entrante"),
    edges={
        "inizio": "beginning of", "inizi": "beginning of", "a inizio": "beginning of", "all'inizio": "beginning of",
        "agli inizi": "beginning of", "ai primi": "beginning of", "metà": "middle of", "a metà": "middle of",
        "fine": "end of", "a fine": "end of", "alla fine": "end of",
    },
    prepositions={
        "fino al": "until", "fino all'": "until", "fino a": "until", "fino ad": "until", "sino al": "until",
        "dal": "from", "dall'": "from", "da": "from", "a partire dal": "from", "a partire da": "from",
        "entro il": "by", "entro l'": "by", "entro": "by", "prima di": "before", "prima del": "before",
        "dopo il": "after",
        "dopo": "after", "per il": "for", "per": "for", "al": "to", "all'": "to", "a": "to", "il": "on", "di": "of",
    },
    inside=r"nel mese di|nell['’]|in|nel|a|ad|da|entro|per|fino a|verso|di|dell['’]|d['’]|durante l['’]|da questa",
    article=r"il |l['’]", of="di |del ", to="al|all['’]|-|–|e il|e|a",
    edge_of=r"del |della |dell['’]|di |d['’]|del mese di ",
    with_part=r"(?: di| in| nel| alla| la| a| della| nella| al)?",
    habit="il|lo|la|i|le|ogni|di|un|una|dal|al|tutti i|tutte le|qualche|ogni seconda",
    patterns={
        "{length} fa": "{length} ago",
        r"(?:alle|dalle|verso le|per le)(?: ore)? (?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)": "at {hour}:{minute}",
        "(?:fra|tra) (?:circa |meno di )?{length}": "in {length}",
        "(?:entro|nel giro di) {length}": "within {length}",
        "da (?:circa |quasi |ormai |più di )?{length}": "for the last {length}",
        "(?:negli|nelle|nei|gli|le|i) (?:ultim[ie]|scors[ie]) {number} {unit}": "in the last {number} {unit}s",
        "(?:nei|nelle|i|le) prossim[ie] {number} {unit}": "in the next {number} {unit}s",
        "{weekday} a otto": "a week on {weekday}",
        "{weekday} fra una settimana": "a week on {weekday}",
    },
    hints="il ho che abbiamo non una gli questo questa sono",
)  # fmt: skip

_PORTUGUESE = TimePhrases(
    weekdays=_listed(
        _WEEKDAYS, "segunda-feira/segunda_feira terça-feira/terça_feira quarta-feira/quarta_feira"
        " quinta-feira/quinta_feira"
        " sexta-feira/sexta_feira sábado domingo"),
    short_weekdays=_listed("Monday Tuesday Wednesday Thursday Friday", "segunda terça quarta quinta sexta"),
    months=_listed(
        _MONTHS, "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    units=_lexicon(
        minute="minuto minutos", hour="hora horas", day="dia dias", week="semana semanas", month="mês meses",
        weekend="fim_de_semana final_de_semana fim-de-semana", quarter="trimestre trimestres", year="ano anos"),
    numbers={
        **_numbered("um/uma dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze"
        " quinze"),
        "vinte": "20", "trinta": "30", "quarenta": "40", "alguns": "a few", "algumas": "a few", "uns": "a few",
        "umas": "a few", "poucos": "a few", "poucas": "a few", "um par de": "2", "dois ou três": "a few",
        "duas ou três": "a few",
    },
    ordinals={"primeiro": "1"},
    parts=_lexicon(
        morning="manhã manhãzinha", noon="meio-dia", afternoon="tarde", evening="noite", night="madrugada"),
    seasons=_listed("spring summer autumn winter", "primavera verão outono inverno"),
    festivals={
        "o natal": "Christmas", "no natal": "Christmas", "do natal": "Christmas", "pelo natal": "Christmas",
        "ao natal": "Christmas", "véspera de natal": "Christmas Eve", "ano novo": "New Year",
        "réveillon": "New Year's Eve",
        "passagem de ano": "New Year's Eve", "páscoa": "Easter", "dia de finados": "2 November",
    },
    lengths={"meia hora": "30 minutes", "uma quinzena": "a fortnight", "meio ano": "6 months"},
    days={
        "anteontem": "the day before yesterday", "antes de ontem": "the day before yesterday", "ontem": "yesterday",
        "hoje": "today", "amanhã": "tomorrow", "depois de amanhã": "the day after tomorrow",
    },
    phrases={
        "esta noite": "tonight", "essa noite": "tonight/last night", "noite passada": "last night",
        "na noite passada": "last night", "outro dia": "the other day", "no outro dia": "the other day",
        "ultimamente": "lately", "recentemente": "recently", "nos últimos dias": "in the last days",
        "nas últimas semanas": "in the last weeks", "nos últimos meses": "in the last months",
        "nos próximos dias": "in the next days", "nas próximas semanas": "in the next weeks",
        "no fim de semana": "on the weekend", "no final de semana": "on the weekend", "natal passado": "last Christmas",
        "próximo natal": "next Christmas", "último natal": "last Christmas", "de hoje a oito": "in a week",
        "de hoje a oito dias": "in a week",
    },
    before=_lexicon(
        last="último última passado passada", next="próximo próxima",
        this="este esta neste nesta deste desta esse essa nesse nessa"),
    after=_lexicon(last="passado passada", next="próximo próxima", coming="que_vem"),
    edges={
        "início": "beginning of", "inícios": "beginning of", "começo": "beginning of", "começos": "beginning of",
        "princípio": "beginning of", "princípios": "beginning of", "meados": "middle of", "meio": "middle of",
        "fim": "end of", "fins": "end of", "final": "end of", "finais": "end of",
    },
    prepositions={
        "até ao": "until", "até à": "until", "até o": "until", "até a": "until", "até": "until", "desde o": "since",
        "desde a": "since", "desde": "since", "a partir do": "from", "a partir da": "from", "a partir de": "from",
        "antes do": "before", "antes da": "before", "antes de": "before", "depois do": "after", "depois da": "after",
        "depois de": "after", "para o": "for", "para a": "for", "para": "for", "pra": "for", "pro": "for", "na": "on",
        "no": "on", "em": "on", "ao": "to", "a": "to", "do": "from", "da": "from", "de": "from",
    },
    inside="em|no mês de|do mês de|desde|até|a partir de|para|durante|no|na|do|da|pelo|pela|nesta|neste|fins de|lá"
    " para|por volta de",
    article="dia |o dia ", of="de |do ", to="ao|a|até|-|–|e", edge_of="do mês de |de |do |da |desse |dessa ",
    with_part="(?: de| da| à| pela| ao| na| ao final da)?",
    habit="toda|todo|todas as|todos os|cada|uma|um|às|aos|de|a cada|nem",
    unless=" (?:metade|vez|volta|parte|temporada|fase|rodada|edição|fila|posição|classe|mão|semana|série|etapa"
    "|divisão|aula"
    "|pergunta|opção|tentativa|página|linha|casa|rua|dose|via|onda|filha|guerra|feira|versão|instância)",
    patterns={
        "há (?:cerca de |mais de |quase |já |apenas )?{length}(?: atrás)?": "{length} ago",
        "{length} atrás": "{length} ago",
        r"(?:às|das|pelas) (?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)": "at {hour}:{minute}",
        "faz (?:cerca de |mais de |quase |já )?{length}(?= que)": "{length} ago",
        r"faz (?!\w{1,12} anos?\b){length}": "{length} ago",
        "(?:daqui a|daqui por|dentro de|em) (?:cerca de )?{length}": "in {length}",
        "(?:nos|nas|os|as) últim[oa]s {number} {unit}": "in the last {number} {unit}s",
        "(?:nos|nas|os|as) próxim[oa]s {number} {unit}": "in the next {number} {unit}s",
        "{weekday} a oito": "a week on {weekday}",
    },
    hints="daqui há em não uma vem eu na passada passado fui foi",
)  # fmt: skip

_DUTCH_WEEKDAYS = _listed(_WEEKDAYS, "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag")
_DUTCH_PARTS = _lexicon(
    morning="ochtend morgen voormiddag", afternoon="middag namiddag", evening="avond", night="nacht",
)  # fmt: skip
_DUTCH_DAYS = {
    "eergisteren": "the day before yesterday", "gisteren": "yesterday", "vandaag": "today", "morgen": "tomorrow",
    "overmorgen": "the day after tomorrow",
}  # fmt: skip
_DUTCH = TimePhrases(
    weekdays=_DUTCH_WEEKDAYS | {
        day + part: f"{english} {time}"
        for (day, english), (part, time) in product(_DUTCH_WEEKDAYS.items(), _DUTCH_PARTS.items())
    },
    months=_listed(
        _MONTHS, "januari februari maart/mrt april mei juni juli augustus september oktober/okt november december"),
    units=_lexicon(
        minute="minuut minuten", hour="uur uren uurtje", day="dag dagen", week="week weken weekje",
        month="maand maanden",
        weekend="weekend weekends weekeinde", quarter="kwartaal kwartalen", year="jaar jaren"),
    numbers={
        **_numbered("een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien"),
        "twintig": "20", "dertig": "30", "veertig": "40", "een paar": "a few", "enkele": "a few",
        "twee à drie": "a few",
        "een stuk of tien": "10", "een tiental": "10",
    },
    parts=_DUTCH_PARTS | {
        "'s ochtends": "morning", "'s morgens": "morning", "'s middags": "afternoon", "'s avonds": "evening",
        "'s nachts": "night", "vroeg": "morning", "rond het middaguur": "noon",
    },
    seasons=_listed("spring summer autumn winter", "lente/voorjaar zomer herfst/najaar winter"),
    festivals={
        "kerst": "Christmas", "kerstmis": "Christmas", "kerstavond": "Christmas Eve", "eerste kerstdag": "25 December",
        "tweede kerstdag": "26 December", "oud en nieuw": "New Year's Eve", "oudjaar": "New Year's Eve",
        "oudejaarsavond": "New Year's Eve", "nieuwjaar": "New Year", "nieuwjaarsdag": "New Year's Day",
        "pasen": "Easter", "valentijnsdag": "Valentine's Day", "koningsdag": "27 April",
    },
    lengths={
        "een half uur": "30 minutes", "een halfuur": "30 minutes", "een half uurtje": "30 minutes",
        "een kwartier": "15 minutes", "een half jaar": "6 months", "anderhalf uur": "90 minutes",
        "anderhalf jaar": "18 months", "anderhalve maand": "6 weeks", "een week of twee": "2 weeks",
        "een week of drie": "3 weeks",
    },
    days=_DUTCH_DAYS | {
        day.removesuffix("en" if stem else "") + part: f"{_DUTCH_DAYS[day]} {time}"
        for day, stem in (("gisteren", 0), ("gisteren", 1), ("eergisteren", 0), ("eergisteren", 1), ("morgen", 0),
                          ("overmorgen", 0))
        for part, time in (_DUTCH_PARTS | {"vroeg": "morning"}).items()
    } | {"gister": "yesterday", "eergister": "the day before yesterday"},
    phrases={
        "vanochtend": "this morning", "vanmorgen": "this morning", "vanmiddag": "this afternoon",
        "vanavond": "this evening", "vannacht": "tonight/last night", "afgelopen nacht": "last night",
        "onlangs": "recently", "laatst": "the other day", "de laatste tijd": "lately", "pas geleden": "recently",
        "de afgelopen dagen": "in the last days", "de afgelopen weken": "in the last weeks",
        "de laatste dagen": "in the last days", "de laatste weken": "in the last weeks",
        "de komende dagen": "in the next days", "de komende weken": "in the next weeks",
        "in het weekend": "on the weekend", "van de zomer": "this summer", "van de winter": "this winter",
        "de morgen": "the dawn", "elke morgen": "every dawn", "iedere morgen": "every dawn", "goede morgen": "hello",
        "goeie morgen": "hello",
    },
    before=_lexicon(
        last="vorige vorig afgelopen verleden voorbije jongstleden", next="volgende volgend",
        coming="komende komend aanstaande eerstvolgende a.s.", this="deze dit"),
    after=_lexicon(last="jongstleden jl.", coming="aanstaande a.s."),
    edges={
        "begin": "beginning of", "in het begin": "beginning of", "aan het begin": "beginning of", "medio": "middle of",
        "half": "middle of", "midden": "middle of", "eind": "end of", "einde": "end of", "aan het eind": "end of",
        "aan het einde": "end of", "tegen het eind": "end of", "tegen het einde": "end of",
    },
    prepositions={
        "tot en met": "until", "t/m": "until", "tot": "until", "sinds": "since", "vanaf": "from", "voor": "before",
        "vóór": "before", "na": "after", "tegen": "by", "uiterlijk": "by", "op": "on", "van": "from", "met": "at",
        "rond": "on",
    },
    inside="in de maand|in de loop van|sinds|vanaf|tot en met|t/m|tot|voor|vóór|na|tegen|rond|in de|van de|voor de"
    "|tegen de|tot de"
    "|sinds de|in|van",
    article="de ", of="van ", to="tot en met|t/m|tot|-|–|en", edge_of="van de |van het |van |de |het |in ",
    with_part=r"(?: in de| op de| de)?",
    habit="elke|iedere|een|op|de|alle",
    patterns={
        "{length} geleden": "{length} ago",
        r"(?:om|rond|vanaf) (?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)": "at {hour}:{minute}",
        "over (?:ongeveer |zo'n |een kleine |ruim )?{length}": "in {length}",
        "binnen {length}": "within {length}",
        "(?:sinds|al) (?:ongeveer |bijna |ruim )?{length}": "for the last {length}",
        "(?:de |in de )?(?:afgelopen|laatste|voorbije) {number} {unit}": "in the last {number} {unit}s",
        "(?:de |in de )?(?:komende|volgende|eerstvolgende) {number} {unit}": "in the next {number} {unit}s",
        "{weekday} over een week": "a week on {weekday}",
        "{weekday} over (?:twee weken|veertien dagen)": "two weeks on {weekday}",
        "vandaag over een week": "in a week",
    },
    hints="het een ik niet wij heb hebben deze dit vorige vorig volgende volgend komende komend afgelopen verleden"
    " goede",
)  # fmt: skip

_POLISH_FORMS = "y a e ym ą ego ej"
"""Endings of an adjective."""


def _adjectives(**english: str) -> dict[str, str]:
    """Stems of Polish adjectives with all endings -> English."""
    return {
        stem + ending: meaning
        for meaning, stems in english.items()
        for stem, ending in product(stems.split(), _POLISH_FORMS.split())
    }


_POLISH = TimePhrases(
    weekdays=_listed(
        _WEEKDAYS, "poniedziałek/poniedziałku/poniedziałkiem wtorek/wtorku/wtorkiem środa/środę/środy/środą"
        " czwartek/czwartku/czwartkiem piątek/piątku/piątkiem sobota/sobotę/soboty/sobotą"
        " niedziela/niedzielę/niedzieli/niedzielą"),
    months=_listed(
        _MONTHS, "styczeń/stycznia/styczniu luty/lutego/lutym marzec/marca/marcu kwiecień/kwietnia/kwietniu"
        " maj/maja/maju"
        " czerwiec/czerwca/czerwcu lipiec/lipca/lipcu sierpień/sierpnia/sierpniu wrzesień/września/wrześniu"
        " październik/października/październiku listopad/listopada/listopadzie grudzień/grudnia/grudniu"),
    units=_lexicon(
        minute="minuta minutę minuty minut minutami", hour="godzina godzinę godziny godzin godzinami",
        day="dzień dni dnia dniami", week="tydzień tygodnie tygodni tygodnia tygodniu tygodniami",
        month="miesiąc miesiące miesięcy miesiąca miesiącu miesiącami", quarter="kwartał kwartału kwartale",
        weekend="weekend weekendu weekendzie weekendy", year="rok lata lat roku laty"),
    numbers={
        **_numbered("jeden/jedną/jednego dwa/dwie/dwóch/dwoma/dwu trzy/trzech/trzema cztery/czterech/czterema"
                    " pięć/pięciu/pięcioma sześć/sześciu siedem/siedmiu osiem/ośmiu dziewięć/dziewięciu"
                    " dziesięć/dziesięciu"
                    " jedenaście dwanaście trzynaście czternaście piętnaście"),
        "dwadzieścia": "20", "trzydzieści": "30", "kilka": "a few", "kilku": "a few", "kilkoma": "a few",
        "parę": "a few", "paru": "a few", "kilkanaście": "15", "dwa lub trzy": "a few",
    },
    ordinals={"pierwszego": "1"},
    parts={
        **_lexicon(morning="rano ranem przed_południem", noon="w_południe",
        afternoon="po_południu popołudniu popołudnie",
                   evening="wieczorem wieczór", night="w_nocy noc nocą"),
    },
    seasons=_listed("spring summer autumn winter", "wiosna/wiosnę/wiosny/wiośnie lato/lata/lecie jesień/jesieni"
    " zima/zimę"
                    "/zimy/zimie"),
    festivals={
        "boże narodzenie": "Christmas", "bożego narodzenia": "Christmas", "wigilię": "Christmas Eve",
        "wigilii": "Christmas Eve", "wigilia": "Christmas Eve", "nowy rok": "New Year's Day", "nowym roku": "New Year",
        "w sylwestra": "New Year's Eve", "na sylwestra": "New Year's Eve", "wielkanoc": "Easter",
        "wielkanocy": "Easter", "walentynki": "Valentine's Day", "wszystkich świętych": "1 November",
    },
    lengths={
        "tydzień": "a week", "tygodnia": "a week", "tygodniem": "a week", "miesiąc": "a month", "miesiąca": "a month",
        "miesiącem": "a month", "rok": "a year", "roku": "a year", "rokiem": "a year", "godzinę": "an hour",
        "godziny": "an hour", "godziną": "an hour", "pół godziny": "30 minutes", "kwadrans": "15 minutes",
        "pół roku": "6 months", "półtora roku": "18 months", "półtorej godziny": "90 minutes",
        "półtora tygodnia": "10 days", "półtora miesiąca": "6 weeks",
    },
    days={
        "przedwczoraj": "the day before yesterday", "wczoraj": "yesterday", "dziś": "today", "dzisiaj": "today",
        "dzisiejszy": "today", "dzisiejszym": "today", "wczorajszy": "yesterday", "wczorajszym": "yesterday",
        "wczorajsza": "yesterday", "wczorajszej": "yesterday", "wczorajsze": "yesterday", "jutrzejsza": "tomorrow",
        "jutro": "tomorrow", "jutra": "tomorrow", "jutrzejszy": "tomorrow", "jutrzejszym": "tomorrow",
        "jutrzejsze": "tomorrow", "pojutrze": "the day after tomorrow",
    },
    phrases={
        "tej nocy": "tonight/last night", "dziś w nocy": "tonight/last night", "dzisiaj w nocy": "tonight/last night",
        "ostatniej nocy": "last night", "zeszłej nocy": "last night", "wczoraj w nocy": "last night",
        "ostatnio": "lately", "niedawno": "recently", "w tych dniach": "these days", "kilka dni temu": "a few days ago",
        "w ostatnich dniach": "in the last days", "w ostatnich tygodniach": "in the last weeks",
        "w najbliższych dniach": "in the next days", "w najbliższych tygodniach": "in the next weeks",
        "w weekend": "on the weekend", "wiosną": "in spring", "latem": "in summer", "jesienią": "in autumn",
        "zimą": "in winter", "dziś rano": "this morning", "dzisiaj rano": "this morning",
    },
    before=_adjectives(last="zeszł ubiegł minion", next="przyszł następn", coming="najbliższ nadchodząc")
    | {
        **_lexicon(last="ostatni ostatnią ostatnim ostatnia poprzedni poprzednim poprzednią ostatniego ostatniej",
                   this="ten tę ta tym tej tego bieżącym bieżącego"),
    },
    edges={
        "na początku": "beginning of", "początek": "beginning of", "początkiem": "beginning of",
        "z początkiem": "beginning of", "w połowie": "middle of", "połowa": "middle of", "do połowy": "middle of",
        "pod koniec": "end of", "z końcem": "end of", "koniec": "end of", "na koniec": "end of", "do końca": "end of",
    },
    prepositions={
        "aż do": "until", "do": "until", "od": "from", "przed": "before", "po": "after", "na": "for", "w": "on",
        "we": "on", "dnia": "on",
    },
    inside="w miesiącu|w|we|od|do|na|przed|po|przez|w ciągu",
    article="dnia ", of="", to="do|-|–|a|i", edge_of="miesiąca |tego ",
    with_part="",
    habit="co|każdy|każdą|każda|każdego|każdej|co drugi|co drugą|jakiś|pewien|pewną",
    patterns={
        "{length} temu": "{length} ago",
        r"(?:o|około)(?: godz\.| godzinie)? (?P<hour>\d{1,2})\.(?P<minute>[0-5]\d)": "at {hour}:{minute}",
        "przed {length}": "{length} ago",
        r"(?<!zł )(?<!złotych )(?<!euro )(?<!\d )za (?:jakieś |jakiś |około |mniej więcej )?{length}": "in {length}",
        "w ciągu {length}": "within {length}",
        "od (?:około |ponad |prawie )?{length}": "for the last {length}",
        "(?:przez |w |w ciągu )?ostatni(?:e|ch) {number} {unit}": "in the last {number} {unit}s",
        "(?:przez |w |w ciągu )?(?:najbliższ|następn)(?:e|ych) {number} {unit}": "in the next {number} {unit}s",
        "od {weekday} za tydzień": "a week on {weekday}",
        "(?:w |we )?{weekday} za tydzień": "a week on {weekday}",
        "za tydzień (?:w |we ){weekday}": "a week on {weekday}",
    },
    hints="w na się nie jest od roku",
)  # fmt: skip

PHRASES: Final[Mapping[str, TimePhrases]] = {
    "fr": _FRENCH, "it": _ITALIAN, "pt": _PORTUGUESE, "nl": _DUTCH, "pl": _POLISH,
}  # fmt: skip
