"""Questions for what was said last, whatever it was about: "What was the last thing I told you?", "recent memories"."""

import re

from context_graph.regex import regex

__all__ = ["asks_for_latest"]

_LAST = r"(?:last|latest|newest|most recent|recent)"
_TOLD = r"(?:tell|told|say|said|mention(?:ed)?|saved?|stored?|noted?|add(?:ed)?|ask(?:ed)? you to remember|write|wrote)"
_WHAT = (
    r"(?:thing|things|memor(?:y|ies)|notes?|updates?|changes?|facts?|entr(?:y|ies)|events?|conversations?|sessions?|chats?"
    r"|activity|news|context|information|statements?)"
)
_LATELY = r"(?:last|just now|lately|recently|most recently|(?:the )?last time|a moment ago)"

_LATEST = regex(
    r"^\W*(?:"
    r"(?:(?:what(?:['’]s| is| was| are| were)|show(?: me)?|list|tell me|get) )?(?:the |my |our |all )?"
    rf"{_LAST} (?:(?:few|couple of|two|three|five|ten|\d{{1,2}}) )?{_WHAT}"
    rf"(?: (?:that )?(?:i|we|you) (?:have |had )?{_TOLD}(?: (?:to )?you)?| (?:of|from) (?:me|us|ours?|mine))?"
    rf"|what (?:did|have) (?:i|we) (?:just |last )?{_TOLD}(?: (?:to )?you)? {_LATELY}"
    rf"|what (?:did|have) (?:i|we) (?:just|last) {_TOLD}(?: (?:to )?you)?"
    rf"|what (?:did|have) we (?:last )?(?:talk(?:ed)?|speak|spoken|discuss(?:ed)?)(?: about)? {_LATELY}"
    r"|what did we last (?:talk about|discuss)"
    r"|what(?:['’]s| is) (?:new|the latest)|previous (?:conversation|session|chat)s?"
    r"|what(?: has)? happened (?:lately|recently)|what (?:have|has) (?:i|we) been (?:up to|doing) (?:lately|recently)"
    r"|(?:(?:show|list|give|get|tell)(?: me)? )?"
    r"(?:all (?:(?:of )?(?:my|our|the) )?(?:memories|notes|facts)|everything|all)"
    r"|(?:list|show)(?: me)? (?:my |our |the )?(?:memories|notes)"
    r"|was habe ich (?:dir )?(?:zuletzt|gerade)(?: eben)? (?:gesagt|erzählt)"
    r"|was war das letzte, was ich dir (?:gesagt|erzählt) habe"
    r"|qué fue lo último que te (?:dije|conté)"
    r")\W*$|^\s*\*\s*$",
    re.I,
)


def asks_for_latest(question: str) -> bool:
    """Whether a question asks for what was said last, and names nothing that it was about.

    Examples
    --------
    >>> asks_for_latest("What was the last thing I told you?"), asks_for_latest("recent memories"), asks_for_latest("*")
    (True, True, True)
    >>> asks_for_latest("What did I tell you about Klara last?"), asks_for_latest("What is the latest version of Go?")
    (False, False)
    >>> asks_for_latest("latest Kestrel updates"), asks_for_latest("the last three notes")
    (False, True)
    """
    return bool(_LATEST.match(question))
