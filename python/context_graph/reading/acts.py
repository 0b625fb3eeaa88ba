"""What a statement does (instructs, prefers, decides, leaves open), and the questions that ask for all of one kind.

"What are my standing instructions?" shares no word with any of them; the form of the statements answers it.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.embed.stems import stem_of, stems, words
from context_graph.embed.word_rarity import CAPITALISED
from context_graph.reading import act_model
from context_graph.reading.act_forms import DENIED, FORMS, RECURS, TASK
from context_graph.reading.act_questions import ASKED, ONE
from context_graph.reading.areas import areas_of, named_areas
from context_graph.reading.cues import LANGUAGES
from context_graph.reading.open_items import lists_open_items
from context_graph.regex import regex
from context_graph.texts import caseless, kept_for_texts

__all__ = [
    "ACTS", "ASKED_KINDS", "LONGEST", "AskedFor", "acts_of", "asked_for", "named_in", "same_errand", "tells_task",
]  # fmt: skip

ACTS = ("instruction", "preference", "decision", "open", "promise")

ASKED_KINDS = (*ACTS, "deadline", "area")
"""What a question may ask for all of: statements of an act, what has a date to come, or all of an area of life."""

LONGEST = 600
"""Characters up to which a text is a statement: of a longer one, nothing is said of what it does."""

OF_QUESTION = -1.25
"""Logit from which a question that asks for all of an area is about one: there it has few words for it."""

OF_COOKING = 0.0
"""Logit of food from which a question for what is to be minded is about cooking."""

STATED, ASKED_FOR, SURELY_ASKED = 0.5, 0.2, 0.5
"""Probabilities from which a statement is of an act, and a question asks for all of one, or for nothing else, whatever
its words.
"""

OF_AREA, OF_OWN_AREA = 0.2, 0.08
"""Probabilities from which a question asks for all of an area, and where it says in which respect it asks."""

_ABOUT = regex(
    r"\b(?:what(?:['’]s| is) (?:planned|known|new|going on) (?:for|about|with|on|at|in)|what (?:do|did"
    r"|have) (?:you|we) (?:know|remember|have|got) (?:about|of|on|for)|(?:give|show) me (?:\w+ )?(?:notes|facts"
    r"|background) (?:on|about|of)"
    r"|(?:sum up|summari[sz]e|recap)|everything (?:concerning|regarding)|notes (?:on|about)|what (?:have i"
    r"|did i) (?:told|tell) you (?:about|of)"
    r"|(?:have i|did i) (?:ever )?(?:told?|tell|say|said) (?:you )?anything (?:about|of|on)"
    r"|tell me (?:more )?(?:all |everything )?about"
    r"|fill me in on|catch me up on|brief me on|bring me up to speed on|everything (?:about|on)|all (?:about"
    r"|you know (?:about|of))"
    r"|what should i (?:know|keep in mind|remember) (?:about|with|of|on)|remind me of (?:everything|all) (?:concerning"
    r"|about|on)|remind me (?:about|of|who)|who (?:is|was|are)|know (?:about|of)"
    r"|(?:status|state) of|how do things stand with|where (?:are|do) (?:we|i) (?:stand )?(?:with|on)"
    r"|(?:the )?(?:story|deal|latest) (?:with|on)|describe"
    r"|introduce me to|prepare me for|who['’]s who (?:in|at|on)|details (?:of|on|about)"
    r"|was (?:wei(?:ß|ss)t du|wisst ihr|wissen sie) (?:alles |so |noch )?(?:über|von)"
    r"|(?:erzähl|erzählen|sag|sagen)e?(?: sie)? mir (?:was |etwas |alles |mehr )?(?:von|über)"
    r"|qué sabes? (?:usted )?(?:de|sobre)|(?:cuénta|hábla)me (?:algo |más )?(?:de|sobre))\s+(.+)$",
    re.I,
)
_WHO = regex(r"who\b", re.I)
_MIND = regex(r"\b(?:should|must|do) (?:i|we) (?:need to |have to )?(?:know|keep in mind|remember|consider)\b", re.I)
"""What is to be kept in mind of somebody is all that is known of them; of a matter, what one is instructed to do."""

_KNOW = r"(?:know|remember|recall|learn(?:ed|t)?|got|have|saved?|stored?|noted?|heard)"
_OF_USER = regex(
    r"^\W*(?:(?:so|please|hey|hi|hello|ok|okay|and)\W+)*(?:"
    rf"what (?:all |else )?(?:do|did|have) you (?:already |really )?{_KNOW}(?: so far| by now| in memory)?"
    r"(?: (?:about|of|on|from) (?:me|us|myself|ourselves))?(?: so far| by now)?"
    r"|who am i|what am i like|what kind of (?:person|man|woman|user) am i"
    r"|(?:tell|remind|show) (?:me|us) (?:all |everything |what )?(?:that )?(?:you (?:know|remember) )?(?:about )?"
    r"(?:me|myself|us|ourselves)|(?:tell|remind|show) (?:me|us) (?:all|everything|what) (?:that )?you (?:know|remember)"
    r"|(?:sum up|summari[sz]e|list|recap|repeat) (?:me|all|everything|what) ?(?:that )?(?:you (?:know|remember))?"
    r"(?: about (?:me|us))?"
    r"|(?:describe|introduce|profile) me|(?:show|give|print)?(?: me)? ?(?:my|the user['’]?s?|user) profile|about me"
    r"|what (?:should|must|do) (?:i|you|we) (?:need to )?(?:know|remember|keep in mind)"
    r"(?: (?:before|when) (?:(?:we|i|you) (?:start|begin|talk|speak|go on|continue|get (?:going|started)|work"
    r"|resume)\b.*"
    r"|starting|beginning)| first| today| now)?"
    r"|what have (?:i|we) told you(?: about (?:me|us|myself|ourselves))?(?: so far)?"
    r"|(?:get|bring) (?:me|yourself|us) (?:back )?up to speed"
    r"|was wei(?:ß|ss)t du (?:alles |so )?(?:über|von) (?:mich|mir|uns)|wer bin ich|(?:mein|unser) profil"
    r"|was hast du (?:dir )?(?:alles )?(?:über|von) (?:mich|mir|uns) (?:gemerkt|gespeichert|behalten|gelernt|notiert)"
    r"|(?:erzähle?|sage?|zeige?) mir,? (?:bitte )?(?:alles,? )?(?:was (?:du )?)?(?:so )?(?:über|von) (?:mich|mir|uns)"
    r"(?: wei(?:ß|ss)t)?|fasse? (?:bitte )?zusammen,? was du (?:alles )?(?:über|von) (?:mich|mir|uns) wei(?:ß|ss)t"
    r"|beschreibe? mich"
    r"|qué (?:sabes|recuerdas|has aprendido|tienes (?:guardado|apuntado)) (?:de|sobre|acerca de) (?:mí|mi|nosotros)"
    r"|quién soy(?: yo)?|(?:cuéntame|dime|resume) (?:todo )?(?:lo que (?:sabes|recuerdas) )?(?:de|sobre) (?:mí|mi)"
    r"|descríbeme|mi perfil"
    r"|que sais[- ]tu (?:sur|de|à propos de) (?:moi|nous)|qu['’]est-ce que tu sais (?:sur|de|à propos de) (?:moi|nous)"
    r"|tu sais quoi (?:sur|de) moi|qui suis[- ]je|de quoi te souviens-tu (?:sur|de) moi|que te rappelles-tu de moi"
    r"|(?:dis-moi|raconte-moi|résume) (?:tout )?ce que tu sais (?:sur|de) (?:moi|nous)|décris-moi|mon profil"
    r"|(?:che )?cosa (?:sai|ricordi) (?:di|su) (?:me|noi)|chi sono(?: io)?"
    r"|(?:dimmi|riassumi) (?:tutto )?quello che sai (?:di|su) (?:me|noi)|descrivimi|il mio profilo"
    r"|(?:o )?que (?:é que )?(?:tu |você )?(?:sabes?|lembras?) (?:sobre|de|acerca de) (?:mim|nós)|quem sou(?: eu)?"
    r"|(?:diz-me|diga-me|resume) (?:tudo )?o que (?:sabes?) (?:sobre|de) mim|descreve-me|o meu perfil"
    r"|wat weet (?:je|jij|u) (?:allemaal |al )?(?:over|van) (?:mij|me|ons)|wie ben ik|mijn profiel"
    r"|vertel (?:me|mij) (?:alles )?wat je (?:over|van) (?:mij|me) weet|beschrijf mij"
    r"|co (?:o mnie )?(?:wiesz|pamiętasz)(?: o mnie| o nas)?|kim jestem|opowiedz mi o mnie|mój profil"
    r")\W*$",
    re.I,
)
"""Questions for all that is known of who asks."""

_GOING = regex(
    r"^\W*how(?:['’]s| is| are| was| were| did)\s+(?:it with )?(?:the |my |our )?(.+?)\s+"
    r"(?:going|coming (?:along|on)|looking|doing|progressing|getting on|go)\b"
    r"|^\W*(?:which|what)\s+((?:\w+ ){0,2}\w+s)\s+(?:do|have)\s+(?:we|i)\s+(?:have|got)\b",
    re.I,
)
"""Questions for how something stands, or which of a kind there are: all that is known of it answers them."""

_WHOLE = frozenset(
    "about all anything background details everything facts got heard info information know known learned news"
    " notes overview recall remember saved stored summary tell told update".split()
)
"""Words of which a question for all that is known of something has one, and beside them only what it is about."""

_BESIDE = _WHOLE | {"have"}
"""Words that are no topic of such a question; "have" alone makes none: "what did I have for lunch?" asks for one."""

_ONE = regex(r"^\W*(?:who|whom|whose|when|where|why|which|how|is|are|was|were|does|did)\b", re.I)
"""Openings of questions for one thing."""

WHOLE_TOPIC = 2
"""Most words of what such a question is about."""

MAX_ASKING_WORDS = 12
"""Most words of a question for all statements of an act: "Which strategies could improve the speed of the API that
keeps my user preferences?" is for something else."""

