"""The name and the age that people tell of themselves, and questions for them: "Hi, I'm Marek, 38, I run a shop"."""

import re

from context_graph.reading.third_person import told_of_user
from context_graph.regex import regex

__all__ = ["asks_own_age", "asks_own_name", "own_age", "own_name"]

READ = 300  # characters of a text that are looked at

_NAME = r"(?P<name>[A-ZÀ-ÞĀ-Ž][\w’'-]*(?: [A-ZÀ-ÞĀ-Ž][\w’'-]*)*)"
_GREETING = (
    r"(?i:(?:hi|hey|hello|hallo|hola|good (?:morning|evening|afternoon)|nice to meet you)(?: there| again)?[,.!]*\s+)?"
)
_CALLED = regex(
    r"(?i:\b(?:my (?:\w+ )?name(?:['’]s| is)(?: actually| now)?"
    r"|(?:(?:you|people|friends|everybody|everyone|they|all) )?(?:can |may |should |please |just |always |usually )*"
    r"(?<!n['’]t )(?<!never )(?<!nobody )(?<!not )calls? me"
    r"|i(?:['’]m| am| is) called|i introduced? (?:my|him|her|them)sel(?:f|ves) as|i goe?s? by|i['’]m known as"
    r"|mein name ist|ich hei(?:ß|ss)e|nenn(?:t|en sie)? mich|me llamo|mi nombre es|ll[aá]mame)\s+)" + _NAME
)
_IS = regex(
    rf"(?:^|(?<=[.!?] )){_GREETING}(?i:(?:i['’]m|i am|i is|this is|ich bin (?:der|die)|hier ist|soy)\s+)"
    rf"{_NAME}"
    r"(?=[,.!]|$| (?:and|from|here|by the way|und|y|aus|de)\b)"
)
_HERE = regex(
    rf"(?:^|(?<=[.!?] )){_GREETING}(?i:(?:just|simply|only|plain) )?{_NAME} (?:here(?=[,.!]|$)|(?:is fine|will do)\b)"
)
_PEOPLES = regex(
    r"(?:\w+(?:ish|ese|ench|utch)|German|Italian|American|Russian|Indian|Canadian|Australian|Austrian|Mexican|Brazilian"
    r"|Ukrainian|Hungarian|Romanian|Bulgarian|Belgian|Norwegian|Egyptian|Iranian|Korean|Chilean|Colombian|Peruvian"
    r"|Argentinian|Greek|Czech|Swiss|Thai|Catholic|Protestant|Muslim|Buddhist|Hindu|Jewish|Asian|African|European"
    r"|OK|Ok|Sorry|Deutscher?|I)$"
)
"""What people say they are with a capital letter, which is no name."""

_ASKED = regex(
    r"^\W*(?:what(?:['’]s| is| was) my (?:(?:first|last|full|given|real|middle|own|sur) ?)?name"
    r"|(?:how|what) am i called"
    r"|what do (?:people|you|they|my friends) call me|what should (?:you|i|we) (?:call me|be called)"
    r"|(?:(?:do|can) you )?(?:say|know|remember|tell me)? ?my name|name|wie hei(?:ß|ss)e ich|(?:wie|was) ist mein name"
    r"|c[oó]mo me llamo|cu[aá]l es mi nombre)\W*$",
    re.I,
)

_AGE = regex(
    r"(?:\b(?i:i(?:['’]m| am| is)|ich bin)(?: (?:now|already|just|only|jetzt|schon))?"
    r"(?: [A-ZÀ-ÞĀ-Ž][\w’'-]*(?:,| and))?"
    r"|\b(?i:my name(?:['’]s| is)) [A-ZÀ-ÞĀ-Ž][\w’'-]*(?: [A-ZÀ-ÞĀ-Ž][\w’'-]*)?,"
    r"|\b(?i:i (?:just |have )?(?:turned|became)|tengo|ich werde|cumplí)|^\W*(?i:(?:my )?age:?))"
    r" (?P<age>[1-9]\d|1[01]\d|[5-9])(?: (?i:years?|yrs?|jahre|años)(?: (?i:old|alt))?)?"
    r"(?=[,.!;]|$| (?i:and|now|today|in|on|last|this|from|und|y)\b)"
)
_AGE_ASKED = regex(
    r"^\W*(?:(?:do|can) you (?:know|remember|tell me) )?(?:how old (?:am i|i am)|what(?:['’]s| is) my age|my age"
    r"|wie alt bin ich|cu[aá]ntos a[nñ]os tengo)(?: now| today)?\W*$",
    re.I,
)


def own_name(text: str) -> str:
    """The name by which who says this introduces themselves; empty without one.

    Examples
    --------
    >>> own_name("Hi, I'm Marek, I run a shop."), own_name("Please call me Mo."), own_name("Ana Ruiz here!")
    ('Marek', 'Mo', 'Ana Ruiz')
    >>> own_name("User's name is Tomasz Zielinski, an engineer."), own_name("The user goes by Tom.")
    ('Tomasz Zielinski', 'Tom')
    >>> own_name("User introduced herself as Mei, a chemist.")
    'Mei'
    >>> own_name("Just Al is fine."), own_name("It's Tuesday, the meeting is fine.")
    ('Al', '')
    >>> own_name("I'm Polish."), own_name("I'm Acme's accountant."), own_name("The taxi called me at nine.")
    ('', '', '')
    """
    text = told_of_user(text[:READ])
    match = _CALLED.search(text) or _IS.search(text) or _HERE.search(text)
    return match["name"] if match and not _PEOPLES.match(match["name"]) else ""


def asks_own_name(question: str) -> bool:
    """Whether a question asks how the one who asks is called.

    Examples
    --------
    >>> asks_own_name("What's my name?"), asks_own_name("What is my dog's name?"), asks_own_name("Wie heiße ich?")
    (True, False, True)
    """
    return bool(_ASKED.match(question))


def own_age(text: str) -> str:
    """The age that who says this tells of themselves; empty without one.

    Examples
    --------
    >>> own_age("Hi, I'm Esra, 34, a lawyer."), own_age("I just turned 41."), own_age("Tengo 29 años.")
    ('34', '41', '29')
    >>> own_age("I'm 10 minutes late."), own_age("I'm 90 percent sure."), own_age("I'm 12 years older than Ben.")
    ('', '', '')
    """
    match = _AGE.search(told_of_user(text[:READ]))
    return match["age"] if match else ""


def asks_own_age(question: str) -> bool:
    """Whether a question asks how old the one who asks is.

    Examples
    --------
    >>> asks_own_age("How old am I?"), asks_own_age("How old is my dog?")
    (True, False)
    """
    return bool(_AGE_ASKED.match(question))
