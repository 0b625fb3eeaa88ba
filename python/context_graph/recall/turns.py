"""The order in which turns of a conversation are told: an answer before the question, what amends before the offer."""

import re
from collections.abc import Mapping, Sequence

from context_graph.reading.requests import only_asks
from context_graph.reading.utterance import ASSISTANTS, USERS
from context_graph.recall.answer import Hit
from context_graph.regex import regex

__all__ = ["in_order_of_turns"]

_ASKED_BEFORE = regex(r"\bask(?:s|ed|ing)?\b|\bquestions?\b|\b(?:ge)?frag\w*|\bpregunt\w*", re.I)
"""Asks for what was asked."""

_PROPOSED = regex(r"\byou (?:suggest|recommend|propose|advise|say|tell|write|offer|think)\w*|\byour\b", re.I)
"""Asks for what the assistant said."""

_AMENDS = regex(
    r"^\W*(?:(?:no|ok(?:ay)?|hm+|well|good|fine|yes|but|great|thanks|please)[,.!]? (?:but )?)*"
    r"(?:make (?:it|that|them|this)|take|use|let['’]?s (?:do|say|take|make|use|go with)"
    r"|i['’]d (?:rather|prefer|take|say)|i['’]ll (?:take|do|go with)|go (?:with|for)"
    r"|change (?:it|that|them) to|better|rather|set it to|only)\b"
    r"|\binstead\b",
    re.I,
)
MAX_AMENDMENT_CHARS = 160
"""Characters of a turn that amends what the assistant said before it and says little more."""


def in_order_of_turns(question: str, hits: Sequence[Hit], row_of: Mapping[str, int]) -> list[Hit]:
    """The hits with questions behind what may answer, and what a user changed of a proposal before the proposal.

    Parameters
    ----------
    row_of : mapping
        Where each memory stands in the order of storing, by id.
    """
    ordered = list(hits)
    if not _ASKED_BEFORE.search(question):
        ordered.sort(key=lambda hit: only_asks(hit.node.content))
    if _PROPOSED.search(question):
        return ordered
    proposals = {row_of.get(hit.node.id): hit for hit in ordered if _is_by(hit, ASSISTANTS)}
    for hit in [hit for hit in ordered if _is_by(hit, USERS)]:
        proposal = proposals.get(row_of.get(hit.node.id, -1) - 1)
        if proposal is None or proposal.node.session_id != hit.node.session_id or not _amends(hit):
            continue
        if ordered.index(proposal) < ordered.index(hit):
            ordered.remove(hit)
            ordered.insert(ordered.index(proposal), hit)
    return ordered


def _is_by(hit: Hit, speakers: Sequence[str]) -> bool:
    return (hit.node.speaker or "").lower() in speakers


def _amends(hit: Hit) -> bool:
    text = hit.node.content
    return len(text) <= MAX_AMENDMENT_CHARS and not text.rstrip().endswith("?") and bool(_AMENDS.search(text))
