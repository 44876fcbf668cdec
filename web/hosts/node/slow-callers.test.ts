import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CONNECTION_LIMITS } from "./limits.ts";
import { type RunningServer, startServer } from "./server.ts";
import { LARGE, ROW_BYTES, SMALL, writeLargeRows } from "./testing/large-answers.ts";

/** More than the system buffers of an answer that is not read. */
const ROWS = 64;
const AT_ONCE = { running: 2, waiting: 20, waitMs: 60_000, bodyBytes: 8 * 1024 * 1024, unread: 2 };
const LIMITS = { ...CONNECTION_LIMITS, connections: 8, leastBytesPerSecond: 100_000, rateMs: 1200 };
const PATIENT = { ...LIMITS, rateMs: 3_600_000, crowdedRateMs: 3_600_000 };
const NOTHING = { running: 0, waiting: 0, bodyBytes: 0, unread: 0, connections: 0 };

let root: string;
let server: RunningServer;
const sockets: Socket[] = [];

beforeAll(async () => {
  root = await writeLargeRows(ROWS);
  await writeFile(join(root, "large.bin"), new Uint8Array(ROWS * ROW_BYTES));
});
afterAll(() => rm(root, { recursive: true }));
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // after every test nothing is left of the callers
  await expect.poll(() => server.load(), { timeout: 10_000 }).toEqual(NOTHING);
  await server.close();
});

async function start(limits: typeof LIMITS, searchLimits = AT_ONCE): Promise<void> {
  server = await startServer({ dataset: root, port: 0, limits, searchLimits });
}

/** Sends requests and does not read. */
function ask(...targets: readonly string[]): Socket {
  const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1" });
  socket.pause();
  socket.on("error", () => {});
  socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(""));
  sockets.push(socket);
  return socket;
}

/** Sends a request and reads a byte every few milliseconds. */
function sip(target: string): Socket {
  const buffer = Buffer.alloc(1);
  const callback = () => {
    setTimeout(() => socket.resume(), 5);
    return false;
  };
  const socket = connect({ port: Number(new URL(server.url).port), host: "127.0.0.1", onread: { buffer, callback } });
  socket.on("error", () => {});
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  sockets.push(socket);
  return socket;
}

const statusOf = async (target: string) => {
  const response = await fetch(new URL(target, server.url), { headers: { Connection: "close" } });
  await response.arrayBuffer();
  return response.status;
};
const isLoaded = (load: Partial<ReturnType<RunningServer["load"]>>) =>
  expect.poll(() => server.load(), { timeout: 10_000 }).toMatchObject(load);

test("a caller that never reads holds no slot: others are answered", async () => {
  await start(PATIENT);
  const silent = [ask(LARGE), ask(LARGE)];
  await Promise.all(silent.map((socket) => once(socket, "readable")));
  await isLoaded({ running: 0, unread: 2 });
  expect(server.load().bodyBytes).toBeLessThanOrEqual(AT_ONCE.bodyBytes);
  for (let i = 0; i < 4; i++) expect(await statusOf(SMALL)).toBe(200);
});

test("answers above the limit of waiting ones keep their slots, and the next runs when one is read", async () => {
  await start(PATIENT);
  const [first] = [ask(LARGE), ask(LARGE), ask(LARGE), ask(LARGE)];
  await isLoaded({ running: 2, unread: 2 });
  const waiting = statusOf(SMALL);
  await isLoaded({ running: 2, waiting: 1 });
  first?.destroy();
  expect(await waiting).toBe(200);
});

