// A session of a client in TypeScript: takes a job as JSON on stdin, writes what it saw as JSON on stdout.
import { readFileSync } from "node:fs";

export async function session(client, transport, job, revision) {
  await client.connect(transport);
  const seen = { revision: revision(client, transport) };
  seen.tools = (await client.listTools()).tools.map((one) => one.name);
  seen.calls = {};
  for (const [name, args] of job.calls) {
    const result = await client.callTool({ name, arguments: args });
    seen.calls[name] = {
      error: result.isError ?? false,
      text: result.content[0].text,
      values: result.structuredContent ?? null,
    };
  }
  const refused = await client.callTool({ name: "search_graph", arguments: { query: 7 } });
  seen.refused = { error: refused.isError, text: refused.content[1].text };
  try {
    await client.callTool({ name: "no_such_tool", arguments: {} });
  } catch (error) {
    seen.unknown = error.code;
  }
  seen.resources = {};
  const uris = (await client.listResources()).resources.map((one) => one.uri);
  for (const uri of [...uris, ...job.uris]) {
    seen.resources[uri] = (await client.readResource({ uri })).contents[0].text.length;
  }
  seen.templates = (await client.listResourceTemplates()).resourceTemplates.length;
  seen.prompts = {};
  for (const { name } of (await client.listPrompts()).prompts) {
    seen.prompts[name] = (await client.getPrompt({ name, arguments: job.prompts[name] })).messages.length;
  }
  await client.close();
  process.stdout.write(JSON.stringify(seen));
}

export const job = JSON.parse(readFileSync(0, "utf-8"));
export const [command, ...args] = job.command;
export const stdio = { command, args, env: { ...process.env, ...job.env }, stderr: "ignore" };
