/**
 * Questions to peers, and their answers.
 * @module
 */

export type ExportFormat = "json" | "geojson" | "csv";

interface Asked {
  readonly name: string;
  readonly limit: number;
  /** From 0. */
  readonly page: number;
}

/** Places in a circle by distance. `filter`: of one category; `export`: as the bytes of a file. */
export interface CircleQuestion extends Asked {
  readonly kind: "circle" | "filter" | "export";
  readonly lon: number;
  readonly lat: number;
  readonly radiusMeters: number;
  readonly category?: string;
  readonly format?: ExportFormat;
}

export type Place = Pick<CircleQuestion, "lon" | "lat">;

/** Places of a country in order of id. */
export interface CountryQuestion extends Asked {
  readonly kind: "country";
  readonly country: string;
}

/** Places of a country with a name that contains words starting with each word of the text, in order of id. */
export interface NameQuestion extends Asked {
  readonly kind: "name";
  readonly country: string;
  readonly text: string;
}

export type Question = CircleQuestion | CountryQuestion | NameQuestion;
export type Kind = Question["kind"];

export interface Answer {
  /** Ids of the page, in order. */
  readonly ids: readonly string[];
  /** Matching rows on all pages. */
  readonly total: number;
}

/** An answer that a program can use at once. Its ids are read after the clock stops. */
export interface Reply {
  readonly total: number;
  ids(): Promise<readonly string[]>;
}

/** A way to answer questions in the page. */
export interface Peer {
  answer(question: Question): Promise<Reply>;
}

const ALL: readonly Kind[] = ["circle", "filter", "export", "country", "name"];

/** Kinds of questions that a peer can answer without reading everything. */
export const PEER_KINDS = {
  "cairn-scan": ALL,
  flatgeobuf: ["circle", "filter", "export"],
  hyparquet: ["circle", "filter", "export", "country"],
  "duckdb-file": ["circle", "filter", "export", "country"],
  "duckdb-copy": ["circle", "filter", "export", "country"],
  minisearch: ["name"],
  pagefind: ["name"],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

export type PeerName = keyof typeof PEER_KINDS;

export const PEER_NAMES = Object.keys(PEER_KINDS) as readonly PeerName[];

/** True if the peer is asked questions of this kind. */
export function isAskable(peer: PeerName, kind: Kind): boolean {
  const kinds: readonly Kind[] = PEER_KINDS[peer];
  return kinds.includes(kind);
}
