/**
 * A mirror of a release on an origin of its own, which any page may read, and which fails when it is told to.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";

/** What befalls requests of Parquet files: 503, another ETag each time, a body cut short, no answer. */
export type MirrorFault = "busy" | "changed" | "short" | "silent";

export interface ReleaseMirror {
  /** Ends in `/`. */
  readonly url: string;
  /** Paths that were asked for, each as often as it was. */
  readonly asked: string[];
  fault: MirrorFault | undefined;
  /** Whether pages see `Content-Range` and `ETag`: hosts hide them as a rule. */
  showsHeaders: boolean;
  close(): Promise<void>;
}

export async function startReleaseMirror(folder: string): Promise<ReleaseMirror> {
  const state: Pick<ReleaseMirror, "asked" | "fault" | "showsHeaders"> = {
    asked: [],
    fault: undefined,
    showsHeaders: false,
  };
  let answers = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = normalize(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
    state.asked.push(path);
    answers += 1;
    const fault = path.endsWith(".parquet") ? state.fault : undefined;
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (state.showsHeaders) response.setHeader("Access-Control-Expose-Headers", "Content-Range, ETag");
    if (fault === "silent") return;
    if (fault === "busy") return void response.writeHead(503).end();
    const body = await readFile(join(folder, path)).catch(() => undefined);
    if (!body) return void response.writeHead(404).end();
    const etag = createHash("sha1").update(body).digest("hex");
    response.setHeader("ETag", `"${fault === "changed" ? answers : etag}"`);
    response.setHeader("Cache-Control", "no-store");
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (first === undefined || last === undefined) {
      response.writeHead(200, { "Content-Length": body.length });
      return void response.end(request.method === "HEAD" ? undefined : body);
    }
    const part = body.subarray(Number(first), Number(last) + 1);
    response.setHeader("Content-Range", `bytes ${first}-${Number(first) + part.length - 1}/${body.length}`);
    // without a length, so that what is missing is for the page to see
    if (fault === "short") return void response.writeHead(206).end(part.subarray(0, Math.floor(part.length / 2)));
    response.writeHead(206, { "Content-Length": part.length }).end(part);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}
