"""What a document says of itself, in the dialects of Obsidian and GitHub."""

from time import process_time

import pytest

from context_graph.instants import from_iso
from context_graph.knowledge.links import Resolver
from context_graph.knowledge.markdown import Link, read_page, slug_of
from context_graph.reading.front_matter import date_in


def targets(text):
    return [(link.type, link.target, link.heading) for link in read_page(text).links]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[Note]]", [("wiki", "Note", "")]),
        ("[[Note#Part|as said]]", [("wiki", "Note", "Part")]),
        ("![[photo.png|200]]", [("embed", "photo.png", "")]),
        ("![alt](pics/a%20b.png)", [("embed", "pics/a b.png", "")]),
        ("[a](../x.md#part 'title')", [("markdown", "../x.md", "part")]),
        ("[a][ref]\n\n[ref]: y.md", [("markdown", "y.md", "")]),
        ("[ref]\n\n[ref]: <z.md>", [("markdown", "z.md", "")]),
        ("[[#Here]]", [("wiki", "", "Here")]),
        ("| a |\n|---|\n| [[w\\|alias]] |", [("wiki", "w", "")]),
        ('<a href="q.md">q</a> <img src="p.png">', [("markdown", "q.md", ""), ("embed", "p.png", "")]),
        ("[web](https://example.org/a.md) <mailto:a@example.org> //x.md", []),
        ("[mail](mailto:a@example.org)", []),
        ("`[[a]]` ``[b](c.md)``", []),
        ("```\n[[a]]\n```\n\n    [[b]]\n\n~~~md\n[c](d.md)\n~~~", []),
        ("\\[[a]]", []),
        ("[[]] [[ ]] [[a\nb]]", []),
    ],
)  # fmt: skip
def test_links_are_those_that_a_reader_can_follow(text, expected):
    assert targets(text) == expected


def test_lines_count_from_the_top_of_the_file():
    page = read_page("---\na: 1\n---\n\n# T\n\ntext\n\n[[x]]\n")
    assert [link.line for link in page.links] == [9]


def test_a_link_has_the_line_in_which_it_begins():
    text = (
        "# T\n\nOne line, `code\nhere` and *more*\n[gone](gone4.md) \\\n**then\n[[Missing]]** [a b\nc](d.md\n"
        "'title') ![alt\nof it](e.png)\n<a\nhref='f.md'>f</a> [[g]]\n\n"
        "- item\n  goes on [[k]]\n\n> quoted\n> on [l](l.md)\n\n<p>\n<img src='m.png'>\n</p>\n"
    )
    lines = text.split("\n")
    told = {link.target: link.line for link in read_page(text).links}
    at = {
        "gone4.md": "[gone]", "Missing": "[[Missing", "d.md": "[a b", "e.png": "![alt", "f.md": "<a", "g": "[[g]]",
        "k": "[[k", "l.md": "[l]", "m.png": "<img",
    }  # fmt: skip
    assert told == {target: next(n for n, line in enumerate(lines, 1) if cue in line) for target, cue in at.items()}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Ask [Bob Brown](../people/Bob%20Brown.md) today", 4),
        ("[a](<b c.md> 'kept title') [d](e_(f).md) [g][h]\n\n[h]: ../i/j.md\n[k]: l.md 'm'\n", 7),
        ("[[guides/Deploy|Deploying]] [[Note]] ![[logo.png|200]]", 2),
        ("<a href='../x.md'>here</a> see https://example.org/a/b?c=d now", 4),
        ("[^1]: A footnote stays", 4),
        ("plain (not a link) [nor this]", 6),
    ],
)  # fmt: skip
def test_the_places_that_links_lead_to_are_no_words(text, count):
    assert read_page(text).words == count


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one and #two/three, #2024 a#b (#c) `#d`", ("one", "two/three")),
        ("---\ntags: [a, '#b']\ntag: c\n---\n#A", ("a", "b", "c")),
        ("---\ntags: one, two three\n---\n", ("one", "two", "three")),
        ("# Heading\n\n[x](y.md#frag)\n\n```\n#include\n```", ()),
        ("#größe #日本", ("größe", "日本")),
    ],
)  # fmt: skip
def test_tags_stand_in_the_front_matter_and_behind_a_hash(text, tags):
    assert read_page(text).tags == tags


def test_title_headings_and_description():
    page = read_page("## Low\n\n# The *one* `x`\n\nFirst words.\n\n## Low\n")
    assert page.title == "The one x" and page.headings == ("low", "the-one-x", "low-1")
    assert page.description == "First words."
    assert read_page("---\ntitle: 2024\n---\n# Other").title == "2024"
    assert slug_of("What's new, in 2.0?") == "whats-new-in-20"


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("a: [", "front matter: line 2: a: did not find expected node content"),
        ("a: 1\nb: {c\nd: 2", "front matter: line 3: b: did not find expected ',' or '}'"),
        ("a: 1\nb: 'c\nd: 2", "front matter: line 3: b: found unexpected end of stream"),
        ("a: 1\nb: c: d", "front matter: line 3: b: mapping values are not allowed"),
        ("a: 1\nWhat is said.\nb: 2", "front matter: line 3: could not find expected ':'"),
        ("a: 1\n- b", "front matter: line 3: did not find expected key"),
        ("a: &x [1]\nb: *x", "expected no aliases"),
        ("a: " + "[" * 40, "expected at most 12 levels"),
        ("- " * 2_000 + "x", "expected at most 12 levels"),
        ("a: " + "x" * 20_000, "expected at most 16384 characters"),
        ("- a", "expected keys with values, got list"),
        ("a: !!python/object/apply:os.system [ls]", "could not determine a constructor"),
        ("\n".join(f"k{i}: 1" for i in range(2_100)), "expected at most"),
    ],
)  # fmt: skip
def test_front_matter_that_cannot_be_read_is_told_and_the_rest_is_read(front, says):
    page = read_page(f"---\n{front}\n---\n# Title\n")
    assert page.title == "Title" and page.frontmatter == {}
    assert len(page.problems) == 1 and says in page.problems[0]


