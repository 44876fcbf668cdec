/**
 * Counts requests, bytes and round trips of circles, as an HTTP host receives them.
 * `npm run bench:requests -- <dataset> --dense <lon,lat> --sparse <lon,lat>`; see docs/decisions/30-cost-of-a-request.md.
 * @module
 */
import { parseArgs } from "node:util";
import { openDataset } from "../../web/engine/index.ts";
import { countingSource } from "../../web/engine/testing/sources.ts";
import { joinRanges } from "../../web/hosts/http/join-ranges.ts";
import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";

const LIMIT = 25;
const CELLS = [
  ["dense", 1000],
  ["dense", 10_000],
  ["dense", 50_000],
  ["sparse", 1000],
  ["sparse", 10_000],
] as const;
/** Bytes of the Parquet reader in the page. */
const READER_BYTES = 1_100_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dense: { type: "string" }, sparse: { type: "string" } },
});
const [folder = ""] = positionals;
const centres = { dense: parsePoint(values.dense), sparse: parsePoint(values.sparse) };

console.log("| circle | Parquet reader | requests | KB | round trips | next page |\n|---|---|--:|--:|--:|---|");
for (const [centre, radiusMeters] of CELLS) {
  for (const reader of ["loaded", "not loaded"]) {
    const counted = countingSource(folderSource(folder));
    const decodeBytes = () => (reader === "loaded" ? 0 : READER_BYTES);
    const dataset = openDataset({ source: joinRanges(counted), decode: decodeParquet, decodeBytes });
    const circle = { ...centres[centre], radiusMeters };
    const ask = async (offset: number): Promise<string[]> => {
      counted.reset();
      await dataset.search({ collections: ["place"], circle, offset, limit: LIMIT });
      const bytes = counted.requests.reduce((sum, request) => sum + request.bytes, 0);
      return [String(counted.requests.length), (bytes / 1000).toFixed(0), String(counted.roundTrips)];
    };
    await dataset.manifest();
    await dataset.prefetchIndex({ near: { ...centres[centre], collections: ["place"] } });
    const first = await ask(0);
    const next = await ask(LIMIT);
    const cells = [`${radiusMeters / 1000} km ${centre}`, reader, ...first, next.join(", ")];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

function parsePoint(text = ""): { readonly lon: number; readonly lat: number } {
  const [lon, lat] = text.split(",").map(Number);
  if (folder && lon !== undefined && lat !== undefined && !Number.isNaN(lon + lat)) return { lon, lat };
  console.error("npm run bench:requests -- <dataset> --dense <lon,lat> --sparse <lon,lat>");
  process.exit(2);
}
