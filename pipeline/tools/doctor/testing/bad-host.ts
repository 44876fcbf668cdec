/**
 * A correct static host of a folder, with planted faults.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { contentSecurityPolicy, DATASET_POLICY } from "../../../../web/hosts/http/policy.ts";

export interface Given {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The complete file. */
  readonly whole: Buffer;
  /** The requested half-open range; undefined for the complete file. */
  readonly range: readonly [start: number, end: number] | undefined;
  /** Closes the connection after this many bytes. */
  readonly cutAt?: number;
}

export type Fault = (given: Given) => Given;

export interface BadHost {
  /** Ends in `/`. */
  readonly url: URL;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".parquet": "application/vnd.apache.parquet",
  ".pack": "application/octet-stream",
};

/** Starts the host with a fault, or without one. */
export async function startBadHost(folder: string, fault: Fault = (given) => given): Promise<BadHost> {
  async function answer(path: string, header: string | undefined): Promise<Given> {
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const content = await readFile(join(folder, name)).catch(() => undefined);
    const cors = { "Access-Control-Allow-Origin": "*" };
    const none = { path, whole: Buffer.alloc(0), range: undefined };
    if (!content) return { ...none, status: 404, headers: cors, body: Buffer.from("not found") };
    const isHashed = path.includes("/assets/") || /[0-9a-f]{16}\.(parquet|pack)$/.test(path);
    const isText = [".html", ".js", ".json"].includes(extname(name));
    const headers = {
      ...cors,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": path.startsWith("/dataset/") ? DATASET_POLICY : contentSecurityPolicy("site"),
      "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
      "Cache-Control": isHashed ? "public, max-age=31536000, immutable, no-transform" : "no-cache",
      ...(isText ? { "Content-Encoding": "gzip" } : {}),
    };
    const body = isText ? gzipSync(content) : content;
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(header ?? "") ?? [];
    if (first === undefined) return { ...none, whole: body, status: 200, headers, body };
    const [start, end] = [Number(first), Math.min(body.length, Number(last) + 1)];
    const range = [start, end] as const;
    if (start >= end) {
      const beyond = { ...headers, "Content-Range": `bytes */${body.length}` };
      return { path, whole: body, range, status: 416, headers: beyond, body: Buffer.alloc(0) };
    }
    const partHeaders = { ...headers, "Content-Range": `bytes ${start}-${end - 1}/${body.length}` };
    return { path, whole: body, range, status: 206, headers: partHeaders, body: body.subarray(start, end) };
  }
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    void answer(path, request.headers.range).then((right) => {
      const { status, headers, body, cutAt } = fault(right);
      response.writeHead(status, { "Content-Length": body.length, ...headers });
      if (cutAt === undefined) response.end(body);
      else response.write(body.subarray(0, cutAt), () => response.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