_TOPIC = regex(r"\b(?:about|on|with|for|in|of|over|at|regarding|concerning|as)\s+([^?.!,]+)[?.!]*\s*$", re.I)
_DONE_HOW = regex(
    r"\bhow (?:do|would|did|should|shall|must|can) (?:i|we|you|one) (?:(?:like|want|prefer|need)(?: you)? to )?"
    r"(?!(?:like|want|prefer|need)\b)[a-z]++\s++([^?.!,]{1,200}+)[?.!]*+\s*+$",
    re.I,
)
_TO_DO = regex(
    r"\b(?:need|needs|have|has|left|remains?|want|wants|got|ought) to (?:be )?"
    r"(?!(?:be|do|done|happen|decided?|settled?|discuss|sort|see|know|find|found|clear|clarify|clarified|figure|answer"
    r"|answered|resolve|resolved|make|take|get|think|go|work|confirm|confirmed|handle|agree|watch|look|deal|check)\b)"
    r"([a-z]{3,20})(?: (?:for|before|at|on|in|this|next|today|tomorrow|up|back|off)\b[^?]{0,60})?\W*$",
    re.I,
)
"""The one thing that is still to be done with whatever is asked for: "what do I still need to buy?"."""

_IS_DONE_HOW = regex(r"\bhow (?:should|must|are|is) ([^?.!,]{1,60}?) (?:to )?(?:be )?[a-z]+(?:ed|en|ne)\b", re.I)
"""What is to be done in some way: "how should I write status mails?", "how are status mails written?"."""

