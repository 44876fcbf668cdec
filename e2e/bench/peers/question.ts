/**
 * What peers are asked, and what they must answer.
 * @module
 */

export type ExportFormat = "json" | "geojson" | "csv";

interface Asked {
  readonly name: string;
  readonly limit: number;
  /** From 0. */
  readonly page: number;
}

/** Places of a circle in order of distance; `filter`: of one category, `export`: as the bytes of a file. */
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

/** Places of a country in whose names each word of the text begins a word, in order of id. */
export interface NameQuestion extends Asked {
  readonly kind: "name";
  readonly country: string;
  readonly text: string;
}

export type Question = CircleQuestion | CountryQuestion | NameQuestion;
export type Kind = Question["kind"];

export interface Answer {
  /** Of the page, in order. */
  readonly ids: readonly string[];
  /** Rows that match, on all pages. */
  readonly total: number;
}

/** An answer as a program can use it at once; its ids are read when the clock has stopped. */
export interface Reply {
  readonly total: number;
  ids(): Promise<readonly string[]>;
}

/** One way to answer questions, in the page. */
export interface Peer {
  answer(question: Question): Promise<Reply>;
}

const ALL: readonly Kind[] = ["circle", "filter", "export", "country", "name"];

/** The kinds of question that a peer has an answer to other than reading everything. */
export const PEER_KINDS = {
  "cairn-scan": ALL,
  "cairn-sql": ALL,
  flatgeobuf: ["circle", "filter", "export"],
  hyparquet: ["circle", "filter", "export", "country"],
  "duckdb-file": ["circle", "filter", "export", "country"],
  "duckdb-copy": ["circle", "filter", "export", "country"],
  minisearch: ["name"],
  pagefind: ["name"],
} as const satisfies Readonly<Record<string, readonly Kind[]>>;

export type PeerName = keyof typeof PEER_KINDS;

export const PEER_NAMES = Object.keys(PEER_KINDS) as readonly PeerName[];

/** Whether the peer is asked questions of this kind. */
export function isAskable(peer: PeerName, kind: Kind): boolean {
  const kinds: readonly Kind[] = PEER_KINDS[peer];
  return kinds.includes(kind);
}
