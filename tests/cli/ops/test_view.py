"""`context-graph view`: the page, its address and its end."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys

import httpx
import pytest

from tests.requirements import requirement

DEADLINE_S = 60


@pytest.fixture
def view(home):
    """Starts the command, and ends it."""
    started = []

    def begin(*options, **more):
        program = [sys.executable, "-m", "context_graph.cli", "view", *options]
        if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a script; a child inherits it
            signal.signal(signal.SIGINT, signal.default_int_handler)
        popen = subprocess.Popen(program, env={**os.environ, **more}, stdout=subprocess.PIPE, text=True)
        started.append(popen)
        return popen

    yield begin
    for popen in started:
        popen.kill()
        popen.wait()
        popen.stdout.close()


@requirement("page:view")
def test_one_line_says_where_the_page_is_until_it_is_interrupted(view):
    popen = view("--no-open", "--json")
    line = "".join(popen.stdout.readline() for _ in range(3))
    url = json.loads(line)["url"]
    assert url.startswith("http://127.0.0.1:")
    page = httpx.get(url, timeout=DEADLINE_S, trust_env=False)
    assert page.status_code == 200 and "<title>Context Graph</title>" in page.text
    popen.send_signal(signal.SIGINT)
    assert popen.wait(DEADLINE_S) == 0
    assert popen.stdout.read() == ""


def test_the_browser_of_the_person_is_opened_at_the_page(view, tmp_path):
    browser, asked = tmp_path / "browser", tmp_path / "asked"
    os.mkfifo(asked)
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {asked}\n', encoding="utf-8")
    browser.chmod(browser.stat().st_mode | stat.S_IXUSR)
    popen = view(BROWSER=f"{browser} %s")
    url = asked.read_text("utf-8")
    assert popen.stdout.readline() == f"the page is at {url}; Ctrl-C ends it\n"


def test_a_port_that_is_taken_is_told_in_one_line(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = run("view", "--no-open", "--port", str(taken.getsockname()[1]))
    assert ran.code == 2 and "--port" in ran.err and len(ran.err.splitlines()) == 1
