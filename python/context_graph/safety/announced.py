"""Secrets that a word announces, `password:`, `--token`, "das Kennwort lautet": the value decides whether it is one."""

import base64
import binascii
import re
from collections.abc import Iterator

from context_graph.regex import regex
from context_graph.safety.values import Strength, passphrase, strength

__all__ = ["Span", "announced", "decoded"]

Span = tuple[int, int, str]
"""From where to where, and the kind."""

# What people choose themselves, often of words, is a PASSWORD; what a machine makes is a SECRET.
_STEMS = tuple(
    "pass pwd pw p/w psw psk senha wachtwoord parola mdp kennwort contrase clave hasło haslo 密码 口令 パスワード "
    "wlan wifi wi-fi netzwerk network "
    "unlocks identified recovery backup token secret cred key seed auth".split()
)  # fmt: skip
"""Every word begins with one of these: to look for texts is ten times as fast as to look for a pattern."""

_WORD = regex(
    r"(pass(?:word|wd|phrase|code|wort)|kennwort|contrase[nñ]a|clave(?![a-z])|identified(?= by)"
    r"|(?:wlan|wifi|wi-fi|netzwerk|network)[ -]?(?:security )?(?:key|schlüssel)(?![a-z])"
    r"|(?:recovery|backup) codes?|(?<=mot de )passe|unlocks(?= with)"
    r"|(?<![^\W_])(?:pass|pwd|p/?w|psw|psk|senha|wachtwoord|parola|mdp|has[lł]o)(?![^\W_])|密码|口令|パスワード)"
    r"|token|secret|cred(?:ential)?s?(?![a-z])|key(?![a-z])|(?<=otp )seed|authorization|auth[ _-]?header"
    r"|(?<=basic )auth",
    re.I,
)
_OF_SECRETS = regex(
    r"(?:api|access|account|private|sign(?:ing)?|encryption|shared|master|auth|service|licen[sc]e|product|secret|app|bot"
    r"|deploy|unseal)[ _-]?\Z|\w_\Z|[?&]\Z",
    re.I,
)
"""What makes a key one of secrets; there are keys of tables, of music and of maps."""

_UUID = regex(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])", re.I)
_NAME = regex(r"(?:[^\W\u3040-\u30ff\u4e00-\u9fff]|-){0,40}")
_NO_VALUE = regex(
    r"[_-]?(?:path|file|dir|folder|url|uri|name|id|ids|count|hash|hashed|len|length|policy|type|field|format|ref|regex|"
    r"stdin|env|var|expir\w*|ttl|hint|label|prompt|digest|sha\d*|md5|index|class|list|map|error|limit|size|pattern|arn|version|"
    r"location|endpoint|scope|re|s?_?re|bytes|parts|dict)$",
    re.I,
)
_ANNOTATION = r"(?:\??:[ \t]{0,3}[A-Za-z_][\w.\[\]|]{0,60}[ \t]{0,3}(?==))?"
_ASSIGNS = regex(
    rf"(?:[ \t]#?\d{{1,2}})?[\"'\])`*]{{0,3}}[ \t]{{0,20}}(?:\([^()\n]{{1,24}}\)[ \t]{{0,3}})?{_ANNOTATION}"
    r"(?:={1,3}>?|:=?|->|→|：|是|は|\b(?:is|was|ist|lautet|war|es|est|è|é|to|with|by)\b)"
    r"[ \t]{0,20}(?:\\?\n[ \t]{0,20})?",
    re.I,
)
_IN_A_TAG = regex(r"[\"'][ \t]{1,4}(?:value|content)=(?=[\"'])", re.I)
_TAGGED = regex(r">(?=[^<\s]{4,200}</)")
_VARIABLE = regex(r"(?:^|[\s\"'])[A-Z][A-Z0-9_]*\Z", re.M)
EXPORTED = 160
"""Characters of the name of an environment variable, and of what stands before it, that are looked at."""

