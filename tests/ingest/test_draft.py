"""What a draft may hold: whatever is accepted can be exported and imported again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_graph import Draft, Memory
from context_graph.connectors.jsonl.exporter import export
from context_graph.connectors.jsonl.importer import check, import_lines
from context_graph.errors import ContextGraphError, InvalidInput
from context_graph.ingest.draft import CONTENT_LIMIT, METADATA_LIMIT
from context_graph.ingest.remember import Remembered
from context_graph.models import EARLIEST, LATEST
from context_graph.settings import Settings

TEXT = "The pump in hall 3 hums."
NESTED = ()
for _ in range(20):
    NESTED = (NESTED,)

UNFIT = [
    ({"content": 5}, "content must be a text, got int '5'; give a text or a Draft"),
    ({"content": "  "}, "content must hold text"),
    ({"content": " \x00 \ud800"}, "content must hold text"),
    ({"content": "a " * 32_769}, "content must have at most 65536 characters"),
    ({"content": ("a@b.cd " * 9_362)}, "once sensitive text is replaced"),
    ({"importance": 7}, "importance must be a number from 0 to 1, got int '7'"),
    ({"importance": -1}, "importance must be a number from 0 to 1"),
    ({"importance": float("nan")}, "importance must be a number from 0 to 1"),
    ({"importance": "a"}, "importance must be a number from 0 to 1, got str 'a'"),
    ({"occurred_at": 10**18}, "occurred_at must lie in the years 1 to 9999"),
    ({"occurred_at": -(10**18)}, "occurred_at must lie in the years 1 to 9999"),
    ({"occurred_at": "x"}, "occurred_at of a Draft must be microseconds .*got str 'x'"),
    ({"occurred_at": datetime(2026, 1, 1, tzinfo=UTC)}, "got datetime .*from_datetime makes them"),
    ({"rationale": "a" * 90_000}, "rationale must have at most 65536 characters, got 90000"),
    ({"rationale": None}, "rationale must be a text, got NoneType"),
    ({"speaker": "a" * 100_000}, "speaker must have at most 65536 characters, got 100000"),
    ({"speaker": 5}, "speaker must be a text, got int '5'"),
    ({"name": "a" * 40_000}, "name must have at most 32768 characters"),
    ({"session_id": b"s"}, "session_id must be a text, got bytes"),
    ({"agent_id": "a" * 100_000}, "agent_id must have at most 65536 characters"),
    ({"domain": ["code"]}, "domain must be a text, got list"),
    ({"metadata": ["a"]}, "metadata must be a mapping, got list"),
    ({"metadata": {"a": NESTED}}, "metadata may be nested 16 levels deep"),
    ({"metadata": {"a": 10**5_000}}, "metadata must be data that JSON can hold"),
    ({"metadata": {"a": float("nan")}}, "that JSON can hold"),
    ({"metadata": {"room": {1, 2}}, "occurred_at": 0}, r"JSON can hold; 'room' is set \{1, 2\}$"),
    ({"metadata": {"a": [b"x"]}}, r"JSON can hold; 'a' is list \[b'x'\]$"),
    ({"metadata": {"a": "a@b.cd " * 4_600}}, "metadata and name must stay below"),
    ({"link_to": "node_0193a4b2c1"}, "link_to must be a list of texts"),
    ({"link_to": (5,)}, "link_to must be a text, got int"),
    ({"derived_from": "abc"}, "derived_from must be a list of texts"),
]


@pytest.mark.parametrize(("fields", "problem"), UNFIT)
def test_a_draft_beyond_what_can_be_imported_is_refused_and_stops_no_other(memory, fields, problem):
    unfit = Draft(**{"content": TEXT, **fields})
    with pytest.raises(InvalidInput, match=problem):
        memory.remember(unfit)
    error, fit = memory.remember_many([unfit, "Anna plays the clarinet."])
    assert isinstance(error, InvalidInput) and fit.stored
    assert memory.store.counts()["memories"] == 1


@pytest.mark.parametrize("unfit", ["", "  ", 5, None])
def test_what_is_no_text_is_told_in_its_place_among_many(memory, unfit):
    fit, error = memory.remember_many(["a fact", unfit])
    assert fit.stored and isinstance(error, InvalidInput) and error.field == "content"


PLACES = st.sampled_from(["", "x", "Zoë", "a@b.cd ", "\ud83d", "\x00", "call 0171 1234567 "])
TEXTS = st.builds(
    lambda text, times: text * times, PLACES, st.sampled_from([1, 3, 40, 5_000, CONTENT_LIMIT // 7, 70_000])
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLACES, inner, max_size=3) | st.tuples(inner),
    max_leaves=8,
)
DRAFTS = st.builds(
    Draft,
    TEXTS.map(TEXT.__add__) | TEXTS | st.integers(),
    rationale=TEXTS,
    importance=st.none() | st.floats() | st.integers(-1, 2) | st.just("a"),
    metadata=st.dictionaries(st.sampled_from(["a", "name", "speaker", "tags", "date", "session"]), JSON, max_size=3),
    occurred_at=st.none() | st.integers() | st.sampled_from([EARLIEST, LATEST, EARLIEST - 1, LATEST + 1, "x"]),
    speaker=st.none() | TEXTS | st.integers(),
    name=st.none() | TEXTS | st.just("n" * METADATA_LIMIT),
    session_id=st.none() | TEXTS,
    agent_id=st.none() | TEXTS,
)


@settings(max_examples=25)
@given(drafts=st.lists(DRAFTS, max_size=4))
def test_what_is_accepted_is_exported_and_imported(tmp_path_factory, drafts):
    folder = tmp_path_factory.mktemp("drafts")
    with Memory(Settings(home=folder / "from", tier="base")) as memory:
        outcomes = memory.remember_many(drafts)
        assert all(isinstance(one, Remembered | ContextGraphError) for one in outcomes)
        lines, stored = list(export(memory)), memory.store.counts()["memories"]
    with Memory(Settings(home=folder / "to", tier="base")) as memory:
        import_lines(memory, lines, check(memory, lines))
        assert memory.store.counts()["memories"] == stored
