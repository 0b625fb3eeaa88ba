"""What each kind of file becomes, and what a hostile one does not do."""

import json
import time
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from context_graph.connectors.folder.documents import survey
from context_graph.connectors.folder.readers import READERS, MissingExtra
from context_graph.connectors.folder.readers.languages import LANGUAGES
from context_graph.instants import from_iso
from tests.requirements import requirement

CODE = {
    "x.ts": (
        "/** Makes light. */\nexport class Lamp {\n  /** Turns it on. */\n  on(): void {}\n}\n"
        "export const glow = async (level: number) => {\n  return level;\n};\n"
        "export interface Bulb { watts: number }\n",
        {("Lamp", "class", 1), ("glow", "function", 6), ("Bulb", "interface", 9)},
    ),
    "x.js": (
        "// Adds two numbers.\nfunction add(a, b) {\n  return a + b;\n}\nexport default class Counter { up() {} }\n",
        {("add", "function", 1), ("Counter", "class", 5)},
    ),
    "x.go": (
        "package lamp\n\n// Glow makes light.\nfunc (l *Lamp) Glow(level int) error {\n\treturn nil\n}\n\n"
        "type Lamp struct { Watts int }\n",
        {("Lamp.Glow", "method", 3), ("Lamp", "struct", 8)},
    ),
    "x.rs": (
        "/// A lamp that glows.\n#[derive(Debug)]\npub struct Lamp { watts: u32 }\n\n"
        "impl Lamp {\n    pub fn glow(&self) -> u32 { 1 }\n}\n",
        {("Lamp", "struct", 1), ("Lamp", "impl", 5)},
    ),
    "X.java": (
        "package x;\n\n/** A lamp. */\npublic class Lamp {\n    int glow(int level) { return level; }\n}\n",
        {("Lamp", "class", 3)},
    ),
    "x.c": (
        "/* Makes light. */\nstatic int *glow(int level) {\n    return 0;\n}\n\n"
        "#ifdef FAST\nint fast(void) { return 1; }\n#endif\n",
        {("glow", "function", 1), ("fast", "function", 7)},
    ),
    "x.cpp": (
        "namespace lamps {\n// Twice as bright.\ntemplate <class T>\nT twice(T x) { return x + x; }\n}\n"
        "int lamps::dim(int by) { return by; }\n",
        {("lamps", "namespace", 1), ("lamps::dim", "function", 6)},
    ),
    "x.cs": (
        "using System;\nnamespace Lamps;\n/// <summary>A lamp.</summary>\npublic class Lamp {\n"
        "    public int Glow(int level) { return level; }\n}\n",
        {("Lamp", "class", 3)},
    ),
    "x.rb": ("# Makes light for all.\ndef glow(level)\n  level\nend\n", {("glow", "method", 1)}),
    "x.php": (
        "<?php\n/** Makes light. */\nfunction glow(int $level): int { return $level; }\n",
        {("glow", "function", 2)},
    ),
    "x.sh": ("# Makes light for all.\nglow() {\n  echo \"$1\"\n}\n", {("glow", "function", 1)}),
    "x.py": (
        "import os\n\n\n# Makes light for all.\n@cached\ndef glow(level):\n    return level\n",
        {("glow", "function", 4)},
    ),
}  # fmt: skip


def read(folder: Path, name: str, content: str | bytes):
    """The parts of one file, and what was skipped."""
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    look = survey(folder)
    return look.parts.get(name, []), {skipped.reason for skipped in look.skipped if skipped.path == name}


@requirement("seed:definitions")
@pytest.mark.parametrize("name", CODE)
def test_code_is_read_by_its_definitions_with_the_comment_above(tmp_path, name):
    text, definitions = CODE[name]
    parts, reasons = read(tmp_path, name, text)
    assert not reasons
    assert definitions <= {(part.heading, part.definition, part.line) for part in parts}
    for part in parts:
        first = text.split("\n")[part.line - 1]
        assert first.strip() in part.text, "the line is that of the text"
        assert part.kind == "code" and part.line <= part.end_line <= text.count("\n") + 1


