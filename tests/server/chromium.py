"""Debian's Chromium without a window, driven over a pipe by the DevTools protocol."""

import base64
import itertools
import json
import os
import shutil
import subprocess
import threading
import time

__all__ = ["DEADLINE_S", "PROGRAM", "Chromium"]

PROGRAM = shutil.which("chromium")
DEADLINE_S = 30

KEYS = {"Escape": 27, "Enter": 13, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9, "/": 191, "f": 70}


class Chromium:
    """A browser with one page, its profile in a folder."""

    def __init__(self, folder):
        self._folder, self._saved = folder, []
        self._asks, self._told = os.pipe(), os.pipe()
        command = [
            "sh", "-c", f'exec "$@" 3</dev/fd/{self._asks[0]} 4>/dev/fd/{self._told[1]}', "sh",
            PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
            f"--user-data-dir={folder / 'profile'}", "about:blank",
        ]  # fmt: skip
        self._popen = subprocess.Popen(
            command, pass_fds=(self._asks[0], self._told[1]), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(folder)},
        )  # fmt: skip
        os.close(self._asks[0])
        os.close(self._told[1])
        self._ids, self._answers, self._news = itertools.count(1), {}, threading.Condition()
        self.complaints, self.requested = [], []
        """What the console was told as an error, and the addresses that were asked for."""

        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._session = None
        (page,) = [one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=True)
        self.size(1280, 800)

    def _read(self):
        with os.fdopen(self._told[0], "rb") as pipe:
            rest = b""
            while block := pipe.read1(65_536):
                *whole, rest = (rest + block).split(b"\0")
                for message in whole:
                    self._hear(json.loads(message))

    def _hear(self, message):
        params, method = message.get("params", {}), message.get("method")
        with self._news:
            if "id" in message:
                self._answers[message["id"]] = message
                self._news.notify_all()
            elif method == "Browser.downloadWillBegin":
                self._saved.append((params["guid"], params["suggestedFilename"], False))
            elif method == "Browser.downloadProgress" and params["state"] == "completed":
                self._saved = [(guid, name, done or guid == params["guid"]) for guid, name, done in self._saved]
                self._news.notify_all()
            elif method == "Runtime.exceptionThrown":
                self.complaints.append(str(params["exceptionDetails"]))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning"):
                self.complaints.append(str(params["args"]))
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url')}")
            elif method == "Network.requestWillBeSent":
                self.requested.append(params["request"]["url"])

    def ask(self, method, **params):
        """The result of a command."""
        id = next(self._ids)
        message = {"id": id, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._asks[1], json.dumps(message).encode() + b"\0")
        with self._news:
            assert self._news.wait_for(lambda: id in self._answers, DEADLINE_S), f"{method} was not answered"
            answer = self._answers.pop(id)
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def value(self, expression):
        """What an expression of JavaScript is in the page."""
        told = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def until(self, expression):
        """Wait until an expression holds; what it is then."""
        ends = time.monotonic() + DEADLINE_S
        while not (value := self.value(expression)):
            assert time.monotonic() < ends, f"never came true: {expression}; {self.complaints}"
            self.value("new Promise(requestAnimationFrame)")
        return value

    def open(self, url):
        """Go to a page, and wait for it."""
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.protocol === 'http:'")

    def click(self, selector):
        """Press a thing with the mouse where it is seen; the first one that fits."""
        name = json.dumps(selector)
        self.until(f"Boolean(document.querySelector({name})?.getClientRects().length)")
        at = self.value(
            f"(() => {{ const e = document.querySelector({name}); e.scrollIntoView({{block: 'nearest'}});"
            "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", clickCount=1)

    def type(self, text):
        """Put in a text where the focus is."""
        self.ask("Input.insertText", text=text)

    def press(self, key):
        """Press one key."""
        known = {"key": key, "windowsVirtualKeyCode": KEYS[key], "code": key}
        text = {"Enter": "\r", "/": "/", "f": "f"}.get(key)
        self.ask("Input.dispatchKeyEvent", type="keyDown", **known, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **known)

    def saved(self):
        """The file that was saved last, once it is whole."""
        with self._news:
            assert self._news.wait_for(lambda: self._saved and self._saved[-1][2], DEADLINE_S), "nothing was saved"
            return self._folder / self._saved[-1][1]

    def size(self, width, height, *, scale=1, dark=False):
        """The window, and whether the system is dark."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[theme])

    def picture(self, path):
        """Write what is seen as a PNG."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        self._popen.kill()
        self._popen.wait()
        os.close(self._asks[1])
        self._reader.join(DEADLINE_S)
