"""A folder in memory as it is on disk: what is new is stored, what was changed superseded, what is gone forgotten."""

import os
import uuid
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from context_graph.connectors.folder.parts import Part, Survey
from context_graph.connectors.folder.paths import path_on_disk, stored_path
from context_graph.connectors.folder.readings import Reading, digest
from context_graph.connectors.folder.stored import DATE, FOLDER, LOCATION, Known, StoredPart
from context_graph.connectors.repository import Project, project_of
from context_graph.derived.beliefs import is_past
from context_graph.errors import InvalidInput, Refused
from context_graph.garbage import uncollected
from context_graph.index.fields import SEEDED
from context_graph.ingest.batch import BATCH, SMALL_BATCH, batched, remember_batches
from context_graph.ingest.draft import Draft
from context_graph.ingest.duplicates import same_text
from context_graph.ingest.remember import Remembered
from context_graph.instants import to_iso
from context_graph.models import NodeState
from context_graph.reading.metadata import texts
from context_graph.regex import regex
from context_graph.safety.inspect import QUARANTINE_FROM, suspicion
from context_graph.safety.pii import scrub
from context_graph.texts import kept_for_texts, storable

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["Change", "Step", "seed"]

AGENT = SEEDED
MAX_PART_NAME, MIN_NAMED_PATH = 60, 20
"""Characters of the name of a memory, and of the path in it."""

_BORDER = regex(r"[\W_]")
"""Between two words of a file's name."""

MAX_REMOVED_SHARE = 0.9
"""Of what is known of a folder; where more is gone, a disk is likely not there."""

Change = Literal["added", "changed", "moved", "unchanged", "removed", "forgotten before"]


class Step(NamedTuple):
    """What became of one part.

    Attributes
    ----------
    node_id : str
        Its memory.
    event_hash : str
        Of the write that stored the part, with others, or of the one that removed all that is gone.
    """

    path: str
    heading: str
    kind: str
    change: Change
    node_id: str
    event_hash: str = ""


class _Stored(NamedTuple):
    """A memory of a part, as far as the store tells without reading it."""

    id: str
    state: str
    state_by: str | None
    superseded_by: str | None
    folder: str | None
    source: str | None

    @property
    def is_let_go(self) -> bool:
        """Whether somebody forgot it, and not a run that found its file gone."""
        return self.state == NodeState.FORGOTTEN and self.state_by != AGENT

    @property
    def is_older(self) -> bool:
        """Whether an older version stored it, without its folder."""
        return self.folder is None and self.source is not None and self.state != NodeState.FORGOTTEN


@dataclass(slots=True)
class Plan:
    """What is to be done for one part.

    Attributes
    ----------
    known : str, optional
        The memory that has its text; where there is one, nothing is to be stored.
    old : StoredPart, optional
        The memory that it supersedes.
    """

    part: Part
    change: Change = "added"
    known: str | None = None
    old: StoredPart | None = None
    _text: str | None = None

    def text(self, memory: "Runtime") -> str:
        """As a memory would keep it; cleaned when it is compared, so not where nothing is known of its file."""
        if self._text is None:
            self._text = _clean(memory, self.part.text)
        return self._text


def seed(
    memory: "Runtime", inventory: Survey, *, allow_removal: bool = False, gives_way: bool = False
) -> Iterator[Step]:
    """Bring what is remembered of a file or folder to what it holds now, 64 parts to a write; yields each when done.

    A part whose text changed supersedes the one that stood in its place, in history it stays. A part that is gone is
    forgotten, all of a run in one write at its end: a run that was interrupted has forgotten nothing, and the next one
    goes on. Parts of a file are one session and linked to the file's first part.

    Documents that are as the readings of the inventory say, and whose memories are, are not compared. Of others a
    reading is noted where all that they say is known at the end.

    Parameters
    ----------
    allow_removal : bool
        Whether more than nine tenths of what is known may be forgotten; refused otherwise.
    gives_way : bool
        Whether others come first, as they do before the background: its writes are small.
    """
    project = _project(memory, inventory)
    with uncollected():
        places = {path: _place(memory, inventory, path) for path in inventory.parts}
        stored_files, total = _known(memory, inventory, places)
        as_noted = _as_noted(inventory, project, places, stored_files)
        gone, plans = _compared(memory, inventory, places, stored_files, as_noted)
    if not total and not inventory.total:
        reason = f" ({inventory.skipped[0].reason})" if len(inventory.skipped) == 1 else ""
        raise InvalidInput(
            f"{inventory.source} holds no Markdown, text or code in UTF-8 to remember{reason}", field="source"
        )
    if len(gone) > MAX_REMOVED_SHARE * total and not allow_removal:
        raise Refused(
            f"expected most of what is remembered of {inventory.source} to be there, but {len(gone)} of {total} parts "
            "would be forgotten; nothing was",
            hint="see whether its disk is there; --allow-removal forgets them",
        )
    for steps in as_noted.values():
        yield from steps
    yield from _done(memory, inventory, places, project, plans, gives_way=gives_way)
    _note_locations(memory, project, stored_files, plans)
    yield from _removed(memory, gone)
    with uncollected():
        _note_readings(memory, inventory, project, places, plans)


