// Which test files run where. `*.test.ts` run in Vitest, `*.spec.ts` in Playwright. `npm test` runs all but the deep ones,
// `npm run test:all` runs the deep ones.
import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Deep tests need packages, programs or minutes that a change in most files need not wait for: benchmarks, other browsers, hosts,
 * clients and readers, clusters, killed processes, the packed package, every fault of every file, every command of the
 * documentation, thousands of random questions, and the parts of the page behind its search.
 */
export const DEEP = [
  "data/format/area-cost.test.ts",
  "e2e/bench/peers/**",
  "e2e/bench/synth/**",
  "e2e/boxes.test.ts",
  "e2e/browsers/**",
  "e2e/clients/**",
  "e2e/column-tables.test.ts",
  "e2e/conformance/testing/mutations.test.ts",
  "e2e/damage/**",
  "e2e/docs/commands.test.ts",
  "e2e/docs/python.test.ts",
  "e2e/docs/release.test.ts",
  "e2e/docs/site.spec.ts",
  "e2e/embed/examples.spec.ts",
  "e2e/embed/frameworks.spec.ts",
  "e2e/embed/programs.test.ts",
  "e2e/embed/shop-element.spec.ts",
  "e2e/hosting/**",
  "e2e/interop/**",
  "e2e/own-sources.test.ts",
  "e2e/package/**",
  "e2e/page/accessibility.spec.ts",
  "e2e/page/areas.spec.ts",
  "e2e/page/changes.spec.ts",
  "e2e/page/coast.spec.ts",
  "e2e/page/colours.spec.ts",
  "e2e/page/console.spec.ts",
  "e2e/page/duckdb-search.spec.ts",
  "e2e/page/export.spec.ts",
  "e2e/page/files.spec.ts",
  "e2e/page/here.spec.ts",
  "e2e/page/keyboard.spec.ts",
  "e2e/page/map.spec.ts",
  "e2e/page/moves.spec.ts",
  "e2e/page/network.spec.ts",
  "e2e/page/own-filters.spec.ts",
  "e2e/page/parts.spec.ts",
  "e2e/page/preferences.spec.ts",
  "e2e/page/reach.spec.ts",
  "e2e/page/solids.spec.ts",
  "e2e/page/statistics.spec.ts",
  "e2e/page/typed.spec.ts",
  "e2e/rest/clock.spec.ts",
  "e2e/rest/column-tables.spec.ts",
  "e2e/rest/conformance.spec.ts",
  "e2e/rest/hostile.spec.ts",
  "e2e/rest/killed-worker.spec.ts",
  "e2e/rest/memory.spec.ts",
  "e2e/rest/offline.spec.ts",
  "e2e/rest/overture.spec.ts",
  "e2e/rest/packs.spec.ts",
  "e2e/rest/policy.spec.ts",
  "e2e/rest/registration.spec.ts",
  "e2e/rest/releases.spec.ts",
  "e2e/rest/two-sites.spec.ts",
  "e2e/simulator/**",
  "e2e/small-tables.test.ts",
  "e2e/support/**",
  "e2e/twenty-tables.test.ts",
  "e2e/vectors/**",
  "e2e/walk.spec.ts",
  "e2e/workflows.test.ts",
  "pipeline/builder/country/locate.test.ts",
  "pipeline/builder/dataset/build-small.test.ts",
  "pipeline/builder/dataset/losses.test.ts",
  "pipeline/builder/dataset/odd-data.test.ts",
  "pipeline/builder/dataset/resume.test.ts",
  "pipeline/builder/dataset/stable.test.ts",
  "pipeline/builder/dataset/wanted.test.ts",
  "pipeline/builder/execute/local-executor.test.ts",
  "pipeline/builder/execute/out-of-memory.test.ts",
  "pipeline/builder/execute/slurm-executor.test.ts",
  "pipeline/builder/execute/spark-executor.test.ts",
  "pipeline/builder/publish/finish-indexes.test.ts",
  "pipeline/builder/publish/power-loss.test.ts",
  "pipeline/builder/records/chunks.test.ts",
  "pipeline/builder/sources/remote-sources.test.ts",
  "pipeline/builder/stages/duplicates.test.ts",
  "pipeline/builder/stages/survey.test.ts",
  "pipeline/cli/commands/get.test.ts",
  "pipeline/cli/examples.test.ts",
  "pipeline/cli/fuzz.test.ts",
  "pipeline/cli/source-shapes.test.ts",
  "pipeline/cli/terminal.test.ts",
  "pipeline/overture/get/faults.test.ts",
  "pipeline/overture/get/get.test.ts",
  "pipeline/overture/get/s3.test.ts",
  "pipeline/tools/changes/changes.test.ts",
  "pipeline/tools/pmtiles/pmtiles.test.ts",
  "pipeline/tools/sign/sign.test.ts",
  "pipeline/tools/upload/**",
  "pipeline/tools/verify/**",
  "web/api/cql2.test.ts",
  "web/api/fuzz.test.ts",
  "web/app/console/run-statements.test.ts",
  "web/app/copy/console-sql.test.ts",
  "web/app/copy/duckdb-search.test.ts",
  "web/engine/area-turns.test.ts",
  "web/engine/cell-counts.test.ts",
  "web/engine/index-tree/area-files.test.ts",
  "web/engine/long-geometries.test.ts",
  "web/engine/order/synthetic-searches.test.ts",
  "web/engine/suggest/address-formats.test.ts",
  "web/engine/suggest/any-words.test.ts",
  "web/engine/suggest/cold-and-warm.test.ts",
  "web/engine/suggest/many-countries.test.ts",
  "web/engine/suggest/suggest-addresses.test.ts",
  "web/hosts/browser/basemap/local-tiles.test.ts",
  "web/hosts/browser/duckdb/file-tables.test.ts",
  "web/hosts/browser/random-faults.test.ts",
  "web/hosts/browser/saved-areas/each-call.test.ts",
  "web/hosts/edge/**",
  "web/hosts/node/idle-connections.test.ts",
  "web/hosts/node/slow-callers.test.ts",
  "web/mcp/mcp.test.ts",
  "web/search/run.test.ts",
];
export const DEEP_TESTS = DEEP.filter((glob) => !glob.endsWith(".spec.ts")).map((glob) =>
  glob.endsWith("/**") ? `${glob}/*.test.ts` : glob,
);
export const DEEP_SPECS = DEEP.filter((glob) => !glob.endsWith(".test.ts")).map((glob) =>
  glob.endsWith("/**") ? `${glob}/*.spec.ts` : glob,
);

export const isSpec = (file) => file.endsWith(".spec.ts");
export const isDeep = (file) =>
  DEEP.some((glob) => (glob.endsWith("/**") ? file.startsWith(glob.slice(0, -2)) : file === glob));

/** All test files, sorted. */
export function testFiles() {
  const files = ["data", "e2e", "pipeline", "web"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
      .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/")),
  );
  return files.filter((file) => /\.(test|spec)\.tsx?$/.test(file)).sort();
}

/** Entries of the list that name no test file. */
export function unknownDeep() {
  const files = testFiles();
  return DEEP.filter(
    (glob) => !files.some((file) => (glob.endsWith("/**") ? file.startsWith(glob.slice(0, -2)) : file === glob)),
  );
}