_EXPORTED = regex(
    r"(?:^|[\n;`])[ \t]{0,8}(?:(?:export|set|ENV|ARG|-e)[ \t]{1,4})?[A-Z][A-Z0-9]{0,20}(?:_[A-Z0-9]{1,20}){0,5}_?\Z"
)
_LITERAL = regex(
    r"(?!(?:change|your|my|some|the|insert|replace|dummy|sample|example|test|postgres|mysql|redis|admin|root|user|guest"
    r"|minio|pass|pwd|secret|token|value|string|true|false|none|null|empty|default|required|optional|placeholder|hidden"
    r"|redacted|foo|bar|xxx))"
    r"[a-z]{7,64}(?=[ \t]*(?:\n|\Z|`)"
    r"|[ \t]{1,4}(?:(?:psql|pg_\w{2,16}|createdb|mysql\w{0,8}|mongo\w{0,8}|redis-cli|restic|borg"
    r"|\./[\w./-]{1,60})(?:[ \t\n`]|\Z)|[\w./-]{2,40}(?:[ \t]{1,4}[\w./-]{1,40}){0,2}[ \t]{1,4}--?[a-z]))"
)
"""In a file of environment variables, and before a command, a bare word is no name: it is the password itself."""

_CHOSEN = regex(r"(?=[a-z]{0,24}\d)(?=[\d]{0,8}[a-z])[a-z\d]{8,64}(?=[.;]?(?:\s|$))")
"""Letters and digits that are long enough to be a password."""

_SAYS = regex(r"[^\n.;:=!?(){}]{1,48}?(?::|\b(?:is|was|ist|lautet|war|es|est|è|é|to|auf|now|from)\b)[ \t]{1,4}", re.I)
_OF_A_PLACE = regex(
    r"(?:[ \t](?:for|of|to|at|on|für|vo[nm]|beim?|zu[mr]?|im|des|der|del?|du|dell[ao]|di|d[ao]|voor|van|dla)\b"
    r"|(?=[ \t][A-ZÀ-Þ]))[^\n.;:=!?(){}]{1,40}?[ \t]{0,3}"
    r"(?::|\b(?:is|ist|lautet|es|est|c['’]est|to)\b|(?<=[ \t])[èé](?=[ \t]))"
    r"[ \t]{1,3}(?=[^\W\d_]{4,24}\d{2,8}[.,;!)]?(?:\s|$))",
    re.I,
)
"""Stands between a password, with what it is for, and a word with a number behind it."""

_LOGIN_WITH = regex(
    r"\b(?:log-?in|user(?:name)?|benutzer|usuario|utente|utilisateur|gebruiker)[ \t:]{1,3}\S{1,40}[ \t]\Z", re.I
)
"""Stands before the password of a login: "Login malte, Passwort ..."."""

_WORD_AND_NUMBER = regex(r"[^\W\d_]{4,24}\d{2,8}[.!]?[ \t]*(?:\n|\Z)")

_CHANGED = regex(
    r"(?:pass\w{2,8}|\bpw)\b[^\n.;:=!?(){}]{0,30}?[ \t](?:from|von)[ \t]+(\S{1,200})[ \t]+(?:to|auf)[ \t]", re.I
)
_APPLIES = regex(r"[ \t]{1,4}(?=\S)")
_QUOTED = regex(r"([fF]?)[bBrRuU]{0,2}([\"'`])((?:(?!\2)[^\n\\]|\\.){1,300})\2")
_RUN = regex(r"\S{1,1000}")
_END = regex(r"[\"'`;,]|\)(?=$|[\s,;])|&(?=\w+=)|</|(?<=[!-~])[\u3001-\u30ff\u4e00-\u9fff\uff0c]")
_BETWEEN = regex(r"[^\n]{0,60}")
_MADE_RUN = regex(r"(?<![\w/+.=-])[A-Za-z0-9/+-]{16,400}={0,2}(?![\w/+=])")

