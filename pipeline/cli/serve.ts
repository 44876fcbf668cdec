import { type Command, InvalidArgumentError } from "commander";

/** A TCP port; 0 takes a free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError(`a port is an integer from 0 to 65535, got ${text}`);
}

/** `cairn serve`: the REST paths and the page by Node. */
export function registerServe(program: Command): void {
  program
    .command("serve")
    .summary("serve a dataset, its REST paths and the page")
    .description("Serves the REST paths, the dataset's files and, when it is built, the page.")
    .argument("<dataset>", "folder of a dataset")
    .option("--port <n>", "port to listen on, 0 for a free one", parsePort, 5173)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--page <folder>", "folder of the built page", "dist")
    .option("--keys <file>", "file with the SHA-256 of each key, one a line; without it no key is needed")
    .addHelpText("after", "\nExample:\n  cairn serve .cairn/dataset --port 8080")
    .action(async (dataset: string, options: { port: number; host: string; page: string; keys?: string }) => {
      const { serveDataset } = await import("./serving.ts");
      const { port, host, page, keys } = options;
      await serveDataset({ dataset, port, hostname: host, page, keys });
    });
}
