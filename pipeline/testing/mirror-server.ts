/**
 * A static host of a folder, with or without Range (RFC 9110), and with faults on request.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  /** Number of requests for this path and range so far, including this one. */
  readonly times: number;
}

/** Answers instead of the server. Returns false to let the server answer. */
export type Fault = (asked: Asked, response: ServerResponse, body: Buffer) => boolean;

export interface MirrorServer {
  /** Ends in `/`. */
  readonly url: string;
  readonly asked: Asked[];
  fault: Fault | undefined;
  /** Extra headers of every answer. */
  headers: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface MirrorServerOptions {
  readonly hasRanges?: boolean;
}

/** Starts a static host of a folder. */
export async function startMirror(
  folder: string,
  { hasRanges = true }: MirrorServerOptions = {},
): Promise<MirrorServer> {
  const state: Pick<MirrorServer, "asked" | "fault" | "headers"> = { asked: [], fault: undefined, headers: {} };
  const server = createServer((request, response) => {
    answer(folder, { request, response, hasRanges, state }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly hasRanges: boolean;
  readonly state: Pick<MirrorServer, "asked" | "fault" | "headers">;
}

async function answer(folder: string, { request, response, hasRanges, state }: Exchange): Promise<void> {
  const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
  const { range } = request.headers;
  const times = 1 + state.asked.filter((other) => other.path === path && other.range === range).length;
  const asked = { path, range, times };
  state.asked.push(asked);
  for (const [name, value] of Object.entries(state.headers)) response.setHeader(name, value);
  const body = await readFile(join(folder, path)).catch(() => undefined);
  if (state.fault?.(asked, response, body ?? Buffer.alloc(0))) return;
  if (!body) {
    response.writeHead(404).end("not found");
    return;
  }
  const etag = etagOf(body);
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (!hasRanges || first === undefined) {
    response.writeHead(200, { etag, "content-length": body.length }).end(body);
    return;
  }
  const [start, end] = [Number(first), Math.min(body.length, last ? Number(last) + 1 : body.length)];
  if (start >= body.length) {
    response.writeHead(416, { "content-range": `bytes */${body.length}` }).end();
    return;
  }
  response.writeHead(206, rangeHeaders({ start, end, total: body.length, etag }));
  response.end(body.subarray(start, end));
}

/** Returns the ETag of a body. */
export function etagOf(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
}

interface RangeAnswer {
  readonly start: number;
  readonly end: number;
  readonly total: number;
  readonly etag: string;
}

/** Returns the headers of a range answer. */
export function rangeHeaders({ start, end, total, etag }: RangeAnswer): Record<string, string | number> {
  return { etag, "content-length": end - start, "content-range": `bytes ${start}-${end - 1}/${total}` };
}

/** The requested half-open range. */
export function askedRange({ range }: Asked): readonly [start: number, end: number] {
  const [, first = "0", last = "0"] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  return [Number(first), Number(last) + 1];
}
