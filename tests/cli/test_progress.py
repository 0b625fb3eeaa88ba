"""The bar of long commands."""

import io

import pytest

from context_graph.cli._progress import BAR, ERASE_LINE, _line, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch) -> Terminal:
    """Not a fixture: between set-up and test, pytest puts its own standard error back."""
    found = Terminal()
    monkeypatch.setattr("sys.stderr", found)
    return found


def test_a_terminal_sees_a_bar_on_standard_error_and_an_empty_line_after_it(monkeypatch, capsys):
    terminal = on_terminal(monkeypatch)
    assert list(progress(iter("abc"), "counting", total=3)) == ["a", "b", "c"]
    written = terminal.getvalue()
    assert written.startswith(ERASE_LINE + _line("counting", 0, 3))
    assert written.endswith(ERASE_LINE)
    assert capsys.readouterr().out == ""


def test_the_length_of_a_list_need_not_be_said(monkeypatch):
    terminal = on_terminal(monkeypatch)
    assert list(progress(["a", "b"], "counting")) == ["a", "b"]
    assert "0 of 2" in terminal.getvalue()


def test_work_that_ends_early_leaves_no_bar(monkeypatch):
    terminal = on_terminal(monkeypatch)
    with pytest.raises(ZeroDivisionError):
        list(progress((1 / (2 - i) for i in range(3)), "dividing", total=3))
    assert terminal.getvalue().endswith(ERASE_LINE)


@pytest.mark.parametrize(("done", "total", "full"), [(0, 3, 0), (2, 3, 20), (3, 3, BAR), (7, 3, BAR)])
def test_the_bar_is_as_full_as_the_work_is_done(done, total, full):
    line = _line("counting", done, total)
    assert (line.count("#"), line.count("-")) == (full, BAR - full)
    assert line.endswith(f"{done} of {total}")


def test_work_of_unknown_length_is_counted():
    assert _line("counting", 12, 0).split() == ["counting", "12"]


def test_a_log_is_told_now_and_then(monkeypatch, capsys):
    moments = iter(range(0, 100, 4))
    monkeypatch.setattr("context_graph.cli._progress.time.monotonic", lambda: next(moments))
    assert list(progress("abcde", "importing", total=5)) == [*"abcde"]
    assert capsys.readouterr().err == "importing: 2 of 5\n"


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_anything_else_sees_nothing(monkeypatch, stream):
    monkeypatch.setattr("sys.stderr", stream)
    assert list(progress(iter("ab"), "counting")) == ["a", "b"]
    assert stream is None or stream.getvalue() == ""
