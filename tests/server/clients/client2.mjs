// The client of @modelcontextprotocol/client, the second line of the TypeScript SDK.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { job, session, stdio } from "./session.mjs";

const transport = job.url ? new StreamableHTTPClientTransport(new URL(job.url)) : new StdioClientTransport(stdio);
const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: job.mode } });
await session(client, transport, job, () => client.getNegotiatedProtocolVersion());