_DECIDING = regex(
    r"\bdid (?!(?:we|i|you|they|he|she|it)\b)(?:the |our )?([\w’' -]{2,40}?) (?:decide|agree|conclude|settle)\b", re.I
)
"""Who decided: "what did the steering meeting decide?"."""

_DOING = regex(r"\b(?:avoid|stop) (?!doing\b)\w+ing\b", re.I)
"""Asks for one thing that is to be left: "what must I avoid eating?"."""

_EMPTY = frozenset(
    "meine meiner meinen meinem mein unsere unser unserer der die das den dem mi mis nuestra nuestro el la los las"
    " please now today full briefly short brief detail details so far general all again moment"
    " me you us them it everyone everybody other others instruction"
    " behalf time times place places stuff way ways moment whom coming month months week weeks year years next soon"
    " life end"
    " instructions standing "
    "question questions open decision decisions rule rules thing things anything everything family home".split()
)


_NARROWED = regex(
    r"(?:(?:\b(?:my|our|the|any|known|all)|['’]s) |^\W*)((?:[a-z]+ ){1,2})(?:preference|requirement|restriction)s?\b",
    re.I,
)
_BROAD = frozenset(
    "about all any are current every general have know known list main my of on other our own personal remember show"
    " stated the their user what which your".split()
)
"""Words before "preferences" that leave open what about: "dietary preferences" are asked for by what they are about."""