def _project(memory: "Runtime", inventory: Survey) -> Project:
    """The project of a folder as every part of it has it."""
    project = project_of(inventory.folder)
    return replace(project, name=_clean_path(memory, project.name), repository=_clean_path(memory, project.repository))


def _as_noted(
    inventory: Survey, project: Project, places: Mapping[str, str], stored_files: Mapping[str, Known]
) -> dict[str, list[Step]]:
    """The steps of each document that is as it was when it was compared last, and whose memories are: all unchanged."""
    steps = {}
    for path, reading in inventory.noted.items():
        file = stored_files.get(places[path])
        if file is not None and reading.memories == _digest_of(project, file):
            in_order = (file.parts[place] for place in reading.order)
            steps[path] = [Step(stored_path(path), part.heading, part.kind, "unchanged", part.id) for part in in_order]
    return steps


def _note_readings(
    memory: "Runtime",
    inventory: Survey,
    project: Project,
    places: Mapping[str, str],
    plans: Mapping[str, Sequence[Plan]],
) -> None:
    """Note the documents of a run that are as their memories say, now that all is stored."""
    readings = inventory.readings
    paths = [path for path in inventory.contents if plans.get(path)]
    if readings is None or not paths:
        return
    stored_files = _known(memory, inventory, {path: places[path] for path in paths})[0]
    for path in paths:
        if (file := stored_files.get(places[path])) is None or file.let_go:
            continue
        again = [Plan(plan.part, _text=plan.text(memory)) for plan in plans[path]]
        if _matched(memory, again, file) or any(plan.change != "unchanged" for plan in again):
            continue
        by_id = {part.id: place for place, part in enumerate(file.parts)}
        order = tuple(by_id[str(plan.known)] for plan in again)
        if all(
            _is_told(memory, project, file.parts[place], plan.part) for place, plan in zip(order, again, strict=True)
        ):
            reading = Reading(inventory.contents[path], _digest_of(project, file), order)
            readings.note(f"{inventory.folder}/{path}", reading)
    readings.save()


def _is_told(memory: "Runtime", project: Project, stored: StoredPart, part: Part) -> bool:
    """Whether a memory says where its part stands, and under which heading, letter by letter."""
    now = _brought_up_to_date(memory, project, stored.metadata, part)
    return (stored.heading, stored.kind, stored.metadata) == (part.heading, part.kind, now)


def _digest_of(project: Project, file: Known) -> bytes:
    """Digest of all that a file is compared with."""
    rows = "\0".join(text for part in file.parts for text in (part.id, part.state, part.content, part.metadata_json))
    return digest(project.name.encode(), project.repository.encode(), rows.encode(), b"let go" * bool(file.let_go))