@requirement("seed:definitions")
def test_a_long_class_is_read_by_its_methods_with_their_signatures(tmp_path):
    body = "".join(
        f"  /** Step {i}. */\n  step{i}(level: number): number {{\n    return level + {i};\n  }}\n" for i in range(40)
    )
    parts, _ = read(tmp_path, "x.ts", f"export class Lamp {{\n  watts = 40; // of the whole lamp\n{body}}}\n")
    assert (parts[0].heading, parts[0].definition) == ("Lamp", "class")
    method = next(part for part in parts if part.heading == "Lamp.step7")
    assert (method.definition, method.signature) == ("method", "step7(level: number): number")
    assert "/** Step 7. */" in method.text and method.end_line - method.line == 3


@requirement("seed:definitions")
def test_a_later_piece_of_a_long_function_says_whose_it_is(tmp_path):
    lines = "\n".join(f"    total += weigh_the_basket_number_{i}(level)" for i in range(80))
    parts, _ = read(tmp_path, "x.py", f"def glow(level):\n    total = 0\n{lines}\n    return total\n")
    assert len(parts) > 1 and all(part.heading == "glow" for part in parts)
    assert parts[1].text.startswith("def glow(level)\n    ...\n    total")
    assert parts[0].end_line < parts[1].line


@requirement("seed:missing-extra")
def test_without_the_grammars_code_is_read_as_plain_text_and_that_is_told(tmp_path, monkeypatch):
    def missing(package, function):
        raise MissingExtra("code")

    monkeypatch.setattr("context_graph.connectors.folder.readers.definitions._parser", missing)
    (tmp_path / "x.go").write_text(CODE["x.go"][0], "utf-8")
    look = survey(tmp_path)
    assert look.notes == {"x.go": "code"} and "func (l *Lamp) Glow" in look.parts["x.go"][0].text


@requirement("seed:missing-extra")
def test_without_its_package_a_pdf_is_skipped_with_the_extra_it_needs(tmp_path, monkeypatch):
    monkeypatch.setattr("context_graph.connectors.folder.readers.pdf.find_spec", lambda name: None)
    assert read(tmp_path, "x.pdf", b"%PDF-1.4") == ([], {"needs the extra [documents]"})


def test_every_suffix_of_a_language_has_a_reader():
    assert {suffix for language in LANGUAGES for suffix in language.suffixes} <= READERS.keys()


@requirement("seed:documents")
def test_a_notebook_is_read_by_its_cells(tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Brine\n", "\n", "How salty the brine is by day."]},
        {"cell_type": "code", "source": "print(measure('brine'))", "outputs": [{"text": ["31 grams\n"]}]},
        {"cell_type": "code", "source": "plot_everything(days)", "outputs": [{"data": {"image/png": "A" * 9_000}}]},
    ]
    parts, _ = read(tmp_path, "x.ipynb", json.dumps({"cells": cells}))
    assert [(part.place, part.heading, part.definition) for part in parts] == [
        ("cell=1", "Brine", ""), ("cell=2", "Brine", "cell"), ("cell=3", "Brine", "cell"),
    ]  # fmt: skip
    assert "31 grams" in parts[1].text and "AAAA" not in parts[2].text


@requirement("seed:documents")
def test_a_table_is_read_by_rows_below_its_header(tmp_path):
    rows = "".join(f'{i};"pump {i}; large";{i * 7}\n' for i in range(50))
    parts, _ = read(tmp_path, "x.csv", f"id;name;litres\n{rows}")
    assert [(part.heading, part.line) for part in parts] == [
        ("rows 1 to 20", 2), ("rows 21 to 40", 22), ("rows 41 to 50", 42),
    ]  # fmt: skip
    assert parts[1].text.startswith("id, name, litres\n20, pump 20; large, 140\n")


@requirement("seed:documents")
@pytest.mark.parametrize("name", ["x.json", "x.yaml"])
def test_data_are_read_by_their_top_level_keys_in_the_words_of_the_file(tmp_path, name):
    if name == "x.json":
        text = '{\n  "pumps": [{"name": "large one"}],\n  "lamps": {"keeper": "Mira of Kiel"}\n}\n'
    else:
        text = "pumps:\n  - name: large one\nlamps: {keeper: Mira of Kiel}\n---\nsecond: a document of its own\n"
    parts, _ = read(tmp_path, name, text)
    named = {part.heading: (part.line, part.text.strip()) for part in parts}
    if name == "x.json":
        assert named["pumps"] == (2, '"pumps": [{"name": "large one"}]')
        assert named["lamps"] == (3, '"lamps": {"keeper": "Mira of Kiel"}\n}')
    else:
        assert named["pumps"] == (1, "pumps:\n  - name: large one")
        assert named["lamps"][0] == 3 and "document 2 › second" in named


