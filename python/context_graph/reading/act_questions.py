"""The wording of questions that ask for all statements of a kind: instructions, decisions, promises, dates to come.

Written as `act_forms` is: one construction a line, for texts that are `caseless`.
"""

from context_graph.reading.act_forms import any_of

__all__ = ["ASKED", "ONE"]

_QUESTIONS = (
    r"(?:what|which|how|who|where|when|list|show|give|name|tell|remind|any|anything|is there|are there|do we have|sum"
    r"|was|welche\w*|wie|worauf|worüber|qué|cómo|cuáles)"
)

TO_BE_DONE = "fetch|pick up|collect|buy|order|bring|pay|send|return|give back|hand in|submit|book|call|renew|sign|pack"

ONE = any_of(
    [
        r"^\W*(?:how (?:many|much|long|often|old|far|big|tall)|why|when|whose|did|does|do|has|have|had"
        r"|was(?! (?:mag|esse|hab|habe|haben|gilt|läuft|weißt|lerne|ist|darf|soll|steht|fehlt|muss|wissen)\b)|were"
        r"|is (?!there|anything)"
        r"|are (?!there|any)"
        r"|can|could|will|would|where (?!did we land|are we|do we stand)|wann|warum|wo(?! (?:fehlt|klemmt|hakt))|wer"
        r"|cuándo|dónde"
        r"|por qué|quién)\b(?! (?:we|i) (?:have|got) any)",
        r"^\W*who\b(?!.*(?:n['’]t|\bnot|\bstill|\bowe|\bwaiting)\b)",
        r"\b(?:what|which) (?:type|name|colou?r|size|day|date|time|year|city|country|game|movie|film|song|book"
        r"|person|king|company)\b|\bthe name of\b",
        r"\bfavou?rite (?!(?:things|foods?|dishes|films|books|music|places)\b)\w+(?<!s)\b",
        r"\b(?:number|address|price|cost|fee|rent|salary|password|pin|birthday|deadline|name)\W*$",
        r"\b(?:insurance|health|life|car|household) (?:polic(?:y|ies)|rules)\b",
        r"^\W*(?:how|where|when|by what) (?:is|are|gets?|does|do) (?!(?:we|i|you|our|my"
        r"|the (?:team|family|board))\b).{1,80}\b(?:chosen|chooses?|picked|picks?|decided|decides?)\b",
        r"^\W*(?:what|which \w+) (?:decides|chooses|picks)\b"
        r"|^\W*(?:what|which) .{1,40}\b(?:is|are|gets?|does it|do they) (?:then )?(?:chosen|chooses?|picked|picks?)\b",
        r"\b(?:instructions|rules|orders|requirements) (?:does|do|did) (?:the|a|this|that|it|its) ?(?:\w+ ){0,3}"
        r"(?:print|show|emit|send|return|contain|read|parse|execute|accept|log|apply|define|check)\b",
        r"\bto-?dos? (?:are )?in (?:this|the|that) (?:\w+ )?(?:code|sources?|file|module|function|class|package"
        r"|repo\w*)\b",
        r"^\W*what (?:went|goes|is|was|['’]s) wrong\b|^\W*what (?:did|does|do|will|would) .{1,60}\b(?:cost|weigh)\b",
    ]
)
"""What questions for one thing have: none of them asks for all statements of an act."""

_OF_THE_USER = (
    r"\bhow (?:do|does|would|did) (?:(?:the |this )?user|i|we) (?:want|like|prefer|expect)"
    r" (?:(?:me|you|us|(?:the |its )?agent) to (?:work|behave|act|proceed|operate)|things(?: done)?|work done)\b"
    r"|\bwie (?:möchte|will|hätte) (?:der |die )?nutzer(?:in)? (?:es|dass|mich|dich)\b"
)
"""How the user wants it, which instructions and preferences say."""

