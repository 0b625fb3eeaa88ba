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


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("POST", "remember", b"{}", 400),
        ("POST", "remember", b"[]", 400),
        ("POST", "remember", b"{", 400),
        ("POST", "recall", b'{"query": "\\ud800"}', 400),
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
    assert answer.json()["error"]["message"]
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
