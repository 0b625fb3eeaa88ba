"""docs/resources.md, written from the registries: `python -m context_graph.server.docs > docs/resources.md`."""

from context_graph.prompts import Prompt, all_prompts
from context_graph.resources import Resource, all_resources

__all__ = ["markdown"]

HEAD = """\
# Resources and prompts

What a host may read of the memory, and a person may pick, beside its [tools](tools.md). Written from the code by
`python -m context_graph.server.docs`; do not edit.

## Reading

Resources are listed and read in every revision of the protocol: `resources/list` names those that are worth pinning,
`resources/templates/list` all of them. A read changes nothing, not even how often a memory was read, and fits into one
line of the wire.

A resource shows a caller what tools show that caller: no memory of another session or conversation, nothing in
quarantine. A session opens to a connection whose calls were made in it; naming it in a URI opens nothing.
`current_session` is the session of the connection's last call. Text that was stored leaves as data: quoted line by
line, as a value in JSON, or as a label, which is text to Mermaid, to D3 and to a page, whatever was stored.

A URI that leads nowhere is refused with the code of the revision (-32002 up to 2025-11-25, -32602 since), a parameter
that is wrong with -32602; the message says what was expected, what came and what to do next, `data.uri` repeats it.
Whatever stands in a URI, an argument of a prompt or a word to complete, nothing changes by it.
What a 2026-07-28 client may cache is said beside each answer: lists for an hour, contents not at all.

## Updates

Who subscribes to a resource hears when a call, another process or an edit has changed it: by `resources/subscribe` up
to 2025-11-25, by a stream of `subscriptions/listen` since, whose acknowledgement says which URIs it tells of. The
message says that it changed, not what it is now. Changes that follow each other within a tenth of a second are told of
once. The pulse and the state of a session change with calls alone, so watching them costs nothing in between; of the
others, two numbers are compared every two seconds. Up to 256 URIs a client; lists never change while a server runs.

## Logs

The server logs to stderr. Up to 2025-11-25 a client that calls `logging/setLevel` gets the same records from that level
on as `notifications/message`, at most 20 a second: the first line of each, without secrets and personal data. Before
that call none is sent; 2026-07-28 has no such ability.
"""


PROMPTS = """\
## Prompts

Texts that a person picks and an agent follows, in every revision. Every call that a prompt names is one that a tool
takes, with the arguments that it needs. Text of a person or of the store stands in them as a quotation, line by line. A
wrong prompt or argument is refused with -32602, and is told what was expected.

| prompt | arguments | for |
|---|---|---|
"""

COMPLETION = """
## Completion

`completion/complete` suggests what an argument of a prompt, or a parameter of a template, may become: names, ids and
sessions that the caller may see, and no others. At most 100 are shown. A node may be typed by the first digits of its
id or tag, a concept by the beginning of any word of its name.
"""


def markdown() -> str:
    """The whole page."""
    resources = [_resource(one) for one in all_resources()]
    prompts = "".join(f"{_prompt(one)}\n" for one in all_prompts())
    return "\n".join([HEAD, *resources, f"{PROMPTS}{prompts}{COMPLETION}"])


def _prompt(one: Prompt) -> str:
    arguments = [f"`{each.name}`{'' if each.required else ' (optional)'}" for each in one.arguments]
    return f"| `{one.name}` | {', '.join(arguments)} | {one.description} |"


def _resource(one: Resource) -> str:
    rows = [f"| `{name}` | {', '.join(one.choices.get(name, ())) or 'text'} |" for name in one.parameters]
    rows += [f"| `?{name}=` | {', '.join(values)} |" for name, values in one.options.items()]
    table = "\n".join(["| parameter | values |", "|---|---|", *rows, ""]) if rows else ""
    listed = f"Listed: {', '.join(f'`{uri}`' for uri in one.listed)}. " if one.listed else ""
    nature = {"session": "with calls in its session", "store": "with any write", "never": "no updates"}[one.changes]
    return f"## {one.template}\n\n{one.description}\n\n{listed}`{one.mime_type}`; changes: {nature}.\n\n{table}"


if __name__ == "__main__":
    print(markdown(), end="")
