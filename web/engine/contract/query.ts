/**
 * What can be asked of the engine, and what comes back.
 * @module
 */
import type { Area } from "../../../data/format/area.ts";
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { Geometry } from "../../../data/format/geometry.ts";
import type { Json } from "../../../data/format/json.ts";
import type { Facet } from "../../../data/format/terms.ts";

/** A circle on the sphere. Degrees WGS84; the radius is inclusive, and may be Infinity. */
export interface Circle {
  readonly lon: number;
  readonly lat: number;
  readonly radiusMeters: number;
}

/** Conditions on rows besides country and circle; all must hold. */
export interface Filters {
  /**
   * Terms as `data/format/terms.ts` makes them: of each list the row must have at least one. A term of the facet `name`
   * is a beginning, all others are whole.
   */
  readonly terms?: readonly (readonly string[])[];
  /** Least values of columns of numbers, inclusive, by the column's name; a row without one does not match. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Box that the row's geometry must meet, edges included. */
  readonly bbox?: BBox;
  /** What no index answers: rows that may match are read and tested. A search with it cannot be sent to a worker. */
  readonly where?: RowsTest;
}

/** Rows as a test reads them. */
export interface ReadableRows {
  /** ISO 3166-1 alpha-2, `ZZ` for none. */
  readonly country: string;
  /** WKB or TWKB. */
  readonly geometry: (row: number) => Uint8Array;
  /** The box of the row's geometry. */
  readonly bbox: (row: number) => BBox;
  /** The column; undefined when the rows have none of the name. `members` are those that its reader need give. */
  readonly column: (name: string, members?: Members) => { readonly read: (row: number) => Json } | undefined;
}

/** Which of the rows match. */
export type RowsTest = (rows: ReadableRows) => (row: number) => boolean;

/** By name, as languages have it: those of a row in the first of the languages that it has one of, else the primary one. By confidence, the highest first. */
export type Order =
  | { readonly by: "name" /** Codes such as `en`. */; readonly languages: readonly string[] }
  | { readonly by: "confidence" };

/**
 * A search. With a circle or an area the order is distance, then id; without it is id alone. Distances are from the
 * circle's centre, of an area alone from its representative point. Rows of several collections are merged into that one
 * order. At least one of `circle`, `area`, `country` and `filters` is given.
 */
export interface Query {
  readonly collections: readonly CollectionName[];
  readonly circle?: Circle;
  /** With a circle: no more than so many rows match, the first in order. At least 1. */
  readonly nearest?: number;
  /** The row's geometry must have a position in common with it. */
  readonly area?: Area;
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country?: string;
  readonly filters?: Filters;
  /**
   * Leaves out the rows of larger partitions, where a box alone says what is read: for drawing, where one country's
   * outline is not worth its bytes. The count is then of the rest.
   */
  readonly maxPartitionBytes?: number;
  /**
   * An order in place of the query's own, which still tells apart what is alike in it. All rows that match are read for it: where more than
   * `MAX_ORDERED_ROWS` do, the own order stays, and the report says which it is.
   */
  readonly order?: Order;
  /**
   * Most rows that may be read to test them for `filters.where`. A search that needs more fails with `TooManyRowsError` before it reads
   * one; no bound when left out.
   */
  readonly maxTestedRows?: number;
  /** Rows before the first one wanted. */
  readonly offset: number;
  /** Most rows wanted. */
  readonly limit: number;
}

/** Rows to draw: those whose boxes meet a box, or of too many a share of them, with a bound on the bytes that are read. */
export interface BoxQuery {
  readonly collection: CollectionName;
  readonly bbox: BBox;
  /** Shapes whose box is smaller than this to both sides are left out, degrees of longitude and of latitude; points are not. */
  readonly leastSize?: readonly [lon: number, lat: number];
  /** Bytes that may be read, index pages and all; no bound when left out. What is chosen hangs on the dataset alone, not on what is in memory. */
  readonly maxBytes?: number;
}

