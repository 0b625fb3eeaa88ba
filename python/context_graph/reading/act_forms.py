"""The wording of statements that instruct, prefer, decide, leave open or promise.

Each list holds regular expressions, one construction a line, joined by "or", for texts that are `caseless`. They were
written on sentences made for it and measured on others: benchmarks/quality/acts.py.
"""

import re
from collections.abc import Sequence

from context_graph.regex import regex

__all__ = ["DENIED", "FORMS", "RECURS", "TASK", "any_of"]


def any_of(forms: Sequence[str]) -> re.Pattern[str]:
    """The forms joined by "or", those that begin alike together: `re` then asks once for all of them whether a text or
    a word begins here. They are in lower case, for a pattern that ignores case takes twice as long.
    """
    alike: dict[str, list[str]] = {"^": [], r"\b": [], "": []}
    for form in forms:
        alike[next(start for start in alike if form.startswith(start))].append(form)
    return regex("|".join(f"(?:{'|'.join(group)})" for group in alike.values() if group))


def _words(listed: str) -> str:
    return rf"(?:{'|'.join(listed.split())})"


_VERBS = _words(
    "add address always answer ask assume avoid be begin book bring call check cite close commit convert copy"
    " correct count create default delete describe do don['’]t draft drop end explain export feel file fill"
    " find fix follow format give group include indent keep leave let limit link list log mail make mark"
    " mention move name never note notify number offer only order pass pay phrase pick plan please point prefer"
    " print propose pull push put quiz quote read refer remember remind repeat reply report respond return"
    " review round run save say schedule send separate set show sign skip sort speak spell start stay stick"
    " stop store suggest summarize summarise take talk tell test text translate treat try turn update use wait"
    " wake warn work wrap write"
)
_OPENING = (
    r"^\W*(?:(?:please|and|also|but|so|from (?:now|here) on|going forward|in future|as a rule|in general"
    r"|remember|rule"
    r"|note|in (?:my|our) \w+|for \w+|on \w+days?|bitte|ab jetzt|por favor)\b[\s,:]*)*"
)
_NOUNS = _words(
    "address book call check copy count draft drop end file limit link list log mail mark move name offer order pass"
    " plan print quiz quote report review round run save set show sign skip sort spell start stay stick stop store talk"
    " test text treat turn update wait wake work"
)
_NAMED_THING = (
    rf"(?!{_NOUNS} (?!(?:what|who|which|that|how|it|this)\b)[\w-]+ (?:is|was|are|were|has|had|will|got|moved)\b)"
)
"""No verb, but the first noun of a thing that something is said of: "review meeting is on Friday"."""

_OBLIGED = r"(?:must|ha(?:s|ve) to|need(?:s)? to|ought to|should|shall|may only|can only)"
_TO_FIND = (
    r"(?:find|ask|check|clarify|discuss|decide|figure|sort|know|settle|choose|agree|see|look into|wait|hear|book|call"
    r"|chase)"
)

_ONCE = "call phone ring renew fix repair book pay visit sell collect"
_DONE = (  # some are nouns as well: "order the flowers", but "order arrived"
    rf"(?:{_words('assign bring cancel confirm deliver email fetch forward give hand install invite prepare publish')}"
    rf"|{_words('register send submit take tell upload write')}"
    rf"|{_words('ask check clean copy draft drop file fill finish get mail measure order pack post print reply')}"
    rf" (?:the|my|our|his|her|their|them|it|this|these|those|an?|some|all|to)"
    rf"|{_words('report request return review schedule ship sign test transfer wash water')}"
    rf" (?:the|my|our|his|her|their|them|it|this|these|those|an?|some|all))"
)
_DOES = (
    rf"(?:{_words('choose ring call phone pay order buy book send fix clean pick get find write email check cancel')}"
    rf"|{_words('renew return collect fetch finish sign wash water post print measure install register')})"
)
_TWO_THINGS = (
    rf"{_DOES} (?!.{{0,160}}\b(?:is|are|was|were|has|had|if|when)\b)"
    r"(?:the|my|our|his|her|their|an?|some|\d+|up|out) [^.;:!?]{2,60}?(?:,| and) "
    rf"{_DOES} (?:the|my|our|his|her|their|an?|some|some\w+|\d+|up|out|for|to)"
)
"""Two things that are to be done: "choose the tiles, ring the sweep"."""

