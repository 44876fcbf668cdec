/**
 * `npm run build`: the site in `dist/`.
 * @module
 */
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { buildSite } from "./publish.ts";

const CONFIG = "cairn.config.json";
const HELP = `Builds the site: page, service worker, modules for other programs, and a dataset.

  npm run build -- [--dataset <folder or URL>] [--out <folder>]

--dataset  a folder is copied into the site; a URL is where the page looks for it.
           Left out: CAIRN_DATASET, else "dataset" in ${CONFIG}, else dataset/ beside the page.
--out      dist when left out; what it holds is replaced.`;

const config = z.strictObject({ dataset: z.string().optional() });

async function readConfig(): Promise<z.infer<typeof config>> {
  const text = await readFile(CONFIG, "utf8").catch(() => "{}");
  const result = config.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  throw new Error(`${CONFIG} is not {"dataset": "<folder or URL>"}: ${z.prettifyError(result.error)}`);
}

try {
  const options = { dataset: { type: "string" }, out: { type: "string" }, help: { type: "boolean" } } as const;
  const { values } = parseArgs({ options });
  if (values.help) console.log(HELP);
  else {
    const out = values.out ?? "dist";
    const dataset = values.dataset ?? (process.env.CAIRN_DATASET || (await readConfig()).dataset);
    const { files, bytes, warnings } = await buildSite({ out, dataset });
    console.log(`${out}: ${files} files, ${bytes} bytes`);
    for (const warning of warnings) console.error(`cairn: ${warning}`);
  }
} catch (error) {
  console.error(`cairn: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
