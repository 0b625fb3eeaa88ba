"""Pictures: whole, inside their folder, the same for the same model, whatever the labels hold."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from context_graph.cases import drawing
from context_graph.server.dispatch import call
from tests.cases.test_models import RAIN
from tests.requirements import requirement

MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.fixture
def needs_matplotlib():
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra [viz])")


@pytest.fixture
def models(ask, needs_matplotlib):
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    ask("create_cerebrum_model", name="cases", model_type="case_based")
    for number in range(12):
        features = {"x": number, "kind": "ab"[number % 2], "tags": ["p", "q"][: number % 3]}
        ask("add_case", case_id=f"c{number}", features=features, outcome=["low", "high", None][number % 3])


@requirement("cases:pictures-stay-inside")
@pytest.mark.parametrize(
    ("kind", "name", "format"),
    [
        pytest.param(kind, name, format, marks=[pytest.mark.long] * (kind != "inference" and format != "svg"))
        for kind, name in (("network", "net"), ("inference", "net"), ("cases", "cases"))
        for format in MAGIC
    ],
)
def test_each_picture_is_written_whole_and_the_same_again(memory, models, ask, kind, name, format):
    more = {"evidence": {"wet": True}} if kind == "inference" else {}
    made = ask("visualize_model", model_type=kind, model_name=name, format=format, **more)
    path = memory.settings.home / "pictures" / f"{name}-{kind}.{format}"
    assert made["output_path"] == str(path)
    assert (made["metadata"]["width"], made["metadata"]["height"], made["metadata"]["format"]) == (1200, 800, format)
    first = path.read_bytes()
    assert first.startswith(MAGIC[format]) and 2_000 < len(first) < 1_000_000
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    ask("visualize_model", model_type=kind, model_name=name, format=format, **more)
    assert path.read_bytes() == first and list(path.parent.iterdir()) == [path]
    if format == "svg":
        ET.fromstring(first)


def test_the_number_of_things_drawn_is_told(models, ask):
    told = {
        kind: ask("visualize_model", model_type=kind, model_name=name)["metadata"]
        for kind, name in (("network", "net"), ("inference", "net"), ("cases", "cases"))
    }
    assert (told["network"]["variables"], told["network"]["edges"]) == (3, 3)
    assert told["inference"]["variables"] == 3 and told["cases"]["cases"] == 12
    assert 0.3 < told["cases"]["variance_shown"] <= 1


@requirement("cases:pictures-stay-inside")
@pytest.mark.parametrize(
    "path",
    [
        "../graph.sqlite3",
        "/etc/x.svg",
        "a/../../x.svg",
        "link/x.svg",
        ".",
        "x.gif",
        "x",
        "x.png/../../y.svg",
        "a\x00.svg",
    ],
)
def test_a_path_that_leads_out_or_is_no_picture_is_refused(memory, models, refused, tmp_path, path):
    pictures = memory.settings.home / "pictures"
    pictures.mkdir()
    (pictures / "link").symlink_to(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert "output_path" in refused("visualize_model", model_type="network", model_name="net", output_path=path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_path_inside_is_taken_and_its_ending_says_the_format(memory, models, ask, refused):
    made = ask("visualize_model", model_type="network", model_name="net", output_path="for/ines.png")
    assert made["metadata"]["format"] == "png"
    assert made["output_path"] == str(memory.settings.home / "pictures/for/ines.png")
    again = ask("visualize_model", model_type="network", model_name="net", output_path=made["output_path"])
    assert again["output_path"] == made["output_path"]
    message = refused("visualize_model", model_type="network", model_name="net", output_path="x.png", format="svg")
    assert "must end in .svg" in message


def test_labels_are_text_whatever_they_hold(memory, ask, needs_matplotlib):
    odd = ["$\\frac{1}{2}$", "<script>alert(1)</script>", "\u202ered", "x" * 200, "_hidden", "日本"]
    names = [name for name in odd if name.isprintable() and len(name) <= 128]
    config = {"variables": {name: odd for name in names}, "cpts": {name: [1 / 6] * 6 for name in names}}
    ask("create_cerebrum_model", name="a/../b $x^2$", model_type="bayesian", config=config)
    made = ask("visualize_model", model_type="network", model_name="a/../b $x^2$")
    assert made["output_path"] == str(memory.settings.home / "pictures/a____b__x_2_-network.svg")
    text = Path(made["output_path"]).read_text("utf-8")
    assert "<script" not in text
    ET.fromstring(text)
    for number in range(12):
        features = {"x": number, names[number % 4]: odd[number % 6]}
        ask("add_case", case_id=f"c{number}", features=features, outcome=odd[number % 6])
    ask("create_cerebrum_model", name="odd", model_type="case_based")
    ask("visualize_model", model_type="cases", model_name="odd")


def test_numbers_as_outcomes_are_drawn_as_a_scale(ask, needs_matplotlib):
    ask("create_cerebrum_model", name="m", model_type="case_based")
    for number in range(30):
        ask("add_case", case_id=f"c{number}", features={"x": number}, outcome=number * 1.5)
    assert ask("visualize_model", model_type="cases", model_name="m", format="png")["metadata"]["cases"] == 30


def test_what_cannot_be_drawn_is_told(models, ask, refused):
    ask("create_cerebrum_model", name="empty", model_type="case_based", config={"features": {"y": "number"}})
    assert "has no network" in refused("visualize_model", model_type="network", model_name="cases")
    assert "has no cases" in refused("visualize_model", model_type="cases", model_name="net")
    assert "Model not found: 'no'" in refused("visualize_model", model_type="cases", model_name="no")
    evidence = {"rain": "yes", "sprinkler": "on", "wet": True}
    message = refused("visualize_model", model_type="inference", model_name="net", evidence=evidence)
    assert "a variable that is not seen" in message


def test_without_the_library_it_says_what_to_install(ask, refused, monkeypatch):
    ask("create_cerebrum_model", name="net", model_type="bayesian", config=RAIN)
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    message = refused("visualize_model", model_type="network", model_name="net")
    assert "pip install 'ultimate-context-graph[viz]'" in message


def test_a_folder_that_cannot_be_written_is_an_error_and_leaves_nothing(memory, models):
    (memory.settings.home / "pictures").write_text("in the way")
    outcome = call(memory, "visualize_model", {"model_type": "network", "model_name": "net"})
    assert outcome.is_error and "cannot be written" in outcome.structured["error"]
