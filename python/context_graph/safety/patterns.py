"""Secrets and personal data by shape, each checked as far as its kind allows.

Every pattern runs in linear time: no nested or adjacent unbounded repeats of overlapping classes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["PII", "SECRETS", "Pattern"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of sensitive text.

    Attributes
    ----------
    group : int
        The part that is replaced; the rest is its context.
    valid : callable, optional
        A check beyond the shape, such as a checksum: true, or how many characters from the first pass it.
    """

    type: str
    regex: re.Pattern[str]
    group: int = 0
    valid: Callable[[str], bool | int] | None = None
    needs: str = ""
    """A text without this cannot match: looking for it first makes plain text cheap."""


def _digits(text: str) -> list[int]:
    return [int(letter) for letter in text if letter.isdigit()]


def _luhn(text: str) -> bool:
    """ISO/IEC 7812 checksum of payment card numbers."""
    digits = _digits(text)
    if not 12 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    doubled = [digit * 2 - 9 * (digit > 4) if i % 2 else digit for i, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


_IBAN_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO", 16: "BE", 18: "DK FI FO GL NL SD", 19: "MK SI", 20: "AT BA EE KZ LT LU MN XK", 21: "CH HR LI LV",
        22: "BG BH CR DE GB GE IE ME RS VA", 23: "AE GI IL IQ OM SO TL", 24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "LY PT ST", 26: "IS TR", 27: "BI DJ FR GR IT MC MR SM", 28: "AL AZ BY CY DO GT HU LB NI PL SV",
        29: "BR EG PS QA UA", 30: "JO KW MU YE", 31: "MT SC", 32: "LC", 33: "RU",
    }.items()
    for country in countries.split()
}  # fmt: skip
"""ISO 13616: how many letters and digits the number of a country has."""


def _iban(text: str) -> int:
    """How many characters of the text are an IBAN, by the length of its country and the checksum modulo 97; 0: none."""
    places = [at for at, letter in enumerate(text) if letter not in " -"]
    length = _IBAN_LENGTHS.get(text[:2].upper(), 0)
    if not 0 < length <= len(places):
        return 0
    end = places[length - 1] + 1
    plain = re.sub(r"[ -]", "", text[:end]).upper()
    sound = int("".join(str(int(letter, 36)) for letter in plain[4:] + plain[:4])) % 97 == 1
    return end if sound and not text[end : end + 1].isalnum() else 0


def _ssn(text: str) -> bool:
    area, group, serial = text.replace(" ", "-").split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _ip(text: str) -> bool:
    parts = [int(part) for part in text.split(".")]
    return all(part < 256 for part in parts) and parts[0] not in (0, 10, 127, 255) and parts[:2] != [192, 168]


def _phone(text: str) -> bool:
    return 9 <= len(_digits(text)) <= 15


def _made(text: str) -> bool:
    """Not a placeholder."""
    return not re.fullmatch(r"[<{$\[].*|%\w*%?|x{3,}|\*+|\.+|.*(?:example|placeholder|your[ _-]).*", text, re.I)


def _mixed(text: str) -> bool:
    """Looks like a made secret, not like a word or a placeholder."""
    kinds = sum(bool(re.search(kind, text)) for kind in (r"[a-z]", r"[A-Z]", r"\d", r"[^A-Za-z0-9]"))
    return kinds >= 2 and _made(text) and not text.isdigit()


_KEYWORD = (
    r"(?:pass(?:word|wd|phrase)|pwd|secret(?:[_-]?key)?|(?:api|access|private)[_-]?key"
    r"|(?:(?:auth|access|bearer)[_-]?)?token|client[_-]?secret)"
)

