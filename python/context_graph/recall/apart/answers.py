"""Whether a later statement has what a question asks for: somebody, a place, an age, a number of things, a duration."""

import re

from context_graph.embed.languages import ENGLISH, in_english, language_of
from context_graph.embed.stems import stem_of
from context_graph.reading import cues
from context_graph.reading.first_names import is_like_a_first_name
from context_graph.reading.subjects import WORD, content_stems
from context_graph.reading.substitutes import asks_for_somebody
from context_graph.recall.apart.words import AMOUNT, NUMBER, PLACE, number_kinds
from context_graph.regex import regex

__all__ = ["answer_apart", "mentioned_apart", "somebody_apart"]

_LEFT = regex(
    r"\b(?:left|leav\w+|quit\w*|retir\w+|died|dead|passed away|resign\w*|fired|stop\w*|gone|moved|instead|sick|ill"
    r"|sacked|dropped|closed|handed in|gave up|broke|away|swap\w*|took over|takes over"
    r"|hand\w* over|replac\w*|transfer\w*|promoted)\b",
    re.I,
)
"""Somebody is no longer who or where they were."""

_WHO = regex(
    r"^\W*(?:(?:with|to|for|by|mit|bei|von|zu|für|avec|chez|à|con|da|com|met|z) )?"
    r"(?:who(?:m|se|['’]s)?|we[rmn]|qui[eé]n(?:es)?|qui|chi|quem|kto|kim)\b",
    re.I,
)
_LEFT_ELSEWHERE = regex(
    r"\b(?:verlässt|verlassen|gekündigt|kündigt|aufgehört|hört auf|mehr|ruhestand|rente|gestorben|verkauft|neue[rnms]?"
    r"|statt|gewechselt|wechselt|wechsle|weg|abgelöst|nachfolger\w*|jubil\w+|ido|va|no|dejó|deja|dejado|murió|nuev[oa]"
    r"|vez|sustituye|reemplaza|quitte|quitté|parti[er]?|retraite|plus|remplac\w+|nouveau|nouvelle|lieu|pensione|lascia"
    r"|lasciato|nuov[oa]|reformou|deixou|nov[oa]|saiu|stopt|vertrekt|vertrokken|nieuwe?|niet|odchodzi|odszed\w*|now[ay])\b",
    re.I,
)
"""As `_LEFT`, in other languages."""

_NO_NAMES = cues.SELF | cues.UNNAMED | {"dr", "prof", "mr", "mrs", "ms", "the", "a", "an", "our", "on", "in", "at"}

_SETS_OUT = regex(r"\bleav(?:e|es|ing) (?:for|at|on|in)\b", re.I)
_PERSON = regex(
    r"\b(?:(?:Mr|Mrs|Ms|Dr|Prof|Herrn?|Frau|Monsieur|Madame|docteur|Docteur|docteure|professeur|señora?|Señora?"
    r"|doctora?|signora?|Signora?|dottor|dottoressa|meneer|mevrouw|pan|pani|Don|Doña|doctor)\b\.? ){1,2}"
    r"(?P<name>[A-ZÀ-Þ][\w’'-]+(?: [A-ZÀ-Þ][\w’'-]+){0,2})"
)
_NO_MORE = regex(
    r"\b(?:no longer|any ?more|(?:is|are|was|were|['’]s|['’]re)(?: not|n['’]t) (?:there|here|at|in|on)"
    r"|nicht mehr|ya no)\b",
    re.I,
)
_NEW_PART = regex(
    r"^\W*(?:(?:the|our|my|his|her|their) )?new (?P<part>[a-z]{3,20})(?: number)?(?: is\b|['’]s\b| are\b|:)", re.I
)
"""Says of one part of something how it is now: "new plate is G-7"."""

_NAME_OF = regex(
    r"^\W*what(?:['’]s| is| was) (?:(?:my|our|his|her|their|[\w-]+['’]s) (?P<whose>[\w-]+?)(?:['’]s)? name"
    r"|the name of (?:my|our|his|her|their) (?P<who>[\w-]+))\W*$"
    r"|^\W*wie heißt (?:meine?|unsere?|seine?|ihre?) (?P<wer>[\w-]+)\W*$",
    re.I,
)
_WHERE = regex(r"^\W*(?:where|wo|dónde)\b", re.I)
_PLACE = regex(rf"{PLACE}|\bback\b", re.I)
_PRICE = regex(r"\bhow much (?:is|are|was|does|do|did)\b|\b(?:costs?|price|fee|rent|salary|pay)\b", re.I)
_EXTRA = regex(r"\b(?:fees?|surcharge|deposit|penalty|postage|shipping|service charge|Gebühr|Kaution)\b", re.I)
"""What is paid beside a price."""

