/**
 * The public types of the module.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import type { FILTERS, FilterName } from "../../data/format/filters.ts";
import type { Geometry } from "../../data/format/geometry.ts";

/** The seven search paths of the REST interface, by the name of their method. */
export const PATHS = {
  places: "/places",
  placeBuildings: "/places/buildings",
  buildings: "/buildings",
  addresses: "/addresses",
  base: "/base",
  transportation: "/transportation",
  divisions: "/divisions",
} as const;

/** The name of a search path, as methods of `Cairn` have it. */
export type PathName = keyof typeof PATHS;

/**
 * The columns of a record, as the data specification describes them. A column without a value is left out. Which columns there
 * are depends on the collection and on `includes`. The most common ones have types here.
 */
export interface Properties {
  /** The feature's id. Present with any `includes`. */
  readonly id: string;
  readonly theme?: string;
  /** Type in Overture's schema, such as `place`. */
  readonly type?: string;
  readonly names?: { readonly primary: string; readonly common?: Readonly<Record<string, string>> };
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
  readonly subtype?: string;
  readonly class?: string;
  /** `primary` is empty if only the Wikidata item is known. */
  readonly brand?: { readonly names: { readonly primary: string }; readonly wikidata?: string };
  /** ISO 3166-1 alpha-2 code of the country whose searches find the record, if it declares no `country`; `ZZ` if unknown. */
  readonly ext_country?: string;
  /** Metres from the search's centre, or from the representative point of its area. Absent without either. */
  readonly ext_distance?: number;
  readonly [name: string]: unknown;
}

/** A record as GeoJSON. With `include_geometry: false` its geometry is null. */
export interface Feature {
  readonly id: string;
  readonly type: "Feature";
  readonly geometry: Geometry;
  readonly properties: Properties;
}

type OneOrMore<T> = T | readonly T[];

type FilterValues = {
  readonly words: string;
  readonly text: string;
  readonly least: number;
  readonly most: number;
  readonly integers: OneOrMore<number>;
  readonly list: OneOrMore<string>;
  readonly choices: OneOrMore<string>;
};

type FilterParameters = { readonly [Name in FilterName]?: FilterValues[(typeof FILTERS)[Name]["kind"]] };

/** Parameters of a search, with the names, units and meaning of the REST interface. Each path takes some of them. */
export interface SearchParameters extends FilterParameters {
  /** Latitude of the centre, degrees. Needs `lng`. */
  readonly lat?: number;
  /** Longitude of the centre, degrees. Needs `lat`. */
  readonly lng?: number;
  /** Metres around the centre, inclusive; default 1000. */
  readonly radius?: number;
  /** Instead of `radius`: this number of records, the nearest ones, at any distance. */
  readonly nearest?: number;
  /** A GeoJSON polygon that records intersect. Records nearest to the polygon's representative point come first. */
  readonly area?: Area;
  /** Instead of `area`: id of a division. The outline of the division is the area. */
  readonly within?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** Records per page, default 1000, at most 25000. */
  readonly limit?: number;
  /** Page number, from 0. An iteration starts at this page. */
  readonly page?: number;
  /** Name of the release to search. Pass the `release` of the first page for all further pages. Default: the current release. */
  readonly release?: string;
  /** Names of the `properties` to keep. */
  readonly includes?: OneOrMore<string>;
  /** Names of the types to search, such as `water`; only on paths with several types. Default: as in the REST interface. */
  readonly types?: OneOrMore<string>;
  /** Names of filters that also find records without a value in the filter's column. */
  readonly include_unknown?: OneOrMore<string>;
  /** Box that the geometry must meet: xmin, ymin, xmax, ymax in degrees. */
  readonly bbox?: readonly [number, number, number, number];
  /** If false, `geometry` is null. Default: true. */
  readonly include_geometry?: boolean;
}

type Value = string | number | boolean;

/**
 * Parameters of a search in a collection made from a table. The columns of the table are parameters too, such as `Price_min`, as
 * the REST interface documents them.
 */
export interface OwnSearchParameters
  extends Omit<SearchParameters, Exclude<FilterName, "name" | "categories"> | "types"> {
  readonly [parameter: string]: OneOrMore<Value> | Area | undefined;
}

/** The name of a collection of one's own: any text but the name of a path. */
type OwnName<Name extends string> = Name extends PathName ? never : Name;