_DAY = (
    r"(?:(?:the )?(?:end|middle|beginning) of|(?:this |next |coming )*(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!s)"
    r"|tomorrow|tonight|noon|midnight|christmas|easter|(?:this|next) (?:week|month|year)"
    r"|(?:early |mid-?|late )?(?:january|february|march|april|may|june|july|august|september|october|november|december)"
    r"|(?:the )?\d{1,2}(?:st|nd|rd|th)?\b)"
)
TASK = regex(
    r"^\W*(?:(?:please|also|and|next)\b[\s,:]*)*"
    rf"(?:(?:remember to|don['’]t forget to) (?:{_words(_ONCE)}|buy|order|pick|hand|water|send|ask|cancel)"
    r"|remind me to \w+"
    rf"|(?:{_words(_ONCE)}|pick up|hand in) (?:the|my|our|his|her|their|an?|some|mum|mom|dad|grandma|grandpa)"
    r"|(?:sign up|register|apply) for|buy|make an appointment|order (?:an?|some|more|new|\d+)"
    rf"|{_TWO_THINGS}|(?!.{{0,160}}\b(?:is|are|was|were|has|had|if|when)\b){_DONE}\b.{{0,120}}?"
    rf" (?:(?:by|before|until|till|on) {_DAY}|tomorrow|tonight|today|(?:this|next) week))\b"
    r"(?!.*\b(?:user|(?:by|as|in) (?:his|her|their|first|full|last|english|german)|is|are|was|were)\b)"
)
"""What is to be done once: "call the insurance about the window", "send Ole the list by Friday"."""

RECURS = regex(
    r"\b(?:always|never|every|each|daily|weekly|monthly|usually|again and again|from now on)\b"
    r"|\b(?:when(?:ever)?|if|before|after|unless|once|until)"
    r" (?:i|you|we|it|any|an?|the(?! (?:end|start|beginning|\d))|\w+ing)\b"
)
"""Done, or left, more than once."""

_WHOM = r"(?:(?:my|our|the|old|mr|mrs|ms|aunt|uncle)\.? )*[\w'’-]+(?: [\w'’-]+)??"
_I_WILL = r"(?:i|we)(?:['’](?:d|ll)| would| will) (?!(?:like|love|prefer|rather|need|be late|have to)\b)"

_ASSISTANT = r"(?:me|you|us|claude|codex|(?:the|this) (?:agent|assistant|model|bot))"
_WANTS = r"(?:wants|wishes|insists|expects|does(?:n['’]t| not) (?:want|like))\b(?! to (?!be\b))"
_OF_THE_USER = (
    r"^\W{0,10}(?:(?:the )?(?:user|nutzer(?:in)?)(?:['’]?s)? |my |our |i )?(?:pref(?:erence)?s?|vorlieben?) ?:",
    rf"\b(?:user|i) (?:\w+ly |also |still )?{_WANTS}",
    r"\bnutzer(?:in)? (?:möchte|will|wünscht|erwartet|besteht)\b",
)
"""What an agent notes of the user, who is read as "I": "User wants ...", "user pref: ..."."""

