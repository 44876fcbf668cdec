/**
 * Writes the geometries of a partition's rows as a file of their own, so that rows can be counted in a circle without
 * reading them.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import type { PartitionNode } from "../../data/format/manifest.ts";
import { shapePath } from "../../data/format/paths.ts";
import type { Database } from "../database/database.ts";
import { copyToParquet } from "./copy-to-parquet.ts";

/** Smaller partitions cost less than the request for their shapes saves. */
const MIN_PARTITION_BYTES = 32 * 1024;
/** Larger shapes are not worth keeping beside the partition. */
const MAX_SHARE = 0.5;

export interface ShapeSource {
  readonly collection: CollectionName;
  /** What follows FROM in a query of the partition's rows in their order; `geometry` is plain WKB. */
  readonly from: string;
  /** The dataset in the making. */
  readonly folder: string;
  /** Of a file in the folder that nobody else uses. */
  readonly temporary: string;
}

/** The shapes of the partition as its node names them; undefined where they are not worth a file. */
export async function writeShape(
  database: Database,
  { collection, from, folder, temporary }: ShapeSource,
  { bytes, country }: Pick<PartitionNode, "bytes" | "country">,
): Promise<PartitionNode["shape"]> {
  if (bytes < MIN_PARTITION_BYTES) return undefined;
  await copyToParquet(database, `SELECT twkb(geometry) AS geometry FROM ${from}`, temporary);
  const content = await readFile(temporary);
  if (content.length > bytes * MAX_SHARE) {
    await rm(temporary);
    return undefined;
  }
  const shape = { sha256: createHash("sha256").update(content).digest("hex"), bytes: content.length };
  const path = join(folder, shapePath(collection, country, shape.sha256));
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  return shape;
}
