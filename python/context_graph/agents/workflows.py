"""What workflows do: the steps of each type by name, and the plans of custom ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from context_graph.agents.jobs import JOBS
from context_graph.agents.planning import Action, cheapest_plan
from context_graph.agents.watching import watched
from context_graph.agents.work import StepResult, Work, artefact
from context_graph.connectors.folder.graph import generate
from context_graph.errors import InvalidInput
from context_graph.knowledge.project import broken_links, exists_in, graph_of, project_root, trees
from context_graph.knowledge.running import PlannedAction, Workflow
from context_graph.knowledge.sections import completeness_of
from context_graph.safety.quoting import inline

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["ACTIONS", "WORKFLOWS", "planned", "steps_of"]

STEP_TIMEOUT_S = 120.0
"""Of an agent that is a step of a workflow."""

MAX_GAPS_KEPT = 200
MAX_OWN_ACTIONS = 50

Steps = dict[str, Callable[[], StepResult]]

WORKFLOWS: Mapping[str, str] = {
    "collaboration": "the gaps of the documents, then each agent in turn",
    "analysis": "how complete documents are, section by section",
    "sync": "the documents in step with their files, once",
    "custom": "a plan for the goal that a document names, and its steps where autoStart says so",
}
"""The types, and what they do."""

COLLABORATORS = ("researcher", "analyst", "architect", "tester")
"""The agents that need no more of a task than what it is about."""

ACTIONS: tuple[Action, ...] = (
    Action("sync documents", "sync documents", frozenset({"documents.current"}), cost=1.0),
    Action("measure gaps", "measure gaps", frozenset({"gaps.measured"}), frozenset({"documents.current"})),
    Action("research", "agent researcher", frozenset({"research.done"}), frozenset({"documents.current"}), 2.0),
    Action("analyse code", "agent analyst", frozenset({"code.analysed"}), cost=3.0),
    Action("draw architecture", "agent architect", frozenset({"architecture.drawn"}), cost=2.0),
    Action("compare tests", "agent tester", frozenset({"tests.compared"}), cost=2.0),
    Action(
        "propose patch", "agent coder", frozenset({"patch.proposed"}), frozenset({"code.analysed"}), 2.0,
        "remove unused imports",
    ),
    Action(
        "write report", "write report", frozenset({"report.written"}), frozenset({"gaps.measured", "code.analysed"})
    ),
)  # fmt: skip
"""What plans are made of, besides the actions of a document's own."""

_STEPS = ("sync documents", "measure gaps", "write report", *(f"agent {type}" for type in JOBS))


def steps_of(memory: "Runtime", workflow: Workflow, over: Callable[[], bool]) -> Steps:
    """The steps of a workflow by name, in their order."""
    if workflow.type == "sync":
        paths = workflow.watch_paths or tuple(entry.value.folder for entry in trees(memory)) or ("docs",)
        return {f"sync {path}": partial(_sync, memory, path) for path in paths}
    if workflow.type == "custom":
        steps: Steps = {"plan": lambda: _plan_shown(workflow)}
        if workflow.auto_start:
            for number, one in enumerate(workflow.plan, 1):
                steps[f"{number}. {one.name}"] = partial(_step, memory, workflow, one.does, one.task, over)
        return steps
    steps = {"measure gaps": lambda: _gaps(memory, workflow)}
    if workflow.type == "collaboration":
        for type in COLLABORATORS:
            steps[f"agent {type}"] = partial(_joined, memory, type, _subject(memory, workflow), over)
    return steps


def _step(memory: "Runtime", workflow: Workflow, does: str, task: str, over: Callable[[], bool]) -> StepResult:
    if does == "sync documents":
        results = [_sync(memory, entry.value.folder) for entry in trees(memory)]
        findings = tuple(one for result in results for one in result.findings)
        return StepResult(does, "; ".join(result.outcome for result in results), findings)
    if does == "measure gaps":
        return _gaps(memory, replace(workflow, doc_path=""))
    if does == "write report":
        return _report(workflow)
    return _joined(memory, does.removeprefix("agent "), task or _subject(memory, workflow), over)


