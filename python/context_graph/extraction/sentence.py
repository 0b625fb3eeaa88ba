"""A sentence as words, and the phrases that begin at one of them."""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from context_graph.extraction.verbs import FORMS
from context_graph.extraction.words import (
    ABSTRACT,
    ADVERB,
    CLOSED,
    COLOURLESS,
    DETERMINER,
    EMPTY,
    EMPTY_OF,
    HAS,
    ING_NOUNS,
    ING_WORDS,
    LISTED,
    LY_NOUNS,
    NAMED_BY,
    NO_LIST,
    NO_OF,
    NUMBER,
    PAST,
    POINTING,
    PREPOSITIONS,
    REDUCED,
    THINGS,
    THIRD,
    VAGUE,
)
from context_graph.regex import regex

__all__ = ["Sentence", "Word", "sentences"]

MAX_VALUE_WORDS = 6
"""Of a value; what is longer says more than a fact."""

MAX_VALUES = 8
MAX_LOOKUP_WORDS = 4
"""Words of a phrase that is looked up."""

LIST_REACH = 24
"""Words after a comma in which its "and" must come."""

_WORD = regex(
    r"[\"“](?=[A-Z0-9])[^\"”“\n]{2,60}[\"”]"  # a title
    r"|[A-Za-z](?:\.[A-Za-z])+\.?"  # U.S.
    r"|\$?\d{1,3}(?:,\d{3})+"
    r"|[^\W_]+(?:['’.&+#/-]+[^\W_]+)*(?:\+{1,2}(?!\w)|#|['’](?=\s))?"
    r"|\$?\d[\d,.]*%?|\.\.\.|--|[^\w\s]"
)
_ENDS = regex(r"[.!?…]+[\"”)]*|\n+|[:;](?=\s|\Z)|[•|]| - | -- | — | – |[\U0001F300-\U0001FAFF☀-➿]")
_ABBREVIATED = regex(r"(?:\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|etc|e\.g|i\.e|F\.C|U\.S|No)|^)\Z")
_SHORT = regex(r"^([\w-]+)['’](m|ve|re|s|d|ll)$", re.I)
_QUANTITY = regex(
    r"(?:a (?:lot|bunch|couple|few|ton|bit|little|variety|number|pair|series)|lots|plenty|tons|some|all|one|many|most"
    r"|part|bits) of\b",
    re.I,
)
_LIGHT_DOINGS = frozenset("doing having making getting being going taking seeing giving keeping finding".split())
_PARTICLES = frozenset("up out off down my the it them him her each".split())
_AFTER_DOING = frozenset(
    """and or & in at on with as because when but so since too together lately again for now during every by ! - there
    outdoors while after before ,""".split()
) | {""}  # fmt: skip
"""What may follow a doing that needs no object."""


class Word(NamedTuple):
    """A word as it stands, in lower case with a straight apostrophe, and where it stands in the text."""

    text: str
    low: str
    start: int
    end: int


def sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of each sentence or clause set off by a colon or dash, and whether it asks."""
    start = 0
    for match in _ENDS.finditer(text):
        within = match.end() < len(text) and not text[match.end()].isspace()
        if match[0] == "." and (within or _ABBREVIATED.search(text[max(0, match.start() - 5) : match.start()])):
            continue
        if text[start : match.start()].strip():
            yield start, match.start(), "?" in match[0]
        start = match.end()
    if text[start:].strip():
        yield start, len(text), False


class Sentence:
    """The words of a sentence.

    Places are numbers of words; a phrase is a pair of them, the second exclusive.

    Parameters
    ----------
    text : str
        The whole text, of which the sentence is the part from `start` to `end`.
    unnamed : collection of str
        Words in lower case that no value may end with: the names of those who take part.
    """

    def __init__(self, text: str, start: int, end: int, unnamed: Collection[str] = ()) -> None:
        self.text = text
        self.words = _words(text, start, end)
        self._unnamed = unnamed

    def __len__(self) -> int:
        return len(self.words)

    def low(self, at: int) -> str:
        """A word in lower case; empty outside of the sentence."""
        return self.words[at].low if 0 <= at < len(self.words) else ""

    def begins(self, at: int, known: Collection[str]) -> int:
        """Where the longest of some phrases that begins at a word ends; 0 where none does."""
        for length in range(min(MAX_LOOKUP_WORDS, len(self.words) - at), 0, -1):
            if " ".join(word.low for word in self.words[at : at + length]) in known:
                return at + length
        return 0

    def past_adverbs(self, at: int) -> int:
        """The first word from one on that is no adverb."""
        while self.low(at) in ADVERB:
            at += 1
        return at

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where a phrase stands in the text, without quotation marks and stops around it."""
        start, end = self.words[first].start, self.words[last - 1].end
        while start < end and self.text[start] in "\"“'‘":
            start += 1
        titled = any(mark in self.text[start : end - 1] for mark in '"“')  # reading "Dune"
        while end > start and self.text[end - 1] in ("'’,." if titled else "\"”'’,."):
            end -= 1
        return start, end

    # Phrases

    def values(
        self,
        at: int,
        *,
        doings: bool,
        infinitive: bool = False,
        liked: bool = False,
        present: bool = False,
        noted: bool = False,
    ) -> Iterator[tuple[int, int]]:
        """The parts of a list that begins at a word, without their determiners; as far as each says something.

        Parameters
        ----------
        doings : bool
            What somebody does may be a part: "painting boats".
        infinitive : bool
            The first part is a verb in its plain form, after "to".
        liked : bool
            A part that points at something at hand ("this dress") is a remark, no fact.
        present : bool
            The verb before it is in the present: a plain verb in the list is another verb, no thing.
        noted : bool
            In a note, "its" and "her" are of what it speaks of.
        """  # fmt: skip
        article, opened, whole = "", False, False
        for count in range(MAX_VALUES):
            first, determiner, pointing = self._determined(at)
            if (pointing and liked) or (determiner in ("his", "her", "their", "its") and not noted):
                return
            article = determiner if count == 0 else article
            at = self._end(first, doings=doings or infinitive, doing=infinitive and count == 0)
            last = self._trimmed(first, at)
            listed = self.low(at) in LISTED or (self.low(at) == "," and self._lists(at))
            if count == 0 and article in ("a", "an") and (end := self._two_adjectives(first, last, at)):
                at, last, listed = end, self._trimmed(first, end), False
            doing = last > first and self._doing(first)
            if last <= first or not self.says(first, last) or (doing and not self._whole(first, last, at)):
                return
            if last == first + 1 and self.low(first) in FORMS and self.low(at) in _PARTICLES:
                return  # "working on building up ..."
            if count == 0:
                opened = self.low(first).endswith("ing")
            elif (doing and not opened) or (whole and not doing) or self._another_verb(first, last, present):
                return
            whole = doing and last > first + 1
            yield first, last
            if any(self.low(place) == "of" for place in range(first, last)):
                return  # "a translator of French and Italian poems": what follows is in what it is of
            at += 1
            at += self.low(at) in LISTED
            while self.low(at) in ("also", "even"):
                at += 1
            if not listed or self.low(at) in NO_LIST or self._another_clause(at):
                return

    def says(self, first: int, last: int) -> bool:
        """Whether a phrase names something in particular."""
        words = [word.low for word in self.words[first:last]]
        if not 0 < len(words) <= MAX_VALUE_WORDS + words.count("of"):
            return False
        opens, head = words[0], words[-1]
        if head == "of" or opens == "bit":
            return False
        if len(words) == 1 and (head in EMPTY or (len(head) < 2 and not head.isdigit())):
            return False
        if head in VAGUE:
            if len(words) > 1 and all(word in COLOURLESS or NUMBER.fullmatch(word) for word in words[:-1]):
                return False
        elif head in EMPTY or head in COLOURLESS or head in self._unnamed:
            return False
        if "of" in words[1:] and words[words.index("of", 1) - 1] in EMPTY_OF:
            return False
        if opens in ("no", "your", "how", "what", "more", "much", "enough", "such") or (
            opens in THIRD and len(words) > 1
        ):
            return False
        if any(word in PAST for word in words[1:]) or (opens.endswith("ly") and opens not in LY_NOUNS):
            return False
        start, end = self.span(first, last)
        return any(letter.isalnum() for letter in self.text[start:end])

    def _determined(self, at: int) -> tuple[int, str, bool]:
        """The first word after quantities and determiners, the last determiner, and whether one points."""
        here = self.words[at].start if at < len(self.words) else 0
        if at < len(self.words) and (quantity := _QUANTITY.match(self.text[here : here + 20])):
            at += len(quantity[0].split())
        determiner, pointing = "", False
        while (low := self.low(at)) in DETERMINER or (low in ("all", "both") and self.low(at + 1) in DETERMINER):
            determiner, at = low, at + 1
            pointing |= low in POINTING
        return at, determiner, pointing

    def _end(self, first: int, *, doings: bool, doing: bool = False) -> int:
        """Where the noun phrase that begins at a word ends."""
        at, of = first, 0
        while at < len(self.words):
            low, letter, following = self.words[at].low, self.words[at].text[0], self.low(at + 1)
            if at == first:
                if low.endswith("ing") and low in FORMS and low not in ING_WORDS and not doings:
                    return at
                doing |= doings and self._doing(first)
            elif low == "of" and of < 2 and following not in NO_OF:
                of, at = of + 1, at + 1
                while self.low(at) in DETERMINER:
                    at += 1
                continue
            elif doing and low in DETERMINER and following in EMPTY:
                return at  # "painting this week"
            elif doing and (low in DETERMINER or low in ("to", "in", "at", "on", "with", "for", "about")):
                doing = False
                if self._end(at + 1, doings=False) == at + 1:
                    return at
                at += 1
                continue
            if low in CLOSED or low in NAMED_BY or not (letter.isalnum() or letter in '"“$'):
                return at
            if at > first and self._said_further(at, low, following):
                return at
            at += 1
        return at

    def _said_further(self, at: int, low: str, following: str) -> bool:
        """Whether a word within a phrase begins what is said of it: "a story | based on", "a blast | camping"."""
        if self.words[at - 1].text[0] in '"“' or (low.endswith("ly") and low not in LY_NOUNS):
            return True
        if (low in REDUCED or low.endswith("ed")) and following == "by":
            return True
        if low in REDUCED and (following in PREPOSITIONS or following in ("", "and")):
            return True
        if not low.endswith("ing"):
            return False
        before = self.low(at - 1)
        return (
            before in EMPTY
            or before in ABSTRACT
            or (low in FORMS and low not in ING_WORDS and following not in ING_NOUNS)
        )

    def _trimmed(self, first: int, last: int) -> int:
        """Where a phrase ends without the adverbs and words of time at its end."""
        while last > first and ((low := self.low(last - 1)) in CLOSED or low in ADVERB or low in DETERMINER):
            last -= 1
        return last

    def _two_adjectives(self, first: int, last: int, at: int) -> int:
        """Where "a safe and loving home" ends, from "safe"; 0 where "and" joins two things."""
        following = self.low(at + 1)
        if self.low(at) not in ("and", "&", ",") or not last == at == first + 1:
            return 0
        if following in CLOSED or following in DETERMINER or following in FORMS or NUMBER.fullmatch(following):
            return 0
        end = self._end(at + 1, doings=False)
        return end if end > at + 2 else 0

    def _doing(self, first: int) -> bool:
        """Whether a phrase begins with what somebody does: "playing the piano"."""
        low = self.low(first)
        return low.endswith("ing") and len(low) > 4 and (low in FORMS or low not in ING_WORDS) and low not in THINGS

    def _whole(self, first: int, last: int, at: int) -> bool:
        """Whether a doing is told with its object, or needs none."""
        if last > first + 1:
            return self.low(first + 1) not in ("sure", "up", "out")
        return self.low(first) not in _LIGHT_DOINGS and self.low(at) in _AFTER_DOING

    def _another_verb(self, first: int, last: int, present: bool) -> bool:
        """Whether what comes later in a list is a verb of the subject: "watch movies, hike, and have ..."."""
        low, form = self.low(first), FORMS.get(self.low(first))
        if low.endswith("ed") or low in PAST:  # "roasted marshmallows and shared stories"
            return True
        if present and form is not None and form.tense == "base" and (last > first + 1 or low not in THINGS):
            return True
        return any(word.low.endswith("ed") for word in self.words[first + 1 : last])

    def _another_clause(self, at: int) -> bool:
        """Whether what follows "and" is another clause: a verb, or a name or noun with its own verb."""
        form = FORMS.get(self.low(at))
        if form is not None and form.tense in ("past", "third", "participle") and self.low(at) not in THINGS:
            return True
        end = at
        while (
            end < min(len(self.words), at + MAX_VALUE_WORDS)
            and self.low(end) not in CLOSED
            and self.low(end)[0].isalnum()
        ):
            end += 1
        return self.low(end) in HAS

    def _lists(self, at: int) -> bool:
        """Whether a comma stands in a list: an "and" comes before the clause ends, with short phrases between."""
        run = 0
        for place in range(at + 1, min(at + LIST_REACH, len(self.words))):
            low = self.low(place)
            if low in LISTED:
                return True
            run = 0 if low == "," else run + 1
            if run >= MAX_VALUE_WORDS or (low in CLOSED and low not in DETERMINER and low not in ("of", "for")):
                return False
        return False


def _words(text: str, start: int, end: int) -> list[Word]:
    """The words and marks of a sentence; "I've" and "don't" are two words each."""
    tokens = []
    for match in _WORD.finditer(text, start, end):
        word = match[0]
        low = word.lower()
        if "'" not in low and "’" not in low and low != "cannot":  # most are one word
            tokens.append(Word(word, low, *match.span()))
            continue
        whole = Word(word, low.replace("’", "'"), *match.span())
        cut = 0
        if whole.low.endswith("n't") or whole.low == "cannot":
            cut = len(whole.low) - 3
        elif "'" in whole.low and (short := _SHORT.match(whole.text)):
            cut = len(short[1]) if short[2].lower() != "s" or short[1].lower() in CLOSED else 0
        if cut:
            middle = whole.start + cut
            tokens.append(Word(whole.text[:cut], whole.low[:cut], whole.start, middle))
            tokens.append(Word(whole.text[cut:], whole.low[cut:], middle, whole.end))
        else:
            tokens.append(whole)
    return tokens
