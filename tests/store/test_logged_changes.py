"""Changes that are kept as JSON say what a parser of the whole payload says."""

import json

from hypothesis import given
from hypothesis import strategies as st

from context_graph.store.chain import canonical
from context_graph.store.sqlite.logged_changes import LoggedChange, read_payload, with_residue

VALUES = st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
ROWS = st.none() | st.dictionaries(st.text(), VALUES, max_size=4)
CHANGES = st.lists(
    st.fixed_dictionaries(
        {
            "table": st.sampled_from(("nodes", "edges", "pairs")), "key": st.lists(st.text(), min_size=1, max_size=2),
            "before": ROWS, "after": ROWS,
        }
    ),
    max_size=4,
)  # fmt: skip
RESIDUE = st.dictionaries(st.integers(0, 200).map(str), CHANGES, max_size=4)
HEADS = st.fixed_dictionaries(
    {"note": st.dictionaries(st.text(), VALUES | st.lists(VALUES)), "blobs": st.lists(st.text())},
    optional={"earlier": st.dictionaries(st.text(), st.lists(st.text())), "unnamed": st.lists(st.integers())},
)


@given(HEADS, CHANGES, RESIDUE)
def test_a_payload_is_read_as_the_parser_of_the_whole_reads_it(head, changes, residue):
    payload = read_payload(canonical({**head, "changes": changes, "residue": residue}))
    assert payload.head == head
    assert [change.parsed() for change in payload.changes] == changes
    assert {seq: [change.parsed() for change in left] for seq, left in payload.residue.items()} == residue
    listed = [*changes, *(change for seq in sorted(residue) for change in residue[seq])]
    assert [(change.table, list(change.key)) for change in payload.all_changes()] == [
        (change["table"], change["key"]) for change in listed
    ]


@given(HEADS, CHANGES, RESIDUE)
def test_a_residue_is_written_as_the_whole_payload_would_be(head, changes, residue):
    logged = {seq: [LoggedChange(change) for change in left] for seq, left in residue.items()}
    written = with_residue({**head, "changes": changes}, logged)
    assert written.body == canonical({**head, "changes": changes, "residue": residue})
    assert dict(written) == json.loads(written.body)


def test_a_payload_without_residue_has_an_empty_one():
    payload = read_payload(canonical({"blobs": [], "changes": [], "note": {"residue": {"1": []}, "changes": [2]}}))
    assert (payload.changes, payload.residue, payload.head["note"]["changes"]) == ([], {}, [2])