def _subject(memory: "Runtime", workflow: Workflow) -> str:
    """What a workflow is about, for agents: the title of its document."""
    graph = graph_of(memory)
    place = graph.by_path.get(workflow.doc_path)
    return "the documents of the project" if place is None else graph.nodes[place].document.title


def _sync(memory: "Runtime", path: str) -> StepResult:
    run = generate(memory, path, incremental=True)
    counts = {"added": run.added, "updated": run.updated, "removed": run.removed, "unchanged": run.unchanged}
    outcome = ", ".join(f"{n} {what}" for what, n in counts.items())
    return StepResult(f"sync {path}", outcome, ({"path": path} | counts,))


def _joined(memory: "Runtime", type: str, text: str, over: Callable[[], bool]) -> StepResult:
    steps = list(JOBS[type].work(Work(memory, text, STEP_TIMEOUT_S, over)))
    return StepResult(
        f"agent {type}",
        "; ".join(step.outcome for step in steps),
        tuple(one for step in steps for one in step.findings)[:50],
        tuple(one for step in steps for one in step.recommendations),
        tuple(one for step in steps for one in step.artifacts),
        found=sum(step.findings_total for step in steps),
    )


def _gaps(memory: "Runtime", workflow: Workflow) -> StepResult:
    """How complete documents are, by the sections of a specification."""
    graph, root = graph_of(memory), project_root(memory)
    broken = [one.source for one in broken_links(root, graph)]
    rows: list[dict[str, Any]] = []
    for node in graph.nodes:
        path = node.document.path
        if workflow.doc_path in ("", ".", path) or path.startswith(f"{workflow.doc_path.rstrip('/')}/"):
            measured = completeness_of(node.document.text)
            rows.append(
                {
                    "path": path, "completeness": round(measured.score, 4),
                    "sections": {name: round(share, 4) for name, share in measured.shares.items()},
                    "lines": dict(measured.lines), "missing": measured.missing, "brokenLinks": broken.count(path),
                }
            )  # fmt: skip
    if not rows:
        raise InvalidInput(f"no document of the graph is {workflow.doc_path[:80]!r} or lies below it", field="docPath")
    rows.sort(key=lambda row: (row["completeness"], row["path"]))
    below = [row for row in rows if row["completeness"] < workflow.threshold]
    mean = sum(row["completeness"] for row in rows) / len(rows)
    outcome = f"{len(rows)} documents, on average {mean:.2f} complete, {len(below)} below {workflow.threshold:g}"
    advice = tuple(f"add to {row['path']}: {', '.join(row['missing'])}" for row in below[:10] if row["missing"])
    return StepResult("measure gaps", outcome, tuple(rows[:MAX_GAPS_KEPT]), advice)


def _report(workflow: Workflow) -> StepResult:
    lines = ["# Report", "", f"Goal: {', '.join(workflow.goal)}. Made by fixed steps; no language model is behind it."]
    for made in workflow.artifacts:
        if made.get("type") == "report" and "outcome" in made:
            lines += ["", f"## {inline(str(made['name']))}", "", inline(str(made["outcome"]))]
            lines += [f"- {inline(str(one))}" for one in made.get("recommendations", ())]
    text = "\n".join([*lines, ""])
    return StepResult(
        "write report",
        f"{len(workflow.done)} steps in one report",
        artifacts=(artefact("report", "report.md", "text/markdown", text),),
    )


# Plans


def planned(memory: "Runtime", workflow: Workflow) -> Workflow:
    """A custom workflow with the goal that its document names, and the cheapest plan for it.

    The front matter of the document has `goal`, a list of facts, and may have `facts` that hold already, and `actions`
    of its own: each has a name, what it `does`, what it `gives`, and perhaps what it `needs`, its `cost` and a `task`.
    """
    reachable_facts = ", ".join(sorted({fact for one in ACTIONS for fact in one.gives}))
    graph = graph_of(memory)
    place = graph.by_path.get(workflow.doc_path)
    if place is None and _read_from_disk(memory, workflow.doc_path):
        graph = graph_of(memory)
        place = graph.by_path.get(workflow.doc_path)
    if place is None:
        named = repr(workflow.doc_path[:80])
        is_there = bool(workflow.doc_path) and exists_in(project_root(memory), workflow.doc_path)
        raise InvalidInput(
            f"a custom workflow takes its goal from a document: docPath must be one of the graph, got {named}"
            + (", a file that is not in it yet" if is_there else ""),
            field="docPath",
            hint="kg_graph_generate of its folder takes the file in; then call this again"
            if is_there
            else f"kg_query lists the documents; its front matter has `goal: [...]` of {reachable_facts}",
        )
    matter = graph.nodes[place].document.frontmatter
    goal = _facts(matter, "goal")
    if not goal:
        raise InvalidInput(
            f"{workflow.doc_path} names no goal; write `goal: [...]` into its front matter, of {reachable_facts}",
            field="docPath",
        )
    plan = cheapest_plan(_facts(matter, "facts"), goal, [*ACTIONS, *_own_actions(matter)])
    actions = tuple(
        PlannedAction(one.name, one.does, tuple(sorted(one.needs)), tuple(sorted(one.gives)), one.cost, one.task)
        for one in plan
    )
    return replace(workflow, goal=goal, plan=actions)


