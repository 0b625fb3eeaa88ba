"""What a value looks like: a made secret, or a word, an expression of code, a number, a placeholder."""

import re
from enum import IntEnum

from context_graph.regex import regex

__all__ = ["Strength", "passphrase", "strength"]


class Strength(IntEnum):
    """How much a value looks as if it had been made to be secret."""

    NONE = 0
    """A word, words, an expression, a number, a date, a version, a path, a placeholder."""

    WEAK = 1
    """A word with digits behind it, as in `hunter2`: a password of some people, and a name in much code."""

    MIXED = 2
    """Words, digits and signs in one: what a person makes up as a password, `Fuchs8Bau!`."""

    RANDOM = 3
    """No words at all: what a machine makes, `xhnTf0baNaMYmbd`."""


_TEMPLATE = regex(r"[<{$\[%].*|.*(?:[<{]\w|\$[({A-Za-z_]|%[(s]|&#|&lt;).*")
MAX_VALUE_CHARS = 200
"""Characters of a value that are looked at: whoever pumps a text with long values gains nothing."""

_PLACEHOLDER = regex(
    r".*(?:\.\.\.|…|xxx|\*\*\*|___|\\[wWdDsSbB]).*|(?:test|demo|password|passwd|pass|secret|token|admin|guest|root|user)\d{0,4}!?"
    r"|.*(?:example|placeholder|your[ _-]|my[ _-]|change[ _-]?me|redacted|dummy|sample|foo.?bar).*",
    re.I,
)
_PLAIN = regex(
    r"[\W\d_]*"  # digits and signs: a number, a date, a version, a telephone
    r"|v?\d+(?:[.:_-]\d+)*[.-]?[a-z]{0,5}\d{0,4}"  # 3.11.2rc1, 90d, 10:30pm
    r"|0x[0-9a-f]{1,16}|U\+[0-9a-f]{4,6}|#[0-9a-f]{3,8}"
    r"|\d{4}-\d\d-\d\dT[\d:.]*(?:Z|[+-][\d:]*)?",
    re.I,
)
_TECHNICAL = regex(
    r".*(?<![a-z])(?:sha|md|argon|pbkdf|bcrypt|scrypt|hmac|oauth|base|utf|aes|rsa|ed|rfc|http|tls|ssl|x(?=509|86|11|64)|python|win|ipv|int|uint|float)"
    r"[-_]?\d.*",
    re.I,
)
"""Names of algorithms, formats and versions, which mix letters and digits as well."""

