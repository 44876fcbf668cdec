/**
 * Measures how long a search of 25,000 records blocks the thread at a time, in each format: `npm run bench:blocking`.
 * @module
 */

import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { createApi } from "../../web/api/index.ts";
import { openDataset } from "../../web/engine/index.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";

import { folderSource } from "../../web/hosts/node/folder-source.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { readOptions } from "../support/options.ts";

const FORMATS = ["json", "geojson", "csv"] as const;
const REPEATS = 3;
const SEARCHES = {
  "circle of 50 km, connectors": "/transportation?types=connector&lat=40.0176&lng=-105.2797&radius=50000&limit=25000",
  "country, streets": "/transportation?country=US&limit=25000",
  "name, all streets": "/transportation?country=US&name=st&limit=25000",
  "counts of categories near": "/places/categories?lat=40.0176&lng=-105.2797&radius=50000",
};

interface Period {
  readonly longestMs: number;
  readonly totalMs: number;
  readonly bytes: number;
}

/** Processor time of this thread in milliseconds. On a busy machine the clock would include other programs. */
function workedMs(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Returns the longest time during the work in which no other task could run. */
async function watch(work: () => Promise<number>): Promise<Period> {
  let longestMs = 0;
  const start = workedMs();
  let before = start;
  const look = (): void => {
    const now = workedMs();
    longestMs = Math.max(longestMs, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  const bytes = await work();
  look();
  clearInterval(timer);
  return { longestMs, totalMs: workedMs() - start, bytes };
}

async function readAll(response: Response): Promise<number> {
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}, expected 200`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return bytes;
}

setMaxListeners(0);
const { positionals } = readOptions({ usage: "npm run bench:blocking -- [<dataset>]", options: {}, mostArguments: 1 });
const source = folderSource(positionals[0] ?? (await buildSample()));
const rows: Record<string, string | number>[] = [];
for (const [name, address] of Object.entries(SEARCHES)) {
  for (const format of FORMATS) {
    if (name.startsWith("counts") && format === "geojson") continue;
    const cold: Period[] = [];
    const warm: Period[] = [];
    for (let i = 0; i < REPEATS; i++) {
      const dataset = openDataset({ source, decode: decodeParquet });
      const api = createApi({ dataset });
      const ask = async () => readAll(await api(new Request(`http://localhost${address}&format=${format}`)));
      await dataset.manifest();
      cold.push(await watch(ask));
      warm.push(await watch(ask));
    }
    const most = (periods: readonly Period[]) => Math.max(...periods.map(({ longestMs }) => longestMs)).toFixed(0);
    rows.push({
      search: name,
      format,
      MB: ((cold[0]?.bytes ?? 0) / 1e6).toFixed(1),
      "cold: longest, ms": most(cold),
      "warm: longest, ms": most(warm),
      "cold: whole, ms": (cold.at(-1)?.totalMs ?? 0).toFixed(0),
      "warm: whole, ms": (warm.at(-1)?.totalMs ?? 0).toFixed(0),
    });
  }
}
console.table(rows);
