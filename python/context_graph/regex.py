"""Regular expressions that are compiled when they are first used.

A process that answers one call uses a third of the package's expressions; to compile all took a third of its start.
"""

import re
from typing import Any, AnyStr, Generic, cast

__all__ = ["regex"]

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split", "groups", "groupindex")


class _Regex(Generic[AnyStr]):
    """Stands for an `re.Pattern`, which it compiles when one of its methods is asked for.

    Attributes
    ----------
    flags : int
        As given: those that the expression sets itself, as by `(?i)`, are not among them.
    """

    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = pattern
        self.flags = flags

    def __repr__(self) -> str:
        return f"regex({self.pattern!r}, {re.RegexFlag(self.flags)!r})"

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(f"a regular expression has no {name!r}, expected one of {', '.join(_METHODS)}")
        compiled = re.compile(self.pattern, self.flags)
        # from now on they are attributes of this object, and this method is not called again
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return self.__dict__[name]


def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    r"""An expression for the level of a module; `re.compile`, but at its first use.

    Raises
    ------
    re.error
        At the first use: the expression is none. `tests/test_regex.py` compiles all of the package.

    Examples
    --------
    >>> regex(r"\d+").findall("7 of 12")
    ['7', '12']
    """
    return cast("re.Pattern[AnyStr]", _Regex(pattern, flags))
