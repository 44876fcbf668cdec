/**
 * Names of files in a dataset. All but the manifest, the rejects and the STAC catalogue carry the head of their SHA-256.
 * @module
 */
import type { CollectionName } from "./collections.ts";
import type { AnyRunName, PartitionNode } from "./manifest.ts";

export const MANIFEST_PATH = "manifest.json";
export const REJECTS_PATH = "rejects.parquet";
/** The STAC catalogue, and the folder of the rest of it: made from the index. */
export const STAC_CATALOG_PATH = "catalog.json";
export const STAC_FOLDER = "stac";

/** 64 bits tell the files of one folder apart; the whole hash is in the index. */
const NAME_CHARS = 16;

/** Path of a partition below the dataset's folder. Names that start with `_` are skipped by Hive readers. */
export function partitionPath(
  collection: CollectionName,
  run: AnyRunName,
  node: Pick<PartitionNode, "country" | "geohash" | "sha256">,
): string {
  const name = `${node.sha256.slice(0, NAME_CHARS)}.parquet`;
  return run === "location"
    ? `${collection}/country=${node.country}/geohash=${node.geohash ?? "-"}/${name}`
    : `${collection}/_${run}/country=${node.country}/${name}`;
}

/** Path of a partition's shapes below the dataset's folder. */
export function shapePath(collection: CollectionName, country: string, sha256: string): string {
  return `${collection}/_shape/country=${country}/${sha256.slice(0, NAME_CHARS)}.parquet`;
}

/** Path of an index page below the dataset's folder. */
export function pagePath(collection: CollectionName, sha256: string): string {
  return `${collection}/_pages/${sha256.slice(0, NAME_CHARS)}.json`;
}
