"""kg_agent_list: agents and their state."""

from collections import Counter
from typing import TYPE_CHECKING

from pydantic import Field, PrivateAttr

from context_graph.errors import InvalidInput
from context_graph.models import Caller, to_iso
from context_graph.presentation.answer_budget import cut
from context_graph.tools.base import Maybe
from context_graph.tools.kg.envelope import KgInput, KgMetadata, KgModel, KgOutput, NullableText
from context_graph.tools.kg.nodes import room_for
from context_graph.tools.kg.running import AgentStatus, AgentType
from context_graph.tools.registry import tool

if TYPE_CHECKING:
    from context_graph.knowledge.running import Agent
    from context_graph.memory import Memory

__all__ = ["kg_agent_list"]


class KgAgentListInput(KgInput):
    type: Maybe[AgentType] = None
    """Agent type."""

    status: Maybe[AgentStatus] = None
    """State."""

    agent_id: Maybe[str] = None
    """One agent alone, with what it made."""

    artifact: Maybe[str] = None
    """What it made, by name, to be read."""

    offset: int = Field(0, ge=0)
    """Where in it to go on, in characters."""


class AgentView(KgModel):
    id: str
    type: AgentType
    name: str
    status: AgentStatus
    current_task: NullableText
    queued_tasks: int
    completed_tasks: int
    error_count: int
    last_activity: str
    error: str | None = None
    """Why it failed."""


class ArtifactView(KgModel):
    type: str
    name: str
    media_type: str
    chars: int
    cut_from: int | None = None
    """How many it had before it was cut; a patch is cut at the end of a file."""

    content: str | None = None
    """Of the one that was asked for, from the offset on."""

    next_offset: int | None = None
    """Where the rest begins."""


class RegisteredType(KgModel):
    type: AgentType
    instance_count: int
    capabilities: list[str]


class AgentStats(KgModel):
    total_instances: int
    instances_by_type: dict[str, int]
    instances_by_status: dict[str, int]


class AgentListData(KgModel):
    agents: list[AgentView]
    """The newest first."""

    count: int
    registered_types: list[RegisteredType]
    stats: AgentStats
    artifacts: list[ArtifactView] | None = None
    """What the agent made that was asked for by agentId."""


class AgentFilters(KgModel):
    type: str
    status: str


class AgentListMetadata(KgMetadata):
    filters: AgentFilters
    """The filter or 'all'."""


class KgAgentListOutput(KgOutput):
    data: AgentListData
    metadata: AgentListMetadata

    _notes: list[str] = PrivateAttr(default_factory=list)

    def notes(self) -> list[str]:
        return self._notes


@tool(family="kg", title="Kg agent list", tier=2, read_only=True)
def kg_agent_list(memory: "Memory", args: KgAgentListInput, caller: Caller) -> KgAgentListOutput:
    """The agents of this project, the newest first, and the types there are, and with agentId
    and artifact what one made.
    """
    from context_graph.agents.jobs import JOBS
    from context_graph.agents.runner import take_up
    from context_graph.knowledge.project import project_name
    from context_graph.knowledge.running import Agent
    from context_graph.runtime.records import Records

    take_up(memory)
    project = project_name(memory)
    agents = [entry.value for entry in Records(memory, Agent).all() if entry.value.project == project][::-1]
    by_type = Counter(agent.type for agent in agents)
    chosen = [
        one
        for one in agents
        if args.type in (None, one.type) and args.status in (None, one.status) and args.agent_id in (None, one.id)
    ]
    artifacts = None if args.agent_id is None else _artifacts(memory, chosen, args)
    views = room_for(
        [
            AgentView(
                id=one.id, type=one.type, name=one.name, status=one.status,
                current_task=one.task[:300] if one.status == "running" else None,
                queued_tasks=int(one.status == "idle"),
                completed_tasks=int(one.status == "completed"), error_count=one.errors,
                last_activity=to_iso(one.last_activity), error=one.error or None,
            )
            for one in chosen
        ]
    )  # fmt: skip
    output = KgAgentListOutput(
        success=True,
        data=AgentListData(
            agents=views,
            count=len(views),
            registered_types=[
                RegisteredType(type=name, instance_count=by_type[name], capabilities=list(job.capabilities))  # type: ignore[arg-type, index]
                for name, job in JOBS.items()
            ],
            stats=AgentStats(
                total_instances=len(agents),
                instances_by_type={name: count for name, count in by_type.items()},
                instances_by_status={name: count for name, count in Counter(one.status for one in agents).items()},
            ),
            artifacts=artifacts,
        ),
        metadata=AgentListMetadata(
            item_count=len(views), filters=AgentFilters(type=args.type or "all", status=args.status or "all")
        ),
    )
    if args.agent_id is not None and all(one.id != args.agent_id for one in agents):
        output._notes = [f"No agent of this project has the id {args.agent_id[:80]!r}; without agentId all are listed."]
    return output


def _artifacts(memory: "Memory", chosen: "list[Agent]", args: KgAgentListInput) -> list[ArtifactView]:
    """What one agent made; the content of the one that is asked for."""
    from context_graph.agents.runner import result_of

    artifacts = [one for agent in chosen for one in result_of(memory, agent.id).artifacts]
    if args.artifact is not None and all(one["name"] != args.artifact for one in artifacts):
        known = ", ".join(str(one["name"]) for one in artifacts) or "nothing"
        which = "agentId names no agent of this project" if not chosen else f"this agent made {known}"
        raise InvalidInput(f"{which}; kg_agent_list without it lists them", field="artifact" if chosen else "agentId")
    views = []
    for one in artifacts:
        view = ArtifactView(
            type=one["type"], name=one["name"], media_type=one["mediaType"], chars=len(one["content"]),
            cut_from=one.get("cutFrom"),
        )  # fmt: skip
        if one["name"] == args.artifact:
            piece = cut(one["content"], offset=args.offset)
            view.content, view.next_offset = piece.text, piece.next_offset
        views.append(view)
    return views