_NO_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december easter christmas todo todos to-do to-dos fixme bug bugs".split()
)
"""Words in capitals that name nobody: days, and what is open in whatever words."""


_RESPECT = regex(
    r"\b(?:medically|physically|gesundheitlich|finanziell|financially|professionally|beruflich)\b"
    r"|^\W*(?:my|our|meine?|unsere?|mis?) (?:whole |own )?[\w-]+(?: [\w-]+)?\W*$",
    re.I,
)
"""In which respect something is asked, or no more than what: "my medical bits?"."""

_WHO_WORKS = regex(
    r"\W*who (?:all )?(?:works?|is working) (?:for (?:me|us)|with (?:me|us)|here|(?:in|at) (?:the|my|our) [\w-]+)\W*$"
    r"|\W*who do (?:i|we) work with\W*$|\W*wer arbeitet (?:bei|für) (?:mir|uns|mich)\W*$",
    re.I,
)
"""Questions for all who work with the user."""

_WHETHER = regex(
    r"\W*(?:am|is|are|was|were|do|does|did|has|have|can|could|may|should|will|would)\b(?!.*\b(?:any\w*|some\w*|all"
    r"|open)\b)"
)
"""Asks whether one thing is so, as "Am I still off sugar?" does, in lower case."""


_OWN_PREFERENCES = regex(
    r"\b(?:my|our|(?:the |this )?user['’]?s?|mein\w*|unser\w*|nutzers?|i|we|ich|wir)\b[^?]{0,40}"
    r"\b(?:preferences?|vorlieben)\b"
    r"|\b(?:preferences?|vorlieben)\b[^?]{0,40}\b(?:i|we|me|us|user|ich|wir|nutzer(?:in)?)\b",
    re.I,
)
"""Asks for what the user prefers, in whatever words they said so."""


class AskedFor(NamedTuple):
    """What a question asks for as a whole.

    Attributes
    ----------
    acts : frozenset of str
        Of `ACTS`; empty where it asks for all that is known of something.
    topic : tuple of str
        Stems of what it is about; empty where it asks for everything.
    named : bool
        The topic has a name: what does not mention it is about something else.
    sure : bool
        It surely asks for this, by words known for it or by the model; else it is only likely to.
    user : bool
        It asks for all that is known of the user.
    task : bool
        The topic is what is to be done: "what do I still need to buy?".
    areas : frozenset of str
        Areas of life (`areas.AREAS`) of which it asks for everything; beside a topic, those that the topic is of.
    worded : bool
        Its words say so, in a few words about what; else the model does, or a longer request may be for one thing.
    """

    acts: frozenset[str]
    topic: tuple[str, ...]
    named: bool = False
    sure: bool = True
    user: bool = False
    task: bool = False
    areas: frozenset[str] = frozenset()
    worded: bool = False


_ERRANDS = tuple(
    frozenset(stems(words_of))
    for words_of in (
        "fetch pick collect", "buy order", "call ring phone", "send email mail post forward", "pay transfer",
        "return bring give", "submit hand file send", "book reserve", "renew extend",
    )
)  # fmt: skip
"""Verbs for one thing to be done."""


def same_errand(topic: Sequence[str]) -> frozenset[str]:
    """Stems of what is to be done, and of other verbs for it: "pick up" for "fetch"."""
    return frozenset(topic).union(*(errand for errand in _ERRANDS if errand.intersection(topic)))


_ONLY_ASKS = regex(
    r"\W*(?:should|shall|do|does|did|is|are|am|was|were|has|have|had|what|which|who|whose|when|where|why|how)\b[^.!?\n]*\?\s*"
)
"""A question that is no request: it leaves something open at most."""

_DONE = regex(
    r"\W*(?!(?:the|an?|my|our|his|her|their|no|not|to|please)\b)[\w-]+(?:['’](?:s|ve)| has| have)?"
    r"(?: (?:just|already|finally|also|now))*"
    r" (?:sent|emailed|mailed|posted|paid|booked|ordered|bought|called|rang|phoned|returned|collected|fetched|handed"
    r"|submitted|signed|fixed|cancell?ed|renewed|filed|took|brought|delivered|wrote|finished|registered|cleaned|printed"
    r"|uploaded|confirmed|invited|measured|washed|asked)\b(?![^.]*\b(?:not|yet|still|but|whether|if)\b)"
)
"""Somebody did something: that leaves nothing open."""


