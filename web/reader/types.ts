/** The public types. They import nothing, so a program needs no other declarations. @module */

/** `[longitude, latitude]` in degrees WGS84. */
export type Position = readonly [longitude: number, latitude: number];

/** A GeoJSON geometry (RFC 7946, section 3.1). */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPoint"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/**
 * Reads `length` bytes from `offset` of a file, or the whole file without `offset` and `length`. `path` is below the dataset's
 * folder. Rejects if the file is missing. Returns fewer bytes only at the end of the file.
 */
export type ReadBytes = (path: string, offset?: number, length?: number) => Promise<Uint8Array>;

/** Options of `open`. */
export interface OpenOptions {
  /** Function that sends the requests. Not used if the source is a function. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Estimated limit on the memory of cached data, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** The return value of `pinned()` from `cairn-reader/pinned`. Default: signatures are not read. */
  readonly pinned?: PinnedKeys | undefined;
}

/** Public keys, made by `pinned()`. One of them must have signed the dataset. */
export interface PinnedKeys {
  /** Checks the manifest with its signature file. Returns who signed it, or as a text why it is refused. */
  readonly verify: (manifest: Uint8Array, signatures: Uint8Array) => Promise<Signature | string>;
}

/** Who signed the release, and when. */
export interface Signature {
  /** The first bytes of the SHA-256 of the key's type and bytes, in hexadecimal. */
  readonly keyId: string;
  /** Name of the signer. May be empty. */
  readonly signer: string;
  readonly signedAt: Date;
  /** Increases with each release. Store it, and pass it as `minSequence` the next time. */
  readonly sequence: number;
}

/** Conditions on rows. All must hold. */
export interface Conditions {
  /** Latitude of the centre in degrees. */
  readonly lat?: number | undefined;
  /** Longitude of the centre in degrees. */
  readonly lng?: number | undefined;
  /**
   * Metres from the centre to the nearest point of the row's geometry, inclusive. Only valid with `lat` and `lng`, which are only
   * valid together. Default: 1,000.
   */
  readonly radius?: number | undefined;
  /** The row is in one of these countries: ISO 3166-1 alpha-2 codes, or `ZZ` for rows outside all countries. */
  readonly country?: string | readonly string[] | undefined;
  /**
   * Each word of this text must be the start of a word in the row's names. For an address, its street, number, postcode and towns
   * count as names. Case and accents are ignored.
   */
  readonly name?: string | undefined;
  /** The row has one of these categories, as its primary or an alternate one. Exact values such as `cafe`. */
  readonly category?: string | readonly string[] | undefined;
  /** The row's brand has one of these primary names. The whole name is compared. Case is ignored. */
  readonly brand?: string | readonly string[] | undefined;
  /** The row has one of these classes. Exact values such as `residential`. */
  readonly class?: string | readonly string[] | undefined;
}

/** Conditions of a search, and the page to return. */
export interface Question extends Conditions {
  /** Rows before the first returned one. Default: 0. */
  readonly offset?: number | undefined;
  /** Maximum number of returned rows, 0 to 25,000. With 0 only the total is returned. Default: 25. */
  readonly limit?: number | undefined;
}

/** A row. Its columns are those of the data specification. A column without a value is left out. */
export interface Row {
  readonly id: string;
  /** ISO 3166-1 alpha-2 code, `ZZ` outside all countries. */
  readonly country: string;
  readonly geometry: Geometry;
  /** Metres from the centre to the nearest point of the geometry, rounded to 1 mm; 0 inside it. Only with a centre. */
  readonly ext_distance?: number;
  readonly [column: string]: unknown;
}

/** A page of rows. */
export interface Found {
  /** Number of all matching rows, not only of the returned ones. */
  readonly total: number;
  /** With a centre: nearest first, then by id. Otherwise by id. */
  readonly rows: readonly Row[];
}

/** A geohash cell, and the number of rows whose representative point is in the cell: at least 1. */
export interface CellCount {
  /** Geohash of the cell. */
  readonly cell: string;
  readonly rows: number;
}

/** Conditions of a count per geohash cell. */
export interface CellQuestion extends Conditions {
  /** Characters of the geohashes, 1 to 6. */
  readonly chars: number;
}

/** The number of rows of a collection. */
export interface CollectionInfo {
  readonly rows: number;
  /** Number of rows by country code, `ZZ` for rows outside all countries. */
  readonly countries: Readonly<Record<string, number>>;
}

/** A source of the data, and the source's licence. */
export interface Credit {
  readonly dataset: string;
  readonly license: string;
  /** The line to show to users. */
  readonly text: string;
  readonly url?: string | undefined;
}

/**
 * One release of a dataset: all answers come from it. Methods reject with `CairnError` for an unknown collection or country, an
 * invalid value, a missing or damaged file, and for `name`, `category`, `brand` or `class` in a collection without terms. An
 * unknown category, brand or class matches no rows.
 */
export interface Dataset {
  readonly release: string;
  readonly collections: Readonly<Record<string, CollectionInfo>>;
  /** The credits that a program must show. */
  readonly attribution: readonly Credit[];
  /** Who signed the release. Only of a dataset that was opened with `pinned`. */
  readonly signature?: Signature | undefined;
  /**
   * Returns a page of the matching rows, and the number of all matching rows. Without a centre, rejects if the page needs more
   * than 25,000 rows of several countries.
   */
  search(collection: string, question?: Question): Promise<Found>;
  /** Returns the number of matching rows. */
  count(collection: string, conditions?: Conditions): Promise<number>;
  /** Returns the row with this id; undefined if there is none. Rejects if the collection has no index of ids. */
  get(collection: string, id: string): Promise<Row | undefined>;
  /**
   * Counts matching rows by the geohash of their representative points, in the order of geohashes, without empty cells. Without
   * `lat` and `lng` it rejects `name`, `category`, `brand` and `class`, and collections without counts per cell.
   */
  cells(collection: string, question: CellQuestion): Promise<readonly CellCount[]>;
}