_UUID = regex(r"\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.I)
_CONSTANT = regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_ADDRESS = regex(r"(?:[a-z][a-z0-9+.-]*:)?//.*|[~.]{0,2}/\w.*|\w:[\\/].*|.*\\\\.*|[\w-]+(?:/[\w.-]+){1,9}/?", re.I)
_EXPRESSION = regex(
    r"[\w.\]\"')]*[A-Za-z_][\w.]*[(\[{].*|.*(?:->|::|=>|\|\||&&|==|[()\[\]{}<>;]|\\[nrtux]).*"
    r"|[@&*!~-]{0,2}[A-Za-z_]\w*\??(?:[.?:|,][A-Za-z_]\w*)*[.?:|,][A-Za-z_]*\d?[.?:|,]?"
)
_PIECE = regex(r"[A-Z]?[a-zß-öø-ÿ]+|[A-ZÀ-Þ]+(?![a-z])|[A-Z]|\d+")
_LETTERS = regex(r"[^\W\d_]{4,}")

# How often one letter follows another in English, German, Spanish and French prose, the 265 most common pairs:
# 95 % of the pairs in pages of manuals are among them, and 39 % of those of letters taken by chance.
_COMMON_PAIRS = frozenset(
    """ab ac ad af ag ai ak al am an ap ar as at au av aw ay ba be bi bl bo br bu by ca ce ch ci ck cl co cr ct cu da de
    di do dr du dy ea eb ec ed ee ef eg eh ei ek el em en eo ep er es et eu ev ew ex ey fa fe ff fi fl fo fr ft fu ga
    ge gh gi gl gn go gr gu ha he hi hl hm hn ho hr ht hu ia ib ic id ie if ig ik il im in io ip ir is it iv iz je ke
    ki kl la ld le lf li ll lo lt lu ly ma mb me mi mm mo mp ms mu my na nc nd ne nf ng ni nk nl nn no ns nt nu ny oa
    ob oc od of og oi ok ol om on oo op or os ot ou ov ow oy pa pe ph pi pl po pp pr ps pt pu qu ra rb rc rd re rf rg
    ri rk rl rm rn ro rr rs rt ru rv ry sa sc se sh si sk sl sm so sp ss st su sy ta tc te th ti tl to tr ts tt tu tw
    ty tz ua ub uc ud ue uf ug ui ul um un up ur us ut va ve vi vo wa we wh wi wo wn xt xp ya ye yo ys ze zu zi za
    """.split()
)
_FUNCTION_WORDS = frozenset(
    "a an and are as at be by can could do does enter for from has have if in is it its may must new no not of "
    "on or please should that the this to use was we when will with without would you your der die das und ist nicht "
    "el la los de y es le les".split()
)
_SECRET_WORDS = regex(r"pass|pwd|secret|token|key|auth|cred|login", re.I)


def strength(value: str) -> Strength:
    """How much one unbroken value looks made.

    Examples
    --------
    >>> [strength(value).name for value in ("expired", "get_token(user)", "hunter2", "Fuchs8Bau!", "xhnTf0baNaMYmbd")]
    ['NONE', 'NONE', 'WEAK', 'MIXED', 'RANDOM']
    """
    value = value[:MAX_VALUE_CHARS]
    if len(value) < 4 or _PLAIN.fullmatch(value) or _UUID.fullmatch(value):
        return Strength.NONE
    if _PLACEHOLDER.fullmatch(value) or _CONSTANT.fullmatch(value):
        return Strength.NONE
    if _random(value):
        return Strength.RANDOM
    if any(shape.fullmatch(value) for shape in (_TEMPLATE, _ADDRESS, _EXPRESSION, _TECHNICAL)):
        return Strength.NONE
    lower, upper = any(map(str.islower, value)), any(map(str.isupper, value))
    digits = sum(map(str.isdigit, value))
    signs = sum(not letter.isalnum() and letter not in "_-.'’" for letter in value.rstrip(".,:;!?'\""))
    joints = any(letter in "_-." for letter in value[1:-1])
    if not digits:
        return Strength.MIXED if signs >= 2 and lower and upper and " " not in value else Strength.NONE
    inside = bool(re.search(r"[^\W\d_]\d{1,3}[^\W\d_]|^\d+[^\W\d_]{4}", value))
    kinds = lower + upper + bool(signs or joints)
    if lower and upper and re.search(r"\d[!#*+$]$", value):
        return Strength.MIXED  # Sommer2024!
    if signs and (lower or upper) and (kinds >= 2 or inside):
        return Strength.MIXED
    if lower and upper and len(value) >= 8 and (inside or (joints and (digits >= 2 or len(value) >= 10))):
        return Strength.MIXED
    return (
        Strength.WEAK if lower and re.fullmatch(r"(?:[^\W\d_]+\d+)+[^\W\d_]{0,12}[!?.#*+]?", value) else Strength.NONE
    )


def passphrase(value: str) -> bool:
    """Whether several words are a passphrase rather than a sentence or a label."""
    words = value.split(" ")
    if any(strength(word) >= Strength.WEAK for word in words):
        return True
    plain = all(word.isalpha() and word.islower() for word in words)
    return plain and 2 <= len(words) <= 10 and not _FUNCTION_WORDS & set(words) and not _SECRET_WORDS.search(value)


def _random(value: str) -> bool:
    """Whether a value has the statistics of chance: short pieces of a kind, and letters in no order of words."""
    plain = value.strip("=")
    pieces = _PIECE.findall(plain)
    if len(plain) < 8 or " " in value or not pieces:
        return False
    piece_chars = sum(map(len, pieces))
    if (len(plain) < 16 and not any(map(str.isdigit, plain))) or len(plain) < 12:
        letters = "".join(piece for piece in pieces if piece.isalpha()).lower()
        pairs = [letters[i : i + 2] in _COMMON_PAIRS for i in range(len(letters) - 1)]
        mixed = any(map(str.islower, plain)) and any(map(str.isupper, plain))
        return mixed and piece_chars / len(pieces) < 2.8 and sum(pairs) < 0.6 * len(pairs)
    digits = sum(map(str.isdigit, plain))
    if re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", plain):
        return len(plain) >= 20 and 0.3 < digits / len(plain) < 0.95 and len(set(plain)) >= 9
    if piece_chars < 0.7 * len(plain) or len(set(plain)) < 0.3 * min(len(plain), 32):
        return False
    if piece_chars / len(pieces) < 2.9 and digits and any(map(str.isalpha, plain)):
        return True
    if piece_chars / len(pieces) < 2.4 and len(plain) >= 16:
        return True
    runs = "".join(_LETTERS.findall(plain)).lower()
    pairs = [runs[i : i + 2] in _COMMON_PAIRS for i in range(len(runs) - 1)]
    return len(pairs) >= 14 and sum(pairs) < 0.62 * len(pairs)
