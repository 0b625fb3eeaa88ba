"""REST: the same tools for programs that speak no MCP."""

import jsonschema
import pytest
from http_process import enveloped

from context_graph.server.http.rest import ROUTES
from context_graph.tools import find
from tests.requirements import requirement


@requirement("http:rest")
def test_a_program_remembers_recalls_forgets_and_takes_it_back(server, http):
    api = f"{server.url}/api/v1"
    stored = http.post(f"{api}/remember", json={"content": "The mast is 14 m high.", "rationale": "for low bridges"})
    assert stored.status_code == 200
    node = stored.json()["node_id"]
    found = http.post(f"{api}/recall", json={"query": "How high is the mast?"}).json()
    assert found["results"][0]["node_id"] == node
    assert "14 m" in http.post(f"{api}/inject", json={"query": "How high is the mast?"}).json()["context"]
    for id in (node, f"node_{node[:8]}"):
        shown = http.get(f"{api}/nodes/{id}").json()
        assert shown["expansions"][0]["raw_content"] == "The mast is 14 m high."
    history = http.get(f"{api}/nodes/{node}/history", params={"limit": 5}).json()
    assert [one["operation"] for one in history["versions"]] == ["created"]
    assert http.get(f"{api}/health").json()["status"] == "healthy"


def test_a_removal_is_taken_back(server, http):
    api = f"{server.url}/api/v1"
    body = {"content": "The anchor weighs 12 kg.", "rationale": "for the winch"}
    node = http.post(f"{api}/remember", json=body).json()["node_id"]
    body, headers = enveloped("tools/call", name="forget_concept", arguments={"node_id": node, "reason": "obsolete"})
    removed = http.post(server.mcp, json=body, headers=headers).json()["result"]["structuredContent"]
    assert http.get(f"{api}/nodes/{node}").status_code == 404
    taken_back = http.post(f"{api}/undo", json={"reversal_hash": removed["reversal_hash"], "preview": False})
    assert taken_back.json()["restored_nodes"] == [node]
    assert http.get(f"{api}/nodes/{node}").status_code == 200


@requirement("http:rest")
def test_the_undo_hash_of_a_remembered_text_takes_it_back_and_redoes_it(server, http):
    api = f"{server.url}/api/v1"
    body = {"content": "The kiln is at 1200 degrees.", "rationale": "for the pottery course"}
    stored = http.post(f"{api}/remember", json=body).json()
    preview = http.post(f"{api}/undo", json={"reversal_hash": stored["undo_hash"]}).json()
    assert (preview["original_operation"], preview["previewed"]) == ("created", True)
    assert stored["node_id"] in preview["removed_nodes"] and preview["success"]
    assert http.get(f"{api}/nodes/{stored['node_id']}").status_code == 200
    done = http.post(f"{api}/undo", json={"reversal_hash": stored["undo_hash"], "preview": False}).json()
    assert done["success"] and not done["previewed"]
    assert http.get(f"{api}/nodes/{stored['node_id']}").status_code == 404
    again = http.post(f"{api}/undo", json={"reversal_hash": done["reversal_hash"], "preview": False}).json()
    assert again["restored_nodes"] and http.get(f"{api}/nodes/{stored['node_id']}").status_code == 200


def test_the_undo_of_what_another_session_keeps_is_not_found(server, http):
    api, other = f"{server.url}/api/v1", "22222222-2222-4222-8222-222222222222"
    body = {"content": "The safe is behind the clock.", "rationale": "for me alone", "scope": "session"}
    stored = http.post(f"{api}/remember", json=body | {"session_id": other}).json()
    refused = http.post(f"{api}/undo", json={"reversal_hash": stored["undo_hash"], "preview": False})
    assert refused.status_code == 404 and refused.json()["error"]["code"] == "REVERSAL_NOT_FOUND"
    assert "clock" not in refused.text


@requirement("http:rest")
def test_the_trash_comes_in_pages_with_its_total(serve, http):
    api = f"{serve().url}/api/v1"
    nodes = []
    for number in range(5):
        body = {"content": f"Locker {number} is empty.", "rationale": "for the move"}
        nodes.append(http.post(f"{api}/remember", json=body).json()["node_id"])
        http.post(f"{api}/forget", json={"node_id": nodes[-1], "reason": "obsolete"})
    pages = [http.get(f"{api}/trash", params={"offset": at, "limit": 2}).json() for at in (0, 2, 4, 6)]
    assert [page["total"] for page in pages] == [5, 5, 5, 5] and [page["offset"] for page in pages] == [0, 2, 4, 6]
    assert [stone["node_id"] for page in pages for stone in page["tombstones"]] == nodes[::-1]
    whole = http.get(f"{api}/trash").json()
    assert len(whole["tombstones"]) == 5 == len(http.get(f"{api}/trash?top_k=50").json()["tombstones"])
    assert len(http.get(f"{api}/trash?top_k=3").json()["tombstones"]) == 3
    for query in ("top_k=51", "top_k=0", "limit=51", "limit=0", "offset=-1", "query=oar"):
        refused = http.get(f"{api}/trash?{query}")
        assert refused.status_code == 400, query
        name = query.partition("=")[0]
        assert name == "query" or f"{name} must be a whole number from" in refused.json()["error"]["message"]


