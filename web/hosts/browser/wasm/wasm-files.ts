/** The engine's wasm modules: fetched once, kept in Cache Storage, given as responses that compile while they stream. @module */
import { FetchError } from "../../../engine/index.ts";
import { fetchWithin, RedirectError } from "../../http/index.ts";
import { KEEP_AFTER_MS, openCache, WASM_CACHE } from "../cache/index.ts";

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

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

const XZ = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00];
const GZIP = [0x1f, 0x8b];

/** The content of an .xz or .gz stream, told apart by its first bytes; any other stream as it is. */
export async function decompress(stream: Bytes): Promise<Bytes> {
  const reader = stream.getReader();
  const first = await reader.read();
  const head = first.value ?? new Uint8Array();
  // A host may have sent `Content-Encoding` for the file's name, and the browser undone it: then nothing is left to do.
  const startsWith = (magic: readonly number[]) => magic.every((byte, index) => head[index] === byte);
  const whole: Bytes = new ReadableStream({
    start(controller) {
      if (first.value) controller.enqueue(first.value);
      if (first.done) controller.close();
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  if (startsWith(XZ)) {
    const { XzReadableStream } = await import("xz-decompress");
    return new XzReadableStream(whole) as Bytes;
  }
  if (startsWith(GZIP)) return whole.pipeThrough(new DecompressionStream("gzip"));
  return whole;
}
