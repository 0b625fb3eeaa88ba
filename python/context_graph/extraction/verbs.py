"""The verbs whose object says something lasting or done of their subject, in every form that English gives them."""

from typing import Literal, NamedTuple

__all__ = ["ATTITUDES", "FORMS", "INTO", "KIN", "LIGHT", "ONLY", "OPENINGS", "PASSIVES", "PETS", "RELATIONS", "Form"]

Tense = Literal["base", "third", "past", "participle", "ing"]


class Form(NamedTuple):
    """A word as a form of a verb."""

    lemma: str
    tense: Tense


def _phrases(text: str) -> frozenset[str]:
    """Phrases with semicolons between, over any number of lines."""
    return frozenset(" ".join(phrase.split()) for phrase in text.split(";"))


# A relation is a verb with what follows it up to its object. A verb that is not here states nothing: of a wrong fact
# there is no end, of a missing one only its own loss.
RELATIONS = _phrases(
    """live in; live at; live near; live with; grow up in; grow up near; come from; move to; move from; move in
    with; relocate to; settle in; stay in; stay at; travel to; fly to; drive to; sail to; go to; go on; go
    for; visit; tour; explore; return to; head to; camp in; camp at; camp on; hike in; hike to; hike; climb;
    vacation in; attend; commute to; work as; work at; work for; work in; work on; work with; intern at;
    freelance as; freelance for; volunteer at; volunteer for; volunteer in; volunteer with; volunteer as;
    serve as; serve in; serve on; run; run for; run on; own; manage; lead; found; co-found; open; launch;
    start; join; quit; leave; retire from; apply to; apply for; invest in; hire; report to; interview for;
    interview at; interview with; study; study at; study under; major in; minor in; graduate from; graduate
    in; enroll in; enroll at; sign up for; sign with; sign; register for; learn; learn about; teach; teach
    at; tutor; mentor; coach; train; train for; train with; train in; practice; specialize in; research;
    look into; take up; take care of; take part in; take; take to; bring to; pass; fail; ace; finish;
    complete; read; reread; watch; listen to; play; play in; play for; play on; play with; sing; sing in;
    perform; perform at; perform in; dance; rehearse; record; compose; produce; release; publish; write;
    write for; write about; blog about; edit; translate; design; build; craft; create; make; develop;
    invent; paint; draw; sketch; sculpt; carve; photograph; film; knit; sew; crochet; weave; embroider;
    decorate; renovate; repair; fix; restore; assemble; install; cook; bake; grill; roast; brew; prepare;
    eat; drink; taste; try; try out; order; plant; grow; harvest; raise; breed; adopt; rescue; foster;
    pet-sit; collect; keep; buy; purchase; rent; lease; sell; donate; donate to; inherit; receive; win;
    earn; lose; break; injure; hurt; sprain; tear; score; beat; compete in; compete at; participate in;
    celebrate; host; organize; organise; throw; plan; attend; marry; date; divorce; meet; see; meet up with;
    hang out with; get back from; come back from; end up at; network with; speak; speak at; speak in; drive;
    ride; surf; ski in; swim in; swim with; have; get; find; give; do; become; turn; help; help out at; help
    out with; support; believe in; belong to; suffer from; recover from; struggle with; deal with;
    experience; overcome; love; like; enjoy; hate; dislike; prefer; adore; be; use; deploy to; deploy on;
    depend on; rely on; require; connect to; listen on; replace; migrate to; migrate from; switch to; switch
    from; upgrade to; contain; include; provide; implement; expose; store in; maintain; star; star in;
    feature; appear in; appear on; debut in; debut with; direct; portray; succeed; represent; coach at; die
    in; die of; bear; name; border; flow through; flow into; lie in; stand in; commission; acquire; merge
    with; host at; win at; exhibit at; show at; captain; headline; tour with; collaborate with; partner
    with; team up with; wear; carry; follow; join in; subscribe to; belong in; hold; put together; set up;
    pick up; get into; get back into; get involved in; get involved with; fall in love with; care about;
    focus on; talk to; talk with; talk about; chat with; check out; spend time with; work out at; dress as;
    apply with; advocate for; fight for; raise money for; celebrate with; tackle; drop off; snap; retake;
    help with; help at; end in; originate in; originate from; derive from; consist of; do at"""
)

