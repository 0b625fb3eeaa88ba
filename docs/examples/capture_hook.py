"""What a hook hands over becomes memory: a prompt on its way to the model, without what is private in it.

`context-graph hook install` has Claude Code call the same command at every prompt, answer and end of a session.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

command = [sys.executable, "-m", "context_graph.cli"]
home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # the worker may still be leaving
os.environ |= {"CONTEXT_GRAPH_HOME": home.name, "CONTEXT_GRAPH_TIER": "base"}

event = {
    "hook_event_name": "UserPromptSubmit",
    "session_id": "0b8a3c0e-1f2d-4c5b-9a7e-6d5f4e3c2b1a",
    "cwd": "/home/anna/lamp",
    "prompt": "The lamp flickers when the heater runs. <private>The door code is 4711.</private>",
}
subprocess.run([*command, "hook", "capture"], input=json.dumps(event), encoding="utf-8", check=True)


def stored_by_now() -> bool:
    """The hook wrote one file and started a worker, which may be at it still; `drain` stores what nobody is at."""
    done = subprocess.run([*command, "hook", "drain", "--json"], capture_output=True, encoding="utf-8", check=True)
    return not json.loads(done.stdout)["busy"]


while not stored_by_now():
    time.sleep(0.1)
found = subprocess.run(
    [*command, "search", "What is wrong with the lamp?", "--json"], capture_output=True, encoding="utf-8", check=True
)
for hit in json.loads(found.stdout)["results"]:
    print(hit["speaker"], "said:", hit["content"])
home.cleanup()