@kept_for_texts(maxsize=1_024)
def acts_of(text: str) -> frozenset[str]:
    """What a statement does.

    Examples
    --------
    >>> sorted(acts_of("Never schedule anything before nine.")), sorted(acts_of("We agreed on oak for the floor."))
    (['instruction'], ['decision'])
    >>> sorted(acts_of("Unclear: who orders the paint?")), sorted(acts_of("Lena has two cats."))
    (['open'], [])
    >>> sorted(acts_of("Call the insurance about the window.")), sorted(acts_of("Call the user by first name."))
    (['open'], ['instruction'])
    >>> sorted(acts_of("Should we paint the hall green?")), sorted(acts_of("Per called the insurance."))
    (['open'], [])
    """
    if lists_open_items(text):
        return frozenset({"open"})
    if len(text) > LONGEST:
        return frozenset()
    plain = caseless(text)
    if tells_task(text):
        return frozenset({"open"})
    worded = {act for act, form in FORMS.items() if form.search(plain)}
    likely = {} if worded else _likely(text, act_model.model().statement, ACTS)
    acts = worded or {act for act, chance in likely.items() if chance >= STATED}
    if _ONLY_ASKS.fullmatch(plain):
        acts = acts & {"open"}
    elif likely and _DONE.match(plain):
        acts = acts - {"open"}
    return frozenset(act for act in acts if not (act in DENIED and DENIED[act].search(plain)))


def tells_task(text: str) -> bool:
    """Whether a statement says what is to be done once, as "call the insurance" does.

    Examples
    --------
    >>> tells_task("Send Ole the price list by Friday."), tells_task("Send invoices on Fridays.")
    (True, False)
    """
    plain = caseless(text[:LONGEST])
    return bool(TASK.search(plain)) and not RECURS.search(plain)


@kept_for_texts(maxsize=64)  # one question is asked by what it searches, compares and tells
def asked_for(question: str) -> AskedFor | None:
    """What a question asks for as a whole; None where it asks for one thing, as most do.

    Examples
    --------
    >>> floor = asked_for("What did we decide about the floor?")
    >>> sorted(floor.acts), floor.topic, floor.sure
    (['decision'], ('floor',), True)
    >>> asked_for("What do you know about my relatives?").areas
    frozenset({'family'})
    >>> asked_for("Tell me about Lena.").topic, asked_for("The roof: what have you got?").topic
    (('lena',), ('roof',))
    >>> asked_for("Where does Lena live?"), asked_for("What are my dietary preferences?")
    (None, None)
    """
    question = question.strip()
    if _OF_USER.search(question):
        return AskedFor(frozenset(), (), user=True, worded=True)
    if _WHO_WORKS.match(question):
        return AskedFor(frozenset(), (), areas=frozenset({"colleagues"}), worded=True)
    of_one = ONE.search(caseless(question)) or _DOING.search(question)
    acts, surely = (frozenset(), False) if of_one else _asked_acts(question)
    if _narrowed(question):
        return None
    if acts and "food" in areas_of(question, least=OF_COOKING):
        return AskedFor(frozenset(), (), sure=surely, areas=frozenset({"food"}))
    somebody = named_in(question) if _MIND.search(question) else []
    match = _ABOUT.search(question) or _GOING.search(question)
    about = _of_topic(match[match.lastindex or 1], _WHO.match(match[0])) if match else _about_all(question)
    if acts and not somebody and (surely or about is None):
        chances = _asked_kinds(question)
        likeliest = max(chances.get(act, 0.0) for act in acts)
        of_areas = None if surely else _of_areas(question, one=False, least=likeliest)
        return of_areas or _of_acts(question, acts, surely)
    if match is None and len(somebody) == 1:
        return AskedFor(frozenset(), _stems(somebody[0]), named=True, worded=True)
    return about if about is not None else _of_areas(question, one=of_one is not None)


def _of_acts(question: str, acts: frozenset[str], surely: bool) -> AskedFor:
    """What a question for all statements of some acts asks for."""
    worded = len(question.split()) <= MAX_ASKING_WORDS and bool(_worded_acts(caseless(question)))
    if "preference" in acts and _OWN_PREFERENCES.search(question):
        acts = acts | {"instruction"}  # "always answer in German" is one of theirs
    if acts == {"open"} and (task := _TO_DO.search(question)):
        return AskedFor(acts, _stems(task[1]), sure=surely, task=True, worded=worded)
    phrase = _TOPIC.search(question) if acts != {"promise"} or named_in(question) else None
    if phrase is None and "instruction" in acts:
        phrase = _DONE_HOW.search(question) or _IS_DONE_HOW.search(question)
    if phrase is None and "decision" in acts:
        phrase = _DECIDING.search(question)
    return AskedFor(acts, _stems(phrase[1]) if phrase else (), sure=surely, worded=worded)


