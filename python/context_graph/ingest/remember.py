"""Taking in one memory: clean it, understand it, judge it, keep it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from context_graph.access import shown
from context_graph.citations import tag_of
from context_graph.derived.beliefs import is_past
from context_graph.display import Row, line
from context_graph.embed import Fingerprint, multimodal
from context_graph.errors import InvalidInput, Refused
from context_graph.graph.entities import node_name
from context_graph.index.corpus import Corpus
from context_graph.index.novelty import Near, Surroundings
from context_graph.index.vector_codec import vectors_of
from context_graph.ingest.draft import Draft
from context_graph.ingest.judging import DECIDED, QUARANTINED, UNREWARDED, importance_of, learn, reward
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
from context_graph.visibility import as_wide

if TYPE_CHECKING:
    from context_graph.embed.ahead import Ahead
    from context_graph.runtime import Runtime
    from context_graph.store import Reader, Transaction

__all__ = ["Assessment", "Draft", "Remembered", "consider", "feel", "made_node", "remember", "write"]

NOTHING_NEAR = Near(np.zeros(0, np.int64), np.zeros(0, np.float32), {}, {})
NO_LINKS = Links((), ())


@dataclass(frozen=True, slots=True)
class Remembered(Row):
    """What became of a draft; `content` and `id` are those of its node.

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

    @property
    def content(self) -> str:
        return self.node.content

    @property
    def id(self) -> str:
        return self.node.id

    @property
    def tag(self) -> str:
        """The citation tag of the memory, such as [node_0193a4b2c1]."""
        return tag_of(self.node.id)

    def row(self) -> dict[str, Any]:
        return {**self.node.row(), "stored": self.stored, "redactions": ", ".join(self.redactions)}

    def __repr__(self) -> str:
        how = f"undo={self.event_hash[:16]!r}" if self.stored else "stored=False"
        if self.node.state == NodeState.QUARANTINED:
            how += ", quarantined"
        return f"Remembered({line(self.content)!r}, tag={self.tag!r}, {how})"


@dataclass(frozen=True, slots=True)
class Assessment:
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


def remember(memory: "Runtime", draft: Draft, *, caller: Caller | None = None, wakes_dreams: bool = True) -> Remembered:
    """Take in one memory: clean it, understand it, judge it, keep it.

    Nothing is written before the single transaction at the end; where it fails, nothing has happened.

    Parameters
    ----------
    wakes_dreams : bool
        Whether it counts as an interaction of this process; what a dream stores does not.
    """
    caller = caller or memory.caller
    prepared = prepare(memory, draft, caller)
    with memory.writing:
        corpus = memory.corpus
        with memory.store.reading_to_write() as reader:
            assessment = consider(memory, reader, corpus, prepared, caller)
        if assessment.known is not None:
            return _reinforced(memory, assessment, assessment.known)
        node = made_node(memory, assessment)
        with memory.store.write("created", assessment.author) as tx:
            node, links = write(memory, tx, corpus, assessment, node)
            tx.note.update(operation="created", nodes=[node.id], edges=len(links.edges))
        memory.made(node.id, assessment.fingerprint)
        memory.committed(tx.committed)  # take the new memory in now, not at the next call
        memory.novelty.add(assessment.fingerprint)
        if assessment.fingerprint.pending:
            memory.background.plan("embed", [node.id])
        if not assessment.draft.passive:
            feel(memory, assessment, node)
            if wakes_dreams:
                memory.interacted()
            memory.store.effects.add(assessment.author, state=assessment.state.to_dict())
    assert tx.committed is not None
    return assessment.stored(node, links, tx.committed.hash)


