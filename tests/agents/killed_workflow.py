"""Runs what it is told to and is killed in the middle: before its n-th step is written, or right behind it."""

import json
import os
import signal
import sys
from pathlib import Path

from context_graph import Memory
from context_graph.agents import runner
from context_graph.runtime.records import Records
from context_graph.server.dispatch import call
from context_graph.settings import Settings


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def main(home, project, point, arguments):
    steps = 0
    note, change = runner._note_step, Records.change

    def note_or_die(memory, of, *more):
        nonlocal steps
        steps += 1
        if point == "before the note":
            die()
        note(memory, of, *more)
        if point == "behind the note":
            die()

    def change_or_die(self, entry, value):
        done = change(self, entry, value)
        if steps and self.kind == "workflow" and point == "behind the step":
            die()
        return done

    runner._note_step, Records.change = note_or_die, change_or_die
    with Memory(Settings(home=Path(home), tier="base", project=Path(project))) as memory:
        if arguments is not None:
            call(memory, "kg_workflow_start", arguments)
        else:
            call(memory, "kg_stats", {})
        memory.background.wait()


if __name__ == "__main__":
    main(*sys.argv[1:4], json.loads(sys.argv[4]))
