/**
 * Names of files in a dataset. All but the manifest, the rejects and the STAC catalogue carry the head of their SHA-256.
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

export const MANIFEST_PATH = "manifest.json";
export const REJECTS_PATH = "rejects.parquet";
/** The STAC catalogue, and the folder of the rest of it: made from the index. */
export const STAC_CATALOG_PATH = "catalog.json";
export const STAC_FOLDER = "stac";

/** The folder of manifests of older releases that are kept. */
export const KEPT_FOLDER = "kept";

/** 64 bits tell the files of one folder apart; the whole hash of each slice is in the index. */
const NAME_CHARS = 16;

/** The name of a pack with this SHA-256, as the index has it. */
export function packNameOf(sha256: string): string {
  return sha256.slice(0, NAME_CHARS);
}

/** Path of the manifest of an older release that is kept. */
export function keptManifestPath({ sha256 }: Pick<KeptRelease, "sha256">): string {
  return `${KEPT_FOLDER}/${packNameOf(sha256)}.json`;
}

/** Path of a pack of the primary copy below the dataset's folder. `pack` is a geohash, `/`, and the pack's name. */
export function locationPackPath(
  collection: CollectionName,
  { country, pack }: Pick<LocationNode, "country" | "pack">,
) {
  return `${collection}/country=${country}/geohash=${pack}.parquet`;
}

/** What packs beside the primary copy hold: slices of a run, points, pages of the index, dictionaries. */
export type PackKind = Exclude<AnyRunName, "location"> | "points" | "pages" | "dictionary";

/** Path of any other pack below the dataset's folder. Names that start with `_` are skipped by Hive readers. */
export function packPath(collection: CollectionName, kind: PackKind, pack: string): string {
  return `${collection}/_${kind}/${pack}.pack`;
}

export type SliceKind = AnyRunName | PackKind;

/** A slice that the index names. */
export interface PackedSlice {
  readonly kind: SliceKind;
  /** Of its pack, below the dataset's folder. */
  readonly path: string;
  readonly slice: Slice;
}

/** The slices that a node of the run names: a page's, or a partition's, then that of its points. */
export function slicesOfNode(collection: CollectionName, run: AnyRunName, node: IndexNode): readonly PackedSlice[] {
  const inPack = (kind: PackKind, slice: Slice) => ({ kind, path: packPath(collection, kind, slice.pack), slice });
  if (isPage(node)) return [inPack("pages", node)];
  if (run !== "location") return [inPack(run, node)];
  const own = { kind: run, path: locationPackPath(collection, node), slice: node };
  return "points" in node ? [own, inPack("points", node.points)] : [own];
}