def _read_from_disk(memory: "Runtime", path: str) -> bool:
    """Take in at once what changed in the watched folder that a document lies in; whether there was such a folder."""
    for one in watched(memory):
        if one.path in ("", ".") or path.startswith(f"{one.path}/"):
            generate(memory, one.path, incremental=True)
            return True
    return False


def _plan_shown(workflow: Workflow) -> StepResult:
    cost = sum(one.cost for one in workflow.plan)
    rows = tuple(
        {
            "step": i, "action": one.name, "does": one.does, "needs": list(one.needs), "gives": list(one.gives),
            "cost": one.cost,
        }
        for i, one in enumerate(workflow.plan, 1)
    )  # fmt: skip
    does = "it runs now" if workflow.auto_start else "nothing was run: options.autoStart runs it"
    outcome = f"{len(rows)} steps of cost {cost:g} lead to {', '.join(workflow.goal)}; {does}"
    return StepResult("plan", outcome, rows)


def _facts(matter: Mapping[str, Any], key: str) -> tuple[str, ...]:
    return _texts(matter.get(key), key)


def _texts(value: Any, where: str) -> tuple[str, ...]:
    value = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(value, Sequence) or not all(isinstance(one, str) and one.strip() for one in value):
        raise InvalidInput(
            f"{where} in the front matter must be a list of facts, got {str(value)[:80]!r}", field="docPath"
        )
    return tuple(dict.fromkeys(one.strip() for one in value))


def _own_actions(matter: Mapping[str, Any]) -> list[Action]:
    rows = matter.get("actions") or []
    if not isinstance(rows, list) or len(rows) > MAX_OWN_ACTIONS:
        raise InvalidInput(f"actions in the front matter must be a list of at most {MAX_OWN_ACTIONS}", field="docPath")
    return [_own_action(row, i) for i, row in enumerate(rows, 1)]


def _own_action(row: Any, number: int) -> Action:
    where = f"action {number} in the front matter"
    if not isinstance(row, dict) or set(row) - {"name", "does", "gives", "needs", "cost", "task"}:
        raise InvalidInput(
            f"{where} must have name, does and gives, and may have needs, cost and task; got {str(row)[:80]!r}",
            field="docPath",
        )
    name, does, cost = row.get("name"), row.get("does"), row.get("cost", 1)
    gives = _texts(row.get("gives"), f"gives of {where}")
    if not isinstance(name, str) or not name.strip() or not gives:
        raise InvalidInput(f"{where} must have a name and give a fact, got {str(row)[:80]!r}", field="docPath")
    if does not in _STEPS:
        raise InvalidInput(f"{where}: does must be one of {', '.join(_STEPS)}; got {str(does)[:40]!r}", field="docPath")
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 < cost < 1e9:
        raise InvalidInput(f"{where}: cost must be a number above 0, got {str(cost)[:40]!r}", field="docPath")
    task = str(row.get("task") or "")
    if does == "agent coder":
        from context_graph.agents.code.patches import CHANGES, wanted_changes

        if not wanted_changes(task):
            raise InvalidInput(f"{where}: the task of a coder names one of {', '.join(CHANGES)}", field="docPath")
    needs = frozenset(_texts(row.get("needs"), f"needs of {where}"))
    return Action(name.strip()[:80], does, frozenset(gives), needs, float(cost), task)
