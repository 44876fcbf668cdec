/**
 * A proxy that records requests to other machines and answers none.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface TrapProxy {
  /** Requested hosts. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts the proxy. Browsers use it for all addresses except this machine's. */
export async function startTrapProxy(port: number): Promise<TrapProxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "", "http://unnamed").hostname);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    asked.push((request.url ?? "").replace(/:\d+$/, ""));
    // A closing browser resets its connections, and nothing listens to this socket any more.
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await listen(server, port);
  return { asked, close: () => close(server) };
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  await close(server);
  return port;
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

function close(server: ReturnType<typeof createServer>): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
