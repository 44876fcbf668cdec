/**
 * Queries to the engine and their results.
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

/** A condition on a column: bounds, inclusive, of numbers or of texts; or any of the values; or words that begin words of the text. */
export interface ColumnTest {
  readonly column: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly values?: readonly (number | string | boolean)[];
  readonly words?: readonly string[];
}

/** Conditions on rows besides country and circle; all must hold. */
export interface Filters {
  /**
   * Terms as made by `data/format/terms.ts`: a row must have at least one term of each list. A term of the facet
   * `name` is a prefix, all others are whole.
   */
  readonly terms?: readonly (readonly string[])[];
  /** Minimum values of numeric columns, inclusive, by column name. */
  readonly atLeast?: Readonly<Record<string, number>>;
  /**
   * Conditions on stored columns. A row without a value meets none of them, and neither `atLeast` nor `atMost`, unless
   * `orUnknown` names the column.
   */
  readonly columns?: readonly ColumnTest[];
  /** Maximum values of numeric columns, inclusive, by column name. */
  readonly atMost?: Readonly<Record<string, number>>;
  /** Columns of `atLeast`, `atMost` and `columns` whose conditions a row without a value meets too. */
  readonly orUnknown?: readonly string[];
  /** Box that the row's geometry must meet, edges included. */
  readonly bbox?: BBox;
  /** A condition without an index: possible rows are read and tested. A search with it cannot be sent to a worker. */
  readonly where?: RowsTest;
}

/** Rows as a test reads them. */
export interface ReadableRows {
  /** ISO 3166-1 alpha-2, `ZZ` if unknown. */
  readonly country: string;
  /** WKB or TWKB. */
  readonly geometry: (row: number) => Uint8Array;
  readonly bbox: (row: number) => BBox;
  /**
   * Returns a column, or undefined if the rows lack it. `members` limits what its reader must return.
   */
  readonly column: (name: string, members?: Members) => { readonly read: (row: number) => Json } | undefined;
}

/** Returns for some rows a test of each row by its index. */
export type RowsTest = (rows: ReadableRows) => (row: number) => boolean;

/**
 * Orders of rows. `name`: by the name in the first of the languages that the row has, otherwise by primary name. `confidence`:
 * highest first. `relevance`: largest divisions first, or highest confidence, then by name.
 */
export type Order =
  | { readonly by: "name" /** Codes such as `en`. */; readonly languages: readonly string[] }
  | { readonly by: "relevance"; readonly languages: readonly string[] }
  | { readonly by: "confidence" };

/** A country, or several of which any matches. ISO 3166-1 alpha-2, upper case. */
export type Countries = string | readonly string[];

/** Returns whether the code is one of the countries. Undefined means all countries. */
export function isInCountries(code: string, countries: Countries | undefined): boolean {
  return countries === undefined || (typeof countries === "string" ? countries === code : countries.includes(code));
}

/**
 * A search. With a circle or an area the order is by distance, then id; otherwise by id. Distances are from the
 * centre of the circle, or without a circle from the representative point of the area. Rows of several collections
 * are merged into one order. At least one of `circle`, `area`, `country` and `filters` is given; empty `filters` match all rows.
 */
export interface Query {
  readonly collections: readonly CollectionName[];
  readonly circle?: Circle;
  /** With a circle: at most this number of rows match, the first in order. At least 1. */
  readonly nearest?: number;
  /**
   * With `nearest` and no filters: if the page has this number of rows, others are left out if they need further points. At
   * least 1.
   */
  readonly enough?: number | undefined;
  /** The geometry of the row must meet the area. */
  readonly area?: Area;
  readonly country?: Countries;
  readonly filters?: Filters;
  /**
   * Skips larger partitions in searches by box alone: for drawing, where the outline of one country is not worth its
   * bytes. The count then excludes their rows.
   */
  readonly maxPartitionBytes?: number;
  /**
   * Replaces the default order, which then breaks ties. It reads all matching rows: if more than `MAX_ORDERED_ROWS`
   * match, the default order is used, and the report says so.
   */
  readonly order?: Order;
  /**
   * Limit on rows read to test them for `filters.where`. A search that needs more fails with `TooManyRowsError`
   * before it reads any. Default: no limit.
   */
  readonly maxTestedRows?: number;
  /**
   * If false, features with a long geometry have an empty one instead, which saves its bytes. Default: true. Queries with filters
   * read them anyway.
   */
  readonly hasGeometry?: boolean;
  /**
   * Ranges of one file with a gap of at most this many bytes are one request. Default: as many as a request costs. Fewer bytes take
   * more requests.
   */
  readonly gapBytes?: number;
  /** Rows before the first requested one. */
  readonly offset: number;
  /** Maximum number of rows. */
  readonly limit: number;
}

/** Where the rows of a query are. */
export interface LocatedRows {
  /** All matching rows. */
  readonly total: number;
  /** Geometries of all matching rows; undefined if there are too many. */
  readonly geometries: readonly Geometry[] | undefined;
}

