/**
 * Which files of a release an area needs, so that every search inside it can be answered from them. Pure: a function of
 * the area and of the index as far as it is known.
 * @module
 */
import { type BBox, bboxIntersects, bboxUnion } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  type AnyRunName,
  type IndexNode,
  isPage,
  type Manifest,
  NO_COUNTRY,
  type PageNode,
  type PartitionNode,
} from "../../../data/format/manifest.ts";
import { pagePath, partitionPath, shapePath } from "../../../data/format/paths.ts";
import { originAt } from "../../../data/format/sphere.ts";
import { nearestInBBox } from "../plan/bbox-distance.ts";
import type { NodeRef } from "../plan/plan.ts";
import type { Circle } from "../query.ts";
import type { FileEntry } from "./files.ts";
import type { Release } from "./release.ts";

export type AreaShape =
  | ({ readonly kind: "circle" } & Circle)
  | { readonly kind: "country"; readonly country: string }
  | { readonly kind: "bbox"; readonly bbox: BBox };

export interface AreaSelection {
  readonly shape: AreaShape;
  readonly collections: readonly CollectionName[];
  /** Whether names and ids of the area's countries are kept too, for searches without a circle. */
  readonly hasNames: boolean;
  /** Boxes of which location partitions are kept besides: what the map draws, what a drawn area's searches look at. */
  readonly around?: readonly { readonly collection: CollectionName; readonly bbox: BBox }[];
}

export type AreaStep =
  | { readonly kind: "read-pages"; readonly pages: readonly NodeRef<PageNode>[] }
  | { readonly kind: "done"; readonly files: readonly FileEntry[] };

/** As the search by circle: distances are compared rounded to 1 mm. */
const SLACK_METERS = 0.001;
/** A partition wider than this holds outlines, not streets: its box says little about where the country is. */
const MAX_LOCAL_BOX_DEG = 2;

/** The pages to read next, or the files. The manifest is needed besides. */
export function planArea(
  selection: AreaSelection,
  manifest: Manifest,
  childrenOf: (page: PageNode) => readonly IndexNode[] | undefined,
): AreaStep {
  const files = new Map<string, FileEntry>();
  const unread = new Map<string, NodeRef<PageNode>>();
  const { shape, collections, hasNames, around = [] } = selection;

  function add(path: string, { bytes, sha256 }: Pick<FileEntry, "bytes" | "sha256">): void {
    files.set(path, { path, bytes, sha256 });
  }

  /** Takes what may hold wanted rows; gives the partitions. */
  function take(collection: CollectionName, run: AnyRunName, isWanted: (node: IndexNode) => boolean): PartitionNode[] {
    const taken: PartitionNode[] = [];
    const visit = (node: IndexNode): void => {
      if (!isWanted(node)) return;
      const path = isPage(node) ? pagePath(collection, node.sha256) : partitionPath(collection, run, node);
      add(path, node);
      if (!isPage(node)) {
        if (node.shape) add(shapePath(collection, node.country, node.shape.sha256), node.shape);
        taken.push(node);
        return;
      }
      const children = childrenOf(node);
      if (children) children.forEach(visit);
      else unread.set(node.sha256, { collection, run, node });
    };
    manifest.collections[collection]?.runs[run]?.nodes.forEach(visit);
    return taken;
  }

  const isOwn = (node: IndexNode): boolean =>
    !isPage(node) && shape.kind === "country" && node.country === shape.country;
  let isInShape: (collection: CollectionName, node: IndexNode) => boolean;
  if (shape.kind === "country") {
    const boxes = new Map<CollectionName, BBox>();
    for (const name of collections) {
      const ids = take(name, "id", (node) => mayHoldCountry(node, shape.country));
      if (ids.length > 0) boxes.set(name, bboxUnion(ids.map(({ bbox }) => bbox)));
    }
    if (unread.size > 0) return pages(unread);
    // the index of the location run does not know countries: it is walked within the box of the country's ids
    const isNear = (collection: CollectionName, { bbox }: IndexNode): boolean => {
      const box = boxes.get(collection);
      return box !== undefined && bboxIntersects(box, bbox);
    };
    const own = collections.flatMap((name) =>
      take(name, "location", (node) => isOwn(node) || (isPage(node) && isNear(name, node))),
    );
    if (unread.size > 0) return pages(unread);
    const local = own.map(({ bbox }) => bbox).filter(isLocal);
    isInShape = (collection, node) =>
      isPage(node) ? isNear(collection, node) : isOwn(node) || local.some((box) => bboxIntersects(box, node.bbox));
  } else {
    const holds = reaches(shape);
    isInShape = (_, { bbox }) => holds(bbox);
  }

  const found = collections.flatMap((name) => take(name, "location", (node) => isInShape(name, node)));
  for (const { collection, bbox } of around) take(collection, "location", (node) => bboxIntersects(bbox, node.bbox));
  if (unread.size > 0) return pages(unread);

  if (hasNames) {
    const countries = new Set(shape.kind === "country" ? [shape.country] : found.map(({ country }) => country));
    countries.delete(NO_COUNTRY);
    for (const name of collections) {
      for (const country of countries) {
        for (const run of ["id", "term"] as const) take(name, run, (node) => mayHoldCountry(node, country));
      }
      // what the search box suggests is not told apart by countries
      take(name, "suggest", () => true);
    }
    if (unread.size > 0) return pages(unread);
  }
  return { kind: "done", files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function isLocal([west, south, east, north]: BBox): boolean {
  return east >= west && east - west <= MAX_LOCAL_BOX_DEG && north - south <= MAX_LOCAL_BOX_DEG;
}

/** Whether the shape has a position in the box. */
function reaches(shape: Exclude<AreaShape, { kind: "country" }>): (box: BBox) => boolean {
  if (shape.kind === "bbox") return (box) => bboxIntersects(shape.bbox, box);
  const origin = originAt(shape.lon, shape.lat);
  return (box) => nearestInBBox(origin, box) <= shape.radiusMeters + SLACK_METERS;
}

function mayHoldCountry(node: IndexNode, country: string): boolean {
  if (!isPage(node)) return node.country === country;
  const [first] = node.first ?? [country];
  const [last] = node.last ?? [country];
  return first <= country && country <= last;
}

function pages(unread: ReadonlyMap<string, NodeRef<PageNode>>): AreaStep {
  return { kind: "read-pages", pages: [...unread.values()] };
}

/** The area's files in the release, whose index pages are read as they are needed. */
export async function listAreaFiles(
  selection: AreaSelection,
  release: Pick<Release, "manifest" | "childrenOf" | "readPage">,
  signal?: AbortSignal,
): Promise<readonly FileEntry[]> {
  for (;;) {
    const step = planArea(selection, release.manifest, release.childrenOf);
    if (step.kind === "done") return step.files;
    await Promise.all(step.pages.map(({ collection, node }) => release.readPage(collection, node, signal)));
  }
}
