"""Documents as a graph: what links to what, what is broken, and a job done over all of them."""

import tempfile
from pathlib import Path

from context_graph import Memory
from context_graph.server.dispatch import call
from context_graph.settings import Settings

FILES = {
    "docs/index.md": "# Home\n\nSee [[Tokens]] and [how to log in](guides/login.md#steps), or [the plan](plan.md).\n",
    "docs/concepts/Tokens.md": "---\ntags: [security]\n---\n# Tokens\n\nA token is signed with the server's key.\n",
    "docs/guides/login.md": "# Log in\n\n## Steps\n\nAsk for a [token](../concepts/Tokens.md). #security\n",
    "docs/alone.md": "# Alone\n\nNothing links here.\n",
}

with tempfile.TemporaryDirectory() as folder:
    project = Path(folder) / "project"
    for path, text in FILES.items():
        (project / path).parent.mkdir(parents=True, exist_ok=True)
        (project / path).write_text(text, encoding="utf-8")
    with Memory(Settings(home=Path(folder) / "home", tier="base", project=project)) as memory:

        def ask(tool, **arguments):
            return call(memory, tool, arguments).structured["data"]

        read = ask("kg_graph_generate")
        print("documents:", read["nodesGenerated"], "edges:", read["edgesCreated"], "orphans:", read["orphans"])
        broken = read["brokenLinks"][0]
        print("broken:", broken["source"], "line", broken["line"], "->", broken["target"])

        found = ask("kg_search_nodes", query="signed key")["nodes"][0]
        print("found:", found["path"], "|", found["snippet"][-45:])
        way = ask("kg_graph_query", query="", pathFrom="docs/index.md", pathTo="docs/concepts/Tokens.md")
        print("way:", " > ".join(way["path"]))
        print("tags:", ask("kg_list_tags"))

        (project / "docs/plan.md").write_text("# The plan\n\n[[alone]]\n", encoding="utf-8")
        again = ask("kg_graph_generate", incremental=True)
        print("added:", again["nodesAdded"], "unchanged:", again["nodesUnchanged"], "broken:", again["brokenLinkCount"])

        agent = ask("kg_agent_spawn", type="researcher", task="how are tokens signed?")
        print("the agent read:", agent["taskResult"]["findings"][0]["path"])
        memory.background.wait()
        hit = call(memory, "search_graph", {"query": "How is a token signed?"}).structured["results"][0]
        print("a memory of", hit["source"])
