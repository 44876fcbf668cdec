import { once } from "node:events";
import { rm } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer } from "./server.ts";
import { LARGE, SMALL, writeLargeRows } from "./testing/large-answers.ts";

const SILENT = 160;
const ASKING = 100;
const REQUESTS_EACH = 5;
/** Larger than what the system buffers of an answer. */
const ROWS = 16;

let root: string;

beforeAll(async () => {
  root = await writeLargeRows(ROWS);
});
afterAll(() => rm(root, { recursive: true }));

test(`of ${ASKING} connections that ask again and again, under 1 % see a 503 next to ${SILENT} that never read`, async () => {
  const server = await startServer({ dataset: root, port: 0 });
  const silent = Array.from({ length: SILENT }, () => {
    const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
    socket.pause();
    socket.on("error", () => {});
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return socket;
  });
  const agent = new Agent({ keepAlive: true, maxSockets: ASKING });
  const counts: Record<number, number> = {};
  const statusOf = () =>
    new Promise<number>((resolve, reject) => {
      const read = (answer: IncomingMessage) => answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      get(new URL(SMALL, server.url), { agent }, read).on("error", reject);
    });
  try {
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    const askAgain = async () => {
      for (let i = 0; i < REQUESTS_EACH; i++) {
        const status = await statusOf();
        counts[status] = (counts[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: ASKING }, askAgain));
  } finally {
    agent.destroy();
    for (const socket of silent) socket.destroy();
    await server.close();
  }
  const { 200: answered = 0, 503: refused = 0 } = counts;
  expect(answered + refused).toBe(ASKING * REQUESTS_EACH);
  expect(refused).toBeLessThan((ASKING * REQUESTS_EACH) / 100);
});
