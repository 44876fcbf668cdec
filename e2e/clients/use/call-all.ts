/**
 * The task of each generated client: call every operation, and use the results by their types.
 * @module
 */

/** A search with results on every path: the radius reaches from Monaco to Boulder. */
export const QUERY = { lat: 43.7347, lng: 7.4206, radius: 10_000_000, limit: 3 };

/** A search whose records are sent without pages. */
export const EXPORT = { lat: 43.7384, lng: 7.4246, radius: 60 };

/** Parameters of operations that do not list the records of one path. */
export const GEOCODE = {
  autocomplete: { text: "casino monaco", limit: 3 },
  search: { text: "casino monaco", limit: 3 },
  reverse: { lat: 43.7384, lng: 7.4246, include_divisions: false },
  photonApi: { q: "casino monaco", limit: 3 },
  photonReverse: { lat: 43.7384, lon: 7.4246 },
  photonStatus: {},
  nominatimSearch: { q: "casino monaco", limit: 3, addressdetails: "1" },
  nominatimReverse: { lat: 43.7384, lon: 7.4246 },
  nominatimLookup: { osm_ids: ["nobody"] as string[] },
  nominatimStatus: { format: "json" },
  counts: { what: "places", group: "category", country: "MC", limit: 3 },
  changes: { since: "before", lat: 43.7384, lng: 7.4246, limit: 3 },
} as const;

/** A tile with places of Monaco. */
export const TILE = { collection: "places", z: 14, x: 8529, y: 5974 } as const;

/** A point in the sea, where `/reverse` finds no address, street or place. */
export const SEA = { lat: 0, lng: -30 };

interface Reversed {
  readonly address: { readonly id: string } | null;
  readonly street: { readonly id: string } | null;
  readonly place: { readonly id: string } | null;
}

/** Reads a result of `/reverse`. The generated types must allow null for each. */
export const idsAt = ({ address, street, place }: Reversed): (string | undefined)[] => [
  address?.id,
  street?.id,
  place?.id,
];

/** The bytes of a tile in a comparable form. */
export async function tileOf(body: unknown): Promise<string> {
  if (!(body instanceof Blob)) throw new Error(`a tile is ${typeof body}, expected a Blob`);
  return new Uint8Array(await body.arrayBuffer()).join();
}

/** Parameters of a single record, including a list. */
export const KEPT = { includes: ["names", "sources"] };

/** Paths with single records, as in operation names. */
export const RECORD_PATHS = [
  "Places",
  "PlacesBuildings",
  "Buildings",
  "Addresses",
  "Base",
  "Transportation",
  "Divisions",
] as const;

export type Ids = Readonly<Record<(typeof RECORD_PATHS)[number], string>>;

/** Bodies by operation; `lines` is computed from those of `searchPlaces`. */
export type Answers = Readonly<Record<string, unknown>> & {
  readonly lines: readonly string[];
  /** Results at `SEA`. */
  readonly atSea: readonly (string | undefined)[];
};

/** Calls every operation. `baseUrl` has no trailing slash. Throws if one fails. */
export type CallAll = (baseUrl: string, ids: Ids) => Promise<Answers>;

/** The list among the possible bodies of an operation: JSON is the default format. */
export function listOf<T>(body: T): Extract<T, readonly unknown[]> {
  if (!isList(body)) throw new Error(`body is ${typeof body}, expected a list`);
  return body;
}

function isList<T>(body: T): body is Extract<T, readonly unknown[]> {
  return Array.isArray(body);
}

interface Place {
  readonly id: string;
  readonly properties: {
    readonly id: string;
    readonly names?: { readonly primary?: string };
    readonly brand?: { readonly names: { readonly primary: string } };
    readonly sources?: readonly { readonly dataset: string; readonly record_id: string }[];
    readonly ext_country?: string;
  };
}

/** Reads places, with checks for missing values. The generated types must fit. */
export const linesOf = (places: readonly Place[]): string[] =>
  places.map(({ id, properties }) => {
    const { names, brand, sources = [], ext_country: country } = properties;
    const records = sources.map(({ dataset, record_id: record }) => `${dataset.trim()}/${record.trim()}`);
    return [properties.id === id, names?.primary, brand?.names.primary.trim(), country, ...records].join();
  });
