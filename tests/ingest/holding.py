"""A process that has a memory open, does what its standard input says, and tells what it still holds of a text."""

import gc
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from context_graph import Draft, Memory, Question
from context_graph.derived import Facts
from context_graph.ingest.forget import forget
from context_graph.recall.briefing import brief
from context_graph.settings import Settings


def digest(word: str) -> str:
    return hashlib.sha256(word.encode("utf-8", "replace")).hexdigest()


def held(words: list[str], runs: list[list[int]]) -> list[str]:
    """What this process can reach: words, named by their digests, in any text; runs of word pieces in any array."""
    gc.collect()
    seen, found = set(), set()
    for holder in gc.get_objects():
        for item in gc.get_referents(holder):
            if id(item) in seen:
                continue
            seen.add(id(item))
            if isinstance(item, str):
                found.update({digest(word) for word in item.lower().replace(".", " ").split()} & set(words))
            elif isinstance(item, np.ndarray) and item.ndim == 1 and item.dtype.kind in "iu":
                for run in runs:
                    if len(item) >= len(run):
                        windows = np.lib.stride_tricks.sliding_window_view(item, len(run))
                        found |= {str(run)} if (windows == run).all(axis=1).any() else set()
    return sorted(found)


def done(memory: Memory, verb: str, given) -> object:
    if verb == "remember":
        return memory.remember(Draft(given, "needed by a test", name=given)).node.id
    if verb == "ask":
        brief(memory, given)
        memory.view(Facts).entries(memory.corpus, memory.present(), memory.viewer(memory.caller))
        return len(memory.recall(Question(given)).hits)
    if verb == "forget":
        return forget(memory, given, "user_requested", soft=False).soft
    return held(*given)


if __name__ == "__main__":
    with Memory(Settings(home=Path(sys.argv[1]), tier="base")) as memory:
        for line in sys.stdin:
            print(json.dumps(done(memory, *json.loads(line))), flush=True)