_COMMANDS = regex(
    r"(?:\bcurl\b[^\n|;]{0,200}?[ \t](?:-u|--user)[ \t=]{0,2}['\"]?[^\s:'\"]{1,100}:"
    r"|\bsshpass[ \t]+-p[ \t]{0,2}|\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,200}?[ \t]-p(?=\S)"
    r"|\bredis-cli\b[^\n|;]{0,200}?[ \t]-a[ \t]"
    r"|\b(?:docker|podman|oc|az|twine|mongo|mongosh|psql|htpasswd)\b[^\n|;]{0,200}?[ \t]-p[ \t]+"
    r"|\bopenssl\b[^\n|;]{0,200}?[ \t]-k[ \t]+|\b(?:un)?zip\b[^\n|;]{0,200}?[ \t]-P[ \t]*"
    r"|\b(?:7za?|rar|unrar)\b[^\n|;]{0,200}?[ \t]-h?p(?=\S)|\bldap[a-z]{3,8}\b[^\n|;]{0,200}?[ \t]-w[ \t]*"
    r"|\b(?:rdesktop|sqlcmd|mosquitto_[ps]ub|rabbitmqadmin)\b[^\n|;]{0,200}?[ \t]-[pP][ \t]*"
    r"|\bfreerdp\b[^\n|;]{0,200}?[ \t]/p:|\bxfreerdp\b[^\n|;]{0,200}?[ \t]/p:"
    r"|\bwpa_passphrase[ \t]+\S{1,60}[ \t]+|\bnmcli\b[^\n|;]{0,200}?[ \t]password[ \t]+"
    r"|\bhtpasswd[ \t]+-\w*b\w*[ \t]+\S{1,100}[ \t]+\S{1,60}[ \t]+"
    r"|\becho[ \t]+(?=[^\n|]{4,80}\|[ \t]{0,3}(?:sudo[ \t]+-S|[^\n|]{1,80}--password-stdin"
    r"|(?:sudo[ \t]+)?passwd\b))"
    r"|\bnet[ \t]+use[ \t][^\n|;]{0,120}?/user:\S{1,60}[ \t]+"
    r"|[ \t]-{1,2}[a-z]{0,12}pass(?:in|out|phrase)?[ \t=]{1,2}(?:pass:)?"
    r"|\bsmbclient\b[^\n|;]{0,200}?%|\blogin[ \t]+\S{1,100}[ \t]+password[ \t]+)['\"]?",
)
_FLAGS = (
    "-p",
    " -u",
    "--user",
    "-cli",
    "login",
    "smbclient",
    "pass ",
    "passin",
    "passout",
    " -k",
    " -P",
    " -w",
    "/p:",
    "/user:",
    "echo",
    "wpa_",
    "nmcli",
    "htpasswd",
)
_LOGIN = regex(
    r"\b(?:log-?in|cred(?:ential)?s|zugang(?:sdaten)?|account)\b[^\n]{0,80}?\w(?:[ \t]/[ \t]|[:/])(?=\w)", re.I
)
_PLACE = regex(
    r"\b(?:wi-?fi|wlan|ssid|log(?:ged|s|ging)?[ -]?(?:in|on)|sign(?:ed|s)?[ -]?in|(?:basic|http)[ -]auth)\b", re.I
)
"""What one enters with a password; it may stand further on."""

_USER_AND = regex(r":(?<=[a-z0-9]:)(?=[A-Za-z0-9]{1,39}[#!$%&+*?^~])(?=[!-.0-9;-?A-~]{8,40}(?:[\s,;)]|$))")
"""A colon behind which stands what has a sign as passwords do."""

_USER = regex(r"(?<![\w:/.@%#$&=+-])[a-z][\w.-]{1,30}:$")

_OF_USER = regex(r"\buser(?:name)?=[^\s,&;]{1,40}[,&;]\Z", re.I)
_PAIR = regex(r"\b(?:admin|root|user(?:name)?|benutzer|usuario)\b[^\n/:=(){}]{0,24}[ \t]/[ \t](?=\w)", re.I)
"""Whose login it is, and after a stroke the password."""

_PGPASS = regex(r":(?<=[\w.*-]:)(?:\d{4,5}|\*):(?![0-9a-fA-F]{0,4}:)[\w*-]{1,60}:[\w.*-]{1,60}:(?=\S)")
"""A line of a password file of PostgreSQL: host, port, database, user."""

_CODES = regex(
    r"\b(?:recovery|backup|2fa|emergency)[ -]codes?\b[^\n\w]{0,4}(?:are|is)?[ \t\n:]{0,4}"
    r"((?:[a-z0-9]{4,6}-[a-z0-9]{4,6}[ ,;\n]{1,3}){0,15}[a-z0-9]{4,6}-[a-z0-9]{4,6})(?![\w-])",
    re.I,
)
_JOINED_WORDS = regex(
    r"(?:\bpass(?:word|phrase|wort)|\bkennwort|\bcontraseña|\bp/?w)\b"
    r"(?:[ \t](?:at|for|für|of|on|para|to)\b[^\n.;:=!?(){}]{1,48}?)?"
    r"[ \t]{0,3}(?::|=|\b(?:is|ist|lautet|es)\b)[ \t]{0,3}[\"'`]?([a-zäöüß]{3,12}(?:-[a-zäöüß]{3,12}){2,6})"
    r"(?=[\"'`]?[.,;!)]?(?:\s*(?:\n|\Z)))",
    re.I,
)
"""Three words or more with hyphens between them, said to be a password."""

