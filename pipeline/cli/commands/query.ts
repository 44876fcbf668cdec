import { setMaxListeners } from "node:events";
import type { Command } from "commander";
import { UsageError } from "../usage.ts";

const BASE = "http://localhost/";

/** Registers `cairn query`. */
export function registerQuery(program: Command): void {
  program
    .command("query")
    .summary("answer a REST request from a dataset")
    .description("Answer a request of the REST interface from a dataset, and print the body.")
    .argument("<dataset>", "folder or URL of a dataset")
    .argument("<request>", "path and query, such as '/places?country=MC'")
    .option("--head", "print status and headers first, then a blank line")
    .addHelpText("after", "\nExample:\n  cairn query .cairn/dataset '/buildings?country=MC&limit=2' --head")
    .action(async (dataset: string, request: string, options: { head?: boolean }) => {
      if (!URL.canParse(request, BASE))
        throw new UsageError(`expected a path and query such as /places?country=MC, got ${request}`);
      const { requireDataset } = await import("../serving.ts");
      await requireDataset(dataset);
      const { createApi } = await import("../../../web/api/index.ts");
      const { openNodeDataset } = await import("../../../web/hosts/node/open.ts");
      const api = createApi({ dataset: openNodeDataset(dataset) });
      const asked = new Request(new URL(request, BASE));
      // A search reads many files in parallel, each with a listener for the abort.
      setMaxListeners(0, asked.signal);
      const response = await api(asked);
      if (options.head) {
        process.stdout.write(`${response.status} ${response.statusText}`.trimEnd());
        process.stdout.write("\n");
        for (const [name, value] of response.headers) process.stdout.write(`${name}: ${value}\n`);
        process.stdout.write("\n");
      }
      const { pipeline } = await import("node:stream/promises");
      if (response.body) await pipeline(response.body, process.stdout, { end: false });
      // Wrong usage: the request itself is invalid.
      if (response.status === 400) process.exitCode = 2;
      else if (response.status > 400) process.exitCode = 1;
    });
}
