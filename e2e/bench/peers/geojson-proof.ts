/**
 * Compares Cairn's GeoJSON writer with `JSON.stringify(table.toArray())`, over one Arrow table, in Node.
 * @module
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { COLLECTIONS } from "../../../data/format/collections.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";
import { streamText } from "../../../web/api/stream.ts";
import { featureJsonOf } from "../../../web/engine/records/feature-json.ts";
import { openPartition } from "../../../web/engine/store/partition.ts";
import { decodeParquet } from "../../../web/hosts/node/parquet.ts";
import { bodyOf, GEOJSON_FRAME } from "../../../web/search/index.ts";
import { median, shownMs } from "./statistics.ts";

/** Maximum rows of an answer. */
const MOST_ROWS = 25_000;

interface Taken {
  readonly ms: number;
  /** Processor time of this process, which other programs hardly change. */
  readonly processorMs: number;
}

/** Returns a sentence with the medians and their ratios. Runs are interleaved, after one warm-up. */
export async function geojsonProof(dataset: string, runs: number): Promise<string> {
  const table = decodeParquet(await firstRows(dataset));
  const slice = { sha256: "0".repeat(64), bytes: 0, pack: `-/${"0".repeat(16)}`, offset: 0 };
  const node: LocationNode = {
    ...slice,
    rows: table.numRows,
    bbox: [-180, -90, 180, 90],
    country: "ZZ",
    geohash: "-",
    points: slice,
    record: 0,
  };
  const rows = openPartition(COLLECTIONS.place, node, table);
  const refs = Array.from({ length: table.numRows }, (_, row) => ({ rows, row }));
  const ways = {
    cairn: async () => new Response(streamText(bodyOf(GEOJSON_FRAME, featureJsonOf(refs)))).arrayBuffer(),
    plain: async () => new TextEncoder().encode(JSON.stringify(table.toArray())),
  };
  const taken: Record<keyof typeof ways, Taken[]> = { cairn: [], plain: [] };
  for (let run = -1; run < runs; run++) {
    for (const name of ["cairn", "plain"] as const) {
      const [start, before] = [performance.now(), process.cpuUsage()];
      const { byteLength } = await ways[name]();
      const { user, system } = process.cpuUsage(before);
      if (byteLength < table.numRows) throw new Error(`${name} wrote ${byteLength} bytes of ${table.numRows} rows`);
      if (run >= 0) taken[name].push({ ms: performance.now() - start, processorMs: (user + system) / 1000 });
    }
  }
  const compared = (unit: keyof Taken): string => {
    const [cairn, plain] = [taken.cairn, taken.plain].map((of) => median(of.map((one) => one[unit])));
    if (cairn === undefined || plain === undefined) throw new Error("nothing was measured");
    return `${shownMs(cairn)} against ${shownMs(plain)}, ${(plain / cairn).toFixed(1)} times as fast`;
  };
  return (
    `${table.numRows.toLocaleString("en")} records of one Arrow table in Node, to bytes: as GeoJSON by Cairn against ` +
    `\`JSON.stringify(table.toArray())\`: ${compared("ms")}; in processor time ${compared("processorMs")}.`
  );
}

/** A Parquet file with this many rows of the primary copy, and the same columns. */
async function firstRows(dataset: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-bench-"));
  try {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const file = join(folder, "rows.parquet");
    await connection.run(`COPY (
      FROM read_parquet('${dataset}/place/country=*/geohash=*/*.parquet', hive_partitioning = false) LIMIT ${MOST_ROWS}
    ) TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
    connection.closeSync();
    instance.closeSync();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