_LICENCE = regex(
    r"\b(?:(?:licen[sc]e|product|activation)[ _-]?key|(?:licen[sc]e|activation)[ _-]?code|lizenzschlüssel)\b"
    r"[^\n]{0,60}?(?<![\w-])([A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,7})(?![\w-])",
    re.I,
)
"""The key of a program that was bought, in groups of letters and digits."""

_COOKIE = regex(r"\bcookie:[ \t]{0,4}(?:[\w.-]{1,60}=[^;\s]{0,40};[ \t]{0,4}){0,6}[\w.-]{1,60}=(?=\S)", re.I)
_ACCOUNTS = ("login", "log-in", "cred", "zugang", "account")
_PIN = regex(
    r"(?:\b(?:PIN|geheimzahl|code de (?:ma|la) carte|código secreto)\b[^\n\d.;=]{0,32}?(?:is|es|est|ist|lautet|:)"
    r"|\b(?:chang|set|reset|updat|switch|änder|cambi)\w{0,4}\b[^\n\d.;=]{0,24}\bPIN\b[^\n\d.;=]{0,16}?(?:to|auf|a|por)"
    r"|\b(?:new|neue|nuevo) PIN[:,]?|\bPIN auf)[ \t]{1,3}(\d{4,8})(?![\w.,-]\d|\w)",
    re.I,
)
_BASIC = regex(r"\bbasic\b[^\n]{0,24}?(?<![\w+/=])([A-Za-z0-9+/]{8,400}={0,2})(?![\w+/=])", re.I)
_PHRASE = regex(
    r"\b(?:seed|recovery|backup|mnemonic|wallet|secret)"
    r"(?:[ \t]+(?:phrase|words?|seed|mnemonic|is|are|for|of|my|the|our|wallet)){0,6}"
    r"[\"']?[ \t]{0,4}[:=\n]?[ \t\n\"'`]{0,6}((?:[a-z]{3,8}[ ,\n]{1,2}){11,23}[a-z]{3,8})(?![ ,]?[ \n]?[a-z])",
    re.I,
)
_SHAPES = (
    (_PAIR, " / ", Strength.MIXED, "PASSWORD"),
    (_PGPASS, ":", Strength.MIXED, "PASSWORD"),
    (_COOKIE, "cookie:", Strength.RANDOM, "TOKEN"),
)
"""What stands before a value, a text that is part of it, how much the value must look made, and its kind."""

_NOT_IN_PHRASES = frozenset("the and for with are was were not but they has had from your must our which".split())
_PHRASE_LENGTHS = (12, 15, 18, 21, 24)


def announced(text: str) -> Iterator[Span]:
    """Where secrets stand that words announce; spans may overlap."""
    low = text.lower()
    if len(low) != len(text):  # capitals with a mark of their own may grow
        low = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    for stem in _STEMS:
        at = low.find(stem)
        while at >= 0:
            if (word := _WORD.match(text, at)) and (secret := _behind(text, word)):
                yield secret
            at = low.find(stem, at + len(stem))
    if any(begin in text for begin in _FLAGS):
        for match in _COMMANDS.finditer(text):
            run = _RUN.match(text, match.end())
            if run and (span := _unquoted(text, run, Strength.WEAK, code=False)):
                yield *span, "PASSWORD"
    for match in _LOGIN.finditer(text) if any(stem in low for stem in _ACCOUNTS) else ():
        run = _RUN.match(text, match.end())
        if run and (span := _unquoted(text, run, Strength.MIXED, code=False)):
            yield *span, "PASSWORD"
    for shape, needed, least, kind in _SHAPES:
        for match in shape.finditer(text) if needed in low else ():
            run = _RUN.match(text, match.end())
            if run and (span := _unquoted(text, run, least, code=False)):
                yield *span, kind
    if any(word in low for word in ("wifi", "wi-fi", "wlan", "ssid", "log", "sign", "auth")):
        for match in _PLACE.finditer(text):
            line = _BETWEEN.match(text, match.end())
            for begun in _RUN.finditer(text, match.end(), line.end() if line else match.end()):
                run = _RUN.match(text, begun.start())  # all of it: the line may end within
                if run and (span := _made(text, run)):
                    yield *span, "PASSWORD"
                    break
    for match in _USER_AND.finditer(text) if ":" in text else ():
        named = _USER.search(text, max(0, match.start() - 32), match.end())
        if named and (run := _RUN.match(text, match.end())) and (span := _made(text, run)):
            yield *span, "PASSWORD"
    for match in _CHANGED.finditer(text) if "pass" in low or "pw" in low else ():
        if strength(match[1].rstrip(".,")) >= Strength.MIXED:
            yield match.start(1), match.start(1) + len(match[1].rstrip(".,")), "PASSWORD"
            run = _RUN.match(text, match.end())
            if run and (span := _unquoted(text, run, Strength.MIXED, code=False)):
                yield *span, "PASSWORD"
    for match in _JOINED_WORDS.finditer(text) if "-" in text else ():
        if passphrase(match[1].lower().replace("-", " ")) and strength(match[1]) == Strength.NONE:
            yield *match.span(1), "PASSWORD"
    for match in (
        _LICENCE.finditer(text) if any(word in low for word in ("licen", "lizenz", "product", "activ")) else ()
    ):
        if any(map(str.isdigit, match[1])) and any(map(str.isalpha, match[1])):
            yield *match.span(1), "SECRET"
    for match in _CODES.finditer(text) if "code" in low else ():
        if any(map(str.isdigit, match[1])):
            yield *match.span(1), "PASSWORD"
    if any(word in low for word in ("pin", "geheimzahl", "code de ", "código secreto")):
        for match in _PIN.finditer(text):
            yield *match.span(1), "PASSWORD"
    if "basic" in low:
        for match in _BASIC.finditer(text):
            if ":" in decoded(match[1]):
                yield *match.span(1), "TOKEN"
    if any(word in low for word in ("seed", "mnemonic", "recovery", "wallet")):
        for match in _PHRASE.finditer(text):
            words = re.split(r"[ ,\n]+", match[1])
            if len(words) in _PHRASE_LENGTHS and not _NOT_IN_PHRASES & set(words) and match[1].islower():
                yield *match.span(1), "SEED_PHRASE"


