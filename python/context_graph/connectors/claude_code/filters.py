"""What of a message belongs to the conversation, as it may be kept."""

from collections.abc import Set
from dataclasses import dataclass

from context_graph.regex import regex
from context_graph.safety.pii import ALL_KINDS, scrub
from context_graph.safety.privacy import GAP, without_private

__all__ = ["LONGEST_TURN", "Clean", "cleaned", "is_trivial", "without_wrappers"]

LONGEST_TURN = 65_536  # characters, as of any memory; what is longer was pasted, and its first parts stand for it
MARGIN = 8_192  # characters read beyond, so that a secret that straddles the end is seen whole

# What Claude Code puts around, or in place of, the words of its user.
_WRAPPER = regex(
    r"<(/?)(system-reminder|command-(?:name|message|args|contents)|local-command-(?:stdout|stderr|caveat)"
    r"|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|user-memory-input|task-notification"
    r"|ide_(?:opened_file|selection|diagnostics)|new-diagnostics)>"
)
_PLACEHOLDER = regex(r"\[(?:Image #\d{1,4}|Request interrupted by user(?: for tool use)?)\]")
_BARE_COMMAND = regex(r"/[\w:-]+")
_WORD = regex(r"\w+")

# Words with which one answers, greets or sends on, and says nothing that is worth finding.
_COURTESY = frozenset(
    """ok okay kk yes yep yeah yup yea sure no nope nah thanks thank thx ty you please pls cheers great good nice cool
    perfect fine excellent awesome alright right correct exactly agreed agree true done ready lgtm looks sounds all
    continue go on ahead proceed next stop wait retry again try it that this do so and now then more hi hey hello bye
    goodbye morning evening welcome sorry oh ah hm hmm well ja nein danke bitte weiter gut genau
    si oui merci""".split()
)


@dataclass(frozen=True, slots=True)
class Clean:
    """A message as it may be kept.

    Attributes
    ----------
    private : bool
        Something in it was marked as private.
    cut : bool
        It was longer than what is kept of a message.
    """

    text: str
    private: bool = False
    cut: bool = False


_LONE_SURROGATE = regex("[\ud800-\udfff]")
"""Half a character, which no file can hold; JSON can name it."""


def cleaned(text: str, *, kinds: Set[str] = ALL_KINDS) -> Clean:
    """Without what the host added, what is private, and secrets; the same wherever the message comes from."""
    public = without_private(without_wrappers(_LONE_SURROGATE.sub("\ufffd", text)))
    said = scrub(public.text[: LONGEST_TURN + MARGIN], kinds=kinds).text.strip()
    return Clean(said[:LONGEST_TURN].rstrip(), public.cut, len(public.text) > LONGEST_TURN)


def is_trivial(text: str) -> bool:
    """Whether nothing is said but assent, thanks, a greeting, a number, one letter, or a command without arguments."""
    text = text.replace(GAP, " ").strip()
    if _BARE_COMMAND.fullmatch(text):
        return True
    words = _WORD.findall(text.lower())
    return all(word in _COURTESY or word.isdigit() or (len(word) == 1 and word.isascii()) for word in words)


def without_wrappers(text: str) -> str:
    """Without the passages that the host wrapped in tags of its own; a tag that is never closed is the user's word."""
    text = _PLACEHOLDER.sub("", text)
    marks = list(_WRAPPER.finditer(text))
    if not marks:
        return text
    last = {mark[2]: mark.start() for mark in marks if mark[1]}
    pieces, kept_from, inside, depth = [], 0, "", 0
    for mark in marks:
        closing, name = bool(mark[1]), mark[2]
        if not inside:
            if not closing and last.get(name, -1) > mark.start():
                pieces.append(text[kept_from : mark.start()])
                inside, depth = name, 1
        elif name == inside:
            depth += -1 if closing else 1
            if depth == 0 or mark.start() == last[name]:
                inside, kept_from = "", mark.end()
    return "".join([*pieces, text[kept_from:]])
