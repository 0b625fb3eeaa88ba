"""Taking in one memory: clean it, understand it, judge it, keep it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.derived.beliefs import is_past
from context_graph.embed import Fingerprint
from context_graph.embed.stems import stems, words
from context_graph.errors import AdversarialBlocked, InvalidInput
from context_graph.graph.entities import Mention, node_name
from context_graph.index.corpus import Corpus, Viewer
from context_graph.index.novelty import NEAR, Near
from context_graph.index.vector_codec import vectors_of
from context_graph.ingest.draft import METADATA_LIMIT, Draft, cleaned, settled
from context_graph.ingest.duplicates import adds_nothing, quotes, same_text
from context_graph.ingest.linking import Links, put_links
from context_graph.ingest.media import TakenIn, look_around, noted, taken_in
from context_graph.models import Domain, Node, NodeState, to_iso
from context_graph.nervous import steering, utl
from context_graph.nervous.clusters import Clusters
from context_graph.reading.fingerprints import DATED, NAMED, occurrence, spoken, titles_of
from context_graph.reading.media import FILE, sha256_of
from context_graph.reading.mentions import find_mentions
from context_graph.reading.metadata import texts
from context_graph.reading.utterance import read_head, utterance
from context_graph.retrieval.media_similarity import Alike
from context_graph.runtime.session import SessionState
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Draft", "Remembered", "remember"]

SURPRISE_WEIGHTS = {"E1": 2.0, "E9": 1.0}
IMPORTANCE = 0.5
PASSIVE_IMPORTANCE = 0.3
"""Of what was captured and nobody judged: a search with min_importance 0.4 leaves it out and keeps what was chosen."""

FIELDS_IN_METADATA = frozenset("session agent_id domain scope date speaker name title supersedes".split())
"""Metadata keys that `settled` reads into fields of their own."""

GROWING = ("aliases", "tags")
"""Metadata lists that take in what a repetition adds."""

NOTHING_NEAR = Near(np.zeros(0, np.int64), np.zeros(0, np.float32), {}, {})
UNREWARDED = steering.Reward(0.0, 0.0, 0.0, 0.0, "captured, not chosen: nothing to reward", (), "")


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


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a draft.

    Attributes
    ----------
    node : Node
        The stored memory, or the one that says the same already.
    stored : bool
        False where nothing new was written because it was known.
    reward : Reward
    learning : Learning
    duplicate_of : str, optional
        The memory beside which nothing new was said; stored is false where even the text is the same.
    understood : dict
        Speaker and date (`occurred_at`) that were read from the beginning of the content.
    redactions : tuple of str
        Kinds of sensitive text that were replaced.
    links : Links
    event_hash : str
        Undoes this store; empty where nothing was written.
    alike : tuple of Like
        Of a memory with a file.
    """

    node: Node
    stored: bool
    reward: steering.Reward
    learning: utl.Learning
    duplicate_of: str | None
    redactions: tuple[str, ...]
    links: Links
    event_hash: str
    alike: tuple[Like, ...] = ()
    understood: Mapping[str, str] = field(default_factory=dict)


