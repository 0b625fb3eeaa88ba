"""store_memory: one piece of knowledge, and why it is kept."""

from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import Field

from context_graph.errors import InvalidInput
from context_graph.models import Caller, NodeState
from context_graph.tools.base import (
    AgentId,
    DomainName,
    Id,
    Instant,
    Maybe,
    NodeRef,
    ScopeName,
    ToolInput,
    ToolOutput,
    WireModel,
)
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.ingest.remember import Remembered
    from context_graph.media import MediaFile
    from context_graph.memory import Memory
    from context_graph.nervous.steering import Reward

__all__ = ["store_memory"]

LABELS = ("tags", "aliases")
SOURCES = ("content", "content_base64", "data_uri")


class StoreMemoryInput(ToolInput):
    hints: ClassVar = {
        "content:string_too_long": "store it in parts; `context-graph import` takes in a file",
    }

    content: Maybe[str] = Field(None, min_length=1, max_length=65536)
    """Text to remember; exactly one of content, content_base64, data_uri."""

    content_base64: Maybe[str] = None
    """Base64 of a picture, sound or film, at most 10 MB decoded; needs modality. metadata.caption: what it shows."""

    data_uri: Maybe[str] = Field(None, pattern="^data:[^;]+;base64,")
    """The same as a data URI; the modality follows from its MIME type."""

    modality: Literal["text", "image", "audio", "video"] = "text"
    """Kind of content; required with content_base64."""

    importance: float = Field(0.5, ge=0, le=1)
    """How much it matters; given, it stays as you set it."""

    rationale: str = Field(min_length=10, max_length=500)
    """Required: why this matters and when it will be needed; a cue for retrieval and for the reward."""

    metadata: Maybe[dict[str, Any]] = None
    """Free-form; name, speaker, date, tags, aliases, caption, supersedes (outdated), holds_beside are understood."""

    link_to: Maybe[list[NodeRef]] = None
    """Existing nodes to link the new node to, by id or citation tag."""

    session_id: Maybe[Id] = None
    """Session; by default that of this connection."""

    agent_id: Maybe[AgentId] = Field(None, max_length=128)
    """Agent that speaks."""

    domain: Maybe[DomainName] = None
    """Domain of the content."""

    scope: Maybe[ScopeName] = None
    """Who may see it: the user's clients (default), this session, this conversation."""

    occurred_at: Maybe[Instant] = None
    """When it happened; default: now."""


FORGETS_NOTHING = "This asks to forget something and forgets nothing: find it with search_graph, call forget_concept."


class SteeringReward(WireModel):
    """Feedback on the choice to store; dopamine_signal is the reward, rationale its explanation."""

    dopamine_signal: float
    rationale: str
    behavioral_hint: str
    reward: float
    gardener_score: float
    curator_score: float
    assessor_score: float
    explanation: str
    suggestions: list[str]

    @classmethod
    def of(cls, reward: "Reward") -> Self:
        return cls(
            dopamine_signal=round(reward.reward, 4),
            rationale=reward.explanation,
            behavioral_hint=reward.hint,
            reward=round(reward.reward, 4),
            gardener_score=round(reward.gardener_score, 4),
            curator_score=round(reward.curator_score, 4),
            assessor_score=round(reward.assessor_score, 4),
            explanation=reward.explanation,
            suggestions=list(reward.suggestions),
        )


class LikeView(WireModel):
    """A memory whose file looks or sounds like this one's."""

    node_id: Id
    look: float
    """Cosine of how the two look or sound."""

    similarity: float
    """The mean of that and, where both have words, of how alike those are."""


class MediaView(WireModel):
    """What was found in a file."""

    type: str
    bytes: int
    sha256: str
    width: int | None = None
    height: int | None = None
    duration_s: float | None = None
    kept: bool
    """Whether the file itself is in the store."""

    text_from: list[str]
    """Where the words of the memory come from: caption, name, ocr, speech."""

    missing: list[str]
    """What could not be had, why, and what adds it."""

    alike: list[LikeView]

    @classmethod
    def of(cls, stored: "Remembered") -> Self | None:
        from context_graph.reading.media import NOTE

        note = stored.node.metadata.get(NOTE)
        if stored.node.modality == "text" or not isinstance(note, dict):
            return None
        likes = [
            LikeView(node_id=one.node_id, look=round(one.look, 4), similarity=round(one.similarity, 4))
            for one in stored.alike
        ]
        return cls(**note, alike=likes)


