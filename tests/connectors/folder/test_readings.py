"""What a document was when all of it was known, and when that holds no more."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from context_graph.connectors.folder import documents, seeding
from context_graph.connectors.folder import readings as module
from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.readings import Reading, Readings, digest
from context_graph.connectors.folder.seeding import seed
from context_graph.ingest.forget import forget, restore

PUMP = "# Pump\n\nThe pump in the cellar moves forty litres of brine an hour.\n"
LAMP = "# Lamp\n\nThe lighthouse lamp is lit at dusk by the keeper Mira.\n\n## Oil\n\nIt burns two litres a night.\n"


@pytest.fixture
def folder(tmp_path) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "pump.md").write_text(PUMP, "utf-8")
    (folder / "lamp.md").write_text(LAMP, "utf-8")
    (folder / "notes.txt").write_text("The gate is painted green in May.\n", "utf-8")
    return folder


class Run:
    """A run over a folder, and which documents were as they had been noted."""

    def __init__(self, memory, folder: Path) -> None:
        look = survey(folder, readings=Readings.of(memory.settings))
        self.noted = set(look.noted)
        self.total = look.total
        self.steps = sorted(seed(memory, look))
        self.changes = Counter(step.change for step in self.steps)


def test_an_unchanged_document_is_neither_parsed_nor_cleaned(memory, folder, monkeypatch):
    first = Run(memory, folder)
    assert (first.noted, first.changes) == (set(), {"added": 4})
    full = sorted(seed(memory, survey(folder)))
    cleaned = []
    clean = seeding._clean
    monkeypatch.setattr(seeding, "_clean", lambda memory, text: cleaned.append(text) or clean(memory, text))
    monkeypatch.setattr(documents, "_sections", lambda done, path, reader, data: read_now.append(path) or [])
    read_now: list[str] = []
    (folder / "notes.txt").unlink()  # a text that is no document is read each time
    again = Run(memory, folder)
    assert again.noted == {"pump.md", "lamp.md"}
    assert read_now == [] and not any("brine" in text or "burns" in text for text in cleaned)
    assert [step for step in again.steps if step.change == "unchanged"] == [one for one in full if one.kind != "text"]
    assert again.changes == {"unchanged": 3, "removed": 1} and again.total == 3


def test_an_edited_moved_removed_or_new_file_is_seen(memory, folder):
    Run(memory, folder)
    (folder / "lamp.md").write_text(LAMP.replace("Mira", "Tom"), "utf-8")
    edited = Run(memory, folder)
    assert (edited.noted, edited.changes) == ({"pump.md"}, {"changed": 1, "unchanged": 3})
    (folder / "pump.md").rename(folder / "brine.md")
    moved = Run(memory, folder)
    assert (moved.noted, moved.changes) == ({"lamp.md"}, {"moved": 1, "unchanged": 3})
    (folder / "lamp.md").unlink()
    removed = Run(memory, folder)
    assert (removed.noted, removed.changes) == ({"brine.md"}, {"removed": 2, "unchanged": 2})
    (folder / "lamp.md").write_text(LAMP, "utf-8")
    assert Run(memory, folder).changes == {"added": 2, "unchanged": 2}
    last = Run(memory, folder)
    assert (last.noted, last.changes) == ({"brine.md", "lamp.md"}, {"unchanged": 4})
    assert last.steps == sorted(seed(memory, survey(folder)))


@pytest.mark.parametrize("what", ["program", "redact"])
def test_other_programs_or_rules_read_all_anew(memory, folder, monkeypatch, what):
    Run(memory, folder)
    assert Run(memory, folder).noted == {"pump.md", "lamp.md"}
    if what == "program":
        monkeypatch.setattr(module, "_programs", lambda: b"another version of the parser")
    else:
        monkeypatch.setattr(type(memory.settings), "redacted", frozenset({"EMAIL"}))
    other = Run(memory, folder)
    assert (other.noted, other.changes) == (set(), {"unchanged": 4})
    assert Run(memory, folder).noted == {"pump.md", "lamp.md"}


def programs() -> bytes:
    return module._programs.__wrapped__()


def test_the_programs_are_told_apart_by_their_text(tmp_path, monkeypatch):
    before = module._programs()
    assert before == module._programs() and len(before) == 16
    copy = tmp_path / "package"
    for name in (*module.PACKAGES, *module.MODULES):
        path = copy / name
        if path.suffix:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module.PACKAGE / name, path)
        else:
            shutil.copytree(module.PACKAGE / name, path, dirs_exist_ok=True)
    monkeypatch.setattr(module, "PACKAGE", copy)
    digests = [programs()]
    assert digests == [before]
    for name in ("safety/patterns.py", "connectors/folder/readers/markdown.py", "knowledge/markdown.py", "texts.py"):
        with (copy / name).open("a", encoding="utf-8") as file:
            file.write("# another rule\n")
        digests.append(programs())
    assert len(set(digests)) == 5
    (copy / "texts.py").unlink()
    assert programs() == b""


def test_where_a_heading_was_cleaned_it_is_told_as_the_file_has_it(memory, folder):
    (folder / "pump.md").write_text(PUMP.replace("cellar", "cellar of anna@brine.io"), "utf-8")
    (folder / "lamp.md").write_text(LAMP.replace("# Oil", "# Oil of tom@lamps.io"), "utf-8")
    Run(memory, folder)
    again = Run(memory, folder)
    assert again.noted == {"pump.md"} and "Lamp › Oil of tom@lamps.io" in {step.heading for step in again.steps}


def test_a_memory_that_changed_is_compared_again(memory, folder):
    steps = Run(memory, folder).steps
    (pump,) = (step.node_id for step in steps if step.path == "pump.md")
    done = forget(memory, pump, "obsolete")
    gone = Run(memory, folder)
    assert (gone.noted, gone.changes) == ({"pump.md", "lamp.md"}, {"forgotten before": 1, "unchanged": 3})
    restore(memory, str(done.reversal_hash), preview=False)
    assert Run(memory, folder).changes == {"unchanged": 4}


def test_a_deletion_for_good_takes_what_was_noted(memory, folder):
    steps = Run(memory, folder).steps
    assert list((memory.settings.home / "cache").glob("*/*.state.segment"))
    forget(memory, steps[0].node_id, "user_requested", soft=False)
    assert list((memory.settings.home / "cache").glob("*/*.state.segment")) == []
    assert Run(memory, folder).noted == set()


def test_what_is_damaged_or_unknown_is_read_anew(memory, folder):
    Run(memory, folder)
    (path,) = (memory.settings.home / "cache").glob("*/*.state.segment")
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert (run := Run(memory, folder)).noted == set() and run.changes == {"unchanged": 4}
    nobody = Readings(memory.settings.home, b"")
    nobody.note("a.md", Reading(digest(b"a"), digest(b"b"), (0,)))
    assert nobody.get("a.md", digest(b"a")) is None


def test_those_that_changed_longest_ago_leave_first(tmp_path, monkeypatch):
    readings = Readings(tmp_path, b"rules")
    monkeypatch.setattr(module, "NOTED_DOCUMENTS", 3)
    readings.note("a", Reading(digest(b"a"), digest(), ()))
    readings.note("b", Reading(digest(b"b"), digest(), ()))
    readings.save()
    assert Readings(tmp_path, b"rules").get("a", digest(b"a"))
    monkeypatch.setattr(module, "NOTED_DOCUMENTS", 2)
    for name in ("a", "b", "a", "c"):
        order = (len(name), 0) if name == "c" else ()
        readings.note(name, Reading(digest(name.encode()), digest(), order))
    readings.note("b", Reading(digest(b"b2"), digest(), ()))
    readings.save()
    again = Readings(tmp_path, b"rules")
    assert again.get("a", digest(b"a")) is None
    assert again.get("c", digest(b"c")) == Reading(digest(b"c"), digest(), (1, 0))
    assert again.get("b", digest(b"b2")) and again.get("b", digest(b"b")) is None
