import type { Command } from "commander";

/** Registers `cairn mcp`. */
export function registerMcp(program: Command): void {
  program
    .command("mcp")
    .summary("serve a dataset to an agent with the Model Context Protocol")
    .description(
      "Serve a dataset to an agent: the Model Context Protocol on standard input and output. cairn serve has it at /mcp.",
    )
    .argument("<dataset>", "folder or URL of a dataset")
    .addHelpText("after", "\nExample:\n  cairn mcp https://maps.example/dataset/")
    .action(async (dataset: string) => {
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(dataset);
      const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
      const { createMcpServer } = await import("../../../web/mcp/index.ts");
      const { openNodeDataset } = await import("../../../web/hosts/node/open.ts");
      const server = createMcpServer({
        dataset: openNodeDataset(dataset),
        onFailure: (error) => console.error("cairn:", error),
      });
      await server.connect(new StdioServerTransport());
    });
}
