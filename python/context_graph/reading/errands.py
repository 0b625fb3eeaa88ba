"""What is to be done once, and what says that it is done: "email Greta the plot by Friday", "sent Greta the plot"."""

from context_graph.reading.acts import tells_task
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex

__all__ = ["tells_done"]

MAX_DONE_CHARS = 240
"""Characters of a statement that says that something is done."""

_DID = regex(
    r"^\W*(?:(?:ok(?:ay)?|so|and|well),? )?(?:(?:i|we|she|he|they)(?:['’]ve| have|['’]s| has)? )?"
    r"(?:(?:just|already|finally|also|now) )*"
    r"(?:sent|emailed|mailed|posted|paid|booked|ordered|bought|called|rang|phoned|returned|picked (?:\w+ )?up|collected"
    r"|fetched|handed|submitted|signed|fixed|cancell?ed|renewed|filed|took|brought|dropped|delivered|wrote|finished"
    r"|did|got|gave|registered|cleaned|printed|uploaded|confirmed|invited|measured|washed|chose|told|asked)\b"
)
_IS_DONE = regex(
    r"\b(?:(?:is|are|['’]s|was|were|has been|have been) (?:now |all |already |finally )*"
    r"(?:sent|paid|booked|ordered|bought|returned|picked up|collected|handed in|submitted|signed|fixed|cancell?ed"
    r"|renewed|filed|delivered|written|finished|done|sorted|off my list|dealt with|taken care of|in the post"
    r"|out of the way)"
    r"|off my list|(?:has|have) gone (?:off|out|in)|went (?:off|out) (?:today|yesterday|this)|ticked off"
    r"|(?:has|have|got) (?:it|them|our|my|the|his|her|their) [\w ]{0,30}\b(?:now|already))\b"
)
_STILL = regex(
    r"\b(?:not|\w+n['’]t|still|yet|will|must|should|need to|have to|going to|tomorrow|if|when|want)\b|\?\s*$"
)
_DATES = content_stems(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december today tomorrow week month end day noon morning please before next"
)
MIN_DONE_WORDS = 2
"""Words of a task that a statement shares which only opens as one does that tells what was done."""


def tells_done(task: str, later: str) -> bool:
    """Whether a later statement says that a task is done.

    Examples
    --------
    >>> tells_done("Email Greta at the Arts Centre the stage plot by Friday.", "Sent Greta the stage plot.")
    True
    >>> tells_done("Send the council our accounts by 30 June.", "The council has our books, that's off my list.")
    True
    >>> tells_done("Email Greta the stage plot by Friday.", "Greta liked the stage plot.")
    False
    """
    plain = later[:MAX_DONE_CHARS].lower()
    if not tells_task(task) or tells_task(later) or _STILL.search(plain):
        return False
    shared = len((content_stems(task) - _DATES) & content_stems(later))
    if _IS_DONE.search(plain):
        return shared > 0
    return _DID.search(plain) is not None and shared >= MIN_DONE_WORDS
