"""Whether a draft is known: the memory that holds all of it, the one beside which it says nothing new."""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from context_graph.index.corpus import Corpus
from context_graph.index.novelty import NEAR_DUPLICATE_COSINE, Near
from context_graph.ingest.draft import METADATA_LIMIT, Draft
from context_graph.ingest.duplicates import adds_nothing, quotes, same_text
from context_graph.models import Domain, Node
from context_graph.reading import supersession
from context_graph.reading.fingerprints import NAMED, occurrence
from context_graph.reading.media import sha256_of
from context_graph.reading.metadata import BESIDE, texts
from context_graph.regex import regex
from context_graph.retrieval.media_similarity import Alike

if TYPE_CHECKING:
    from context_graph.store import Reader, Transaction

__all__ = ["Candidate", "Like", "close_to", "known", "likes", "reinforce", "repeated"]

FIELDS_IN_METADATA = frozenset("session agent_id domain scope date speaker name title".split())
"""Metadata keys that `settled` reads into fields of their own."""

GROWING = ("aliases", "tags", "supersedes", BESIDE)
"""Metadata lists that take in what a repetition adds."""

REPLACED = 1.6
"""Log odds that a later statement took the place of an earlier one, from which on saying the earlier one again is news:
those from which on a context tells its end."""

MAY_SAY_THE_SAME = 0.5
"""Cosine from which two texts are compared word by word; with words of courtesy around one they are less alike."""


class Candidate(NamedTuple):
    """A memory that may say the same, as far as it is read to see whether it does: few do.

    Attributes
    ----------
    metadata : str
        As the store has them; parsed when they are asked for.
    """

    id: str
    content: str
    metadata: str = "{}"

    def has_name(self, name: str) -> bool:
        """Whether it was given this name."""
        if _PLAIN.fullmatch(name) and f'"{name}"' not in self.metadata:  # as JSON spells it, whoever wrote it
            return False
        return bool(json.loads(self.metadata).get(NAMED) == name)


_PLAIN = regex(r"[\w .,:;()\[\]+*#-]*", re.ASCII)
"""Names that stand in JSON as they are."""

Close = Sequence[tuple[Candidate, float]]


class Like(NamedTuple):
    """A memory whose file looks or sounds like a new one's.

    Attributes
    ----------
    look : float
        Cosine of how the two look or sound.
    similarity : float
        That, and where both have words how alike these are: the mean.
    """

    node_id: str
    look: float
    similarity: float


def likes(corpus: Corpus, looks: Alike | None) -> tuple[Like, ...]:
    """The memories whose files are alike; none where there is no file."""
    if looks is None:
        return ()
    return tuple(Like(corpus.ids[row], float(look), float(both)) for row, look, both in zip(*looks, strict=True))


def close_to(reader: "Reader", corpus: Corpus, draft: Draft, near: Near, alike: Sequence[Like]) -> Close:
    """What may say the same, nearest first, and how similar it is; of a file, what has that file or one alike."""
    if draft.file is not None:
        return _close_files(reader, corpus, draft, near, alike)
    rows = (
        near.rows if draft.passive else near.rows[near.cosines > MAY_SAY_THE_SAME]
    )  # a speaker is part of the vectors
    if not len(rows):
        return []
    read = reader.columns_of(Candidate._fields, [corpus.ids[row] for row in rows])
    by_id = {candidate.id: candidate for candidate in starmap(Candidate, read)}
    close = ((by_id.get(corpus.ids[row]), float(cosine)) for row, cosine in zip(rows, near.cosines, strict=False))
    return [(candidate, cosine) for candidate, cosine in close if candidate is not None]


def _close_files(seen: "Reader", corpus: Corpus, draft: Draft, near: Near, alike: Sequence[Like]) -> Close:
    """Equal bytes count as the same wherever they are met; without a signal, only words lead there."""
    similar = {like.node_id: like.similarity for like in alike}
    nodes = seen.nodes(dict.fromkeys([*similar, *(corpus.ids[row] for row in near.rows)]))
    equal = [node for node in nodes if sha256_of(node.metadata) == sha256_of(draft.metadata)]
    others = [node for node in nodes if node not in equal and similar.get(node.id, 0.0) > NEAR_DUPLICATE_COSINE]
    ranked = [*((node, 1.0) for node in equal), *((node, similar[node.id]) for node in others)]
    return [(Candidate(node.id, node.content), similarity) for node, similarity in ranked]


