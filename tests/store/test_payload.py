"""What is asked of an event's content is what parsing all of it would give."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from context_graph.store import canonical
from context_graph.store.payload import Payload

# texts that look like the content around them
TEXT = st.sampled_from(['],"note":{', '"key":["a"],"table":"nodes"}', '{"after":', '"before":null,', "a", 'é"\\', "}]"])
ROW = st.none() | st.dictionaries(st.sampled_from(["content", "state", "note", "key"]), TEXT | st.integers(0, 3))
RECORD = st.fixed_dictionaries(
    {
        "table": st.sampled_from(["nodes", "edges", "records", "vectors"]),
        "key": st.lists(TEXT, min_size=1, max_size=1),
        "before": ROW,
        "after": ROW,
    }
)
NOTE = st.dictionaries(TEXT, TEXT | st.lists(TEXT, max_size=2), max_size=3)
CONTENT = st.fixed_dictionaries(
    {
        "blobs": st.lists(st.sampled_from(["0c0d", "f9"]), max_size=2),
        "changes": st.lists(RECORD, max_size=4),
        "note": NOTE,
    }
)


@given(CONTENT, st.booleans())
def test_parts_of_a_content_are_those_of_the_whole(content, of_a_purge):
    if of_a_purge:
        content = {**content, "residue": {"3": content["changes"]}}
    body = canonical(content)
    payload = Payload(body)
    assert payload["note"] == content["note"]
    for tables in (("nodes",), ("nodes", "edges", "records")):
        told = [(record["table"], None if record["before"] is None else record) for record in content["changes"]]
        first_inserted = {table: told.index((table, None)) for table in tables if (table, None) in told}
        assert list(payload.records(tables)) == [
            (table, record)
            for at, (table, record) in enumerate(told)
            if table in tables and (record is not None or at == first_inserted[table])
        ]
    for record in content["changes"]:
        first = next(
            one for one in content["changes"] if (one["table"], one["key"]) == (record["table"], record["key"])
        )
        assert payload.record(record["table"], record["key"][0]) == first
    assert payload.record("nodes", "none") is None
    assert dict(Payload(body)) == json.loads(body) == content


@pytest.mark.parametrize("body", [b"{}", b'{"changes": [], "note": {"a": 1}}', b'{"blobs":[],"changes":[],"note":{}}'])
def test_a_content_of_another_form_is_parsed_whole(body):
    payload, whole = Payload(body), json.loads(body)
    assert bool(payload) == bool(whole)
    assert payload.get("note", {}) == whole.get("note", {})
    assert list(payload.records(("nodes",))) == [] and payload.record("nodes", "a") is None