/** Rows in a box that have one of these values of the facet, for drawing. */
export interface ShapeQuery {
  readonly collection: CollectionName;
  readonly bbox: BBox;
  readonly facet: Facet;
  /** A row that has several counts as the first of them. */
  readonly values: readonly string[];
  /** Bytes that may be read, index pages and all. */
  readonly maxBytes: number;
}

export interface Shape {
  readonly geometry: Geometry;
  readonly value: string;
}

export type { Json };

/** What of a value is wanted: all of it, or these members of an object, or of the objects of a list. */
export type Members = true | { readonly [member: string]: Members };

/** Properties to keep, by name; a map tells also which of their members are enough: the others may be there or not. */
export type PropertyChoice = ReadonlySet<string> | ReadonlyMap<string, Members>;

/** A GeoJSON feature, as every interface of ours gives it. */
export interface Feature {
  readonly id: string;
  readonly type: "Feature";
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, Json>>;
}

/** What a search needed of a file. */
export interface FileUse {
  /** Below the dataset's folder. */
  readonly path: string;
  /** The first byte of it; left out where the whole file was needed. */
  readonly offset?: number;
  readonly bytes: number;
  /** Where it came from: `source` is the host's. */
  readonly from: "memory" | "source";
  /** Of partitions and their points. */
  readonly rows?: number;
  /** Of the partition. */
  readonly bbox?: BBox;
}

export type ExecutorName = "sql" | "scan";

/** How a search was answered. */
export interface SearchReport {
  readonly executor: ExecutorName;
  readonly release: string;
  readonly files: readonly FileUse[];
  /** Partitions counted from the index without being read. */
  readonly partitionsCounted: number;
  readonly rowsScanned: number;
  /** Whether the rows stand in the `order` of the query. */
  readonly isOrdered: boolean;
  /** Statements run, for the `sql` executor. */
  readonly sql: readonly string[];
  readonly milliseconds: Readonly<Record<"plan" | "read" | "execute", number>>;
}

/** What of a feature is written. */
export interface FeatureJsonOptions {
  /** Names of the properties to keep, all when left out. */
  readonly properties?: ReadonlySet<string> | undefined;
  /** Without it the geometry is null. */
  readonly hasGeometry?: boolean;
}

export interface SearchResult {
  /** All rows that match, over all pages. */
  readonly total: number;
  /** Rows on this page. */
  readonly length: number;
  /**
   * The page in order, made one at a time as they are asked for. `properties` are those to keep, all when left out.
   * With a circle or an area each has `properties.ext_distance`, metres to 1 mm.
   */
  features(properties?: PropertyChoice): IterableIterator<Feature>;
  /** The same as JSON in UTF-8, one feature at a time and much quicker. The bytes hold until the next are asked for. */
  json(options?: FeatureJsonOptions): IterableIterator<Uint8Array>;
  readonly report: SearchReport;
}

/** What was found in a box. */
export interface BoxResult {
  readonly length: number;
  /** Rows that were left out: too small, or too many to read; those of slices that were not read are counted whole. */
  readonly leftOut: number;
  /** In no order. `properties` are those to keep. */
  features(properties?: PropertyChoice): IterableIterator<Feature>;
  readonly release: string;
}

/** A value of a facet, and how many rows have it. */
export interface FacetCount {
  readonly value: string;
  readonly rows: number;
  /** Of the facet `taxonomy`, where rows were read: the category that most of them have above it; undefined at the top. */
  readonly parent?: string | undefined;
}

/** What rows of places may be counted by. */
export type Grouping = "brand" | "category" | "country";

/** A page of the groups that a query's rows fall into. */
export interface GroupResult {
  /** Over all pages. */
  readonly total: number;
  readonly groups: readonly Group[];
}

/** Rows that have something in common. */
export interface Group {
  /** A country's code, a category, or a brand's `names` and `wikidata`. */
  readonly value: Json;
  readonly rows: number;
  /** Different brands among the rows. */
  readonly brands: number;
}
