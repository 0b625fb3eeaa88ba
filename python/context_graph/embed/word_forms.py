"""One form for words that differ by more than endings: "bought" and "buy", "mum" and "mother", "repo" and "repository".

A stemmer takes endings off, and knows none of these. Forms that are as often another word ("rose", "bit", "wound") are
left out.
"""

from context_graph.regex import regex

__all__ = ["base_form"]

_VERBS = """
become became|begin began begun|bend bent|blow blew blown|break broke broken|bring brought|build built
burn burnt|buy bought buyer buyers|catch caught|choose chose chosen|come came|cry cries cried
deal dealt|die dies died dying death deaths dead|dig dug|draw drew drawn|dream dreamt|drink drank drunk
drive drove driven|dry dries dried|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found
flee fled|fly flew flown flies flight flights|forbid forbade forbidden|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|fry fries fried|get got gotten|give gave given|go goes went gone
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|know knew known|lay laid
lead led|learn learnt|leave left|lend lent|lie lies lied lying|lose lost|make made
mean meant|meet met|pay paid|rebuild rebuilt|repay repaid|rewrite rewrote rewritten|ride rode ridden
ring rang rung|rise risen|run ran|say said|see saw seen|seek sought|sell sold seller sellers|send sent
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|spoil spoilt|stand stood
steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum|swing swung
take took taken|teach taught teacher teachers|tear tore torn|tell told|think thought|tie ties tied tying
try tries tried|throw threw thrown|undergo underwent undergone|understand understood|wake woke woken
wear wore worn|win won winner winners|weigh weight weights|withdraw withdrew withdrawn|write wrote written
"""

_NOUNS = """
child children|hour hourly|week weekly|month monthly|year yearly
foot feet|goose geese|half halves|knife knives|loaf loaves|man men|mouse mice|shelf shelves
thief thieves|tooth teeth|wife wives|wolf wolves|woman women|criterion criteria
hypothesis hypotheses|sky skies|pie pies|bus buses|lens lenses|virus viruses|bonus bonuses|scarf scarves
quiz quizzes|focus focuses focused|index indices|matrix matrices|vertex vertices
"""

_DERIVED = """
deliver delivery deliveries|recover recovery|depart departure departures|sign signature signatures
marry marriage marriages|injure injury injuries|subscribe subscription subscriptions
prescribe prescription prescriptions|diagnose diagnosis diagnoses|own owner owners|clean cleaner cleaners
visit visitor visitors|employ employee employees employer employers
tolerate tolerance intolerance intolerances tolerant intolerant|pregnant pregnancy|absent absence absences
"""
"""What is derived from a word with another stem: nouns of verbs, who does something. Such as are in many texts that
explain or advise ("application", "decision", "solution", "loss") are left out: with these `benchmarks.quality.beam`
finds less (R@10 65.7 in place of 66.4, base, 100K)."""

_SPELLINGS = """
analyze analyse|analyzed analysed|analyzing analysing|gray grey|license licence|defense defence|offense offence
practice practise|program programme|aluminum aluminium|pajamas pyjamas|mustache moustache|yogurt yoghurt|math maths
catalog catalogue|dialog dialogue|cozy cosy|aging ageing|judgment judgement|airplane aeroplane
pediatrician paediatrician|pediatric paediatric|orthopedic orthopaedic|anemia anaemia|donut doughnut
jewelry jewellery|tire tyre|tires tyres|plow plough|enroll enrol|fulfill fulfil|skillful skilful|story storey
"""

_NAMED = """
mother mum mom mama mummy mommy mums moms|father dad daddy papa dads|grandmother grandma granny gran nana grandmas
grandfather grandpa granddad grandad|child kid kids|husband hubby
flatmate roommate housemate flatmates roommates housemates|bicycle bike bikes|refrigerator fridge|phone telephone
television tv telly tvs|photograph photo photos photographs
"""
"""Other words for the same, in whatever they are said."""

_SHORT = """
authentication auth|repository repo repos|database db dbs|configuration config configs|environment env envs
documentation docs|administrator admin admins|production prod|development dev|kubernetes k8s|javascript js
typescript ts|postgresql postgres|specification spec specs|parameter param params|dependencies deps
library lib libs|performance perf|message msg msgs|department dept|university uni|information info
examination exam exams|laboratory lab labs|appointment appt appts|picture pic pics|microphone mic
vegetarian veggie
"""
"""Words that are cut short."""

_BASE = {
    other: base
    for listed in (_VERBS, _NOUNS, _DERIVED, _SPELLINGS, _NAMED, _SHORT)
    for base, *others in (entry.split() for line in listed.split("\n") for entry in line.split("|") if entry)
    for other in others
}

_OR = regex(r"^(arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|od|rum|sav|vap)our")
_ER = regex(r"^(cent|theat|(?:centi|kilo|milli)?met|lit|fib|calib)re(s?)$")
_IZE = regex(
    r"^((?:re|de|un|mis)?(?:apolog|author|categor|central|character|critic|custom|emphas|energ|final|general|global"
    r"|hospital|initial|local|maxim|memor|minim|mobil|modern|monet|normal|optim|organ|parallel|personal|priorit|real"
    r"|recogn|sanit|serial|special|standard|summar|symbol|sympath|synchron|token|util|visual))is"
    r"(e|ed|es|er|ers|ing|ation|ations)$"
)


def base_form(word: str) -> str:
    """The form that a lower-cased word is compared in: itself, most often.

    Examples
    --------
    >>> [base_form(word) for word in ("bought", "children", "favourite", "organising", "mum", "centres", "table")]
    ['buy', 'child', 'favorite', 'organizing', 'mother', 'centers', 'table']
    """
    if word in _BASE:
        return _BASE[word]
    if "our" in word:
        return _OR.sub(r"\1or", word)
    if "is" in word:
        return _IZE.sub(r"\1iz\2", word)
    return _ER.sub(r"\1er\2", word) if "re" in word else word
