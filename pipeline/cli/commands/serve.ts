import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseOrigin } from "../../../web/hosts/node/callers.ts";
import { CONNECTION_LIMITS } from "../../../web/hosts/node/limits.ts";
import { parsePublicUrl } from "../../../web/hosts/node/public-url.ts";
import { SEARCH_LIMITS } from "../../../web/hosts/node/searches.ts";
import { FOLDERS } from "../map/index.ts";
import { mapHere, parseCount, parsed } from "../options.ts";
import { PAGE } from "../version.ts";

/** Returns the port number of the text, 0 to 65,535. Throws for another text. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError(`a port is an integer from 0 to 65535, got ${text}`);
}

export const DEFAULT_PORT = 8300;

const MEBIBYTE = 1024 * 1024;

interface ServeOptions {
  readonly port: number;
  readonly host: string;
  readonly page: string;
  readonly keys?: string;
  readonly publicUrl?: string;
  readonly trustProxy?: true;
  readonly origin?: readonly string[];
  readonly connections: number;
  readonly searches: number;
  readonly cache: number;
}

/** Registers `cairn serve`. */
export function registerServe(program: Command): void {
  const command = program
    .command("serve")
    .summary("serve a dataset, its REST interface and the page")
    .description("Serve the REST interface, the dataset's files, and the page if it is built.")
    .argument("[dataset]", "folder of a dataset")
    .option("--port <n>", "port; 0 for a free one", parsePort, DEFAULT_PORT)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .addOption(new Option("--page <folder>", "folder of the built page").default(PAGE).conflicts("keys"))
    .option("--keys <file>", "file of SHA-256 of API keys (default: no keys)")
    .option("--public-url <url>", "base URL of links (default: relative links)", parsed(parsePublicUrl))
    .option("--trust-proxy", "read the base URL from X-Forwarded-* headers")
    .option(
      "--origin <origin>",
      "origin that may use /mcp; '*' for any",
      (text: string, before: readonly string[] = []) => [...before, parsed(parseOrigin)(text)],
    )
    .option("--connections <n>", "maximum connections", parseCount, CONNECTION_LIMITS.connections)
    .option("--searches <n>", "maximum parallel searches", parseCount, SEARCH_LIMITS.running)
    .option("--cache <MiB>", "memory for cached data", parseCount, 512)
    .addHelpText("after", "\nExample:\n  cairn serve .cairn/dataset --port 8080")
    .action(
      async (
        given: string | undefined,
        { host, page: wanted, keys, origin, connections, searches, cache, ...options }: ServeOptions,
      ) => {
        if (given === undefined) await mapHere(command, "dataset");
        const dataset = given ?? join(FOLDERS.site, "dataset");
        const page = given === undefined && command.getOptionValueSource("page") === "default" ? FOLDERS.site : wanted;
        const { requirePage, serveDataset } = await import("../serving.ts");
        if (command.getOptionValueSource("page") !== "default") await requirePage(page);
        await serveDataset({
          dataset,
          hostname: host,
          // The page sends no API key.
          ...(keys === undefined ? { page } : { keys }),
          origins: origin,
          cacheBytes: cache * MEBIBYTE,
          limits: { ...CONNECTION_LIMITS, connections },
          searchLimits: { ...SEARCH_LIMITS, running: searches },
          ...options,
        });
      },
    );
}