ATTITUDES = frozenset("love like enjoy hate dislike prefer adore".split())
"""Verbs that a whole doing may follow: "love painting landscapes", "like to cook"."""

OPENINGS = frozenset("start begin keep continue finish stop resume".split())
"""Verbs before a doing that add only when: who "started playing the piano" plays it."""

PASSIVES = _phrases(
    """born in; based in; located in; situated in; headquartered in; founded in; founded by; established in;
    established by; built in; built by; created by; designed by; developed by; directed by; written by;
    produced by; published by; manufactured by; released by; released on; composed by; performed by;
    recorded by; owned by; operated by; managed by; led by; edited by; hosted by; named after; known for;
    known as; raised in; educated at; married to; engaged to; diagnosed with; elected to; appointed as;
    awarded; played by; portrayed by; sung by; acquired by; invented by; discovered by; distributed by;
    signed to; adapted from; based on; formed in; formed by; introduced in; introduced by; set in; filmed
    in; inspired by; used by; made by; made of; trained in; certified in; promoted to; accepted into;
    accepted to; inducted into; drafted by; nominated for; sponsored by; named; called; titled; opened in;
    opened by"""
)
"""What "be" and a participle lead to."""

INTO = _phrases(
    """allergic to; keen on; obsessed with; involved in; friends with; interested in; passionate about; good
    at; afraid of; scared of; fond of; from; into; member of; fan of; big fan of; huge fan of; author of;
    founder of; owner of; capital of; part of; responsible for; native to; president of; director of; head
    of; leader of; vegan; vegetarian; single; married; divorced; engaged; pregnant; retired; unemployed;
    widowed; bilingual; trans; transgender; gay; lesbian; bisexual; nonbinary; jewish; christian; muslim;
    buddhist; hindu; catholic; diabetic; dyslexic; colorblind; deaf; self-employed; lactose intolerant"""
)
"""What "be" leads to: a preposition and its object, or a state that lasts."""

KIN = {
    word: gender
    for gender, words in {
        "she": "wife girlfriend fiancee daughter sister mother mom mum mama grandmother grandma granny aunt niece",
        "he": "husband boyfriend fiance son brother father dad grandfather grandpa uncle nephew",
        "": "partner spouse cousin friend roommate neighbor neighbour boss colleague coworker teammate coach mentor "
        "manager teacher therapist doctor kid child baby twin",
    }.items()
    for word in words.split()
}
"""Who somebody can have, with the pronoun that stands for them."""

PETS = frozenset(
    "dog cat puppy pup kitten kitty horse pony parrot bird rabbit bunny hamster turtle snake lizard".split()
)

_OWNED = frozenset(
    """children kids siblings parents grandchildren grandkids wives puppies kitties babies pet pets fish
    goldfish job degree diploma certificate license house apartment flat cabin farm ranch studio shop store
    cafe restaurant business company startup bakery garden car truck van bike bicycle motorcycle boat piano
    guitar violin drums camera laptop computer phone tablet console telescope collection tattoo tattoos
    piercing diabetes asthma adhd anxiety depression insomnia arthritis migraine migraines cancer allergy
    allergies surgery operation accident injury concussion promotion raise internship scholarship grant
    award medal trophy deal contract picnic party barbecue bbq wedding ceremony reunion sleepover interview
    exam audition rehearsal recital birthday anniversary honeymoon baptism graduation channel blog podcast
    website nickname accent passport visa haircut shoes sneakers boots bookcase bookshelf aquarium treehouse
    greenhouse keyboard flute clarinet saxophone trumpet ukulele cello harp banjo record vinyl""".split()
).union(KIN, PETS, *((word + "s",) for word in (*KIN, *PETS)))

