"""Classes of words that tell where a phrase ends and whether it says anything; English has few enough to list."""

import re

from context_graph.graph.entities import NO_NAMES
from context_graph.regex import regex

__all__ = [
    "ABSTRACT", "ACTIVITIES", "ADVERB", "AFTER_VERB", "BE", "CLAUSE_STARTS", "CLOSED", "COLOURLESS",
    "DETERMINER", "DO", "DOUBT", "EMPTY", "EMPTY_OF", "HAS", "HAVE", "ING_NOUNS", "ING_WORDS", "JUDGING",
    "LISTED", "LY_NOUNS", "MODAL", "NAMED_BY", "NEVER", "NOBODY", "NO_LIST", "NO_NAME", "NO_OF", "NUMBER",
    "OPENERS", "OPEN_UNLESS_PAST", "PAST", "POINTING", "PREPOSITIONS", "REDUCED", "THINGS", "THIRD", "VAGUE",
]  # fmt: skip

HAVE = frozenset("have has had 've".split())

BE = frozenset("am is are was were be been being 'm 're 's".split())

DO = frozenset("do does did".split())

MODAL = frozenset("can could would should might may must will shall 'd 'll gonna wanna gotta ought".split())

ADVERB = frozenset(
    """just also really always still recently finally usually often even actually already now both currently
    mostly sometimes absolutely totally mainly originally especially particularly very so all regularly
    occasionally frequently proudly happily officially eventually later then first once definitely truly
    simply quickly soon together lately ever previously formerly primarily generally sure kinda successfully
    personally basically literally only myself secretly initially""".split()
)

NEVER = frozenset("not never no hardly barely rarely almost nearly n't neither nor without".split())

DOUBT = frozenset(
    """if unless whether wish hope hoping hopefully maybe perhaps imagine wonder suppose pretend would could should
    might like than guess said says say told think thought important necessary""".split()
)
"""Words before a subject after which its verb may state what is not so."""

OPEN_UNLESS_PAST = frozenset("what how why who whose which where when whenever before until".split())
"""After these, what is said in the past was so: "when I hurt my ankle", but not "when I have kids"."""

PREPOSITIONS = frozenset(
    """in at on with from for by about to into over after before during since until till through throughout
    without within near around between among against along across behind under above beyond toward towards
    like than as via per despite upon off out up down inside outside onto except besides alongside amid
    versus vs plus past beside apart because cuz cause""".split()
)

CLOSED = (
    PREPOSITIONS
    | BE
    | (HAVE - {"have"})
    | DO
    | MODAL
    | frozenset(
        """i you he she it we they me him us them myself yourself himself herself itself ourselves themselves mine
    yours ours hers theirs who whom whose which what when where why how that this these those there here and
    or but so if though although while whereas whether nor yet because then not never n't too also again
    already lately recently together now soon later earlier yesterday today tomorrow tonight everyday ago
    once twice thrice ever either neither instead anyway anyways really quite alright actually btw lol haha
    wow yeah yes no ok okay thanks right everyone someone anyone nobody everybody somebody something
    anything everything nothing have all both each every hopefully maybe please just even still away alone
    afterwards afterward nowadays always especially e.g i.e etc monday tuesday wednesday thursday friday
    saturday sunday respectively last next""".split()
    )
)
"""Words that end a noun phrase."""

DETERMINER = frozenset("a an the my our his her its their some this that these those any another such".split())

POINTING = frozenset("this that these those your his her their its the".split())

EMPTY = frozenset(
    """thing things stuff time times lot lots way ways bit part parts chance look looks fun blast break rest
    idea ideas kind sort sense moment moments day days night nights week weeks weekend month months
    year years hour hours while minute minutes second morning evening afternoon one ones people person folks
    others other someone anyone difference impact point place places side end beginning start life lives
    world reason reasons example news people's experience experiences challenge challenges opportunity
    opportunities step steps effort efforts progress work job-well trip-up feeling feelings mind heart hope
    dream dreams goal goals thought thoughts question questions word words help advice care need needs
    support inspiration memories memory joy love peace strength passion power attention most much more less
    least few many first second same best better great good amazing awesome fun cool nice bad happy sad
    excited proud glad sorry busy tired ready sure able okay fine interesting important special super bunch
    couple ton tons all any each both every anything something everything nothing whole hand hands account
    advantage action photo-op turn turns bed sleep it's that's here there home back forward mess mistake
    mistakes decision decisions choice choices plan plans face faces pressure hold touch track shape mood
    edge future past present level importance value meaning matter fact facts truth issue issues problem
    problems situation result results variety range number amount team-up others' everyone's pic pics
    picture's view views vibe vibes journey energy stress highlight bond bonds connection connections boost fam you
    y'all u guy guys man bro dude mate ep name""".split()
)
"""Heads of phrases that name nothing in particular."""

JUDGING = frozenset(
    """great good amazing awesome wonderful incredible beautiful fantastic lovely fun cool nice happy sad
    excited proud glad sorry busy tired ready sure able alright fine grateful thankful lucky stoked thrilled
    pumped blessed hard tough easy worth different difficult important special nervous upset worried keen
    curious done bored sick well""".split()
)

