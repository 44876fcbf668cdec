import { AsyncLocalStorage } from "node:async_hooks";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createRoutes } from "../../api/index.ts";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { openNodeDataset } from "./open.ts";
import { networkOf } from "./peers.ts";
import { SEARCH_LIMITS } from "./searches.ts";
import { type RunningServer, startServer } from "./server.ts";

const SEARCH = "/places?lat=43.73&lng=7.42&radius=100";
const FULL = { ...SEARCH_LIMITS, running: 0, waiting: 0 };

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "cairn-searches-"));
  const place = [{ id: "one", country: "MC", geometry: { type: "Point", coordinates: [7.42, 43.73] } as const }];
  for (const [path, bytes] of await makeDataset({ place })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
  }
});
afterAll(() => rm(root, { recursive: true }));

describe("while all slots are taken", () => {
  let full: RunningServer;
  let free: RunningServer;
  /** Reads the body: a connection whose answer is not read stays open when the server closes. */
  const request = async (host: RunningServer, path: string, init: RequestInit = {}) => {
    const answer = await fetch(new URL(path, host.url), { redirect: "manual", ...init });
    const body = await answer.text();
    return { ok: answer.ok, status: answer.status, headers: answer.headers, body };
  };
  const ask = (path: string, init: RequestInit = {}) => request(full, path, init);

  beforeAll(async () => {
    full = await startServer({ dataset: root, port: 0, searchLimits: FULL });
    free = await startServer({ dataset: root, port: 0 });
  });
  afterAll(async () => {
    await full.close();
    await free.close();
  });

  test("a search is a 503 with a time to retry", async () => {
    const refused = await ask(SEARCH);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(JSON.parse(refused.body).message).toEqual(["0 searches are running and 0 are waiting: try again later"]);
  });

  const PATH_VALUES: Readonly<Record<string, string>> = {
    id: "one",
    z: "14",
    x: "8529",
    y: "5975.mvt",
    collection: "place",
  };
  const QUERIES = [
    "",
    "?lat=43.73&lng=7.42",
    "?q=one",
    "?text=one",
    "?lat=43.73&lon=7.42",
    "?since=a&lat=43.73&lng=7.42&radius=9",
  ];
  const { paths } = createRoutes(openNodeDataset("no-dataset"));

  test.each(paths)("%s is refused if it needs a slot, and otherwise answered", async (path) => {
    const filled = path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => PATH_VALUES[name] ?? "one");
    for (const query of QUERIES) {
      const normal = await request(free, filled + query);
      const refused = await ask(filled + query);
      if (refused.status !== 503) expect([filled + query, refused.status]).toEqual([filled + query, normal.status]);
      const tag = normal.headers.get("ETag");
      // a revalidated answer needs no slot
      if (tag && normal.ok) expect((await ask(filled + query, { headers: { "If-None-Match": tag } })).status).toBe(304);
    }
  });

  test.each([
    ["/openapi.json", 200],
    ["/", 200],
    ["/ogc", 200],
    ["/nowhere", 404],
    ["/places?limit=x", 400],
    ["/dataset/manifest.json", 200],
  ])("%s is answered", async (path, status) => {
    expect((await ask(path)).status).toBe(status);
  });
});

test("a hundred connections that send requests all the time are all answered", async () => {
  const server = await startServer({ dataset: root, port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const statusOf = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const read = (answer: IncomingMessage) => answer.resume().on("end", () => resolve(answer.statusCode));
      get(new URL(SEARCH, server.url), { agent }, read).on("error", reject);
    });
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const own: (number | undefined)[] = [];
      for (let i = 0; i < 5; i++) own.push(await statusOf());
      return own;
    }),
  );
  agent.destroy();
  await server.close();
  expect(new Set(statuses.flat())).toEqual(new Set([200]));
});

test("a peer is an address; for IPv6 its first half", () => {
  expect(
    ["10.0.0.7", "::ffff:10.0.0.7", "::1", "fe80::1%eth0", "2001:db8:1:2:3:4:5:6", "2001:DB8:1:2::9"].map(networkOf),
  ).toEqual(["10.0.0.7", "10.0.0.7", "0:0:0:0::", "fe80:0:0:0::", "2001:db8:1:2::", "2001:db8:1:2::"]);
});

test("all servers of a process share one storage for requests, because each storage slows every promise", async () => {
  const ran = vi.spyOn(AsyncLocalStorage.prototype, "run");
  onTestFinished(() => ran.mockRestore());
  const servers = [await startServer({ dataset: root, port: 0 }), await startServer({ dataset: root, port: 0 })];
  for (const { url } of servers) expect((await fetch(new URL(SEARCH, url))).status).toBe(200);
  await Promise.all(servers.map((server) => server.close()));
  expect(ran).toHaveBeenCalledTimes(servers.length);
  expect(new Set(ran.mock.contexts).size).toBe(1);
});
