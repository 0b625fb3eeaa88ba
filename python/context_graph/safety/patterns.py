"""Secrets and personal data by shape, each checked as far as its kind allows.

Every pattern runs in linear time: no nested or adjacent unbounded repeats of overlapping classes.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_address
from itertools import pairwise
from os.path import commonprefix

from context_graph.regex import regex
from context_graph.safety.values import Strength, strength

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
    stands: Callable[[str, int, int], bool] | None = None
    """Whether what is around the part, in the text from one place to another, lets it be what it looks like."""

    needs: tuple[str, ...] = ()
    """A text without any of these cannot match: looking for them first makes plain text cheap."""

    holds: re.Pattern[str] | None = None
    """A text without this cannot match either."""

    _begins: tuple[tuple[str, tuple[str, ...]], ...] = field(init=False, repr=False)
    """`needs` by what they have in common at their beginning."""

    def __post_init__(self) -> None:
        groups: dict[str, list[str]] = {}
        for needed in self.needs:
            groups.setdefault(needed[0], []).append(needed)
        begins = tuple((commonprefix(group), tuple(group)) for group in groups.values())  # noqa: RUF071 - of letters
        object.__setattr__(self, "_begins", begins)

    @property
    def begins(self) -> tuple[str, ...]:
        """Texts of which one stands in every text that has one of `needs`; none where there are no needs."""
        return tuple(begin for begin, _ in self._begins)

    def needed_in(self, text: str) -> bool:
        """Whether a text has one of `needs`, if there are any."""
        if not self._begins:
            return True
        for begin, group in self._begins:
            if begin in text and (len(group) == 1 or any(needed in text for needed in group)):
                return True
        return False


_LAST_PARTS = regex(r"\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}")
"""What a token of three parts ends with: only where a point stands is anything tried."""

NUMBER = regex(r"\d[\d .()/+:xX-]{5,}\d")
"""What every card, telephone, insurance number and address of four bytes holds."""


def _digits(text: str) -> list[int]:
    return [int(letter) for letter in text if letter.isdigit()]


def _card(text: str) -> bool:
    """Begins and is as long as the cards of an issuer, and has the checksum of ISO/IEC 7812."""
    digits = _digits(text)
    plain = "".join(map(str, digits))
    if len(set(digits)) == 1 or not _ISSUED.fullmatch(plain):
        return False
    doubled = [digit * 2 - 9 * (digit > 4) if i % 2 else digit for i, digit in enumerate(reversed(digits))]
    return sum(doubled) % 10 == 0


_ISSUED = regex(
    r"4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[0689]\d{12}|(?:35|62|64|65|60|81)\d{14}(?:\d{3})?"
    r"|(?:5[06-8]|6\d)\d{10,17}|(?:1800|2131)\d{11}"
)
"""How numbers of Visa, Mastercard, American Express, Diners, JCB, UnionPay, Discover and Maestro begin."""


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
    area, group, serial = re.split(r"[ .-]", text)
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _ip(text: str) -> bool:
    """An address of the public network, which names somebody: not of documentation, a private net or a group."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return address.is_global and not address.is_multicast


def _ip_stands(text: str, start: int, stop: int) -> bool:
    """Not a number of a version or a section: those have small parts, or a word that says so before them."""
    before, behind = text[max(0, start - 40) : start].rpartition("\n")[2], text[stop : stop + 20]
    if _NUMBERED.search(before):
        return False
    parts = [int(part) for part in text[start:stop].split(".")]
    small = parts[0] < 10 or max(parts) < 100
    return not small or bool(_ADDRESSED.search(before) or re.match(r":\d{2,5}\b|/\d{1,2}\b", behind))


_NUMBERED = regex(
    r"(?:\b(?:version|ver|v|section|sections|sec|chapter|clause|paragraph|release|releases|figure|table|driver|build|firmware|"
    r"appendix|part|rfc ?\d{3,5}|since|oid)\b|§|[=<>~!]=|\^)[\s.:,#\[(]{0,4}(?:[\d.]{1,12}(?:,| and| or| to|-)? ?)?$",
    re.I,
)
_ADDRESSED = regex(
    r"\b(?:ips?|ipv4|host|hosts|server|servers|addr|address|addresses|ping|dns|ssh|nameserver|resolver|gateway|client|"
    r"router|subnet|proxy|listens?|connect(?:s|ed)? to|reach(?:es|ed)?|blocked?)\b[^\n]{0,24}$|//$|@$",
    re.I,
)


