"""A memory over time: reopening, other processes' writes, forgetting, goals, sessions, injection."""

import subprocess
import sys
import textwrap
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from context_graph.citations import node_of, tag_of
from context_graph.embed.chunks import chunked
from context_graph.embed.embedder import CHUNKS_AT_ONCE
from context_graph.errors import (
    CitationNotFound,
    InvalidInput,
    NodeNotFound,
    NotFound,
    PermanentDeleteRefused,
    ReversalNotFound,
)
from context_graph.index.loader import unfinished
from context_graph.ingest.draft import Draft
from context_graph.ingest.forget import forget, restore
from context_graph.ingest.goals import add_goal, remove_goal
from context_graph.ingest.tasks import TASKS
from context_graph.memory import Memory
from context_graph.recall.inject import inject
from context_graph.recall.question import Question
from context_graph.settings import Settings
from context_graph.store.segments import Segments

WHY = "worth keeping for later"


def found(memory, text: str, **fields) -> list[str]:
    return [hit.node.content for hit in memory.recall(Question(text, **fields)).hits]


def rows(memory, text: str) -> list[tuple[str, float]]:
    return [(hit.node.id, round(hit.relevance, 5)) for hit in memory.recall(Question(text, record=False)).hits]


def again(memory, **changes) -> Memory:
    return Memory(
        memory.settings, clock=memory.clock, ids=memory.new_id, session_id=memory.caller.session_id, **changes
    )


def test_a_reopened_memory_answers_alike(memory, tell):
    for text in ("Anna plays the clarinet.", "Bob repairs bicycles.", "The rent is due in May."):
        tell(text, speaker="Anna")
    before = rows(memory, "What does Anna play?")
    memory.close()
    with again(memory) as reopened:
        assert rows(reopened, "What does Anna play?") == before
        assert reopened.store.verify().ok
        assert reopened.session(reopened.caller.session_id).pulse.interactions >= 3


def test_the_cache_of_segments_may_be_lost_cut_or_flipped(memory, tell, monkeypatch):
    from context_graph.index import segment_cache, snapshot

    for module in (segment_cache, snapshot):
        monkeypatch.setattr(module, "SEGMENT_ROWS", 4)
    for i in range(11):
        tell(f"Memory number {i} speaks of the {i}th pier.", session_id="s", speaker="Anna")
    before = rows(memory, "the 7th pier")
    memory.close()
    with again(memory) as first:
        assert rows(first, "the 7th pier") == before
    files = sorted((memory.settings.home / "cache").rglob("*.segment"))
    assert len(files) == 3, "two segments and the state of both"
    with again(memory) as cached:
        assert rows(cached, "the 7th pier") == before
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 4
    files[0].write_bytes(data)
    files[1].write_bytes(files[1].read_bytes()[:1000])
    with again(memory) as rebuilt:
        assert rows(rebuilt, "the 7th pier") == before
    assert files[0].read_bytes() != bytes(data)


def test_segments_refuse_what_is_not_theirs(tmp_path):
    segments = Segments(tmp_path, "model")
    assert segments.load(0) is None
    segments.save(0, {"a": np.arange(5), "b": np.zeros((0, 3), np.float32)})
    loaded = segments.load(0)
    assert loaded["a"].tolist() == [0, 1, 2, 3, 4] and loaded["b"].shape == (0, 3)
    assert Segments(tmp_path, "another model").load(0) is None
    path = next((tmp_path / "cache").rglob("*.segment"))
    assert path.stat().st_mode & 0o077 == 0
    path.write_bytes(b"short")
    assert segments.load(0) is None
    segments.remove(0)
    segments.remove(0)


