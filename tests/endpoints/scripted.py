"""A scripted chat service on this machine: a real HTTP server that answers each request by the next of its lines."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from context_graph.settings import Settings

MODEL = "tiny:1b"
FALLBACK = '{"claims": []}'


def said(**lists: list) -> str:
    """An answer of a model, as JSON."""
    return json.dumps(lists)


def claim(subject: str, relation: str, object: str) -> dict[str, str]:
    return {"subject": subject, "relation": relation, "object": object}


class ChatService:
    """Each line is what the model writes, a status (with bytes or without), raw bytes, "slow", "torn", "drip" ..."""

    def __init__(self) -> None:
        self.lines: list[str | int | bytes | tuple[int, bytes] | Callable[[dict], str]] = []
        self.requests: list[dict[str, Any]] = []
        self.release = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
                line = service.lines.pop(0) if service.lines else FALLBACK
                line = line(body) if callable(line) else line
                if line == "slow":
                    service.release.wait(20)
                if line == "drip":
                    return self.drip()
                status = 302 if line == "redirect" else 200
                if isinstance(line, tuple):
                    status, line = line
                elif isinstance(line, int):
                    status = line
                data = line if isinstance(line, bytes) else service.envelope(self.path, str(line))
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", f"{service.url}/elsewhere")
                self.send_header("Content-Length", str(len(data) + 5 * (line == "torn")))
                with suppress(OSError):  # who asked has given up
                    self.end_headers()
                    self.wfile.write(data)

            def drip(self):
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                with suppress(OSError):
                    while not service.release.wait(0.05):
                        self.wfile.write(b" ")

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def envelope(self, path: str, text: str) -> bytes:
        message = {"role": "assistant", "content": text}
        answer = {"message": message, "done": True} if path == "/api/chat" else {"choices": [{"message": message}]}
        return json.dumps({"model": MODEL, **answer}).encode()

    def settings(self, **fields: Any) -> Settings:
        """Settings that name this service."""
        return Settings(**{"extractor_url": self.url, "extractor_model": MODEL, "extractor_seconds": 5.0, **fields})

    def close(self) -> None:
        self.release.set()
        self.server.shutdown()
        self.server.server_close()