def _note_locations(
    memory: "Runtime", project: Project, stored_files: dict[str, Known], plans: dict[str, list[Plan]]
) -> None:
    """Keep where parts stand that only moved within their file, tags that it has come to name, and whether it says that
    it holds, all in one write.
    """
    stored = {part.id: part for file in stored_files.values() for part in file.parts}
    moved: dict[str, Part] = {}
    for plan in (plan for planned in plans.values() for plan in planned):
        if plan.known in stored:
            metadata = stored[plan.known].metadata
            if _brought_up_to_date(memory, project, metadata, plan.part) != metadata:
                moved[plan.known] = plan.part
    if not moved:
        return
    with memory.writing, memory.store.write("reinforced", memory.author(memory.caller.within(agent_id=AGENT))) as tx:
        moment = memory.clock()
        for node in tx.nodes(moved):
            metadata = _brought_up_to_date(memory, project, node.metadata, moved[node.id])
            ended = is_past(metadata)
            validity = {}
            if ended != is_past(node.metadata) and node.superseded_by is None:
                validity["valid_to"] = moment if ended else None
            tx.update(node.id, metadata=metadata, **validity)
        tx.note.update(operation="reinforced", nodes=list(moved))
    memory.committed()


def _brought_up_to_date(memory: "Runtime", project: Project, metadata: Mapping[str, Any], part: Part) -> dict[str, Any]:
    """The metadata of a memory with where its part stands now. Tags that its file names are added; others stay, as
    somebody may have given them.
    """
    rest = {key: value for key, value in metadata.items() if key not in LOCATION}
    tags = [*texts(metadata, "tags"), *(_clean(memory, tag) for tag in part.tags)] if part.tags else []
    return rest | _location(memory, project, part) | ({"tags": list(dict.fromkeys(tags))} if tags else {})


def _location(memory: "Runtime", project: Project, part: Part) -> dict[str, Any]:
    """What a memory says of where its part stands; what is empty is left out."""
    location = {
        "line": part.line, "end_line": part.end_line, "place": part.place, "definition": part.definition,
        "signature": _clean(memory, part.signature) if part.signature else "",
        "project": project.name, "repository": project.repository, "status": part.ended,
    }  # fmt: skip
    return {key: value for key, value in location.items() if value}


def _done(
    memory: "Runtime",
    inventory: Survey,
    places: Mapping[str, str],
    project: Project,
    plans: Mapping[str, Sequence[Plan]],
    *,
    gives_way: bool,
) -> Iterator[Step]:
    """Store the parts whose text no memory has, 64 plans to a write, or fewer where others come first.

    Parameters
    ----------
    places : mapping
        Files by their paths, as their memories name them.
    """
    drafted: deque[list[tuple[Plan, Draft | None]]] = deque()  # those of a batch are made before the last is stored
    firsts: dict[str, str | Draft] = {}

    def batches() -> Iterator[list[Draft]]:
        size = SMALL_BATCH if gives_way else BATCH
        for batch in batched(((path, plan) for path, planned in plans.items() for plan in planned), size):
            drafted.append([])
            for path, plan in batch:
                draft = None
                if plan.known is None:
                    draft = _draft(memory, inventory, places[path], project, plan, firsts.get(path))
                if plan.change != "forgotten before":
                    firsts.setdefault(path, draft or str(plan.known))
                drafted[-1].append((plan, draft))
            yield [draft for _, draft in drafted[-1] if draft is not None]

    new = sum(plan.known is None for planned in plans.values() for plan in planned)
    for outcomes in remember_batches(memory, batches(), expected=new, gives_way=gives_way):
        done = iter(outcomes)
        for plan, draft in drafted.popleft():
            id, change, hash = plan.known, plan.change, ""
            if draft is not None:
                outcome = next(done)
                if not isinstance(outcome, Remembered):
                    raise outcome
                id, change = outcome.node.id, plan.change if outcome.stored else "unchanged"
                hash = outcome.event_hash[:16] if outcome.stored else ""
            yield Step(stored_path(plan.part.path), plan.part.heading, plan.part.kind, change, str(id), hash)


def _draft(
    memory: "Runtime", inventory: Survey, place: str, project: Project, plan: Plan, first: str | Draft | None
) -> Draft:
    """A part as it is to be stored, linked to the first of its file."""
    part, path = plan.part, stored_path(plan.part.path)
    where = f"{path}, {part.heading}" if part.heading else path
    corrections = plan.old.corrections if plan.old is not None and plan.change == "changed" else ()
    superseded = {"supersedes": [plan.old.id, *corrections]} if plan.old else {}
    dated = {} if part.occurred_at is None else {DATE: to_iso(part.occurred_at)}
    tagged = {"tags": list(part.tags)} if part.tags else {}
    return Draft(
        part.text,
        rationale=_rationale(part.kind, where),
        name=_name(path, part.heading),
        metadata={
            "source": path, "heading": part.heading, "kind": part.kind,
            FOLDER: stored_path(inventory.folder.as_posix()),
        } | _location(memory, project, part) | dated | tagged | superseded,
        link_to=() if first is None else (first,),
        session_id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"seed:{place}")),
        agent_id=AGENT,
        domain="code" if part.kind == "code" else None,
        occurred_at=part.occurred_at,
        read_head=False,
    )  # fmt: skip


