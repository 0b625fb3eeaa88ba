"""English as it is typed in a hurry: contractions without their apostrophe and a few usual shortenings, spelled out."""

import re

from context_graph.regex import regex

__all__ = ["TYPED", "spelled_out", "weekdays_in_full"]

_NEGATED = "ain aren can couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn".split()
_FORMS = {
    **{f"{verb}t": f"{verb}'t" for verb in _NEGATED},
    "im": "I'm", "ive": "I've", "hes": "he's", "shes": "she's", "theyre": "they're", "theyve": "they've",
    "youre": "you're", "youve": "you've", "weve": "we've", "thats": "that's", "theres": "there's", "whos": "who's",
    "whats": "what's", "wheres": "where's", "whens": "when's", "hows": "how's", "whys": "why's",
    "u": "you", "ur": "your", "pls": "please", "plz": "please", "thx": "thanks", "cuz": "because", "coz": "because",
    "sry": "sorry", "soz": "sorry", "yest": "yesterday", "tmrrw": "tomorrow", "2moro": "tomorrow",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "tmrw": "tomorrow", "tmr": "tomorrow",
    "bday": "birthday", "ppl": "people", "abt": "about", "w": "with", "w/": "with", "b4": "before",
    "wknd": "weekend", "bc": "because", "rn": "right now", "mums": "mum's", "moms": "mom's", "dads": "dad's",
    "appt": "appointment", "appts": "appointments", "mtg": "meeting", "msg": "message", "msgs": "messages",
    "mins": "minutes", "hrs": "hours", "wk": "week", "wks": "weeks", "yr": "year", "yrs": "years",
    "til": "until", "thru": "through", "nite": "night", "tonite": "tonight", "kcal": "calories", "meds": "medication",
    "hubby": "husband", "sis": "sister", "fav": "favourite", "fave": "favourite", "dob": "date of birth",
    "acct": "account", "dept": "department", "mgr": "manager", "govt": "government",
    "pic": "picture", "pics": "pictures", "approx": "about", "uni": "university", "physio": "physiotherapy",
    "db": "database", "infra": "infrastructure", "config": "configuration", "repo": "repository",
    "repos": "repositories", "k8s": "kubernetes", "env": "environment", "prod": "production",
}  # fmt: skip
"""Forms that mean nothing else in a sentence: "its", "ill", "id", "were" and "well" do, and stay."""

TYPED = frozenset(_FORMS)

_SIGNS = '.,;:!?()[]"“”…-–—*_'
"""What may stand beside a word; a text without any of the forms is not searched for them."""

_BLANKS = str.maketrans(dict.fromkeys(_SIGNS, " "))
"""No form has such a sign: where the signs are blanks, each form that a text has stands alone."""

_WRITTEN = regex(
    rf"(?<![\w'’./@#=<-])(?:{'|'.join(sorted(map(re.escape, _FORMS), key=len, reverse=True))})(?![\w'’/@(=>-]|\.\w)",
    re.I,
)

_WEEKDAYS = {
    day[:3].lower(): day for day in "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
}  # fmt: skip
_SHORT_DAY = regex(r"\b(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\b", re.I)
_PART_OF_DAY = r"(?:am|pm|mornings?|noon|lunch(?:time)?|afternoons?|evenings?|eve|nights?)"
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)\b"
_DAY_IN_CONTEXT = regex(
    r"\b(?:tues|weds|thurs?)\b\.?(?!['’/@(=-])"
    rf"|\b{_DAY}(?:\.?\s*(?:-|–|/|,|&|\band\b|\bor\b|\bto\b|\btill?\b)\s*{_DAY})+"
    rf"|\b(?:this|next|last|every|each)\s+{_DAY}"
    rf"|\b(?:on|by|until|till|since|from|before|after|for|of|and|or|to|is|are)\s+{_DAY}\.?"
    rf"(?=\s*(?:$|[.,;:!?)–]|\d|(?:at|and|or|till?|until|from|with|w|in|for|the|because|cos|{_PART_OF_DAY})\b))"
    rf"|\b{_DAY}\.?(?=,?\s+(?:{_PART_OF_DAY}\b|(?:at\s+)?\d\d?(?:[:.]\d\d|\s*[ap]m|st|nd|rd|th)\b"
    r"|at\s+(?:\d|noon|half)))",
    re.I,
)
"""A day in short, where it is no other word: "sat" and "sun" behind a preposition or before a time of day."""

_OPERATION = regex(r"(['’]s|\b(?:my|his|her|our|your|their|the|an|big|hip|knee|eye|back|heart)) op\b(?![\w'’/@(=>-])")
"""Elsewhere "op" may be Dutch, or an operator."""


def spelled_out(text: str) -> str:
    """An English text with what was typed without apostrophes, or shortened, as it is usually written.

    What is in capitals ("IM", "W") stays: it stands for something else.

    Examples
    --------
    >>> spelled_out("im living in halls, whos my tutor")
    "I'm living in halls, who's my tutor"
    >>> spelled_out("Im sharing w priya, dont forget")
    "I'm sharing with priya, don't forget"
    >>> spelled_out("An IM client with 40 W"), spelled_out("Mum's op")
    ('An IM client with 40 W', "Mum's operation")
    >>> spelled_out("mtg w/ aoife on fri 10am"), spelled_out("The cat sat on the wall in the sun.")
    ('meeting with aoife on Friday 10am', 'The cat sat on the wall in the sun.')
    """
    text = weekdays_in_full(text)
    lower = text.lower()
    if " op" in lower:
        text = _OPERATION.sub(r"\1 operation", text)
    if TYPED.isdisjoint(lower.translate(_BLANKS).split()) or TYPED.isdisjoint(
        word.strip(_SIGNS) for word in lower.split()
    ):
        return text
    return _WRITTEN.sub(_spelled, text)


def weekdays_in_full(text: str, *, alone: bool = False) -> str:
    """A text with the names of days that were shortened.

    Parameters
    ----------
    alone : bool
        The text is so short that no other word is meant: "sat" alone is a day.

    Examples
    --------
    >>> weekdays_in_full("gas man coming weds am, last sat he didn't"), weekdays_in_full("She sat 2 hours. MON_FRI=1")
    ("gas man coming Wednesday am, last Saturday he didn't", 'She sat 2 hours. MON_FRI=1')
    """
    lower = text.lower()
    if not any(day in lower for day in _WEEKDAYS) or not _SHORT_DAY.search(text):
        return text  # most texts have none of these letters, which are found sooner
    if alone:
        return _SHORT_DAY.sub(_day_in_full, text)
    return _DAY_IN_CONTEXT.sub(lambda match: _SHORT_DAY.sub(_day_in_full, match[0]), text)


def _day_in_full(short: re.Match[str]) -> str:
    return _WEEKDAYS[short[0][:3].lower()]


def _spelled(match: re.Match[str]) -> str:
    word = match[0]
    if word.isupper():
        return word
    plain = _FORMS[word.lower()]
    return plain if word[0].islower() else plain[0].upper() + plain[1:]
