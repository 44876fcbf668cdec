/**
 * A plain static host: GET from folders, correct media types, gzip for compressible files, ranges for others. Counts
 * what it sends, and can lose files.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { isNamedByHash } from "../../web/hosts/http/caching.ts";
import { answerFile } from "../../web/hosts/http/testing/range-answer-of.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".png": "image/png",
  ".parquet": "application/vnd.apache.parquet",
};
const COMPRESSED = new Set([".html", ".js", ".css", ".json", ".svg"]);

export interface StaticServerOptions {
  /** Folders by URL path, such as `/` and `/dataset/`. The longest path wins. */
  readonly folders: Readonly<Record<string, string>>;
  /** Default: 0, a free port. */
  readonly port?: number;
  /** Sent with every file. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether to answer ranges. Default: true. */
  readonly hasRanges?: boolean;
}

export interface Sent {
  readonly path: string;
  readonly status: number;
  /** Bytes of the body as transferred. */
  readonly bytes: number;
  /** Time of the request, milliseconds since 1970. */
  readonly askedAtMs: number;
}

export interface StaticServer {
  /** Ends in `/`. */
  readonly url: string;
  /** Everything sent since the last `forget`. */
  readonly sent: readonly Sent[];
  forget(): void;
  /** Answers 404 for matching paths, until the returned function is called. */
  lose(pattern: RegExp): () => void;
  close(): Promise<void>;
}

/** Starts the host. Resolves when it listens. */
export async function startStaticServer({
  folders,
  port = 0,
  headers = {},
  hasRanges = true,
}: StaticServerOptions): Promise<StaticServer> {
  const sent: Sent[] = [];
  const lost = new Set<RegExp>();
  const mounts = Object.entries(folders).sort(([a], [b]) => b.length - a.length);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    const mount = mounts.find(([prefix]) => path.startsWith(prefix));
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const isLost = [...lost].some((pattern) => pattern.test(path));
    const body =
      mount && !isLost && (await readFile(join(mount[1], name.slice(mount[0].length))).catch(() => undefined));
    send(request, response, path, body || undefined, extname(name));
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: Buffer | undefined,
    extension: string,
  ): void {
    const askedAtMs = Date.now();
    const etag = body && `"${createHash("sha1").update(body).digest("hex")}"`;
    const isKnown = etag !== undefined && request.headers["if-none-match"] === etag;
    const { range } = request.headers;
    const ifRange = request.headers["if-range"]?.toString();
    const isCompressed = COMPRESSED.has(extension) && request.headers["accept-encoding"]?.includes("gzip");
    const isRange = hasRanges && request.method === "GET" && !isCompressed && range !== undefined;
    const part =
      body && etag && !isKnown && isRange
        ? answerFile(Uint8Array.from(body), { range, ifRange, tag: etag })
        : undefined;
    const status = part?.status ?? (body ? (isKnown ? 304 : 200) : 404);
    const whole = status === 200 && body ? (isCompressed ? gzipSync(body) : body) : Buffer.alloc(0);
    const content = part?.body ?? whole;
    const contentRange = part?.headers["Content-Range"];
    response.writeHead(status, {
      ...headers,
      "Content-Type": MEDIA_TYPES[extension] ?? "application/octet-stream",
      "Access-Control-Allow-Origin": "*",
      ...(etag ? { ETag: etag } : {}),
      ...(contentRange === undefined ? {} : { "Content-Range": contentRange }),
      ...(isCompressed && status === 200 ? { "Content-Encoding": "gzip" } : {}),
      ...(status === 304 ? {} : { "Content-Length": content.byteLength }),
      // Careless hosts also cache 404 answers. The page must recover from a lost file that the browser has cached.
      "Cache-Control": isHashed(path) ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(request.method === "HEAD" ? undefined : content);
    sent.push({ path, status, bytes: content.byteLength, askedAtMs });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    forget: () => sent.splice(0),
    lose(pattern) {
      lost.add(pattern);
      return () => lost.delete(pattern);
    },
    close: () => closeServer(server),
  };
}

/** Names that change with their content: the build's assets and the dataset's files. */
function isHashed(path: string): boolean {
  return path.includes("/assets/") || isNamedByHash(path);
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
