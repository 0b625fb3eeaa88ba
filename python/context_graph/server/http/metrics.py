"""What the server counts, as Prometheus reads it."""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from context_graph.models import Caller
from context_graph.server.dispatch import Outcome
from context_graph.server.host import Host
from context_graph.settings import Settings

if TYPE_CHECKING:
    from context_graph.server.http.service import Service

__all__ = ["MeasuredHost", "exposition"]


class MeasuredHost(Host):
    """A host that counts its calls and their times."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._counting = threading.Lock()
        self._calls: Counter[tuple[str, str]] = Counter()
        self._seconds: Counter[str] = Counter()
        self.began = time.monotonic()

    def call(self, name: str, arguments: Mapping[str, Any] | None, caller: Caller | None = None) -> Outcome:
        began = time.perf_counter()
        outcome = super().call(name, arguments, caller)
        with self._counting:
            self._calls[name, "error" if outcome.is_error else "ok"] += 1
            self._seconds[name] += time.perf_counter() - began  # type: ignore[assignment]  # a Counter adds floats too
        return outcome

    def counted(self) -> tuple[dict[tuple[str, str], int], dict[str, float]]:
        """Calls by tool and outcome, and seconds by tool."""
        with self._counting:
            return dict(self._calls), dict(self._seconds)


def exposition(service: "Service", host: MeasuredHost) -> str:
    """All numbers, in the text format 0.0.4."""
    calls, seconds = host.counted()
    counts = host.memory().store.counts()
    families: list[tuple[str, str, str, list[tuple[str, float]]]] = [
        ("calls_total", "counter", "Calls of tools, by outcome.",
         [(f'{{tool="{tool}",outcome="{outcome}"}}', n) for (tool, outcome), n in sorted(calls.items())]),
        ("call_seconds_total", "counter", "Time that calls took.",
         [(f'{{tool="{tool}"}}', n) for tool, n in sorted(seconds.items())]),
        ("requests_under_way", "gauge", "Requests that are not answered yet.", [("", service.gate.under_way)]),
        ("requests_refused_total", "counter", "Requests refused with 429 or 503.", [("", service.gate.refused)]),
        ("sessions", "gauge", "Sessions of streamable HTTP and SSE.", [("", service.sessions)]),
        ("memories", "gauge", "Memories that are live.", [("", counts["live_memories"])]),
        ("uptime_seconds", "gauge", "Since the server started.", [("", time.monotonic() - host.began)]),
    ]  # fmt: skip
    lines = []
    for name, kind, text, samples in families:
        lines += [f"# HELP context_graph_{name} {text}", f"# TYPE context_graph_{name} {kind}"]
        lines += [f"context_graph_{name}{labels} {value:g}" for labels, value in samples]
    return "\n".join(lines) + "\n"
