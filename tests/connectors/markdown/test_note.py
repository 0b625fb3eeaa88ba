"""A file says exactly what its memory says, whatever that holds."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from context_graph.connectors.markdown.note import LINKS, MAX_NOTE_BYTES, Fields, read_note, rendered
from context_graph.errors import InvalidInput
from context_graph.models import EARLIEST, LATEST, from_iso
from tests.connectors.markdown.texts import SAID, TEXTS, node
from tests.requirements import requirement


@requirement("markdown:exact")
@given(text=SAID, name=TEXTS, speaker=st.none() | TEXTS, tags=st.lists(SAID))
@example("---\nid: 1\n---\n\nx", "---", "---", ["---"])
@example(f"x\n{LINKS}\n", "[[a]]", None, [])
@example("a\r\nb\rc\n\n\n", "a" * 5_000, "b" * 5_000, ["c" * 9_000])
def test_what_is_written_is_read_back_exactly(text, name, speaker, tags):
    told = node(text, name=name, speaker=speaker, metadata={"tags": tags, "source": name})
    data = rendered(told, supersedes=["[[a|b]]"], superseded_by="[[c|d]]", links=[("similar", "[[e|f]]")]).encode()
    note = read_note(data)
    assert (note.text, note.id) == (text, told.id)
    here = Fields.of(told)
    assert note.fields(here) == here
    assert note.hash == here.digest
    assert note.extra == {}


@given(text=SAID)
def test_line_ends_of_an_editor_are_no_edit(text):
    here = Fields.of(told := node(text))
    changed = rendered(told).replace("\r\n", "\n").replace("\n", "\r\n").encode()
    assert read_note(changed).fields(here).digest == here.digest


@requirement("markdown:hostile")
@pytest.mark.parametrize(
    "head",
    [
        "a: !!python/object/apply:os.system [id]",
        "a: &a [1, 2]\nb: [*a, *a, *a]",
        "a: " + "[" * 10_000,
        "a: " + "x" * 20_000,
        "- no\n- keys",
        "tags: {a: b}",
        "importance: 7",
        "importance: .nan",
        "importance: true",
        "occurred: soon",
        "occurred: 99999-01-01",
        "name: [a]",
        "name: " + "x" * 300,
        "a: b: c",
    ],
)
def test_front_matter_that_makes_no_sense_is_told_in_words(head):
    with pytest.raises(InvalidInput) as refused:
        read_note(f"---\n{head}\n---\ntext".encode())
    assert len(str(refused.value)) < 500


@requirement("markdown:hostile")
@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("id: x\nimportance: {a", "front matter: line 3: importance: did not find expected"),
        ("id: x\nimportance: much", "front matter: line 3: importance: expected a number from 0 to 1, got 'much'"),
        ("name: [a]", "front matter: line 2: name: expected text, got list"),
        ('a: b\n\n"tags": {c: d}', "front matter: line 4: tags: expected a list of words"),
        ("occurred: soon", "front matter: line 2: occurred: expected a date such as 2026"),
        ("{occurred: soon}", "front matter: occurred: expected a date such as 2026"),
    ],
)
def test_what_is_wrong_in_front_matter_is_told_with_its_line_and_key(head, problem):
    with pytest.raises(InvalidInput) as refused:
        read_note(f"---\n{head}\n---\ntext".encode())
    assert str(refused.value).startswith(problem)


def without_line(number):
    lines = rendered(node()).splitlines(keepends=True)
    return "".join(lines[:number] + lines[number + 1 :])


CLOSING = rendered(node()).splitlines().index("---", 1)


@requirement("markdown:unreadable")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (without_line(0), "not opened: expected --- as the first line, got 'id: 0193a4b2"),
        (f"-- -\n{without_line(0)}", "not opened: expected --- as the first line, got '-- -'"),
        (f"\n{without_line(0)}", "not opened"),
        (without_line(0).replace("id:", "id"), "not opened"),
        (without_line(0).replace("\n", "\r\n"), "not opened"),
        (without_line(CLOSING), "not closed"),
        (without_line(CLOSING).replace("\n", "\r\n"), "not closed"),
        (f"\ufeff{without_line(CLOSING)}", "not closed"),
    ],
)
def test_front_matter_that_an_export_wrote_and_an_editor_broke_is_no_text(text, problem):
    with pytest.raises(InvalidInput, match=f"front matter {problem}"):
        read_note(text.encode())


def test_a_line_above_a_text_opens_front_matter_only_where_an_export_wrote_some():
    assert read_note(b"---\nAnna plays.\n").text == "---\nAnna plays."
    with pytest.raises(InvalidInput, match="not closed"):
        read_note(b"---\nAnna plays.\n", exported=True)
    assert read_note(b"Anna plays.\n\nid: 0193a4b2-c100-7000-8000-000000000001\n", exported=True).hash == ""


@requirement("markdown:hostile")
def test_files_that_are_too_large_or_no_text_are_told_in_words():
    with pytest.raises(InvalidInput, match="more than 1,000,000 bytes"):
        read_note(b"---\na: " + b"x" * 10_000_000 + b"\n---\n")
    with pytest.raises(InvalidInput, match="UTF-8"):
        read_note(b"\xff")
    assert read_note(b"x" * MAX_NOTE_BYTES).text == "x" * MAX_NOTE_BYTES


def test_text_below_the_links_is_not_lost_in_silence():
    with pytest.raises(InvalidInput, match="below its links"):
        read_note((rendered(node()) + "One more thing.\n").encode())


@pytest.mark.parametrize("moment", [EARLIEST, -1, 0, 1_767_225_600_999_999, LATEST])
def test_every_moment_is_read_back(moment):
    here = Fields.of(told := node(occurred_at=moment, created_at=moment, valid_to=moment))
    assert read_note(rendered(told).encode()).fields(here) == here


def test_front_matter_of_others_is_kept():
    note = read_note(b"---\naliases: [a, b]\ncssclasses: wide\n---\nx")
    again = read_note(rendered(node(), extra=note.extra).encode())
    assert again.extra == note.extra == {"aliases": ["a", "b"], "cssclasses": "wide"}


@requirement("markdown:stranger")
@pytest.mark.parametrize(
    ("head", "name", "day"),
    [
        ("title: Alpha plan\ndate: 2026-03-02", "Alpha plan", "2026-03-02"),
        ("name: Alpha\ntitle: Alpha plan\noccurred: 2026-03-01\ndate: 2026-03-02", "Alpha", "2026-03-01"),
        ("created: 3 April 2026", None, "2026-04-03"),
        ("title: [a]\ndate: soon", None, None),
        (f"title: {'x' * 300}", "x" * 200, None),
        (
            f"id: {'0' * 8}-0000-0000-0000-{'0' * 12}\ntitle: Alpha plan\ndate: 2026-03-02\ncreated: 2026-03-01",
            None,
            None,
        ),
    ],
)
def test_title_and_date_are_read_where_no_export_wrote_the_note(head, name, day):
    note = read_note(f"---\n{head}\n---\nIt shipped to Kiruna.\n".encode())
    assert (note.name, note.occurred) == (name, None if day is None else from_iso(day) // 1_000)
