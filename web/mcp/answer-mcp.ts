import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpServer, type McpOptions } from "./server.ts";

/** Answers one request of the protocol over streamable HTTP. Nothing is kept between requests, so any number of hosts may answer one client. */
export async function answerMcp(request: Request, options: McpOptions): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
