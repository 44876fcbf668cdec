/** What one of several requests at once costs, as bytes that travel in its time. @module */
import { PACK_BYTES } from "../../../data/format/manifest.ts";
import type { PackMemory } from "./pack-memory.ts";

/** Over HTTP/1.1 six go at a time: a sixth of 50 ms at 20 Mbit/s. */
const SIXTH_OF_A_ROUND_TRIP_BYTES = 20 * 1024;
/** Over HTTP/2 and 3 they go together, and their headers are told once. */
const HEADERS_BYTES = 1024;

export function requestCost(base: string, packs: PackMemory): () => number {
  let isOneByOne: boolean | undefined;
  return () => {
    if (packs.answers === "whole") return PACK_BYTES;
    isOneByOne ??= isHttp1(base);
    return isOneByOne ? SIXTH_OF_A_ROUND_TRIP_BYTES : HEADERS_BYTES;
  };
}

/** Undefined where nothing was asked yet, or the browser does not tell: of other origins, and in Node. */
function isHttp1(base: string): boolean | undefined {
  const entries = performance.getEntriesByType("resource") as readonly {
    readonly name: string;
    readonly nextHopProtocol?: string;
  }[];
  const protocol = entries.findLast(
    ({ name, nextHopProtocol }) => name.startsWith(base) && nextHopProtocol,
  )?.nextHopProtocol;
  return protocol === undefined ? undefined : protocol.startsWith("http/1");
}
