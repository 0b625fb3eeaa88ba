"""Which results of a question a later one has taken the place of: each compared with the others."""

from collections.abc import Callable, Sequence, Set

import numpy as np

from context_graph.models import Node
from context_graph.reading import cues, supersession
from context_graph.reading.disposals import is_gone, tells_disposal
from context_graph.reading.returns import tells_return
from context_graph.reading.subjects import content_stems
from context_graph.reading.utterance import ASSISTANTS
from context_graph.recall.apart import CERTAIN, SURE, never_replaces
from context_graph.recall.current.claim_model import trees
from context_graph.recall.current.claim_signs import ClaimSigns, Ruled
from context_graph.recall.current.comparable import MAX_COMPARED, comparable, follows
from context_graph.recall.current.comparison import Claim, Comparison
from context_graph.recall.current.likelihood import PLAIN, Judged
from context_graph.recall.current.order import Replacement

__all__ = ["candidates", "replacements"]

RIVAL = 1.0
"""By how much the log odds of a later statement and another are more than those of a claim that they explain away."""

UNEXPLAINED = 0.8
"""Probability of a claim, whose later statement has a word of the question, from which on no other explains it away."""

REQUEST_LIKELY = 0.9
"""Probability of a claim between two longer messages to an assistant above which it counts: they go on with a work, and
what they say of it in passing is worded alike."""

ASKED_LIKELY = 0.2
"""Probability of a claim from which a later statement that has a word of the question stands for one that has none."""


def replacements(
    question: str,
    nodes: Sequence[Node],
    judged: Judged,
    before: Callable[[int], Sequence[Node]] = lambda place: (),
    is_to_come: Callable[[int, int], bool] = lambda earlier, later: False,
    order: Sequence[int] = (),
    followers: Set[int] = frozenset(),
) -> tuple[dict[int, Replacement], dict[int, Replacement]]:
    """Which of the first results are replaced, by which of the others, and which will be: place -> replacement.

    A question for all that is known of something names no attribute that two statements could share: there the
    statements alone decide. Else a question in English, which the weights were fitted on, joins notes of one person
    that share no word. The later one may have taken the place of any other: this is the less likely the more there are.

    Parameters
    ----------
    nodes : sequence of Node
        In the order of their ranks.
    before : callable
        What else is known that the result at a place may be about: what took the place of one thing took hardly that
        of another.
    is_to_come : callable
        Whether the later of two will take the place of the earlier one and has not done so.
    order : sequence of int, optional
        The places in the order in which they are compared; by default as they stand.
    followers : set of int, optional
        The places of what was looked up for one of the first, which is compared as these are wherever it stands.
    """
    order = order or range(len(nodes))
    own = [place for place in order if (nodes[place].speaker or "").lower() not in ASSISTANTS]
    if own != [*range(len(nodes))]:  # what an assistant answers between two statements moves them no further apart
        among = replacements(
            question, [nodes[place] for place in own], judged.of(own), lambda place: before(own[place]),
            lambda earlier, later: is_to_come(own[earlier], own[later]),
            followers={at for at, place in enumerate(own) if place in followers},
        )  # fmt: skip
        now, to_come = ({own[at]: by._replace(by=own[by.by]) for at, by in each.items()} for each in among)
        return now, to_come
    compared = Comparison(question, nodes, judged, followers)
    holding: list[Claim] = []
    coming: list[Claim] = []
    for claim in _claims(compared):
        (coming if is_to_come(claim.earlier, claim.later) else holding).append(claim)
    now, to_come = (_settled(some, nodes, compared.text, before) for some in (holding, coming))
    return now, to_come


