"""What a question says once courtesy, contractions and punctuation are left out, so that equal questions look equal."""

import re
from collections import Counter

from context_graph.embed.causal import asks_for
from context_graph.embed.languages import in_full
from context_graph.embed.stems import STOP_WORDS, split_identifier
from context_graph.reading.intent import parse
from context_graph.reading.keyword_queries import ASKING, AUXILIARY, as_question
from context_graph.reading.third_person import asked_of_user
from context_graph.recall.courtesy import without_courtesy
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["as_asked", "canonical", "normalize", "signature"]

_PROSE = regex(r"[\w\s.,;:!?'’\"“”()-]*")
"""Text without a sign that means something by itself; what holds another one (code, paths, sums) stays as it is."""

_MEANING_SIGN = regex(r"_|\w[(]|[a-z][.:][A-Za-z]")
_TOKEN = regex(r"(?<![\w-])-?\d+(?:[.,:/-]\d+)*\b(?!-)|[^\W_]+(?:['’.-][^\W_]+)*")
_WORD_ASKING = regex(ASKING)
_OPENS = regex(rf"(?:{ASKING}|{AUXILIARY})", re.I)
_FRONTED = regex(
    rf"^((?:in|on|at|after|before|during|since|for|with)\b[^,?.!:;]*?),\s*((?:{ASKING}|{AUXILIARY})[^,?.!:;]*+)\W*+$",
    re.I,
)
"""A clause of time or place before the question: "In May, where ..." is read as "where ... in May"."""

_SHORT = tuple(
    (regex(pattern, re.I), plain)
    for pattern, plain in (
        (r"\bcan['’]t\b", "can not"),
        (r"\bwon['’]t\b", "will not"),
        (r"\b(\w+)n['’]t\b", r"\1 not"),
        (r"\b(what|who|where|when|why|how|that|there|it|he|she)['’]s\b", r"\1 is"),
        (r"\b(what|who|where|when|why|how)['’]d\b", r"\1 did"),
        (r"\b(\w+)['’]re\b", r"\1 are"),
        (r"\b(\w+)['’]ve\b", r"\1 have"),
        (r"\b(\w+)['’]ll\b", r"\1 will"),
        (r"\b(i)['’]m\b", r"\1 am"),
    )
)
_SAME = regex(
    r"\b(?:(?P<kind>(?:what|which) (?:sort|type|kind)s? of)|(?P<many>what number of)|(?P<about>regarding|concerning)"
    r"|(?P<before>prior to)|(?P<cannot>cannot))\b",
    re.I,
)
"""Function words that ask for the same thing, by what they are read as."""

_READ_AS = {"kind": "what kind of", "many": "how many", "about": "about", "before": "before", "cannot": "can not"}


_NAME_OF = regex(
    r"^what(?:['’]s| is| was|s) the (?:full )?name of"
    r" (?P<whose>(?:the|my|our|his|her|their|this|that) [\w'’ -]{1,60}?)(?=\W*$)",
    re.I,
)
"""Asks what something is called, as who tells it says."""

_OLD = regex(
    r"^(?P<asked>\W*(?:what|which|who|where|when|how)\b.{0,40}\b(?:was|were|did)\b.{0,60}"
    r"\b(?:the|my|our|his|her|their)) old(?= [a-z])",
    re.I,
)
"""Asks for what something was before: "the old title" is not said of one who is 30 years old."""

_PROFESSION = regex(
    r"^what (?:do|does) (?P<who>i|[\w'’ -]{1,40})"
    r" (?:do (?:for (?:a )?(?:work|living|job|money)|professionally|as a job)|work as)"
    r"(?: (?:now|currently|these days))?(?=\W*$)"
    r"|^what(?:['’]s| is) my (?:(?:current|day) )?(?P<job>job|occupation|line of work|trade)(?=\W*$)",
    re.I,
)
"""Asks what somebody works as."""