def _behind(text: str, word: re.Match[str]) -> Span | None:
    """The secret that a word announces, if what stands behind it is one."""
    if word[0].lower() == "key" and not _OF_SECRETS.search(text, max(0, word.start() - 12), word.start()):
        return None
    kind = "PASSWORD" if word[1] else "SECRET"
    name = _NAME.match(text, word.end())
    if name is None or (name[0] and _NO_VALUE.search(name[0])):
        return None
    flag = text[max(0, word.start() - 40) : word.start()].rsplit(None, 1)[-1:]
    end = name.end()
    if gap := _ASSIGNS.match(text, end) or _IN_A_TAG.match(text, end) or _TAGGED.match(text, end):
        if word[1] and len(word[1]) == 4 and gap[0].strip().isalpha():
            return None  # the verb: one passes things to things
        begin = max(0, word.start() - 60)
        is_setting = gap[0] == "=" and bool(
            _VARIABLE.search(text, begin, end) or (word[1] and _is_setting(text, word.start(), gap.end()))
        )
        variable = is_setting or bool(_OF_USER.search(text, begin, word.start()))
        code = not variable and ("=" in gap[0] or _in_code(text, word.start(), end))
        least = Strength.WEAK if word[1] else Strength.RANDOM
        if quoted := _QUOTED.match(text, gap.end()):
            if quoted[1] or not _UUID.fullmatch(quoted[3]) or word[0].lower() not in ("key", "token"):
                return None if quoted[1] else _quoted(quoted, kind, least)
            return *quoted.span(3), kind
        run = _RUN.match(text, gap.end())
        if run and (span := _unquoted(text, run, least, code=code)):
            return *span, kind
        exported = gap[0] == "=" and _EXPORTED.search(text, max(0, word.start() - EXPORTED), word.start())
        if exported and (literal := _LITERAL.match(text, gap.end())):
            return *literal.span(), kind
        if word[0].lower() in ("key", "token") and (id := _UUID.match(text, gap.end())):
            return *id.span(), kind
    if flag and flag[0].startswith("-") and (gap := _APPLIES.match(text, end)):
        if quoted := _QUOTED.match(text, gap.end()):
            return _quoted(quoted, kind, Strength.WEAK)
        run = _RUN.match(text, gap.end())
        if run and (span := _unquoted(text, run, Strength.WEAK if word[1] else Strength.MIXED, code=False)):
            return *span, kind
    if word[0].lower() == "pass" and (gap := _APPLIES.match(text, end)):
        run = _RUN.match(text, gap.end())
        return (*span, kind) if run and (span := _made(text, run)) else None
    if word[1] and word[0].lower() != "pass" and (gap := _APPLIES.match(text, end)):
        quoted = _QUOTED.match(text, gap.end())
        if quoted and not quoted[1] and strength(quoted[3]) >= Strength.MIXED:
            return *quoted.span(3), kind
        run = _RUN.match(text, gap.end())
        login = _WORD_AND_NUMBER.match(text, gap.end()) and _LOGIN_WITH.search(
            text, max(0, word.start() - 60), word.start()
        )
        if run and (span := _unquoted(text, run, Strength.WEAK if login else Strength.MIXED, code=not login)):
            return *span, kind
    if word[1] and word[0].lower() != "pass" and (of := _OF_A_PLACE.match(text, end)):
        run = _RUN.match(text, of.end())
        if run and (span := _unquoted(text, run, Strength.WEAK, code=False)):
            return *span, kind
    if word[1] and word[0].lower() != "pass" and (said := _SAYS.match(text, end)):
        quoted = _QUOTED.match(text, said.end())
        if quoted and strength(quoted[3]) >= Strength.MIXED:
            return *quoted.span(3), kind
        run = _RUN.match(text, said.end())
        if run and (span := _unquoted(text, run, Strength.MIXED, code=True)):
            return *span, kind
    return _near(text, end, kind) if word[0].lower() != "pass" else None


