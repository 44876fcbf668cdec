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
 * Reads bytes of a file below the dataset's folder. Without `offset` and `length`, it reads the whole file. It rejects
 * if the file is missing. It returns fewer bytes only at the end of the file.
 */
export type ReadBytes = (path: string, offset?: number, length?: number) => Promise<Uint8Array>;

/** Options of `open`. */
export interface OpenOptions {
  /** Requests of a dataset at a URL. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Limit on cached data in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number | undefined;
  /** What `pinned` of `cairn-reader/pinned` returns. Default: signatures are not read. */
  readonly pinned?: PinnedKeys | undefined;
}

/** Public keys. One of them must have signed the dataset. */
export interface PinnedKeys {
  /** Who signed the manifest; a text if it is refused. */
  readonly verify: (manifest: Uint8Array, signatures: Uint8Array) => Promise<Signature | string>;
}

/** Who signed the release. */
export interface Signature {
  /** The first bytes of the key's SHA-256, in hexadecimal. */
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
  /** Metres around the centre, inclusive. Default: 1,000. */
  readonly radius?: number | undefined;
  /** The row is in one of these countries: ISO 3166-1 alpha-2 codes, or `ZZ` for rows outside all countries. */
  readonly country?: string | readonly string[] | undefined;
  /** Each of its words must be at the start of a word of one of the row's names. Case and accents are ignored. */
  readonly name?: string | undefined;
  /** The row has one of these categories. */
  readonly category?: string | readonly string[] | undefined;
  /** The row has one of these brands, by name. Case is ignored. */
  readonly brand?: string | readonly string[] | undefined;
  /** The row has one of these classes. */
  readonly class?: string | readonly string[] | undefined;
}

/** Conditions of a search, and the page to return. */
export interface Question extends Conditions {
  /** Rows before the first returned one. Default: 0. */
  readonly offset?: number | undefined;
  /** Maximum number of returned rows. Default: 25. */
  readonly limit?: number | undefined;
}

/** A row: the columns of the data specification. A column without a value is left out. */
export interface Row {
  readonly id: string;
  readonly country: string;
  readonly geometry: Geometry;
  /** Metres from the centre, rounded to 1 mm. Only of a search with a centre. */
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

/** The number of rows whose representative point is in a geohash cell. */
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
  /** Rows by country. */
  readonly countries: Readonly<Record<string, number>>;
}

/** A source of the data, and its licence. */
export interface Credit {
  readonly dataset: string;
  readonly license: string;
  /** The line to show to users. */
  readonly text: string;
  readonly url?: string | undefined;
}

/** A release of a dataset. All answers come from it. */
export interface Dataset {
  readonly release: string;
  readonly collections: Readonly<Record<string, CollectionInfo>>;
  /** The credits that a program must show. */
  readonly attribution: readonly Credit[];
  /** Only of a dataset that was opened with `pinned`. */
  readonly signature?: Signature | undefined;
  /** Returns a page of the matching rows and the number of all of them. */
  search(collection: string, question?: Question): Promise<Found>;
  /** Returns the number of matching rows. */
  count(collection: string, conditions?: Conditions): Promise<number>;
  /** Returns the row with this id; undefined if there is none. */
  get(collection: string, id: string): Promise<Row | undefined>;
  /**
   * Counts matching rows by the geohash of their representative points, in the order of geohashes. Terms need a
   * centre.
   */
  cells(collection: string, question: CellQuestion): Promise<readonly CellCount[]>;
}