FORMS = {
    "instruction": any_of([
        *_OF_THE_USER,
        rf"\bi(?: has| have|['’]ve)? (?:\w+ly )?(?:asked|told|instructed|reminded) {_ASSISTANT}"
        r" (?:please )?(?:(?:to )?(?:never|always)|not to)\b",
        rf"{_OPENING}(?:(?:for|in|on|at|when(?:ever)?|if|before|after|every time)\b[^,.]{{1,60}},\s*)?"
        rf"{_NAMED_THING}{_VERBS}\b"
        r"(?!\s*\?|\s+(?:of|is|was|are|were|went|has|had|times|and thank|in my life)\b)",
        r"(?:[.;:!]|, (?:and|then|but))\s+(?:please\s+)?(?:always|never|don['’]t|do not|no more|use|keep|put"
        r"|show|tell"
        r"|ask|call|leave)\b",
        r"^\W*(?:no|zero)\s+(?!(?:word|news|answer|reply|response|idea|decision|sign|one|problem|matter|longer"
        r"|doubt)\b)",
        r"^\W*nothing (?:with|about|before|after|over|above|below|that|but)\b",
        r"\bi (?:want|expect|need|ask|would like|['’]d like) (?!to\b)\w+",
        r"\bi['’]d (?:rather|prefer|appreciate) (?:it if )?you\b|\bi (?:don['’]t|do not) want (?:to be|you|any"
        r"|my|it)\b",
        r"\bat most\b|\bwithout exception\b|\bno exceptions\b|\bthat goes for\b|\bwhoever\b|\b(?:is"
        r"|are) to be \w+(?:ed|en)\b|\bi['’]d be (?:grateful|glad|happy) if you\b"
        r"|\bit would help if you\b|\bsee to it\b|\bthat['’]s (?:how i want|my style|the rule|our rule)\b"
        r"|\b(?:strict|standing|golden|house) rule\b|\bis the rule\b",
        r"\bonly[.!]?$(?<!called only\.)(?<!called only)",
        r"^\W*(?:(?:house|team|golden|ground|safety|coding|project|our|the|new|another|one) )?"
        r"rules?(?: (?:in|for|of|at|on) [^:.]{1,40})?(?: \d+)? ?:",
        r"\b(?:nobody|no one|only|no) [^.!?]{1,60}\b(?:is|are) (?:allowed|permitted|welcome|let in)\b"
        r"|\b(?:people|families|guests|visitors|members|children|kids|dogs|users|anybody|anyone|everybody|everyone|you)\b"
        r"[^.!?]{0,40} may (?:only )?(?:come|enter|bring|use|take|park|smoke|stay|borrow|keep|run|merge|push)\b",
        r"\b(?:is|are) (?:needed|required)\b.{0,30}\b(?:from now on|for (?:every|each|all)|always)\b",
        r"\b(?:gets?|wants?|receives?|needs?) (?:everything|it all|all (?:of it|mails?|reports?|documents?|letters?)) "
        r"(?:as|in|by|via|on|with)\b",
        r"\bfor (?:the |all |our )?[\w'’]{2,30} from now on\b"
        r"|\bfrom now on (?:only |always )?[\w-]{2,30} for [\w'’]{2,30}\W*$",
        r"\byou(?:['’]re| are)? (?:should|must|may|can|need to|have to|are to|not to|to|shouldn['’]t|can['’]t"
        r"|mustn['’]t)\b"
        r"(?! (?:see|imagine|guess|believe)\b)",
        r"\b(?:unless|until|when(?:ever)?|if|before|every time|whatever) (?:i|you) (?:ask|say|tell|write|quote"
        r"|answer|reply"
        r"|order|show|send|book|spend|change|suggest|mention|talk|explain|summari[sz]e)\b",
        r"\b(?:everything|anything|whatever|all) you (?:write|send|say|tell|show|do)\b",
        r"\b(?:in my|in our|in the|in this) (?:repos?|repository|code|codebase|mails?|texts?|magazine|house"
        r"|team|projects?)"
        r"(?:[.!]|$|, )",
        rf"^(?!\W*(?:i|we|some(?:one|body)|nobody)\b).*\b(?:must|mustn['’]t|has to|have to|should|shouldn['’]t"
        rf"|shall|may only"
        rf"|may not|can only) (?!be (?:decided|clarified|found|discussed|sorted)|still|{_TO_FIND}\b)\w+",
        r"\b(?:forbidden|not allowed|aren['’]t allowed|isn['’]t allowed|not permitted|prohibited|off limits"
        r"|a no-go|taboo"
        r"|mandatory|compulsory|obligatory|out of the question|required for all)\b",
        r"\b(?:gets?|needs?|goes? out|go out|stays?|stay|are written|is written|begins? with|starts? with"
        r"|ends? with)\b.{0,40}"
        r"\b(?:at least|at most|as (?:words|figures|pdf)|on top|within|every|always|before the|without exception)\b",
        r"\b(?:every|each|all|any) \w+ (?:needs?|gets?|requires?|goes?|carr(?:y|ies)|has|have) an?\b",
        r"\b(?:rather than|instead of|not as|not in) [^.!?]{1,40}, please\b",
        r", please[.!]?$",
        r"^\W*please\b",
        r"^\W*(?:tables|bullets|dates|amounts|numbers|titles|names|prices|times|code|answers|recipes|units"
        r"|mails|emails"
        r"|letters|summaries|reports|meetings|comments|headings|variables|commit messages"
        r"|branch(?: name)?s?) (?:go|in|as|for|without|with|are|is|should|must|end|begin|start|stay|get"
        r"|rather)\b",
        r"^\W*(?:bitte|immer|nie|niemals|schreib|antworte|nenn|verwende|benutze|keine?|duze|sprich|gib|zeig"
        r"|nur|sag|mach"
        r"|ruf|frag|erklär)\b",
        r"^\W*(?:por favor|siempre|nunca|usa|escribe|responde|no me|háblame|trátame|dime|llámame|evita|nada de"
        r"|contesta"
        r"|utiliza|avísame)\b",
    ]),
    "preference": any_of([
        *_OF_THE_USER,
        r"\b(?:i|we|you|they|kids|children|boys|girls|parents|guests|twins|both|people)"
        r" (?:\w+ly |really |much |also |both |just |still |all |do |don['’]t |do not |never |always "
        r"|can['’]t say (?:i|we) )*"
        r"(?:like|love|enjoy|prefer|hate|dislike|favou?r|detest|loathe|adore|fancy|avoid|stand|appreciate)\b",
        r"\b(?:likes|loves|enjoys|prefers|hates|dislikes|detests|loathes|adores|fancies)\b",
        r"\b(?:doesn['’]t|does not|didn['’]t|won['’]t|will not|don['’]t) (?:like|enjoy|eat|touch|drink"
        r"|care for|go near)\b",
        r"\b(?:can|could)(?:['’]t| not|not| never)? (?:stand|bear|abide|stomach|tolerate|eat|drink|take"
        r"|do without|live without|warm to|get enough|get used to)\b"
        r"|\bcould (?:eat|watch|listen|do|read)\b.{0,40}\b(?:every day|all day|for hours|forever)\b",
        r"\b(?:a|big|huge|no|not a|no great) (?:\w+ )?fan of\b|\b(?:fond of|keen on|mad about|crazy about"
        r"|nuts about|wild about|hooked on"
        r"|addicted to|partial to|obsessed with|picky about|fussy about|in love with)\b",
        r"\b(?:i['’]m|i am|he['’]s|she['’]s|we['’]re|they['’]re|really|is|are) into\b(?! (?:a|the|his|her|my"
        r"|our|their)\b)",
        r"\b(?:soft spot|weakness|passion|sweet tooth|thing|love|taste|dislike|aversion|preference) (?:for|to|of)\b",
        r"\bmy (?:favou?rites?|ideal|kind of|idea of|guilty pleasure|happy place|pet peeve|comfort food|go-to"
        r"|cup of tea)\b"
        r"|\bour favou?rites?\b|\b(?:his|her|their) (?:all-time )?favou?rites?\b",
        r"(?:\b(?:i|we|he|she|they)['’]d| would) (?:rather|sooner|choose|pick)\b(?! you\b)",
        r"\bgone off\b"
        r"|\bfavou?rs\b|\bappreciates\b|\bcherish\w*\b|\bto (?:my|his|her|our|their) (?:liking|taste)\b",
        r"\b(?:is|are|was|isn['’]t|aren['’]t) (?:(?:not|just|too much|more|really|totally) )*(?:for me"
        r"|my thing|my taste|my style|my favou?rite)\b",
        r"\b(?:too much|not|nothing|best|better|perfect|great|fine) for (?:me|us)\b",
        r"\b(?:suits?|suited|pleases?|annoys?|bores?|bothers?|irritates?|stresses?|exhausts?|relaxes?"
        r"|delights?|calms?|soothes?"
        r"|bugs?|tires?|cheers?|drains?|scares?|disgusts?) (?:me|us|him|her)\b",
        r"\b(?:make|makes|making|gets?|drives?|puts?|ruins?|stress|leaves?) (?:me|us|him|her|the evening|my)\b.{0,30}"
        r"\b(?:happy|calm|uneasy|nervous|sad|smile|crazy|mad|angry|sleepy|sick|for me|mood|out|off|down|cold|wild)\b",
        r"\b(?:i|we) find .{2,50}(?:ing|ful|able|ive|ome|pleasant|boring|dull|loud|sad|nice|ugly|great|awful)\b",
        r"\b(?:i|we|he|she) (?:\w+ )?(?:learn|think|work|sleep|concentrate|focus|feel|get on|relax|write|read"
        r"|eat|do) (?:\w+ )?(?:best|better|most)\b"
        r"|\bsleep best\b|\bhappiest (?:when|in|on|with)\b",
        r"\b\w+ over \w[^.!?]*\b(?:for me|any day|every time|for us|always)\b"
        r"|\bgive me .+ over\b",
        r"^\W*(?:\w+ ){1,3}over (?:\w+ ?){1,3}[,.!]",
        r"\bbeats? .{2,30}(?:for me|any day|every time)|\bfeels? (?:natural|right|wrong|good|off) to me\b",
        r"\b(?:not|no|hardly) (?:a |an |much of an? )?(?:morning person|night owl|people person|cook|reader"
        r"|drinker|big eater)\b"
        r"|\ba (?:morning|night|cat|dog|tea|coffee|people|beach|mountain) person\b",
        r"\b(?:don['’]t|do not|doesn['’]t) (?:much )?care (?:for|about)\b|\bcares? more (?:about|for)\b"
        r"|\btend to (?:go for|pick|choose|avoid)\b|\bi look for\b"
        r"|\bi(?:['’]m| am) allergic to \w+ (?:inheritance|meetings|jargon)\b",
        r"\bwhat i (?:\w+ )?(?:like|love|hate|want|enjoy|miss|need) (?:most|best|least)\b|\bnothing beats\b"
        r"|\bthe best (?:part|thing) (?:for me|is)\b",
        r"\b(?:mag|mögen|bevorzugt?|bevorzuge|liebe|hasse|hasst|lieber|am liebsten|gern|gerne|schmeckt mir"
        r"|gefällt mir|graust mir)\b",
        r"\b(?:prefier[oe]|me (?:gusta|encanta|molesta|apetece)n?|le (?:gusta|encanta)n?|nos (?:gusta"
        r"|encanta)n?|odi[oa]|detesto"
        r"|no (?:soporto|aguanto)|soporto|mi \w+ favorit[oa])\b",
    ]),
    "decision": any_of([
        r"\b(?:decided|decision|decisions|agreed|agreement|chose|chosen|opted|resolved to|voted|vote|verdict"
        r"|ruling)\b",
        r"\bsettled (?:on|for)\b|\b(?:it|that|this|all)(?:['’]s| is) (?:now )?(?:settled|decided|final"
        r"|official|a done deal|fixed)\b",
        r"^\W*settled\b",
        r"\b(?:went|go|goes|going|gone|stick|sticks|sticking|stuck|stay|staying|stayed) (?:with"
        r"|for)\b(?! (?:the flow|a walk|a run|it\b))",
        r"\b(?:shook hands on|done deal|unanimous(?:ly)?|it is for the|outvoted|consented to|concluded"
        r"|nailed down|selected|pulled out of|withdr(?:ew|awing) from|ended up choosing"
        r"|cleared the|of one mind|gave the (?:job|contract|commission)|giving the (?:job|contract|commission)"
        r"|abgesagt|descartó)\b|\bit['’]s a deal\b|\boption \w won\b",
        r"^\W*\w+ it is\b",
        r"\b(?:ruled out|turn(?:ed)? down|rejected|approved|adopted|ratified|accepted|signed off|passed (?:the"
        r"|a|with)|green[- ]light"
        r"|gave (?:\w+ )?(?:the )?(?:go-ahead|blessing|nod)|backed|vetoed|endorsed|shelved|scrapped"
        r"|cancelled the plan|called off|dropped)\b",
        r"\bsaid (?:yes|no) to\b|\btook (?:the|their|his|her) (?:\w+ )?(?:offer|job|flat|house|deal|bid|quote"
        r"|first|second|cheaper)\b"
        r"|\baccepted\b|\btold .{2,30} we['’]d take\b",
        r"\b(?:made|make) up (?:my|our|their|her|his) minds?\b(?<!can['’]t make up my mind)|\bmade (?:the|a"
        r"|our|my) (?:choice|call|pick)\b|\bour (?:pick|choice)\b|\bpicked\b",
        r"\b(?:final|last) (?:call|choice|decision|answer|word|plan|version)\b|\bis final\b|\bthe (?:outcome"
        r"|upshot|conclusion|result|bottom line|winner|consensus)\b",
        r"^\W*(?:\w+ )?(?:outcome|upshot|conclusion|consensus|resolution|resolved|result)\b",
        r"\bin the end,? (?:it|we|they|i)\b|\bit(?:['’]s| is) going to be\b|\bit['’]ll be\b",
        r"\bcommitted (?:to|ourselves)\b|\bcommitment\b|\bwon (?:over|out|the vote)\b|\bprevailed\b"
        r"|\b(?:everyone|everybody|all) (?:is|are|was|were) (?:on board|in favou?r|for it)\b",
        r"\bwe['’]?(?:ll| will| are| have|['’]re|['’]ve)? (?:use|go|take|keep|stay|drop|postpone|skip|hire"
        r"|sell|buy|move|switch|dropped|picked|taking|keeping|buying"
        r"|selling|hiring|moving|switching|dropping|skipping|postponing|parked|stopping|stop)\b(?! (?:to be"
        r"|you|care))",
        r"\b(?:postponed|put off|parked|moved|deferred) (?:\w+ ){1,4}(?:until|till|to)\b|\binstead of \w+ing\b"
        r"|\b(?:fixed|set) the (?:date|price|budget)\b",
        r"\bis off\b(?=, we)|\bthe \w+ (?:stays|goes|has to go)[.!]?$|\b(?:i['’]ve|i have|she['’]s|he['’]s"
        r"|we['’]ve) resolved\b|\bfrom the meeting:",
        r"\b(?:entschieden|beschlossen|beschloss|entscheidung|geeinigt|vereinbart|abgelehnt|genehmigt"
        r"|gewählt)\b|\bwir nehmen\b|\bes wird\b",
        r"\b(?:decid(?:imos|ió|ido|ieron)|acord(?:amos|ado|ó)|decisión|elegi(?:do|mos)|hemos (?:elegido"
        r"|rechazado|aprobado)|quedamos en|vamos con|nos quedamos con"
        r"|se (?:aprobó|rechazó|decidió|acordó))\b",
    ]),
    "open": any_of([
        r"\?\s*$",
        r"^\W{0,10}(?:blocked|next(?: up| steps?)?|remaining work|zu (?:tun|erledigen)|nächste schritte|als nächstes"
        r"|blockiert)\b ?:|\bfixme\b",
        r"^\W{0,10}(?:known |new )?(?:bug|defect|regression|fehler)\b(?: ?#?\d{1,7})? ?:"
        r"(?![^.!\n]{0,200}\b(?:fixed|closed|resolved|solved|behoben|gelöst)\b)",
        r"^[^.!]*\?",
        r"^\W*(?:open|pending|undecided|unclear|unresolved|awaiting|missing|to do|todo|to be|tbd|remaining"
        r"|outstanding|left to do|unsure|offen)\b",
        r"\b(?:open (?:question|issue|point|item|matter)s?|unclear|undecided|unresolved|unanswered|unsettled"
        r"|uncertain|unconfirmed"
        r"|to be (?:decided|clarified|confirmed|discussed|determined|sorted|settled|agreed)|tbd|todo|to-do"
        r"|loose end)\b",
        r"\b(?:is|are|remains?|still|reply|quote|payment|answer|approval|signature) (?:still |yet )?(?:open"
        r"|pending|outstanding|unknown|missing|due|in the works"
        r"|under discussion|up in the air|being processed|in limbo)\b(?! (?:until|till|from|daily|on|at|all)\b)",
        r"\bno (?:one|body) (?:has )?(?:worked out|knows|could|can)\b|\bnobody has (?:worked out|told)\b"
        r"|\ba mystery\b|\b(?:can['’]t|couldn['’]t) (?:tell|agree|say|be found)\b|\bjury['’]s still out\b"
        r"|\btoo early to\b"
        r"|\bunder negotiation\b|\bneeds? (?:writing|collecting|doing|fixing|checking)\b"
        r"|\bwants? another look\b|\bhaven['’]t (?:thought|managed)\b|\bi (?:wonder|ought to)\b"
        r"|\bfehlt uns noch\b|\bmüssen wir noch\b|\bno explanation\b",
        r"\bup in the air\b|\bunder discussion\b|\bin the works\b|\bremains? to be\b|\banyone['’]s guess\b"
        r"|\bquestion mark\b|\bwho knows\b|\bhangs? in the balance\b|\bon hold\b",
        r"\b(?:not|never|isn['’]t|aren['’]t|wasn['’]t|hasn['’]t|haven['’]t"
        r"|hadn['’]t)(?: \w+){0,2} (?:been )?(?:decided|settled|clear|confirmed|known|done|answered|sorted"
        r"|figured"
        r"|found|heard|chosen|agreed|sent|replied|got back|made up|finished|booked|fixed|discussed|signed"
        r"|approved|resolved|come up with|picked|received)\b",
        r"\bnot (?:\w+ )?sure\b|\bunsure\b|\b(?:i|we|nobody|no one) (?:still )?(?:don['’]t|do not"
        r"|doesn['’]t)?\s?(?:yet )?knows?(?: yet)? (?:if|whether|who|what|when|where|how|why|which)\b"
        r"|\b(?:don['’]t|doesn['’]t|do not) know\b|\bno idea\b|\bcan['’]t (?:make up my mind|decide"
        r"|tell (?:yet|whether))\b|\bin two minds\b|\btorn between\b|\bwondering (?:if|whether|how|who|what)\b",
        r"\bno (?:word|news|answer|reply|response|decision|date|solution|agreement|consensus|result|candidate"
        r"|quote|offer)(?: \w+)* (?:yet|so far|from|on|for|about)\b"
        r"|\bnothing (?:so far|yet|decided|settled)\b|\bwithout (?:a )?(?:result|decision|conclusion|answer)\b"
        r"|\bno (?:word|news|answer|reply)\b",
        r"\bstill (?:open|unclear|undecided|to|need|needs|waiting|missing|no|nothing|looking|searching|have to"
        r"|has to|must|lack|lacks|wants?|owe|owes|thinking|debating|don['’]t|haven['’]t|hasn['’]t"
        r"|being)\b",
        r"\bwaiting (?:for|on|to hear)\b|\bawaiting\b|\b(?:has|have) yet to\b|\byet to (?:be|pick|decide|hear"
        r"|choose|find|agree|confirm|reply)\b",
        rf"\b(?:i|we|you|some(?:one|body)|they) (?:\w+ )?(?:need to|needs to|have to|has to|must|should"
        rf"|ought to|['’]ve got to|got to|gotta) (?:\w+ )?{_TO_FIND}\b",
        r"\b(?:need|needs|require|requires) (?:a|an|your|the|my|his|her|another|some) (?:decision|answer"
        r"|signature|reply|second opinion|solution|volunteer|replacement|fix|review)\b"
        r"|\bneeds? (?:to be )?(?:sorting|fixing|clarif|sorted|settled)",
        r"\b(?:question|issue|matter|point|problem|thing)s? (?:\w+ ){0,3}(?:is|are) (?:left|whether|who|how"
        r"|what|when|where)\b|\bone (?:thing|question|point) is left\b|\bthe question (?:is|of|remains|whether"
        r"|for)\b|\bquestion for\b",
        r"\b(?:owe|owes|promised) \w+(?: \w+)? (?:an? )?(?:answer|reply|call|decision)\b|\b(?:figure|find|work"
        r"|sort) out (?:how|who|what|when|where|why|whether|which|if)\b",
        r"^\W*(?:figure out|find out|find some|look into|clarify|sort out|chase)\b",
        r"\b(?:someone|somebody) (?:has to|should|must|needs to|ought to)\b|\bby \w+ (?:we|i) (?:must|need)\b"
        r"|\b(?:remains?|stays?) (?:open|unclear|unsolved|a mystery|unanswered)\b|\bdepends on whether\b",
        r"\b(?:offene? frage|noch (?:offen|unklar|keine?|nicht|immer nicht)|unklar|ungeklärt|steht noch aus"
        r"|wissen (?:wir )?noch nicht|warten (?:noch )?auf|warte (?:noch )?auf|muss noch|müssen noch)\b",
        r"\b(?:pendiente|sin decidir|falta (?:saber|por|decidir|\w+ar)|todavía no|aún no|por decidir"
        r"|no sabemos|no sé si|queda por|esperando)\b",
        r"¿",
    ]),
    "promise": any_of([
        r"\b(?:i|we)(?:['’]ve| have)?(?: also| just| already)? (?:promised|assured|vowed|pledged|swore|sworn"
        r"|guaranteed)\b",
        r"^\W*(?:promised|assured|vowed|pledged|swore|guaranteed)\b",
        rf"(?:^\W*|\b(?:i|we)(?:['’]ve| have)? )(?:also )?(?:told|said to|let) (?!(?:me|us)\b)(?:{_WHOM} )"
        rf"(?:know )?(?:that )?(?:{_I_WILL}|(?:he|she|they) (?:can|may|could|will|['’]ll)\b)",
        rf"(?:^\W*|\b(?:i|we)(?:['’]ve| have)? )(?:also )?(?:said|offered|agreed|volunteered|undertook|committed"
        rf"|signed up)"
        rf" (?:that )?(?:{_I_WILL}|to (?!(?:\w+ing|the|a|an|my|our|this|that)\b))",
        r"\b(?:i|we)(?:['’]ve| have)? ?(?:gave|given|give) (?:my|our|\w+ (?:my|our)) word\b",
        r"^\W*(?:gave|given) (?:my|our|\w+ (?:my|our)) word\b|\bsaid yes to\b",
        r"\b(?:habe?|haben) (?:ich |wir )?(?:\w+ ){0,4}(?:versprochen|zugesagt|zugesichert|mein wort gegeben)\b"
        r"|^\W*(?:versprochen|zugesagt)\b|^\W*(?:dem|der|den) (?:\w+ ){1,3}(?:versprochen|zugesagt)\b"
        r"|\b(?:fest )?(?:versprochen|zugesagt)[.!]?$|\bhab(?:e|en)? (?:\w+ ){1,2}gesagt,? (?:dass )?(?:ich|er|sie"
        r"|wir)\b",
        r"\b(?:prometí|le he prometido|he prometido|me he comprometido|me comprometí|he quedado en|quedé en)\b",
    ]),
}  # fmt: skip
"""By act, what its statements have one of."""

