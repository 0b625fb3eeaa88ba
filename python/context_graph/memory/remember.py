"""Taking in one memory: clean it, understand it, judge it, keep it."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from context_graph.dynamics import steering, utl
from context_graph.dynamics.clusters import Clusters
from context_graph.embed import Fingerprint
from context_graph.embed.stems import stems, words
from context_graph.errors import AdversarialBlocked, InvalidInput, NodeNotFound
from context_graph.graph.entities import Mention, node_name
from context_graph.memory.beliefs import is_past, texts
from context_graph.memory.citations import tag_of
from context_graph.memory.draft import METADATA_LIMIT, Draft, cleaned, settled
from context_graph.memory.embedding import DATED, NAMED, occurrence, spoken, titles_of, vectors_of
from context_graph.memory.links import Links, find_mentions, put_links
from context_graph.memory.media import FILE, TakenIn, look_around, noted, sha256_of, taken_in
from context_graph.memory.nearness import DUPLICATE, NEAR, Near, differs, same_order
from context_graph.memory.session import SessionState
from context_graph.models import Node, NodeState
from context_graph.retrieval import Corpus, Viewer
from context_graph.retrieval.alike import Alike
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion

if TYPE_CHECKING:
    from context_graph.memory.memory import Memory

__all__ = ["Draft", "Remembered", "remember"]

SURPRISE_WEIGHTS = {"E1": 2.0, "E9": 1.0}
IMPORTANCE = 0.5
PASSIVE_IMPORTANCE = 0.3
"""Of what was captured and nobody judged: a search with min_importance 0.4 leaves it out and keeps what was chosen."""

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
        The nearest memory where it is more than 0.9 similar.
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


def remember(memory: "Memory", draft: Draft) -> Remembered:
    """Take in one memory: clean it, understand it, judge it, keep it.

    Nothing is written before the single transaction at the end; where it fails, nothing has happened.
    """
    draft, found_in_file = taken_in(memory, draft)
    draft, redactions = cleaned(settled(draft), kinds=memory.settings.redacted)
    if draft.agent_id:
        draft = replace(draft, agent_id=memory.written_name(draft.agent_id))
    draft = noted(draft, found_in_file)
    taint = _inspect(draft)
    _check_links(memory, draft)
    with memory.writing:
        state = memory.session(draft.session_id)
        previous = _previous(memory, state, draft)
        found = find_mentions(draft)
        corpus = memory.corpus
        fingerprint = memory.embedder.fingerprint(
            draft.content,
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
            duplicate, similarity = _nearest(memory, corpus, draft, near, looks)
            if found_in_file and not found_in_file.media.said:
                near = NOTHING_NEAR  # the line that describes a file is like that of any other file
            learning = _learn(memory, state, draft, fingerprint, near, clusters)
            if draft.passive:
                reward, echoed = UNREWARDED, _echoed(memory, corpus, draft, near)
                duplicate, same = echoed or duplicate, echoed is not None
            else:
                reward = _judge(memory, corpus, state, draft, learning, near, duplicate, similarity, clusters)
                same = similarity > DUPLICATE and _same(corpus, draft, fingerprint, duplicate)
        if same:
            return _known_already(memory, state, draft, duplicate, reward, learning, redactions)
        node = _node(memory, state, draft, learning, reward, taint, fingerprint)
        alike = () if looks is None else tuple(_likes(corpus, looks))
        node, links, event_hash = _commit(
            memory, corpus, state, draft, node, fingerprint, found, previous, near, found_in_file, alike
        )
        if not draft.passive:
            _feel(memory, state, node, fingerprint, learning, reward)
    return Remembered(
        node, True, reward, learning, duplicate.id if duplicate else None, tuple(redactions), links, event_hash, alike
    )


def _inspect(draft: Draft) -> float:
    """How suspicious the content is; an order to the agent itself in the rationale is refused."""
    if suspicion(draft.rationale) >= QUARANTINE_FROM:
        raise AdversarialBlocked(
            "the rationale reads like an instruction to an agent and was not stored; "
            "say in plain words why this matters"
        )
    return suspicion(draft.content)


def _check_links(memory: "Memory", draft: Draft) -> None:
    if draft.link_to:
        known = {node.id for node in memory.store.nodes(draft.link_to) if node.state != NodeState.FORGOTTEN}
    for target in draft.link_to:
        if target not in known:
            raise NodeNotFound(
                f"link_to names {target}, which is no memory here; search_graph finds the ids of memories, "
                "search_tombstones those of forgotten ones"
            )
    for target in _supersedes(draft):
        memory.store.node(target)


def _supersedes(draft: Draft) -> list[str]:
    given = draft.metadata.get("supersedes", [])
    given = [given] if isinstance(given, str) else given
    if not isinstance(given, list) or not all(isinstance(entry, str) for entry in given):
        raise InvalidInput("metadata.supersedes must be the id of a memory, or a list of ids", field="metadata")
    return given


def _previous(memory: "Memory", state: SessionState, draft: Draft) -> Node | None:
    last = memory.store.session_memories(state.session_id, 1)
    return last[0] if last else None


def _learn(
    memory: "Memory", state: SessionState, draft: Draft, fingerprint: Fingerprint, near: Near, clusters: Clusters
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


def _nearest(
    memory: "Memory", corpus: Corpus, draft: Draft, near: Near, looks: Alike | None
) -> tuple[Node | None, float]:
    """The nearest memory where it is nearly the same, and how similar it is; of a file, the one with that file."""
    if draft.file is not None:
        return _nearest_file(memory, corpus, draft, near, looks)
    if len(near.rows) == 0 or near.cosines[0] <= NEAR:
        return None, float(near.cosines[0]) if len(near.rows) else 0.0
    nodes = memory.store.nodes([corpus.ids[near.rows[0]]])
    return (nodes[0] if nodes else None), float(near.cosines[0])


def _nearest_file(
    memory: "Memory", corpus: Corpus, draft: Draft, near: Near, looks: Alike | None
) -> tuple[Node | None, float]:
    """Equal bytes count as the same wherever they are met; without a signal, only words lead there."""
    alike = [] if looks is None else _likes(corpus, looks)
    known = {like.node_id: like.similarity for like in alike}
    wanted = [*known, *(corpus.ids[row] for row in near.rows)]
    for node in memory.store.nodes(dict.fromkeys(wanted)):
        if sha256_of(node.metadata) == sha256_of(draft.metadata):
            return node, 1.0
    if alike and alike[0].similarity > NEAR:
        return memory.store.nodes([alike[0].node_id])[0], alike[0].similarity
    return None, alike[0].similarity if alike else 0.0


def _likes(corpus: Corpus, looks: Alike) -> list[Like]:
    return [Like(corpus.ids[row], float(look), float(both)) for row, look, both in zip(*looks, strict=True)]


def _same(corpus: Corpus, draft: Draft, fingerprint: Fingerprint, other: Node | None) -> bool:
    """Whether a memory says just what another says: same words in order, numbers, names, speaker and date."""
    if other is None:
        return False
    stored = corpus.bits.rows([corpus.row_of[other.id]])[0]
    dated = occurrence(other)
    return (
        not differs(draft.content, other.content)
        and same_order(fingerprint.bits, stored)
        and draft.speaker == other.speaker
        and draft.scope == other.scope
        and sha256_of(draft.metadata) == sha256_of(other.metadata)
        and texts(draft.metadata, "user") == texts(other.metadata, "user")
        and (draft.occurred_at is None or dated is None or draft.occurred_at == dated)
        and not _supersedes(draft)
    )


def _echoed(memory: "Memory", corpus: Corpus, draft: Draft, near: Near) -> Node | None:
    """The memory whose words a captured text repeats: an agent reads memories back to its user as words of its own.

    Speaker and date do not matter here. The speaker is part of the vectors, so these only say where to look.
    """
    said = words(draft.content)
    for node in memory.store.nodes(corpus.ids[row] for row in near.rows):
        if words(node.content) == said and not differs(draft.content, node.content) and node.scope == draft.scope:
            return node
    return None


def _judge(
    memory: "Memory",
    corpus: Corpus,
    state: SessionState,
    draft: Draft,
    learning: utl.Learning,
    near: Near,
    duplicate: Node | None,
    similarity: float,
    clusters: Clusters,
) -> steering.Reward:
    """The steering reward of design 7."""
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
        duplicate_similarity=similarity,
        rationale_ok=len(rationale - content) >= 1,
        priors_ok=True,  # the priors vibe check is a mechanism of its own, not built yet: no penalty without it
        link_cosines=cosines,
        used_before=float((corpus.columns.accesses[near.rows] > 0).mean()) if len(near.rows) else 0.5,
        cluster_fit=utl.cluster_fit(own, other),
        recent_rewards=list(state.rewards),
    )


def _known_already(
    memory: "Memory",
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
            known = tx.node(other.id)
        known_names = texts(known.metadata, "aliases")
        fresh = [alias for alias in texts(draft.metadata, "aliases") if alias not in known_names]
        metadata = {**known.metadata, "aliases": [*known_names, *fresh]}
        if fresh and len(repr(metadata)) <= METADATA_LIMIT:  # metadata that are full take no more names
            tx.update(other.id, metadata=metadata)
            known = tx.node(other.id)
        tx.note.update(operation="reinforced", nodes=[other.id])
    state.attend([other.id])
    state.rewards.append(reward.reward)
    memory.committed()
    return Remembered(known, False, reward, learning, other.id, tuple(redactions), Links((), ()), tx.event.hash)


def _node(
    memory: "Memory",
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
    memory: "Memory",
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
        for old in _supersedes(draft):
            tx.update(old, valid_to=node.created_at, superseded_by=node.id)
        tx.note.update(operation="created", nodes=[node.id], edges=len(links.edges))
    memory.made(node.id, fingerprint)
    memory.committed(tx.event)  # take the new memory in now, not at the next call
    memory.surroundings.add(fingerprint)
    if fingerprint.pending:
        memory.background.embed(node.id)
    return node, links, tx.event.hash


def _feel(
    memory: "Memory",
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
