"""Setting a goal, and dropping one."""

from context_graph.derived import Goals
from context_graph.errors import InvalidInput, NotFound
from context_graph.models import Goal
from context_graph.runtime import Runtime
from context_graph.safety.pii import scrub

__all__ = ["add_goal", "remove_goal"]


def add_goal(memory: Runtime, text: str) -> Goal:
    """Set a goal in words."""
    text = scrub(text.strip(), kinds=memory.settings.redacted).text
    if not 3 <= len(text) <= 500:
        raise InvalidInput(f"a goal must have 3 to 500 characters, got {len(text)}", field="text")
    goal = Goal(id=memory.new_id(), text=text, created_at=memory.clock())
    with memory.store.write("goal", memory.author(memory.caller)) as tx:
        tx.put(goal)
        tx.note.update(operation="goal_added", goals=[goal.id])
    return goal


def remove_goal(memory: Runtime, prefix: str) -> Goal:
    """Drop the goal whose id or text begins so."""
    matches = [goal for goal in memory.view(Goals).all() if goal.id.startswith(prefix) or goal.text.startswith(prefix)]
    if len(matches) != 1:
        problem = "no goal begins" if not matches else f"{len(matches)} goals begin"
        raise NotFound(f"{problem} with {prefix[:60]!r}; context-graph goal list shows them")
    with memory.store.write("goal", memory.author(memory.caller)) as tx:
        tx.remove(matches[0])
        tx.note.update(operation="goal_removed", goals=[matches[0].id])
    return matches[0]