def remember(memory: "Runtime", draft: Draft) -> Remembered:
    """Take in one memory: clean it, understand it, judge it, keep it.

    Nothing is written before the single transaction at the end; where it fails, nothing has happened.
    """
    draft, found_in_file = taken_in(memory, draft)
    draft, understood = _attributed(memory, settled(draft))
    draft, redactions = cleaned(draft, kinds=memory.settings.redacted)
    if draft.agent_id:
        draft = replace(draft, agent_id=memory.written_name(draft.agent_id))
    draft = noted(draft, found_in_file)
    taint = _inspect(draft)
    with memory.writing:
        draft, superseded = _resolved(memory, draft)
        state = memory.session(draft.session_id)
        previous = _previous(memory, state, draft)
        found = find_mentions(draft.content, draft.metadata, draft.speaker)
        corpus = memory.corpus
        fingerprint = memory.embedder.fingerprint(
            utterance(draft.content, draft.speaker),
            name=draft.name,
            speaker=draft.speaker,
            occurred_at=draft.occurred_at,
            previous=spoken(previous),
            heading=" ".join([draft.name or "", *(mention.text for mention in found)]),
            rationale=draft.rationale,
            names=[mention.key for mention in found],
            titles=titles_of(draft.content, draft.name, draft.speaker, draft.metadata),
            media=found_in_file.media if found_in_file else None,
        )
        viewer = Viewer(state.session_id, memory.context_id)
        surroundings, clusters = memory.surroundings, memory.clusters
        with corpus.lock:  # another process's write, noticed by another thread, must not move the arrays meanwhile
            visible = corpus.visible(viewer, now=memory.present())
            near = surroundings.of(corpus, fingerprint, visible)
            looks = look_around(corpus, fingerprint.occasional.get("E10"), draft.modality, visible)
            close = _close(memory, corpus, draft, near, looks)
            known = _known(memory, draft, close, superseded)
            duplicate = known or _repeated(draft, close, superseded)
            if found_in_file and not found_in_file.media.said:
                near = NOTHING_NEAR  # the line that describes a file is like that of any other file
            learning = _learn(memory, state, draft, fingerprint, near, clusters)
            reward = (
                UNREWARDED
                if draft.passive
                else _judge(memory, corpus, state, draft, learning, near, duplicate, close, clusters)
            )
        if known is not None:
            return _known_already(memory, state, draft, known, reward, learning, redactions)
        node = _node(memory, state, draft, learning, reward, taint, fingerprint)
        alike = () if looks is None else tuple(_likes(corpus, looks))
        node, links, event_hash = _commit(
            memory, corpus, state, draft, node, fingerprint, found, previous, near, found_in_file, alike, superseded
        )
        if not draft.passive:
            _feel(memory, state, node, fingerprint, learning, reward)
    return Remembered(
        node, True, reward, learning, duplicate.id if duplicate else None, tuple(redactions), links, event_hash, alike,
        understood,
    )  # fmt: skip


def _inspect(draft: Draft) -> float:
    """How suspicious the content is; an order to the agent itself in the rationale is refused."""
    if suspicion(draft.rationale) >= QUARANTINE_FROM:
        raise AdversarialBlocked(
            "the rationale reads like an instruction to an agent and was not stored; "
            "say in plain words why this matters"
        )
    return suspicion(draft.content)


def _attributed(memory: "Runtime", draft: Draft) -> tuple[Draft, dict[str, str]]:
    """Speaker and date as the content begins with them, where no field gives them; and what was understood.

    The content stays as it was told. A name before a colon may be a heading: it counts as a speaker where what follows
    is said by somebody, or where that speaker is known.
    """
    titled = draft.name is not None  # a document, not an utterance
    if titled or not draft.read_head or draft.file is not None or (draft.speaker and draft.occurred_at is not None):
        return draft, {}
    head, understood = read_head(draft.content), {}
    speaker = head.speaker if draft.speaker is None else None
    if speaker and (head.sure or memory.corpus.speakers.known(speaker.lower()) >= 0):
        draft = replace(draft, speaker=speaker)
        understood["speaker"] = speaker
    if draft.occurred_at is None and head.occurred_at is not None:
        draft = replace(draft, occurred_at=head.occurred_at)
        understood["occurred_at"] = to_iso(head.occurred_at)
    return draft, understood


def _resolved(memory: "Runtime", draft: Draft) -> tuple[Draft, list[str]]:
    """The draft with the ids of what it links to, and the ids of what it supersedes; only what its session may see."""
    links = [shown(memory, target, draft.session_id, field="link_to").id for target in draft.link_to]
    given = draft.metadata.get("supersedes", [])
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list) or not all(isinstance(entry, str) for entry in given):
        raise InvalidInput(
            "metadata.supersedes must be the id or citation tag of a memory, or a list of them", field="metadata"
        )
    superseded = [shown(memory, target, draft.session_id, field="metadata.supersedes").id for target in given]
    metadata = {**draft.metadata, "supersedes": superseded} if superseded else draft.metadata
    return replace(draft, link_to=links, metadata=metadata), superseded


def _previous(memory: "Runtime", state: SessionState, draft: Draft) -> Node | None:
    last = memory.store.session_memories(state.session_id, 1)
    return last[0] if last else None


