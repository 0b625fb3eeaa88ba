// An agent in TypeScript beside a memory: it starts the server, stores, asks, and keeps notes that end by themselves.
//
// npm install @modelcontextprotocol/sdk; the server is the command of the environment variable SERVER, else
// "context-graph serve". It is split at blanks; no shell reads it.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

type Values = Record<string, any>;

interface Note {
  content: string;
  expires_at: string;
}

class Memory {
  private constructor(private readonly client: Client) {}

  static async open(server: string): Promise<Memory> {
    const [command, ...args] = server.split(" ");
    const client = new Client({ name: "typescript-example", version: "1" });
    const env = process.env as Record<string, string>; // else the server would not see CONTEXT_GRAPH_HOME
    await client.connect(new StdioClientTransport({ command, args, env }));
    return new Memory(client);
  }

  /** The values of a tool's answer; what the server refuses is thrown with its words. */
  async callTool(name: string, args: Values = {}): Promise<Values> {
    const result = await this.client.callTool({ name, arguments: args }, undefined, { timeout: 30_000 });
    const texts = (result.content as { text?: string }[]).map((part) => part.text ?? "");
    if (result.isError) throw new Error(texts.join("\n"));
    return (result.structuredContent ?? {}) as Values;
  }

  /** Keep what shall last. */
  async remember(content: string, rationale: string): Promise<string> {
    return (await this.callTool("store_memory", { content, rationale })).node_id;
  }

  async search(query: string, limit = 3): Promise<string[]> {
    const { results } = await this.callTool("search_graph", { query, top_k: limit, include_content: true });
    return results.map((one: Values) => one.content);
  }

  /** Keep a note in a namespace; it is gone after an hour (`expires_at`), and no other namespace sees it. */
  async store(namespace: string, content: string, tags: string[] = []): Promise<Note> {
    const { items } = await this.scratchpad(namespace, { action: "store", content, tags });
    return items.at(-1);
  }

  async retrieve(namespace: string, tags?: string[]): Promise<Note[]> {
    return (await this.scratchpad(namespace, { action: "retrieve", ...(tags ? { tags } : {}) })).items;
  }

  private scratchpad(namespace: string, args: Values): Promise<Values> {
    return this.callTool("temporary_scratchpad", { session_id: namespace, agent_id: "typescript-example", ...args });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

const memory = await Memory.open(process.env.SERVER ?? "context-graph serve");
try {
  await memory.remember("The spare key hangs behind the boiler.", "asked for now and then");
  console.log("found:", (await memory.search("Where is the spare key?"))[0]);

  const monday = "5f0c1d8e-0000-4000-8000-000000000001";
  const tuesday = "5f0c1d8e-0000-4000-8000-000000000002";
  const note = await memory.store(monday, "Perhaps the boiler leaks.", ["boiler"]);
  const minutes = (Date.parse(note.expires_at) - Date.now()) / 60_000;
  console.log("a note for", Math.round(minutes), "minutes:", note.content);
  console.log("of monday:", (await memory.retrieve(monday, ["boiler"])).length);
  console.log("of tuesday:", (await memory.retrieve(tuesday)).length);

  await memory.callTool("search_graph", { query: "key", top_k: 0 }).catch((error: Error) => {
    console.log("refused:", error.message.includes("top_k"));
  });
} finally {
  await memory.close();
}