test("slow readers are cut off sooner while others wait for them", async () => {
  await start({ ...PATIENT, crowdedRateMs: 400 });
  const slots = [ask(LARGE), ask(LARGE)];
  await isLoaded({ unread: 2, running: 0 });
  await wait(1200);
  expect(slots.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  for (let i = 0; i < 5; i++) ask(LARGE);
  expect(await statusOf(SMALL)).toBe(200);
  await isLoaded({ waiting: 0 });
});

test("an answer that fits into memory is written at once, and holds no slot while it is unread", async () => {
  await start(PATIENT);
  const target = `${LARGE}&limit=1`;
  for (let i = 0; i < 6; i++) ask(target);
  await isLoaded({ connections: 6, running: 0, waiting: 0 });
  expect(await statusOf(SMALL)).toBe(200);
});

test.each([
  ["never reads a search", () => ask(LARGE)],
  ["never reads a file", () => ask("/dataset/large.bin")],
  ["reads a search a byte at a time", () => sip(LARGE)],
  ["reads a file a byte at a time", () => sip("/dataset/large.bin")],
])("a caller that %s is cut off", async (_, begin) => {
  await start(LIMITS);
  begin();
  await isLoaded({ connections: 1 });
  await isLoaded(NOTHING);
  expect(await statusOf(SMALL)).toBe(200);
});

test("a caller that reads at the minimum speed is not cut off, however long it takes", async () => {
  await start(LIMITS);
  const socket = ask(LARGE);
  let bytes = 0;
  while (bytes < ROWS * ROW_BYTES) {
    const chunk: Buffer | null = socket.read();
    bytes += chunk?.length ?? 0;
    expect(socket.destroyed).toBe(false);
    if (!chunk) await Promise.race([once(socket, "readable"), once(socket, "close")]);
    // at most 13 MB a second
    await wait(5);
  }
});

test("a caller that disconnects leaves the queue", async () => {
  await start(PATIENT, { ...AT_ONCE, unread: 0 });
  ask(LARGE);
  ask(LARGE);
  await isLoaded({ running: 2 });
  const leaving = ask(SMALL);
  await isLoaded({ waiting: 1 });
  leaving.destroy();
  await isLoaded({ running: 2, waiting: 0 });
  const status = statusOf(SMALL);
  await isLoaded({ waiting: 1 });
  for (const socket of sockets) socket.destroy();
  expect(await status).toBe(200);
});

test("a caller that disconnects during an answer frees its slot, also for its other answers", async () => {
  await start(PATIENT, { ...AT_ONCE, unread: 0 });
  const socket = ask(LARGE, LARGE, LARGE);
  await isLoaded({ running: 2, waiting: 1 });
  await once(socket, "readable");
  await isLoaded({ running: 2, waiting: 1 });
  socket.destroy();
  await isLoaded(NOTHING);
  expect(await statusOf(SMALL)).toBe(200);
});

test("a body that is sent slowly holds no slot", async () => {
  await start(PATIENT);
  const head = `POST ${LARGE} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/geo+json\r\nContent-Length: 1000\r\n\r\n{`;
  for (let i = 0; i < 4; i++) {
    const socket = ask();
    socket.write(head);
  }
  await isLoaded({ connections: 4 });
  expect(await statusOf(SMALL)).toBe(200);
});

test("connections above the limit get a 503, far more are closed", async () => {
  await start(PATIENT);
  const idle = Array.from({ length: LIMITS.connections }, () => ask());
  await isLoaded({ connections: LIMITS.connections });
  const refused = await fetch(new URL(SMALL, server.url));
  expect([refused.status, refused.headers.get("Retry-After"), refused.headers.get("Connection")]).toEqual([
    503,
    "5",
    "close",
  ]);
  expect(await refused.json()).toMatchObject({ statusCode: 503, message: [`8 connections are open: try again later`] });
  const more = Array.from({ length: 100 }, () => ask().resume());
  await expect.poll(() => more.filter(({ closed }) => closed).length).toBeGreaterThan(0);
  expect(server.load().connections).toBeLessThanOrEqual(LIMITS.connections + 64);
  for (const socket of [...idle, ...more]) socket.destroy();
  await isLoaded({ connections: 0 });
  expect(await statusOf(SMALL)).toBe(200);
});

test("an idle connection is closed for a new one", async () => {
  await start(PATIENT);
  const idle = Array.from({ length: LIMITS.connections }, () => ask(SMALL));
  for (const socket of idle) socket.resume();
  await isLoaded({ connections: LIMITS.connections, running: 0, waiting: 0 });
  await Promise.all(idle.map((socket) => socket.bytesRead > 0 || once(socket, "data")));
  await statusOf(SMALL).catch(() => {});
  await expect.poll(() => statusOf(SMALL)).toBe(200);
});

test("an idle host releases the memory that it used under load", async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (isForced(entry)) collections++;
  });
  observer.observe({ entryTypes: ["gc"] });
  await start({ ...LIMITS, quietMs: 3_600_000 });
  expect(await statusOf(SMALL)).toBe(200);
  await server.close();
  expect(collections).toBe(0);
  await start({ ...LIMITS, quietMs: 50 });
  expect(await statusOf(SMALL)).toBe(200);
  await expect.poll(() => collections).toBeGreaterThan(0);
  observer.disconnect();
});

function isForced(entry: PerformanceEntry): boolean {
  const { flags } = (entry as PerformanceEntry & { readonly detail: { readonly flags: number } }).detail;
  return (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
}
