/**
 * Datasets of several sizes with the same rows around a point. They have the same answer to a question about the point,
 * so differences in cost come from the size.
 * @module
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { boxAround } from "./circle.ts";
import { type BenchData, ensureBuilt, ensurePeers, ensureSource, ensureSynthetic, ROOT } from "./data.ts";
import type { Centre } from "./peer-files.ts";

/** Twice the largest circle in the questions, so that adjacent partitions are also the same. */
const SAME_METERS = 100_000;
const PLACES = "theme=places/type=place";

/** The smallest dataset, then larger ones, each with the smallest's rows around its dense city. Makes missing ones. */
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
  /** Sources of the larger dataset, made on demand. */
  readonly all: () => string;
  /** Sources of the smallest dataset, a part of the larger. Their rows in the region stay. */
  readonly kept: () => string;
}

/** A source with all rows, except those in the region that the smallest dataset lacks. */
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
  // Geometries are copied as bytes, with their metadata.
  await connection.run("SET enable_geoparquet_conversion = false");
  // File by file, because a build divides the work by files.
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
