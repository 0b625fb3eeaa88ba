"""Lists ("To do: book the dentist, return the drill"), and what is said of their items later."""

import re

from context_graph.embed.languages import ENGLISH, language_of
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["TICKET", "adds_to", "asks_for_list", "items_of", "settles"]

MAX_LIST_CHARS, MIN_ITEMS, MAX_ITEM_WORDS, MAX_LINE_WORDS = 800, 3, 8, 16
MAX_SETTLING_CHARS, MAX_ASKED_CHARS = 200, 300

MIN_OF_ITEM, MIN_OF_ITEM_ELSEWHERE = 0.6, 0.5
"""Share of an item's content words that a statement about it has: "returned the drill" of "return the drill to Karl";
of two words and more, and in other languages than English, whose verbs change more."""

_HEAD = regex(r"^\W*(?P<head>[^\n:?]{2,60}):(?=\s)")
_NAMES_LIST = regex(
    r"\b(?:list|to-?dos?|do|needs?|buy|pack|bring|get|fix|call|read|watch|guests?|invited|items?|things?|tasks?|steps?"
    r"|agenda|goals?|missing|open|remaining|left|chores?|errands?|groceries|shopping|order|release|checklist"
    r"|\w*liste|muss|müssen|einkaufen|besorgen|erledigen|packen|gäste|aufgaben"
    r"|lista|pendientes?|comprar|tareas?|hacer|invitados)\b",
    re.I,
)
"""A word of what a list is called; else what is behind the colon says several things of a matter."""

_NEEDS = regex(
    r"^\W*(?P<head>(?:(?:i|we|you) )?(?:still |also )*(?:need|have|must|should|ought|want|plan|got)"
    r"(?: to)?(?: still)?(?: (?:buy|get|pack|bring|order|pick up))?) (?=\S)",
    re.I,
)
_BULLET = regex(r"^\s*(?:[-*•+]|\d{1,2}[.)]|\[ ?\])\s+(?:\[ ?\]\s+)?(?!\[x\])(?P<item>\S.*)$", re.I | re.M)
TICKET = regex(r"\b[A-Z]{2,10}-\d{1,6}\b")
"""The name of a ticket of a tracker, or of a decision on record: "ORI-12"."""

_TICKET_LINE = regex(r"(?:^|(?<=; ))[ \t]*[A-Z]{2,10}-\d{1,6}\b[^;\n]*", re.M)
"""Of a tracker: "ORI-12 login loop - open", a line each."""

_COUNTED = regex(r"(?:^|\s)\d{1,2}[.)]\s+")
_BOX = regex(r"^\s*(?:[-*•+] )?\[[ x]?\]", re.I | re.M)
_BETWEEN = regex(r"\s*[,;]\s*(?:(?:and|or|und|y)\s+)?|\s+(?:and|und|y)\s+", re.I)
_SENTENCE_END = regex(r"[.!?]\s+\S")

_SETTLED = regex(
    r"\b(?:done|did|got|bought|have|has|had|sent|paid|made|took|taken|brought|brings?|bringing|gives?|lends?|lent"
    r"|found|put|gave|given|went|wrote|written|forget|skip|drop|without|already|no longer|not needed|n['’]t need"
    r"|no need|instead|taken care|takes care|handle[sd]|sorted|ready|ticked|crossed|cancel|cancell?ed|can['’]t|cannot"
    r"|won['’]t|is|are|was|were|\w{3,}ed|\w*ge\w{2,}(?:t|en)|erledigt|besorgt|ist|sind|war|hecho|comprad[oa]|ya)\b",
    re.I,
)
_OPEN = regex(
    r"\?\s*$|\b(?:still (?:need|have to|must|missing|open)|need to|must|have to|should|going to|don['’]t forget"
    r"|remember to|todo|muss|müssen|fehlt)\b",
    re.I,
)
_ADDS = regex(
    r"\b(?:add|adding|added|put|also|plus|another|one more|remove|removed|take|took|cross|crossed|strike|off)\b"
    r".*\b(?P<which>\w+) (?:list|liste|lista)\b",
    re.I,
)


_ASKS = regex(
    r"^\W*(?:who|how many)\b"
    r"|\b(?:what|which|anything|something)\b.*\b(?:left|missing|remain\w*|lack\w*|still|needs?|have to|must"
    r"|should|open|done|finished|outstanding|packed|pack|buy|get|bring|do)\b"
    r"|\b(?:on|off|from) (?:the|my|our|that|this) [\w -]{0,30}?list\b"
    r"|\b(?:was|welche[rsn]?)\b.*\b(?:noch|fehlt|muss|müssen|brauch\w*|liste)\b|\bqué\b.*\b(?:falta|queda|lista)\b",
    re.I,
)


