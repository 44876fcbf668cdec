/**
 * The benchmark's page: opens one peer and times its answers.
 * @module
 */
import type { Answer, Peer, PeerName, Place, Question } from "../question.ts";

export interface Timed extends Answer {
  readonly ms: number;
}

declare global {
  /** Resolves to the milliseconds for opening the peer, in a page that shows the location. */
  var openPeer: (name: PeerName, place?: Place) => Promise<number>;
  var askPeer: (question: Question) => Promise<Timed>;
}

const OPENERS: Readonly<Record<PeerName, (place?: Place) => Promise<Peer>>> = {
  "cairn-scan": async (place) => (await import("./cairn.ts")).openCairn(place),
  flatgeobuf: async () => (await import("./flatgeobuf.ts")).openFlatgeobuf("/peers/places.fgb"),
  hyparquet: async () => (await import("./hyparquet.ts")).openHyparquet("/peers/places.parquet"),
  "duckdb-file": async () => (await import("./duckdb.ts")).openDuckdbFile("/peers/places.parquet"),
  "duckdb-copy": async () => (await import("./duckdb.ts")).openDuckdbCopy("/dataset/stac/place/items.json"),
  minisearch: async () => (await import("./minisearch.ts")).openMinisearch("/peers/minisearch.json"),
  pagefind: async () => (await import("./pagefind.ts")).openPagefind("/peers/pagefind/"),
};

let peer: Peer | undefined;

globalThis.openPeer = async (name, place) => {
  const start = performance.now();
  peer = await OPENERS[name](place);
  return performance.now() - start;
};

globalThis.askPeer = async (question) => {
  if (!peer) throw new Error("no peer is open");
  const start = performance.now();
  const { total, ids } = await peer.answer(question);
  const ms = performance.now() - start;
  return { ids: await ids(), total, ms };
};
