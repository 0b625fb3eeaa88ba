"""Titles of works and other names in a statement: their words say nothing of what it states."""

from context_graph.regex import regex

__all__ = ["without_titles"]

_QUOTED = regex(r"(?<!\w)([\"“„'‘«])([A-ZÀ-Þ0-9][^\"“”„«»\n]{0,80}?)[\"”“'’»](?!\w)")
_SMALL = frozenset("a an and as at but by for from in into nor of on or over the to with".split())
_WORD = r"(?!I\b)[A-ZÀ-Þ][\w'’-]*+"
_NAMED = regex(rf"(?<=[^\W\d_,] ){_WORD}(?: (?:(?:of|the|in|a|an) ){{0,2}}{_WORD})+")


def without_titles(text: str) -> str:
    """A statement whose titles and names of several words are left open: "The Left Hand of Darkness" leaves nothing.

    Examples
    --------
    >>> without_titles("I am reading 'The Left Hand of Darkness' for school."), without_titles("We saw Gone Girl.")
    ('I am reading … for school.', 'We saw ….')
    >>> without_titles("He said 'I have left them'."), without_titles("I'm at Dad's and I left.")
    ("He said 'I have left them'.", "I'm at Dad's and I left.")
    """
    if text.isupper() or text.istitle():
        return text
    text = _QUOTED.sub(lambda quoted: "…" if _is_title(quoted[2]) else quoted[0], text)
    return _NAMED.sub("…", text)


def _is_title(text: str) -> bool:
    return all(not word[0].isalpha() or word[0].isupper() or word in _SMALL for word in text.split())
