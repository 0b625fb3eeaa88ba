"""Taking in one memory: clean it, understand it, judge it, keep it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from context_graph.access import shown
from context_graph.derived.beliefs import is_past
from context_graph.embed import Fingerprint, multimodal
from context_graph.errors import InvalidInput
from context_graph.graph.entities import node_name
from context_graph.index.corpus import Corpus
from context_graph.index.novelty import Near
from context_graph.index.vector_codec import vectors_of
from context_graph.ingest.draft import Draft
from context_graph.ingest.judging import UNREWARDED, importance_of, learn, reward
from context_graph.ingest.known import Like, close_to, known, likes, reinforce, repeated
from context_graph.ingest.linking import Links, put_links
from context_graph.ingest.media import look_around
from context_graph.ingest.prepare import Prepared, attributed, prepare
from context_graph.models import Author, Caller, Domain, Node, NodeState, Scope
from context_graph.nervous.steering import Reward
from context_graph.nervous.utl import Learning
from context_graph.reading.analysis import AnalyzedText
from context_graph.reading.fingerprints import DATED, NAMED, spoken
from context_graph.reading.media import FILE
from context_graph.reading.metadata import BESIDE
from context_graph.runtime.session import SessionState
from context_graph.safety.inspect import QUARANTINE_FROM
from context_graph.store import Said

if TYPE_CHECKING:
    from context_graph.embed.ahead import Ahead
    from context_graph.runtime import Runtime
    from context_graph.store import Reader, Transaction

__all__ = ["Considered", "Draft", "Remembered", "consider", "feel", "made_node", "remember", "write"]

NOTHING_NEAR = Near(np.zeros(0, np.int64), np.zeros(0, np.float32), {}, {})
NO_LINKS = Links((), ())


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
    reward: Reward
    learning: Learning
    duplicate_of: str | None
    redactions: tuple[str, ...]
    links: Links
    event_hash: str
    alike: tuple[Like, ...] = ()
    understood: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Considered:
    """A draft beside what is known, before anything is written.

    Attributes
    ----------
    known : Node, optional
        The memory that holds all of it.
    duplicate : Node, optional
        The memory beside which it says nothing new.
    superseded : list of str
        Ids of the memories whose place it takes.
    previous : Said, optional
        The memory before it in its session.
    """

    prepared: Prepared
    draft: Draft
    text: AnalyzedText
    fingerprint: Fingerprint
    author: Author
    state: SessionState
    previous: Said | None
    superseded: list[str]
    near: Near
    alike: tuple[Like, ...]
    known: Node | None
    duplicate: Node | None
    learning: Learning
    reward: Reward

    def known_already(self, node: Node, event_hash: str) -> Remembered:
        """What to answer where nothing new is stored."""
        return Remembered(
            node, False, self.reward, self.learning, node.id, self.prepared.redactions, NO_LINKS, event_hash
        )

    def stored(self, node: Node, links: Links, event_hash: str) -> Remembered:
        """What to answer where it was stored."""
        return Remembered(
            node, True, self.reward, self.learning, self.duplicate.id if self.duplicate else None,
            self.prepared.redactions, links, event_hash, self.alike, self.prepared.understood,
        )  # fmt: skip


def remember(memory: "Runtime", draft: Draft, *, caller: Caller | None = None) -> Remembered:
    """Take in one memory: clean it, understand it, judge it, keep it.

    Nothing is written before the single transaction at the end; where it fails, nothing has happened.
    """
    caller = caller or memory.caller
    prepared = prepare(memory, draft, caller)
    with memory.writing:
        corpus = memory.corpus
        found = consider(memory, memory.store, corpus, prepared, caller)
        if found.known is not None:
            return _reinforced(memory, found, found.known)
        node = made_node(memory, found)
        with memory.store.write("created", found.author) as tx:
            node, links = write(memory, tx, corpus, found, node)
            tx.note.update(operation="created", nodes=[node.id], edges=len(links.edges))
        memory.made(node.id, found.fingerprint)
        memory.committed(tx.committed)  # take the new memory in now, not at the next call
        memory.surroundings.add(found.fingerprint)
        if found.fingerprint.pending:
            memory.background.plan("embed", [node.id])
        if not found.draft.passive:
            feel(memory, found, node)
            memory.store.effects.add(found.author, state=found.state.to_dict())
    assert tx.committed is not None
    return found.stored(node, links, tx.committed.hash)


def consider(
    memory: "Runtime",
    seen: "Reader",
    corpus: Corpus,
    prepared: Prepared,
    caller: Caller,
    ahead: "Ahead | None" = None,
) -> Considered:
    """Look at a draft beside what is known; the session notes how coherent it is, and nothing else changes.

    Parameters
    ----------
    seen : Reader
        The store, or the transaction that earlier memories of the same write are in.
    ahead : Ahead, optional
        Passes of a model over drafts that were made together.
    """
    prepared = attributed(prepared, corpus, memory=memory)
    caller = caller.within(prepared.draft.session_id, prepared.draft.agent_id)
    draft, superseded = _resolved(memory, seen, prepared.draft, caller)
    author = memory.author(caller)
    state, previous = memory.session(author.session_id), seen.last_said(author.session_id)
    text = AnalyzedText(draft.content, draft.name, draft.speaker, draft.metadata)
    fingerprint = text.fingerprint(
        memory.embedder,
        previous=spoken(previous),
        occurred_at=draft.occurred_at,
        rationale=draft.rationale,
        media=prepared.file.media if prepared.file else None,
        ahead=ahead,
    )
    surroundings, clusters, stage = memory.surroundings, memory.clusters, memory.stage()
    with corpus.lock:  # another process's write, noticed by another thread, must not move the arrays meanwhile
        visible = corpus.visible(memory.viewer(caller), now=memory.present())
        near = surroundings.of(corpus, fingerprint, visible)
        alike = likes(corpus, look_around(corpus, fingerprint.optional.get(multimodal.ID), draft.modality, visible))
        close = close_to(seen, corpus, draft, near, alike)
        same = known(seen, draft, close, superseded)
        duplicate = same or repeated(draft, close, superseded)
        if prepared.file and not prepared.file.media.said:
            near = NOTHING_NEAR  # the line that describes a file is like that of any other file
        learning = learn(draft, text, fingerprint, near, state=state, clusters=clusters, stage=stage)
        rewarded = (
            UNREWARDED
            if draft.passive
            else reward(
                draft, text, learning, near, duplicate, close,
                corpus=corpus, state=state, clusters=clusters, stage=stage,
            )
        )  # fmt: skip
    return Considered(
        prepared, draft, text, fingerprint, author, state, previous, superseded, near, alike, same, duplicate,
        learning, rewarded,
    )  # fmt: skip


def _resolved(memory: "Runtime", seen: "Reader", draft: Draft, caller: Caller) -> tuple[Draft, list[str]]:
    """The draft with the ids of what it links to, and the ids of what it supersedes; only what its caller may see."""

    def ids(named: Sequence[str | Draft], field: str) -> list[str]:
        if drafts := [target for target in named if isinstance(target, Draft)]:
            raise InvalidInput(
                f"{field} names a draft that is not stored ({drafts[0].content[:40]!r}); give the id of its memory, "
                "or both to remember_many",
                field=field,
            )
        ids = [target for target in named if isinstance(target, str)]
        return [shown(memory, id, caller, field=field, seen=seen).id for id in ids]

    def named(key: str) -> list[str]:
        given = draft.metadata.get(key, [])
        given = [given] if isinstance(given, str) else given
        if not isinstance(given, list) or not all(isinstance(entry, str) for entry in given):
            raise InvalidInput(
                f"metadata.{key} must be the id or citation tag of a memory, or a list of them", field="metadata"
            )
        return ids(given, f"metadata.{key}")

    links, superseded, beside = ids(draft.link_to, "link_to"), named("supersedes"), named(BESIDE)
    metadata = dict(draft.metadata) | {
        key: value for key, value in (("supersedes", superseded), (BESIDE, beside)) if value
    }
    return replace(draft, link_to=links, metadata=metadata), superseded


def _reinforced(memory: "Runtime", found: Considered, same: Node) -> Remembered:
    """Nothing new is stored; of what was chosen, reason and metadata join the memory that says the same."""
    if found.draft.passive:
        return found.known_already(same, "")
    with memory.store.write("reinforced", found.author) as tx:
        node = reinforce(tx, found.draft, same, found.superseded, memory.clock())
        tx.note.update(operation="reinforced", nodes=[node.id])
    found.state.attend([node.id])
    found.state.rewards.append(found.reward.reward)
    memory.committed()
    assert tx.committed is not None
    return found.known_already(node, tx.committed.hash)


def made_node(memory: "Runtime", found: Considered) -> Node:
    """The node as it will be stored; ordinal and position are settled inside the transaction."""
    draft, taint, learning = found.draft, found.prepared.taint, found.learning
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
        importance=importance_of(draft),
        importance_by_user=draft.importance is not None,
        johari_quadrant=learning.quadrant,
        delta_s=learning.delta_s,
        delta_c=learning.delta_c,
        w_e=learning.w_e,
        phi=learning.phi,
        learning_score=learning.score,
        steering_reward=found.reward.reward,
        agent_id=draft.agent_id,
        session_id=found.author.session_id,
        context_id=found.author.context_id,
        scope=Scope(draft.scope or Scope.USER),
        domain=Domain(draft.domain or Domain.GENERAL),
        modality=draft.modality,
        speaker=draft.speaker,
        metadata=dict(draft.metadata)
        | ({DATED: True} if draft.occurred_at is not None else {})
        | ({NAMED: draft.name} if draft.name else {}),
        semantic_cluster=memory.clusters.add(found.fingerprint.semantic, f"c{id[:8]}"),
        state=NodeState.QUARANTINED if quarantined else NodeState.LIVE,
        state_reason="it reads like an instruction to an agent" if quarantined else None,
        state_at=moment if quarantined else None,
        state_by="system" if quarantined else None,
        taint=taint,
    )


def write(memory: "Runtime", tx: "Transaction", corpus: Corpus, found: Considered, node: Node) -> tuple[Node, Links]:
    """The node, its vectors, its file, its edges, what it supersedes."""
    node = replace(node, ordinal=tx.next_ordinal(), position=tx.session_position(node.session_id))
    tx.put(node, new=True)
    vectors, file = vectors_of(node, found.fingerprint, memory.embedder.makers), found.prepared.file
    if file is not None and file.kept:
        vectors[FILE] = file.file.mime, file.file.data
    tx.put_vectors(node.id, vectors)
    links = put_links(
        tx, node, found.draft, text=found.text, previous=found.previous, near=found.near, corpus=corpus,
        new_id=memory.new_id, look=[(like.node_id, like.similarity) for like in found.alike],
    )  # fmt: skip
    for old in found.superseded:
        tx.update(old, valid_to=node.created_at, superseded_by=node.id)
    return node, links


def feel(memory: "Runtime", found: Considered, node: Node) -> None:
    """What storing does to the session: pulse, modulators, context, focus."""
    state, learning = found.state, found.learning
    state.interacted(node.created_at)
    state.pulse = state.pulse.stored(learning.delta_s, learning.delta_c)
    state.modulators = state.modulators.rewarded(found.reward.reward).learned(learning.score)
    state.rewards.append(found.reward.reward)
    state.follow(found.fingerprint.semantic)
    state.attend([node.id])
    memory.interacted()
