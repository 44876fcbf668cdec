/**
 * Loads the engine's WebAssembly modules: fetches each once, stores it in Cache Storage, and returns it as a response that
 * compiles while it arrives. @module
 */
import { FetchError } from "../../../engine/index.ts";
import { fetchWithin, RedirectError } from "../../http/index.ts";
import { KEEP_AFTER_MS, openCache, WASM_CACHE } from "../cache/index.ts";
import { loadPart } from "../parts/index.ts";

interface WasmFile {
  readonly path: string;
  readonly bytes: number;
}

interface LoadWasmOptions {
  readonly base: URL;
  /** Whether the cache stores the decompressed module, which starts faster and takes more space. */
  readonly keepPlain: boolean;
  readonly onProgress?: (receivedBytes: number) => void;
}

/**
 * Passes the module to `start`, and returns its result. If `start` rejects a cached module, it is fetched again once. Rejects
 * with `FetchError` when it cannot be fetched.
 */
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
    const again = await fetchWasm(file, options, cache).catch(() => {
      throw error;
    });
    return start(again);
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
    throw new FetchError(`${file.path} answered ${response.status}, expected 200`, {
      path: file.path,
      status: response.status,
    });
  }
  const counted = response.body.pipeThrough(countBytes(onProgress));
  const [toUse, toKeep] = cache && !keepPlain ? counted.tee() : [counted, undefined];
  const module = await requireWasm(await decompress(toUse), url);
  if (!cache) return wasmResponse(module);
  const [now, later] = toKeep ? [module, toKeep] : module.tee();
  // Caching is optional: it must not delay the first search, and a full disk must not stop it. A stream that breaks
  // off is never stored.
  setTimeout(() => void cache.put(url, wasmResponse(later)).catch(() => {}), KEEP_AFTER_MS);
  return wasmResponse(now);
}

/** Returns the bytes as a response that `WebAssembly.compileStreaming` accepts. */
export function wasmResponse(body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
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
const WASM = [0x00, 0x61, 0x73, 0x6d];
/** Number of bytes that the message about a file shows that is not a module. */
const SHOWN_BYTES = 40;

/** Returns the content of an .xz or .gz stream, which it recognises by the first bytes. Returns any other stream unchanged. */
export async function decompress(stream: Bytes): Promise<Bytes> {
  const { head, whole } = await readHead(stream, XZ.length);
  // A host may have sent `Content-Encoding` for the file, so that the browser has already decompressed it.
  if (startsWith(head, XZ)) {
    const { XzReadableStream } = await loadPart(() => import("xz-decompress"));
    return new XzReadableStream(whole) as Bytes;
  }
  if (startsWith(head, GZIP)) return whole.pipeThrough(new DecompressionStream("gzip"));
  return whole;
}

/**
 * Returns the stream if it begins like a WebAssembly module. Throws `FetchError` otherwise: some hosts answer 200 with a page for
 * a missing file.
 */
async function requireWasm(stream: Bytes, url: string): Promise<Bytes> {
  const { head, whole } = await readHead(stream, SHOWN_BYTES);
  if (startsWith(head, WASM)) return whole;
  await whole.cancel().catch(() => {});
  const shown = JSON.stringify(new TextDecoder().decode(head.subarray(0, SHOWN_BYTES)));
  throw new FetchError(
    `${url} is not WebAssembly, its content begins with ${shown}: copy the site's assets/ folder there`,
    {
      path: url,
      status: 200,
    },
  );
}

/** Returns the first bytes of the stream (`bytes` if it has so many), and a stream of all of it. */
async function readHead(stream: Bytes, bytes: number): Promise<{ readonly head: Uint8Array; readonly whole: Bytes }> {
  const reader = stream.getReader();
  const chunks: Chunk[] = [];
  let isDone = false;
  while (!isDone && sizeOf(chunks) < bytes) {
    const { value, done } = await reader.read();
    if (value) chunks.push(value);
    isDone = done;
  }
  const head = new Uint8Array(sizeOf(chunks));
  let offset = 0;
  for (const chunk of chunks) {
    head.set(chunk, offset);
    offset += chunk.byteLength;
  }
  const whole: Bytes = new ReadableStream({
    start(controller) {
      if (head.byteLength > 0) controller.enqueue(head);
      if (isDone) controller.close();
    },
    async pull(controller) {
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { head, whole };
}

const sizeOf = (chunks: readonly Chunk[]) => chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
