"""docs/tools.md, written from the registry: `python -m context_graph.tools.docs > docs/tools.md`."""

from collections.abc import Mapping
from typing import Any

from context_graph.tools.registry import Tool, all_tools, listed
from context_graph.tools.schema import expected, resolve

__all__ = ["markdown"]

HEAD = """\
# Tools

What an agent can ask of the memory. Written from the code by `python -m context_graph.tools.docs`; do not edit.

Every answer carries the pulse: in `structuredContent.pulse`, in `_meta["context-graph/pulse"]` and as the first line
of text. An argument that is wrong, and all else that goes wrong in a call, is an answer with `isError` that says what
was expected, what came and what to do next. `--tools core` lists the tools marked *listed*; all can be called,
also through `use_tool`.

Values go out as JSON in a text and, from 2025-06-18 on, in `structuredContent` too: some clients read one, some the
other, and no ability of the protocol says which. Older revisions get the text alone. A client that reads
`structuredContent` and says so by `context-graph/structured-only` among its `experimental` abilities or `extensions`
gets no copy: the pulse and the notes stay as text, and an error is said in words. Measured with one search that found
one memory: LangChain's adapters 0.3.2 and FastMCP 3.4 give the model 282 tokens, the agents SDK of OpenAI 0.24 gives
284, or 264 where it is set to structure; a host that gives both 557, and with that ability 288. Output schemas more
than double a list: they are listed where `--tools` names tools one by one, up to 48 KB; the lists `core` and `all` have
none, and every table of answers below is such a schema. An error of a tool that is listed with a schema has its values
in `_meta["context-graph/error"]`, since some clients hold errors against the schema too.
"""


def markdown() -> str:
    """The whole page."""
    shown = listed("core")
    rows = [
        f"| [{tool.name}](#{tool.name}) | {'listed' if tool in shown else ''} | {_nature(tool)} |"
        for tool in all_tools()
    ]
    table = "\n".join(["| tool | by default | nature |", "|---|---|---|", *rows])
    return "\n".join([HEAD, table, *(_section(tool) for tool in all_tools())])


def _nature(tool: Tool) -> str:
    if tool.read_only:
        return "reads"
    return "removes" if tool.destructive else "writes"


def _section(tool: Tool) -> str:
    arguments = _rows(tool.input_schema, told_required=True)
    answers = _rows(tool.output_schema, told_required=False)
    parts = [f"\n## {tool.name}\n", tool.description, ""]
    if arguments:
        parts += ["| argument | is | default | meaning |", "|---|---|---|---|", *arguments, ""]
    return "\n".join([*parts, "| answer | is | meaning |", "|---|---|---|", *answers])


def _rows(schema: Mapping[str, Any], *, told_required: bool) -> list[str]:
    rows = []
    for name, field in schema["properties"].items():
        field = resolve(field, schema)
        cells = [f"`{name}`", expected(field, schema)]
        if told_required:
            required = name in schema.get("required", ())
            cells.append("required" if required else str(field.get("default", "")).replace("[]", ""))
        cells.append(field.get("description", ""))
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return rows


if __name__ == "__main__":
    import context_graph.tools  # noqa: F401 - the families register their tools

    print(markdown(), end="")
