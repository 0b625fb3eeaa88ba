"""Every tool beside stores, removals and permanent deletions: each call is answered, none waits for ever."""

import faulthandler
import itertools
import queue
import threading
import time
from importlib.util import find_spec
from random import Random

import pytest
from every_tool import ARGUMENTS, EXTRAS, NETWORK, SESSION

from context_graph.memory import Memory
from context_graph.server.dispatch import call
from context_graph.server.host import Host
from context_graph.settings import Settings
from context_graph.tools import built
from tests.requirements import requirement

LIMIT_S = 25
"""What any one call may take, on a loaded machine too: a deadlock takes for ever."""

THREADS = 4


class Caller:
    """Calls tools, in an order of its own, on memories of its own and on those of all."""

    def __init__(self, host: Host, seed: int, standing: list[str], tools: list[str], rounds: int) -> None:
        self.host, self.random, self.standing, self.tools, self.rounds = host, Random(seed), standing, tools, rounds
        self.names = (f"{seed}-{i}" for i in itertools.count())
        self.under_way: tuple[str, float] | None = None

    def run(self, problems: "queue.SimpleQueue[str]") -> None:
        for _ in range(self.rounds):
            for name in self.random.sample(self.tools, len(self.tools)):
                own = self.call("store_memory", self.draft()).structured["node_id"]
                outcome = self.call(name, self.arguments(name, own))
                if outcome.is_error and find_spec(EXTRAS.get(name, "json")) is not None:
                    problems.put(f"{name}: {outcome.structured['error']}")
                ways = ({}, {"reason": "obsolete"}, {"reason": "user_requested", "soft_delete": False})
                way = self.random.choice(ways)
                if way and name != "forget_concept" and self.call("forget_concept", {"node_id": own} | way).is_error:
                    problems.put(f"{own} could not be forgotten")

    def draft(self) -> dict:
        name = next(self.names)
        content = f"Pump {name} in hall {self.random.randrange(9)} moves {self.random.randrange(900)} litres of brine."
        return {"content": content, "rationale": f"what pump {name} is for"}

    def arguments(self, name: str, own: str) -> dict:
        if name in ARGUMENTS:
            return ARGUMENTS[name]
        if name == "store_memory":
            return self.draft()
        if name == "restore_from_hash":
            forgotten = self.call("forget_concept", {"node_id": own, "reason": "obsolete"})
            return {"reversal_hash": forgotten.structured["reversal_hash"], "preview": False}
        if name == "merge_concepts":
            other = self.call("store_memory", self.draft()).structured["node_id"]
            return {"source_node_ids": [own, other], "target_name": "two pumps", "force_merge": True}
        if name == "utl_status":
            self.call("store_memory", {**self.draft(), "session_id": SESSION})
            return {"session_id": SESSION}
        if name == "create_cerebrum_model":
            return {"name": next(self.names), "model_type": "case_based"}
        if name == "add_case":
            return {"case_id": next(self.names), "features": {"hall": self.random.randrange(9)}, "outcome": "moves"}
        if name == "reason_with_cases":
            self.call("add_case", self.arguments("add_case", own))
            return {"query_features": {"hall": 3}}
        if name in ("bayesian_inference", "visualize_model", "transform_model"):
            model = next(self.names)
            self.call("create_cerebrum_model", {"name": model, "model_type": "bayesian", "config": NETWORK})
            if name == "bayesian_inference":
                return {"network_name": model, "query": {"pump": None}}
            if name == "visualize_model":
                return {"model_type": "network", "model_name": model}
            feedback = {"features": {"pump": "stands"}}
            return {"model_name": model, "transformation": "learn_from_feedback", "feedback": feedback}
        if name == "annotate_node":
            return {"node_id": own, "annotation": "as Tom says"}
        if name in ("restore_concept", "entailment_query", "verify_code_node"):
            return {"node_id": own}
        if name == "hydrate_citation":
            return {"citation_tags": [f"node_{self.random.choice(self.standing)[:8]}"]}
        if name == "forget_concept":
            return {"node_id": own, "reason": "user_requested", "soft_delete": False}
        assert name in ("get_node_lineage", "boost_importance"), f"give {name} arguments here"
        return {"node_id": own}

    def call(self, name: str, arguments: dict):
        self.under_way = name, time.monotonic()
        try:
            return self.host.call(name, arguments)
        finally:
            self.under_way = None

    @property
    def waits(self) -> str | None:
        """The tool that has not answered in time."""
        under_way = self.under_way
        return under_way[0] if under_way and time.monotonic() - under_way[1] > LIMIT_S else None


