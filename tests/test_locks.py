"""The order of locks is kept, and a thread that breaks it is told at once."""

import threading

import pytest

from context_graph import locks
from context_graph.locks import LockOrderError, Rank, lock, reentrant_lock


@pytest.fixture
def no_check(monkeypatch):
    monkeypatch.delenv(locks.CHECKED)


def test_rising_ranks_are_fine_and_a_falling_one_is_an_error():
    opening, corpus = lock(Rank.OPENING, "opening"), reentrant_lock(Rank.CORPUS, "corpus")
    with opening, corpus, corpus:
        pass
    with corpus, pytest.raises(LockOrderError, match=r"takes opening \(OPENING\) while it holds corpus \(CORPUS\)"):
        opening.acquire()
    assert len(locks.violations) == 1
    locks.violations.clear()


def test_two_locks_of_one_rank_are_never_held_together():
    one, other = lock(Rank.LEAF, "one"), lock(Rank.LEAF, "other")
    with one, pytest.raises(LockOrderError):
        other.acquire()
    with one, pytest.raises(LockOrderError):  # it would wait for itself
        one.acquire()
    locks.violations.clear()


def test_a_lock_held_by_another_thread_is_waited_for():
    corpus, taken = reentrant_lock(Rank.CORPUS, "corpus"), []

    def take():
        with corpus:
            taken.append(True)

    thread = threading.Thread(target=take)
    with corpus:
        thread.start()
        assert not taken
    thread.join()
    assert taken == [True]


def test_without_the_check_they_are_plain_locks(no_check):
    assert type(lock(Rank.LEAF, "leaf")) is type(threading.Lock())
    assert type(reentrant_lock(Rank.LEAF, "leaf")) is type(threading.RLock())
