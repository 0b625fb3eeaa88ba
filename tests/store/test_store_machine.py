"""A store against a dict: whatever is done in whatever order, both say the same and replay agrees.

The machine speaks to the ports alone, and runs against everything that answers them.
"""

import copy
import itertools
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from store_scenes import AUTHOR, STORES, Clock, edge, ids, memory, record

from context_graph.errors import NameTaken, NodeNotFound, Refused

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
NAMES, SCOPES = st.sampled_from("ab"), st.sampled_from(["user", "session"])


class StoreMachine(RuleBasedStateMachine):
    """`model` holds what is expected: nodes, edges, vectors, records. `past` remembers it around undoable events."""

    kind: str
    """Which of `STORES` is tried."""

    nodes = Bundle("nodes")
    events = Bundle("events")
    records = Bundle("records")

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))) / "home"
        self.clock = Clock()
        self.new_id = ids()
        self.model: dict[str, dict] = {"nodes": {}, "edges": {}, "vectors": {}, "records": {}}
        self.past: dict[str, tuple[dict, dict]] = {}
        self.purged: set[str] = set()
        self.sources: dict[str, set[str]] = {}
        self.saved: tuple | None = None
        self.known: set[str] = set()
        self.stored = 0
        self.made = 0

    @initialize()
    def open(self) -> None:
        self.store, self.other = (STORES[self.kind](self.home, self.clock, self.new_id) for _ in range(2))

    def name(self, letter: str) -> str:
        self.made += 1
        return f"{letter}{self.made}"

    def commit(self, before: dict, event) -> str:
        self.past[event.hash] = (before, copy.deepcopy(self.model))
        return event.hash

    @rule(target=nodes, text=TEXT, importance=NUMBER, data=st.binary(min_size=1, max_size=9))
    def remember(self, text, importance, data):
        id, before = self.name("n"), copy.deepcopy(self.model)
        with self.store.write("created", AUTHOR) as tx:
            node = memory(id, tx.next_ordinal(), text, importance=importance + 0.0, metadata={"text": text})
            tx.put(node)
            tx.put_vector(id, "E1", "m", data)
        assert node.ordinal == self.stored
        self.stored += 1
        self.model["nodes"][id] = node
        self.model["vectors"][id] = data
        self.known.add(id)
        self.commit(before, tx.committed)
        return id

    @rule(target=events, a=nodes, b=nodes, weight=NUMBER)
    def link(self, a, b, weight):
        before, made = copy.deepcopy(self.model), edge(self.name("e"), a, b, weight=weight + 0.0)
        try:
            with self.store.write("linked", AUTHOR) as tx:
                tx.put(made)
        except NodeNotFound:
            assert not {a, b} <= self.model["nodes"].keys()
            return "nothing"
        self.model["edges"][made.id] = made
        return self.commit(before, tx.committed)

    @rule(target=events, id=nodes, words=st.dictionaries(TEXT, TEXT | NUMBER.map(lambda x: x + 0.0), max_size=3))
    def annotate(self, id, words):
        return self.change(copy.deepcopy(self.model), id, False, metadata=words)

    @rule(target=events, id=nodes)
    def expire(self, id):
        return self.change(copy.deepcopy(self.model), id, False, valid_to=self.clock.now)

    @rule(target=nodes, of=st.lists(nodes, min_size=1, max_size=2), text=TEXT)
    def merge(self, of, text):
        id, before = self.name("m"), copy.deepcopy(self.model)
        with self.store.write("merged", AUTHOR) as tx:
            node = memory(id, tx.next_ordinal(), text, derived_from=tuple(of))
            tx.put(node)
        self.stored += 1
        self.model["nodes"][id] = node
        self.sources[id] = set(of)
        self.known.add(id)
        self.commit(before, tx.committed)
        return id

    @rule(target=events, id=nodes, cascade=st.booleans())
    def forget(self, id, cascade):
        before = copy.deepcopy(self.model)
        return self.change(before, id, cascade, state="forgotten", state_at=self.clock.now, state_by="user")

    @rule(target=events, old=nodes, new=nodes)
    def supersede(self, old, new):
        before = copy.deepcopy(self.model)
        if new not in self.model["nodes"]:
            return "nothing"
        return self.change(before, old, False, superseded_by=new, valid_to=self.clock.now)

    def change(self, before, id, cascade, **columns):
        try:
            with self.store.write("changed", AUTHOR) as tx:
                tx.update(id, **columns)
                if cascade:
                    tx.remove_edges(id)
        except NodeNotFound:
            assert id not in self.model["nodes"]
            return "nothing"
        self.model["nodes"][id] = replace(self.model["nodes"][id], **columns)
        if cascade:
            edges = self.model["edges"]
            self.model["edges"] = {k: e for k, e in edges.items() if id not in (e.source, e.target)}
        return self.commit(before, tx.committed) if tx.committed else "nothing"

    @rule(target=records, name=NAMES, scope=SCOPES, weight=NUMBER)
    def name_a_record(self, name, scope, weight):
        return self.put_record(record(self.name("r"), name, scope=scope, data={"weight": weight + 0.0}))

    @rule(id=records, name=NAMES, weight=NUMBER)
    def change_a_record(self, id, name, weight):
        if known := self.model["records"].get(id):
            self.put_record(replace(known, name=name, data={"weight": weight + 0.0}))

    @rule(id=records, state=st.sampled_from(["live", "forgotten"]))
    def put_a_record_away_or_back(self, id, state):
        if known := self.model["records"].get(id):
            self.put_record(replace(known, state=state))

    @rule(of=st.lists(records, min_size=2, max_size=2, unique=True))
    def let_two_records_change_names(self, of):
        """In one write, in which for a moment none has its name."""
        if not self.model["records"].keys() >= {*of}:
            return
        first, second = (self.model["records"][id] for id in of)
        before, after = copy.deepcopy(self.model), [replace(first, name=second.name), replace(second, name=first.name)]
        try:
            with self.store.write("model", AUTHOR) as tx:
                tx.put(replace(first, name="between"))
                tx.put(after[1])
                tx.put(after[0])
        except NameTaken:
            return
        self.model["records"] |= {one.id: one for one in after}
        if tx.committed:
            self.commit(before, tx.committed)

    @rule(id=records)
    def purge_a_record(self, id):
        if id in self.model["records"]:
            self.store.purge(id, AUTHOR)
            del self.model["records"][id]
            self.past.clear()
            self.saved = None

    def put_record(self, one) -> str:
        before = copy.deepcopy(self.model)
        live = [other for other in self.model["records"].values() if other.state == "live" and other.id != one.id]
        taken = (one.name, one.scope) in {(other.name, other.scope) for other in live}
        try:
            with self.store.write("model", AUTHOR) as tx:
                tx.put(one)
        except NameTaken:
            assert taken and one.state == "live"
            return one.id
        assert not taken or one.state != "live"
        self.model["records"][one.id] = one
        if tx.committed:
            self.commit(before, tx.committed)
        return one.id

    @rule(target=events)
    def undo_the_last(self):
        """Right after an event its undo is exact: everything is as before it."""
        last = self.store.events(1)
        if not last or last[0].hash not in self.past:
            return "nothing"
        before, after = self.past[last[0].hash]
        if after != self.model:
            return "nothing"
        undone = self.store.undo(last[0].hash, AUTHOR)
        assert undone.conflicts == ()
        self.model = copy.deepcopy(before)
        return self.commit(after, undone.event)

    @rule(target=events, hash=events)
    def undo_any(self, hash):
        """Later, others may have built upon it: then the undo takes what it can, and says what it did."""
        if hash not in self.past:
            return "nothing"
        before = copy.deepcopy(self.model)
        try:
            undone = self.store.undo(hash, AUTHOR)
        except Refused:
            return "nothing"
        self.model = self.actual()
        return self.commit(before, undone.event) if undone.event else "nothing"

    @rule(id=nodes)
    def purge(self, id):
        if id in self.purged or id not in self.known:
            return
        gone = {id}
        while more := {made for made, of in self.sources.items() if of & gone} - gone:
            gone |= more
        assert set(self.store.purge(id, AUTHOR).node_ids) == (gone - self.purged) & self.known
        self.purged |= gone
        for part in ("nodes", "vectors"):
            self.model[part] = {key: value for key, value in self.model[part].items() if key not in gone}
        edges = self.model["edges"]
        self.model["edges"] = {k: e for k, e in edges.items() if gone.isdisjoint((e.source, e.target))}
        self.past.clear()
        self.saved = None  # a backup loses it as well; that is tested elsewhere

    @rule()
    def save(self):
        known = copy.deepcopy((self.model, self.stored, self.purged, self.sources, self.known))
        self.saved = (self.store.backup(), *known)

    @rule()
    def put_back(self):
        if self.saved is not None:
            path, self.model, self.stored, self.purged, self.sources, self.known = copy.deepcopy(self.saved)
            self.store.restore(path, AUTHOR)
            self.past.clear()

    @rule()
    def let_another_process_write(self):
        self.store, self.other = self.other, self.store

    @rule(read=st.lists(nodes, max_size=3))
    def read(self, read):
        self.store.effects.add(AUTHOR, nodes=read, pairs=[tuple(read[:2])] if len(set(read)) > 1 else [])
        self.store.effects.flush()
        for id in read:
            if node := self.model["nodes"].get(id):
                self.model["nodes"][id] = replace(
                    node, access_count=node.access_count + 1, last_accessed=max(node.last_accessed, self.clock.now)
                )

    @rule(step=st.integers(-5_000_000, 5_000_000))
    def move_the_clock(self, step):
        self.clock.now += step

    @rule()
    def reopen(self):
        self.store.close()
        self.other.close()
        self.open()

    def actual(self) -> dict[str, dict]:
        nodes = {node.id: node for node in self.store.memories()}
        edges = {edge.id: edge for edge in self.store.all_edges()}
        records = {one.id: one for one in self.store.records("model")}
        return {"nodes": nodes, "edges": edges, "vectors": self.store.vectors(nodes, "E1"), "records": records}

    @invariant()
    def no_two_live_records_share_a_name(self):
        names = [(one.name, one.scope) for one in self.store.records("model") if one.state == "live"]
        assert len(names) == len(set(names))

    @invariant()
    def the_store_says_what_the_dict_says(self):
        assert self.actual() == self.model
        self.store, self.other = self.other, self.store
        assert self.actual() == self.model, "another process sees the same"
        self.store, self.other = self.other, self.store

    @invariant()
    def replay_gives_these_tables(self):
        report = self.store.verify()
        assert report.ok, report

    def teardown(self) -> None:
        self.store.close()
        self.other.close()
        shutil.rmtree(self.home.parent)


for kind, (size, examples) in itertools.product(STORES, {"": 15, "Long": 60}.items()):
    case = type(f"{size}{kind.title()}Machine", (StoreMachine,), {"kind": kind}).TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=25, deadline=None, derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip
    globals()[f"Test{size}{kind.title()}Machine"] = pytest.mark.long(case) if size else case
del case