def _phone(text: str) -> bool:
    plain = re.sub(r"\D", "", text)
    if not 9 <= len(plain) <= 15 or re.match(r"\+?\d{4}-\d\d-\d\d", text):
        return False
    return not text.startswith("+") or bool(_CALLING.match(plain))


_CALLING = regex(
    r"1[2-9]\d{9}$|7\d{10}$|2[07]|2[1-6]\d|29[0-1789]|3[0-469]|3[578]\d|4[013-9]|42[013]|5[1-8]|5[09]\d|6[0-6]|6[7-9]\d"
    r"|8[1246]|80[08]|8[578]\d|9[0-58]|9[679]\d"
)
"""How numbers begin after the plus sign: country codes of ITU E.164."""


def _called(text: str, start: int, stop: int) -> bool:
    """Behind a word for a telephone or for calling somebody."""
    return bool(_CALLS.search(text[max(0, start - 40) : start].rpartition("\n")[2]))


_CALLS = regex(
    r"\b(?:phone|tel|mobile|cell|fax|handy|telefon|teléfono|móvil|téléphone|telefono|cellulare|celular|telemóvel|telefoon"
    r"|ruf(?:e|t|st)?(?: \w{1,6}){0,2} an|(?:call|text|ring|dial|reach)(?:ed)?(?: \w{1,10})? (?:at|on|under)"
    r"|(?:call|text|ring|dial)(?: (?:me|us|her|him|them))?)\b[.:#]{0,2} {0,2}(?:(?:is|ist|lautet|es|est|è|é) )?$",
    re.I,
)


def _unlisted(text: str, start: int, stop: int) -> bool:
    """Not one of a row of numbers."""
    before, behind = text[max(0, start - 8) : start], text[stop : stop + 8]
    return not (re.search(r"\b[0-9A-Fa-f]{2,5} $", before) or re.match(r" [0-9A-Fa-f]{3,5}\b", behind))


def _unnumbered(text: str, start: int, stop: int) -> bool:
    return not _NUMBERED.search(text[max(0, start - 40) : start].rpartition("\n")[2])


def _card_stands(text: str, start: int, stop: int) -> bool:
    """Not one of a list of numbers."""
    return not (
        re.search(r"\d[,;]? ?-?$|[\[(]-?$", text[max(0, start - 4) : start])
        or re.match(r"[,;] ?-?\d{5}| ?\*", text[stop : stop + 8])
    )


def _random(text: str) -> bool:
    return strength(text) == Strength.RANDOM


def _bearer(text: str) -> bool:
    """What is called a bearer needs less: letters and digits, and no word for a placeholder."""
    both = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return both and not re.search(r"example|placeholder|your|token|xxx|\.\.\.", text, re.I)


def _real_password(text: str) -> bool:
    """In an address anything but a placeholder, the word for it, or a short word."""
    if re.search(r"[<>{}$\[\]()%]|^x+$|^\*+$|^\.+$|passw|^secret$|^token$|^pwd$", text, re.I):
        return False
    return not (text.isalpha() and len(text) < 6) and len(text) > 3


def _no_example(text: str, start: int, stop: int) -> bool:
    return not text.startswith(("@example.", "@host", "@proxy-host"), stop)


def _key_block(text: str) -> bool:
    """With a body: code names the lines at both ends of it as well."""
    body = text.split("KEY", 1)[1].split("-----", 1)[1]
    if re.match(r"(?:[\w-]{1,40}: [^\n]{1,200}\s+){0,5}[\s\"'+|>\\nr]{0,40}[A-Za-z0-9+/=]{16}", body):
        return True
    inner, end, _ = body.partition("-----END")
    return bool(end and inner.strip() and re.fullmatch(r"[A-Za-z0-9+/=\s\\]*", inner))