def _learn(
    memory: "Runtime", state: SessionState, draft: Draft, fingerprint: Fingerprint, near: Near, clusters: Clusters
) -> utl.Learning:
    """Surprise, coherence and the learning score, from the surroundings and the session."""
    delta_s = utl.surprise(near.distances, near.nearest, SURPRISE_WEIGHTS)
    _, own, other = clusters.nearest(fingerprint.semantic)
    links = [(float(cos), float(cos)) for cos in near.cosines[:4] if cos > 0]
    delta_c, level = utl.coherence(links, utl.cluster_fit(own, other), list(state.levels))
    if not draft.passive:
        state.levels.append(level)
    w_e = utl.arousal(words(draft.content), _importance(draft))
    phi = utl.phase(fingerprint.semantic, state.context)
    score = utl.learning_score(delta_s, delta_c, w_e, phi, memory.stage())
    return utl.Learning(delta_s, delta_c, w_e, phi, score)


def _importance(draft: Draft) -> float:
    if draft.importance is not None:
        return draft.importance
    return PASSIVE_IMPORTANCE if draft.passive else IMPORTANCE


def _close(
    memory: "Runtime", corpus: Corpus, draft: Draft, near: Near, looks: Alike | None
) -> list[tuple[Node, float]]:
    """The near-duplicates, nearest first, and how similar they are; of a file, those with that file or one alike."""
    if draft.file is not None:
        return _close_files(memory, corpus, draft, near, looks)
    rows = near.rows if draft.passive else near.rows[near.cosines > NEAR]  # a speaker is part of the vectors
    nodes = {node.id: node for node in memory.store.nodes(corpus.ids[row] for row in rows)}
    found = [(nodes.get(corpus.ids[row]), float(cosine)) for row, cosine in zip(rows, near.cosines, strict=False)]
    return [(node, cosine) for node, cosine in found if node is not None]


def _close_files(
    memory: "Runtime", corpus: Corpus, draft: Draft, near: Near, looks: Alike | None
) -> list[tuple[Node, float]]:
    """Equal bytes count as the same wherever they are met; without a signal, only words lead there."""
    alike = [] if looks is None else _likes(corpus, looks)
    known = {like.node_id: like.similarity for like in alike}
    nodes = memory.store.nodes(dict.fromkeys([*known, *(corpus.ids[row] for row in near.rows)]))
    equal = [node for node in nodes if sha256_of(node.metadata) == sha256_of(draft.metadata)]
    others = [node for node in nodes if node not in equal and known.get(node.id, 0.0) > NEAR]
    return [*((node, 1.0) for node in equal), *((node, known[node.id]) for node in others)]


def _likes(corpus: Corpus, looks: Alike) -> list[Like]:
    return [Like(corpus.ids[row], float(look), float(both)) for row, look, both in zip(*looks, strict=True)]


def _known(
    memory: "Runtime", draft: Draft, close: Sequence[tuple[Node, float]], superseded: Sequence[str]
) -> Node | None:
    """The memory that holds all of a draft already; of what was captured, whoever said it and when."""
    for node, _ in close:
        if draft.passive:
            same = quotes(draft.content, node.content) and draft.scope == node.scope
        else:
            same = same_text(draft.content, node.content) and _same_fields(draft, node, superseded)
        if same and (draft.passive or _linked(memory, draft, node)):
            return node
    return None


def _repeated(draft: Draft, close: Sequence[tuple[Node, float]], superseded: Sequence[str]) -> Node | None:
    """The near-duplicate beside which nothing new is said; a file's is what looks or sounds like it."""
    if draft.file is not None:
        return close[0][0] if close else None
    for node, _ in close:
        if adds_nothing(draft.content, node.content) and _same_fields(draft, node, superseded):
            return node
    return None


def _same_fields(draft: Draft, node: Node, superseded: Sequence[str]) -> bool:
    """Whether what was given beside the text is what is known beside it, or can join it."""
    dated = occurrence(node)
    return (
        draft.speaker == node.speaker
        and draft.scope == node.scope
        and draft.domain in (node.domain, Domain.GENERAL)
        and draft.name in (None, node.metadata.get(NAMED))
        and sha256_of(draft.metadata) == sha256_of(node.metadata)
        and (draft.occurred_at is None or dated is None or draft.occurred_at == dated)
        and not superseded
        and all(node.metadata.get(key, value) == value for key, value in _own(draft.metadata).items())
    )


