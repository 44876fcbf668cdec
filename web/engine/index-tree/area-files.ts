/**
 * Computes the slices of a release that a saved area needs, so that they answer every search inside it.
 * @module
 */
import { type BBox, bboxIntersects, bboxUnion } from "../../../data/format/bbox.ts";
import { nearestInBBox, SLACK_METERS } from "../../../data/format/bbox-distance.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  ALL_COUNTRIES,
  type AnyRunName,
  type IndexNode,
  isPage,
  type ManifestCollection,
  NO_COUNTRY,
  type Slice,
} from "../../../data/format/manifest.ts";
import { packPath, slicesOfNode } from "../../../data/format/paths.ts";
import { originAt } from "../../../data/format/sphere.ts";
import type { Circle } from "../contract/query.ts";
import type { SliceEntry } from "./files.ts";
import { findPartitions, type Index, mayHoldCountry, type PartitionRef } from "./tree.ts";

export type AreaShape =
  | ({ readonly kind: "circle" } & Circle)
  | { readonly kind: "country"; readonly country: string }
  | { readonly kind: "bbox"; readonly bbox: BBox };

export interface AreaSelection {
  readonly shape: AreaShape;
  readonly collections: readonly CollectionName[];
  /** Whether to include names and ids of the area's countries, for searches without a circle. */
  readonly hasNames: boolean;
  /** Boxes of additional location partitions: for the map, and for searches in a drawn area. */
  readonly around?: readonly { readonly collection: CollectionName; readonly bbox: BBox }[];
}

/** Runs that searches by name need of each country. The counts say which categories the words of the search box can mean. */
const NAMES_BY_COUNTRY = ["records", "ids", "term", "count_category"] as const;
/** Runs that searches by name need, and that are not split by country: ids and suggestions. */
const NAMES_OF_ALL = ["find", "suggest"] as const;

/** Returns the stored bytes for searches by name of all countries of a collection: an upper bound for an area. Reads no index. */
export function bytesOfNames({ runs }: ManifestCollection): number {
  return [...NAMES_BY_COUNTRY, ...NAMES_OF_ALL].reduce((sum, run) => sum + (runs[run]?.bytes ?? 0), 0);
}

/** A wider partition contains outlines, not streets: its bbox says little about where the country is. */
const MAX_LOCAL_BOX_DEG = 2;

/**
 * Returns the slices of a release that an area needs, including index pages, which it reads as needed. The manifest is not
 * listed, but the area needs it too.
 */
export async function listAreaFiles(selection: AreaSelection, index: Index): Promise<readonly SliceEntry[]> {
  const slices = new Map<string, SliceEntry>();
  const { shape, collections, hasNames, around = [] } = selection;

  function add(path: string, { bytes, sha256, offset }: Slice): void {
    slices.set(`${path} ${offset}`, { path, bytes, sha256, offset });
  }

  function addNode(collection: CollectionName, run: AnyRunName, node: IndexNode): void {
    for (const { path, slice } of slicesOfNode(collection, run, node)) add(path, slice);
  }

  /** Adds what may contain wanted rows, including index pages; returns the partitions. */
  async function take<R extends AnyRunName>(
    collection: CollectionName,
    run: R,
    isWanted: (node: IndexNode) => boolean,
  ): Promise<readonly PartitionRef<R>["node"][]> {
    const found = await findPartitions(index, { collection, run }, (node) => {
      const isTaken = isWanted(node);
      if (isTaken && isPage(node)) addNode(collection, run, node);
      return isTaken;
    });
    return found.map(({ node }) => {
      addNode(collection, run, node);
      return node;
    });
  }

  const takeAll = async <R extends AnyRunName>(
    run: R,
    isWanted: (collection: CollectionName, node: IndexNode) => boolean,
  ) => {
    const taken = await Promise.all(collections.map((name) => take(name, run, (node) => isWanted(name, node))));
    return taken.flat();
  };

  /** The index of the location run has no countries: it is searched in the bbox of the country's records. */
  async function takeCountry(country: string): Promise<void> {
    const boxes = new Map<CollectionName, BBox>();
    for (const name of collections) {
      const records = await take(name, "records", (node) => mayHoldCountry(node, country));
      if (records.length > 0) boxes.set(name, bboxUnion(records.map(({ bbox }) => bbox)));
      await take(name, "ids", (node) => mayHoldCountry(node, country));
    }
    const isOwn = (node: IndexNode) => !isPage(node) && node.country === country;
    const isPageNear = (name: CollectionName, node: IndexNode) => {
      const box = boxes.get(name);
      return isPage(node) && box !== undefined && bboxIntersects(box, node.bbox);
    };
    const own = await takeAll("location", (name, node) => isOwn(node) || isPageNear(name, node));
    const local = own.map(({ bbox }) => bbox).filter(isLocal);
    await takeAll("location", (name, node) => {
      return isPageNear(name, node) || (!isPage(node) && local.some((box) => bboxIntersects(box, node.bbox)));
    });
  }

  const countries = new Set<string>();
  if (shape.kind === "country") {
    countries.add(shape.country);
    await takeCountry(shape.country);
  } else {
    const isInShape = reaches(shape);
    for (const { country } of await takeAll("location", (_, { bbox }) => isInShape(bbox))) countries.add(country);
    countries.delete(NO_COUNTRY);
  }
  for (const { collection, bbox } of around)
    await take(collection, "location", (node) => bboxIntersects(bbox, node.bbox));
  if (hasNames) {
    for (const country of countries) {
      for (const run of NAMES_BY_COUNTRY) await takeAll(run, (_, node) => mayHoldCountry(node, country));
    }
    await takeAll("term", (_, node) => mayHoldCountry(node, ALL_COUNTRIES));
    for (const run of NAMES_OF_ALL) await takeAll(run, () => true);
  }
  if (hasNames || shape.kind === "country") {
    for (const name of collections) {
      const dictionary = index.manifest.collections[name]?.dictionary;
      if (dictionary) add(packPath(name, "dictionary", dictionary.pack), dictionary);
    }
  }
  return [...slices.values()].sort((a, b) => (a.path === b.path ? a.offset - b.offset : a.path < b.path ? -1 : 1));
}

function isLocal([west, south, east, north]: BBox): boolean {
  return east >= west && east - west <= MAX_LOCAL_BOX_DEG && north - south <= MAX_LOCAL_BOX_DEG;
}

function reaches(shape: Exclude<AreaShape, { kind: "country" }>): (box: BBox) => boolean {
  if (shape.kind === "bbox") return (box) => bboxIntersects(shape.bbox, box);
  const origin = originAt(shape.lon, shape.lat);
  return (box) => nearestInBBox(origin, box) <= shape.radiusMeters + SLACK_METERS;
}