/** Rows to draw: those whose bbox meets a box, or if too many a share of them, with a limit on the bytes read. */
export interface BoxQuery {
  readonly collection: CollectionName;
  readonly bbox: BBox;
  /**
   * Leaves out shapes whose bbox is smaller than this in both directions, in degrees of longitude and latitude. Keeps
   * points.
   */
  readonly leastSize?: readonly [lon: number, lat: number];
  /**
   * Limit on bytes read, including index pages. Default: no limit. The selection depends only on the dataset, not on
   * what is cached.
   */
  readonly maxBytes?: number;
}

/** Rows in a box that have one of these values of the facet, for drawing. */
export interface ShapeQuery {
  readonly collection: CollectionName;
  readonly bbox: BBox;
  readonly facet: Facet;
  /** The wanted values. A row that has several of them counts for the first. */
  readonly values: readonly string[];
  /** Limit on bytes read, including index pages. */
  readonly maxBytes: number;
}

/** A geometry to draw, and its value of the facet. */
export interface Shape {
  readonly geometry: Geometry;
  readonly value: string;
}

export type { Json };

/** The required part of a value: all of it, or these members of an object or of the objects of a list. */
export type Members = true | { readonly [member: string]: Members };

/** Properties to keep, by name. A map also says which members of each are needed; other members may be present. */
export type PropertyChoice = ReadonlySet<string> | ReadonlyMap<string, Members>;

/** A GeoJSON feature, as all interfaces return it. */
export interface Feature {
  readonly id: string;
  readonly type: "Feature";
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, Json>>;
}

/** The use of a file by a search. */
export interface FileUse {
  /** Path below the folder of the dataset. */
  readonly path: string;
  /** Offset of the first byte; left out if the whole file was needed. */
  readonly offset?: number;
  readonly bytes: number;
  /** Where the bytes came from: `source` is the host (or its cache). */
  readonly from: "memory" | "source";
  /** Number of rows. Only of partitions and their points. */
  readonly rows?: number;
  /** Box of the rows. Only of partitions. */
  readonly bbox?: BBox;
}

/** How a search was answered. */
export interface SearchReport {
  readonly release: string;
  readonly files: readonly FileUse[];
  /** Partitions counted from the index without reading them. */
  readonly partitionsCounted: number;
  readonly rowsScanned: number;
  /** Whether the rows are in the `order` of the query. */
  readonly isOrdered: boolean;
  readonly milliseconds: Readonly<Record<"plan" | "read" | "execute", number>>;
}

/** The parts of a feature to write. */
export interface FeatureJsonOptions {
  /** Names of the properties to keep; default: all. */
  readonly properties?: ReadonlySet<string> | undefined;
  /** False writes a null geometry. */
  readonly hasGeometry?: boolean;
}

export interface SearchResult {
  /** All matching rows, over all pages. */
  readonly total: number;
  /** Rows on this page. */
  readonly length: number;
  /**
   * The page in order, each feature made on demand. `properties` are those to keep, default: all. With a circle or an
   * area each has `properties.ext_distance` in metres, rounded to 1 mm.
   */
  features(properties?: PropertyChoice): IterableIterator<Feature>;
  /** The same features as JSON in UTF-8, much faster. The bytes of a feature are valid until the next one. */
  json(options?: FeatureJsonOptions): IterableIterator<Uint8Array>;
  readonly report: SearchReport;
}

/** The rows found in a box. */
export interface BoxResult {
  readonly length: number;
  /** Number of rows left out because they are too small or too many to read. All rows of a slice that was not read count. */
  readonly leftOut: number;
  /** Features in no order. `properties` are those to keep; default: all. */
  features(properties?: PropertyChoice): IterableIterator<Feature>;
  readonly release: string;
}

/** A value of a facet, and the number of rows that have it. */
export interface FacetCount {
  readonly value: string;
  readonly rows: number;
  /** For the facet `taxonomy`, if rows were read: the parent category of most of the rows; undefined at the top. */
  readonly parent?: string | undefined;
}

/** The groups of a count. */
export type CountGroup =
  /** Geohash cells with this number of characters, 1 to 6, of the rows' representative points. */
  | { readonly by: "cell"; readonly chars: number }
  /** The values of a facet of `data/format/cell-levels.ts`. A row counts for each of its values. */
  | { readonly by: "facet"; readonly facet: string }
  | { readonly by: "country" };

/** A query of rows to count. */
export interface CountQuery
  extends Pick<Query, "collections" | "circle" | "area" | "country" | "filters" | "maxTestedRows"> {
  /** Further areas that the geometry of a row must meet. */
  readonly areas?: readonly Area[];
  readonly group?: CountGroup | undefined;
}

export interface CountResult {
  /** All matching rows, each once. */
  readonly total: number;
  /** Largest first, then by key; cells by key. Empty without `group`. */
  readonly groups: readonly CountedGroup[];
  readonly release: string;
}

export interface CountedGroup {
  /** A geohash, a value or a country. */
  readonly key: string;
  readonly rows: number;
}

/** Values by which places can be counted. */
export type Grouping = "brand" | "category" | "country";

/** A page of the groups of a query's rows. */
export interface GroupResult {
  /** Number of groups on all pages. */
  readonly total: number;
  readonly groups: readonly Group[];
}

/** Rows with a common value. */
export interface Group {
  /** A country code, a category, or a brand's `names` and `wikidata`. */
  readonly value: Json;
  readonly rows: number;
  /** Number of different brands among the rows. */
  readonly brands: number;
}
