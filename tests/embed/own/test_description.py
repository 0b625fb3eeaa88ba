"""What is written down of a model is read back, and what is no description is refused."""

import pytest

from context_graph.embed.own.description import Description, described, names, save
from context_graph.errors import InvalidInput


def test_a_description_is_read_back_as_it_was_written(tmp_path):
    first = Description(folder="/models/a", digest="ab", pooling="cls", query_prefix="q: ", width=256)
    second = Description(url="http://localhost:1", model="m", api="ollama", key_variable="KEY", timeout_s=5)
    save(tmp_path, "a", first)
    file = save(tmp_path, "b-2", second)
    assert names(tmp_path) == ["a", "b-2"]
    assert (described(tmp_path, "a"), described(tmp_path, "b-2")) == (first, second)
    assert "batch" not in file.read_text("utf-8")  # what is as ever is not written


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({}, "one of them"),
        ({"folder": "a", "url": "http://localhost"}, "one of them"),
        ({"url": "http://localhost"}, "name of the model"),
        ({"folder": "a", "pooling": "max"}, "one of mean, cls, last, got 'max'"),
        ({"folder": "a", "max_tokens": 9_000}, "from 8 to 8192, got 9000"),
        ({"folder": "a", "width": 1}, "from 8 to"),
        ({"folder": "a", "device": "tpu"}, "one of cpu, cuda"),
    ],
)
def test_what_no_model_can_be_is_refused(told, message):
    with pytest.raises(InvalidInput, match=message):
        Description(**told)


@pytest.mark.parametrize(
    ("text", "message"),
    [("[]", "to hold an object"), ("{", "cannot be read"), ('{"folder": 1}', "to be str"), ('{"x": 1}', "hold no x")],
)
def test_a_file_that_is_none_is_refused(tmp_path, text, message):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a.json").write_text(text, "utf-8")
    with pytest.raises(InvalidInput, match=message):
        described(tmp_path, "a")


def test_a_name_leads_to_no_other_place(tmp_path):
    with pytest.raises(InvalidInput, match="no model is called 'a'; described: none"):
        described(tmp_path, "a")
    for name in ("../x", "", "a/b", ".hidden"):
        with pytest.raises(InvalidInput, match="expected the name of a model"):
            described(tmp_path, name)
