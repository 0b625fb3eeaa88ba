"""kill -9 at the worst moments: what was not committed has never come, and the next exchange goes on."""

import signal
import subprocess
import sys

import pytest
from server_process import environment
from sync_scenes import NOON

from context_graph.ingest.forget import forget
from tests.requirements import requirement

CELLO = "Anna plays the cello in the Riga orchestra."

TAKING_IN = """
import os, signal, sys
sys.path.insert(0, {scenes!r})
from pathlib import Path
from sync_scenes import PATIENT, Home
import context_graph.sync.fold as fold
from context_graph.store import Store
from context_graph.sync.batch import Batch
from context_graph.sync.folder import read_folder

def die(*arguments, **more):
    os.kill(os.getpid(), signal.SIGKILL)

home = Home(Path({folder!r}), "ben", limits=PATIENT, first_id=10_000)
home.clock.now = {now}
{place} = die
read_folder(home.memory, home.peers.of("ada"), Path({shared!r}), limits=PATIENT)
"""

PLACES = {
    "before the commit": ("fold.Merge.received", False),
    "between the commit and the deletions": ("fold.finish_purges", True),
    "before a deletion": ("Store.purge_rows", True),
    "before the copies are deleted": ("Store.purge_copies", True),
}
"""By name, what is never finished, and whether the batch is in by then."""


@requirement("sync:killed")
@pytest.mark.parametrize("place", PLACES)
def test_a_process_that_is_killed_leaves_a_home_that_goes_on(homes, tmp_path, place, request):
    from context_graph.sync.folder import read_folder, write_folder

    ada, ben = homes("ada", "ben")
    shared = tmp_path / "shared"
    shared.mkdir()
    gone = ada.tell("Omar mended the boiler of the opera.")
    ada.meet(ben)
    ada.tell(CELLO)
    forget(ada.memory, gone, "user_requested", soft=False)
    write_folder(ada.memory, shared, ("user",))
    before = ben.store.head()
    ben.close()
    name, committed = PLACES[place]
    program = TAKING_IN.format(
        scenes=str(request.path.parent), folder=str(tmp_path), now=NOON + 5_000_000, place=name, shared=str(shared)
    )
    child = subprocess.run([sys.executable, "-c", program], env=environment(ben.path), capture_output=True, text=True)
    assert child.returncode == -signal.SIGKILL, child.stderr
    ben.open()
    assert ben.store.verify().ok
    assert (ben.store.head() != before) == committed
    _, problems = read_folder(ben.memory, ben.peers.of("ada"), shared)
    assert problems == [] and ben.store.verify().ok
    assert not ben.store.existing([gone]) and ben.answers("Which instrument does Anna play?")[0] == CELLO
    assert ada.meet(ben).equal
    ben.close()
    held = [path for path in ben.path.rglob("*") if path.is_file() and b"mended the boiler" in path.read_bytes()]
    ben.open()
    assert held == [] or place == "before the copies are deleted"