def _person(text: str) -> bool:
    """Not an address that documentation uses for anybody, such as user@example.com."""
    name, _, host = text.lower().partition("@")
    reserved = re.fullmatch(r"(?:[\w-]+\.)*example\.(?:com|org|net)", host)
    return not (reserved and name in _ANYBODY)


_ANYBODY = frozenset(
    "user users you your me name email mail someone somebody anyone nobody support help info contact admin root test "
    "tests hello foo bar baz webmaster postmaster hostmaster office sales noreply no-reply user1 "
    "user2 username".split()
)
"""Names of roles, which no person has."""


SECRETS = (
    Pattern(
        "PRIVATE_KEY",
        regex(
            r"-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}"
            r"(?:-----END [A-Z0-9 ]{0,40}-----)?"
        ),
        valid=_key_block,
        needs=("-----BEGIN",),
    ),
    Pattern(
        "JWT",
        regex(r"\beyJ[A-Za-z0-9_-]{5,2000}\.[A-Za-z0-9_-]{10,6000}\.[A-Za-z0-9_-]{5,2000}"),
        needs=("eyJ",),
    ),
    Pattern(
        "AWS_KEY",
        regex(r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}\b"),
        needs=tuple("AKIA ASIA AGPA AIDA AROA ANPA ANVA".split()),
    ),
    *(
        Pattern("GITHUB_TOKEN", regex(rf"\b{begin}[A-Za-z0-9_]{{{least},255}}\b"), needs=(begin,))
        for begin, least in (("ghp_", 30), ("gho_", 30), ("ghu_", 30), ("ghs_", 30), ("ghr_", 30), ("github_pat_", 22))
    ),
    Pattern("GITLAB_TOKEN", regex(r"\bglpat-[A-Za-z0-9_-]{20,64}\b"), needs=("glpat-",)),
    Pattern("SLACK_TOKEN", regex(r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b"), needs=("xox",)),
    Pattern(
        "SLACK_WEBHOOK",
        regex(r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{20,120}"),
        needs=("hooks.slack.com",),
    ),
    Pattern(
        "API_KEY",
        regex(r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or|svcacct|admin)[-_A-Za-z0-9]{12,250}\b"),
        needs=("sk-", "sk_", "pk-", "pk_", "rk-", "rk_"),
    ),
    Pattern("API_KEY", regex(r"\bsk-[A-Za-z0-9]{20,200}\b"), needs=("sk-",)),
    Pattern("GOOGLE_API_KEY", regex(r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), needs=("AIza",)),
    Pattern("GOOGLE_OAUTH", regex(r"\bya29\.[A-Za-z0-9_-]{20,500}"), needs=("ya29.",)),
    Pattern("STRIPE_WEBHOOK", regex(r"\bwhsec_[A-Za-z0-9]{24,128}\b"), needs=("whsec_",)),
    Pattern("SENDGRID_KEY", regex(r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}"), needs=("SG.",)),
    Pattern("NPM_TOKEN", regex(r"\bnpm_[A-Za-z0-9]{36}\b"), needs=("npm_",)),
    Pattern("PYPI_TOKEN", regex(r"\bpypi-[A-Za-z0-9_-]{16,300}"), needs=("pypi-",)),
    Pattern("HUGGINGFACE_TOKEN", regex(r"\bhf_[A-Za-z0-9]{30,64}\b"), needs=("hf_",)),
    Pattern(
        "TOKEN",
        regex(r"\bhttps?://([A-Za-z0-9_-]{20,200}(?::[A-Za-z0-9_-]{0,200})?)@(?=[\w-])"),
        group=1,
        valid=_random,
        needs=("://",),
    ),
    Pattern(
        "DATABASE_URL",
        regex(r"\b[a-z][a-z0-9+]{1,20}://[^\s:/@]{0,100}:([^\s@/]{1,200})@"),
        group=1,
        valid=_real_password,
        stands=_no_example,
        needs=("://",),
    ),
    Pattern("TOKEN", regex(r"\b[Bb]earer ([A-Za-z0-9._~+/-]{16,4000}=*)"), group=1, valid=_bearer, needs=("earer ",)),
    *(
        Pattern(
            kind,
            regex(rf"(?:(?<![A-Za-z0-9])|(?<=/bot)){shape}"),
            valid=_random,
            needs=needs,
            holds=_LAST_PARTS if needs == (".",) else None,
        )
        for kind, needs, shape in (
            ("API_KEY", ("lin_api_",), r"lin_api_[A-Za-z0-9]{30,64}"),
            ("API_KEY", ("sk-",), r"sk-[A-Za-z0-9_-]{20,250}"),
            ("API_KEY", ("gsk_",), r"gsk_[A-Za-z0-9]{32,64}"),
            ("API_KEY", ("xai-",), r"xai-[A-Za-z0-9]{32,100}"),
            ("API_KEY", ("pplx-",), r"pplx-[A-Za-z0-9]{32,64}"),
            ("API_KEY", ("r8_",), r"r8_[A-Za-z0-9]{32,64}"),
            ("API_KEY", ("ntn_",), r"ntn_[A-Za-z0-9]{32,64}"),
            ("API_KEY", ("figd_",), r"figd_[A-Za-z0-9_-]{32,64}"),
            ("API_KEY", ("PMAK-",), r"PMAK-[A-Za-z0-9-]{32,80}"),
            ("API_KEY", ("NRAK-",), r"NRAK-[A-Z0-9]{20,40}"),
            ("API_KEY", ("LTAI",), r"LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"),
            ("API_KEY", ("key-",), r"key-[0-9a-f]{32}(?![0-9a-f])"),  # Mailgun
            ("API_KEY", ("-us",), r"[0-9a-f]{32}-us\d{1,2}(?!\w)"),  # Mailchimp
            ("API_KEY", tuple("SK" + digit for digit in "0123456789abcdef"), r"SK[0-9a-f]{32}(?![0-9a-f])"),  # Twilio
            ("API_KEY", tuple("AC" + digit for digit in "0123456789abcdef"), r"AC[0-9a-f]{32}(?![0-9a-f])"),
            ("TOKEN", ("_v1_",), r"do[opr]_v1_[0-9a-f]{40,80}"),
            ("TOKEN", ("hv",), r"hv[sbr]\.[A-Za-z0-9_-]{20,250}"),
            ("TOKEN", ("shp",), r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
            ("TOKEN", ("glsa_",), r"glsa_[A-Za-z0-9_]{32,64}"),
            ("TOKEN", ("sntry",), r"sntry[su]_[A-Za-z0-9+/=_-]{32,300}"),
            ("TOKEN", ("dckr_pat_",), r"dckr_pat_[A-Za-z0-9_-]{20,64}"),
            ("TOKEN", ("rubygems_",), r"rubygems_[0-9a-f]{40,64}"),
            ("TOKEN", ("tskey-",), r"tskey-[a-z]{2,12}-[A-Za-z0-9-]{16,80}"),
            ("TOKEN", ("pscale_",), r"pscale_[a-z]{2,6}_[A-Za-z0-9_.-]{30,80}"),
            ("TOKEN", ("sbp_",), r"sbp_[0-9a-f]{40}"),
            ("TOKEN", ("dapi",), r"dapi[0-9a-f]{32}(?:-\d)?(?![0-9a-f])"),
            ("TOKEN", ("dp.",), r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{32,80}"),
            ("TOKEN", ("ATATT3",), r"ATATT3[A-Za-z0-9_=-]{50,300}"),
            ("TOKEN", ("atlasv1",), r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{50,100}"),
            ("TOKEN", ("EAA",), r"EAA[A-Za-z0-9]{60,300}"),
            ("TOKEN", (":AA",), r"\d{7,11}:AA[A-Za-z0-9_-]{31,36}(?![A-Za-z0-9_-])"),  # Telegram
            (
                "TOKEN",
                (".",),
                r"[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,42}(?![\w-])",
            ),  # Discord
            ("TOKEN", ("Q~",), r"[A-Za-z0-9_.-]{3}\dQ~[A-Za-z0-9_.~-]{30,36}"),  # Azure
            (
                "GITLAB_TOKEN",
                ("gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-"),
                r"gl(?:dt|rt|cbt|ptt|ft|imt|agent|oas|soat)-[A-Za-z0-9_-]{20,64}",
            ),
            ("SLACK_TOKEN", ("xapp-",), r"xapp-[A-Za-z0-9-]{30,200}"),
            ("PRIVATE_KEY", ("AGE-SECRET-KEY-",), r"AGE-SECRET-KEY-1[0-9A-Z]{50,60}"),
        )
    ),
    Pattern(
        "WEBHOOK",
        regex(r"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api/webhooks/\d{15,21}/[\w-]{40,100}"),
        needs=("/api/webhooks/",),
    ),
    Pattern(
        "WEBHOOK",
        regex(r"https://(?:[\w-]{1,60}\.webhook|outlook)\.office\.com/webhook(?:b2)?/[\w@/-]{40,300}"),
        needs=("office.com/webhook",),
    ),
    Pattern(
        "WEBHOOK",
        regex(
            r"https://(?:hooks\.zapier\.com/hooks/catch/\d{3,12}/\w{4,20}|maker\.ifttt\.com/\S{1,80}/key/[\w-]{10,60}"
            r"|hook\.[a-z0-9]{2,12}\.make\.com/\w{20,60}|chat\.googleapis\.com/v1/spaces/\S{1,60}\?key=[\w&=%-]{20,300})"
        ),
        needs=("hooks.zapier.com", "maker.ifttt.com", ".make.com/", "chat.googleapis.com"),
    ),
    Pattern(
        "WEBHOOK",
        regex(r"https://[\w.-]{3,80}/hooks/([A-Za-z0-9]{20,40}(?:/[A-Za-z0-9]{8,64})?)(?![\w/])"),
        group=1,
        valid=lambda text: strength(text.partition("/")[0]) == Strength.RANDOM,
        needs=("/hooks/",),
    ),
    Pattern(
        "TOKEN",
        regex(r"\bX-(?:Amz|Goog)-Signature=([0-9a-f]{64,512})\b"),
        group=1,
        needs=("-Signature=",),
    ),
    Pattern(
        "SECRET",
        regex(r"\b(?:AccountKey|SharedAccessKey|sig)=([A-Za-z0-9+/%]{32,120}={0,2})"),
        group=1,
        needs=("AccountKey=", "SharedAccessKey=", "sig="),
    ),
)
"""Credentials: always replaced."""

PII = (
    Pattern(
        "EMAIL",
        regex(r"(?<![\w.+-])(?!git@)[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}\b"),
        valid=_person,
        needs=("@",),
    ),
    Pattern(
        "EMAIL",
        regex(
            r"(?<![\w.+-])[\w.+-]{1,64}[ \t]?[\[({<][ \t]?(?:at|ät|@)[ \t]?[\])}>][ \t]?[\w-]{1,63}"
            r"(?:(?:[ \t]?[\[({<][ \t]?(?:dot|punkt|\.)[ \t]?[\])}>][ \t]?|\.)[\w-]{2,63}){1,5}",
            re.I,
        ),
        needs=tuple(
            f"{opened}{gap}{at}{gap}{closed}"
            for opened, closed in ("[]", "()", "{}", "<>")
            for gap in ("", " ")
            for at in ("at", "AT", "ät", "@")
        ),
    ),
    Pattern(
        "EMAIL",
        regex(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63} ?[\[({](?:dot|punkt)[\])}] ?[a-z]{2,24}\b", re.I),
        needs=("(dot)", "[dot]", "{dot}", "(punkt)", "[punkt]"),
    ),
    Pattern(
        "EMAIL",
        regex(
            r"\b[\w+-]{1,64} at [\w-]{1,63}(?: dot [\w-]{2,63}){0,3} dot (?:com|org|net|edu|io|dev|de|at|ch|eu)\b", re.I
        ),
        needs=(" dot ",),
    ),
    Pattern(
        "IBAN",
        regex(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?\b", re.I),
        valid=_iban,
        holds=regex(r"\d\d(?<=[^\W\d_]{2}\d\d)"),  # digits first: only where they stand is anything tried
    ),
    Pattern(
        "CREDIT_CARD",
        regex(r"(?<![\w.-])\d{4}([ .-]?)\d{4}\1\d{4}(?:\1\d{1,7})?(?![\w-]|\.\d)"),
        valid=_card,
        stands=_card_stands,
        holds=NUMBER,
    ),
    Pattern(
        "CREDIT_CARD",
        regex(r"(?<![\w.-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\w-])"),
        valid=_card,
        stands=_card_stands,
        holds=NUMBER,
    ),
    Pattern(
        "CREDIT_CARD",
        regex(r"\bCV[VC]2?\b[^\d\n]{0,8}(\d{3,4})(?![\w.-])"),
        group=1,
        needs=("CVV", "CVC"),
    ),
    Pattern(
        "SSN",
        regex(r"\b(?:SSN|social security)\b[^\d\n]{0,24}(\d{3}\.\d{2}\.\d{4})(?![\w-]|\.\d)", re.I),
        group=1,
        valid=_ssn,
        holds=NUMBER,
    ),
    Pattern(
        "SSN",
        regex(r"\b(?:SSN|social security (?:number|no\.?|#))[^\d\n]{0,12}(\d{9})(?![\w-]|\.\d)", re.I),
        group=1,
        needs=("SSN", "ssn", "ecurity"),
    ),
    Pattern("SSN", regex(r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])"), valid=_ssn, holds=NUMBER),
    Pattern(
        "PHONE",
        regex(r"(?<![\w.+-])\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}(?![\w-]|\.\d)"),
        valid=_phone,
        holds=NUMBER,
    ),
    Pattern(
        "PHONE",
        regex(
            r"(?<![\w.-])(?:1[ .-])?(?:\(\d{3}\) ?\d{3}[.-]\d{4}|\d{3}\.\d{3}\.\d{4}|\d{3}-\d{3}-\d{4})"
            r"(?:x\d{1,6})?(?![\w-])"
        ),
        stands=_unnumbered,
        holds=NUMBER,
    ),
    Pattern(
        "PHONE",
        regex(
            r"(?<![\w.+-])(?:00[1-9]\d{0,2}[ /-]\d{2,4}(?:[ /-]?\d{2,4}){1,4}|\(0\d{1,4}\) ?\d{3,4}[ -]?\d{2,6})"
            r"(?![\w-])"
        ),
        valid=_phone,
        stands=_unlisted,
        needs=("00", "(0"),
    ),
    Pattern(
        "PHONE",
        regex(r"(?<![\w.+-])0[1-9]([ .-])\d\d(?:\1\d\d){3}(?![\w-]|[ .]\d)"),
        valid=lambda text: len({int(b) - int(a) for a, b in pairwise(re.split(r"[ .-]", text))}) > 1,  # 02 04 06 08 10
        stands=lambda text, start, stop: _unlisted(text, start, stop) and _unnumbered(text, start, stop),
        holds=regex(r"0[1-9][ .-]\d"),
    ),
    Pattern(
        "PHONE",
        regex(r"(?<![\w.+-])0\d{2,4}[ /-]\d{3,4}[ -]?\d{2,6}(?![\w-])"),
        valid=_phone,
        stands=_unlisted,
        holds=NUMBER,
    ),
    Pattern("PHONE", regex(r"(?<![\w.+-])\+?[\d(][\d() .x/-]{6,24}\d"), valid=_phone, stands=_called, holds=NUMBER),
    Pattern(
        "IP_ADDRESS",
        regex(r"(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![\w:])"),
        valid=_ip,
        holds=regex(":[0-9A-Fa-f]{1,4}:"),
    ),
    Pattern(
        "IP_ADDRESS",
        regex(r"(?<![\w:.])[23][0-9A-Fa-f]{3}:(?:[0-9A-Fa-f]{1,4}:){0,6}(?::[0-9A-Fa-f]{1,4}){1,6}(?![\w:])"),
        valid=_ip,
        needs=("::",),
    ),
    Pattern(
        "IP_ADDRESS",
        regex(r"(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)"),
        valid=_ip,
        stands=_ip_stands,
        holds=NUMBER,
    ),
)
"""Personal data with a shape of its own; names of people need a model and are left to an optional extra."""
