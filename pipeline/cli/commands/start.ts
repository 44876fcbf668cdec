import { type Command, Option } from "commander";
import { readSettings } from "../map/index.ts";
import { mapHere } from "../options.ts";
import { DEFAULT_PORT, parsePort } from "./serve.ts";

/** Set in the packaged program, which contains the built page but not the sample or the page's sources. */
declare const CAIRN_PROGRAM: string | undefined;

const SAMPLE = "data/sample";
const DATASET = ".cairn/dataset";
const PAGE = "dist";

/**
 * Commands that `start` runs in a map project before it serves, in this order. It leaves out `get` for a map without an
 * area, and `sign` without a private key.
 */
export const MAP_STEPS = ["get", "build", "sign", "site"] as const;

interface StartArguments {
  readonly port: number;
  readonly host: string;
}

/** Registers `cairn start`. `run` runs another command of the program and returns its exit code. */
export function registerStart(program: Command, run: (args: readonly string[]) => Promise<number>): void {
  const command = program
    .command("start")
    .summary("download, build and serve the map of this folder")
    .description("Download, build and serve the map of this folder. In Cairn's sources: build and serve the sample.")
    .addOption(
      new Option("--port <n>", "port; 0 for a free one").env("PORT").argParser(parsePort).default(DEFAULT_PORT),
    )
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addHelpText("after", "\nExample:\n  cairn start --port 8080")
    .action(async ({ port, host }: StartArguments) => {
      const map = await readSettings();
      const isMap = map !== undefined;
      if (!isMap && typeof CAIRN_PROGRAM === "string") await mapHere(command, "folder of a map project");
      const { requirePort, serveDataset } = await import("../serving.ts");
      await requirePort({ port, hostname: host });
      if (isMap) {
        const isRun = (step: string) =>
          (step !== "get" || map.area) && (step !== "sign" || process.env.CAIRN_SIGNING_KEY);
        for (const step of MAP_STEPS.filter(isRun)) {
          process.exitCode = await run([step]);
          if (process.exitCode !== 0) return;
        }
        process.exitCode = await run(["serve", "--port", String(port), "--host", host]);
        return;
      }
      if (typeof CAIRN_PROGRAM === "string") return;
      const { ensureDataset, ensurePage } = await import("../freshness.ts");
      await Promise.all([ensureDataset(SAMPLE, DATASET, "fast"), ensurePage(PAGE, "fast")]);
      await serveDataset({ dataset: DATASET, port, hostname: host, page: PAGE });
    });
}
