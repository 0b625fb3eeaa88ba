"""Records the chains of tool calls that tests make, for `benchmarks.quality.patterns`.

::

    TOOL_TRACES=traces.jsonl python -m pytest -p benchmarks.quality.tool_traces -n 0 tests/tools tests/knowledge
    gzip -9n traces.jsonl

Every memory that a test opens writes the chains of its sessions when it is closed, a line each: the tools by name.
"""

import json
import os

from context_graph.memory import Memory

_close = Memory.close


def _recorded(memory: Memory) -> None:
    chains = [[call.tool for call in chain.calls] for chain in memory.calls.all(memory.clock())]
    with open(os.environ["TOOL_TRACES"], "a", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(chain)}\n" for chain in chains if len(chain) > 1)
    _close(memory)


Memory.close = _recorded  # type: ignore[method-assign]