class StoreMemoryOutput(ToolOutput):
    success: bool
    node_id: Id
    """The new memory, or the one that says the same already."""

    steering_reward: SteeringReward
    duplicate_of: Id | None = None
    """The node beside which nothing new was said; what differs in anything is no duplicate, and is kept."""

    redactions: list[str]
    """Kinds of sensitive text that were replaced by [REDACTED:type]."""

    already_known: bool
    """Nothing new was stored, since node_id has the same text; the rationale joined its own."""

    understood: dict[str, str] | None = None
    """Speaker and date that were read from the beginning of the content, where no argument gave them."""

    quarantined: str | None = None
    """Why it is stored but not returned by searches."""

    name: str
    concepts: list[str]
    """Named things that it is linked to."""

    undo_hash: str
    """Names this write in the log; restore_from_hash takes it back where it superseded another memory."""

    media: MediaView | None = None
    """Of a picture, sound or film."""

    def notes(self) -> list[str]:
        lines = []
        if self.already_known:
            lines.append(f"Already known: node {self.node_id} says the same; your rationale was added to it.")
        if self.quarantined:
            lines.append(f"Quarantined: {self.quarantined}. It is kept, but no search returns it.")
        if self.understood:
            lines.append(
                f"Read from the text: {', '.join(f'{key} {value}' for key, value in self.understood.items())}."
            )
        lines += [advice for advice in self.steering_reward.suggestions if advice == FORGETS_NOTHING]
        if self.redactions:
            lines.append(f"Replaced before storing: {', '.join(self.redactions)}.")
        if self.media and self.media.missing:
            lines.append(f"Missing: {'; '.join(self.media.missing)}.")
        return lines


@tool(family="core", title="Store memory", tier=1, read_only=False)
def store_memory(memory: "Memory", args: StoreMemoryInput, caller: Caller) -> StoreMemoryOutput:
    """Keep a piece of knowledge, with the reason why it matters; answers with a reward that says how good the choice
    was. Use when something new, lasting and useful was said; search first, and store one fact at a time.
    """
    from context_graph.ingest.remember import Draft, remember
    from context_graph.reading.requests import asks_to_forget

    metadata = args.metadata or {}
    _check_labels(metadata)
    file = _file(memory, args)
    stored = remember(
        memory,
        Draft(
            args.content or "",
            rationale=args.rationale,
            importance=args.importance if "importance" in args.model_fields_set else None,
            metadata=metadata,
            link_to=args.link_to or (),
            session_id=args.session_id,
            agent_id=args.agent_id,
            domain=args.domain,
            scope=args.scope,
            occurred_at=args.occurred_at,
            modality=args.modality,
            file=file,
        ),
        caller=caller,
    )
    node, reward = stored.node, SteeringReward.of(stored.reward)
    if asks_to_forget(args.content or ""):
        reward.suggestions.append(FORGETS_NOTHING)
    return StoreMemoryOutput(
        success=True,
        node_id=node.id,
        steering_reward=reward,
        duplicate_of=stored.duplicate_of,
        redactions=list(stored.redactions),
        already_known=not stored.stored,
        understood=dict(stored.understood) or None,
        quarantined=node.state_reason if node.state == NodeState.QUARANTINED else None,
        name=node.name,
        concepts=list(stored.links.concepts),
        undo_hash=stored.event_hash[:16],
        media=MediaView.of(stored),
    )


def _check_labels(metadata: dict[str, Any]) -> None:
    """Refuse what is no text and no list of texts under the keys that are understood as labels."""
    for key in LABELS:
        value = metadata.get(key)
        values = value if isinstance(value, list) else [] if value is None else [value]
        if wrong := [one for one in values if not isinstance(one, str)]:
            raise InvalidInput(
                f"metadata.{key} must be a text or a list of texts, got {type(wrong[0]).__name__} {str(wrong[0])[:40]}",
                field="metadata",
            )


def _file(memory: "Memory", args: StoreMemoryInput) -> "MediaFile | None":
    """The file that is sent; the contract's one-of rule, which no client accepts in a schema, is kept here."""
    given = [name for name in SOURCES if getattr(args, name) is not None]
    if len(given) != 1:
        raise InvalidInput(
            f"expected exactly one of {', '.join(SOURCES)}, got {' and '.join(given) or 'none'}", field="content"
        )
    if given == ["content"]:
        return None
    from context_graph import media

    settings, modality = memory.settings, args.modality if "modality" in args.model_fields_set else None
    if args.content_base64 is not None:
        if modality in (None, "text"):
            raise InvalidInput("content_base64 needs modality: image, audio or video", field="modality")
        data, declared = media.from_base64(args.content_base64, settings.media_bytes), None
    else:
        data, declared = media.from_data_uri(args.data_uri or "", settings.media_bytes)
    return media.opened(
        data, declared=declared, modality=modality, most_bytes=settings.media_bytes, most_pixels=settings.media_pixels
    )