@requirement("server:never-hangs")
@pytest.mark.parametrize(
    ("share", "rounds"), [pytest.param(2, 1, marks=pytest.mark.long), pytest.param(1, 4, marks=pytest.mark.long)]
)
def test_every_tool_answers_beside_stores_and_removals(tmp_path, share, rounds):
    """Each of the threads calls one of so many shares of the tools, so often."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Pump\n\nA pump moves brine. [[Pump]] #pump\n", "utf-8")
    settings = Settings(home=tmp_path / "home", tier="base", allow_permanent_deletion=True, project=tmp_path)
    with Memory(settings) as memory:
        for name in ("kg_graph_generate", "kg_vector_upsert"):
            assert not call(memory, name, ARGUMENTS[name]).is_error
        texts = [f"Pump {i * 7919} in hall {i % 9} moves {i} litres because valve {i} is open." for i in range(60)]
        given = [{"content": text, "rationale": "a fact of the halls", "link_to": []} for text in texts]
        standing = [call(memory, "store_memory", each).structured["node_id"] for each in given]
    host = Host(settings)
    callers = [Caller(host, seed, standing, built()[seed % share :: share], rounds) for seed in range(THREADS)]
    problems: queue.SimpleQueue[str] = queue.SimpleQueue()
    threads = [threading.Thread(target=caller.run, args=(problems,), daemon=True) for caller in callers]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        for thread in threads:
            thread.join(0.2)
        stuck = [name for caller in callers if (name := caller.waits)]
        if stuck:
            faulthandler.dump_traceback(all_threads=True)
            pytest.fail(f"{', '.join(stuck)} did not answer in {LIMIT_S} s; the stacks are on stderr")
    found = []
    while not problems.empty():
        found.append(problems.get())
    assert found == []
    host.close()


@requirement("server:never-hangs")
def test_every_tool_answers_on_one_connection_at_once(start, tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Pump\n\nA pump moves brine. #pump\n", "utf-8")
    monkeypatch.setenv("CONTEXT_GRAPH_PROJECT", str(tmp_path))
    server = start(tools="all")
    server.begin()

    def keep(number):
        content = f"Pump {number * 7919} in hall {number % 9} moves {number} litres of brine."
        return {"content": content, "rationale": f"what pump {number * 7919} is for"}

    ids = [server.call("store_memory", **keep(number))["structuredContent"]["node_id"] for number in range(30)]
    for name in ("kg_graph_generate", "kg_vector_upsert"):
        assert not server.call(name, **ARGUMENTS[name])["isError"]
    asked = {}
    for number in range(1, 3):
        for name, arguments in ARGUMENTS.items():
            asked[server.request("tools/call", name=name, arguments=arguments)] = name
            asked[server.request("tools/call", name="store_memory", arguments=keep(100 * number + len(asked)))] = (
                "store"
            )
        for way in ({"reason": "obsolete"}, {"reason": "user_requested", "soft_delete": False}):
            arguments = {"node_id": ids.pop()} | way
            asked[server.request("tools/call", name="forget_concept", arguments=arguments)] = "forget_concept"
    while asked:
        answer = server.read(timeout=LIMIT_S)
        name = asked.pop(answer["id"])
        assert not answer["result"]["isError"], (name, answer["result"]["content"])
    assert server.leave() == 0
    assert "has not answered" not in server.errors()
