"""The page of a browser as the server gives it, and what it reads over REST."""

import json
import queue
import re
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.resources import files
from typing import get_args

import httpx
import jsonschema
import pytest
from http_process import DEADLINE_S, HOSTILE, remembered, tool_called
from server_process import environment

from context_graph.recall.selection import State
from context_graph.server.http.choosing import STATES
from context_graph.server.http.pages import PAGES
from tests.cases.test_models import RAIN
from tests.requirements import requirement

SVG = "http://www.w3.org/2000/svg"
"""Names a language, and is never asked for."""


@requirement("page:served-with-a-policy")
@pytest.mark.parametrize(("path", "kind"), [(path, kind) for path, (_, kind) in PAGES.items()])
def test_each_file_has_its_type_and_a_policy_that_lets_only_the_server_in(server, http, path, kind):
    page = http.get(server.url + path)
    assert page.status_code == 200 and page.headers["Content-Type"] == kind
    policy = dict(part.split(" ", 1) for part in page.headers["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'",
        "img-src": "'self' data:", "base-uri": "'none'", "frame-ancestors": "'none'", "form-action": "'none'",
    }  # fmt: skip
    assert page.headers["X-Content-Type-Options"] == "nosniff" and page.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", PAGES)
def test_what_a_browser_has_is_not_sent_again(server, http, path):
    tag = http.get(server.url + path).headers["ETag"]
    again = http.get(server.url + path, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert http.get(server.url + path, headers={"If-None-Match": '"other"'}).status_code == 200
    assert http.post(server.url + path).status_code == 405


@requirement("page:nothing-from-elsewhere")
def test_no_file_of_the_page_names_another_server_or_reads_html():
    for name, _ in PAGES.values():
        text = files("context_graph.server.http").joinpath("page", name).read_text("utf-8").replace(SVG, "")
        assert not re.search(r"https?:|//[a-z]+\.|@import|url\(", text), name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function| style=", text), (
            name
        )
        assert not re.search(r"\son\w+=[\"']", text), name


@requirement("page:tokens")
def test_the_page_is_open_and_the_memory_is_not(serve, http):
    server = serve()
    token = server.token("laptop", "read")
    assert {http.get(server.url + path).status_code for path in PAGES} == {200}
    for path in ("memories", "memories/node_0193a4b2c1", "models", "models/x", "export", "trash", "proposals"):
        assert http.get(f"{server.url}/api/v1/{path}").status_code == 401, path
    assert http.get(f"{server.url}/api/v1/memories", headers=token).json()["total"] == 0
    assert http.get(f"{server.url}/api/v1/export", headers=token).status_code == 403
    forget = http.post(
        f"{server.url}/api/v1/forget", headers=token, json={"node_id": "node_0193a4b2c1", "reason": "obsolete"}
    )
    assert forget.status_code == 403
    undo = f"{server.url}/api/v1/memories/node_0193a4b2c1/undo"
    assert http.post(undo, headers=token, json={"hash": "0" * 16}).status_code == 403
    lines = http.get(f"{server.url}/api/v1/export", headers=server.token("owner", "admin"))
    assert json.loads(lines.text.splitlines()[0])["type"] == "context-graph export"


@pytest.mark.parametrize("wrong", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
def test_the_page_is_for_the_names_of_the_server_alone(server, http, wrong):
    assert http.get(server.url, headers=wrong).status_code == 403


@requirement("http:timeline")
def test_the_timeline_goes_by_when_it_happened_in_pages(serve, http):
    server = serve()
    for day in (3, 1, 2):
        remembered(server, http, f"Harbour number {day} was full.", occurred_at=f"2026-05-0{day}T12:00:00Z")
    pages = [http.get(f"{server.url}/api/v1/memories", params={"offset": at, "limit": 2}).json() for at in (0, 2, 4)]
    assert [page["total"] for page in pages] == [3, 3, 3]
    assert [[one["occurred_at"][:10] for one in page["memories"]] for page in pages] == [
        ["2026-05-03", "2026-05-02"], ["2026-05-01"], [],
    ]  # fmt: skip
    for query in ("offset=-1", "limit=many", "limit=0", "limit=201", "colour=1"):
        assert http.get(f"{server.url}/api/v1/memories?{query}").status_code == 400
    assert http.post(f"{server.url}/api/v1/memories", json={}).status_code == 405


@requirement("http:timeline")
def test_the_timeline_says_how_many_are_past(serve, http):
    server = serve()
    old = remembered(server, http, "The gate code is 4471.")
    remembered(server, http, "The gate code is 9983.", metadata={"supersedes": [old]})
    remembered(server, http, "The gate is green.")
    shown = http.get(f"{server.url}/api/v1/memories").json()
    assert (shown["total"], shown["past"]) == (3, 1)
    for state, counts in (("past", (1, 1)), ("current", (2, 0)), ("pinned", (0, None))):
        shown = http.get(f"{server.url}/api/v1/memories?state={state}").json()
        assert (shown["total"], shown.get("past")) == counts


@requirement("http:timeline")
def test_a_memory_of_another_session_is_in_no_timeline(serve, http):
    server = serve()
    other = "11111111-1111-4111-8111-111111111111"
    node = remembered(server, http, "The key lies under the mat.", scope="session", session_id=other)
    seen = remembered(server, http, "The mat is blue.")
    shown = http.get(f"{server.url}/api/v1/memories").json()
    assert [one["node_id"] for one in shown["memories"]] == [seen] and shown["total"] == 1
    assert http.get(f"{server.url}/api/v1/memories/{node}").status_code == 404


def test_a_memory_comes_with_claims_links_and_history(server, http):
    first = remembered(server, http, "Anna plays the clarinet.", metadata={"speaker": "Ben", "tags": ["music"]})
    second = remembered(server, http, "Anna bought reeds for the clarinet.", link_to=[first])
    whole = http.get(f"{server.url}/api/v1/memories/{first}").json()
    assert whole["content"] == "Anna plays the clarinet." and whole["speaker"] == "Ben"
    assert whole["metadata"]["tags"] == ["music"]
    assert whole["claims"] == [{"subject": "Anna", "relation": "play", "value": "clarinet"}]
    assert second in [node["node_id"] for node in whole["linked"]]
    (created,) = [write for write in whole["history"] if write["operation"] == "created"]
    assert http.get(f"{server.url}/api/v1/nodes/{first}/history").json()["versions"][0]["operation"] == "created"
    assert len(created["reversal_hash"]) == 16
    assert http.get(f"{server.url}/api/v1/memories/{whole['citation_tag']}").json()["node_id"] == first
    assert http.get(f"{server.url}/api/v1/memories/nonsense").status_code == 404


@requirement("extractor:less-than-rules")
def test_a_claim_that_a_language_model_proposed_comes_with_its_name(server, http):
    proposed = {"model": "tiny:1b", "claims": [{"subject": "Ines", "relation": "live in", "object": "Lisbon"}]}
    node = remembered(server, http, "Ines: Lisbon since spring.", metadata={"_proposed": proposed})
    whole = http.get(f"{server.url}/api/v1/memories/{node}").json()
    mark = {"proposed_by": "tiny:1b"}
    assert whole["claims"] == [{"subject": "Ines", "relation": "live in", "value": "Lisbon", **mark}]
    assert "_proposed" not in whole["metadata"]


def test_what_is_forgotten_is_in_the_trash_and_comes_back(server, http):
    api = f"{server.url}/api/v1"
    node = remembered(server, http, "The spare oar is in the shed.")
    gone = http.post(f"{api}/forget", json={"node_id": node, "reason": "user_requested"}).json()
    assert http.get(f"{api}/memories/{node}").status_code == 404
    (stone,) = [one for one in http.get(f"{api}/trash").json()["tombstones"] if one["node_id"] == node]
    assert stone["reversal_hash"] == gone["reversal_hash"]
    http.post(f"{api}/undo", json={"reversal_hash": gone["reversal_hash"], "preview": False})
    assert http.get(f"{api}/memories/{node}").json()["history"][-1]["operation"] == "restored"


def test_a_creation_is_taken_back_by_the_hash_in_its_history(server, http):
    api = f"{server.url}/api/v1"
    node = remembered(server, http, "The rudder is painted red.")
    (created,) = http.get(f"{api}/memories/{node}").json()["history"]
    assert created["operation"] == "created"
    done = http.post(f"{api}/undo", json={"reversal_hash": created["reversal_hash"], "preview": False})
    assert done.status_code == 200 and http.get(f"{api}/memories/{node}").status_code == 404


def test_a_creation_with_others_has_no_hash_in_the_history_of_one(server, http, tmp_path):
    export = tmp_path / "notes"
    export.mkdir()
    (export / "a.md").write_text(
        "# Oars\n\nThe oars are in the loft.\n\n# Sails\n\nThe sails are at the maker.\n", "utf-8"
    )
    seed = [sys.executable, "-m", "context_graph.cli", "seed", str(export)]
    subprocess.run(seed, env=environment(server.home), check=True, capture_output=True)
    sails = http.post(f"{server.url}/api/v1/recall", json={"query": "Where are the sails?"}).json()["results"][0]
    history = http.get(f"{server.url}/api/v1/memories/{sails['node_id']}").json()["history"]
    assert history[0]["operation"] == "created" and "reversal_hash" not in history[0]


def test_an_answer_to_a_question_is_a_body_for_remember(serve, http):
    server = serve()
    for day, who in (("Tuesday", "Mira"), ("Thursday", "Jonas")):
        remembered(server, http, f"The weekly review is on {day}.", metadata={"speaker": who})
    (task,) = http.get(f"{server.url}/api/v1/proposals").json()["curation_tasks"]
    assert task["proposal"] == "conflict" and {one["tool"] for one in task["answers"]} == {"store_memory"}
    done = http.post(f"{server.url}/api/v1/remember", json=task["answers"][0]["arguments"]).json()
    assert http.get(f"{server.url}/api/v1/proposals").json()["curation_tasks"] == []
    undo = f"{server.url}/api/v1/memories/{done['node_id']}/undo"
    assert set(http.post(undo, json={"hash": done["undo_hash"]}).json()["restored_nodes"]) == set(task["target_nodes"])
    assert http.get(f"{server.url}/api/v1/proposals").json()["curation_tasks"] == [task]


@pytest.mark.parametrize(
    ("body", "status"),
    [({"hash": "0" * 16}, 404), ({"hash": ""}, 404), ({"hash": 1}, 400), ({}, 400), ({"hash": "0", "colour": 1}, 400)],
)
def test_a_write_that_is_not_about_the_memory_is_not_taken_back(server, http, body, status):
    one, other = (remembered(server, http, f"Locker {number} is empty.") for number in (11, 12))
    refused = http.post(f"{server.url}/api/v1/memories/{one}/undo", json=body)
    assert refused.status_code == status and refused.json()["error"]["message"]
    gone = http.post(f"{server.url}/api/v1/forget", json={"node_id": other, "reason": "obsolete"}).json()
    hash = {"hash": gone["reversal_hash"]}
    assert http.post(f"{server.url}/api/v1/memories/{one}/undo", json=hash).status_code == 404
    assert http.post(f"{server.url}/api/v1/memories/{other}/undo", json=hash).json()["restored_nodes"] == [other]


@requirement("page:hostile-memories")
def test_a_hostile_memory_goes_out_as_json_and_nothing_else(server, http):
    node = remembered(server, http, HOSTILE)
    for path in (f"memories/{node}", "memories", "trash"):
        answer = http.get(f"{server.url}/api/v1/{path}")
        assert answer.headers["Content-Type"] == "application/json" and answer.json()
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@requirement("page:models")
def test_a_model_comes_with_where_its_variables_and_cases_stand(serve, http):
    server = serve()
    api = f"{server.url}/api/v1"
    assert http.get(f"{api}/models").json() == {"models": []}
    for name, kind, config in (
        ("garden", "bayesian", RAIN), ("a/b", "case_based", {"features": {"x": {"type": "number", "weight": 2}}}),
        ("empty", "case_based", {}),
    ):  # fmt: skip
        tool_called(server, http, "create_cerebrum_model", name=name, model_type=kind, config=config)
    for number in range(4):
        outcome = {"outcome": "even" if number % 2 == 0 else "odd"} if number < 3 else {}
        tool_called(server, http, "add_case", case_id=f"c{number}", features={"x": number}, model="a/b", **outcome)
    lines = http.get(f"{api}/models").json()["models"]
    assert [(one["name"], one["model_type"]) for one in lines] == [
        ("a/b", "case_based"), ("empty", "case_based"), ("garden", "bayesian"),
    ]  # fmt: skip
    cases, empty, garden = (http.get(f"{api}/models/{one['id']}").json() for one in lines)
    assert cases["features"] == {"x": {"type": "number", "weight": 2.0}} and "network" not in cases
    drawn = cases["cases"]
    assert [(one["case_id"], one.get("outcome")) for one in drawn["cases"]] == [
        ("c0", "even"), ("c1", "odd"), ("c2", "even"), ("c3", None),
    ]  # fmt: skip
    across = [one["x"] for one in drawn["cases"]]
    assert across in (sorted(across), sorted(across, reverse=True)) and len(set(across)) == 4
    assert (drawn["total"], drawn["variance_shown"]) == (4, [1.0])
    assert http.get(f"{api}/memories/{drawn['cases'][0]['node_id']}").json()["name"] == "Case c0"
    assert empty["cases"] == {"cases": [], "variance_shown": [], "total": 0}
    assert "cases" not in garden and garden["network"]["total"] == 3
    places = {one["name"]: (one["y"], one["parents"]) for one in garden["network"]["variables"]}
    assert places == {"rain": (0, []), "sprinkler": (-1, ["rain"]), "wet": (-2, ["rain", "sprinkler"])}
    for unknown in ("nonsense", lines[0]["id"][:-1] + "x", "a%2Fb"):
        assert http.get(f"{api}/models/{unknown}").status_code == 404
    assert http.post(f"{api}/models", json={}).status_code == 405


@requirement("page:models")
def test_a_case_of_another_session_is_on_no_map(serve, http):
    server = serve()
    tool_called(server, http, "create_cerebrum_model", name="m", model_type="case_based")
    for number in range(3):
        tool_called(server, http, "add_case", case_id=f"c{number}", features={"x": number}, model="m")
    hidden = {"case": {"id": "hidden", "model": "m", "features": {"x": 9}}}
    other = "11111111-1111-4111-8111-111111111111"
    remembered(server, http, "A case of one session.", scope="session", session_id=other, metadata=hidden)
    (line,) = http.get(f"{server.url}/api/v1/models").json()["models"]
    drawn = http.get(f"{server.url}/api/v1/models/{line['id']}").json()["cases"]
    assert [one["case_id"] for one in drawn["cases"]] == ["c0", "c1", "c2"] and drawn["total"] == 3


@requirement("page:models")
def test_a_network_is_asked_over_rest_and_an_error_is_an_object(server, http):
    pytest.importorskip("pyagrum", reason="pyAgrum is not installed (extra [causal])")
    tool_called(server, http, "create_cerebrum_model", name="rest", model_type="bayesian", config=RAIN)
    asked = {"network_name": "rest", "query": {"rain": None}}
    infer = f"{server.url}/api/v1/infer"
    prior = http.post(infer, json=asked)
    assert prior.status_code == 200 and prior.json()["results"]["rain"]["probabilities"] == pytest.approx([0.2, 0.8])
    impossible = {"rain": "no", "sprinkler": "off", "wet": True}
    for evidence, status in ((impossible, 400), ({"snow": "yes"}, 400)):
        refused = http.post(infer, json=asked | {"query": {"rain": None}, "evidence": evidence})
        assert refused.status_code == status, refused.text
        assert refused.json()["error"]["message"] and "status" not in refused.json()
    assert http.post(infer, json=asked | {"network_name": "none"}).status_code == 404


def test_views_are_described_as_they_answer(server, http):
    node = remembered(server, http, "The rudder is of oak.")
    tool_called(server, http, "create_cerebrum_model", name="described", model_type="bayesian", config=RAIN)
    tool_called(server, http, "create_cerebrum_model", name="described cases", model_type="case_based")
    schemas = http.get(f"{server.url}/api/v1/openapi.json").json()["components"]["schemas"]
    models = http.get(f"{server.url}/api/v1/models").json()["models"]
    described = [("models", "ModelList"), *((f"models/{one['id']}", "WholeModel") for one in models)]
    described += [("memories", "Timeline"), ("choices", "ChoicesView"), (f"memories/{node}", "WholeMemory")]
    for path, name in described:
        values = http.get(f"{server.url}/api/v1/{path}").json()
        jsonschema.validate(values, {**schemas[name], "components": {"schemas": schemas}})


def heard(url, header, seconds=DEADLINE_S):
    """Starts listening to what is written; a function that waits for the next message, None where none came."""
    lines, begun = queue.Queue(), threading.Event()

    def listen():
        asked = httpx.Client(timeout=seconds, trust_env=False)
        with suppress(httpx.HTTPError), asked, asked.stream("GET", f"{url}/api/v1/watch", headers=header) as stream:
            for line in stream.iter_lines():
                if line == "event: watching":
                    begun.set()
                elif line.startswith("data: {") and line != "data: {}":
                    lines.put(json.loads(line.removeprefix("data: ")))

    threading.Thread(target=listen, daemon=True).start()
    assert begun.wait(DEADLINE_S)

    def next_message(seconds=DEADLINE_S):
        with suppress(queue.Empty):
            return lines.get(timeout=seconds)

    return next_message


@requirement("page:follows")
@pytest.mark.long
def test_a_stream_names_what_its_client_may_see_and_nothing_of_others(serve, http):
    server = serve()
    own, other = server.token("laptop"), server.token("desk")
    assert http.get(f"{server.url}/api/v1/watch").status_code == 401
    news = heard(server.url, own)
    body = {"content": "The key lies under the mat.", "rationale": "for later days", "scope": "session"}
    hidden = http.post(f"{server.url}/api/v1/remember", headers=other, json=body).json()["node_id"]
    body = {"content": "The mat is blue.", "rationale": "for later days"}
    seen = http.post(f"{server.url}/api/v1/remember", headers=other, json=body).json()["node_id"]
    named = set()
    while seen not in named:
        message = news()
        assert message is not None and message["all"] is True
        named |= set(message["nodes"])
    assert hidden not in named
    http.post(f"{server.url}/api/v1/recall", headers=other, json={"query": "Which colour has the mat?"})
    http.post(f"{server.url}/api/v1/forget", headers=other, json={"node_id": seen, "reason": "user_requested"})
    assert news() == {"nodes": [seen], "all": True}, "of what is asked nothing is said"


@requirement("page:filters")
def test_timeline_and_search_take_conditions_and_refuse_what_they_do_not_know(serve, http):
    server = serve()
    for day, speaker in ((1, "Anna"), (2, "Ben"), (3, "Anna")):
        metadata = {"speaker": speaker, "date": f"2026-05-0{day}T12:00:00Z", "project": "harbour"}
        remembered(server, http, f"Harbour number {day} was full.", metadata=metadata)
    api = f"{server.url}/api/v1"
    wanted = {"speaker": "anna", "occurred_from": "2026-05-02T00:00:00Z"}
    page = http.get(f"{api}/memories", params={"offset": 0, **wanted}).json()
    assert page["total"] == 1 and "number 3" in page["memories"][0]["content_snippet"]
    results = http.post(f"{api}/search", json={"query": "Which harbour was full?", **wanted}).json()["results"]
    assert ["number 3" in one["content"] for one in results] == [True]
    assert http.get(f"{api}/choices").json() == {
        "modalities": ["text"], "projects": ["harbour"], "speakers": ["anna", "ben"],
    }  # fmt: skip
    for query in ("state=gone", "occurred_from=yesterday", "colour=blue"):
        assert http.get(f"{api}/memories?{query}").status_code == 400
    for wrong in ({}, {"query": ""}, {"query": "x", "state": "gone"}, {"query": "x", "colour": "blue"}):
        assert http.post(f"{api}/search", json=wrong).status_code == 400
    read = server.token("reader", "read")
    assert http.post(f"{api}/search", headers=read, json={"query": "harbour"}).status_code == 200
    for path in ("choices", "watch"):
        assert http.get(f"{api}/{path}").status_code == 401


def test_the_states_that_a_list_is_narrowed_to_are_those_of_a_selection():
    assert get_args(State) == STATES
