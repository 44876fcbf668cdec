import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpBindings, ServerType } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";
import type { ConnectionLimits } from "./limits.ts";

/** Connections beyond the limit that are told so; any more are closed without a word. */
const TOLD_CONNECTIONS = 64;
const LOOKS = 4;
const RETRY_AFTER_SECONDS = "5";

interface Connection {
  readonly answers: Set<ServerResponse>;
  /** Since when there is something to send without a break, and how much had gone by then. */
  waiting: { readonly sinceMs: number; readonly sentBytes: number } | undefined;
}

export type Connections = ReturnType<typeof createConnections>;

interface ConnectionOptions {
  readonly limits: ConnectionLimits;
  /** Whether others wait because of slow callers. */
  readonly isCrowded: () => boolean;
}

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
        // without a reset the system would go on sending what it has
        if (sentBytes - waiting.sentBytes < leastBytes) socket.resetAndDestroy();
        else connection.waiting = { sinceMs: nowMs, sentBytes };
      }
    }
  }

  const refuse: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
    if (!over.has(c.env.incoming.socket)) return next();
    return errorResponse(503, [`${max} connections are open; try again`], {
      "Retry-After": RETRY_AFTER_SECONDS,
      Connection: "close",
    });
  };

  return {
    count: () => open.size,
    refuse,
    bound(server: ServerType): void {
      server.maxConnections = max + TOLD_CONNECTIONS;
      server.on("connection", (socket: Socket) => {
        if (open.size >= max) {
          over.add(socket);
          if ("closeIdleConnections" in server) server.closeIdleConnections();
        }
        const connection: Connection = { answers: new Set(), waiting: undefined };
        open.set(socket, connection);
        socket.once("close", () => {
          open.delete(socket);
          // Node tells only the first of several answers that their caller is gone, and does so first
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
