/**
 * File names in a dataset. All except the manifest, the rejects and the STAC catalogue contain a prefix of their
 * SHA-256.
 * @module
 */
import type { CollectionName } from "./collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type KeptRelease,
  type LocationNode,
  type Slice,
} from "./manifest.ts";
import { TABLES_FOLDER } from "./table-facets.ts";

export const MANIFEST_PATH = "manifest.json";
/** Path of the file that lists rejected rows with reasons. */
export const REJECTS_PATH = "rejects.parquet";
/** The STAC catalogue, and the folder of its other files. Made from the index. */
export const STAC_CATALOG_PATH = "catalog.json";
export const STAC_FOLDER = "stac";

/** Folder of the manifests of older releases. */
export const KEPT_FOLDER = "kept";

/** 64 bits identify the files of one folder. The index has the complete hash of each slice. */
const NAME_CHARS = 16;

/** Returns the name of a pack with this SHA-256, as index nodes have it: the first 16 digits. */
export function packNameOf(sha256: string): string {
  return sha256.slice(0, NAME_CHARS);
}

/** Returns the path of an older release's manifest. */
export function keptManifestPath({ sha256 }: Pick<KeptRelease, "sha256">): string {
  return `${KEPT_FOLDER}/${packNameOf(sha256)}.json`;
}

/**
 * Returns the path of a pack of the primary copy in the dataset's folder. `pack` is a geohash, `/`, and the pack's
 * name.
 */
export function locationPackPath(
  collection: CollectionName,
  { country, pack }: Pick<LocationNode, "country" | "pack">,
) {
  return `${collection}/country=${country}/geohash=${pack}.parquet`;
}

/**
 * What a pack contains that is not of the primary copy: slices of a run, points, pages of the index, or dictionaries.
 */
export type PackKind = Exclude<AnyRunName, "location" | "table"> | "points" | "pages" | "dictionary";

/**
 * Returns the path of a pack that is not of the primary copy, in the dataset's folder. Hive readers skip names that
 * start with `_`.
 */
export function packPath(collection: CollectionName, kind: PackKind, pack: string): string {
  return `${collection}/_${kind}/${pack}.pack`;
}

/**
 * Returns the path of a file of a column table. It is not in the collection's folder, because there the Parquet files
 * have each row once.
 */
export function tableFilePath(collection: CollectionName, pack: string): string {
  return `${TABLES_FOLDER}/${collection}/${pack}.parquet`;
}

/** What a slice contains: the part of a run, or points, pages of the index, or a dictionary. */
export type SliceKind = AnyRunName | PackKind;

/** A slice in the index. */
interface PackedSlice {
  readonly kind: SliceKind;
  /** Path of its pack in the dataset's folder. */
  readonly path: string;
  readonly slice: Slice;
}

/**
 * Returns the slices of a node with the paths of their packs: the page, or the slice of the run. In the primary copy
 * the slice of points follows.
 */
export function slicesOfNode(collection: CollectionName, run: AnyRunName, node: IndexNode): readonly PackedSlice[] {
  const inPack = (kind: PackKind, slice: Slice) => ({ kind, path: packPath(collection, kind, slice.pack), slice });
  if (isPage(node)) return [inPack("pages", node)];
  if (run === "table") return [{ kind: run, path: tableFilePath(collection, node.pack), slice: node }];
  if (run !== "location") return [inPack(run, node)];
  const own = { kind: run, path: locationPackPath(collection, node), slice: node };
  return "points" in node ? [own, inPack("points", node.points)] : [own];
}
