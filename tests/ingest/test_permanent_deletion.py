"""A memory deleted for good is in no file of the home, in no cache, and in no vector of its neighbours."""

import ast
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import context_graph
from context_graph import Draft, Memory, Question
from context_graph.derived import Facts
from context_graph.embed.wordpiece import pieces
from context_graph.ingest.forget import forget
from context_graph.reading.fingerprints import fingerprint_of
from context_graph.recall.briefing import brief
from context_graph.settings import Settings
from context_graph.store.sqlite import backup
from tests.requirements import requirement

CANARY = "The zanzibarian password of the vault is quixotic."
WHY = "needed by a test"


@pytest.fixture
def small_segments(monkeypatch):
    """Segments of four memories, so that a few make some."""
    for module in ("store.segments", "index.segment_cache", "index.snapshot"):
        monkeypatch.setattr(f"context_graph.{module}.SEGMENT_ROWS", 4)


@pytest.fixture(params=["base", "minilm"])
def home_with_canary(request, tmp_path, small_segments):
    """Eight memories in two sessions, cached, backed up; the third is the canary."""
    settings = Settings(home=tmp_path, tier=request.param)
    with Memory(settings) as memory:
        for i, text in enumerate(["Anna plays the clarinet.", "Bo likes rain.", CANARY, "Anna said yes to that."]):
            memory.remember(Draft(text, rationale=WHY, session_id="s1", speaker="Bo" if i % 2 else None))
        for text in ["It rained in Leeds.", "The train was late.", "Tea at four.", "Bo went home."]:
            memory.remember(Draft(text, rationale=WHY, session_id="s2"))
        ids = [node.id for node in memory.store.memories()]
        backup.save(memory.store.path, backup.place(tmp_path, "before", memory.clock()))
    for tier in ("base", request.param):
        with Memory(Settings(home=tmp_path, tier=tier)) as memory:
            assert memory.recall(Question("Which password?")).hits
    assert list(tmp_path.glob("cache/*/*.segment"))
    return settings, ids


def files_with(home: Path, piece: bytes) -> list[str]:
    return [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file() and piece in path.read_bytes()]


def test_nothing_of_it_is_found_in_any_file(home_with_canary):
    settings, ids = home_with_canary
    with Memory(settings) as memory:
        vectors = {space: memory.store.vectors([ids[2]], space)[ids[2]] for space in ("E1", "E6", "E9", "E12")}
        pieces = memory.embedder.fingerprint(CANARY).pieces.astype(np.uint16).tobytes()
        terms = np.array(sorted(memory.embedder.fingerprint(CANARY).terms), np.int64)
        assert len(files_with(settings.home, vectors["E1"])) >= 3, "the database, the backup and the cache hold it"
        forget(memory, ids[2], "user_requested", soft=False)
        traces = [b"zanzibarian", b"quixotic", pieces, *vectors.values(), *(term.tobytes() for term in terms[:3])]
        for trace in traces:
            assert files_with(settings.home, trace) == []
        backup.save(memory.store.path, backup.place(settings.home, "after", memory.clock()))
    with Memory(settings) as memory:
        assert CANARY not in [hit.node.content for hit in memory.recall(Question("Which password?")).hits]
    for trace in traces:
        assert files_with(settings.home, trace) == []


def test_the_next_memory_is_embedded_as_if_it_had_never_been(home_with_canary, tmp_path):
    settings, ids = home_with_canary
    with Memory(settings) as memory:
        before = memory.store.vectors(ids, "E1")
        forget(memory, ids[2], "user_requested", soft=False)
        after = memory.store.vectors(ids, "E1")
        assert {id for id in after if after[id] != before[id]} == {ids[3]}
        nodes = {node.id: node for node in memory.store.memories()}
        alone = fingerprint_of(memory.store, memory.embedder, nodes[ids[3]], nodes[ids[1]])
        assert after[ids[3]] == alone.semantic.astype(np.float16).tobytes()
        assert memory.store.verify().ok


