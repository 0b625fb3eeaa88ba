"""Words and phrases that say the same wherever both can stand: "sofa" and "couch", "put off" and "postpone"."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

__all__ = ["bases", "forms", "groups", "in_one_wording", "past_of"]

TABLE = Path(__file__).parent.parent / "data" / "wordings.txt"

_IRREGULAR = {
    "begin": "begins began begun beginning", "shut": "shuts shut shut shutting", "buy": "buys bought bought buying",
    "put": "puts put put putting", "choose": "chooses chose chosen choosing", "opt": "opts opted opted opting",
    "find": "finds found found finding", "get": "gets got got getting", "leave": "leaves left left leaving",
    "come": "comes came come coming", "go": "goes went gone going", "show": "shows showed shown showing",
    "speak": "speaks spoke spoken speaking", "think": "thinks thought thought thinking",
    "forbid": "forbids forbade forbidden forbidding", "ban": "bans banned banned banning",
    "throw": "throws threw thrown throwing", "take": "takes took taken taking", "die": "dies died died dying",
    "break": "breaks broke broken breaking", "split": "splits split split splitting",
    "build": "builds built built building", "make": "makes made made making", "run": "runs ran run running",
    "sign": "signs signed signed signing", "log": "logs logged logged logging", "keep": "keeps kept kept keeping",
    "give": "gives gave given giving",
    "hold": "holds held held holding",
    "have": "has had had having",
    "own": "owns owned owned owning",
    "be": "is was been being",
    "sell": "sells sold sold selling",
    "borrow": "borrows borrowed borrowed borrowing",
    "teach": "teaches taught taught teaching",
    "learn": "learns learned learned learning",
    "rent": "rents rented rented renting",
    "hear": "hears heard heard hearing",
    "tell": "tells told told telling",
    "chat": "chats chatted chatted chatting",
    "nap": "naps napped napped napping",
    "inherit": "inherits inherited inherited inheriting",
    "shop": "shops shopped shopped shopping",
    "drive": "drives drove driven driving",
    "hug": "hugs hugged hugged hugging",
    "occur": "occurs occurred occurred occurring",
    "seek": "seeks sought sought seeking", "enrol": "enrols enrolled enrolled enrolling",
    "lend": "lends lent lent lending", "bring": "brings brought brought bringing",
    "wake": "wakes woke woken waking", "cancel": "cancels cancelled cancelled cancelling",
    "prefer": "prefers preferred preferred preferring", "permit": "permits permitted permitted permitting",
    "plan": "plans planned planned planning",
    "swim": "swims swam swum swimming", "jog": "jogs jogged jogged jogging", "stop": "stops stopped stopped stopping",
    "tear": "tears tore torn tearing", "do": "does did done doing", "set": "sets set set setting",
    "lose": "loses lost lost losing", "mislay": "mislays mislaid mislaid mislaying",
    "speed": "speeds sped sped speeding", "repay": "repays repaid repaid repaying", "pay": "pays paid paid paying",
    "ship": "ships shipped shipped shipping", "send": "sends sent sent sending",
    "write": "writes wrote written writing", "jot": "jots jotted jotted jotting",
    "swap": "swaps swapped swapped swapping", "sum": "sums summed summed summing", "say": "says said said saying",
    "drop": "drops dropped dropped dropping", "oversee": "oversees oversaw overseen overseeing",
}  # fmt: skip
"""By base: third person, past, participle, with -ing; where these do not follow from it."""

_BASE, _THIRD, _PAST, _PARTICIPLE, _ING = _FORMS = range(5)
"""Base, third person, past, participle, with -ing."""

_OTHER_PASTS = {
    "written": "wrote", "given": "gave", "taken": "took", "eaten": "ate", "drawn": "drew", "driven": "drove",
    "stolen": "stole", "seen": "saw", "done": "did", "chosen": "chose", "known": "knew", "thrown": "threw",
    "grown": "grew", "shown": "showed", "broken": "broke", "spoken": "spoke", "worn": "wore", "sung": "sang",
    "hidden": "hid", "bitten": "bit", "forgotten": "forgot", "flown": "flew", "ridden": "rode", "begun": "began",
}  # fmt: skip
"""The past of participles that are not spelled as it."""

Phrase = tuple[str, ...]


def in_one_wording(tokens: Sequence[str]) -> list[str]:
    """Tokens with each word or phrase of a group (`groups`) as the first of its group; the longest phrase counts.

    Examples
    --------
    >>> in_one_wording("Mia put off her journey because of fever".split())
    ['Mia', 'postponed', 'her', 'trip', 'because', 'of', 'fever']
    """
    table, i = _by_first_word(), 0
    worded: list[str] = []
    while i < len(tokens):
        for phrase, first in table.get(tokens[i], ()):
            if tuple(tokens[i : i + len(phrase)]) == phrase:
                worded += first
                i += len(phrase)
                break
        else:
            worded.append(tokens[i])
            i += 1
    return worded


@cache
def groups() -> tuple[tuple[Phrase, ...], ...]:
    """The groups of the table; those that share a phrase are one."""
    group_of: dict[Phrase, list[Phrase]] = {}
    for line in _lines():
        group: list[Phrase] = []
        for phrase in line:
            other = group_of.get(phrase, [phrase])
            if other is not group:
                group += [each for each in other if each not in group]
                for each in other:
                    group_of[each] = group
    return tuple(dict.fromkeys(tuple(group) for group in group_of.values()))


def past_of(participle: str) -> str:
    """The past of a verb, by its participle.

    Examples
    --------
    >>> past_of("written"), past_of("built"), past_of("called")
    ('wrote', 'built', 'called')
    """
    return _OTHER_PASTS.get(participle, participle)


def bases(form: str) -> list[str]:
    """The verbs that a participle, or a form with -ing, may be of.

    Examples
    --------
    >>> bases("written"), bases("checked"), bases("hopping")
    (['write'], ['check', 'checke'], ['hopp', 'hoppe', 'hop'])
    """
    irregular = [verb for verb, others in _IRREGULAR.items() if form in others.split()]
    if irregular:
        return irregular
    stem = form.removesuffix("ing") if form.endswith("ing") else form.removesuffix("ed")
    found = [stem, f"{stem}e"] if stem != form else []
    if stem.endswith("i"):
        found.append(f"{stem[:-1]}y")
    return [*found, stem[:-1]] if found and stem[-2:-1] == stem[-1:] else found


def _lines() -> Iterator[list[Phrase]]:
    for line in TABLE.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            phrases = [tuple(phrase.split()) for phrase in line.removeprefix("~ ").split(" = ")]
            if line.startswith("~ "):
                yield from ([(form, *verb[1:]) for verb, form in of_all] for of_all in _forms(phrases))
            else:
                yield phrases


def _forms(verbs: Sequence[Phrase]) -> Iterator[list[tuple[Phrase, str]]]:
    """Each form of all verbs of a line, with the verb that it is a form of.

    A form that serves twice counts once, or two tenses would be one: "put" is the past, "come" the base.
    """
    inflected = [forms(verb[0]) for verb in verbs]
    for form in _FORMS:
        yield [
            (verb, forms[form])
            for verb, forms in zip(verbs, inflected, strict=True)
            if forms[form] != (forms[_PAST] if form == _BASE else forms[_BASE] if form == _PARTICIPLE else "")
        ]


def forms(verb: str) -> list[str]:
    """A verb, its third person, past, participle, and the form with -ing.

    Examples
    --------
    >>> forms("decide"), forms("take")[2]
    (['decide', 'decides', 'decided', 'decided', 'deciding'], 'took')
    """
    if verb in _IRREGULAR:
        return [verb, *_IRREGULAR[verb].split()]
    stem = verb.removesuffix("e")
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return [verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb[:-1]}ied", f"{verb}ing"]
    third = f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh")) else f"{verb}s"
    return [verb, third, f"{stem}ed", f"{stem}ed", f"{stem}ing"]


@cache
def _by_first_word() -> dict[str, list[tuple[Phrase, Phrase]]]:
    """By the first word of a phrase, all that begin with it, the longest first, and what stands for each."""
    table: dict[str, list[tuple[Phrase, Phrase]]] = {}
    for group in groups():
        for phrase in group[1:]:
            table.setdefault(phrase[0], []).append((phrase, group[0]))
    for group in groups():  # what stands for a group is not cut up by a shorter phrase
        if group[0][0] in table:
            table[group[0][0]].append((group[0], group[0]))
    return {word: sorted(each, key=lambda pair: -len(pair[0])) for word, each in table.items()}
