"""Whether two statements are about two people of one first name, whom their last names tell apart."""

from context_graph.embed.chunks import clauses
from context_graph.embed.stems import stem_of, stems
from context_graph.reading import cues
from context_graph.reading.first_names import may_be_a_first_name
from context_graph.reading.subjects import content_stems
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["of_namesakes"]

READ = 600
"""Characters of a statement that are looked at."""

_FULL_NAME = regex(r"\b([A-ZÀ-Þ][a-zß-ÿ]+) ([A-ZÀ-Þ][a-zß-ÿ]+)\b")
_TITLES = frozenset(
    "dr doctor prof professor mr mrs ms miss nurse sister brother uncle aunt herr frau señor señora don doña".split()
)


_RENAMES = regex(
    r"(?i:\b(?:sur|last |family |maiden )?names?\b|\bspel(?:led|t|ling)\b|\bmarried\b)|\bnot [A-ZÀ-Þ][a-zß-ÿ]"
)
"""Says how somebody is called, and was not or is no longer."""


def of_namesakes(question_stems: frozenset[str], earlier: str, later: str) -> bool:
    """Whether what an earlier statement says of what is asked, and a later one, are about two people of one first name,
    whom their last names tell apart, and share no other word.

    Parameters
    ----------
    question_stems : frozenset of str
        Stems of the question.

    Examples
    --------
    >>> asked = frozenset({"bar"})
    >>> of_namesakes(asked, "Ines Roth runs the bar.", "Ines Vogel moved to Ulm.")
    True
    >>> of_namesakes(asked, "Ines Roth runs the bar.", "Ines Vogel runs the bar now.")
    False
    >>> [of_namesakes(asked, "Ines Roth runs the bar.", later) for later in ("Ines moved.", "Ines Roth moved.")]
    [False, False]
    >>> of_namesakes(frozenset({"surnam"}), "Ole Hansen is our vet.", "It's Ole Hanssen, I had his surname wrong.")
    False
    >>> both = "Ines Roth runs the bar, Ines Vogel runs the kitchen.", "Ines Vogel moved to Ulm."
    >>> of_namesakes(asked, *both), of_namesakes(frozenset({"kitchen"}), *both)
    (True, False)
    """
    now = _full_names(later)
    if not now or not _full_names(earlier) or _RENAMES.search(later) or cues.CORRECTED.search(later):
        return False
    parts = clauses(earlier)
    shares = [len(question_stems.intersection(stems(part))) for part in parts]
    relevant = [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]
    return bool(relevant) and all(_of_two(part, later) for part in relevant)


def _of_two(earlier: str, later: str) -> bool:
    of, now = _full_names(earlier), _full_names(later)
    shared = {first for first, _ in of}.intersection(first for first, _ in now)
    if not shared or of & now:
        return False
    own = {word.lower() for pair in now for word in pair}
    return not (content_stems(earlier) & content_stems(later)) - {stem_of(word) for word in own}


@kept_for_texts(maxsize=512)
def _full_names(text: str) -> frozenset[tuple[str, str]]:
    """First and last name of each person that a text names by both."""
    pairs = (match.groups() for match in _FULL_NAME.finditer(text[:READ]))
    return frozenset(
        (first, last)
        for first, last in pairs
        if first.lower() not in _TITLES and may_be_a_first_name(first) and not cues.TIMED.fullmatch(last)
    )
