/**
 * A static host with HTTP Range behind a slow line: every request waits for the latency, and all bodies share one bandwidth.
 * The delays are the server's own, so that they are the same for pages and workers. It counts requests and bytes.
 * @module
 */
import { open } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

export interface Network {
  readonly name: string;
  /** Between a request and the first byte of its answer. */
  readonly latencyMs: number;
  /** Of all bodies together; Infinity for no limit. */
  readonly bitsPerSecond: number;
}

export const NETWORKS: Readonly<Record<string, Network>> = {
  none: { name: "none added", latencyMs: 0, bitsPerSecond: Number.POSITIVE_INFINITY },
  fast: { name: "50 ms, 20 Mbit/s", latencyMs: 50, bitsPerSecond: 20e6 },
  slow: { name: "150 ms, 1.6 Mbit/s", latencyMs: 150, bitsPerSecond: 1.6e6 },
};

export interface SlowHost {
  /** Ends in `/`. */
  readonly url: string;
  /** What was sent since the last `forget`. */
  readonly sent: { requests: number; bytes: number };
  forget(): void;
  use(network: Network): void;
  close(): Promise<void>;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const CHUNK_BYTES = 16 * 1024;

/** Starts the host over folders, by the path that each is served below; the longest path wins. */
export async function startSlowHost(folders: Readonly<Record<string, string>>): Promise<SlowHost> {
  const sent = { requests: 0, bytes: 0 };
  const mounts = Object.entries(folders).sort(([a], [b]) => b.length - a.length);
  let network: Network = { name: "none added", latencyMs: 0, bitsPerSecond: Number.POSITIVE_INFINITY };
  /** When the line has carried all that was given to it, milliseconds of `performance.now`. */
  let freeAtMs = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    sent.requests++;
    const askedAtMs = performance.now();
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    const mount = mounts.find(([prefix]) => path.startsWith(prefix));
    const file = mount && (await open(join(mount[1], path.slice(mount[0].length))).catch(() => undefined));
    const elapsedMs = performance.now() - askedAtMs;
    await wait(Math.max(0, network.latencyMs - elapsedMs));
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    try {
      const { size } = await file.stat();
      const range = parseRange(request.headers.range, size);
      const [start, end] = range ?? [0, size];
      const isManifest = path.endsWith("/manifest.json");
      response.writeHead(range ? 206 : 200, {
        "Content-Type": MEDIA_TYPES[extname(path)] ?? "application/octet-stream",
        "Content-Length": end - start,
        "Accept-Ranges": "bytes",
        "Cache-Control": isManifest ? "no-cache" : "public, max-age=31536000, immutable",
        ...(range ? { "Content-Range": `bytes ${start}-${end - 1}/${size}` } : {}),
      });
      if (request.method === "HEAD") return void response.end();
      const body = Buffer.alloc(end - start);
      await file.read(body, 0, body.length, start);
      for (let at = 0; at < body.length && !response.destroyed; at += CHUNK_BYTES) {
        const chunk = body.subarray(at, at + CHUNK_BYTES);
        await carry(chunk.length);
        sent.bytes += chunk.length;
        response.write(chunk);
      }
      response.end();
    } finally {
      await file.close();
    }
  }

  /** Resolves when the line has carried so many bytes more. */
  async function carry(bytes: number): Promise<void> {
    const now = performance.now();
    freeAtMs = Math.max(freeAtMs, now) + (bytes * 8000) / network.bitsPerSecond;
    if (freeAtMs > now + 1) await wait(freeAtMs - now);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    forget: () => Object.assign(sent, { requests: 0, bytes: 0 }),
    use(next) {
      network = next;
      freeAtMs = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Half-open range of bytes that the header asks for; undefined when it asks for none. */
function parseRange(header: string | undefined, size: number): readonly [number, number] | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return [Math.max(0, size - Number(last)), size];
  return [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
}
