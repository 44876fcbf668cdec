/**
 * A static host with HTTP Range behind a slow network: every request waits for the latency, and all bodies share one
 * bandwidth. Uses HTTP/2 as content delivery networks do, so no request waits for a connection. The server delays, so
 * that pages and workers are equal. Counts requests, bytes and round trips.
 * @module
 */
import { open, readFile, stat } from "node:fs/promises";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse, type Http2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Certificate } from "./certificate.ts";

export interface Network {
  readonly name: string;
  /** Between a request and the first byte of its answer. */
  readonly latencyMs: number;
  /** Of all bodies together; Infinity for no limit. */
  readonly bitsPerSecond: number;
}

export const NETWORKS = {
  none: { name: "none added", latencyMs: 0, bitsPerSecond: Number.POSITIVE_INFINITY },
  fast: { name: "50 ms, 20 Mbit/s", latencyMs: 50, bitsPerSecond: 20e6 },
  slow: { name: "150 ms, 1.6 Mbit/s", latencyMs: 150, bitsPerSecond: 1.6e6 },
} as const satisfies Readonly<Record<string, Network>>;

export type NetworkName = keyof typeof NETWORKS;

export interface Sent {
  readonly requests: number;
  /** Bytes of bodies. */
  readonly bytes: number;
  /** The longest chain of requests, each sent after the previous answer. No more can depend on each other. */
  readonly roundTrips: number;
}

export interface SlowHost {
  /** Ends in `/`. */
  readonly url: string;
  /** Transfers since the last `forget`. */
  sent(): Sent;
  forget(): void;
  use(network: Network): void;
  close(): Promise<void>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
/** Large files that are not read by ranges, compressed as on any host. */
const COMPRESSED = new Set([".html", ".css", ".js", ".json", ".wasm"]);
const CHUNK_BYTES = 16 * 1024;

/** Start and end of a request, milliseconds of `performance.now`. */
interface Exchange {
  readonly startMs: number;
  endMs: number;
}

/** Starts the host over folders by URL path. The longest path wins. */
export async function startSlowHost(
  folders: Readonly<Record<string, string>>,
  certificate: Certificate,
): Promise<SlowHost> {
  let exchanges: Exchange[] = [];
  let sentBytes = 0;
  const compressed = new Map<string, Buffer>();
  const mounts = Object.entries(folders).sort(([a], [b]) => b.length - a.length);
  let network: Network = NETWORKS.none;
  /** When the queued bytes are sent, milliseconds of `performance.now`. */
  let freeAtMs = 0;

  async function answer(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const exchange: Exchange = { startMs: performance.now(), endMs: Number.POSITIVE_INFINITY };
    exchanges.push(exchange);
    const asked = normalize(decodeURIComponent(new URL(request.url, "https://localhost").pathname));
    const path = asked.endsWith("/") ? `${asked}index.html` : asked;
    const mount = mounts.find(([prefix]) => path.startsWith(prefix));
    const file = mount && join(mount[1], path.slice(mount[0].length));
    const isCompressed = COMPRESSED.has(extname(path)) && request.headers["accept-encoding"]?.includes("gzip") === true;
    const bytes = file ? await (isCompressed ? zipped(file) : sizeOf(file)) : undefined;
    const elapsedMs = performance.now() - exchange.startMs;
    await wait(Math.max(0, network.latencyMs - elapsedMs));
    if (!file || bytes === undefined) {
      response.writeHead(404).end();
      exchange.endMs = performance.now();
      return;
    }
    const size = typeof bytes === "number" ? bytes : bytes.byteLength;
    const range = isCompressed ? undefined : parseRange(request.headers.range, size);
    const [start, end] = range ?? [0, size];
    response.writeHead(range ? 206 : 200, {
      "Content-Type": MEDIA_TYPES[extname(path)] ?? "application/octet-stream",
      "Content-Length": end - start,
      "Cache-Control": path.endsWith("/manifest.json") ? "no-cache" : "public, max-age=31536000, immutable",
      ...(isCompressed ? { "Content-Encoding": "gzip" } : { "Accept-Ranges": "bytes" }),
      ...(range ? { "Content-Range": `bytes ${start}-${end - 1}/${size}` } : {}),
    });
    if (request.method !== "HEAD") {
      const body = typeof bytes === "number" ? await readRange(file, start, end) : bytes;
      await pipeline(carried(body), response).finally(() => {
        exchange.endMs = performance.now();
      });
      return;
    }
    response.end();
    exchange.endMs = performance.now();
  }

  /**
   * Sends the body with delays. Back pressure applies, because an HTTP/2 session with too much buffered data refuses
   * requests.
   */
  async function* carried(body: Buffer): AsyncGenerator<Buffer> {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) {
      const chunk = body.subarray(at, at + CHUNK_BYTES);
      await carry(chunk.length);
      sentBytes += chunk.length;
      yield chunk;
    }
  }

  /** The file as gzip, cached; undefined if it does not exist. */
  async function zipped(file: string): Promise<Buffer | undefined> {
    const known = compressed.get(file);
    if (known) return known;
    const plain = await readFile(file).catch(() => undefined);
    if (!plain) return undefined;
    const made = await promisify(gzip)(plain);
    compressed.set(file, made);
    return made;
  }

  /** Resolves when this many more bytes are sent. */
  async function carry(bytes: number): Promise<void> {
    const now = performance.now();
    freeAtMs = Math.max(freeAtMs, now) + (bytes * 8000) / network.bitsPerSecond;
    if (freeAtMs > now + 1) await wait(freeAtMs - now);
  }

  const server = createSecureServer(certificate, (request, response) => {
    answer(request, response).catch(() => response.stream.close());
  });
  const sessions = new Set<Http2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent: () => ({ requests: exchanges.length, bytes: sentBytes, roundTrips: longestRow(exchanges) }),
    forget() {
      exchanges = [];
      sentBytes = 0;
    },
    use(next) {
      network = next;
      freeAtMs = 0;
    },
    close() {
      for (const session of sessions) session.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

async function readRange(path: string, start: number, end: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const body = Buffer.alloc(end - start);
    await file.read(body, 0, body.length, start);
    return body;
  } finally {
    await file.close();
  }
}

/** The largest set of exchanges without overlap: take the one that ends first, drop those that overlap it. */
function longestRow(exchanges: readonly Exchange[]): number {
  let row = 0;
  let freeMs = Number.NEGATIVE_INFINITY;
  for (const { startMs, endMs } of exchanges.toSorted((a, b) => a.endMs - b.endMs)) {
    if (startMs < freeMs) continue;
    row++;
    freeMs = endMs;
  }
  return row;
}

/** The half-open range in the header; undefined if there is none. */
function parseRange(header: string | undefined, size: number): readonly [number, number] | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return [Math.max(0, size - Number(last)), size];
  return [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
}
