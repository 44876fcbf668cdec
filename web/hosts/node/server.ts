/**
 * The Node host: REST paths, dataset and page on one port.
 * @module
 */
import { setMaxListeners } from "node:events";
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { createApi, isApiPath } from "../../api/index.ts";
import { datasetFiles, holdsPage, pageFiles } from "./files.ts";
import { knownKeys, readKeyHashes } from "./keys.ts";
import { CONNECTION_LIMITS, type ConnectionLimits, limitConcurrency, limitUrl, serverOptionsOf } from "./limits.ts";
import { openNodeDataset } from "./open.ts";

export interface ServerOptions {
  /** Folder of the dataset. */
  readonly dataset: string;
  /** Folder of the built page; left out or without a page, the base URL answers with JSON alone. */
  readonly page?: string;
  readonly hostname?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** File with the SHA-256 of each key; without it no key is needed. */
  readonly keys?: string | undefined;
  readonly onFailure?: (error: unknown, reference: string) => void;
  readonly limits?: ConnectionLimits;
}

export interface RunningServer {
  /** Base URL, ending in `/`. */
  readonly url: string;
  readonly hasPage: boolean;
  close(): Promise<void>;
}

/** Starts the host; resolves when it listens. Throws the system's error when the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { hostname = "127.0.0.1", port, dataset, page, keys, onFailure, limits = CONNECTION_LIMITS } = options;
  const hasPage = page !== undefined && (await holdsPage(page));
  const api = createApi({
    dataset: openNodeDataset(dataset),
    ...(keys === undefined ? {} : { isKnownKey: knownKeys(await readKeyHashes(keys)) }),
    ...(onFailure ? { onFailure } : {}),
  });

  const app = new Hono();
  app.use("*", limitUrl());
  app.route("/dataset", datasetFiles(dataset));
  if (hasPage) {
    const files = pageFiles(page);
    app.use("*", async (c, next) => {
      const isWelcome = c.req.path === "/" && !c.req.header("Accept")?.includes("text/html");
      if (isWelcome || isApiPath(c.req.path) || !["GET", "HEAD"].includes(c.req.method)) return next();
      const found = await files.fetch(c.req.raw, c.env);
      return found.status === 404 ? next() : found;
    });
  }
  app.all("*", limitConcurrency(), (c) => {
    // a search reads many files at once, and each listens for the abort
    setMaxListeners(0, c.req.raw.signal);
    return api(c.req.raw);
  });

  const { server, address } = await listen(app, { hostname, port, limits });
  return {
    url: `http://${hostname}:${address.port}/`,
    hasPage,
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

function listen(
  app: Hono,
  { hostname, port, limits }: { readonly hostname: string; readonly port: number; readonly limits: ConnectionLimits },
): Promise<{ server: ServerType; address: AddressInfo }> {
  return new Promise((resolve, reject) => {
    const serverOptions = serverOptionsOf(limits);
    const server = serve({ fetch: app.fetch, hostname, port, serverOptions }, (address) =>
      resolve({ server, address }),
    );
    server.setTimeout(limits.idleMs);
    server.once("error", reject);
  });
}