def test_a_person_is_told_of_no_tool_where_a_memory_is_not_there(server, http):
    answer = http.get(f"{server.url}/api/v1/memories/11111111-1111-4111-8111-111111111111")
    assert answer.status_code == 404
    assert "search_graph" not in answer.text and "a search finds" in answer.json()["error"]["message"]


def test_half_of_a_surrogate_pair_is_stored_as_a_sign_that_could_not_be_read(server, http):
    content = b'{"content": "Eva sails \\ud83d", "rationale": "a hobby of a friend"}'
    stored = http.post(f"{server.url}/api/v1/remember", content=content, headers={"Content-Type": "application/json"})
    assert stored.status_code == 200, stored.text
    whole = http.get(f"{server.url}/api/v1/memories/{stored.json()['node_id']}").json()
    assert "Eva sails \ufffd" in str(whole)


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "remember", b"{}", 400),
        ("POST", "remember", b"[]", 400),
        ("POST", "remember", b"{", 400),
        ("POST", "recall", b'{"query": "x", "colour": 1}', 400),
        ("GET", "recall", b"", 405),
        ("GET", "nodes/11111111-1111-4111-8111-111111111111", b"", 404),
        ("GET", "nodes/nonsense", b"", 400),
        ("GET", "nodes/11111111-1111-4111-8111-111111111111/history", b"", 404),
        ("GET", "nodes/x/history?limit=many", b"", 400),
        ("POST", "undo", b'{"reversal_hash": "9c1e5a7704bd21f3"}', 404),
        ("GET", "nowhere", b"", 404),
        ("POST", "metrics", b"{}", 405),
    ],
)
def test_what_goes_wrong_has_a_status_and_says_what_to_do(server, http, method, path, content, status):
    url, headers = f"{server.url}/api/v1/{path}", {"Content-Type": "application/json"}
    answer = http.request(method, url, content=content, headers=headers)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["message"] and error["code"] and isinstance(error["hint"], str)
    form = http.request(method, url, content=content, headers={"Content-Type": "text/plain"})
    assert form.status_code == (415 if (method, status) == ("POST", 400) or path == "undo" else status)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("limit=abc", "limit must be a whole number from 1 to "), ("limit=abc", ", got 'abc'"),
        ("offset=-1", "offset must be a whole number from 0 to 999999999, got '-1'"),
        ("offset=1234567890", "offset must be a whole number"), ("colour=1", "a parameter must be one of "),
    ],
)  # fmt: skip
def test_a_wrong_value_is_told_from_a_wrong_name(server, http, query, message):
    refused = http.get(f"{server.url}/api/v1/memories?{query}")
    assert refused.status_code == 400 and message in refused.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("GET", "recall", None, "GET is not for this path; use POST"),
        ("GET", "nodes/nonsense", None, "got 'nonsense'"),
        ("POST", "search", {"query": ""}, "query: String should have at least 1 character, got ''; the body has query"),
        ("POST", "search", {}, "query: Field required; the body has query"),
    ],
)
def test_an_error_says_what_came_and_what_is_taken(server, http, method, path, body, message):
    answer = http.request(method, f"{server.url}/api/v1/{path}", json=body)
    assert message in answer.json()["error"]["message"]


@requirement("http:openapi")
def test_the_description_is_that_of_the_tools_and_has_no_loose_end(server, http):
    page = http.get(f"{server.url}/api/v1/openapi.json").json()
    assert page["openapi"] == "3.1.0" and set(page["paths"]) >= {route.path for route in ROUTES}
    schemas = page["components"]["schemas"]

    def references(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from [inner] if key == "$ref" else references(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from references(inner)

    assert {one.removeprefix("#/components/schemas/") for one in references(page)} <= set(schemas)
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    remember = schemas["StoreMemoryInput"]
    assert set(remember["properties"]) == set(find("store_memory").input_schema["properties"])
    found = http.post(f"{server.url}/api/v1/recall", json={"query": "mast"}).json()
    jsonschema.validate(found, {**schemas["SearchGraphOutput"], "components": {"schemas": schemas}})
