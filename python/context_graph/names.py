"""The key under which the spellings of a name meet, wherever names are looked up."""

import unicodedata

from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["name_key"]

_APART = regex(r"[^\w./]+")
_AROUND = regex(r"^(?:(?:the|an?) )+|(?: s)+$")
"""Articles and what is left of a possessive; all of them, so that the key of a key is itself."""


@kept_for_texts(maxsize=16_384)
def name_key(text: str) -> str:
    """Spellings that differ in case, width, blanks, hyphens, apostrophes or a leading article have one key.

    Examples
    --------
    >>> name_key("Conor O'Brien's"), name_key("The Rolls-Royce"), name_key("src/my-file.py")
    ('conor o brien', 'rolls royce', 'src/my file.py')
    """
    plain = " ".join(_APART.sub(" ", unicodedata.normalize("NFKC", text).casefold()).split())
    return _AROUND.sub("", plain)
