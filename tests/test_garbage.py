"""Who pauses the garbage collector leaves it as it was."""

import gc
import threading

import pytest

from context_graph.garbage import look_briefly, look_seldom, switching, uncollected


def test_the_collector_waits_until_the_block_ends():
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_runs_again_after_an_error():
    with pytest.raises(ValueError, match="lost"), uncollected():
        raise ValueError("lost")
    assert gc.isenabled()


def test_it_stays_off_where_it_was_off():
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_does_not_run_again_while_another_thread_needs_it_off():
    inside, leave = threading.Event(), threading.Event()

    def pause():
        with uncollected():
            inside.set()
            leave.wait()

    thread = threading.Thread(target=pause)
    thread.start()
    inside.wait()
    with switching:
        leave.set()
        thread.join(0.05)
        assert thread.is_alive()
        assert not gc.isenabled()
    thread.join()
    assert gc.isenabled()


def test_a_server_that_has_loaded_looks_more_often_and_shorter():
    threshold = gc.get_threshold()
    try:
        look_seldom()
        loading = gc.get_threshold()
        look_briefly()
        serving = gc.get_threshold()
    finally:
        gc.set_threshold(*threshold)
    assert serving[0] < loading[0]
    assert serving[0] * serving[1] * serving[2] >= 0.9 * loading[0] * loading[1] * loading[2]


def test_a_program_that_chose_its_own_looks_keeps_them():
    threshold = gc.get_threshold()
    try:
        gc.set_threshold(900, 9, 9)
        look_briefly()
        assert gc.get_threshold() == (900, 9, 9)
    finally:
        gc.set_threshold(*threshold)