def _rationale(kind: str, where: str) -> str:
    """Why a part is kept, with the place where it stands unless that reads like an order: no such reason is stored."""
    rationale = f"{kind} of the project: {where}"[:500]
    return rationale if suspicion(rationale) < QUARANTINE_FROM else f"{kind} of the project"


def _name(path: str, heading: str) -> str:
    """Path and heading within 60 characters: of a long path its end, of a long heading its beginning.

    Examples
    --------
    >>> _name("docs/decisions/0003-database-postgres.md", "3. Database is PostgreSQL now")
    '…/0003-database-postgres.md, 3. Database is PostgreSQL now'
    """
    if not heading:
        return _end_of(path, MAX_PART_NAME)
    heading = heading[: MAX_PART_NAME - MIN_NAMED_PATH - 2]
    return f"{_end_of(path, MAX_PART_NAME - len(heading) - 2)}, {heading}"


def _end_of(path: str, room: int) -> str:
    """The end of a path in so many characters: from a folder on, else from a word on where one begins early."""
    if len(path) <= room:
        return path
    end = path[1 - room :]
    start = end.find("/")
    if start < 0:
        border = _BORDER.search(end, 0, room // 2)
        start = border.start() if border else 0
    return f"…{end[start:]}"


def _removed(memory: "Runtime", parts: Sequence[StoredPart]) -> list[Step]:
    """Forget what is gone, in one write that one undo takes back."""
    if not parts:
        return []
    with memory.writing:
        moment = memory.clock()
        with memory.store.write("forgotten", memory.author(memory.caller.within(agent_id=AGENT))) as tx:
            ids = [id for part in parts for id in (part.id, *part.corrections)]
            gone = [node for node in tx.nodes(ids) if node.state != NodeState.FORGOTTEN]
            edges = sum(tx.remove_edges(node.id) for node in gone)
            for node in gone:
                tx.update(node.id, state=NodeState.FORGOTTEN, state_reason="obsolete", state_at=moment, state_by=AGENT)
            tx.note.update(operation="forgotten", nodes=[node.id for node in gone], edges=edges)
        memory.committed()
    hash = tx.committed.hash[:16] if tx.committed else ""
    of = [[str(node.metadata.get(key, "")) for key in ("source", "heading", "kind")] for node in gone]
    return [
        Step(path, heading, kind, "removed", node.id, hash)
        for node, (path, heading, kind) in zip(gone, of, strict=True)
    ]


def _compared(
    memory: "Runtime",
    inventory: Survey,
    places: Mapping[str, str],
    stored_files: dict[str, Known],
    unchanged: Collection[str],
) -> tuple[list[StoredPart], dict[str, list[Plan]]]:
    """What is remembered and gone, and a plan for each part that is there, but for files that are unchanged."""
    gone: list[StoredPart] = []
    plans: dict[str, list[Plan]] = {}
    for path, parts in inventory.parts.items():
        if path in unchanged:
            continue
        plans[path] = [Plan(part) for part in parts]
        if file := stored_files.get(places[path]):
            gone += _matched(memory, plans[path], file)
    looked_at = set(places.values())
    gone += [node for place, file in stored_files.items() if place not in looked_at for node in file.parts]
    lost = defaultdict(list)
    for node in gone:
        lost[node.content].append(node)
    for plan in (plan for planned in plans.values() for plan in planned) if lost else ():
        if plan.change == "added" and lost[plan.text(memory)]:
            plan.change, plan.old = "moved", lost[plan.text(memory)].pop(0)
    moved = {plan.old.id for planned in plans.values() for plan in planned if plan.old is not None}
    return [node for node in gone if node.id not in moved], plans


def _matched(memory: "Runtime", plans: list[Plan], file: Known) -> list[StoredPart]:
    """Find for each part of a file the memory of its text, or of what stood there; returns the memories left over.

    The same place is the same heading, the first with the first; else the same number in the file. Parts that say the
    same at one place, such as pieces of a long line, have one memory. One to which its file gives another date now is
    superseded by the same text of that date.
    """
    left = dict(enumerate(file.parts))
    places: dict[Part, list[tuple[str, str]]] = defaultdict(list)  # by all of a part but its text
    for plan in plans:
        text, there = plan.text(memory), places[replace(plan.part, text="")]
        number = next((n for n, node in left.items() if node.content == text), None)
        if number is not None and left[number].is_of_another_date(plan.part.occurred_at):
            plan.change, plan.old = "changed", left.pop(number)
        elif number is not None:
            plan.change, plan.known = "unchanged", left.pop(number).id
            there.append((text, plan.known))
        elif twin := _same_there(text, there):
            plan.change, plan.known = "unchanged", twin
        elif text in file.let_go:
            plan.change, plan.known = "forgotten before", file.let_go[text]
    live = {n: node for n, node in left.items() if node.state == NodeState.LIVE}  # none in quarantine has a successor
    for same_heading in (True, False):
        for place, plan in enumerate(plans):
            if plan.change != "added":
                continue
            at_heading = (n for n, node in live.items() if node.metadata.get("heading") == plan.part.heading)
            number = next(at_heading, None) if same_heading else place
            if number in live:
                plan.change, plan.old = "changed", live.pop(number)
                del left[number]
    return list(left.values())


def _same_there(text: str, there: Sequence[tuple[str, str]]) -> str | None:
    """The memory of a text among those of one place that says the same: storing it would only say that it is known."""
    return next((id for other, id in there if same_text(text, other)), None)


def _known(memory: "Runtime", inventory: Survey, places: Mapping[str, str]) -> tuple[dict[str, Known], int]:
    """What is remembered of the files that were read, and of those that are gone, by their places; and how many parts
    are remembered of all files of the folder, most of which stand as they did and are not read.
    """
    rows = [_Stored(*row) for row in memory.store.metadata_of_agent(AGENT, (FOLDER, "source"))]
    if _adopt(memory, inventory, [row.id for row in rows if row.is_older]):
        rows = [_Stored(*row) for row in memory.store.metadata_of_agent(AGENT, (FOLDER, "source"))]
    top = _clean_path(memory, inventory.source.as_posix())
    own = {row.id for row in rows if row.folder is not None}
    by_place: dict[str, list[_Stored]] = defaultdict(list)
    inside = top.rstrip("/") + "/"
    for row in rows:
        if row.state == NodeState.FORGOTTEN:
            if not row.is_let_go:
                continue
        elif row.superseded_by in own:
            continue  # by a part; what an agent corrected is still what the file says
        place = f"{row.folder}/{row.source}"
        if row.folder is not None and (place == top or place.startswith(inside)):
            by_place[place].append(row)
    total = sum(not row.is_let_go for stored in by_place.values() for row in stored)
    looked_at = set(places.values())
    there = {_place(memory, inventory, skipped.path) for skipped in inventory.skipped}
    wanted = {place: stored for place, stored in by_place.items() if place in looked_at or not _stands(place, there)}
    ids = [row.id for stored in wanted.values() for row in stored]
    corrected = _corrections(memory, [row for stored in wanted.values() for row in stored])
    columns = memory.store.columns_of(("id", "state", "content", "metadata"), ids)
    replaced = {row.id for stored in wanted.values() for row in stored if row.superseded_by is not None}
    parts = {
        id: StoredPart(id, state, content, metadata, corrected.get(id, ()), id in replaced)
        for id, state, content, metadata in columns
    }
    files = {
        place: Known(
            [parts[row.id] for row in stored if row.id in parts and not row.is_let_go],
            {parts[row.id].content: row.id for row in stored if row.id in parts and row.is_let_go},
        )
        for place, stored in wanted.items()
    }
    return files, total


def _corrections(memory: "Runtime", rows: Iterable[_Stored]) -> dict[str, tuple[str, ...]]:
    """By a part the memories that took its place one after the other and are of it still, as a correction by hand is:
    what the file says next is newer than they are.
    """
    corrections: dict[str, tuple[str, ...]] = {}
    open_ends = {row.id: (row, row.superseded_by) for row in rows if row.superseded_by is not None}
    while open_ends:
        nodes = {node.id: node for node in memory.store.nodes({str(after) for _, after in open_ends.values()})}
        following = {}
        for id, (row, after) in open_ends.items():
            node = nodes.get(str(after))
            if node is None or node.id in corrections.get(id, ()):
                continue
            place = node.metadata.get(FOLDER), node.metadata.get("source")
            if node.state == NodeState.LIVE and place == (row.folder, row.source):
                corrections[id] = (*corrections.get(id, ()), node.id)
                if node.superseded_by is not None:
                    following[id] = row, node.superseded_by
        open_ends = following
    return corrections


def _adopt(memory: "Runtime", inventory: Survey, ids: Sequence[str]) -> bool:
    """Note the folder on what an older version stored, which named a file by the last name of its folder alone.

    Another folder of that name may have stored some of it. What says the same as a file here is of here; the rest
    is only if that is more than half of it all. Returns whether anything was noted.
    """
    if not ids:
        return False
    old = memory.store.nodes(ids)
    top = [inventory.folder, *inventory.folder.parents]
    files = {session: path for path in inventory.parts for session in _older_sessions(inventory.folder / path)}
    texts = {path: {_clean(memory, part.text) for part in parts} for path, parts in inventory.parts.items()}
    same: dict[str, str] = {}
    others: dict[str, str] = {}
    for node in old:
        path = files.get(node.session_id)
        if path is None and inventory.folder == inventory.source:  # a file that is gone
            name = str(node.metadata.get("source"))
            above = next((p for p in top if _older_session(p.name, name) == node.session_id), None)
            if above is None or not (above / name).is_relative_to(inventory.folder):
                continue
            path = (above / name).relative_to(inventory.folder).as_posix()
        if path is not None:
            (same if node.content in texts.get(path, ()) else others)[node.id] = path
    mine = same | others if len(same) > len(others) else same
    if not mine:
        return False
    folder = _clean_path(memory, inventory.folder.as_posix())
    with memory.writing, memory.store.write("reinforced", memory.author(memory.caller.within(agent_id=AGENT))) as tx:
        for node in tx.nodes(mine):
            metadata = dict(node.metadata) | {"source": _clean_path(memory, mine[node.id]), FOLDER: folder}
            tx.update(node.id, metadata=metadata)
        tx.note.update(operation="reinforced", nodes=list(mine))
    memory.committed()
    return True


def _older_sessions(path: Path) -> Iterable[str]:
    """The sessions that an older version may have stored a file in: seeded alone, or with a folder above it."""
    yield _older_session(path.name, path.name)
    for above in path.parents:
        yield _older_session(above.name, path.relative_to(above).as_posix())


def _older_session(folder: str, path: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, stored_path(f"seed:{folder}/{path}")))


def _place(memory: "Runtime", inventory: Survey, path: str) -> str:
    """A file, wherever a run began, as its memories name it."""
    return (
        f"{_clean_folder(inventory.folder.as_posix(), frozenset(memory.settings.redacted))}/{_clean_path(memory, path)}"
    )


def _stands(place: str, skipped: set[str]) -> bool:
    """Whether a file that was not read may be there all the same: only what certainly is not is gone."""
    above = place
    while above and skipped:
        if above in skipped:
            return True
        above = above.rpartition("/")[0]
    try:
        os.lstat(path_on_disk(place))  # pathlib takes several times as long, and all files of the folder are asked for
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def _clean(memory: "Runtime", text: str) -> str:
    """A text as a memory keeps it: without secrets and personal data."""
    return scrub(storable(text), kinds=memory.settings.redacted).text


def _clean_path(memory: "Runtime", path: str) -> str:
    """A path as a memory keeps it."""
    return _clean(memory, stored_path(path))


@kept_for_texts(maxsize=8)
def _clean_folder(folder: str, kinds: frozenset[str]) -> str:
    """The name of a folder as `_clean` leaves it: that of every file begins with it."""
    return scrub(stored_path(folder), kinds=kinds).text
