"""A long text in parts that can stand alone, cut where it pauses."""

from collections.abc import Iterator

__all__ = ["LONGEST_PART", "pieces"]

LONGEST_PART = 1_500  # characters; about 350 tokens, so two chunks at most
SHORTEST_CUT = 200  # characters; a part shorter than this is not cut off for a pause that comes so early
PAUSES = ("\n", ". ", " ")


def pieces(text: str, *, least: int = 1) -> Iterator[str]:
    """Paragraphs joined up to the longest part; a single longer one is cut at the end of a line, sentence or word.

    Parameters
    ----------
    least : int
        A part of fewer characters is left out.
    """
    text = text.strip("\n")
    if len(text.strip()) < least:
        return
    gathered = ""
    for paragraph in text.split("\n\n"):
        for block in _cut(paragraph):
            if gathered and len(gathered) + len(block) + 2 > LONGEST_PART:
                yield gathered
                gathered = ""
            gathered = f"{gathered}\n\n{block}" if gathered else block
    if len(gathered.strip()) >= least:
        yield gathered


def _cut(paragraph: str) -> Iterator[str]:
    while len(paragraph) > LONGEST_PART:
        end = _pause(paragraph)
        yield paragraph[:end]
        paragraph = paragraph[end:].lstrip("\n ")
    if paragraph.strip():
        yield paragraph


def _pause(paragraph: str) -> int:
    """Where to end a part of a paragraph that is too long."""
    for pause in PAUSES:
        end = paragraph.rfind(pause, SHORTEST_CUT, LONGEST_PART)
        if end >= 0:
            return end + len(pause.rstrip())
    return LONGEST_PART
