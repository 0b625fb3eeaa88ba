"""E8 of a memory: it follows the graph, costs nothing while it is off, and shows nobody what he may not see."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from context_graph.derived.graph_vectors import GraphSpace
from context_graph.embed import graph
from context_graph.ingest.forget import forget
from context_graph.recall.question import Question
from context_graph.retrieval import fused_vectors

HALF = 1e-3
"""Vectors are kept as float16."""

HERE, THERE = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"

TEXTS = (
    "Alma Ferry founded the harbour museum of Delft.",
    "The harbour museum of Delft burned down in 1911.",
    "Ruben Slate paints boats and lighthouses in Kiel.",
    "Alma Ferry lives in Kiel beside Ruben Slate.",
    "A recipe for bread with rye, salt and honey.",
    "Ruben Slate was born in Delft.",
)


def rows_of(memory, space=None):
    corpus = memory.corpus
    return (space or memory.view(GraphSpace)).vectors(corpus, np.arange(len(corpus)))


def afresh(memory):
    return rows_of(memory, GraphSpace(memory.store, memory.present))


def dense(memory):
    """The definition in float64, from the store's edges as they are."""
    store, corpus = memory.store, memory.corpus
    shown = {node.id for node in store.memories() if node.state == "live" and node.scope == "user"}
    names = {node.id for node in store.concepts(1_000) if node.state == "live" and node.scope == "user"}
    places = {id: i for i, id in enumerate(sorted(shown) + sorted(names))}
    weights = np.zeros((len(places), len(places)))
    for edge in store.all_edges():
        if {edge.source, edge.target} <= places.keys() and not {edge.source, edge.target} <= names:
            w = edge.weight * (1 + edge.excitatory - edge.inhibitory + 0.5 * edge.modulatory)
            for a, b in ((edge.source, edge.target), (edge.target, edge.source)):
                weights[places[a], places[b]] += w
    assert (weights > 0).sum(axis=1).max() <= graph.MAX_EDGES_PER_NODE, "the budget cuts nothing here"
    own = np.zeros((len(places), 1536))
    held = [id for id in places if id in shown]
    fused = fused_vectors.vectors(corpus, np.array([corpus.row_of[id] for id in held]), memory.embedder.tier)
    own[[places[id] for id in held]] = fused
    matrix = weights + np.eye(len(places))
    matrix /= matrix.sum(axis=1, keepdims=True)
    found = own
    for _ in range(graph.STEPS):
        found = (1 - graph.RESTART) * matrix @ found + graph.RESTART * own
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    return {id: found[places[id]] for id in held}


@pytest.fixture
def told(memory, tell):
    return [tell(text) for text in TEXTS]


def test_nothing_is_made_while_its_weight_is_zero(memory, told):
    memory.recall(Question("Who founded the museum?"))
    assert memory.view(GraphSpace).nbytes == GraphSpace(memory.store, memory.present).nbytes
    assert memory.corpus.fused.nbytes == 0


def test_it_agrees_with_its_definition_on_a_store(memory, told):
    found = rows_of(memory)
    for id, wanted in dense(memory).items():
        assert_allclose(found[memory.corpus.row_of[id]], wanted, atol=HALF)
    assert_allclose(np.linalg.norm(found, axis=1), 1, atol=HALF)


def test_an_empty_store_and_one_memory(memory, tell):
    assert rows_of(memory).shape == (0, 1536)
    tell("Alone.")
    assert_allclose(rows_of(memory), fused_vectors.vectors(memory.corpus, np.arange(1), "base"), atol=HALF)


def test_what_comes_is_spread_as_if_all_were_made_afresh(memory, tell):
    for i, text in enumerate(TEXTS):
        tell(text, session_id=HERE if i % 2 else THERE)
        assert_allclose(rows_of(memory), afresh(memory), atol=HALF)


def test_only_what_is_near_is_computed_anew(memory, tell, monkeypatch):
    sessions = [f"33333333-3333-4333-8333-{i:012d}" for i in range(12)]
    subjects = "bread rivers chess violins glaciers taxes bees lava sailing trams orchids cement".split()
    for session, subject in zip(sessions, subjects, strict=True):
        for verb in ("cost", "need", "outlast", "resemble"):
            tell(f"We heard that {subject} {verb} little else this year.", session_id=session)
    rows_of(memory)
    steps = []
    plain = graph.stepped
    monkeypatch.setattr(graph, "stepped", lambda b, rows, *rest: steps.append(len(rows)) or plain(b, rows, *rest))
    rows_of(memory)
    assert steps == [], "nothing has changed"
    new = tell("Somebody sold the last of the old trams.", session_id=sessions[9])
    found = rows_of(memory)
    near, reach = {new}, []
    for _ in range(graph.STEPS):
        near |= {end for edge in memory.store.edges(near) for end in (edge.source, edge.target)}
        reach.append(len(near))
    assert len(steps) == graph.STEPS and 0 < steps[0] <= reach[0] and steps[1] <= reach[1] < len(memory.corpus)
    monkeypatch.undo()
    assert_allclose(found, afresh(memory), atol=HALF)