def _of_topic(about: str, who: re.Match[str] | None) -> AskedFor | None:
    """What a question for all that is known of something, or for who somebody is, asks for."""
    names = named_areas(about)
    topic = _stems(" ".join(word for word in words(about) if word not in names))
    named = any(word[:1].isupper() for word in about.split())
    if topic:
        areas = frozenset() if named or who else areas_of(about)
        return AskedFor(frozenset(), topic, named, areas=areas, worded=len(topic) <= WHOLE_TOPIC)
    return AskedFor(frozenset(), (), areas=frozenset().union(*names.values()), worded=True) if names else None


def _of_areas(question: str, *, one: bool, least: float = 0.0) -> AskedFor | None:
    """What a question that is likely, at least so, to ask for all of some areas asks for; of one that opens as for one
    thing it has to be very likely.
    """
    chance, names, respect = _asked_kinds(question).get("area", 0.0), named_areas(question), _RESPECT.search(question)
    sure = chance >= SURELY_ASKED or (respect is not None and bool(names))
    if chance < max(least, OF_OWN_AREA if respect else SURELY_ASKED if one else OF_AREA):
        return None
    areas = frozenset().union(*names.values()) if names else areas_of(question, least=OF_QUESTION)
    return AskedFor(frozenset(), (), sure=sure, areas=areas) if areas else None


def _narrowed(question: str) -> bool:
    """Whether a question asks what somebody prefers or needs of one thing, which other statements tell as well."""
    match = _NARROWED.search(question)
    return match is not None and not {*match[1].lower().split()} <= _BROAD


@kept_for_texts(maxsize=64)
def named_in(question: str) -> list[str]:
    """The capitalised words of an English question that open no sentence: names, most of them.

    Examples
    --------
    >>> named_in("What did Omar say? He said that I know Lena-Marie.")
    ['Omar', 'Lena-Marie']
    >>> named_in("Which TODOs are left, and which PRs?")
    ['PR']
    """
    if language_of(question) != ENGLISH:
        return []
    names = [re.sub(r"['’]s?$|(?<=[A-Z]{2})s$", "", name) for name in CAPITALISED.findall(question)]
    return [name for name in names if name.lower() not in _NO_NAMES]


def _asked_acts(question: str) -> tuple[frozenset[str], bool]:
    """The acts of which a question asks for all statements, and whether it surely asks for nothing else."""
    plain = caseless(question)
    if worded := _worded_acts(plain):
        return worded, True
    if _WHETHER.match(plain):
        return frozenset(), False
    likely = {kind: chance for kind, chance in _asked_kinds(question).items() if kind != "area"}
    acts = frozenset(act for act, chance in likely.items() if chance >= ASKED_FOR)
    return acts, any(chance >= SURELY_ASKED for chance in likely.values())


def _worded_acts(plain: str) -> frozenset[str]:
    return frozenset(act for act, form in ASKED.items() if form.search(plain))


def _asked_kinds(question: str) -> dict[str, float]:
    return _likely(question, act_model.model().question, ASKED_KINDS)


def _likely(text: str, weights: np.ndarray, kinds: Sequence[str]) -> dict[str, float]:
    """How likely a text is of each kind, in a language that the model knows."""
    if language_of(text) not in LANGUAGES:
        return {}
    return dict(zip(kinds, act_model.probabilities(text, weights).tolist(), strict=True))


def _about_all(question: str) -> AskedFor | None:
    """What "the publisher: what have you got?" asks for: beside words for all that is known, it has only a topic."""
    asked_words = words(question)
    topic = _stems(" ".join(word for word in asked_words if word not in _BESIDE))
    if _ONE.match(question) or _WHOLE.isdisjoint(asked_words) or not 0 < len(topic) <= WHOLE_TOPIC:
        return None
    return AskedFor(frozenset(), topic, worded=True)


def _stems(phrase: str) -> tuple[str, ...]:
    found = (stem_of(word) for word in words(phrase) if word not in _EMPTY)
    return tuple(dict.fromkeys(stem for stem in found if stem))