@requirement("seed:documents")
def test_a_page_is_read_by_its_headings_without_scripts(tmp_path):
    parts, _ = read(
        tmp_path, "x.html",
        "<html><head><title>Lamps of Kiel</title><style>p {}</style></head><body>\n"
        "<h1>Lamps</h1><p>They glow at night.</p>\n<script>var secret = 'nothing to see';</script>\n"
        "<h2>Keepers</h2>\n<ul><li>Mira keeps the large one</li></ul></body>",
    )  # fmt: skip
    assert [(part.heading, part.line) for part in parts][-2:] == [("Lamps", 2), ("Lamps › Keepers", 4)]
    text = "".join(part.text for part in parts)
    assert "They glow at night." in text and "secret" not in text and "p {}" not in text


def pdf(*texts: str) -> PdfWriter:
    writer = PdfWriter()
    font = DictionaryObject({
        NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    })  # fmt: skip
    for text in texts:
        page = writer.add_blank_page(300, 300)
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
        page[NameObject("/Resources")] = DictionaryObject({
            NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})
        })  # fmt: skip
    return writer


@requirement("seed:documents")
def test_a_pdf_is_read_by_its_pages(tmp_path):
    pdf("The pump moves forty litres of brine.", "", "The lamp is lit at dusk by Mira.").write(tmp_path / "plan.pdf")
    parts = survey(tmp_path).parts["plan.pdf"]
    assert [(part.heading, part.place) for part in parts] == [("page 1", "page=1"), ("page 3", "page=3")]
    assert "forty litres" in parts[0].text and parts[0].line == 0


HOSTILE = {
    "laughs.yaml": "a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]\n"
    + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
    "deep.yaml": "- " * 100_000 + "x",
    "deep.json": "[" * 200_000 + "]" * 200_000,
    "deep.ipynb": "[" * 200_000,
    "cells.ipynb": '{"cells": [1, {"cell_type": "code", "source": {"a": 1}}, null]}',
    "half.json": '{"pumps of the cellar": ',
    "deep.html": "<div>" * 50_000 + "the lamp glows at night",
    "quotes.csv": 'a,b\n"' + "x" * 200_000,
    "broken.pdf": b"%PDF-1.7\n" + bytes(range(256)) * 40,
    "deep.ts": "(" * 100_000,
    "deep.c": "struct a { " * 20_000,
    "minified.js": "var a=1;" * 20_000,
    "zeros.txt": b"\0" * 5_000,
    "latin.md": "Zürich".encode("latin-1"),
    "utf16.txt": "the lamp of Zürich".encode("utf-16"),
    "bom.md": b"\xef\xbb\xbf# Lamp\n\nIt glows at night in the tower.\n",
}


@requirement("seed:hostile-files")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_ends_soon_and_leaves_the_others_alone(tmp_path, name):
    content = HOSTILE[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "lamp.md").write_text("# Lamp\n\nThe lamp is lit at dusk by Mira.\n", "utf-8")
    started = time.process_time()
    look = survey(tmp_path)
    assert time.process_time() - started < 20
    assert "dusk by Mira" in look.parts["lamp.md"][0].text
    assert look.total < 400 and all(len(part.text) <= 2_000 for of in look.parts.values() for part in of)
    assert look.parts.get(name) or any(skipped.path == name for skipped in look.skipped)


@requirement("seed:hostile-files")
def test_of_a_very_long_file_of_data_the_beginning_is_read_and_that_is_told(tmp_path):
    rows = "".join(f"{i},{'pump ' * 20}\n" for i in range(5_000))
    parts, reasons = read(tmp_path, "x.csv", f"id,name\n{rows}")
    assert len(parts) == 100 and next(iter(reasons)).startswith("read in part: the first 100 passages of")


def told(parts) -> list[tuple[str, str, int]]:
    """Heading, text and line of each part."""
    return [(part.heading, part.text.strip(), part.line) for part in parts]