/** Options of a call that can be aborted. An aborted call rejects with the reason of the signal. */
export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** One page of a search. */
export interface SearchPage {
  /** Number of records on all pages. */
  readonly count: number;
  /** Number of this page, from 0. */
  readonly page: number;
  /** Maximum number of records per page. */
  readonly limit: number;
  /** Name of the release that the page comes from. */
  readonly release: string;
  /** The records, nearest first, then by id; without a centre or an area by id. */
  readonly features: readonly Feature[];
}

/** The group to count by, with the names and meaning of `/counts`. */
interface Grouping {
  /**
   * `cell` (geohash cells), `country`, `division`, `category`, `brand`, `confidence`, `class`, `subtype`, `level`, or a column of
   * a collection of one's own. Left out, only the total is counted.
   */
  readonly group?: string;
  /**
   * With `cell`: characters of the geohash, 1 to 6, default 4. With `division`: the subtype of the divisions, such as `region`.
   */
  readonly level?: string | number;
  /** With `division`: ids of divisions instead of `level`, at most 100. */
  readonly ids?: OneOrMore<string>;
}

/** Parameters of a count: the parameters of a search that select records, and the group. */
export type CountParameters = Omit<SearchParameters, "nearest" | "includes" | "include_geometry"> & Grouping;

/**
 * Parameters of a count in a collection that is made from a table: the parameters that select records, and the group.
 */
export type OwnCountParameters = OwnSearchParameters & Grouping;

/** The number of matching records, and of each group. */
export interface Counts {
  /** Matching records, each once. */
  readonly total: number;
  /** Number of groups on all pages; 0 without `group`. */
  readonly groupCount: number;
  /** The groups of the page, largest first; geohash cells by key. */
  readonly groups: readonly {
    /** A geohash, a value, a country, or the id of a division. */
    readonly key: string;
    /** Name of the division. Absent for other groups. */
    readonly name?: string;
    readonly count: number;
    /** Outline of the cell or division, positions as `[longitude, latitude]` in degrees. Absent for other groups. */
    readonly geometry?: Area;
  }[];
}

/** Parameters of a text search, with the names and meaning of `/autocomplete`. */
export interface SuggestParameters {
  /** Words in any order. The last one may be incomplete. */
  readonly text: string;
  /** Latitude in degrees. Nearer features rank higher. Needs `lng`. */
  readonly lat?: number | undefined;
  /** Longitude in degrees. Needs `lat`. */
  readonly lng?: number | undefined;
  /** ISO 3166-1 alpha-2 code of the country to search for places, streets and addresses. */
  readonly country?: string | undefined;
  /** Language of the names in the answer, such as `de`, if the record has it: a key of `names.common`. */
  readonly language?: string | undefined;
  /** Maximum number of suggestions. Default 10, at most 50. */
  readonly limit?: number | undefined;
}

/** A feature whose name or address matches a text, or a category of places. */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street" | "address" | "category";
  readonly collection: CollectionName;
  /** Id of the feature; for a category its name in the data, such as `cafe`. */
  readonly id: string;
  readonly name: string;
  /** Distinguishes features of one name: a division's region, a place's address, an address's town. May be empty. */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Longitude and latitude of the representative point, degrees WGS84; for a category the point to search around. */
  readonly lng: number;
  readonly lat: number;
  /** Box of the feature, `[west, south, east, north]` in degrees. Absent for a point. */
  readonly bbox?: BBox;
  /**
   * How the text matches: `exact`, `words` (all are in the name), `prefix` (words of the name start with them), `category`,
   * `intent` (what people do in places of the category), `part` (only some words match), `misspelt` or `near-number` (another
   * house number).
   */
  readonly match?: string;
  /** The name that matches, if different from `name`. */
  readonly matched?: string;
  /** A place's main category. */
  readonly category?: string;
  /** Name of the division or region that some of the words name. The feature is in it or near it. */
  readonly within?: string;
  /** Set if `within` is the whole country. */
  readonly isCountryWide?: true;
  /** Metres from `lat` and `lng` of the request. */
  readonly meters?: number;
  /** Words of the text that the suggestion does not use. */
  readonly unused: readonly string[];
}

/** Parameters of a reverse search, with the names and meaning of `/reverse`. `lat` and `lng` are degrees WGS84. */
export interface ReverseParameters {
  readonly lat: number;
  readonly lng: number;
  /** Metres around the point. Records farther away are left out. Default: 1000. */
  readonly radius?: number | undefined;
  readonly language?: string | undefined;
  /** If false, no divisions are returned, and the country comes from the nearest record. Default: true. */
  readonly include_divisions?: boolean | undefined;
}