def test_what_is_forgotten_leaves_nothing_behind_and_comes_back(memory, tell, told):
    before = rows_of(memory)
    new = tell("Alma Ferry gave the museum of Delft a lighthouse.", link_to=[told[0]])
    assert np.abs(rows_of(memory)[:6] - before).max() > 10 * HALF
    full = rows_of(memory)
    gone = forget(memory, new, "user_requested")
    left = rows_of(memory)
    assert_allclose(left, afresh(memory), atol=HALF)
    memory.store.undo(gone.reversal_hash, memory.author(memory.caller))
    memory.committed()
    assert_allclose(rows_of(memory), full, atol=HALF)


@pytest.mark.parametrize("how", ["purge", "undo"])
def test_what_never_was_changes_nothing(memory, tell, told, how):
    before = rows_of(memory)
    new = memory.remember(draft("A recipe for honey bread.", link_to=(told[4],)))
    assert np.abs(rows_of(memory)[:6] - before).max() > 10 * HALF
    if how == "purge":
        forget(memory, new.node.id, "user_requested", soft=False)
    else:
        memory.store.undo(memory.store.lineage(new.node.id)[0].hash, memory.author(memory.caller))
        memory.committed()
    assert_allclose(rows_of(memory)[:6], before, atol=HALF)
    if how == "purge":
        assert new.node.id not in memory.view(GraphSpace)._places


def draft(text, **fields):
    from context_graph.ingest.draft import Draft

    return Draft(text, rationale="worth keeping", **fields)


@pytest.mark.parametrize("scope", ["session", "context"])
def test_what_one_may_not_see_shifts_nothing_of_what_he_sees(memory, told, tell, scope):
    before = rows_of(memory)
    hidden = tell(
        "Alma Ferry hides the paintings of Ruben Slate in Delft because the museum burned.",
        session_id=HERE, scope=scope, link_to=[told[0], told[3]],
    )  # fmt: skip
    tell("The paintings are under the floor.", session_id=HERE, scope=scope)
    found = rows_of(memory)
    assert_array_equal(found[:6], before)
    assert_array_equal(afresh(memory)[:6], before)
    own = fused_vectors.vectors(memory.corpus, np.arange(6, 8), "base")
    assert_array_equal(found[6:], own)
    assert hidden not in memory.view(GraphSpace)._places


def test_what_is_valid_no_more_takes_no_part(memory, tell, told, clock):
    before = rows_of(memory)
    new = tell("Alma Ferry gave the museum of Delft a lighthouse.", link_to=[told[0]])
    assert np.abs(rows_of(memory)[:6] - before).max() > 10 * HALF
    with memory.store.write("ended", memory.author(memory.caller)) as tx:
        tx.update(new, valid_to=clock() + 60_000_000)
    memory.committed()
    assert np.abs(rows_of(memory)[:6] - before).max() > 10 * HALF
    clock.pass_time(minutes=2)
    assert_allclose(rows_of(memory), afresh(memory), atol=HALF)
    assert new in memory.view(GraphSpace)._places and not memory.view(GraphSpace)._shown[6]


def test_a_memory_embedded_again_reaches_its_neighbours(memory, told):
    before = rows_of(memory)
    other = memory.embedder.fingerprint("Interest rates rose by two percent.")
    with memory.store.write("embedded", memory.author(memory.caller)) as tx:
        model = memory.store.vector_models(told[0])["E1"]
        tx.put_vector(told[0], "E1", model, other.semantic.astype(np.float16).tobytes())
    memory.committed()
    found = rows_of(memory)
    assert np.abs(found[1] - before[1]).max() > HALF
    assert_allclose(found, afresh(memory), atol=HALF)


def test_a_crowded_name_hears_its_sixteen_oldest_only(memory, tell):
    for i in range(24):
        tell(f"Alma Ferry counted {i + 3} {'geese' if i % 2 else 'stones'} on the {i}th walk.", session_id=HERE)
    rows_of(memory)
    space = memory.view(GraphSpace)
    joined = [space._joined(np.array([place])) for place in range(len(space._places))]
    assert max(int((weights > 0).sum()) for _, weights in joined) <= graph.MAX_EDGES_PER_NODE
    for place, (others, weights) in enumerate(joined):
        for other in others[weights > 0].tolist():
            back, there = joined[other]
            assert place in back[there > 0], "an edge is used from both ends"
    assert_allclose(rows_of(memory), afresh(memory), atol=HALF)


