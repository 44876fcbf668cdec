import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpBindings, ServerType } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { BUSY, errorResponse } from "../../api/index.ts";
import type { ConnectionLimits } from "./limits.ts";

/** Number of connections above the limit that are answered with 503. More are closed without an answer. */
const REFUSED_CONNECTIONS = 64;
const LOOKS = 4;
const RETRY_AFTER_SECONDS = "5";

interface Connection {
  readonly answers: Set<ServerResponse>;
  /** When the present period with unsent data began, and how many bytes had been sent then. Undefined if nothing waits. */
  waiting: { readonly sinceMs: number; readonly sentBytes: number } | undefined;
}

export type Connections = ReturnType<typeof createConnections>;

interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  /** Returns whether other requests wait because of slow callers. */
  readonly isCrowded: () => boolean;
}

/**
 * Counts the open connections of a server, limits them, and closes those that read answers too slowly. Pass the server to
 * `bound`, and use `refuse` as middleware.
 */
export function createConnections({ limits, isCrowded }: ConnectionOptions) {
  const { connections: max, leastBytesPerSecond, rateMs, crowdedRateMs } = limits;
  const open = new Map<Socket, Connection>();
  const over = new WeakSet<Socket>();

  function cutOffSlow(): void {
    const nowMs = performance.now();
    const patienceMs = open.size >= max || isCrowded() ? Math.min(rateMs, crowdedRateMs) : rateMs;
    for (const [socket, connection] of open) {
      const sentBytes = socket.bytesWritten - socket.writableLength;
      const { waiting } = connection;
      if (socket.writableLength === 0) connection.waiting = undefined;
      else if (!waiting) connection.waiting = { sinceMs: nowMs, sentBytes };
      else if (nowMs - waiting.sinceMs >= patienceMs) {
        const leastBytes = (leastBytesPerSecond * (nowMs - waiting.sinceMs)) / 1000;
        // without a reset the system would continue to send its buffer
        if (sentBytes - waiting.sentBytes < leastBytes) socket.resetAndDestroy();
        else connection.waiting = { sinceMs: nowMs, sentBytes };
      }
    }
  }

  const refuse: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
    if (!over.has(c.env.incoming.socket)) return next();
    return errorResponse(503, [`${max} connections are open: try again later`], {
      ...BUSY,
      "Retry-After": RETRY_AFTER_SECONDS,
      Connection: "close",
    });
  };

  return {
    count: () => open.size,
    refuse,
    bound(server: ServerType): void {
      server.maxConnections = max + REFUSED_CONNECTIONS;
      server.on("connection", (socket: Socket) => {
        if (open.size >= max) {
          over.add(socket);
          if ("closeIdleConnections" in server) server.closeIdleConnections();
        }
        const connection: Connection = { answers: new Set(), waiting: undefined };
        open.set(socket, connection);
        socket.once("close", () => {
          open.delete(socket);
          // Node reports a lost caller only to the first of its answers, in this task
          setImmediate(() => {
            for (const answer of connection.answers) answer.destroy().emit("close");
          });
        });
      });
      server.on("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
        const answers = open.get(socket)?.answers;
        answers?.add(answer);
        answer.once("close", () => answers?.delete(answer));
      });
      const timer = setInterval(cutOffSlow, Math.min(rateMs, crowdedRateMs) / LOOKS).unref();
      server.once("close", () => clearInterval(timer));
    },
  };
}