def known(reader: "Reader", draft: Draft, close: Close, superseded: Sequence[str]) -> Node | None:
    """The memory that holds all of a draft already; of what was captured, whoever said it and when."""
    for candidate, _ in close:
        if not draft.passive and draft.name is not None and not candidate.has_name(draft.name):
            continue
        if not (quotes if draft.passive else same_text)(draft.content, candidate.content):
            continue
        for node in reader.nodes([candidate.id]):  # none where another process has taken it away since
            if draft.passive:
                same = draft.scope == node.scope
            else:
                same = _same_fields(draft, node) and node.id not in superseded and _linked(reader, draft, node)
                same = same and not _replaced(reader, node, close)
            if same:
                return node
    return None


def _replaced(reader: "Reader", node: Node, close: Close) -> bool:
    """Whether something like it was said later and has taken its place: who says it again goes back to it."""
    later = (other for other in reader.nodes([one.id for one, _ in close]) if other.occurred_at > node.occurred_at)
    pairs = ((node.content, other.content) for other in later if other.speaker == node.speaker)
    return any(supersession.related(*pair) and supersession.logit(*pair) >= REPLACED for pair in pairs)


def repeated(reader: "Reader", draft: Draft, close: Close, superseded: Sequence[str]) -> Node | None:
    """The near-duplicate beside which nothing new is said; a file's is what looks or sounds like it."""
    if draft.file is not None:
        return next(iter(reader.nodes([candidate.id for candidate, _ in close[:1]])), None)
    if superseded:
        return None
    for candidate, _ in close:
        # The name first: words take the longest, and each passage of a document has its own.
        if (draft.name is None or candidate.has_name(draft.name)) and adds_nothing(draft.content, candidate.content):
            for node in reader.nodes([candidate.id]):
                if _same_fields(draft, node) and not _replaced(reader, node, close):
                    return node
    return None


def reinforce(tx: "Transaction", draft: Draft, other: Node, superseded: Sequence[str], now: int) -> Node:
    """Nothing new to keep but the reason, where someone gave one: it joins those of the memory that says the same,
    which takes the place of what the draft supersedes.
    """
    node = tx.node(other.id)
    for old in superseded:
        tx.update(old, valid_to=now, superseded_by=other.id)
    if draft.rationale and draft.rationale not in node.rationale:
        tx.update(other.id, rationale=f"{node.rationale}\n{draft.rationale}".strip()[:2_000])
    metadata = {**_own(draft.metadata), **node.metadata}
    for key in GROWING:
        names = [*texts(node.metadata, key), *texts(draft.metadata, key)]
        metadata |= {key: list(dict.fromkeys(names))} if names else {}
    if metadata != node.metadata and len(repr(metadata)) <= METADATA_LIMIT:  # metadata that are full take no more
        tx.update(other.id, metadata=metadata)
    if draft.importance is not None and draft.importance != node.importance:
        tx.update(other.id, importance=draft.importance, importance_by_user=True)
    return tx.node(other.id)


def _same_fields(draft: Draft, node: Node) -> bool:
    """Whether what was given beside the text is what is known beside it, or can join it."""
    dated = occurrence(node)
    return (
        draft.speaker == node.speaker
        and draft.scope == node.scope
        and draft.domain in (node.domain, Domain.GENERAL)
        and (draft.name is None or draft.name == node.metadata.get(NAMED))
        and sha256_of(draft.metadata) == sha256_of(node.metadata)
        and (draft.occurred_at is None or dated is None or draft.occurred_at == dated)
        and all(node.metadata.get(key, value) == value for key, value in _own(draft.metadata).items())
    )


def _own(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that are no fields of a node, and no lists of names that grow."""
    return {key: value for key, value in metadata.items() if key not in FIELDS_IN_METADATA and key not in GROWING}


def _linked(seen: "Reader", draft: Draft, node: Node) -> bool:
    """Whether a node is linked to all that a draft is to be linked to."""
    return not draft.link_to or set(draft.link_to) <= {edge.target for edge in seen.edges(node.id)}
