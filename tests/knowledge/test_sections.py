"""How complete a document is, by headings and what stands below them."""

import pytest

from context_graph.knowledge.sections import completeness_of, sections_of
from tests.requirements import requirement

WORDS = "one two three four five six seven eight nine ten " * 2
WHOLE = (
    f"---\ntitle: X\n---\n# Login\n\n## 1. Overview\n\n{WORDS}\n\n## Functional requirements\n\n### Speed\n\n{WORDS}\n"
    f"## Definition of done\n\n- {WORDS}\n\n## API design\n\n{WORDS}\n"
)


@requirement("knowledge:sections")
def test_a_whole_specification_is_complete_and_each_part_has_its_line():
    measured = completeness_of(WHOLE)
    assert measured.score == 1.0 and measured.missing == []
    lines = WHOLE.split("\n")
    assert {name: lines[line - 1] for name, line in measured.lines.items()} == {
        "overview": "## 1. Overview", "requirements": "## Functional requirements",
        "acceptance criteria": "## Definition of done", "technical specification": "## API design",
    }  # fmt: skip


@requirement("knowledge:sections")
@pytest.mark.parametrize(
    ("below", "share"),
    [("", 0), ("TODO", 0), ("TBD: to be written", 0), ("five words of plain text", 0.25), (WORDS, 1), (WORDS * 3, 1)],
)
def test_a_part_counts_as_far_as_something_stands_below_its_heading(below, share):
    measured = completeness_of(f"# T\n\n## Requirements\n\n{below}\n\n## Other\n\n{WORDS}\n")
    assert measured.shares["requirements"] == share
    assert ("requirements" in measured.missing) == (not share) and measured.score == share / 4


def test_a_list_of_links_is_as_long_as_what_it_shows():
    listed = "".join(f"- [Page](../guides/part-{n}/page_of_{n}.md)\n" for n in range(10))
    assert completeness_of(f"# T\n\n## Requirements\n\n{listed}").shares["requirements"] == 0.5


def test_what_stands_below_the_title_is_an_overview_and_code_has_no_headings():
    assert completeness_of(f"# Tide tables\n\n{WORDS}\n\n## Other\n\nx\n").shares["overview"] == 1
    assert completeness_of(f"# Tide tables\n\n## Other\n\n{WORDS}\n").shares["overview"] == 0
    assert completeness_of(f"{WORDS}\n").shares["overview"] == 1, "without any heading"
    assert completeness_of(f"# T\n\n```\n# Requirements\n{WORDS}\n```\n").shares["requirements"] == 0
    assert completeness_of("").score == 0


def test_a_title_that_names_a_part_is_that_part():
    assert completeness_of(f"# Requirements\n\n{WORDS}\n").shares == {
        "overview": 0, "requirements": 1, "acceptance criteria": 0, "technical specification": 0,
    }  # fmt: skip


def test_sections_reach_to_the_next_heading_of_their_level():
    sections = sections_of("before\n\n# A\n\na\n\n## B\n\nb\n\n# C\n")
    assert [(one.level, one.title, one.line) for one in sections] == [
        (0, "", 1),
        (1, "A", 3),
        (2, "B", 7),
        (1, "C", 11),
    ]
    assert "## B" in sections[1].text and sections[2].text.strip() == "b" and sections[3].text.strip() == ""