def _own(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata that are no fields of a node, and no lists of names that grow."""
    return {key: value for key, value in metadata.items() if key not in FIELDS_IN_METADATA and key not in GROWING}


def _linked(memory: "Runtime", draft: Draft, node: Node) -> bool:
    """Whether a node is linked to all that a draft is to be linked to."""
    return not draft.link_to or set(draft.link_to) <= {edge.target for edge in memory.store.edges(node.id)}


def _judge(
    memory: "Runtime",
    corpus: Corpus,
    state: SessionState,
    draft: Draft,
    learning: utl.Learning,
    near: Near,
    duplicate: Node | None,
    close: Sequence[tuple[Node, float]],
    clusters: Clusters,
) -> steering.Reward:
    """The steering reward of design 7."""
    similarity = {node.id: cosine for node, cosine in close}
    replaced = next((node for node, _ in close if node is not duplicate), None) if duplicate is None else None
    linked = [corpus.row_of[target] for target in draft.link_to if target in corpus.row_of]
    cosines: list[float] = []
    if linked:
        vectors = corpus.semantic.rows(np.array(linked))
        cosines = [float(c) for c in vectors @ (state.context if state.context is not None else vectors[0])]
    rationale, content = set(stems(draft.rationale)), set(stems(draft.content))
    _, own, other = clusters.nearest(corpus.semantic.rows(near.rows[:1])[0]) if len(near.rows) else (None,) * 3
    return steering.assess(
        delta_s=learning.delta_s,
        delta_c=learning.delta_c,
        stage=memory.stage(),
        near_duplicate=None if duplicate is None else tag_of(duplicate.id),
        duplicate_similarity=0.0 if duplicate is None else similarity[duplicate.id],
        differs_from=None if replaced is None else tag_of(replaced.id),
        rationale_ok=len(rationale - content) >= 1,
        priors_ok=True,  # the priors vibe check is a mechanism of its own, not built yet: no penalty without it
        link_cosines=cosines,
        used_before=float((corpus.columns.accesses[near.rows] > 0).mean()) if len(near.rows) else 0.5,
        cluster_fit=utl.cluster_fit(own, other),
        recent_rewards=list(state.rewards),
    )


def _known_already(
    memory: "Runtime",
    state: SessionState,
    draft: Draft,
    other: Node,
    reward: steering.Reward,
    learning: utl.Learning,
    redactions: list[str],
) -> Remembered:
    """Nothing new to keep but the reason, where someone gave one: it joins those of the memory that says the same."""
    if draft.passive:
        return Remembered(other, False, reward, learning, other.id, tuple(redactions), Links((), ()), "")
    author = memory.author(state.session_id, draft.agent_id)
    with memory.store.write("reinforced", author) as tx:
        known = tx.node(other.id)
        if draft.rationale and draft.rationale not in known.rationale:
            tx.update(other.id, rationale=f"{known.rationale}\n{draft.rationale}".strip()[:2_000])
        metadata = {**_own(draft.metadata), **known.metadata}
        for key in GROWING:
            names = [*texts(known.metadata, key), *texts(draft.metadata, key)]
            metadata |= {key: list(dict.fromkeys(names))} if names else {}
        if metadata != known.metadata and len(repr(metadata)) <= METADATA_LIMIT:  # metadata that are full take no more
            tx.update(other.id, metadata=metadata)
        if draft.importance is not None and draft.importance != known.importance:
            tx.update(other.id, importance=draft.importance, importance_by_user=True)
        known = tx.node(other.id)
        tx.note.update(operation="reinforced", nodes=[other.id])
    state.attend([other.id])
    state.rewards.append(reward.reward)
    memory.committed()
    return Remembered(known, False, reward, learning, other.id, tuple(redactions), Links((), ()), tx.event.hash)


def _node(
    memory: "Runtime",
    state: SessionState,
    draft: Draft,
    learning: utl.Learning,
    reward: steering.Reward,
    taint: float,
    fingerprint: Fingerprint,
) -> Node:
    """The node as it will be stored; ordinal and position are settled inside the transaction."""
    moment = memory.clock()
    occurred_at = moment if draft.occurred_at is None else draft.occurred_at
    quarantined = taint >= QUARANTINE_FROM
    id = memory.new_id()
    return Node(
        id=id,
        ordinal=0,
        name=node_name(draft.content, given=draft.name),
        content=draft.content,
        rationale=draft.rationale,
        created_at=moment,
        occurred_at=occurred_at,
        valid_from=min(moment, occurred_at),
        valid_to=moment if is_past(draft.metadata) else None,
        last_accessed=moment,
        importance=_importance(draft),
        importance_by_user=draft.importance is not None,
        johari_quadrant=learning.quadrant,
        delta_s=learning.delta_s,
        delta_c=learning.delta_c,
        w_e=learning.w_e,
        phi=learning.phi,
        learning_score=learning.score,
        steering_reward=reward.reward,
        agent_id=draft.agent_id,
        session_id=state.session_id,
        context_id=memory.context_id,
        scope=draft.scope,
        domain=draft.domain,
        modality=draft.modality,
        speaker=draft.speaker,
        metadata=dict(draft.metadata)
        | ({DATED: True} if draft.occurred_at is not None else {})
        | ({NAMED: draft.name} if draft.name else {}),
        semantic_cluster=memory.clusters.add(fingerprint.semantic, f"c{id[:8]}"),
        state=NodeState.QUARANTINED if quarantined else NodeState.LIVE,
        state_reason="it reads like an instruction to an agent" if quarantined else None,
        state_at=moment if quarantined else None,
        state_by="system" if quarantined else None,
        taint=taint,
    )


def _commit(
    memory: "Runtime",
    corpus: Corpus,
    state: SessionState,
    draft: Draft,
    node: Node,
    fingerprint: Fingerprint,
    found: list[Mention],
    previous: Node | None,
    near: Near,
    found_in_file: TakenIn | None,
    alike: tuple[Like, ...],
    superseded: Sequence[str],
) -> tuple[Node, Links, str]:
    """One transaction: the node, its vectors, its file, its edges, what it supersedes."""
    author, makers = memory.author(state.session_id, draft.agent_id), memory.embedder.makers
    with memory.store.write("created", author) as tx:
        node = replace(node, ordinal=tx.next_ordinal(), position=tx.session_position(state.session_id))
        tx.put(node)
        for space, (maker, data) in vectors_of(node, fingerprint, makers).items():
            tx.put_vector(node.id, space, maker, data)
        if found_in_file is not None and found_in_file.kept:
            tx.put_vector(node.id, FILE, found_in_file.file.mime, found_in_file.file.data)
        links = put_links(
            tx, node, draft, found=found, previous=previous, near=near, corpus=corpus,
            new_id=memory.new_id, look=[(like.node_id, like.similarity) for like in alike],
        )  # fmt: skip
        for old in superseded:
            tx.update(old, valid_to=node.created_at, superseded_by=node.id)
        tx.note.update(operation="created", nodes=[node.id], edges=len(links.edges))
    memory.made(node.id, fingerprint)
    memory.committed(tx.event)  # take the new memory in now, not at the next call
    memory.surroundings.add(fingerprint)
    if fingerprint.pending:
        memory.background.embed(node.id)
    return node, links, tx.event.hash


def _feel(
    memory: "Runtime",
    state: SessionState,
    node: Node,
    fingerprint: Fingerprint,
    learning: utl.Learning,
    reward: steering.Reward,
) -> None:
    """What storing does to the session: pulse, modulators, context, focus."""
    state.interacted(node.created_at)
    state.pulse = state.pulse.stored(learning.delta_s, learning.delta_c)
    state.modulators = state.modulators.rewarded(reward.reward).learned(learning.score)
    state.rewards.append(reward.reward)
    state.follow(fingerprint.semantic)
    state.attend([node.id])
    memory.interacted()
    memory.store.effects.add(memory.author(state.session_id, node.agent_id), state=state.to_dict())
