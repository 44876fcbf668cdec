/**
 * WebMCP: the tools of `/mcp` offered to the browser's agent, where it has one.
 * @see https://webmachinelearning.github.io/webmcp/
 * @module
 */
import { remote } from "./worker/index.ts";

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** Schema of the `structuredContent` in a result. The WebMCP draft lacks this field yet, and browsers without it ignore it. */
  readonly outputSchema?: object;
  readonly annotations?: object;
}

export interface ModelContext {
  registerTool(tool: Tool & { execute(asked: object): Promise<object> }): unknown;
}

/** Registers the tools of the dataset with the browser's agent. */
export async function registerTools(context: ModelContext): Promise<void> {
  const { tools } = (await ask("tools/list", {})) as { readonly tools: readonly Tool[] };
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    await context.registerTool({
      ...{ name, description, inputSchema },
      ...(outputSchema ? { outputSchema } : {}),
      ...(annotations ? { annotations } : {}),
      execute: (asked) => ask("tools/call", { name, arguments: asked }),
    });
  }
}

/** Sends a request of the Model Context Protocol to the worker and returns its result. Throws the errors in answers. */
async function ask(method: string, params: object): Promise<object> {
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const { result, error } = JSON.parse(await remote("mcp", message));
  if (error) throw new Error(error.message);
  return result;
}