/** What is at a point. `address`, `street` and `place` are null if none is near enough. */
export interface Reversed {
  /** One line: the address, the street or the place, then town and country. May be empty. */
  readonly label: string;
  readonly address: Feature | null;
  /** The nearest segment of a road with a name. */
  readonly street: Feature | null;
  readonly place: Feature | null;
  /** The areas of divisions that contain the point, the widest first; without their outlines. */
  readonly divisions: readonly (Omit<Feature, "geometry"> & { readonly geometry: null })[];
}

/** A source of records, to be credited next to them. */
export interface Attribution {
  /** As records name it in `sources[].dataset`. */
  readonly dataset: string;
  readonly license: string;
  /** The line to show. */
  readonly text: string;
  readonly url?: string | undefined;
}

/** The release of a dataset, its sources, and the number of rows of each collection. */
export interface DatasetDescription {
  readonly release: string;
  /** Sources to credit next to records. */
  readonly attribution: readonly Attribution[];
  readonly collections: Readonly<Record<string, number>>;
}

/**
 * Iterates over all records of a search, page by page, and requests a page when the loop needs it. Throws `RequestError`, also in
 * the middle of the loop if the host removes the release meanwhile.
 */
export type Iterate = (parameters: SearchParameters, options?: Abortable) => AsyncGenerator<Feature, void, undefined>;

/** An open dataset: a method for each search path, and searches by words, by id and by point. */
export interface Cairn extends Readonly<Record<PathName, Iterate>> {
  /** URL or folder of the dataset. */
  readonly location: string;
  /**
   * Returns one page of a search, and the number of records on all pages. `path` may be the name of a collection made from a
   * table. Throws `RequestError` when a parameter or the path is wrong, or when files cannot be read.
   */
  search(path: PathName, parameters: SearchParameters, options?: Abortable): Promise<SearchPage>;
  search<Name extends string>(
    path: OwnName<Name>,
    parameters: OwnSearchParameters,
    options?: Abortable,
  ): Promise<SearchPage>;
  /** Iterates over all records of a search, as the methods named like paths do, such as `places`. */
  records(path: PathName, parameters: SearchParameters, options?: Abortable): AsyncGenerator<Feature, void, undefined>;
  records<Name extends string>(
    path: OwnName<Name>,
    parameters: OwnSearchParameters,
    options?: Abortable,
  ): AsyncGenerator<Feature, void, undefined>;
  /**
   * Counts the records that a search with these parameters finds, mostly without reading them. Without a location all records are
   * counted. Throws `RequestError` when a parameter is wrong, or when counting takes too many bytes.
   */
  counts(path: PathName, parameters?: CountParameters, options?: Abortable): Promise<Counts>;
  counts<Name extends string>(
    path: OwnName<Name>,
    parameters?: OwnCountParameters,
    options?: Abortable,
  ): Promise<Counts>;
  /**
   * Returns the record with this id among those of the path; undefined if there is none. Throws `RequestError` for an unknown
   * path.
   */
  find(path: string, id: string, options?: Abortable): Promise<Feature | undefined>;
  /**
   * Returns countries, divisions, places, streets, addresses and categories that match a text, best first. May be empty. Throws
   * `RequestError`.
   */
  suggest(parameters: SuggestParameters, options?: Abortable): Promise<readonly Suggestion[]>;
  /** Returns the nearest address, street and place, and the divisions that contain the point. Throws `RequestError`. */
  reverse(parameters: ReverseParameters, options?: Abortable): Promise<Reversed>;
  /** Returns the release, its sources, and the number of rows of each collection. Reads the manifest only. */
  describe(options?: Abortable): Promise<DatasetDescription>;
  /**
   * Answers a request of the REST interface, such as `/places?country=MC&format=csv`, as a server would. The origin of `address`
   * is ignored. For a wrong request it resolves to a response with an error status.
   */
  fetch(address: string, init?: RequestInit): Promise<Response>;
}

/** Options of `open`. The signal aborts the opening only. */
export interface OpenOptions extends Abortable {
  /** Limit on cached data in memory, in bytes. Default: 512 MiB. */
  readonly cacheBytes?: number;
  /**
   * Public keys, such as `ed25519:…`. One of them must have signed the dataset. A browser that has accepted a later release
   * refuses an earlier one. Node remembers accepted releases only while the dataset is open.
   */
  readonly key?: string | readonly string[];
}
