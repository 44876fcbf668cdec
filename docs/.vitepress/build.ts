/**
 * `npm run docs:site`: builds `docs/` as a site, with the map element and the sample for the live examples.
 * @module
 */
import { cp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vitepress";
import { ensureDataset } from "../../pipeline/cli/freshness.ts";
import { buildEmbedModules } from "../../web/site/embed-modules.ts";
import { writeApiPages } from "./api.ts";

const USAGE = `Build the docs as a site.

  npm run docs:site -- [--out <folder>] [--base <path>] [--live <path>]

--out   default: .cairn/docs-site. Its content is replaced.
--base  path of the site on its host, such as /maps/docs/. Default: /
--live  path from the base to a folder with embed/ and dataset/, which the live examples use.
        Default: live/, which the command makes from the sample.`;

const OWN = "live/";
const DATASET = ".cairn/dataset";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: ".cairn/docs-site" },
    base: { type: "string", default: "/" },
    live: { type: "string", default: OWN },
    help: { type: "boolean", short: "h" },
  },
});
const { base, live } = values;
if (values.help) {
  console.log(USAGE);
} else if (!/^\/(?:.+\/)?$/.test(base) || !live.endsWith("/")) {
  console.error(`cairn: --base is ${base} and --live is ${live}, expected paths such as /docs/ and ../\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  process.env.CAIRN_DOCS_LIVE = live;
  const out = resolve(values.out);
  await writeApiPages();
  await build("docs", { base, outDir: out });
  if (live === OWN) {
    await buildEmbedModules(join(out, live), "small");
    await ensureDataset("data/sample", DATASET, "small");
    await cp(DATASET, join(out, live, "dataset"), { recursive: true });
  }
  console.log(`${values.out}: the docs, for the path ${base} of a host`);
}