def consider(
    memory: "Runtime",
    reader: "Reader",
    corpus: Corpus,
    prepared: Prepared,
    caller: Caller,
    ahead: "Ahead | None" = None,
    around: Surroundings | None = None,
) -> Assessment:
    """Look at a draft beside what is known; the session notes how coherent it is, and nothing else changes.

    Parameters
    ----------
    reader : Reader
        The store, or the transaction that earlier memories of the same write are in.
    ahead : Ahead, optional
        Passes of a model over drafts that were made together.
    around : Surroundings, optional
        What was looked up for drafts together.
    """
    prepared = attributed(prepared, corpus, memory=memory)
    caller = caller.within(prepared.draft.session_id, prepared.draft.agent_id)
    draft, superseded = _resolved(memory, reader, prepared.draft, caller)
    author = memory.author(caller)
    _check_width(reader, draft, author, superseded)
    state, previous = memory.session(author.session_id), reader.last_said(author.session_id)
    text = prepared.text
    fingerprint = text.fingerprint(
        memory.embedder,
        previous=spoken(previous),
        occurred_at=draft.occurred_at,
        rationale=draft.rationale,
        media=prepared.file.media if prepared.file else None,
        ahead=ahead,
    )
    novelty, clusters, stage = memory.novelty, memory.clusters, memory.stage()
    with corpus.lock:  # another process's write, noticed by another thread, must not move the arrays meanwhile
        viewer, now = memory.viewer(caller), memory.present()
        visible = around.visible.of(corpus, viewer, now=now) if around else corpus.visible(viewer, now=now)
        near = novelty.of(corpus, fingerprint, visible, around)
        alike = likes(corpus, look_around(corpus, fingerprint.optional.get(multimodal.ID), draft.modality, visible))
        close = close_to(reader, corpus, draft, near, alike)
        same = known(reader, draft, close, superseded)
        duplicate = same or repeated(reader, draft, close, superseded)
        if prepared.file and not prepared.file.media.said:
            near = NOTHING_NEAR  # the line that describes a file is like that of any other file
        learning = learn(draft, text, fingerprint, near, state=state, clusters=clusters, stage=stage)
        if draft.passive:
            rewarded = UNREWARDED
        elif prepared.taint >= QUARANTINE_FROM:
            rewarded = QUARANTINED
        elif same is not None and (superseded or draft.metadata.get("holds_beside")):
            rewarded = DECIDED
        else:
            rewarded = reward(
                draft, text, learning, near, duplicate, close,
                corpus=corpus, state=state, clusters=clusters, stage=stage,
            )  # fmt: skip
    return Assessment(
        prepared, draft, text, fingerprint, author, state, previous, superseded, near, alike, same, duplicate,
        learning, rewarded,
    )  # fmt: skip


def _resolved(memory: "Runtime", reader: "Reader", draft: Draft, caller: Caller) -> tuple[Draft, list[str]]:
    """The draft with the ids of what it links to, and the ids of what it supersedes; only what its caller may see."""

    def ids(targets: Sequence[str | Draft], field: str) -> list[str]:
        if drafts := [target for target in targets if isinstance(target, Draft)]:
            raise InvalidInput(
                f"{field} names a draft that is not stored ({drafts[0].content[:40]!r}); give the id of its memory, "
                "or both to remember_many",
                field=field,
            )
        ids = [target for target in targets if isinstance(target, str)]
        return [shown(memory, id, caller, field=field, reader=reader).id for id in ids]

    def named(key: str) -> list[str]:
        values = draft.metadata.get(key, [])
        values = [values] if isinstance(values, str) else values
        if not isinstance(values, list) or not all(isinstance(entry, str) for entry in values):
            raise InvalidInput(
                f"metadata.{key} must be the id or citation tag of a memory, or a list of them", field="metadata"
            )
        return ids(values, f"metadata.{key}")

    links, superseded, beside = ids(draft.link_to, "link_to"), named("supersedes"), named(BESIDE)
    if not superseded and not beside and links == [*draft.link_to]:
        return draft, superseded
    metadata = dict(draft.metadata) | {
        key: value for key, value in (("supersedes", superseded), (BESIDE, beside)) if value
    }
    return replace(draft, link_to=links, metadata=metadata), superseded


class _Width(NamedTuple):
    """Who will see a memory."""

    scope: Scope
    session_id: str
    context_id: str | None


