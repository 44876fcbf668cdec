/**
 * `npm run build`: the site in `dist/`.
 * @module
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { MANIFEST_PATH } from "../../data/format/paths.ts";
import { parseAllowed } from "./allow-release.ts";
import { parsePinned } from "./pin-key.ts";
import { buildRetiredWorker, buildSite } from "./publish.ts";

const CONFIG = "cairn.config.json";
const SAMPLE = ".cairn/dataset";
const HELP = `Build the site: page, service worker, modules for other programs, and a dataset.

Usage: npm run build -- [options]

Options:
  --dataset <source>           folder to copy into the site, or URL where the page
                               reads (default: CAIRN_DATASET, then "dataset" in
                               ${CONFIG}, then ${SAMPLE})
  --out <folder>               output, replaced (default: dist; with --retire: retired)
  --allow-overture [=<mirror>] let users fetch areas of the latest Overture release,
                               from Overture or from a mirror
  --key <keys>                 public keys, with commas between them: the page
                               refuses a dataset that none of them signed
  --retire                     write only a service-worker.js that removes a site
  --help                       display help

Examples:
  npm run build -- --dataset my-dataset --out my-site
  npm run build -- --retire`;

const config = z.strictObject({ dataset: z.string().optional() });

async function readConfig(): Promise<z.infer<typeof config>> {
  const text = await readFile(CONFIG, "utf8").catch(() => "{}");
  const result = config.safeParse(JSON.parse(text));
  if (result.success) return result.data;
  throw new Error(`${CONFIG} is not {"dataset": "<folder or URL>"}: ${z.prettifyError(result.error)}`);
}

try {
  const options = {
    dataset: { type: "string" },
    out: { type: "string" },
    "allow-overture": { type: "string" },
    key: { type: "string" },
    retire: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  // without a value it means Overture's own
  const args = process.argv.slice(2).map((arg) => (arg === "--allow-overture" ? `${arg}=` : arg));
  const { values } = parseArgs({ options, args });
  const mirror = values["allow-overture"];
  if (values.help) console.log(HELP);
  else if (values.retire) {
    const out = values.out ?? "retired";
    await buildRetiredWorker({ out, dataset: values.dataset });
    console.log(`${join(out, "service-worker.js")}: replace the service-worker.js of the site by this file`);
  } else {
    const out = values.out ?? "dist";
    const named = values.dataset ?? (process.env.CAIRN_DATASET || (await readConfig()).dataset);
    const dataset = named ?? (existsSync(join(SAMPLE, MANIFEST_PATH)) ? SAMPLE : undefined);
    const { files, bytes, warnings } = await buildSite({
      out,
      dataset,
      key: values.key === undefined ? undefined : parsePinned(values.key),
      release: mirror === undefined ? undefined : parseAllowed(mirror),
    });
    console.log(`${out}: ${files} files, ${bytes} bytes${dataset ? `, dataset ${dataset}` : ""}`);
    if (!dataset) console.error(`cairn: no dataset named: the page looks for one in ${out}/dataset/; see --help`);
    for (const warning of warnings) console.error(`cairn: ${warning}`);
  }
} catch (error) {
  console.error(`cairn: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