ONLY: dict[str, frozenset[str]] = {
    "have": _OWNED,
    "get": _OWNED,
    "find": _OWNED,
    "keep": PETS.union("dogs cats horses rabbits birds journal diary blog bees chickens garden".split()),
    "run": frozenset(
        """race races marathon marathons half-marathon triathlon 5k 10k business shop store company cafe restaurant
        bakery studio workshop workshops club group program school farm bar channel blog podcast clinic gallery
        shelter camp campaign linux windows ubuntu debian macos""".split()
    ),
    "take": frozenset(
        """class classes course courses lesson lessons trip vacation cruise exam test workshop workshops medication
        insulin antidepressants vitamins pills ballet""".split()
    ),
    "give": frozenset("talk speech presentation seminar seminars lecture lectures concert tour birth".split()),
    "throw": frozenset("party bash shower barbecue celebration pottery".split()),
    "start": frozenset(
        """business company shop store blog channel podcast job club group program course class school band
        campaign project garden book novel screenplay organization foundation nonprofit studio brand diet
        medication treatment therapy petition collection series internship residency""".split()
    ),
    "leave": frozenset("job company band team school university church army navy".split()),
    "lose": frozenset("job dog cat mother father mom dad grandmother grandfather friend wallet keys house".split()),
    "pass": frozenset("exam exams test tests bar audition interview inspection".split()),
    "fail": frozenset("exam exams test tests audition interview class".split()),
    "turn": frozenset(),
    "bear": frozenset(),
    "name": frozenset(),
}
"""Verbs of many uses, and the heads of the objects that they say something with."""

LIGHT = frozenset("have get find take give start".split())
"""Those of them that say something with any "a ..." or "some ..." too, but for `words.ABSTRACT`."""

_IRREGULAR = {
    forms.split()[0]: forms.split()
    for forms in _phrases(
        """go went gone; win won won; teach taught taught; read read read; reread reread reread; write wrote
        written; draw drew drawn; grow grew grown; speak spoke spoken; see saw seen; meet met met; build built
        built; come came come; fly flew flown; run ran run; sew sewed sewn; bear bore born; have had had; get
        got gotten; find found found; give gave given; do did done; become became become; make made made; take
        took taken; bring brought brought; buy bought bought; sell sold sold; lose lost lost; break broke
        broken; hurt hurt hurt; tear tore torn; beat beat beaten; throw threw thrown; sing sang sung; eat ate
        eaten; drink drank drunk; ride rode ridden; drive drove driven; swim swam swum; lead led led; leave left
        left; keep kept kept; hang hung hung; begin began begun; deal dealt dealt; feel felt felt; weave wove
        woven; quit quit quit; breed bred bred; wear wore worn; lie lay lain; stand stood stood; overcome
        overcame overcome; rebuild rebuilt rebuilt; show showed shown; hold held held; put put put; set set set;
        fall fell fallen; spend spent spent; fight fought fought"""
    )
}
"""Plain form, past, participle."""

_DOUBLED = frozenset(
    "plan knit run win get swim quit begin stop chat snap drop pet-sit set put blog chop submit prefer".split()
)
_ODD = {"die": "dying", "lie": "lying", "tie": "tying"}


def _forms_of(verb: str) -> dict[str, Tense]:
    irregular = _IRREGULAR.get(verb)
    stem = verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")
    if verb.endswith("y") and verb[-2] not in "aeou":
        third, past = verb[:-1] + "ies", verb[:-1] + "ied"
    else:
        third, past = verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"), stem + "ed"
    ing = _ODD.get(verb) or (verb if verb.endswith(("ee", "ye")) else stem) + "ing"
    forms: dict[str, Tense] = {third: "third", ing: "ing"}
    if irregular:
        forms |= {irregular[2]: "participle", irregular[1]: "past"}
    else:
        forms |= {past: "past"}
    if verb == "have":
        forms = {"has": "third", "having": "ing", "had": "past"}
    base: dict[str, Tense] = {verb: "base"}
    return base | {form: tense for form, tense in forms.items() if form != verb or tense == "past"}


_VERBS = ({phrase.split()[0] for phrase in RELATIONS} | OPENINGS) - {"be"}
FORMS: dict[str, Form] = {form: Form(verb, tense) for verb in sorted(_VERBS) for form, tense in _forms_of(verb).items()}
FORMS["found"] = Form("find", "past")
"""Every form of every verb; "read" and "quit" are taken for the past, which they mostly are after a subject."""