STEMS = ("cedar", "violin", "glacier", "ledger")


@pytest.fixture
def leading(memory, tell):
    """Four pairs: the first of each says what is asked, the second, which it leads to, shares no word with it."""
    pairs = []
    for stem, other in zip(STEMS, ("Okonkwo", "Bergström", "Tanaka", "Moreau"), strict=True):
        first = tell(f"The {stem} of the north wing was bought in spring.", session_id=f"{HERE[:-8]}{len(pairs):08d}")
        second = tell(
            f"{other} signs and pays for it.", session_id=f"{THERE[:-8]}{len(pairs):08d}", link_to=[first]
        )  # fmt: skip
        pairs.append((memory.corpus.row_of[first], memory.corpus.row_of[second]))
    return pairs


def score(memory, pairs, vectors):
    """How far the second of each pair stands before those of other pairs, by cosine with the question, on average."""
    corpus = memory.corpus
    seconds = np.array([second for _, second in pairs])
    ahead = []
    for i, stem in enumerate(STEMS):
        inputs = fused_vectors.question_of(corpus, [memory.embedder.query(f"the {stem} of the north wing")])
        cosines = vectors[seconds] @ fused_vectors.fusion("base")(inputs).vectors[0]
        ahead.append(cosines[i] - np.delete(cosines, i).mean())
    return float(np.mean(ahead))


def test_neighbours_help_and_every_block_carries_something(memory, leading):
    found = rows_of(memory)
    alone = fused_vectors.vectors(memory.corpus, np.arange(len(found)), "base")
    whole = score(memory, leading, found)
    assert whole > 0 and whole > 2 * abs(score(memory, leading, alone)), "its neighbour says what it is about"
    dice = np.random.default_rng(0)
    for start in range(0, 1536, 512):
        zeroed, mixed = found.copy(), found.copy()
        zeroed[:, start : start + 512] = 0
        mixed[:, start : start + 512] = found[:, start + dice.permutation(512)]
        assert score(memory, leading, zeroed) < whole
        assert score(memory, leading, mixed) < whole
    turned = np.roll(found, 2, axis=0)  # the vectors of other pairs
    assert score(memory, leading, turned) < 0


def test_it_is_a_score_where_it_has_a_weight(memory, leading):
    question = Question("What about the cedar of the north wing?", record=False)
    plain = memory.recall(question).hits
    whole = memory.ranking["base"]
    memory.ranking["base"] = whole.changed((table, "graph", 1.0) for table in whole.tables)
    hits = memory.recall(question).hits
    assert all("graph" not in hit.parts for hit in plain) and all("graph" in hit.parts for hit in hits)
    ids = memory.corpus.ids
    part = {hit.node.id: hit.parts["graph"] for hit in hits}
    (_, right), others = leading[0], leading[1:]
    assert all(part[ids[right]] > part[ids[second]] for _, second in others if ids[second] in part)


def test_several_at_once_ask_and_tell(memory, told, tell):
    import threading

    failed = []

    def ask():
        try:
            for _ in range(5):
                rows_of(memory)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in itertools.count():
        tell(f"Alma Ferry wrote letter {i} to Ruben Slate.")
        if i == 4:
            break
    for thread in threads:
        thread.join()
    assert failed == []
    assert_allclose(rows_of(memory), afresh(memory), atol=HALF)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_it_stays_what_making_it_afresh_gives(memory, tell, monkeypatch, seed):
    monkeypatch.setattr("context_graph.derived.graph_vectors.MAX_EDGES_PER_NODE", 4)  # so that the budget cuts, too
    dice = np.random.default_rng(seed)
    people, places = ("Alma Ferry", "Ruben Slate", "Ida Kern"), ("Delft", "Kiel", "Oslo")
    held, gone = [], []
    for i in range(24):
        what = dice.random()
        if what < 0.2 and held:
            gone.append(forget(memory, held.pop(int(dice.integers(len(held)))), "user_requested").reversal_hash)
        elif what < 0.35 and gone:
            memory.store.undo(gone.pop(), memory.author(memory.caller))
            memory.committed()
        else:
            text = f"{dice.choice(people)} went to {dice.choice(places)} with {int(dice.integers(2, 90))} friends."
            scope = "session" if dice.random() < 0.2 else "user"
            link = (str(dice.choice(held)),) if held and dice.random() < 0.3 else ()
            held.append(tell(f"{text} That was trip {i}.", session_id=HERE, scope=scope, link_to=link))
        if dice.random() < 0.7:
            assert_allclose(rows_of(memory), afresh(memory), atol=HALF)
    assert_allclose(rows_of(memory), afresh(memory), atol=HALF)