ABSTRACT = frozenset(
    """conversation conversations chat talk discussion knack feeling urge love passion interest habit hard
    desire need wish laugh smile lead cue approach stand liking shot try stab go hint glance peek breath
    seat nap liking bath risk risks note notes stance toll hit strength comfort voice ear effect voice shout
    hug hugs kiss call ride lift hand ear pause trial ton courage joy boost insight insights feedback
    trouble right power role sense grasp understanding respect confidence perspective perspectives purpose
    solution solutions answer answers balance clue tendency energy motivation encouragement inspiration
    guidance appreciation clarity closure relief solace path paths bond crush deal thing happiness message
    messages kick relationship potential attitude mindset vision system network drive room faith trust peace
    fear fears doubt doubts space future past setback setbacks blast try""".split()
)
"""What somebody has, finds, takes or gives in a way of speaking."""

LY_NOUNS = frozenset(
    "family assembly jelly italy butterfly lily belly bully anomaly supply july fly daily weekly curly".split()
)

THIRD = frozenset("makes brings gives helps keeps gets goes takes means feels seems comes".split())

THINGS = frozenset(
    """painting paintings play plays dance dances paint walk walks hike hikes run runs ride rides swim drink
    drinks show shows work works design designs study research sketch sketches film films record records
    play sign signs tour tours camp camps help star stars surf band bands release bake support rent drive
    throw order love date dates visit visits wedding building drawing training""".split()
)
"""Verbs that are things as well."""

LISTED = frozenset("and & or".split())

NO_LIST = CLOSED - {"all", "both"} - DETERMINER

NO_OF = CLOSED - DETERMINER

AFTER_VERB = ADVERB - {"all", "both", "first"}

OPENERS = ADVERB | frozenset(
    """hey hi hello thanks wow yeah yep yes yup no nope ok okay oh ah aww aw cool great sure well haha lol
    totally absolutely awesome nice right man gosh btw hmm and but so then today yesterday recently , !""".split()
)

HAS = BE | MODAL | DO | {"has", "had", "have"} - {"being", "been"}

NO_NAME = NO_NAMES | CLOSED

CLAUSE_STARTS = frozenset(", but while so then hey yeah - ! ' also because".split())

VAGUE = frozenset(
    """work news experience experiences event events place places group project projects story stories people
    person friends day night week weekend year problem problems issue issues goal goals plan plans career
    journey community support service services skills training results memories challenge challenges news
    program activities activity family process need needs advice pics photo photos picture life world trip
    drive change changes system team""".split()
)
"""Heads that say something with a noun before them: "charity work", but not "great work"."""

COLOURLESS = JUDGING | frozenset(
    """other own new whole real different such more big huge little small long short old young little first
    last same best better positive negative certain various several many much few some two three own main
    major full fellow recent similar unique perfect favorite favourite true total entire true particular
    crazy wild rough challenging rewarding emotional inspiring super really very unexpected rad sweet solid
    crucial deep meaningful memorable valuable strong safe local productive lasting unforgettable""".split()
)

EMPTY_OF = EMPTY - {"view", "world"}

PAST = frozenset(
    """felt told said knew thought went came got had made did gave took found left kept let put sent sat stood
    ran was were became began brought heard held lost meant met paid saw spent spoke told understood won
    wrote chose fell grew ate""".split()
)
"""Forms that are a verb of their own, never part of a noun phrase after its first word."""

ING_NOUNS = frozenset(
    """lesson lessons class classes trip trips shoes workshop workshops course courses group groups club gear
    skills equipment competition tournament race event events room studio school team camp practice season
    album song songs pool area center program project book books show board boots hall spree station
    strategy career tour machine""".split()
)

ING_WORDS = frozenset(
    "painting paintings clothing wedding building drawing meeting thing things morning evening training recording "
    "ring string spring king wing ceiling opening boxing sibling siblings ping-pong living swimming darling pudding "
    "writing reading hiking cooking running dancing climbing skating surfing fishing sewing knitting gardening "
    "programming engineering marketing counseling nursing acting singing camping wellbeing modeling".split()
)

NAMED_BY = frozenset("named called".split())

REDUCED = frozenset(
    "based titled made written held located set inspired dedicated focused designed directed starring featuring "
    "published produced created given used known born found coming going called named".split()
)
"""Participles that begin what is said further of a thing."""

NOBODY = frozenset("kid child teen teenager fan person mess lot bit part human adult beginner newbie pro team".split())
"""What everybody is or was."""

NUMBER = regex(r"\d[\d,.]*|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|several)", re.I)

ACTIVITIES = frozenset(
    """running swimming surfing skiing snowboarding hiking biking cycling jogging climbing dancing singing
    painting drawing sketching knitting sewing cooking baking gardening fishing hunting camping sailing
    rowing kayaking canoeing skating boxing meditating volunteering traveling travelling writing sculpting
    woodworking bowling golfing journaling birdwatching backpacking snorkeling diving stargazing kickboxing
    weightlifting streaming blogging coding""".split()
)
"""Doings that need no object to say something."""
