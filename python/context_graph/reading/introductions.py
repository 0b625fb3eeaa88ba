"""The name by which people introduce themselves, and questions for it: "Hi, I'm Marek, I run a shop", "Call me Mo"."""

import re

from context_graph.regex import regex

__all__ = ["asks_own_name", "own_name"]

READ = 300  # characters of a text that are looked at

_NAME = r"(?P<name>[A-ZÀ-ÞĀ-Ž][\w’'-]*(?: [A-ZÀ-ÞĀ-Ž][\w’'-]*)*)"
_GREETING = (
    r"(?i:(?:hi|hey|hello|hallo|hola|good (?:morning|evening|afternoon)|nice to meet you)(?: there| again)?[,.!]*\s+)?"
)
_CALLED = regex(
    r"(?i:\b(?:my (?:\w+ )?name(?:['’]s| is)(?: actually| now)?"
    r"|(?:(?:you|people|friends|everybody|everyone|they|all) )?(?:can |may |should |please |just |always |usually )*"
    r"(?<!n['’]t )(?<!never )(?<!nobody )(?<!not )calls? me"
    r"|i(?:['’]m| am) called|i go by|i['’]m known as"
    r"|mein name ist|ich hei(?:ß|ss)e|nenn(?:t|en sie)? mich|me llamo|mi nombre es|ll[aá]mame)\s+)" + _NAME
)
_IS = regex(
    rf"(?:^|(?<=[.!?] )){_GREETING}(?i:(?:i['’]m|i am|this is|ich bin (?:der|die)|hier ist|soy)\s+)"
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
    r"|(?:(?:do|can) you )?(?:say|know|remember|tell me)? ?my name|wie hei(?:ß|ss)e ich|(?:wie|was) ist mein name"
    r"|c[oó]mo me llamo|cu[aá]l es mi nombre)\W*$",
    re.I,
)


def own_name(text: str) -> str:
    """The name by which who says this introduces themselves; empty without one.

    Examples
    --------
    >>> own_name("Hi, I'm Marek, I run a shop."), own_name("Please call me Mo."), own_name("Ana Ruiz here!")
    ('Marek', 'Mo', 'Ana Ruiz')
    >>> own_name("Just Al is fine."), own_name("It's Tuesday, the meeting is fine.")
    ('Al', '')
    >>> own_name("I'm Polish."), own_name("I'm Acme's accountant."), own_name("The taxi called me at nine.")
    ('', '', '')
    """
    text = text[:READ]
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
