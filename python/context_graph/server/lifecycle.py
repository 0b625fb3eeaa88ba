"""How a server ends: once it has answered all of its input, or within a second of a signal or its parent's death."""

import logging
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

__all__ = ["Lifecycle"]

logger = logging.getLogger(__name__)

CLOSE_S = 0.5
"""What closing may take; a transaction cut off by then never happened, which is what a store is for."""

PARENT_EVERY_S = 0.2
"""How often the parent is looked for where the system cannot say that it has ended."""

SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


class Lifecycle:
    """One shutdown, whoever asks for it first.

    Parameters
    ----------
    close : callable
        Lets go of what must not be lost.
    with_parent : bool
        Whether the parent's death is an end; a server of many clients outlives the shell that started it.
    """

    def __init__(self, close: Callable[[], None], *, with_parent: bool = True) -> None:
        self._close, self._with_parent = close, with_parent
        self._leaving = threading.Lock()
        self._parent = os.getppid()

    def guard(self) -> None:
        """Answer signals, and watch for the parent's death; call it from the main thread.

        Python runs handlers in the main thread alone, which may just have gone to sleep in the event loop when a
        signal comes. So the handlers do nothing, and the watching thread hears of the signal from a socket.
        """
        self._heard, self._told = socket.socketpair()
        self._told.setblocking(False)
        signal.set_wakeup_fd(self._told.fileno(), warn_on_full_buffer=False)
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and (self._with_parent or signal.getsignal(number) != signal.SIG_IGN):  # as by nohup
                signal.signal(number, lambda *_: None)
        threading.Thread(target=self._watch, name="context-graph-parent", daemon=True).start()

    def leave(self, code: int = 0) -> NoReturn:
        """Close and end the process; where another thread is doing so already, wait for that.

        `os._exit` because worker threads may still be inside a call, and an interpreter that waits for them
        is the process that hosts find leaked. For the same reason a main thread never returns from here: the
        interpreter would begin to end, and the thread that closes could run no more.
        """
        self._leaving.acquire()  # never let go
        closing = threading.Thread(target=self._closed, name="context-graph-close", daemon=True)
        closing.start()
        closing.join(CLOSE_S)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        os._exit(code)

    def _closed(self) -> None:
        try:
            self._close()
        except Exception as error:
            logger.warning("closing failed: %s", error)

    def _watch(self) -> None:
        ours = {int(getattr(signal, name)) for name in SIGNALS if hasattr(signal, name)}
        parent = _process_file(self._parent) if self._with_parent else None
        patience = PARENT_EVERY_S if self._with_parent and parent is None else None
        told = self._heard.fileno()
        watched = [told] if parent is None else [told, parent]
        while not self._with_parent or os.getppid() == self._parent:
            ready, _, _ = select.select(watched, [], [], patience)
            if parent in ready or (told in ready and not ours.isdisjoint(self._heard.recv(64))):
                break
        self.leave()


def _process_file(pid: int) -> int | None:
    """A file that can be read once a process has ended, so that nobody wakes to look; None where there is none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, an old or closed-off one, or a parent outside of a container
        return None
