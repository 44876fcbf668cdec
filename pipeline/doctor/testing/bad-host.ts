/**
 * A static host over a folder that does everything right, but for the faults planted in it.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { contentSecurityPolicy } from "../../../web/hosts/http/policy.ts";

export interface Given {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Bytes after which the connection is closed. */
  readonly cutAt?: number;
}

/** Changes what the host answers. */
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
};

/** Starts the host with a fault; without one it is as it should be. */
export async function startBadHost(folder: string, fault: Fault = (given) => given): Promise<BadHost> {
  async function answer(path: string): Promise<Given> {
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const content = await readFile(join(folder, name)).catch(() => undefined);
    const cors = { "Access-Control-Allow-Origin": "*" };
    if (!content) return { path, status: 404, headers: cors, body: Buffer.from("not found") };
    const isHashed = path.includes("/assets/") || /[0-9a-f]{16}\.(parquet|json)$/.test(path);
    const isText = [".html", ".js", ".json"].includes(extname(name));
    const headers = {
      ...cors,
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": contentSecurityPolicy("site"),
      "Content-Type": TYPES[extname(name)] ?? "application/octet-stream",
      "Cache-Control": isHashed ? "public, max-age=31536000, immutable, no-transform" : "no-cache",
      ...(isText ? { "Content-Encoding": "gzip" } : {}),
    };
    return { path, status: 200, headers, body: isText ? gzipSync(content) : content };
  }
  const server = createServer((request, response) => {
    void answer(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname)).then((right) => {
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