def test_where_the_next_was_forgotten_the_one_after_it_counts_too(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        first, second = (memory.remember(Draft(text, rationale=WHY)).node for text in (CANARY, "A note about rain."))
        forget(memory, second.id, "user_requested")
        third = memory.remember(Draft("The train was late.", rationale=WHY)).node
        memory.remember(Draft("Tea at four.", rationale=WHY))
        ids = [node.id for node in memory.store.memories()]
        before = memory.store.vectors(ids, "E1")
        forget(memory, first.id, "user_requested", soft=False)
        after = memory.store.vectors(ids, "E1")
        assert {id for id in after if after[id] != before[id]} == {second.id, third.id}


def test_windows_that_held_what_was_derived_from_it_are_made_anew_too(tmp_path):
    with Memory(Settings(home=tmp_path, tier="base")) as memory:
        first = memory.remember(Draft(CANARY, rationale=WHY, session_id="s1")).node
        merged = memory.remember(Draft(f"In short: {CANARY}", rationale=WHY, session_id="s2")).node
        with memory.store.write("merged", memory.author(memory.caller)) as tx:
            tx.update(merged.id, derived_from=(first.id,))
        after = memory.remember(Draft("The train was late.", rationale=WHY, session_id="s2")).node
        before = memory.store.vectors([after.id], "E1")
        forget(memory, first.id, "user_requested", soft=False)
        assert [node.id for node in memory.store.memories()] == [after.id]
        assert memory.store.vectors([after.id], "E1") != before
        alone = fingerprint_of(memory.store, memory.embedder, after, None).semantic.astype(np.float16).tobytes()
        assert memory.store.vectors([after.id], "E1")[after.id] == alone
        assert memory.store.verify().ok


@pytest.mark.parametrize("tier", ["base", "minilm"])
def test_a_stored_memory_is_embedded_again_to_the_same_vectors(tmp_path, tier):
    drafts = [
        Draft("Anna plays the clarinet.", rationale=WHY, speaker="Bo"),
        Draft("She met Carl at Redis Labs.", rationale=WHY, metadata={"tags": ["work"], "date": "2026-03-02"}),
        Draft("# Plan\nUse `store.write` in two steps.", rationale=WHY, name="the plan"),
    ]
    with Memory(Settings(home=tmp_path, tier=tier)) as memory:
        previous = None
        for draft in drafts:
            node = memory.remember(draft).node
            made = fingerprint_of(memory.store, memory.embedder, node, previous)
            assert memory.store.vectors([node.id], "E1")[node.id] == made.semantic.astype(np.float16).tobytes()
            assert memory.store.vectors([node.id], "E9")[node.id] == made.bits.tobytes()
            previous = node


def test_a_process_that_runs_on_lets_go_of_it(tmp_path, small_segments):
    settings = Settings(home=tmp_path, tier="base")
    with Memory(settings) as one, Memory(settings) as other:
        ids = [one.remember(Draft(f"Note {i} about {CANARY}", rationale=WHY)).node.id for i in range(5)]
        assert other.recall(Question("Which password?")).hits
        vectors = [one.store.vectors([ids[1]], space)[ids[1]] for space in ("E1", "E6", "E9", "E12")]
        forget(one, ids[1], "user_requested", soft=False)
        other.catch_up()
        assert ids[1] not in other.corpus.row_of and not other.corpus.columns.live[1]
        for vector in vectors:
            assert files_with(tmp_path, vector) == []


def same_as_fresh(memory, settings, questions):
    """Whether a process that ran on answers, and holds, what one does that opens the memory now."""
    corpus = memory.corpus
    with Memory(settings, session_id=memory.caller.session_id) as fresh:
        anew = fresh.corpus
        n = len(anew)  # the last rows may be of memories that are gone
        assert corpus.ids[:n] == anew.ids and not any(corpus.ids[n:]) and not corpus.columns.live[n:].any()
        assert corpus.row_of == anew.row_of and corpus.documents == anew.documents
        for name in ("live", "position", "length", "valid_from", "valid_to", "dialogue", "importance", "occurred_at"):
            assert np.array_equal(getattr(corpus.columns, name)[:n], getattr(anew.columns, name)), name
        assert np.array_equal(corpus._idf.df, anew._idf.df)
        for row in range(n):
            (terms, counts), (terms_anew, counts_anew) = (
                corpus.words(np.array([row]))[0],
                anew.words(np.array([row]))[0],
            )
            assert np.array_equal(terms, terms_anew) and np.array_equal(counts, counts_anew)
            assert np.array_equal(corpus.terms.df(terms), anew.terms.df(terms))
        every = np.arange(n)
        assert np.array_equal(corpus.semantic.rows(every), anew.semantic.rows(every))
        for text in questions:
            found, found_anew = (
                [(hit.node.id, round(hit.relevance, 5)) for hit in each.recall(Question(text, record=False)).hits]
                for each in (memory, fresh)
            )
            assert found == found_anew
            assert brief(memory, text) == brief(fresh, text)
        viewers = [each.viewer(each.caller) for each in (memory, fresh)]
        assert memory.view(Facts).entries(memory.corpus, memory.present(), viewers[0]) == fresh.view(Facts).entries(
            fresh.corpus, fresh.present(), viewers[1]
        )


TOLD = [
    ("Anna", "I play the clarinet and I live in Leeds."),
    ("Bo", "My sister Carla lives in Oslo, and I own a boat."),
    ("Anna", "The boat is red. I like it."),
    ("Zelda", "I work at the harbour office of Leeds."),
    ("Bo", "We met Anna in Leeds on Monday."),
]
ASKED = ["Where does Anna live?", "What does Bo own?", "Who works at the harbour?", "boat", "Leeds"]


@pytest.mark.parametrize("gone", range(len(TOLD)))
@requirement("store:purge-in-place")
def test_indexes_lose_it_in_place_and_are_as_if_loaded_anew(tmp_path, small_segments, gone):
    settings = Settings(home=tmp_path, tier="base")
    with Memory(settings) as one, Memory(settings) as other:
        ids = [
            one.remember(
                Draft(text, rationale=WHY, speaker=speaker, session_id="s", metadata={"aliases": [f"n{i}"]})
            ).node.id
            for i, (speaker, text) in enumerate(TOLD)
        ]
        for memory in (one, other):
            for text in ASKED:
                memory.recall(Question(text, record=False))
                brief(memory, text)
            memory.view(Facts).entries(memory.corpus, memory.present(), memory.viewer(memory.caller))
        held = one.corpus, other.corpus
        forget(one, ids[gone], "user_requested", soft=False)
        assert (one.corpus, other.corpus) == held, "nothing was loaded anew"
        assert ids[gone] not in other.corpus.row_of
        assert TOLD[3][0].lower() in other.corpus.speakers.texts or gone == 3
        for memory in (one, other):
            same_as_fresh(memory, settings, ASKED)
            memory.remember(Draft("Carla came to Leeds by train.", rationale=WHY, session_id="s"))
        same_as_fresh(one, settings, ASKED)


@requirement("store:purge-in-place")
def test_indexes_that_lie_in_files_of_the_cache_lose_it_in_place_too(home_with_canary):
    settings, ids = home_with_canary
    with Memory(settings) as memory:
        held = memory.corpus
        memory.recall(Question("Which password?", record=False))
        forget(memory, ids[2], "user_requested", soft=False)
        assert memory.corpus is held
        same_as_fresh(memory, settings, ["Which password?", "Who plays the clarinet?", "What did Anna say?"])


@requirement("store:purge-in-place")
def test_a_process_that_was_behind_takes_in_what_a_purge_left_of_earlier_events(tmp_path):
    settings = Settings(home=tmp_path, tier="base")
    with Memory(settings) as one, Memory(settings) as other:
        first = one.remember(Draft("The harbour office opens at nine.", rationale=WHY)).node
        held = other.corpus
        gone = one.remember(Draft(CANARY, rationale=WHY)).node
        kept = one.remember(Draft("The vault opens at ten.", rationale=WHY, metadata={"supersedes": first.id})).node
        with one.store.write("linked", one.author(one.caller)) as tx:  # an event of both, which the purge empties
            tx.update(kept.id, importance=0.9)
            tx.note.update(operation="linked", nodes=[kept.id, gone.id])
        forget(one, gone.id, "user_requested", soft=False)
        assert any(event.payload is None for event in other.store.events(10))
        assert other.catch_up() is held
        same_as_fresh(other, settings, ["When does the vault open?", "harbour office"])


class Holder:
    """Another process with the memory open; see `holding.py`."""

    def __init__(self, home: Path) -> None:
        script = Path(__file__).with_name("holding.py")
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(home)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def __call__(self, verb: str, given):
        self.process.stdin.write(json.dumps([verb, given]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        with self.process:
            self.process.stdin.close()


@pytest.mark.long
def test_no_process_that_had_it_open_holds_its_words(tmp_path):
    words = [hashlib.sha256(word.encode()).hexdigest() for word in ("zanzibarian", "quixotic")]
    runs = [list(pieces("zanzibarian password")), list(pieces("is quixotic"))]
    with Holder(tmp_path) as one, Holder(tmp_path) as other:
        one("remember", "Anna plays the clarinet.")
        id = one("remember", CANARY)
        assert other("ask", "Which password does the vault have?") == 2
        for process in (one, other):
            assert len(process("held", [words, runs])) == 4
        one("forget", id)
        assert one("held", [words, runs]) == []
        assert other("ask", "Does Anna play?") == 1
        assert other("held", [words, runs]) == []


def test_every_cache_of_a_function_of_texts_can_be_emptied():
    """A cache that `forget_texts` does not know would keep what was deleted."""
    found = set()
    rooms = "embed graph media reading extraction index retrieval derived runtime ingest recall connectors safety"
    for room in rooms.split():
        for path in (Path(context_graph.__file__).parent / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.FunctionDef):
                    continue
                kept_by = {ast.unparse(decorator) for decorator in node.decorator_list} - {"cached_property"}
                if any("cache" in decorator for decorator in kept_by):  # a property ends with its object
                    taken = {ast.unparse(argument.annotation or ast.Name("Any")) for argument in node.args.args}
                    found |= {node.name} if taken & {"str", "Any"} else set()
    # Of the id of a space, of a tier, of a language, of a grammar, of a kind of record.
    assert found == set("_placement fusion _stemmer _table small_words _grammar _adapter _parser trees _trees".split())
