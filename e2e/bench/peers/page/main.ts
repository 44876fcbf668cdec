/**
 * The page of the benchmark: opens one peer and answers its questions, timed.
 * @module
 */
import type { Answer, Peer, PeerName, Question } from "../question.ts";

export interface Timed extends Answer {
  readonly ms: number;
}

declare global {
  /** Resolves to the milliseconds it took to open the peer. */
  var openPeer: (name: PeerName) => Promise<number>;
  var askPeer: (question: Question) => Promise<Timed>;
}

const OPENERS: Readonly<Record<PeerName, () => Promise<Peer>>> = {
  "cairn-scan": async () => (await import("./cairn.ts")).openCairn("scan"),
  "cairn-sql": async () => (await import("./cairn.ts")).openCairn("sql"),
  "cairn-auto": async () => (await import("./cairn.ts")).openCairn("auto"),
  flatgeobuf: async () => (await import("./flatgeobuf.ts")).openFlatgeobuf("/peers/places.fgb"),
  hyparquet: async () => (await import("./hyparquet.ts")).openHyparquet("/peers/places.parquet"),
};

let peer: Peer | undefined;

globalThis.openPeer = async (name) => {
  const start = performance.now();
  peer = await OPENERS[name]();
  return performance.now() - start;
};

globalThis.askPeer = async (question) => {
  if (!peer) throw new Error("no peer is open");
  const start = performance.now();
  const answer = await peer.answer(question);
  return { ...answer, ms: performance.now() - start };
};
