/**
 * A transparent proxy before a host, so that tests can count what the host sends and lose files.
 * @module
 */
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sent, StaticServer } from "../support/static-server.ts";

/** Starts the proxy before the host at `url`. */
export async function startCountingProxy(url: string): Promise<StaticServer> {
  const target = new URL(url);
  const sent: Sent[] = [];
  const lost = new Set<RegExp>();

  function answer(asked: IncomingMessage, response: ServerResponse): void {
    const askedAtMs = Date.now();
    const path = decodeURIComponent(new URL(asked.url ?? "/", url).pathname);
    const count = (status: number, bytes: number) => sent.push({ path, status, bytes, askedAtMs });
    if ([...lost].some((pattern) => pattern.test(path))) {
      response.writeHead(404, { "Content-Length": 0 }).end();
      count(404, 0);
      return;
    }
    const options = {
      host: target.hostname,
      port: target.port,
      path: asked.url,
      method: asked.method,
      headers: asked.headers,
    };
    const passed = forward(options, (given) => {
      response.writeHead(given.statusCode ?? 502, given.headers);
      let bytes = 0;
      given.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      given.on("end", () => count(given.statusCode ?? 502, bytes));
      given.pipe(response);
    });
    passed.on("error", () => response.destroy());
    asked.pipe(passed);
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    sent,
    forget: () => sent.splice(0),
    lose(pattern) {
      lost.add(pattern);
      return () => lost.delete(pattern);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
