/**
 * What an embedding program sees of Cairn.
 * @module
 */
import type { Area } from "../../data/format/area.ts";
import type { FILTERS, FilterName } from "../../data/format/filters.ts";
import type { Attribution } from "../../data/format/manifest.ts";
import type { Feature as EngineFeature } from "../engine/index.ts";
import type { Reversed as GeocodeReversed, ShownSuggestion } from "../geocode/index.ts";

/** A feature that a text may mean. */
export type Suggestion = ShownSuggestion;

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

export type PathName = keyof typeof PATHS;

/**
 * What a record says of itself: columns of the dataset's specification, those that are null left out. Which there are depends
 * on the collection, and on `includes`; those that most programs show have their types here.
 */
export interface Properties {
  /** That of the feature, whatever `includes` keeps. */
  readonly id: string;
  readonly theme?: string;
  /** Of Overture's schema, such as `place`. */
  readonly type?: string;
  readonly names?: { readonly primary: string; readonly common?: Readonly<Record<string, string>> };
  readonly categories?: { readonly primary?: string; readonly alternate?: readonly string[] };
  readonly subtype?: string;
  readonly class?: string;
  /** A brand of which nothing is known is left out; `primary` is empty where only its Wikidata item is known. */
  readonly brand?: { readonly names: { readonly primary: string }; readonly wikidata?: string };
  /** Country by whose search the record is found, where its type declares none; `ZZ` where no country is known. */
  readonly ext_country?: string;
  /** Metres from the search's centre. */
  readonly ext_distance?: number;
  readonly [name: string]: unknown;
}

/** A record as GeoJSON. Its geometry is null where `include_geometry: false` was asked for. */
export interface Feature extends Omit<EngineFeature, "properties"> {
  readonly properties: Properties;
}

type OneOrMore<T> = T | readonly T[];

type FilterValues = {
  readonly words: string;
  readonly text: string;
  readonly least: number;
  readonly integers: OneOrMore<number>;
  readonly list: OneOrMore<string>;
  readonly choices: OneOrMore<string>;
};

type FilterParameters = { readonly [Name in FilterName]?: FilterValues[(typeof FILTERS)[Name]["kind"]] };

/** Parameters of a search: names, units and meaning are those of the REST interface. Not every path takes each of them. */
export interface SearchParameters extends FilterParameters {
  /** Latitude of the centre, degrees. Needs `lng`. */
  readonly lat?: number;
  /** Longitude of the centre, degrees. Needs `lat`. */
  readonly lng?: number;
  /** Metres around the centre, inclusive; 1000 when left out. */
  readonly radius?: number;
  /** In place of `radius`: so many records, the nearest ones, however far. */
  readonly nearest?: number;
  /** A GeoJSON polygon that records meet; nearest to its representative point first. */
  readonly area?: Area;
  /** Id of a division, in whose outline records lie; in place of `area`. */
  readonly within?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** Records a page, 1000 when left out, 25000 at most. */
  readonly limit?: number;
  /** Page number, from 0. An iteration begins with it. */
  readonly page?: number;
  /** Names of the `properties` to keep. */
  readonly includes?: OneOrMore<string>;
  readonly types?: OneOrMore<string>;
  /** xmin, ymin, xmax, ymax in degrees. */
  readonly bbox?: readonly [number, number, number, number];
  readonly include_geometry?: boolean;
}

export interface Abortable {
  readonly signal?: AbortSignal | undefined;
}

/** One page of a search. */
export interface SearchPage {
  /** Records on all pages. */
  readonly count: number;
  /** Number of this page, from 0. */
  readonly page: number;
  /** Most records a page. */
  readonly limit: number;
  /** The records in order: by distance, then id; without a centre or an area by id. */
  readonly features: readonly Feature[];
}

/** What a text is looked for by: names and meaning are those of `/autocomplete`. */
export interface SuggestParameters {
  /** Words in any order, the last perhaps unfinished. */
  readonly text: string;
  /** What is near comes first. Needs `lng`. */
  readonly lat?: number | undefined;
  readonly lng?: number | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
  /** A code as `names.common` has them. */
  readonly language?: string | undefined;
  /** 10 when left out, 50 at most. */
  readonly limit?: number | undefined;
}

/** A point, as for `/reverse`. */
export interface ReverseParameters {
  readonly lat: number;
  readonly lng: number;
  /** Metres; what is farther is not told. 1000 when left out. */
  readonly radius?: number | undefined;
  readonly language?: string | undefined;
  /** Without them no outline is read, and the country is that of the nearest record. True when left out. */
  readonly include_divisions?: boolean | undefined;
}

/** What is at a point; the divisions that hold it come without geometry. */
export interface Reversed extends Omit<GeocodeReversed, "address" | "street" | "place"> {
  readonly address: Feature | null;
  readonly street: Feature | null;
  readonly place: Feature | null;
}

/** What a dataset says of itself. */
export interface DatasetDescription {
  readonly release: string;
  /** Whom to credit wherever records are shown. */
  readonly attribution: readonly Attribution[];
  /** Rows of each collection. */
  readonly collections: Readonly<Record<string, number>>;
}

/** Iterates over all records of a search, page after page; a page is asked for when the one before is used up. */
export type Iterate = (parameters: SearchParameters, options?: Abortable) => AsyncGenerator<Feature, void, undefined>;

export interface Cairn extends Readonly<Record<PathName, Iterate>> {
  /** URL or folder of the dataset. */
  readonly location: string;
  /** One page of a search, with the count of all. Throws `RequestError` when a parameter is wrong. */
  search(path: PathName, parameters: SearchParameters, options?: Abortable): Promise<SearchPage>;
  /** The record of this id; undefined when there is none. */
  find(path: PathName, id: string, options?: Abortable): Promise<Feature | undefined>;
  /** What a text may mean, best first: divisions, places, streets and addresses. */
  suggest(parameters: SuggestParameters, options?: Abortable): Promise<readonly Suggestion[]>;
  /** What is at a point: the nearest address, street and place, and the divisions that hold it. */
  reverse(parameters: ReverseParameters, options?: Abortable): Promise<Reversed>;
  describe(options?: Abortable): Promise<DatasetDescription>;
  /** Answers a request of the REST interface, such as `/places?country=MC&format=csv`, as a server would. */
  fetch(address: string, init?: RequestInit): Promise<Response>;
}

export interface OpenOptions extends Abortable {
  /** Memory for decoded partitions, in bytes; 512 MiB when left out. */
  readonly cacheBytes?: number;
}