def test_values_of_front_matter_are_json():
    page = read_page("---\nd: 2024-01-02\nt: 2024-01-02T03:04:05Z\nn: .nan\nb: true\nbig: 99999999999999999999\n---\n")
    assert page.frontmatter["d"] == "2024-01-02" and page.frontmatter["b"] is True
    assert page.frontmatter["t"].startswith("2024-01-02T03:04:05")
    assert page.frontmatter["n"] == "nan" and page.frontmatter["big"] == "99999999999999999999"


PATHS = {"a/Note.md": ["part", "^b1"], "b/deep/Note.md": [], "b/README.md": [], "c/x y.md": []}


@pytest.mark.parametrize(
    ("source", "link", "path", "reason"),
    [
        ("b/README.md", Link("wiki", "Note"), "a/Note.md", ""),
        ("a/Note.md", Link("wiki", "deep/note"), "b/deep/Note.md", ""),
        ("a/Note.md", Link("markdown", "Note"), "a/Note.md", ""),
        ("c/x y.md", Link("markdown", "Note.md"), None, ""),
        ("c/x y.md", Link("markdown", "../b"), "b/README.md", ""),
        ("c/x y.md", Link("markdown", "/b/"), "b/README.md", ""),
        ("b/README.md", Link("markdown", "../c/x y.md"), "c/x y.md", ""),
        ("b/README.md", Link("wiki", "Note", "Part"), "a/Note.md", ""),
        ("b/README.md", Link("wiki", "Note", "Above#Part"), "a/Note.md", ""),
        ("b/README.md", Link("wiki", "Note", "^b1"), "a/Note.md", ""),
        ("b/README.md", Link("wiki", "Note", "None such"), "a/Note.md", "no heading #None such"),
        ("a/Note.md", Link("markdown", "", "nope"), "a/Note.md", "no heading #nope"),
        ("a/Note.md", Link("markdown", "../../etc/passwd"), None, "it leads out of the project"),
    ],
)  # fmt: skip
def test_links_lead_by_path_as_on_github_and_by_name_as_in_obsidian(source, link, path, reason):
    target = Resolver(PATHS).target(source, link)
    assert (target.path, target.reason) == (path, reason)


@pytest.mark.parametrize(
    ("front", "day"),
    [
        ({"date": "2026-03-02"}, "2026-03-02"),
        ({"date": "2. März 2026", "created": "2026-01-01"}, "2026-03-02"),
        ({"date": "soon", "created": "2026-01-01T10:00:00Z"}, "2026-01-01T10:00:00Z"),
        ({"occurred": "2026-01-01", "date": "2026-03-02"}, "2026-01-01"),
        ({"date": 20260302}, "2026-03-02"),
        ({"date": True}, None),
        ({"date": ["2026-03-02"]}, None),
        ({"date": "4/5/2026"}, None),
        ({"date": "1 January 2026 10:00 +99:00"}, None),
        ({"date": "1 January 0001 10:00 +14:00"}, None),
        ({"updated": "2026-03-02"}, None),
    ],
)
def test_the_date_in_front_matter_is_read_where_it_names_a_day(front, day):
    assert date_in(front) == (None if day is None else from_iso(day))


def test_what_stands_in_a_comment_of_obsidian_is_neither_link_nor_tag_nor_heading():
    text = (
        "# Title\n\nA %% [[gone]] #gone %% b [[kept]] #kept 100%% and 50%.\n\n"
        "%%\n# Gone\n\n[[gone]] #gone\n\n- [a](gone.md)\n%%\n\n[[after]]\n%% begun\n[[gone]]\n%%\n"
        "```\n%%\n```\n[[between]]\n```\n%%\n```\n\n%% [[open]]\n"
    )
    page = read_page(text)
    assert [(link.target, link.line) for link in page.links] == [
        ("kept", 3), ("after", 13), ("between", 20), ("open", 25),
    ]  # fmt: skip
    assert page.tags == ("kept",) and page.headings == ("title",)


@pytest.mark.parametrize("pump", ["%%", "%% a\n", "%%\n\n", "a %% ", "> %%\n", "- %%\n"])
def test_comments_take_time_in_proportion(pump):
    times = []
    for count in (2_000, 8_000):
        began = process_time()
        read_page(pump * count + "x")
        times.append(process_time() - began)
    assert times[1] < 0.2 or times[1] < 9 * times[0]