def test_another_process_is_heard_of_within_the_next_call(tmp_path):
    memory = Memory(Settings(home=tmp_path / "shared", tier="base"))
    memory.remember(Draft("Anna plays the clarinet.", WHY))
    script = textwrap.dedent(
        f"""
        from pathlib import Path
        from context_graph import Draft, Memory
        from context_graph.settings import Settings
        with Memory(Settings(home=Path({str(memory.settings.home)!r}), tier="base")) as other:
            other.remember(Draft("Bob plays the trombone.", "{WHY}"))
        """
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
    assert "Bob plays the trombone." in found(memory, "trombone")
    memory.close()


def test_forgetting_hides_and_restoring_brings_back_all_of_it(memory, tell):
    one = tell("Anna plays the clarinet.")
    two = tell("The clarinet is at the workshop.", link_to=(one,))
    edges = memory.store.edges(one)
    gone = forget(memory, one, "obsolete")
    assert gone.edges_removed == len(edges) and found(memory, "clarinet") == ["The clarinet is at the workshop."]
    with pytest.raises(NodeNotFound, match="restore_from_hash"):
        forget(memory, one, "obsolete")
    shown = restore(memory, gone.reversal_hash)
    assert not shown.done and shown.node_ids == (one,) and len(found(memory, "clarinet")) == 1
    done = restore(memory, gone.reversal_hash, preview=False)
    assert done.done and done.edges == len(edges) and memory.store.edges(one) == edges
    assert len(found(memory, "clarinet")) == 2 and two
    with pytest.raises(NotFound):
        restore(memory, "00" * 16, preview=False)


def test_only_the_user_deletes_for_good_and_then_it_is_gone_from_every_file(memory, tell):
    canary = "Quetzalcoatlus northropi"
    id = tell(f"The museum shows {canary} today.")
    with pytest.raises(PermanentDeleteRefused, match="user_requested"):
        forget(memory, id, "obsolete", soft=False)
    done = forget(memory, id, "user_requested", soft=False)
    assert not done.soft and done.reversal_hash is None
    assert found(memory, canary) == []
    memory.close()
    for path in memory.settings.home.rglob("*"):
        if path.is_file():
            assert b"Quetzalcoatlus" not in path.read_bytes(), path


def test_a_restore_only_takes_removals_unless_told(memory, tell):
    tell("Anna plays the clarinet.")
    created = memory.store.events(1)[0]
    with pytest.raises(ReversalNotFound, match="context-graph undo"):
        restore(memory, created.hash[:16])
    assert restore(memory, created.hash[:16], preview=False, only=None).done
    assert found(memory, "clarinet") == []
    redo = memory.store.events(1)[0]
    restore(memory, redo.hash[:16], preview=False, only=None)
    assert found(memory, "clarinet") == ["Anna plays the clarinet."]


def test_goals_align_memories_and_their_absence_is_neutral(memory, tell):
    tell("Learn the clarinet concerto.")
    tell("Pay the rent for the flat.")
    neutral = memory.recall(Question("what is there to do?")).hits
    assert {(hit.alignment, hit.theta) for hit in neutral} == {(0.5, 0.5)}
    goal = add_goal(memory, "master the clarinet")
    aligned = {hit.node.content: hit for hit in memory.recall(Question("what is there to do?")).hits}
    assert aligned["Learn the clarinet concerto."].alignment > aligned["Pay the rent for the flat."].alignment
    assert 0 <= aligned["Learn the clarinet concerto."].theta <= 1
    assert remove_goal(memory, goal.id[:8]).text == "master the clarinet"
    with pytest.raises(NotFound, match="goal list"):
        remove_goal(memory, "x")
    with pytest.raises(InvalidInput):
        add_goal(memory, "a")


def test_citations_name_one_memory(memory, tell):
    id = tell("Anna plays the clarinet.")
    for tag in (tag_of(id), tag_of(id).strip("[]"), f"node_{id}"):
        assert node_of(memory.store, tag).id == id
    with pytest.raises(InvalidInput, match="looks like"):
        node_of(memory.store, "clarinet")
    with pytest.raises(CitationNotFound):
        node_of(memory.store, "node_ffffffffff")


def test_injection_stays_within_its_budget_and_cites(memory, tell):
    for i in range(12):
        tell(f"Anna plays piece number {i} on the clarinet. She likes it very much. The room is warm.")
    done = inject(memory, Question("What does Anna play on the clarinet?", top_k=12), max_tokens=120)
    assert done.distilled.tokens <= 120 < done.distilled.tokens_before
    assert all(tag in done.distilled.text for tag in done.tags) and done.tags
    assert inject(memory, Question("What does Anna play?"), max_tokens=200, verbosity=0).tags == ()
    assert "relevance" in inject(memory, Question("What does Anna play?"), max_tokens=400, verbosity=2).distilled.text


def test_injection_abstains_where_nothing_is_relevant(memory, tell):
    tell("The rent is due in May.")
    done = inject(memory, Question("quantum chromodynamics of gluons"), max_tokens=200)
    assert done.abstained and done.distilled.text == "" and done.hits == ()


def test_a_scope_that_there_is_none_of_is_refused_with_those_there_are(memory):
    with pytest.raises(InvalidInput, match="scope must be one of user, session, context, got 'galaxy'"):
        memory.recall(Question("anything", scope="galaxy"))
    with pytest.raises(InvalidInput, match="scope must be one of user, session, context, got 'galaxy'"):
        memory.remember(Draft("The rent is due in May.", scope="galaxy"))
    with pytest.raises(InvalidInput, match=r"domain must be one of code, .*, got 'cooking'"):
        memory.remember(Draft("The rent is due in May.", domain="cooking"))


def test_an_empty_question_and_an_empty_memory(memory):
    with pytest.raises(InvalidInput, match="Query string is empty"):
        memory.recall(Question("  "))
    answer = memory.recall(Question("anything"))
    assert answer.hits == () and answer.entropy == 1.0


def test_reading_is_remembered_later_and_never_locks(memory, tell):
    id = tell("Anna plays the clarinet.")
    events = memory.store.head()[0]
    for _ in range(3):
        memory.recall(Question("clarinet"))
    memory.recall(Question("clarinet", record=False))
    assert memory.store.head()[0] <= events + 1
    memory.store.effects.flush()
    assert memory.store.node(id).access_count == 3


def test_sessions_keep_their_state_apart(memory, tell):
    tell("Anna plays the clarinet.", session_id="a")
    assert memory.session("a").focus and not memory.session("b").focus
    assert memory.session("a").pulse.interactions == 1


def test_a_memory_without_settings_reads_those_of_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("CONTEXT_GRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CONTEXT_GRAPH_TIER", "base")
    with Memory() as memory:
        memory.remember(Draft("Ines plays the clarinet.", WHY))
        assert (memory.settings.home, memory.settings.tier) == (tmp_path / "home", "base")
    assert (tmp_path / "home" / "graph.sqlite3").is_file()


def test_settings_come_from_flag_environment_file_and_default(tmp_path):
    from context_graph.settings import load_settings

    (tmp_path / "config.toml").write_text('tier = "base"\nundo_retention_days = 7\nredact_pii = false\n', "utf-8")
    environment = {"CONTEXT_GRAPH_HOME": str(tmp_path), "CONTEXT_GRAPH_UNDO_RETENTION_DAYS": "9"}
    settings, origins = load_settings({"top_k": 3, "tier": None}, environment)
    assert (settings.home, settings.tier, settings.undo_retention_days, settings.top_k) == (tmp_path, "base", 9, 3)
    assert settings.redact_pii is False
    assert (origins["top_k"], origins["undo_retention_days"], origins["tier"], origins["threads"]) == (
        "flag",
        "environment",
        "file",
        "default",
    )
    for bad in ({"tier": "huge"}, {"undo_retention_days": "many"}, {"redact_pii": "maybe"}, {"threads": "-1"}):
        with pytest.raises(InvalidInput, match=next(iter(bad))):
            load_settings(bad, environment)
    (tmp_path / "config.toml").write_text("colour = 1\n", "utf-8")
    with pytest.raises(InvalidInput, match="unknown setting"):
        load_settings({}, environment)
    (tmp_path / "config.toml").write_text("tier = \n", "utf-8")
    with pytest.raises(InvalidInput, match="not valid TOML"):
        load_settings({}, environment)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"top_k": -3}, "whole number from 1 to 100, got '-3'"), ({"top_k": "a"}, "number from 1 to 100, got 'a'"),
        ({"top_k": 2.5}, "a whole number"), ({"top_k": True}, "a whole number"), ({"top_k": None}, "a whole number"),
        ({"threads": -1}, "a whole number"), ({"undo_retention_days": -1}, "a whole number"),
        ({"abstain_below": float("nan")}, "expected a number from 0 to 1"), ({"tier": "huge"}, "one of auto, base"),
        ({"redact": "everything"}, "expected names"), ({"reflex": "maybe"}, "expected true or false"),
        ({"home": 5}, "expected a path"), ({"space_models": 5}, "expected a table of folders"),
    ],
)  # fmt: skip
def test_settings_are_checked_whatever_they_come_from(tmp_path, given, expected):
    from context_graph.settings import load_settings

    with pytest.raises(InvalidInput, match=f"setting {next(iter(given))} .*{expected}"):
        Settings(**given)
    if given.keys() <= {"home"} or None in given.values():
        return
    with pytest.raises(InvalidInput, match=expected):
        load_settings({"home": tmp_path, **given}, {})


