/**
 * Shapes: the geometries of a partition's rows as a file of their own, so that rows in a circle are counted without
 * reading them. @module
 */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { BLOB, DuckDBBlobValue, type DuckDBBlobVector, DuckDBScalarFunction } from "@duckdb/node-api";
import type { CollectionName } from "../../data/format/collections.ts";
import { readWkb } from "../../data/format/geometry.ts";
import type { PartitionNode } from "../../data/format/manifest.ts";
import { shapePath } from "../../data/format/paths.ts";
import { writeTwkb } from "../../data/format/twkb.ts";
import type { Database } from "../database/index.ts";
import { copyToParquet } from "./copy-to-parquet.ts";
import { nameByContent } from "./name-by-content.ts";

/** `twkb(wkb)` as an SQL function: TWKB where it holds every coordinate to the bit, else the WKB itself. */
export function twkbFunction(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "twkb",
    returnType: BLOB,
    parameterTypes: [BLOB],
    mainFunction: (_info, chunk, output) => {
      const geometries = chunk.getColumnVector(0) as DuckDBBlobVector;
      for (let row = 0; row < chunk.rowCount; row++) {
        const wkb = geometries.getItemBytes(row);
        const bytes = wkb && (writeTwkb(readWkb(wkb)) ?? wkb);
        output.setItem(row, bytes ? new DuckDBBlobValue(bytes) : null);
      }
      output.flush();
    },
  });
}

/** Smaller partitions cost less than the request for their shapes saves. */
const MIN_PARTITION_BYTES = 32 * 1024;
/** Larger shapes are not worth keeping beside the partition. */
const MAX_SHARE = 0.5;

export interface ShapeSource {
  readonly collection: CollectionName;
  readonly from: string;
  readonly folder: string;
  readonly temporary: string;
}

/** Undefined where they are not worth a file. */
export async function writeShape(
  database: Database,
  { collection, from, folder, temporary }: ShapeSource,
  { bytes, country }: Pick<PartitionNode, "bytes" | "country">,
): Promise<PartitionNode["shape"]> {
  if (bytes < MIN_PARTITION_BYTES) return undefined;
  await copyToParquet(database, `SELECT twkb(geometry) AS geometry FROM ${from}`, temporary);
  const { size } = await stat(temporary);
  if (size > bytes * MAX_SHARE) {
    await rm(temporary);
    return undefined;
  }
  return nameByContent(temporary, (sha256) => join(folder, shapePath(collection, country, sha256)));
}
