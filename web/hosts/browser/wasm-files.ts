/**
 * The engine's wasm modules: fetched once, kept in Cache Storage, given as responses that compile while they stream.
 * @module
 */
import { FetchError } from "../../engine/errors.ts";
import { openCache } from "./cache-storage.ts";
import { decompress } from "./decompress.ts";

export interface WasmFile {
  /** Below the page's folder. */
  readonly path: string;
  readonly bytes: number;
}

export interface LoadWasmOptions {
  /** The page's folder. */
  readonly base: URL;
  /** Whether the cache keeps the module itself rather than the compressed file: faster to start, larger to store. */
  readonly keepPlain: boolean;
  readonly onProgress?: (receivedBytes: number) => void;
}

const CACHE = "cairn-wasm";

/** The module as an `application/wasm` response. Throws `FetchError` when it cannot be had. */
export async function loadWasm(file: WasmFile, options: LoadWasmOptions): Promise<Response> {
  const { base, keepPlain, onProgress } = options;
  const url = new URL(file.path, base).href;
  const cache = await openCache(CACHE);
  const kept = await cache?.match(url);
  if (kept?.body) {
    onProgress?.(file.bytes);
    return wasmResponse(keepPlain ? kept.body : await decompress(kept.body));
  }

  const response = await fetch(url).catch((cause: unknown) => {
    throw new FetchError(`${file.path} cannot be fetched`, { path: file.path, cause });
  });
  if (!response.ok || !response.body) {
    throw new FetchError(`${file.path} answered ${response.status}`, { path: file.path, status: response.status });
  }
  const counted = response.body.pipeThrough(countBytes(onProgress));
  if (!cache) return wasmResponse(await decompress(counted));

  const [toUse, toKeep] = keepPlain ? (await decompress(counted)).tee() : counted.tee();
  // Keeping is a convenience: a full disk must not stop a search. A stream that breaks off is never kept.
  cache.put(url, wasmResponse(toKeep)).catch(() => {});
  return wasmResponse(keepPlain ? toUse : await decompress(toUse));
}

function wasmResponse(body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
}

type Chunk = Uint8Array<ArrayBuffer>;

function countBytes(onProgress: ((receivedBytes: number) => void) | undefined): TransformStream<Chunk, Chunk> {
  let received = 0;
  return new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength;
      onProgress?.(received);
      controller.enqueue(chunk);
    },
  });
}
