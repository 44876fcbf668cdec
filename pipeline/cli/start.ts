import type { Command } from "commander";
import { parsePort } from "./serve.ts";

const SAMPLE = "data/sample";
const DATASET = ".cairn/dataset";
const PAGE = "dist";

export function registerStart(program: Command): void {
  program
    .command("start")
    .summary("build the sample dataset and the page, then serve both")
    .description("Builds the sample dataset and the page when something changed, then serves both.")
    .option("--port <n>", "port to listen on, 0 for a free one", parsePort, Number(process.env.PORT ?? 5173))
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .action(async (options: { port: number; host: string }) => {
      const { ensureDataset, ensurePage } = await import("./freshness.ts");
      await Promise.all([ensureDataset(SAMPLE, DATASET), ensurePage(PAGE)]);
      const { serveDataset } = await import("./serving.ts");
      await serveDataset({ dataset: DATASET, port: options.port, hostname: options.host, page: PAGE });
    });
}
