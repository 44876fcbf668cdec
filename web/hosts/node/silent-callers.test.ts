import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { startServer } from "./server.ts";

const SILENT = 160;
const ASKING = 100;
const REQUESTS_EACH = 5;
/** Larger than what the system buffers of an answer. */
const ROWS = 16;
const ROW_BYTES = 500_000;
const LARGE = "/places?lat=43.73&lng=7.42&radius=100";
const SMALL = `${LARGE}&limit=1&includes=names`;

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-silent-"));
  const place = Array.from({ length: ROWS }, (_, i) => ({
    id: `place ${i}`,
    country: "MC",
    geometry: { type: "Point", coordinates: [7.42, 43.73] } as const,
    values: { basic_category: `repeat('x', ${ROW_BYTES})` },
  }));
  for (const [path, bytes] of await makeDataset({ place })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
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