_DOSE = regex(
    r"\bhow much (?P<of>[^\W\d_]+) (?:do|does|did|must|should|may|can|shall)\b"
    r"|\b(?:what|which) (?:dose|dosage|amount|quantity) of (?P<what>[^\W\d_]+)",
    re.I,
)
"""Asks how much of something is taken or used."""

_FREE = regex(r"\b(?:free|nothing|more|less|cheaper|dearer|double|twice|half|gone|paid|price|cost)\b", re.I)

_THERE = regex(r"\b(?:it|it['’]s|its|this|that|there|one)\b", re.I)
"""May be a place that was named before."""

_NUMBER = (
    r"(?:\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|[a-z]+teen|[a-z]+ty|hundred"
    r"|half|several|no)"
)
_HOW_MANY = regex(
    r"\bhow many (?P<things>(?!(?:more|of|times|minutes|hours|days|weeks|months|years)\b)[^\W\d_]+)", re.I
)
_HOW_LONG = regex(r"\bhow long\b(?! ago)|\bhow many (?:minutes|hours|days|weeks|months|years)\b", re.I)
_COUNTED = regex(rf"\b{_NUMBER} ([^\W\d_]+)", re.I)
_BARE_NUMBER = regex(
    rf"\b(?!(?:an?|no)\b){_NUMBER}\b"
    r"(?! (?!(?:for|of|in|now|per|at|from|to|on|since|until|instead|more|each|is|are)\b)[^\W\d_])",
    re.I,
)
_DURATION = regex(
    rf"\b{_NUMBER}[ -]?(?:s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|nights?|weeks?|months?|years?)\b"
    r"|\b(?:until|till|through|forever|permanent(?:ly)?)\b",
    re.I,
)

_DOSE_CHANGED = regex(
    r"\b(?:stop\w*|quit\w*|off|dropp\w*|gave up|gone|doubl\w*|halv\w*|replac\w*|swap\w*|switch\w*|rais\w*|lower\w*"
    r"|increas\w*|reduc\w*|cut|skip\w*)\b",
    re.I,
)
_NONE_OF = regex(r"\b(?:no|without|never|kein\w*|sin) (?:more )?([^\W\d_]+)", re.I)

_WHICH_DAYS = regex(r"\b(?:what|which) (?:week)?days\b", re.I)
_WEEKDAY = regex(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b"
    r"|\b(?:daily|weekdays?|weekends?|every day|days? off)\b",
    re.I,
)
_NAMED = regex(
    r"\b(?<!^)(?<![.,;:!?] )(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?:called|named)\b"
    r"|\b(?:name|title|titled|renam\w+|rebrand\w+)\b"
    r"|\bcall(?:ing)? (?:it|him|her|them|(?:the|my|our) \w+)\b",
    re.I,
)
"""Says what something is called, where "called the plumber" does not."""
_CALLED = regex(
    r"^\W*what(?:['’]s| is| are| was)\b.* (?:called|named)\W*$|\bwhat(?:['’]s| is) the (?:name|title) of\b", re.I
)

_NAMING = frozenset(content_stems("called named name title"))
_UNNAMED = regex(r"\b(?:it|its|her|him|them|he|she|they|this|that)\b", re.I)
_HOW_OLD = regex(r"\bhow old\b|\bwie alt\b|\bcuántos años\b|\bwhat age\b", re.I)
_AGE = regex(
    r"\b(?:years?|months?|weeks?) old\b|\byear-old\b|\baged?\b|\bturn(?:s|ed|ing)?\b|\bbirthday\b|\bborn\b"
    r"|\b(?:is|am|are|'s|'m|was|be) (?:already |now |only |about )?(?:\d{1,3}|[a-z]+teen|[a-z]+ty|one|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve)\b(?! \w+s\b)",
    re.I,
)


