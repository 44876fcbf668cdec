/**
 * The manifest: the one mutable file of a dataset, and the root of the index of every run.
 *
 * Each collection is stored in runs: its rows, or data about them, in different orders. A run is cut into slices.
 * Slices are stored in packs: files of some megabytes, read by byte ranges. The index of a run is a tree: a node is a
 * slice of the run, or a page (also a slice) with further nodes.
 * @module
 */
import type { CollectionName } from "./collections.ts";
import type {
  ChunkNode,
  IndexNode,
  LocationNode,
  Manifest,
  PageNode,
  SegmentNode,
  TableNode,
  TermNode,
} from "./manifest-schema.ts";

/** Default size of a pack. A larger slice has its own pack. */
export const PACK_BYTES = 4 * 1024 * 1024;

/**
 * `location`: the primary copy, by (country, size class, geohash, id). `records`: the rows as JSON in the same order.
 * `ids`: the addresses of records by (country, id).
 */
export const RUN_NAMES = ["location", "records", "ids"] as const;
type RunName = (typeof RUN_NAMES)[number];

/**
 * Runs that are computed from rows. `term` has the posting lists by (country, term). `TableRunName` describes the
 * others. A collection may lack any of these runs.
 */
export const DERIVED_RUN_NAMES = [
  "term",
  "suggest",
  "find",
  "count_brand",
  "count_category",
  "count_country",
  "count_cell",
] as const;
/** `table` is not in `DERIVED_RUN_NAMES`, because only programs that read column tables know it. */
export type DerivedRunName = (typeof DERIVED_RUN_NAMES)[number] | "table";
export type AnyRunName = RunName | DerivedRunName;

/**
 * Runs of JSON tables. `suggest`: names of divisions by (term, id). `find`: addresses of records by a hash of the id.
 * `count_*`: values with numbers of rows by (country, rank). `count_cell` and `table` are no JSON tables: counts by
 * (country, facet, bits, size class, cell), and Parquet files with chosen columns by (value of a facet, country, id).
 */
export type TableRunName = Exclude<DerivedRunName, "term" | "count_cell" | "table">;
/** Names of the runs that have counts of places by brand, category and country. */
export type CountRunName = "count_brand" | "count_category" | "count_country";

/** The country code of rows outside all countries and their 12 nautical miles. */
export const NO_COUNTRY = "ZZ";

export {
  ALL_COUNTRIES,
  FORMAT_VERSION,
  MAX_MANIFEST_BYTES,
  MAX_PAGE_BYTES,
  MAX_PARTITION_ROWS,
} from "./manifest-limits.ts";
export type {
  Attribution,
  ChunkNode,
  IndexNode,
  KeptRelease,
  LocationNode,
  Manifest,
  ManifestRun,
  PageNode,
  PartitionNode,
  SegmentNode,
  TableNode,
  TermNode,
} from "./manifest-schema.ts";

export type ManifestCollection = Manifest["collections"][CollectionName];

/** Where a slice is in its pack, and its SHA-256. */
export type Slice = Pick<PageNode, "sha256" | "bytes" | "pack" | "offset">;

/** Type of the node of a slice, by run. */
export interface NodesOf {
  readonly location: LocationNode;
  readonly records: ChunkNode;
  readonly ids: SegmentNode;
  readonly term: TermNode;
  readonly suggest: TermNode;
  readonly find: TermNode;
  readonly count_brand: TermNode;
  readonly count_category: TermNode;
  readonly count_country: TermNode;
  readonly count_cell: TermNode;
  readonly table: TableNode;
}

/** Returns true if the node is a page of further nodes. */
export function isPage(node: IndexNode): node is PageNode {
  return "partitions" in node;
}