def candidates(question: str, nodes: Sequence[Node], judged: Judged) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Every two results of a question of which the later one may have taken the place of the earlier one, and the signs
    of each: what the trees of `claim_model` are fitted on, int (m, 2) and float32 (m, f).
    """
    compared = Comparison(question, nodes, judged)
    ruled = _ruled(compared, _pairs(compared))
    pairs = [pair for pair, _ in ruled]
    weighed = [claim if claim is not None and claim.is_weighed else None for _, claim in ruled]
    return pairs, _signs(compared, pairs, weighed)


def _claims(compared: Comparison) -> list[Claim]:
    ruled = _ruled(compared, [pair for pair in _pairs(compared) if compared.may_complete(*pair)])
    claims = [claim for _, claim in ruled if claim is not None and not claim.is_weighed]
    unsettled = [
        (pair, claim)
        for pair, claim in ruled
        if (compared.may_be_learned(*pair) if claim is None else claim.is_weighed)
    ]
    if unsettled:
        odds = trees(compared.judged.tier).log_odds(_signs(compared, *zip(*unsettled, strict=True)))
        judged = (
            compared.learned(*pair, claim_odds) if weighed is None else compared.likely(weighed, claim_odds)
            for (pair, weighed), claim_odds in zip(unsettled, odds.tolist(), strict=True)
        )
        claims += [claim for claim in judged if claim is not None]
    claims = [claim for claim in claims if claim.likely > REQUEST_LIKELY or not compared.are_requests(claim)]
    claims = [claim for each in claims if (claim := compared.beside_a_rule(each)) is not None]
    over = {claim.earlier for claim in claims if tells_return(compared.text(claim.later))}
    claims = [claim for claim in claims if claim.later not in over]  # whoever stood in for somebody does so no longer
    claims += compared.reversals(claims)
    return compared.with_kept(claims)


def _pairs(compared: Comparison) -> list[tuple[int, int]]:
    """Places of every two results of which one was told later, and that may be versions of one another at all."""
    nodes, stating = compared.nodes, compared.stating
    moments = [(node.occurred_at, node.created_at) for node in nodes]
    first = [place for place in stating if place < MAX_COMPARED]
    return [(i, j) for i in first for j in stating if moments[i] < moments[j] and follows(nodes[i], nodes[j])]


def _ruled(compared: Comparison, pairs: Sequence[tuple[int, int]]) -> list[tuple[tuple[int, int], Claim | None]]:
    """What rules and regressions claim of each two results."""
    claims = (compared.claim(i, j) or compared.taken_back(i, j) for i, j in pairs)
    return [
        (pair, None if claim is None or never_replaces(*map(compared.text, pair)) else claim)
        for pair, claim in zip(pairs, claims, strict=True)
    ]


def _signs(compared: Comparison, pairs: Sequence[tuple[int, int]], weighed: Sequence[Claim | None]) -> np.ndarray:
    """`SIGNS` of every two results: float32 (m, f)."""
    nodes = compared.nodes
    places = sorted(compared.stating, key=lambda place: (nodes[place].occurred_at, nodes[place].created_at))
    row_of = {place: row for row, place in enumerate(places)}
    judged = compared.judged.of(places)
    texts, question = [compared.english(place) for place in places], compared.question_about(places)
    searched, meaning = max(judged.searched, 1), judged.meaning()
    signs = ClaimSigns(question, texts, judged.alone, places, judged.rarest, searched, meaning)
    rows = np.array([[row_of[i], row_of[j]] for i, j in pairs], np.int64).reshape(-1, 2)
    return signs.of(rows, [None if claim is None else Ruled(claim.odds, claim.likely) for claim in weighed])


def _settled(
    claims: Sequence[Claim],
    nodes: Sequence[Node],
    text_at: Callable[[int], str],
    before: Callable[[int], Sequence[Node]],
) -> dict[int, Replacement]:
    """The likeliest claim about each earlier result, but for those that something else explains better."""
    replaced: dict[int, Replacement] = {}
    near: dict[int, list[Node]] = {}
    for claim in sorted(claims, key=_rank(claims, nodes)):
        surely = (claim.is_asked and claim.likely >= UNEXPLAINED) or (claim.odds is not None and claim.odds >= CERTAIN)
        if claim.earlier in replaced or surely or is_gone(text_at(claim.earlier), text_at(claim.later)):
            replaced.setdefault(claim.earlier, claim.replacement())
            continue
        if claim.later not in near:
            known = {node.id: node for node in (*nodes, *before(claim.later))}
            near[claim.later] = [node for node in known.values() if comparable(node, nodes[claim.later])]
        others = [
            cues.readable(node.content)
            for node in near[claim.later]
            if claim.odds is None or comparable(nodes[claim.earlier], node)
        ]
        if not _explained(claim, text_at(claim.earlier), text_at(claim.later), others):
            replaced[claim.earlier] = claim.replacement()
    return replaced


def _rank(claims: Sequence[Claim], nodes: Sequence[Node]) -> Callable[[Claim], tuple[float, float]]:
    """The likeliest first but, of two about one result, the one whose later statement was told last and alone has a
    word of the question ("my favourite is Casa Lupo now" before "Osteria Nonna closed down"), or says that the thing is
    gone.
    """
    likeliest: dict[int, Claim] = {}
    for claim in claims:
        likeliest[claim.earlier] = max(likeliest.get(claim.earlier, claim), claim, key=lambda one: one.likely)

    def rank(claim: Claim) -> tuple[float, float]:
        first = likeliest[claim.earlier]
        gone = [tells_disposal(nodes[one.later].content) for one in (claim, first)]
        answers = (claim.is_asked and not first.is_asked) or gone == [True, False]
        answers = answers and claim.likely >= ASKED_LIKELY
        last = nodes[claim.later].occurred_at > nodes[first.later].occurred_at
        return (-first.likely, -1.0) if answers and last else (-claim.likely, -claim.likely)

    return rank


def _explained(claim: Claim, earlier: str, later: str, others: Sequence[str]) -> bool:
    """Whether the later statement plainly takes the place of another, no version of the earlier one, with which it has
    words in common, and no fewer: without one it plainly takes the place of nothing.
    """
    least, words = max(SURE, claim.odds + RIVAL if claim.odds is not None else SURE), content_stems(later)
    shared = max(len(words & content_stems(earlier)), 1)
    for other in others:
        if len(words & content_stems(other)) < shared:
            continue
        if other != earlier and supersession.related(other, later) and supersession.logit(other, later) >= least:
            pair = (earlier, other)
            if not any(supersession.related(*two) and supersession.logit(*two) >= PLAIN for two in (pair, pair[::-1])):
                return True
    return False