ASKED = {
    "instruction": any_of([
        _OF_THE_USER,
        r"\b(?:instructions?|ground rules|guidelines|rules?|conventions?|coding standards?|standards|policy"
        r"|policies|do['’]?s and don['’]?ts|restrictions?|requirements"
        r"|no-gos|regulations|etiquette|directives?|orders did i)\b(?!.{0,20}\b(?:broken|break|game)\b)",
        r"\bhow (?:do|would|did|should|shall|must|can) (?:i|we|you|your|my|one) (?:like|want|prefer|write"
        r"|answer|format|talk|reply|help|behave|address|code|phrase|need to|handle|treat|deal"
        r"|respond|name|spell|style|sign)\b",
        r"\bhow (?:should|must|are) .{1,30}\b(?:be )?(?:handled|written|formatted|addressed|named|treated|done"
        r"|answered|signed|spelled|labelled)\b",
        r"\bwhat (?:must|should|may|mustn['’]t|shouldn['’]t) (?:i|you|we|one|guests|everyone|nobody) (?:not "
        r"|never |always )?(?:watch|remember|keep|mind|avoid|do|forget|bear|say|consider|respect|mention|write"
        r"|pay"
        r"|observe|follow|leave)\b",
        r"\b(?:what|anything|which)\b.{0,30}\b(?:(?:ask|asked|tell|told|want|wanted|expect"
        r"|expected)(?: of)? you|expect from you|supposed to|forbidden|prohibited|(?:not )?allowed|off limits"
        r"|taboo)\b",
        r"\btold you (?:to|never|always|not)\b|\btell you (?:to|never|always|not)\b|\basked? of you\b"
        r"|\bexpect from (?:you|your)\b|\blimits did i\b|\bin (?:what|which) (?:style|tone|form"
        r"|language) (?:should|do|must|shall)\b",
        r"\b(?:standing orders|protocol for|procedure|orders for|code for)\b|\bare (?:you|we"
        r"|they) (?:expected )?to (?:do|treat|follow|format)\b|\b(?:expected to do|stick to|watch out for"
        r"|laid down|demand of)\b|\b(?:was|wie) (?:sollst|soll|muss) du\b"
        r"|\b(?:my|our) (?:wishes for|expectations)\b|\bwhat (?:tone|style|format|language) (?:should|do|am"
        r"|must|shall)\b",
        r"\b(?:regeln|vorgaben|anweisungen|richtlinien)\b|\bwie soll(?:st|t)? (?:ich|du|man|wir)\b"
        r"|\bwas (?:darf|soll) (?:man|ich|ihr|du)\b",
        r"\b(?:reglas|normas|instrucciones|indicaciones)\b|\bcómo (?:quiero|debo|debes|prefiero|hay que)\b"
        r"|\bqué (?:debes|no debes|te he pedido)\b",
    ]),
    "preference": any_of([
        _OF_THE_USER,
        r"\b(?:preferences?|likes and dislikes|my tastes?|taste in|pet peeves?|favou?rites?|picky|fussy"
        r"|no-gos)\b|\bof my tastes\b",
        r"\b(?:what|which|how|who(?:m)?|where)\b.{0,40}\b(?:do|does|did|would|don['’]t|doesn['’]t|can['’]t"
        r"|could) (?:i|we|my \w+|our \w+|the (?:kids|children|boys|girls|guests|twins|team|dog|cat))"
        r" (?:really |most |usually |rather |least )?(?:like|dislike|enjoy|hate|love|prefer|stand|bear|fancy"
        r"|avoid|listen|rather)\b",
        r"\b(?:foods?|things|music|films|books|drinks|what) (?:should|must) (?:you|i|we) (?:leave out|avoid"
        r"|bear in mind|watch|mind)\b|\b(?:keep|bear) in mind when (?:i|you|we) (?:cook|plan|shop|buy|choose"
        r"|pick)\b|\bwhat (?:must|should) (?:i|you|we) (?:watch|avoid|bear)\b",
        r"\b(?:vorlieben|likes or dislikes|pet hates|fond of|soft spot|glad to get|appeals? to|puts? me off"
        r"|turns? \w+(?: \w+)? off|a fan of|gone off|adores|likes what)\b|\b(?:does|do) .{1,30} like\b"
        r"|\bfind (?:annoying|beautiful|boring)\b|\bmakes? .{1,20} happy\b|\bsoporta\b",
        r"\b(?:annoys?|bothers?|bores?|pleases?|delights?|irritates?|suits?|relaxes) (?:me|us)\b"
        r"|\bmakes? (?:me|us) (?:happy|angry|sad|nervous|smile)\b|\b(?:am i|are we|is \w+) (?:really )?into\b"
        r"|\bidea of a (?:good|perfect|nice)\b",
        r"\bhow do (?:i|we) (?:like|take|want|prefer|have) (?:my|our|to|things|the)\b|\bsort of \w+ do i\b"
        r"|\bkind of \w+ (?:do|would) (?:i|we)\b",
        r"\b(?:mag|mögen|esse|trinke|mache|lese|höre) (?:ich|wir)\b.*\b(?:gern|gerne|lieber|am liebsten"
        r"|nicht)\b|\bwas (?:mag|mögen|gefällt|stört|schmeckt)\b|\bwas \w+ (?:ich|wir) gerne?\b",
        r"\b(?:me|nos|le|les) (?:gusta|encanta|molesta)n?\b|\bprefiero\b|\bprefieren?\b",
    ]),
    "decision": any_of([
        rf"\b{_QUESTIONS}\b.{{0,60}}\b(?:decid\w+|decisions?|agreed?|agreements?|settled?|chosen|choose|chose"
        rf"|choices?|resolved|resolutions?|conclusions?|approved|rejected|committed|ruled out|rule out|opted"
        rf"|opt|picked|voted"
        r"|vetoed|verdicts?|adopted|signed off|turned down|turn down|passed)\b(?! (?:on|for) (?:fire|fun)\b)",
        r"\b(?:our|the|all|any|list|which|past|latest) decisions?\b|\bwhat (?:was|were|is) the (?:outcomes?"
        r"|results?|verdict|upshot|conclusion|consensus|final)\b|\b(?:came|come) out of\b|\bland(?:ed)? on\b"
        r"|\bdid .{0,30}\bland\b|\bmade up (?:my|our|their) minds?\b"
        r"|\b(?:did|have|has) .{1,30}\bg(?:o|one) (?:for|with)\b|\b(?:is|what['’]s|what is) (?:now )?(?:final"
        r"|fixed|definite)\b|\bwhich option\b|\bsay (?:yes|no) to\b|\bin the end\b",
        r"\b(?:final word|concluded|scrapped|commitments?|conclusions?|reached consensus|make up our minds"
        r"|green light|discard|adopt|resolve|come down to)\b|\bfixed so far\b|\bse (?:acordó|decidió)\b",
        r"\bpolic(?:y|ies)\b|\bcome down on\b|\b(?:steht|stehen) .{1,40} fest\b|\bfeststeh(?:t|en)\b",
        r"\b(?:beschlossen|entschieden|geeinigt|vereinbart|festgelegt|entscheidungen|beschlüsse|abgemacht)\b"
        r"|\b(?:decidi\w+|acorda\w+|decisiones|elegi\w+|quedamos)\b",
    ]),
    "open": any_of([
        rf"\b{_QUESTIONS}\b.{{0,60}}\b(?:unresolved|undecided|unanswered|unclear|unsettled|unsolved|pending"
        rf"|outstanding|unknown|unfinished|uncertain|missing|blocking|blocked)\b",
        r"\b(?:is|are|what['’]s|what|which|anything|questions?|points?|issues?|items?"
        r"|matters?)\b.{0,30}\bopen\b(?! (?:on \w+days?|at (?:night|noon|\d+|\w+ o)|until|till|from|source"
        r"|daily)\b)",
        r"\bopen (?:questions?|issues?|points?|items?|matters?|ends|tasks?|tickets?|bugs?|work)\b"
        r"|\bloose ends?\b|\bup in the air\b"
        r"|\bto-?dos?\b|\bto-do list\b|\bon (?:my|our) (?:list|plate)\b|\bneeds? (?:my|our|some) attention\b"
        r"|\bneeds? (?:an answer|answering|a decision|deciding|sorting|clarifying)\b",
        r"\b(?:still|yet)\b.{0,30}\b(?:needs?|open|unclear|to be|to do|to decide|to find|to happen|undecided"
        r"|missing|waiting|have to|has to|need to|must|lack|lacking|owe)\b|\b(?:have|has|do|does|is"
        r"|are)(?:n['’]t| not)\b.{0,40}\b(?:yet|back|decided|know|clear|settled|sorted|heard|answered|done)\b",
        r"^\W*what (?:do|must|should|have) (?:i|we) (?:still )?"
        r"(?:(?:have|need|got) to (?:do|get done|take care of)|take care of|get done|do next)"
        r"(?: (?:next|now|today|tomorrow|soon|(?:this|next) \w+|(?:for|about) [\w' -]{1,40}))?\W*$",
        rf"^\W*what (?:do|must|should|have) (?:i|we) (?:still )?(?:have|need|got) to (?:{TO_BE_DONE})\b"
        r"(?: (?:for|before|at|on|in|this|next|today|tomorrow|from|soon)\b[^?]{0,60})?\W*$",
        r"^\W*(?:what are )?(?:my|our) (?:\w+ )?(?:tasks|duties)\W*$|\bwh(?:at|ich) (?:\w+ )?tasks (?:do|have)\b",
        r"\b(?:uncertainties|unsure|riddles|mysteries|dudas)\b|\b(?:sorted out|find out|look into|be checked"
        r"|clarify|got round to|put off|torn|stuck|hanging|not known|no one explained"
        r"|without an explanation)\b",
        r"\b(?:left|remains?|remaining|remain) (?:to (?:be )?\w+|open|unclear)\b|\b(?:questions?|points?"
        r"|tasks?|things|issues) (?:are|is) left\b|\bwaiting (?:for|on)\b"
        r"|\bwe waiting for\b|\bchase up\b|\bfollow up on\b|\bowe\b.{0,20}\b(?:answer|reply|call)\b"
        r"|\bdon['’]t (?:we|i) know\b|\bis holding (?:us|me|up)\b",
        r"\b(?:noch|immer noch)\b.{0,20}\b(?:offen|unklar|fehlt|fehlen|aussteh\w*|steht aus|tun|klären"
        r"|erledigen|zu)\b|\b(?:warten|warte) (?:wir|ich)\b"
        r"|\boffenen? (?:fragen|punkte|aufgaben|themen|tickets|bugs|fehler|baustellen)\b"
        r"|\b(?:was|welche\w*)\b.{0,40}\boffen\b(?! (?:bis|von|ab|am|um|zu)\b)|\b(?:pendientes?"
        r"|falta(?:n)?|queda(?:n)? por|por decidir|sin resolver|sin decidir|por hacer)\b",
    ]),
    "promise": any_of([
        r"\b(?:did|have|had) (?:i|we) (?:\w+ )?(?:promise|promised|vow|vowed|pledge|pledged|swear|sworn|guarantee"
        r"|guaranteed"
        r"|commit to|committed to|volunteer|volunteered)\b",
        r"\b(?:promises|commitments|pledges|favou?rs (?:have|did|do|am) (?:i|we))\b"
        r"|\b(?:gave|give|given) (?:\w+ )?(?:my|our) word\b",
        r"\bwhat (?:did|have) (?:i|we) (?:say|said|tell|told|agree|agreed|offer|offered)\b.{0,30}\b(?:i|we)(?:['’]d"
        r"| would)\b"
        r"|\bsa(?:y|id) (?:yes|i['’]d|i would)\b",
        r"\b(?:versprochen|zugesagt|zusagen|versprechen|mein wort)\b|\b(?:prometí|prometido|promesas|compromisos)\b",
    ]),
    "deadline": any_of([
        r"\b(?:deadlines|due dates?|cut-?offs?|time limits|appointments|expiry dates|upcoming dates)\b",
        r"\bwhat(?:['’]s| is| are| has| do| must| needs)?\b.{0,40}\b(?:due|by when|in time|on time|before a (?:date"
        r"|deadline)"
        r"|by a (?:certain|given|fixed|set) date|coming up|time-critical|on (?:my|the) calendar)\b(?! to\b)",
        r"\b(?:which|what) (?:\w+ )?(?:dates|appointments|deadlines)\b|\bwhat (?:expires|runs out|renews|falls due)\b",
        r"\b(?:fristen|fälligkeiten)\b|\btermine\b.{0,30}\b(?:an|näher|ein|habe)\b|\btermingerecht\b|\bfällig\b"
        r"|\b(?:plazos|vencimientos|vence)\b|\bqué citas\b",
    ]),
}  # fmt: skip
"""By act, what questions for all its statements have one of."""
