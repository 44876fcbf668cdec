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
import { buildRetiredWorker, buildSite } from "./publish.ts";

const CONFIG = "cairn.config.json";
const SAMPLE = ".cairn/dataset";
const HELP = `Builds the site: page, service worker, modules for other programs, and a dataset.

  npm run build -- [--dataset <folder or URL>] [--out <folder>] [--allow-overture[=<mirror>]] [--retire]

--dataset  a folder is copied into the site; a URL is where the page looks for it.
           Left out: CAIRN_DATASET, else "dataset" in ${CONFIG}, else ${SAMPLE}, which npm start makes of the sample.
           Without any the page looks for one in dataset/ beside it.
--out      dist when left out; what it holds is replaced.
--allow-overture
           readers may fetch areas of the latest release of Overture, from its hosts or from a mirror: the only requests that
           leave the site. Left out: they cannot, and the policy lets nothing through.
--retire   builds no site, but the service-worker.js that takes one down: put it in the place of the site's own.
           --out is retired when left out, and keeps what it holds; --dataset matters only where it is a URL.`;

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
    console.log(`${join(out, "service-worker.js")}: put it in the place of the site's own`);
  } else {
    const out = values.out ?? "dist";
    const named = values.dataset ?? (process.env.CAIRN_DATASET || (await readConfig()).dataset);
    const dataset = named ?? (existsSync(join(SAMPLE, MANIFEST_PATH)) ? SAMPLE : undefined);
    const { files, bytes, warnings } = await buildSite({
      out,
      dataset,
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