def _check_width(reader: "Reader", draft: Draft, author: Author, superseded: Sequence[str]) -> None:
    """Refuse a memory that takes the place of one which others see, who would be left with neither."""
    own = _Width(Scope(draft.scope or Scope.USER), author.session_id, author.context_id)
    for old in reader.nodes(superseded):
        if not as_wide(own, old):
            raise Refused(
                f"a memory kept for {own.scope} alone cannot take the place of {tag_of(old.id)}, which is kept for "
                f"{old.scope}: others would be left with neither, and nothing was stored; leave metadata.supersedes "
                f"out, or store it with scope {old.scope}"
            )


def _reinforced(memory: "Runtime", assessment: Assessment, same: Node) -> Remembered:
    """Nothing new is stored; of what was chosen, reason and metadata join the memory that says the same."""
    if assessment.draft.passive:
        return assessment.known_already(same, "")
    with memory.store.write("reinforced", assessment.author) as tx:
        node = reinforce(tx, assessment.draft, same, assessment.superseded, memory.clock())
        tx.note.update(operation="reinforced", nodes=[node.id])
    assessment.state.attend([node.id])
    assessment.state.rewards.append(assessment.reward.reward)
    memory.committed()
    assert tx.committed is not None
    return assessment.known_already(node, tx.committed.hash)


def made_node(memory: "Runtime", assessment: Assessment) -> Node:
    """The node as it will be stored; id, ordinal and position are settled inside the transaction."""
    draft, taint, learning = assessment.draft, assessment.prepared.taint, assessment.learning
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
        steering_reward=assessment.reward.reward,
        agent_id=draft.agent_id,
        session_id=assessment.author.session_id,
        context_id=assessment.author.context_id,
        scope=Scope(draft.scope or Scope.USER),
        domain=Domain(draft.domain or Domain.GENERAL),
        modality=draft.modality,
        speaker=draft.speaker,
        metadata=dict(draft.metadata)
        | ({DATED: True} if draft.occurred_at is not None else {})
        | ({NAMED: draft.name} if draft.name else {}),
        semantic_cluster=memory.clusters.add(assessment.fingerprint.semantic, f"c{id[:8]}"),
        state=NodeState.QUARANTINED if quarantined else NodeState.LIVE,
        state_reason="it reads like an instruction to an agent" if quarantined else None,
        state_at=moment if quarantined else None,
        state_by="system" if quarantined else None,
        taint=taint,
        derived_from=tuple(draft.derived_from),
    )


def write(
    memory: "Runtime", tx: "Transaction", corpus: Corpus, assessment: Assessment, node: Node
) -> tuple[Node, Links]:
    """The node, its vectors, its file, its edges, what it supersedes."""
    id, ordinal, position = tx.node_id(node.id), tx.next_ordinal(), tx.session_position(node.session_id)
    node = replace(node, id=id, ordinal=ordinal, position=position)
    tx.put(node, new=True)
    prepared = assessment.prepared
    vectors = vectors_of(node, assessment.fingerprint, memory.embedder.makers, prepared.form)
    file = prepared.file
    if file is not None and file.kept:
        vectors[FILE] = file.file.mime, file.file.data
    tx.put_vectors(node.id, vectors)
    links = put_links(
        tx, node, assessment.draft, text=assessment.text, previous=assessment.previous, near=assessment.near,
        corpus=corpus, new_id=memory.new_id, look=[(like.node_id, like.similarity) for like in assessment.alike],
    )  # fmt: skip
    if node.state == NodeState.LIVE:  # what nobody is told takes the place of nothing
        for old in assessment.superseded:
            tx.update(old, valid_to=node.created_at, superseded_by=node.id)
    return node, links


def feel(memory: "Runtime", assessment: Assessment, node: Node) -> None:
    """What storing does to the session: pulse, modulators, context, focus."""
    state, learning = assessment.state, assessment.learning
    state.interacted(node.created_at)
    state.pulse = state.pulse.stored(learning.delta_s, learning.delta_c)
    state.modulators = state.modulators.rewarded(assessment.reward.reward).learned(learning.score)
    state.rewards.append(assessment.reward.reward)
    state.follow(assessment.fingerprint.semantic)
    state.attend([node.id])
