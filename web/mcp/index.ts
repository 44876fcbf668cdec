/**
 * The Model Context Protocol: a dataset as eight tools of an agent, over HTTP and any other transport.
 * @module
 */
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import { type Dataset, type Feature, ReleaseError } from "../engine/index.ts";
import { ParameterError } from "../search/index.ts";
import { TOOLS } from "./tools.ts";

interface McpOptions {
  readonly dataset: Dataset;
  /** Called for every failure that the caller did not cause. */
  readonly onFailure?: (error: unknown) => void;
}

/** Version of the tools: that of the REST interface. */
const VERSION = "1";

/**
 * Creates an MCP server with eight tools over the dataset. Connect it to one transport only: each connection needs a server of
 * its own.
 */
export function createMcpServer({ dataset, onFailure = () => {} }: McpOptions): McpServer {
  const server = new McpServer(
    { name: "cairn", version: VERSION },
    { instructions: "Search of map data: Overture Maps. Show the attribution with the records." },
  );
  for (const { name, description, input, output, run } of TOOLS) {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(
      name,
      { description, inputSchema: input, outputSchema: output, annotations },
      async (asked, { signal }): Promise<CallToolResult> => {
        try {
          const { shown, ...answer } = await run(asked, { dataset, signal });
          const structuredContent = { ...answer, attribution: await creditsOf(dataset, shown) };
          return { content: [{ type: "text", text: textOfAnswer(structuredContent) }], structuredContent };
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof ParameterError || error instanceof ReleaseError)) onFailure(error);
          // the agent can correct its call
          const message = error instanceof Error ? error.message : String(error);
          return { isError: true, content: [{ type: "text", text: message }] };
        }
      },
    );
  }
  return server;
}

/**
 * Answers one request of the protocol over streamable HTTP. It keeps no state, so any number of hosts may answer one client. Any
 * method but POST is a 405, because there is no stream to listen to. Rejects if the request is aborted.
 */
export async function answerMcp(request: Request, options: McpOptions): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405, headers: { Allow: "POST" } });
  request.signal.throwIfAborted();
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const left = new Promise<never>((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason), { once: true });
  });
  try {
    await server.connect(transport);
    return await Promise.race([transport.handleRequest(request), left]);
  } finally {
    // which aborts running work
    await server.close();
  }
}

/** Returns the credits for the records; for the whole dataset if the records are not known. */
async function creditsOf(dataset: Dataset, records: readonly Feature[] | undefined): Promise<string> {
  const { attribution } = await dataset.manifest();
  const sources = records?.flatMap(({ properties }) =>
    listOf(properties.sources).map((source) => textOf(objectOf(source)?.dataset)),
  );
  // the publisher of the release is credited for each record
  const isDue = (of: string) => of === "Overture" || (sources?.includes(of) ?? true);
  const texts = attribution.filter(({ dataset: of }) => isDue(of)).map(({ text }) => text);
  return [...new Set(texts)].join("; ");
}

/** Returns the answer as text with a line per value, which is shorter than JSON and as easy to read. */
function textOfAnswer(answer: Readonly<Record<string, unknown>>): string {
  return Object.entries(answer)
    .flatMap(([name, value]) => {
      if (!Array.isArray(value)) return [`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
      return value.length === 0 ? [`${name}: none`] : [`${name}:`, ...value.map(String)];
    })
    .join("\n");
}