def _near(text: str, at: int, kind: str) -> Span | None:
    """A run made by chance further on in the line, unless it is plainly hexadecimal, as sums and ids are."""
    line = _BETWEEN.match(text, at)
    end = line.end() if line else at
    for run in _MADE_RUN.finditer(text, at, min(len(text), end + 400)):
        if run.start() > end:
            break
        hexadecimal = re.fullmatch(r"[0-9a-fA-F]+", run[0])
        if strength(run[0]) == Strength.RANDOM and (run.start() - at <= 3 if hexadecimal else len(run[0]) >= 20):
            return *run.span(), kind
    return None


def _made(text: str, run: re.Match[str]) -> tuple[int, int] | None:
    """A run that can be nothing but a password: letters of both cases, digits, and a sign or a digit within a word."""
    span = _unquoted(text, run, Strength.MIXED, code=False)
    value = text[slice(*span)] if span else ""
    both = any(map(str.islower, value)) and any(map(str.isupper, value)) and any(map(str.isdigit, value))
    return span if both and re.search(r"[#!$%&+*?^~]|[a-z]\d[a-z]", value) else None


def _quoted(match: re.Match[str], kind: str, least: Strength) -> Span | None:
    value = match[3]
    chosen = kind == "PASSWORD"
    good = strength(value) >= least or (chosen and value.isdigit() and len(value) >= 6)
    good = good or (chosen and " " in value and passphrase(value))
    return (*match.span(3), kind) if good else None


def _unquoted(text: str, run: re.Match[str], least: Strength, *, code: bool) -> tuple[int, int] | None:
    """The value that stands bare, without the signs that end it; in code, a name is no secret."""
    value = run[0]
    if code and re.match(r"[\w.]*[A-Za-z_]\w*[(\[]", value):
        return None
    if cut := _END.search(value):
        value = value[: cut.start()]
    value = value.rstrip(".,:?)]}>*")
    how = strength(value)
    if code and how < Strength.RANDOM and re.fullmatch(r"[A-Za-z_][\w.]*", value):
        # A name with digits; in an assignment of a configuration it may be a password, and then it looks like one.
        leet = how >= Strength.MIXED and re.search(r"[a-z]\d[a-z]", value)
        numbered = re.search(r"\d{2}|[A-Z].*\d", value) and (not value.islower() or re.search(r"\d{4}$", value))
        named = not leet and not numbered
        if named or how < Strength.MIXED:
            return None
    return (run.start(), run.start() + len(value)) if how >= least else None


def _in_code(text: str, start: int, end: int) -> bool:
    """Whether a word stands in an argument list, an annotation or an attribute."""
    before = text[max(0, start - 60) : start].rpartition("\n")[2]
    return bool(re.search(r"[(\[{.]\w*$|\bdef\b|[(,]\s*\w*$", before))


def _is_setting(text: str, start: int, end: int) -> bool:
    """Whether a word with "=" directly behind it is a setting with its value, as in "user=bo password=hunter2secret",
    and no argument or assignment: these are indented, in parentheses or followed by a comma, or have a name behind.
    """
    before = text[max(0, start - EXPORTED) : start].rpartition("\n")[2]
    behind = _CHOSEN.match(text, end)
    return behind is not None and "(" not in before and (before == "" or not before.isspace())


def decoded(value: str) -> str:
    """What base64 says, if it says printable text."""
    try:
        text = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        return ""
    return text if text.isprintable() else ""
