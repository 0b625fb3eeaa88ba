"""What somebody says of themselves, as another one would say it of them."""

import re

from context_graph.regex import regex

__all__ = ["as_said_of"]

READ = 600
"""Characters of a statement that are looked at."""

_SELF = regex(
    r"\b(?:(?P<am>[Ii]['’]m|[Ii] am)|(?P<have>[Ii]['’]ve|[Ii] have)|(?P<will>[Ii]['’]ll)|(?P<own>[Mm]y|[Mm]ine)"
    r"|I|i|me|myself)\b"
)
_BACK = regex(
    r"^\W*(?=(?:back|ill|sick|away|off|on (?:holiday|leave|vacation)|home|healthy|well|fit)"
    r" ?(?:again|now|today|from|since|until|till|with|[.,!;]|$))",
    re.I,
)
"""Opens what somebody says of themselves without a subject: "Back again."."""


def as_said_of(text: str, name: str) -> str:
    """A statement in the first person with the name of who says it in place of "I" and "my".

    Examples
    --------
    >>> as_said_of("I'm back, I can drive my route again.", "Yusuf")
    "Yusuf is back, Yusuf can drive Yusuf's route again."
    >>> as_said_of("Back again.", "Tom"), as_said_of("The van is back.", "Tom")
    ('Tom is back again.', 'The van is back.')
    """
    text = text[:READ]
    if opening := _BACK.match(text):
        rest = text[opening.end() :]
        text = f"{name} is {rest[:1].lower()}{rest[1:]}"
    return _SELF.sub(lambda match: _of(match, name), text)


def _of(match: re.Match[str], name: str) -> str:
    if match["own"]:
        return f"{name}'s"
    verb = next((verb for group, verb in (("am", " is"), ("have", " has"), ("will", " will")) if match[group]), "")
    return f"{name}{verb}"
