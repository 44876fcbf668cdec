/**
 * Answers requests that no route answers: those that are not HTTP or have an invalid URL, in the standard error format; and paths
 * that do not exist, as a page. @module
 */
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type ErrorStatus, errorContent, errorResponse } from "../../api/index.ts";

/** Lets pages of any origin read these errors. */
const OPEN = { "Access-Control-Allow-Origin": "*" };

interface ListenerOptions {
  readonly fetch: Parameters<typeof getRequestListener>[0];
  /** Used for requests without the header `Host`, which HTTP/1.0 allows. */
  readonly hostname: string;
  readonly headerBytes: number;
}

/**
 * Makes the server answer with `fetch`, and with an error for invalid requests. The server must be created with
 * `requireHostHeader: false`.
 */
export function answerRequests(server: Server, { fetch, hostname, headerBytes }: ListenerOptions): void {
  const listen = getRequestListener(fetch, { hostname, errorHandler: refusal });
  const listener: RequestListener = (incoming, outgoing) => {
    if (incoming.headers.host !== undefined || incoming.httpVersion === "1.0") return void listen(incoming, outgoing);
    const { body, headers } = errorContent(400, ["Host is missing: HTTP/1.1 requires it"]);
    outgoing.writeHead(400, { ...headers, ...OPEN, Connection: "close" }).end(body);
  };
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (incoming, outgoing) => {
    answers.set(incoming.socket, outgoing);
    listener(incoming, outgoing);
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    const isInAnswer = answer?.headersSent && !answer.writableFinished;
    if (error.code === "ECONNRESET" || !socket.writable || isInAnswer) return void socket.destroy();
    socket.end(rawError(...statusOf(error, headerBytes)), () => socket.destroy());
  });
}

function refusal(error: unknown): Response {
  if (!(error instanceof RequestError))
    return errorResponse(500, ["the request failed because of an error of the server"], OPEN);
  return errorResponse(400, [`the URL of the request cannot be read: ${error.message}`], OPEN);
}

function statusOf({ code, message }: NodeJS.ErrnoException, headerBytes: number): [ErrorStatus, string] {
  if (code === "HPE_HEADER_OVERFLOW") return [431, `line and headers must be at most ${headerBytes} bytes together`];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "the request did not end in time"];
  return [400, `the request is not HTTP: ${message}`];
}

function rawError(status: ErrorStatus, message: string): string {
  const { body, reason, headers } = errorContent(status, [message]);
  const all = { ...headers, ...OPEN, Connection: "close", "Content-Length": Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${reason}`, ...lines, "", body].join("\r\n");
}

/** Returns a 404 in HTML. It shows the requested path and, if `hasPage`, a link to the map. */
export function notFoundPage(path: string, hasPage: boolean): Response {
  const base = "../".repeat(path.split("/").length - 2) || "./";
  const map = hasPage ? `\n        <li><a href="${base}">Search the map</a></li>` : "";
  const body = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found</title>
  </head>
  <body>
    <main>
      <h1>There is nothing at this address</h1>
      <p>Requested path: <code>${escaped(path)}</code>.</p>
      <ul>${map}
        <li><a href="${base}openapi.json">Every path of the REST interface</a></li>
      </ul>
    </main>
  </body>
</html>
`;
  return new Response(body, {
    status: 404,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
      Vary: "Accept",
    },
  });
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
