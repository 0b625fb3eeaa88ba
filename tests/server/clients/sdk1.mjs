// The client of @modelcontextprotocol/sdk, the first line of the TypeScript SDK.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { job, session, stdio } from "./session.mjs";

const transport = job.url ? new StreamableHTTPClientTransport(new URL(job.url)) : new StdioClientTransport(stdio);
let revision;
transport.setProtocolVersion = ((set) => (version) => {
  revision = version;
  set?.call(transport, version);
})(transport.setProtocolVersion);
await session(new Client({ name: "test", version: "1" }), transport, job, () => revision);