DENIED = {
    "decision": any_of([
        r"\b(?:not|n['’]t|never|nobody|no|need a|needs? a|need the|before|until|await\w*|yet to|have to|has to"
        r"|must|should|can|could|to|did) (?:\w+ ){0,2}(?:decide[ds]?|decision|agree[ds]?|agreement|choose"
        r"|chosen|settled?|pick|vote)\b(?! (?:to|on|for|that|against)\b.{0,60}\b(?:was|is) (?:taken|made))",
        r"\b(?:decision|agreement|choice|verdict)\b.{0,30}\b(?:hard|easy|pending|open|due|outstanding|missing"
        r"|needed|ahead|maker|making)\b|\bbook about\b|\b(?:he|she) (?:said|thinks|told)\b.{0,30}\bdecision\b",
        r"\b(?:decided|agreed) (?:quickly|slowly|with|at once)\b|\b(?:tariff|lease|rental|licen[cs]e"
        r"|collective) agreement\b",
        r"\b(?:beschließen|entscheiden) (?:wir|müssen)\b|\bnoch (?:nicht|keine)\b",
    ]),
    "open": any_of([
        r"\b(?:key|wallet|cat|dog|piece|passport|ring)\b.{0,20}\b(?:missing|unknown)\b|\bmissing (?:key|wallet"
        r"|cat|dog|piece|passport|ring)\b|\bunknown (?:caller|number|author|artist)\b",
    ]),
    "instruction": any_of([
        r"^\W*(?:no|oh|ah|hm+|sorry|hang on|hold on)\b\W{0,3}wait\b",
        r"^\W*(?:[\w'’]+ ){0,3}?(?:mail|report|text|draft|order|list|quote|offer|file|log|book|copy|update|review|plan"
        r"|move) (?:\d+ )?(?:was |were |has been |have been |is now |just )?(?:sent|delivered|signed|filed|submitted"
        r"|published|written|done|finished|approved|paid|posted|received|arrived|accepted|rejected)\b",
        r"^\W*(?:mail|call|text|note|report|quote|offer|order) from (?:\w+ ){1,3}?\w+ ?:",
    ]),
}  # fmt: skip
"""By act, wording that only looks like it."""
