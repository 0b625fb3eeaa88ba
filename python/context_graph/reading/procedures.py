"""How something is done: commands and standing rules, which what was done once ends as little as it follows them."""

import re

from context_graph.reading import cues
from context_graph.reading.tense import lean_of
from context_graph.regex import regex
from context_graph.texts import kept_for_texts

__all__ = ["is_standing", "may_change_standing", "tells_procedure", "tells_rule"]

MAX_PROCEDURE_CHARS = 600
"""Characters of a text that are looked at."""

_COMMAND = regex(
    r"(?i:\b(?:run|runs|use|uses|with|via|by|type|call|calls|start|do|execute|is|mit|durch|nutze|führe|con"
    r"|ejecuta)|:)\s{1,3}(?:the )?`{1,3}[^`]{3,}"
    r"|^\W{0,3}`[^`]{3,80}` (?i:deploys|builds|runs|starts|stops|tests|lints|formats|restores|seeds|creates|does|makes)"
    r"\b"
)
"""A command that is given as such: "with `make release`", "Smoke test: `./smoke.sh`"."""

_TO_DO = regex(
    r"^\W*(?:in order )?to (?!do\b)[a-z]+\b[^.!?]{0,60}?[,:]? (?:you )?(?:first )?(?:run|use|call|type|do)\b", re.I
)
"""Says what to run for what."""

_RULE = regex(
    r"^\W*(?:(?:the )?user (?:said|says|asked|wants|rule|preference)(?: us| me)?(?: to)?\W{1,3}|rule\W{1,3}|please )?"
    r"(?:always|never|do not|don['’]?t|must not|to be asked before|immer|nie|niemals|siempre|nunca)\b",
    re.I,
)
_NUMBER, _SPAN = regex(r"\d"), regex(r"`{3}[^`]{0,600}`{3}|`[^`\n]{1,200}`")

_WAS_ASKED = regex(
    r"\b(?:ask(?:s|ed)|want(?:s|ed)?|agreed|agreement|decided|decision|chose|request(?:s|ed)|prefers?|preferred"
    r"|polic(?:y|ies)"
    r"|rules?|convention|bat|möchte|wollte|beschlossen|entschieden|vereinbart|pidió|quiere|decid(?:ió|imos))\b",
    re.I,
)
_MAY = regex(
    r"\b(?:now|instead|no longer|any ?more|from (?:now|today|next|[a-z]+day|\d)|allowed|permitted|fine"
    r"|(?<!['’]s )(?:ok|okay)|can|may"
    r"|should|must|needs? to|have to|has to|use|uses|run|always|never|please|only|except|unless|without|not|don['’]?t"
    r"|jetzt|ab (?:sofort|jetzt|heute)|nicht mehr|statt|dürfen|darf|soll(?:en)?|muss|müssen|immer|nie|bitte|ohne"
    r"|ahora|ya no|siempre|nunca|puede[ns]?|debe[ns]?)\b",
    re.I,
)
"""Words of another rule or of a change of one; "with the user's ok" it is kept."""


@kept_for_texts(maxsize=1_024)
def tells_procedure(text: str) -> bool:
    """Whether a text tells by which command something is done.

    Examples
    --------
    >>> tells_procedure("Build the frontend with `pnpm build`."), tells_procedure("To deploy, run make release.")
    (True, True)
    >>> tells_procedure("`make lint` works again."), tells_procedure("Ran `make lint` today.")
    (False, False)
    """
    text = text[:MAX_PROCEDURE_CHARS]
    return bool(_COMMAND.search(text) or _TO_DO.search(text))


@kept_for_texts(maxsize=1_024)
def tells_rule(text: str) -> bool:
    """Whether a text tells by a command how something is done each time, or opens with "always" or "never".

    Examples
    --------
    >>> tells_rule("Always write dates as 2026-03-07."), tells_rule("We always meet on Mondays.")
    (True, False)
    """
    return tells_procedure(text) or bool(_RULE.match(text[:MAX_PROCEDURE_CHARS]))


@kept_for_texts(maxsize=1_024)
def is_standing(text: str) -> bool:
    """Whether a text tells a rule, and names no amount beside: how long a command takes may be another by now.

    Examples
    --------
    >>> is_standing("Never push to main."), is_standing("Restore a backup with `pg_restore -j 4 dump.bin`.")
    (True, True)
    >>> is_standing("Restored the backup."), is_standing("Tests run with `make test`, they take 40 s.")
    (False, False)
    """
    text = text[:MAX_PROCEDURE_CHARS]
    return tells_rule(text) and not _NUMBER.search(_SPAN.sub("", text))


@kept_for_texts(maxsize=1_024)
def may_change_standing(text: str) -> bool:
    """Whether a text may change how something is done: it is such a text itself, tells of a change, of what somebody
    wants or decided, or speaks of no past.

    Examples
    --------
    >>> may_change_standing("Deployed v1.5.0 to prod with make release."), may_change_standing("Merged it into main.")
    (False, False)
    >>> may_change_standing("Restarted the indexer at 11, with the user's ok.")
    False
    >>> may_change_standing("Switched the deploys to Argo."), may_change_standing("Lena asked for shorter letters.")
    (True, True)
    >>> may_change_standing("Pushing to main is fine."), may_change_standing("The deploy takes 4 minutes now.")
    (True, True)
    """
    text = text[:MAX_PROCEDURE_CHARS]
    changing = cues.ENDED, cues.CORRECTED, _WAS_ASKED, _MAY
    return tells_procedure(text) or lean_of(text) >= 0 or any(cue.search(text) for cue in changing)