@requirement("seed:front-matter")
def test_front_matter_is_no_part_and_in_none(tmp_path):
    text = (
        "---\ntitle: Alpha plan\ndate: 2026-03-02\ntags: [plan, alpha]\n---\n# Alpha\n\nThe alpha shipped to Kiruna.\n"
    )
    parts, skipped = read(tmp_path, "a.md", text)
    assert told(parts) == [("Alpha", "# Alpha\n\nThe alpha shipped to Kiruna.", 6)]
    assert (parts[0].occurred_at, parts[0].tags) == (from_iso("2026-03-02"), ("plan", "alpha"))
    assert skipped == set()


@requirement("seed:front-matter")
def test_the_title_stands_for_a_level_1_heading_where_there_is_none(tmp_path):
    text = "---\ntitle: Beta plan\ntags: plan, beta\n---\nThe beta is tried out.\n\n## Risks\n\nThe bridge may close.\n"
    parts, _ = read(tmp_path, "b.md", text)
    assert [part.heading for part in parts] == ["Beta plan", "Beta plan › Risks"]
    assert {part.tags for part in parts} == {("plan", "beta")}


@requirement("seed:front-matter")
@pytest.mark.parametrize(
    ("name", "text", "days"),
    [
        ("m.md", "# Meeting 2026-10-05\n\nSunday opening stays off.\n\n## Open\n\nWho paints the hall\n", ["05", "05"]),
        ("2026-10-06 m.md", "# Meeting 2026-10-05\n\nSunday opening stays off.\n", ["06"]),
        ("2026-10-06.md", "---\ndate: 2026-10-07\n---\nSunday opening stays off.\n", ["07"]),
        ("2026-10-06.md", "---\ndate: soon\n---\nSunday opening stays off.\n", ["06"]),
        ("m.md", "---\ntitle: Meeting 2026-10-05\n---\nSunday opening stays off.\n", ["05"]),
        ("m.md", "# 2026-10-05\n\nSunday opening stays off.\n\n# 2026-10-06\n\nWho paints the hall?\n", ["05", "06"]),
        ("m.md", "# Log\n\n## 2026-10-05\n\nSunday opening stays off.\n", [None]),
        ("m.md", "# From 2026-10-05 to 2026-10-06\n\nSunday opening stays off.\n", [None]),
        ("m 2026-13-05.md", "# Number 12026-10-05\n\nSunday opening stays off.\n", [None]),
    ],
)  # fmt: skip
def test_a_full_date_in_the_name_or_the_level_1_heading_is_that_of_the_note(tmp_path, name, text, days):
    parts = [part for part in read(tmp_path, name, text)[0] if not part.text.strip().startswith("# Log")]
    expected = [None if day is None else from_iso(f"2026-10-{day}") for day in days]
    assert [part.occurred_at for part in parts] == expected


@requirement("seed:front-matter")
def test_front_matter_that_cannot_be_read_is_told_and_the_note_is_read(tmp_path):
    parts, skipped = read(tmp_path, "g.md", "---\ntitle: Gamma: plan\n---\nThe gamma release moves to May.\n")
    assert [part.text for part in parts] == ["The gamma release moves to May."]
    assert skipped == {"read in part: front matter: line 2: title: mapping values are not allowed in this context"}


@requirement("seed:front-matter")
@pytest.mark.parametrize(
    "text", ["---\n\nThe lamp is lit at dusk.\n\n---\n\nMira lights it.\n", "---\nMira lights the lamp.\n"]
)
def test_prose_between_two_rules_is_text(tmp_path, text):
    parts, skipped = read(tmp_path, "p.md", text)
    assert "".join(part.text for part in parts).split() == text.split() and skipped == set()


@requirement("seed:hostile-files")
def test_front_matter_is_bounded(tmp_path):
    head = f"title: {'x' * 9_000}\ntags: {','.join(f't{i}' for i in range(900))},{'y' * 80}\n"
    parts, _ = read(tmp_path, "p.md", f"---\n{head}---\nThe lamp is lit at dusk.\n")
    assert (len(parts[0].heading), len(parts[0].tags)) == (200, 50)
    started = time.process_time()
    text = "---\n" + "---  x\n" * 120_000
    parts, _ = read(tmp_path, "q.md", text)
    assert time.process_time() - started < 20
