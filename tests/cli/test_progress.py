"""The bar of long commands."""

import io

import pytest

from context_graph.cli._progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_sees_a_bar_on_standard_error(monkeypatch, capsys):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert list(progress(range(3), "counting", total=3)) == [0, 1, 2]
    assert "counting" in terminal.getvalue()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_anything_else_sees_nothing(monkeypatch, stream):
    monkeypatch.setattr("sys.stderr", stream)
    assert list(progress(iter("ab"), "counting")) == ["a", "b"]
    assert stream is None or stream.getvalue() == ""