def somebody_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for somebody, and the later statement names nobody but whom the earlier one does, and
    tells of nobody's leaving.

    Examples
    --------
    >>> somebody_apart("Who is my doctor?", "My doctor is Dr. Petrov.", "Dr. Petrov doubled the pills.")
    True
    >>> somebody_apart("Who is my doctor?", "My doctor is Dr. Petrov.", "Dr. Petrov retired.")
    False
    """
    if not asks_for_somebody(question):
        return False
    names, words = _names(later, earlier, question), {word.lower() for word in WORD.findall(later)}
    somebody_else = not names <= _names(earlier) | _names(question) or not words.isdisjoint(cues.KIN | cues.SELF)
    return bool(names) and not somebody_else and not _ends(later)


def mentioned_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks who somebody is, and the later statement only mentions whom the earlier one names: it has
    the name, no word of the question, nobody else's name, and tells of nobody's leaving.

    Examples
    --------
    >>> mentioned_apart("Wer ist unser Vermieter?", "Unser Vermieter ist Herr Jansen.", "Herr Jansen hat einen Hund.")
    True
    >>> mentioned_apart("Who is our cook?", "Our cook is Ines Bosch.", "On Friday at five I'm meeting Ines Bosch.")
    True
    >>> mentioned_apart("Wer ist unser Vermieter?", "Unser Vermieter ist Herr Jansen.", "Herr Jansen hat verkauft.")
    False
    """
    ended = _SETS_OUT.sub(" ", later)
    if not _WHO.search(question) or _ends(ended) or _LEFT_ELSEWHERE.search(ended):
        return False
    of_question = _capitals(question)
    shared = (_capitals(earlier, later) & _capitals(later, earlier)) - of_question
    if not shared or _persons(later) - _capitals(earlier, later) - of_question:
        return False
    of_them = _PERSON.sub(" ", later)  # "Dr. Morel" has no word of "which doctor"
    return content_stems(question).isdisjoint(content_stems(of_them))


def answer_apart(question: str, earlier: str, later: str) -> bool:
    """Whether a question asks for what only the earlier statement has something like, and the later one ends nothing.

    Examples
    --------
    >>> answer_apart("Where are the tomatoes?", "The tomatoes are in the greenhouse.", "Blight took four of them.")
    True
    >>> answer_apart("What is my novel called?", "My novel is called Salt Road.", "I write from 6 to 8.")
    True
    >>> answer_apart("What is my novel called?", "My novel is called Salt Road.", "Ran out of ink. Called Mr Ode.")
    True
    >>> answer_apart("Which days are you open?", "We're open Tue to Sat.", "I forgot the opening code for days.")
    True
    >>> answer_apart("How old is Balou?", "My horse Balou is nine.", "Balou gets two kilos of oats.")
    True
    >>> answer_apart("What's our car?", "Our car is a Skoda, plate G-4.", "new plate is G-7")
    True
    >>> answer_apart("What's my husband's name?", "I live here with my husband Ole.", "Ole sold the car.")
    True
    >>> answer_apart("Where does mum live?", "My mum Helga is in Bern.", "Helga fell, nothing is broken.")
    True
    >>> answer_apart("How much was the flight?", "Booked the flight, 890.", "Moved the flight, the fee was 120.")
    True
    >>> answer_apart("How many eggs?", "Pancakes: 3 eggs, 200 g flour.", "The pancakes were enough for ten kids.")
    True
    >>> answer_apart("How much is the train?", "The night train is 38 euros.", "The train is on the 13th now.")
    True
    >>> answer_apart("How many eggs?", "Pancakes: 3 eggs, 200 g flour.", "I take four for the pancakes now.")
    False
    >>> answer_apart("How long are backups kept?", "Backup at 02:30, kept 30 days", "Actually it runs at 03:30.")
    True
    >>> answer_apart("How much rivaroxaban do I take?", "I take 20 mg rivaroxaban.", "No salt with the rivaroxaban.")
    True
    """
    if part := _NEW_PART.match(later):
        asked, stem = content_stems(question), stem_of(part["part"].lower())
        return stem not in asked and stem in content_stems(earlier) and bool(asked & content_stems(earlier))
    if whose := _NAME_OF.search(question):
        word = whose["whose"] or whose["who"] or whose["wer"]
        named_so = re.search(rf"\b{re.escape(word)}\W{{1,2}}(?-i:[A-ZÀ-Þ])", earlier, re.I)
        return named_so is not None and word.lower() not in later.lower()
    if _WHERE.search(question):
        names = _names(later.partition(" ")[2]) - _names(earlier) - _names(question)
        elsewhere = _PLACE.search(later) or names or _THERE.search(later) or _leaves(later)
        return bool(_PLACE.search(earlier)) and not elsewhere
    if _CALLED.search(question):
        if not _NAMED.search(earlier) or not _names(earlier):
            return False
        topic = (content_stems(question) & content_stems(earlier)) - _NAMING
        of_it = topic & content_stems(later) or _UNNAMED.search(later)
        return not (of_it and _NAMED.search(later) and _names(later) - _names(question))
    if _WHICH_DAYS.search(question):
        return bool(_WEEKDAY.search(earlier)) and not (_WEEKDAY.search(later) or _LEFT.search(later))
    if _HOW_OLD.search(question):
        return bool(_AGE.search(earlier)) and not _AGE.search(later)
    if _PRICE.search(question):
        if _EXTRA.search(later) and not _EXTRA.search(question) and NUMBER.search(earlier):
            return True
        return bool(AMOUNT.search(earlier)) and not (number_kinds(later) or _FREE.search(later) or _ends(later))
    if dose := _DOSE.search(question):
        return bool(number_kinds(earlier)) and not (
            number_kinds(later) or _ends_some(later, dose["of"] or dose["what"])
        )
    if things := _HOW_MANY.search(question):
        return _counts(earlier, things["things"]) and not _names_or_counts(later, things["things"])
    if _HOW_LONG.search(question):
        corrected = bool(cues.CORRECTED.search(later))
        ends = bool(number_kinds(later)) if corrected else _ends(later)
        times = [match[0] for match in cues.TIMED.finditer(later)]
        lasts = _DURATION.search(later) or len(times) > 1 or any(not time[:1].isdigit() for time in times)
        return bool(_DURATION.search(earlier)) and not (lasts or ends)
    return False


