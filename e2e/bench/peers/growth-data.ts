/**
 * Datasets of several sizes with the same rows around a point: only what lies elsewhere becomes more. So they have the same
 * answer to a question about the point, and what it costs more in a larger one is the size's doing.
 * @module
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { boxAround } from "./circle.ts";
import { type BenchData, ensureBuilt, ensurePeers, ensureSource, ensureSynthetic, ROOT } from "./data.ts";
import type { Centre } from "./peer-files.ts";

/** Twice the largest circle that is asked about, so that neighbours of its partitions are the same too. */
const SAME_METERS = 100_000;
const PLACES = "theme=places/type=place";

/** The smallest dataset, then larger ones, each with the smallest's rows around its dense city. Made when not there. */
export async function ensureGrowing(sizes: readonly number[]): Promise<BenchData[]> {
  const [least, ...larger] = sizes.toSorted((a, b) => a - b);
  if (least === undefined) throw new Error("no size is chosen");
  const smallest = await ensurePeers(ensureSynthetic(least));
  const all = [smallest];
  for (const size of larger) {
    const name = `${size}-around-${least}`;
    const source = await ensureThinned(
      name,
      { all: () => ensureSource(size), kept: () => ensureSource(least) },
      smallest.facts.dense,
    );
    all.push(await ensurePeers(ensureBuilt(name, () => source)));
  }
  return all;
}

interface Sources {
  /** Of the larger dataset; made only when it is needed. */
  readonly all: () => string;
  /** Of the smallest: what stays within the region, a part of the larger. */
  readonly kept: () => string;
}

/** A source of all rows but those in the region that the smallest does not have. */
async function ensureThinned(name: string, sources: Sources, centre: Centre): Promise<string> {
  const source = join(ROOT, name, "source");
  if (existsSync(source)) return source;
  const [all, kept] = [sources.all(), sources.kept()];
  const part = `${source}.part`;
  const folder = join(part, PLACES);
  rmSync(part, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [west, south, east, north] = boxAround({ ...centre, radiusMeters: SAME_METERS });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  // geometries are copied as the bytes they are, with the metadata that says so
  await connection.run("SET enable_geoparquet_conversion = false");
  // file by file: a build takes them as they are, and one of them all would be one piece of work
  for (const file of readdirSync(join(all, PLACES)).filter((name) => name.endsWith(".parquet"))) {
    await connection.run(`COPY (
      FROM read_parquet('${join(all, PLACES, file)}', hive_partitioning = false)
      WHERE NOT (bbox.xmin BETWEEN ${west} AND ${east} AND bbox.ymin BETWEEN ${south} AND ${north})
        OR id IN (SELECT id FROM read_parquet('${kept}/${PLACES}/*.parquet', hive_partitioning = false))
    ) TO '${join(folder, file)}'
      (FORMAT parquet, COMPRESSION zstd, KV_METADATA {geo: '${geoMetadata(["Point"], [-180, -90, 180, 90])}'})`);
  }
  connection.closeSync();
  instance.closeSync();
  renameSync(part, source);
  return source;
}
