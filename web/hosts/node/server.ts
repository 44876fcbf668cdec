import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import { bodyLimit } from "hono/body-limit";
import {
  createApi,
  errorResponse,
  failureResponse,
  isApiPath,
  MAX_BODY_BYTES,
  mayBeOwnPath,
  openToAllOrigins,
  requireKey,
} from "../../api/index.ts";
import { answerMcp } from "../../mcp/index.ts";
import { type CallerOptions, guardCallers } from "./callers.ts";
import { compressAnswers } from "./compression.ts";
import { type Connections, createConnections } from "./connections.ts";
import { datasetFiles, holdsPage, pageFiles } from "./files.ts";
import { knownKeys, readKeyHashes } from "./keys.ts";
import { CONNECTION_LIMITS, type ConnectionLimits, limitUrl, serverOptionsOf } from "./limits.ts";
import { answerRequests, notFoundPage } from "./no-route.ts";
import { openNodeDataset } from "./open.ts";
import { peerOf } from "./peers.ts";
import { addressAsked } from "./public-url.ts";
import { createSearches, SEARCH_LIMITS, type SearchLimits, type SearchLoad } from "./searches.ts";
import { holdUploads, UPLOAD_LIMITS } from "./uploads.ts";

/** Maximum bytes of a body of `/mcp`. A call of a tool has some hundred. */
const MAX_MCP_BYTES = 256 * 1024;

const limitMcpBody = bodyLimit({
  maxSize: MAX_MCP_BYTES,
  onError: () => errorResponse(413, [`the body must be at most ${MAX_MCP_BYTES} bytes`]),
});

export interface ServerOptions extends CallerOptions {
  readonly dataset: string;
  /** Folder of the built page. Without a page, the base URL answers with JSON. */
  readonly page?: string;
  readonly hostname?: string;
  readonly port: number;
  /** Path of a file with the SHA-256 of each API key. Without it no key is needed. Not possible together with a page. */
  readonly keys?: string | undefined;
  readonly onFailure?: (error: unknown, reference: string) => void;
  /** Maximum memory for data that searches read, in bytes. Default: 512 MiB. */
  readonly cacheBytes?: number | undefined;
  readonly limits?: ConnectionLimits;
  readonly searchLimits?: SearchLimits;
}

export interface RunningServer {
  /** Base URL, which ends in `/`. */
  readonly url: string;
  readonly hasPage: boolean;
  load(): SearchLoad & { readonly connections: number };
  close(): Promise<void>;
}

/**
 * Starts the host, and resolves when it listens. Rejects with the system's error when the port is taken, and with `Error` for a
 * page together with keys, an unreadable file of keys, or an invalid public URL. Does not read the dataset.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { hostname = "127.0.0.1", port, dataset, page, keys, onFailure = () => {}, cacheBytes } = options;
  const { limits = CONNECTION_LIMITS, searchLimits = SEARCH_LIMITS } = options;
  const hasPage = page !== undefined && (await holdsPage(page));
  if (hasPage && keys !== undefined) {
    throw new Error("a page cannot be served with keys: it reads the dataset and asks without one");
  }
  const isKnownKey = keys === undefined ? undefined : knownKeys(await readKeyHashes(keys));
  const peer = (c: Context<{ Bindings: HttpBindings }>) => peerOf(c, options.trustProxy ?? false);
  // reading an area from the body is work
  const isWork = (c: Context) => c.req.method === "POST" && (isApiPath(c.req.path) || mayBeOwnPath(c.req.path));
  const searches = createSearches({ limits: searchLimits, peerOf: peer, isWork });
  // callers must not learn its location
  const opened = searches.limited(openNodeDataset(dataset, { name: "the dataset", cacheBytes }));
  const api = createApi({
    dataset: opened,
    addressAsked: addressAsked(options),
    ...(isKnownKey ? { isKnownKey } : {}),
    onFailure,
  });

  const connections = createConnections({ limits, isCrowded: searches.isCrowded });
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.onError((error, c) => failureResponse(error, c.req.raw, onFailure));
  // the socket is not open yet
  let listensOn = hostname;
  const callers = guardCallers(options, () => listensOn);
  app.use("*", callers.checkHost);
  app.use("/mcp/*", callers.checkOrigin);
  app.use("*", openToAllOrigins());
  app.use("*", connections.refuse);
  app.use("*", compressAnswers());
  app.use("*", limitUrl());
  if (isKnownKey) app.use("/dataset/*", requireKey(isKnownKey));
  app.route("/dataset", datasetFiles(dataset));
  if (hasPage) {
    const files = await pageFiles(page);
    app.use("*", async (c, next) => {
      if (c.req.path === "/") c.header("Vary", "Accept");
      if ((c.req.path === "/" && !prefersPage(c)) || isApiPath(c.req.path) || c.req.method !== "GET") return next();
      const found = await files.fetch(c.req.raw, c.env);
      return found.status === 404 ? next() : found;
    });
  }
  if (isKnownKey) app.use("/mcp/*", requireKey(isKnownKey));
  app.on("ALL", ["/mcp", "/mcp/"], limitMcpBody, searches.limit, (c) => {
    setMaxListeners(0, c.req.raw.signal);
    return answerMcp(c.req.raw, { dataset: opened, onFailure: (error) => onFailure(error, "mcp") });
  });
  app.post("*", holdUploads({ limits: UPLOAD_LIMITS, peerOf: peer, maxBytes: MAX_BODY_BYTES }));
  app.all("*", searches.limit, async (c) => {
    // a search reads many files in parallel, and each listens for the abort
    setMaxListeners(0, c.req.raw.signal);
    const answer = await api(c.req.raw);
    const isNowhere = answer.status === 404 && !isApiPath(c.req.path) && c.req.method === "GET";
    return isNowhere && prefersPage(c) ? notFoundPage(new URL(c.req.url).pathname, hasPage) : answer;
  });

  const { server, address } = await listen(app, { hostname, port, limits, connections });
  listensOn = address.address;
  collectWhenQuiet(server, { quietMs: limits.quietMs, isBusy: () => searches.load().running > 0 });
  return {
    url: `http://${hostname}:${address.port}/`,
    hasPage,
    load: () => ({ ...searches.load(), connections: connections.count() }),
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

function prefersPage(c: Context): boolean {
  const json = "application/json";
  return accepts(c, { header: "Accept", supports: [json, "text/html"], default: json }) === "text/html";
}

interface ListenOptions {
  readonly hostname: string;
  readonly port: number;
  readonly limits: ConnectionLimits;
  readonly connections: Connections;
}

function listen(
  app: Hono<{ Bindings: HttpBindings }>,
  { hostname, port, limits, connections }: ListenOptions,
): Promise<{ server: Server; address: AddressInfo }> {
  return new Promise((resolve, reject) => {
    const server = createServer(serverOptionsOf(limits));
    answerRequests(server, { fetch: app.fetch, hostname, headerBytes: limits.headerBytes });
    connections.bound(server);
    server.setTimeout(limits.idleMs);
    server.once("error", reject);
    server.listen(port, hostname, () => resolve({ server, address: server.address() as AddressInfo }));
  });
}

interface QuietOptions {
  readonly quietMs: number;
  readonly isBusy: () => boolean;
}

/** Releases memory when no request came for a while: V8 collects garbage only as it allocates. */
function collectWhenQuiet(server: Server, { quietMs, isBusy }: QuietOptions): void {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const timer = setTimeout(() => {
    if (isBusy()) timer.refresh();
    else collect();
  }, quietMs).unref();
  server.on("request", () => timer.refresh());
  server.once("close", () => clearTimeout(timer));
}
