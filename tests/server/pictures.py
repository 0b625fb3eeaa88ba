"""Makes the pictures of docs/page.md: `PYTHONPATH=.:tests/server python tests/server/pictures.py`."""

import json
import tempfile
from importlib.resources import files
from pathlib import Path

import httpx
from chromium import Chromium
from http_process import HttpServer

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
REVIEW = (("Mira", "Tuesday"), ("Jonas", "Thursday"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server, browser = HttpServer(Path(folder) / "home"), Chromium(Path(folder))
        try:
            fill(server.url)
            browser.size(1160, 700)
            browser.open(server.url)
            browser.click("#query")
            browser.type("What did the doctor say about the stress?")
            browser.until("list.querySelectorAll('.found li').length > 5")
            browser.click("#list summary")
            browser.click("#list .found a.entry")
            browser.until("!article.hidden")
            browser.picture(PICTURES / "page.png")
            browser.press("Escape")
            browser.size(390, 780, dark=True)
            browser.click("header h1 a")
            browser.until("document.querySelectorAll('.row').length > 5")
            browser.value("document.activeElement.blur()")
            browser.picture(PICTURES / "page-phone.png")
        finally:
            browser.end()
            server.end()


def fill(url: str) -> None:
    """The conversation of the quickstart, and two statements that disagree."""
    lines = files("context_graph").joinpath("data/quickstart/conversation.jsonl").read_text("utf-8").splitlines()
    with httpx.Client(timeout=60, trust_env=False) as http:
        for turn in map(json.loads, lines):
            keep(http, url, turn["text"], turn["speaker"], turn["date"])
        for speaker, day in REVIEW:
            keep(http, url, f"The weekly review is on {day}.", speaker, "2026-09-20T09:00:00Z")


def keep(http: httpx.Client, url: str, text: str, speaker: str, at: str) -> None:
    body = {"content": text, "rationale": "said in the chat", "metadata": {"speaker": speaker}, "occurred_at": at}
    http.post(f"{url}/api/v1/remember", json=body).raise_for_status()


if __name__ == "__main__":
    main()
