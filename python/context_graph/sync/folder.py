"""A folder that homes share: each writes signed files into its own part of it, and reads those of the others."""

import hashlib
import os
import stat
from collections.abc import Collection, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from context_graph.errors import InvalidInput, SyncRefused, SyncStopped
from context_graph.regex import regex
from context_graph.store import Position, keys, write_whole
from context_graph.sync.batch import Batch, sealed, signed_by
from context_graph.sync.display import plain_line
from context_graph.sync.exchange import Exchanged
from context_graph.sync.fold import finish_purges, fold
from context_graph.sync.limits import MAX_BATCH_BYTES, Limits
from context_graph.sync.outgoing import MAX_ROWS, batch_after, mark_at
from context_graph.sync.peers import Peer
from context_graph.sync.state import state_hash

if TYPE_CHECKING:
    from context_graph.runtime import Runtime

__all__ = ["MAX_FILES", "read_folder", "write_folder"]

MAX_FILES = 200
"""Of one home; with more it writes all anew, without what has been overtaken."""

MAX_PEER_FILES = 20_000
OWN_FILE = regex(r"\.?\d{12}\.\d\.[0-9a-z-]+-\d{12}\.\d\.")
"""As the names begin of what a home wrote, of what was left half written, and of the copies that other programs make
of both: all of that goes where a memory is deleted for good, and nothing else does."""


def read_folder(
    memory: "Runtime", peer: Peer, folder: Path, *, limits: Limits | None = None
) -> tuple[Exchanged, list[str]]:
    """Take in what a peer has written; returns also what is wrong with its files, which are tried again next time.

    Order does not matter, nor whether all files are there: what needs another one waits for it.

    Raises
    ------
    SyncStopped
        The peer would take away more memories than it may.
    """
    finish_purges(memory)  # sees also whether the log is another one, so that all files are to be read anew
    own = folder / peer.key
    done, problems = Exchanged(), list[str]()
    latest: tuple[int, str] = (0, "")
    with memory.store.registers.opened() as rows:
        read_before = rows.files(peer.key)
    key, files_read = keys.public_key(memory.settings.home), set()
    paths = list(islice(own.glob("*.json"), MAX_PEER_FILES + 1)) if _is_folder(own) else []
    for path in sorted(paths[:MAX_PEER_FILES]):
        try:
            status = path.lstat()
            file_id = f"{path.name} {status.st_size} {status.st_mtime_ns}"
            if file_id in read_before:
                files_read.add(file_id)
                continue
            if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BATCH_BYTES:
                raise InvalidInput(f"expected a file of at most {MAX_BATCH_BYTES} bytes")
            message = signed_by(_bytes_of(path), peer.key)
            batch = Batch.from_json(peer.key, message.get("batch"))
            state_there = _state_there(message, memory.clock() + (limits or Limits()).ahead)
            done.folded += fold(memory, batch, key, peer.name, peer.scopes, limits=limits, follow=False)
        except SyncStopped:
            raise
        except (InvalidInput, OSError) as error:
            problems.append(plain_line(f"{path.name}: {error}"))
            continue
        done.rounds, done.signed = done.rounds + 1, batch.signed
        files_read.add(file_id)
        latest = max(latest, state_there)
        with memory.store.registers.opened() as rows:
            rows.set_files(peer.key, rows.files(peer.key) | {file_id})
    if len(paths) > MAX_PEER_FILES:
        problems.append(f"there are more than {MAX_PEER_FILES} files of {peer.name}; the others are not looked at")
    with memory.store.registers.opened() as rows:
        rows.set_files(peer.key, files_read)
        state = rows.state(peer.key)
        latest = max(latest, (state.get("told_at", 0), state.get("told_state", "")))
        rows.set_state(peer.key, state | {"told_at": latest[0], "told_state": latest[1]})
    done.state = state_hash(memory.store, key, peer.scopes)
    done.equal = latest[1] == done.state if latest[1] and not problems else None
    return done, problems


def write_folder(memory: "Runtime", folder: Path, scopes: Collection[str], *, max_rows: int = MAX_ROWS) -> int:
    """Write what the others have not been told; returns how much.

    Where something was deleted for good, or the log is another one, all is written anew and the older files go, since
    they hold what is to be nowhere.
    """
    finish_purges(memory)
    home = memory.settings.home
    key = keys.public_key(home)
    own, name = folder / key, f"folder {hashlib.sha256(str(folder.resolve()).encode()).hexdigest()}"
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_folder(own):
        raise SyncRefused(f"{own} is a link: what is written there would lie elsewhere; remove it")
    there = {path.name for path in own.iterdir() if OWN_FILE.match(path.name)}
    with memory.store.registers.opened() as rows, memory.store.snapshot() as snapshot:
        rows.catch_up(snapshot)
        state = rows.state(name)
        after, mark = Position(*state.get("upto", (0, 0, ""))), str(state.get("mark", ""))
        anew = (
            set(state.get("files", ())) != there
            or len(there) > MAX_FILES
            or bool(after.seq and (rows.purged_since(after.seq) or mark_at(snapshot, after.seq, scopes) != mark))
        )
    if anew:
        after, mark, files = Position(), "", set[str]()
    else:
        files = there
    sent = 0
    while True:
        batch = batch_after(memory.store, key, scopes, after, mark, max_rows=max_rows)
        if batch.size:
            message: dict[str, Any] = {"batch": batch.to_json()}
            if not batch.more:
                message |= {"time": memory.clock(), "state": state_hash(memory.store, key, scopes)}
            file = f"{batch.after.name}-{batch.upto.name}.json"
            write_whole(own / file, sealed(home, message))
            files.add(file)
            sent += batch.size
        after, mark = batch.upto, batch.mark
        if not batch.more:
            break
    for file in there - files:
        (own / file).unlink(missing_ok=True)
    with memory.store.registers.opened() as rows:
        rows.set_state(name, {"upto": after, "mark": mark, "files": sorted(files)})
    return sent


def _is_folder(path: Path) -> bool:
    """Whether it is a folder itself: whoever writes into the shared one could let a link lead anywhere."""
    return path.is_dir() and not path.is_symlink()


def _bytes_of(path: Path) -> bytes:
    """What a file holds; a link or pipe that took its place a moment ago is neither followed nor waited for."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with open(file, "rb") as stream:
        return stream.read(MAX_BATCH_BYTES + 1)  # a byte too many is refused where it is parsed


def _state_there(message: Mapping[str, Any], latest: int) -> tuple[int, str]:
    """When a peer wrote last, and the hash of its state then; nothing where it had more to say."""
    moment, state = message.get("time", 0), message.get("state", "")
    if type(moment) is not int or not 0 <= moment < 2**63 or not isinstance(state, str) or len(state) > 64:
        raise InvalidInput("a file names the time and the state of its home")
    if moment > latest:
        raise InvalidInput(f"it is dated {(moment - latest) / 1_000_000:,.0f} s too far ahead; set both clocks right")
    return moment, state
