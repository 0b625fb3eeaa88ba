"""No text chooses a path."""

import re
import unicodedata
from pathlib import PureWindowsPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from context_graph.connectors.markdown.naming import Names, is_safe, wiki_link
from tests.connectors.markdown.texts import node
from tests.requirements import requirement

TEXT = st.text(st.characters(codec="utf-8"))


@requirement("markdown:paths")
@given(name=TEXT, concept=st.booleans())
@example("../../etc/passwd", True)
@example("..", True)
@example("CON", True)
@example("com1.x", True)
@example("NUL.", True)
@example("a" * 300, True)
@example("\U0001f600" * 100, False)
@example('C:\\x|y*?"<>', True)
@example("\u202egpj.exe", True)
@example("[[x]]#^%%", True)
def test_every_name_is_a_safe_file(name, concept):
    path = Names().path(node(name=name), concept=concept)
    folder, file = path.split("/")
    assert folder == ("Concepts" if concept else "2026")
    assert len(file.encode()) <= 200 and file == file.strip(" .")
    assert not re.search(r'[\\:*?"<>|#^\[\]%]', file) and all(map(str.isprintable, file))
    assert not re.match(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)", file)
    assert len(PureWindowsPath(path).parts) == 2
    assert is_safe(path)
    assert re.fullmatch(r"\[\[[^\[\]|\n]+\|[^\[\]|\n]+\]\]", wiki_link(path, name))


@given(names=st.lists(st.sampled_from(["Anna", "anna", "ANNA", "A\u0301", "Á", "ß", "ss", "?", ""]), min_size=2))
def test_no_two_files_are_one_on_any_system(names):
    made = Names(["concepts/ANNA.md"])
    paths = [
        made.path(node(name=name, id=f"0193a4b2-c100-7000-8000-{number:012d}"), concept=True)
        for number, name in enumerate(names)
    ]
    folded = {unicodedata.normalize("NFKC", path).casefold() for path in ("concepts/ANNA.md", *paths)}
    assert len(folded) == len(names) + 1


LEAVING = ("", "a", "/a.md", "../a.md", "a/../b.md", "a//b.md", "a\\b.md", "C:/a.md", ".a/b.md", "a\0.md", "\udc80.md")


@pytest.mark.parametrize("path", LEAVING)
def test_paths_of_a_marker_that_leave_the_folder_are_none(path):
    assert not is_safe(path)