_SUMMARY = regex(
    r"^(?:(?:give|show|write|send) (?:me|us) )?(?:(?:an?|the|my|our) )?(?:(?:short|quick|brief|full) )?"
    r"(?:(?:summary|recap|overview|rundown|review|digest) (?:of|for)|summari[sz]e|recap|sum up|review)"
    r" (?P<time>(?:the )?(?:(?:last|past|previous|this) [a-z0-9 ]{1,30}|yesterday|today|week(?:end)?|month"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))(?=\W*$)",
    re.I,
)
"""Asks for all of some time."""


def as_asked(question: str) -> str:
    """A question as it is usually written, and of the user as the user would ask it; what somebody works as is asked
    for by words that are used for nothing else.

    Examples
    --------
    >>> as_asked("hi, where does the user live, whats the address")
    "where do I live, what's the address"
    >>> as_asked("What do I do for a living?"), as_asked("What's the user's job?")
    ('what is my work and profession?', 'what is my job and profession?')
    >>> as_asked("What's the name of our gym?"), as_asked("What was the old title?")
    ('what is our gym called?', 'What was the previous title?')
    >>> as_asked("What does my sister do for work?"), as_asked("What does Lena work as now?")
    ("what is my sister's work and profession?", "what is Lena's work and profession?")
    >>> as_asked("Please give me a summary of last week.")
    'what happened last week.'
    """
    typed = question.lower() if question.isupper() and len(question.split()) > 2 else question
    asked = asked_of_user(as_question(without_courtesy(in_full(typed))))
    asked = _OLD.sub(r"\g<asked> previous", asked)
    asked = _SUMMARY.sub(r"what happened \g<time>", _PROFESSION.sub(_as_profession, asked))
    return _NAME_OF.sub(r"what is \g<whose> called", asked)


def _as_profession(asked: re.Match[str]) -> str:
    whose = "my" if asked["job"] or asked["who"].lower() == "i" else f"{asked['who']}'s"
    return f"what is {whose} {'job' if asked['job'] else 'work'} and profession"


@kept_for_texts(maxsize=256)
def normalize(text: str) -> str:
    """A question without courtesy, contractions and punctuation; text that is more than prose is left as it is.

    Numbers, names, negations and the order of words stay.

    Examples
    --------
    >>> normalize("Could you please tell me what's Anna's dog called, please?")
    "what is Anna's dog called?"
    >>> normalize("In May 2024, where did Bob live?")
    'where did Bob live In May 2024?'
    >>> normalize("What does parse(x) return?")
    'What does parse(x) return?'
    """
    text = " ".join(as_asked(text).split())
    if not _PROSE.fullmatch(text) or _MEANING_SIGN.search(text):
        return text
    fronted = _FRONTED.match(text)
    plain = f"{fronted[2]} {fronted[1]}" if fronted else text
    if "'" in plain or "’" in plain:
        for pattern, full in _SHORT:
            plain = pattern.sub(full, plain)
    plain = _SAME.sub(lambda found: _READ_AS[str(found.lastgroup)], plain)  # each of its ways is a group
    words = " ".join(_TOKEN.findall(plain)).replace("’", "'")
    asks = text.endswith("?") or _OPENS.match(words)
    return f"{words}?" if words and asks else words or text


@kept_for_texts(maxsize=256)
def canonical(text: str) -> str:
    """What `normalize` gave, in lower case but for words that capitals split (parseHTML): one for equal questions."""
    return " ".join(word if len(split_identifier(word)) > 1 else word.lower() for word in text.split(" "))


def signature(text: str) -> tuple[object, ...]:
    """What two questions that `normalize` gave must share to be near: every word, phrases whole, what is asked for.

    Only the order of phrases may differ; a number, a name, a negation or another question word makes another question.
    """
    words = canonical(text).rstrip("?").split(" ")
    runs, run = [], []
    for word in [*words, "the"]:
        if word not in STOP_WORDS:
            run.append(word)
        elif run:
            runs.append(" ".join(run))
            run = []
    asking = next((word for word in words if _WORD_ASKING.fullmatch(word)), "")
    between = Counter(word for word in words if word in STOP_WORDS)
    kind = (asking, asks_for(text), parse(text).several, text.endswith("?"))
    return (tuple(sorted(runs)), frozenset(between.items()), *kind)