SECRETS = (
    Pattern(
        "PRIVATE_KEY",
        re.compile(
            r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}"
            r"(?:-----END [A-Z0-9 ]{0,40}-----)?"
        ),
        needs="-----BEGIN",
    ),
    Pattern(
        "JWT", re.compile(r"\beyJ[A-Za-z0-9_-]{5,2000}\.eyJ[A-Za-z0-9_-]{5,6000}\.[A-Za-z0-9_-]{5,2000}"), needs="eyJ"
    ),
    Pattern("AWS_KEY", re.compile(r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b")),
    Pattern("GITHUB_TOKEN", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255})\b")),
    Pattern("GITLAB_TOKEN", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,64}\b"), needs="glpat-"),
    Pattern("SLACK_TOKEN", re.compile(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b"), needs="xox"),
    Pattern(
        "SLACK_WEBHOOK", re.compile(r"https://hooks\.slack\.com/services/[A-Za-z0-9/]{20,120}"), needs="hooks.slack.com"
    ),
    Pattern("API_KEY", re.compile(r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct|admin)[-_A-Za-z0-9]{12,250}\b")),
    Pattern("API_KEY", re.compile(r"\bsk-[A-Za-z0-9]{20,200}\b")),
    Pattern("GOOGLE_API_KEY", re.compile(r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), needs="AIza"),
    Pattern("GOOGLE_OAUTH", re.compile(r"\bya29\.[A-Za-z0-9_-]{20,500}"), needs="ya29."),
    Pattern("STRIPE_WEBHOOK", re.compile(r"\bwhsec_[A-Za-z0-9]{24,128}\b"), needs="whsec_"),
    Pattern("SENDGRID_KEY", re.compile(r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}"), needs="SG."),
    Pattern("NPM_TOKEN", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b"), needs="npm_"),
    Pattern("PYPI_TOKEN", re.compile(r"\bpypi-[A-Za-z0-9_-]{16,300}"), needs="pypi-"),
    Pattern("HUGGINGFACE_TOKEN", re.compile(r"\bhf_[A-Za-z0-9]{30,64}\b"), needs="hf_"),
    Pattern(
        "DATABASE_URL", re.compile(r"\b[a-z][a-z0-9+]{1,20}://[^\s:/@]{1,100}:([^\s@/]{1,200})@"), group=1, needs="://"
    ),
    Pattern("TOKEN", re.compile(r"\b[Bb]earer ([A-Za-z0-9._~+/-]{16,4000}=*)"), group=1, valid=_mixed, needs="earer "),
    Pattern(
        "PASSWORD",
        re.compile(rf"{_KEYWORD}[\"']?\s{{0,3}}(?:=>?|:=?|\bis\b)\s{{0,3}}[\"']([^\"'\n]{{4,300}})[\"']", re.I),
        group=1,
        valid=_made,
    ),
    Pattern(
        "PASSWORD",
        re.compile(rf"{_KEYWORD}[\"']?\s{{0,3}}(?:=|:|\bis\b)\s{{0,3}}([^\s\"',;)]{{6,300}})", re.I),
        group=1,
        valid=_mixed,
    ),
)
"""Credentials: always replaced."""

PII = (
    Pattern(
        "EMAIL",
        re.compile(r"(?<![\w.+-])(?!git@)[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b"),
        needs="@",
    ),
    Pattern(
        "IBAN", re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b", re.I), valid=_iban
    ),
    Pattern("CREDIT_CARD", re.compile(r"(?<![\w.-])\d{4}(?:[ -]?\d{4}){2}(?:[ -]?\d{1,7})?(?![\w-])"), valid=_luhn),
    Pattern("CREDIT_CARD", re.compile(r"(?<![\w.-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\w-])"), valid=_luhn),
    Pattern("SSN", re.compile(r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])"), valid=_ssn),
    Pattern(
        "PHONE",
        re.compile(r"(?<![\w.+-])\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){1,4}(?![\w-])"),
        valid=_phone,
    ),
    Pattern(
        "PHONE", re.compile(r"(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[.-])\d{3}[.-]\d{4}(?:x\d{1,6})?(?![\w-])")
    ),
    Pattern("PHONE", re.compile(r"(?<![\w.+-])0\d{2,4}[ /-]\d{3,4}[ -]?\d{2,6}(?![\w-])"), valid=_phone),
    Pattern(
        "PHONE",
        re.compile(
            r"\b(?:phone|tel|mobile|cell|fax|call(?:ed)?(?: \w{1,10})? (?:at|on))\b[.:#]{0,2} {0,2}"
            r"(\+?[\d(][\d() .x/-]{6,24}\d)",
            re.I,
        ),
        group=1,
        valid=_phone,
    ),
    Pattern("IP_ADDRESS", re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![\w:])")),
    Pattern("IP_ADDRESS", re.compile(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)"), valid=_ip),
)
"""Personal data with a shape of its own; names of people need a model and are left to an optional extra."""