@kept_for_texts(maxsize=1_024)
def items_of(text: str) -> tuple[str, ...]:
    """The items of a list behind what it is called, those that are ticked off left out; none where it is no list.

    Examples
    --------
    >>> items_of("To do this week: book the dentist, return the drill to Karl and file the tax form.")
    ('book the dentist', 'return the drill to Karl', 'file the tax form')
    >>> items_of("Packing list:\\n- [ ] tent\\n- [x] stove\\n- [ ] map\\n- [ ] lamp")
    ('tent', 'map', 'lamp')
    >>> items_of("We need to buy oat milk, eggs and coffee.")
    ('oat milk', 'eggs', 'coffee')
    >>> items_of("Overview: invoices arrive in the queue, the importer groups them, results go to DuckDB.")
    ()
    """
    if len(text) > MAX_LIST_CHARS:
        return ()
    if bullets := [match["item"] for match in _BULLET.finditer(text)]:
        called = _BOX.search(text) or _NAMES_LIST.search(text.partition("\n")[0])
        return _as_items(bullets, MAX_LINE_WORDS) if called else ()
    if len(tickets := [match[0].strip() for match in _TICKET_LINE.finditer(text)]) > 1:
        return _as_items(tickets, MAX_LINE_WORDS)
    head = _HEAD.match(text)
    if head is None or not _NAMES_LIST.search(head["head"]):
        head = _NEEDS.match(text)
    if head is None:
        return ()
    body = text[head.end() :].strip().rstrip(".!")
    if len(counted := _COUNTED.split(body)) > MIN_ITEMS:
        return _as_items(counted[1:])
    return () if _SENTENCE_END.search(body) or "\n" in body else _as_items(_BETWEEN.split(body))


def asks_for_list(question: str, listed: str) -> bool:
    """Whether a question is for what a list holds or what of it is left, and for none of its items.

    Examples
    --------
    >>> listed = "Shopping list: oat milk, eggs, coffee"
    >>> asks_for_list("What do I still need to buy?", listed), asks_for_list("What's on the shopping list?", listed)
    (True, True)
    >>> asks_for_list("Did I buy eggs?", listed), asks_for_list("Which eggs should I buy?", listed)
    (False, False)
    """
    question = question[:MAX_ASKED_CHARS]
    words = content_stems(question)
    return bool(_ASKS.search(question)) and not any(content_stems(item) <= words for item in items_of(listed))


def _as_items(parts: list[str], max_words: int = MAX_ITEM_WORDS) -> tuple[str, ...]:
    items = tuple(item for part in parts if (item := part.strip(" .;,")))
    short = all(len(item.split()) <= max_words for item in items)
    return items if short and len(items) >= MIN_ITEMS else ()


def settles(text: str, item: str) -> bool:
    """Whether a later statement says of an item of a list that it is done, there, somebody else's or not needed.

    Examples
    --------
    >>> settles("I returned the drill.", "return the drill to Karl"), settles("Got the eggs and coffee", "eggs")
    (True, True)
    >>> settles("I must still return the drill.", "return the drill to Karl"), settles("The dog is ill.", "eggs")
    (False, False)
    """
    if len(text) > MAX_SETTLING_CHARS or not _SETTLED.search(text) or _OPEN.search(text):
        return False
    if tickets := set(TICKET.findall(item)):
        return not tickets.isdisjoint(TICKET.findall(text))
    of_item = content_stems(item)
    shared = len(of_item & content_stems(text))
    least = MIN_OF_ITEM if language_of(text) == ENGLISH and shared < 2 else MIN_OF_ITEM_ELSEWHERE
    return shared >= max(least * len(of_item), 1)


def adds_to(text: str, listed: str) -> bool:
    """Whether a later statement puts something on a list, or takes it off.

    Examples
    --------
    >>> adds_to("Also put lemons on the list.", "Shopping list: oat milk, eggs, coffee")
    True
    >>> adds_to("Put the milk into the fridge.", "Shopping list: oat milk, eggs, coffee")
    False
    """
    adds, head = _ADDS.search(text[:MAX_SETTLING_CHARS]), _HEAD.match(listed)
    if adds is None or head is None or text.rstrip().endswith("?"):
        return False
    of_head = content_stems(head["head"])
    return content_stems(adds["which"]) <= of_head and not of_head.isdisjoint(content_stems(text))