def _ends_some(text: str, thing: str) -> bool:
    """Whether a text ends something or changes how much there is; a "no" counts before the thing itself."""
    if _DOSE_CHANGED.search(text) or cues.CORRECTED.search(text) or _FREE.search(text):
        return True
    word = stem_of(thing.lower())
    no_more = (stem_of(match[1].lower()) for match in _NONE_OF.finditer(text))
    return word in no_more or (bool(cues.NEGATED.search(text)) and not _NONE_OF.search(text))


def _counts(text: str, things: str) -> bool:
    """Whether a text says how many of some things there are."""
    counted = {stem_of(match[1].lower()) for match in _COUNTED.finditer(text)}
    return stem_of(things.lower()) in counted


def _names_or_counts(text: str, things: str) -> bool:
    """Whether a text names some things, has a number of nothing else, or ends something."""
    words = {stem_of(part) for word in WORD.findall(text.lower()) for part in word.split("-")}
    if stem_of(things.lower()) in words or _ends(text):
        return True
    return bool(_BARE_NUMBER.search(text))


def _names(text: str, *others: str) -> set[str]:
    """Words with a capital letter, in lower case, but for small words, times, and what opens the text and is like no
    name, nor one in the others.
    """
    words = WORD.findall(cues.TIMED.sub(" ", text))
    if words and not is_like_a_first_name(words[0]) and not any(words[0] in WORD.findall(other) for other in others):
        words = words[1:]
    names = {word.lower().removesuffix("'s").removesuffix("’s") for word in words if word[0].isupper()}
    return names - _NO_NAMES


def _capitals(text: str, *others: str) -> set[str]:
    """Capitals of a text in lower case that are no words of its language and no times: as `_names`."""
    language = language_of(text)
    names = _names(text, *others)
    return names if language == ENGLISH else {name for name in names if in_english(name, language).lower() == name}


def _persons(text: str) -> set[str]:
    """Names of persons in a text in lower case: what stands behind a title, and capitals like a first name."""
    capitals = _capitals(text)
    titled = {part.lower() for match in _PERSON.finditer(text) for part in match["name"].split()}
    return titled | {name for name in capitals if is_like_a_first_name(name.capitalize())}


def _leaves(text: str) -> bool:
    """Whether somebody or something is no longer where it was."""
    return bool(_LEFT.search(text) or _NO_MORE.search(text) or cues.CORRECTED.search(text))


def _ends(text: str) -> bool:
    return bool(_LEFT.search(text) or cues.NEGATED.search(text) or cues.CORRECTED.search(text))
