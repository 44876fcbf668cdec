/**
 * A wasm module that travels while the program that will ask for it still does.
 * @module
 */
import { fetchWithin } from "../../http/index.ts";
import { openCache } from "./cache-storage.ts";

/** Cache of wasm modules. */
export const WASM_CACHE = "cairn-wasm";

const underWay = new Map<string, Promise<Response | undefined>>();

/** Begins to fetch the module, unless the cache has it. */
export function fetchEarly(url: string): void {
  const asked = fetchMissing(url);
  underWay.set(url, asked);
  // whoever takes it is told; who never does needs not be
  asked.catch(() => {});
}

/** The answer that is under way, given once: who asks again has a reason to ask the network. Undefined where none is. */
export function takeEarly(url: string): Promise<Response | undefined> | undefined {
  const asked = underWay.get(url);
  underWay.delete(url);
  return asked;
}

async function fetchMissing(url: string): Promise<Response | undefined> {
  const cache = await openCache(WASM_CACHE);
  const kept = await cache?.match(url).catch(() => undefined);
  return kept ? undefined : fetchWithin(new URL(url));
}
