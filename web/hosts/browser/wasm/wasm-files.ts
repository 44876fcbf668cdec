/** The engine's wasm modules: fetched once, kept in Cache Storage, given as responses that compile while they stream. @module */
import { FetchError } from "../../../engine/index.ts";
import { fetchWithin, RedirectError } from "../../http/index.ts";
import { KEEP_AFTER_MS, openCache, WASM_CACHE } from "../cache/index.ts";
import { decompress } from "./decompress.ts";

export interface WasmFile {
  readonly path: string;
  readonly bytes: number;
}

export interface LoadWasmOptions {
  readonly base: URL;
  /** Whether the cache keeps the module itself rather than the compressed file: faster to start, larger to store. */
  readonly keepPlain: boolean;
  readonly onProgress?: (receivedBytes: number) => void;
}

/** Gives the module to `start`. A kept one that `start` refuses is fetched once more. Throws `FetchError` when there is none. */
export async function withWasm<T>(
  file: WasmFile,
  options: LoadWasmOptions,
  start: (module: Response) => Promise<T>,
): Promise<T> {
  const { base, keepPlain, onProgress } = options;
  const url = new URL(file.path, base).href;
  const cache = await openCache(WASM_CACHE);
  const kept = await cache?.match(url).catch(() => undefined);
  if (!kept?.body) return start(await fetchWasm(file, options, cache));
  onProgress?.(file.bytes);
  try {
    return await start(wasmResponse(keepPlain ? kept.body : await decompress(kept.body)));
  } catch (error) {
    await cache?.delete(url);
    const anew = await fetchWasm(file, options, cache).catch(() => {
      throw error;
    });
    return start(anew);
  }
}

async function fetchWasm(file: WasmFile, options: LoadWasmOptions, cache: Cache | undefined): Promise<Response> {
  const { base, keepPlain, onProgress } = options;
  const url = new URL(file.path, base).href;
  const response = await fetchWithin(new URL(url)).catch((cause: unknown) => {
    const [why, answered] =
      cause instanceof RedirectError ? [`: ${cause.message}`, { status: cause.status }] : ["", {}];
    throw new FetchError(`${file.path} cannot be fetched${why}`, { path: file.path, ...answered, cause });
  });
  if (!response.ok || !response.body) {
    throw new FetchError(`${file.path} answered ${response.status}`, { path: file.path, status: response.status });
  }
  const counted = response.body.pipeThrough(countBytes(onProgress));
  if (!cache) return wasmResponse(await decompress(counted));

  const [toUse, toKeep] = keepPlain ? (await decompress(counted)).tee() : counted.tee();
  // Keeping is a convenience: it must not hold the first search up, nor must a full disk stop it. A stream that breaks off is never kept.
  setTimeout(() => void cache.put(url, wasmResponse(toKeep)).catch(() => {}), KEEP_AFTER_MS);
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