def test_settings_made_of_settings_are_the_same(tmp_path):
    chosen = Settings(
        home=tmp_path, top_k="5", space_models={"e7": "/models/code"}, redact=["secrets"], project=tmp_path
    )
    assert replace(chosen) == chosen and (chosen.top_k, chosen.redact) == (5, "secrets")


def test_a_day_of_idling_does_not_lose_the_home(tmp_path):
    with Memory(Settings(home=tmp_path / "deep" / "home", tier="base")) as memory:
        assert memory.store.counts()["memories"] == 0
    assert (tmp_path / "deep" / "home").stat().st_mode & 0o777 == 0o700


def test_threads_and_processes_may_store_and_ask_at_once(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    settings = Settings(home=tmp_path / "busy", tier="base")
    with Memory(settings) as one, Memory(settings) as other:

        def work(i: int) -> int:
            memory = (one, other)[i % 2]
            memory.remember(
                Draft(f"Crate {i} holds the {i * 37}th cable and {i % 5} lamps.", WHY, session_id=str(i % 3))
            )
            return len(memory.recall(Question("Which crate holds lamps?")).hits)

        with ThreadPoolExecutor(4) as pool:
            assert all(count > 0 for count in pool.map(work, range(60)))
        assert one.store.counts()["memories"] == 60 and len(one.corpus) == len(other.corpus) == 60
        assert one.store.verify().ok
        assert rows(one, "lamps of crate 12") == rows(other, "lamps of crate 12")


def test_a_better_model_embeds_the_store_anew_and_a_lesser_one_leaves_it(tmp_path):
    from context_graph.embed.minilm import model_file

    if model_file() is None:
        pytest.skip("the minilm extra is absent")
    home = tmp_path / "grown"
    with Memory(Settings(home=home, tier="base")) as base:
        for text in ("Anna plays the clarinet.", "The rent is due in May.", "Bob repairs old bicycles."):
            base.remember(Draft(text, WHY, session_id="s"))
    with Memory(Settings(home=home, tier="minilm")) as better:
        assert found(better, "Who repairs bicycles?")[0] == "Bob repairs old bicycles."  # by its words meanwhile
        better.background.wait()
        assert found(better, "Who mends two-wheelers?")[0] == "Bob repairs old bicycles."
        assert len(better.store.made_by_others("E1", better.embedder.makers["E1"])) == 0
        assert np.isclose(np.linalg.norm(better.corpus.semantic.rows([0, 1, 2]), axis=1), 1, atol=1e-2).all()
        better.remember(Draft("Clara sells blue tiles.", WHY, session_id="s"))
    with Memory(Settings(home=home, tier="base")) as lesser:
        assert found(lesser, "Who sells tiles?")[0] == "Clara sells blue tiles."
        lesser.remember(Draft("Dora collects lamps.", WHY, session_id="s"))
        assert found(lesser, "Who collects lamps?")[0] == "Dora collects lamps."
        lesser.background.wait()
        assert len(lesser.store.made_by_others("E1", lesser.embedder.makers["E1"])) == 4
        assert lesser.store.verify().ok


def test_a_store_undone_and_redone_answers_as_before(memory, tell):
    tell("The harbour crane broke down.")
    id = tell("Anna plays the clarinet in the orchestra.", session_id="s")
    before = [(hit.node.id, hit.parts) for hit in memory.recall(Question("clarinet orchestra", record=False)).hits]
    created = next(event for event in memory.store.lineage(id) if event.type == "created")
    undone = restore(memory, created.hash[:16], preview=False, only=None)
    assert len(found(memory, "clarinet orchestra", record=False)) == 1
    restore(memory, undone.reversal_hash, preview=False, only=None)
    again = [(hit.node.id, hit.parts) for hit in memory.recall(Question("clarinet orchestra", record=False)).hits]
    assert again == before


def test_the_backend_of_the_settings_is_the_one_that_searches(tmp_path):
    from context_graph.errors import BackendUnavailable
    from context_graph.kernels import backends

    with Memory(Settings(home=tmp_path / "scalar", tier="base", backend="scalar")) as memory:
        memory.remember(Draft("Anna plays the clarinet.", WHY))
        assert memory.corpus.bits.backend == memory.corpus.tokens.backend == "scalar"
        assert found(memory, "clarinet") == ["Anna plays the clarinet."]
    with pytest.raises(InvalidInput, match=r"backend .* must be one of reference, scalar, .*, got 'abacus'"):
        Settings(home=tmp_path / "none", tier="base", backend="abacus")
    for backend in ("avx512", "cuda"):
        if not backends()[backend]["usable"]:
            with (
                Memory(Settings(home=tmp_path / backend, tier="base", backend=backend)) as memory,
                pytest.raises(BackendUnavailable, match="scalar"),
            ):
                memory.recall(Question("clarinet"))


def test_an_undone_memory_leaves_the_word_statistics(memory, tell):
    """A process that saw it answers exactly as one that opens later."""
    for text in ("Anna plays the clarinet.", "Anna lives in Leeds.", "A clarinet is a thing to play."):
        tell(text, session_id="s")
    restore(memory, memory.store.events(1)[0].hash, preview=False, only=None)
    with again(memory) as other:
        assert rows(memory, "What does Anna play?") == rows(other, "What does Anna play?")
        restore(memory, memory.store.events(1)[0].hash, preview=False, only=None)
        assert len(rows(memory, "clarinet")) == 3
        assert rows(memory, "What does Anna play?") == rows(other, "What does Anna play?")


def test_a_redone_memory_is_seen_by_a_process_that_opened_while_it_was_gone(memory, tell):
    first = tell("Anna plays the clarinet.", session_id="s1")
    tell("Bo likes rain.", session_id="s2")
    restore(memory, memory.store.lineage(first)[0].hash, preview=False, only=None)
    with again(memory) as other:
        assert found(other, "Who plays the clarinet?") == ["Bo likes rain."]
        restore(memory, memory.store.events(1)[0].hash, preview=False, only=None)
        assert found(other, "Who plays the clarinet?")[0] == "Anna plays the clarinet."
        assert rows(other, "clarinet rain") == rows(memory, "clarinet rain")


def test_a_restore_by_another_process_is_noticed(memory, tell):
    tell("Anna plays the clarinet.")
    kept = memory.store.backup()
    tell("Anna lives in Leeds.")
    with again(memory) as other:
        assert found(other, "Where does Anna live?")[0] == "Anna lives in Leeds."
        memory.store.restore(kept, memory.author(memory.caller))
        assert found(other, "Where does Anna live?") == ["Anna plays the clarinet."]
        other.remember(Draft("Anna moved to York.", rationale=WHY))  # takes the ordinal that Leeds had
        assert found(memory, "Where does Anna live?") == found(other, "Where does Anna live?")
        assert "Anna moved to York." in found(memory, "Where does Anna live?")
        assert memory.store.verify().ok


def test_a_long_memory_is_finished_though_only_its_name_makes_it_too_long(memory):
    words = next(n for n in range(300, 2_000) if len(chunked("word " * n)) > CHUNKS_AT_ONCE) - 1
    node = memory.remember(Draft("word " * words, WHY, name="The name of it")).node
    cut = SimpleNamespace(ids=[node.id], owners=SimpleNamespace(row=np.zeros(CHUNKS_AT_ONCE, np.int64)))
    embedder = SimpleNamespace(
        tier="minilm", makers=memory.embedder.makers, done_at_once=CHUNKS_AT_ONCE,
        is_long=lambda *told: len(chunked(memory.embedder.read(*told))) > CHUNKS_AT_ONCE,
    )  # fmt: skip
    assert list(unfinished(memory.store, cut, embedder)) == [node.id]


def test_a_memory_that_cannot_be_embedded_stops_no_other(memory, tell, monkeypatch):
    first, second = tell("Anna plays the clarinet."), tell("The rent is due in May.")
    done = []

    def embed(node_id):
        done.append(node_id)
        if node_id == first:
            raise ValueError("no vector")

    monkeypatch.setitem(TASKS, "embed", replace(TASKS["embed"], work=lambda memory, round: embed(*round.items)))
    memory.background.plan("embed", [first])
    memory.background.plan("embed", [second])
    memory.background.wait()
    assert done == [first, second]


def test_settings_take_paths_as_text(tmp_path):
    from context_graph.settings import Settings

    settings = Settings(home=str(tmp_path / "home"), project=str(tmp_path))
    assert settings.home == tmp_path / "home" and settings.project == tmp_path
    with Memory(settings) as memory:
        assert memory.remember("Anna plays the clarinet.").stored
