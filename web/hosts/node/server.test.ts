import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEARCH_LIMITS } from "./searches.ts";
import { startTestHost, type TestHost } from "./testing/host.ts";

const IMMUTABLE = "public, max-age=31536000, immutable, no-transform";
const PAGE = { "page/index.html": "<!doctype html>" };
const HASH = "0123456789abcdef";

const hosts: TestHost[] = [];
async function start(...args: Parameters<typeof startTestHost>): Promise<TestHost> {
  const host = await startTestHost(...args);
  hosts.push(host);
  return host;
}
afterAll(() => Promise.all(hosts.map((host) => host.close())));

describe("files", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start({
      files: {
        ...PAGE,
        "page/assets/page-1.js": "1",
        "page/other/assets/page.js": "1",
        "page/embed/assets/draw-1.js": "1",
        "page/.env": "SECRET",
        "page/.well-known/security.txt": "Contact: us",
        "page/assets/.git/config": "SECRET",
        "dataset/.build.lock": "SECRET",
        "dataset/.tmp/part.parquet": "SECRET",
        "dataset/place/..part": "SECRET",
        [`dataset/place/${HASH}.parquet`]: "PAR1",
        [`dataset/place/notes-${HASH}.json`]: "{}",
        "dataset/folder/index.html/nothing": "",
      },
    });
  });

  test.each([
    "/.env",
    "/assets/.git/config",
    "/assets/.git/",
    "/dataset/.build.lock",
    "/dataset/%2ebuild.lock",
    "/%2Eenv",
    "/dataset/.tmp/part.parquet",
    "/dataset/place/..part",
    "/dataset/folder/",
  ])("%s is not served", async (path) => {
    const { status, body } = await host.get(path);
    expect([status, body.includes("SECRET")]).toEqual([404, false]);
  });

  test("for the public are served", async () => {
    expect((await host.get("/.well-known/security.txt")).status).toBe(200);
  });

  test.each([
    [`/dataset/place/${HASH}.parquet`, {}, 200, IMMUTABLE],
    [`/dataset/place/${HASH}.parquet`, { Range: "bytes=0-1" }, 206, IMMUTABLE],
    [`/dataset/place/${HASH}.parquet`, { Range: "bytes=9-" }, 416, "no-store"],
    [`/dataset/place/${HASH.replace("0", "f")}.parquet`, {}, 404, "no-store"],
    [`/dataset/place/notes-${HASH}.json`, {}, 200, "no-cache"],
    ["/dataset/manifest.json", {}, 200, "no-cache"],
    ["/dataset/manifest.json", { Range: "bytes=99999999-" }, 416, "no-store"],
    ["/assets/page-1.js", {}, 200, IMMUTABLE],
    ["/assets/page-2.js", {}, 404, "no-store"],
    ["/other/assets/page.js", {}, 200, "no-cache"],
    ["/embed/assets/draw-1.js", {}, 200, IMMUTABLE],
  ])("%s has the right cache lifetime: %j", async (path, headers, status, caching) => {
    const answer = await host.get(path, headers);
    expect([answer.status, answer.headers["cache-control"]]).toEqual([status, caching]);
    if (status !== 200) return;
    const again = await host.get(path, { "If-None-Match": answer.headers.etag });
    expect([again.status, again.headers["cache-control"]]).toEqual([304, caching]);
  });

  test.each([
    [undefined, "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/json, text/html;q=0.5", "json"],
    ["text/html;q=0", "json"],
    ["text/html", "html"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
    ["text/html, application/json;q=0.5", "html"],
  ])("the base URL answers %s with %s, and sends Vary", async (accept, type) => {
    const { headers } = await host.get("/", accept === undefined ? {} : { Accept: accept });
    expect(headers["content-type"]).toContain(type);
    expect(headers.vary).toMatch(/(^|, )Accept($|,)/);
  });
});

describe("pages of other origins may read every answer", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start({ files: PAGE });
  });

  test.each([
    ["the base URL", "/", 200],
    ["a search", "/places?country=MC", 200],
    ["a file", "/dataset/manifest.json", 200],
    ["a wrong search", "/places", 400],
    ["a long URL", `/places?name=${"x".repeat(9000)}`, 400],
    ["no path", "/nothing", 404],
    ["no file", "/dataset/nothing", 404],
    ["no asset", "/assets/nothing", 404],
    ["another method", "/places", 405, "POST"],
    ["another method of a file", "/dataset/manifest.json", 404, "DELETE"],
  ])("%s", async (_, path, status, method = "GET") => {
    const answer = await host.get(path, { Origin: "https://other.example" }, method);
    expect([answer.status, answer.headers["access-control-allow-origin"]]).toEqual([status, "*"]);
    expect(answer.headers["access-control-expose-headers"]).toContain("Retry-After");
    if (status >= 400) expect(JSON.parse(answer.body.toString())).toMatchObject({ statusCode: status });
  });

  test("of an overloaded host are readable too", async () => {
    const busy = await start({ searchLimits: { ...SEARCH_LIMITS, running: 0, waiting: 0 } });
    const { status, headers } = await busy.get("/places?country=MC");
    expect([status, headers["retry-after"], headers["access-control-allow-origin"]]).toEqual([503, "1", "*"]);
  });

  test("about an unreachable dataset do not reveal its address", async () => {
    const lost = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
    await once(lost, "listening");
    const host = await start({ dataset: `http://127.0.0.1:${(lost.address() as AddressInfo).port}/` });
    const { status, headers, body } = await host.get("/places?country=MC");
    expect([status, headers["access-control-allow-origin"], body.includes("127.0.0.1")]).toEqual([503, "*", false]);
    lost.close();
  });
});

test("a caller learns of a missing file, but not where the dataset is", async () => {
  const heard: unknown[] = [];
  const host = await start({ onFailure: (error) => heard.push(error) });
  await rm(join(host.folder, "dataset/place"), { recursive: true });
  const lost = await host.get("/places?country=MC");
  expect([lost.status, lost.headers["access-control-allow-origin"]]).toEqual([503, "*"]);
  expect(lost.body.toString()).toMatch(/data file place\/[\w=/]+\.(pack|parquet) cannot be read/);
  await rm(join(host.folder, "dataset/manifest.json"));
  const other = await start();
  await rm(join(other.folder, "dataset/manifest.json"));
  await mkdir(join(other.folder, "dataset/manifest.json"));
  const unread = await other.get("/places?country=MC");
  expect(unread.status).toBe(503);
  for (const { body } of [lost, unread]) expect(body.toString()).not.toMatch(/cairn-host|\/tmp/);
  // the log has the details
  expect((heard[0] as Error).cause).toMatchObject({ path: expect.stringContaining(host.folder) });
});

describe("keys", () => {
  const keys = `${createHash("sha256").update("open").digest("hex")}\n`;
  let host: TestHost;
  beforeAll(async () => {
    host = await start({ keys: "keys", files: { keys } });
  });

  test.each(["/", "/places?country=MC", "/dataset/manifest.json", "/dataset/nothing", "/openapi.json", "/nothing"])(
    "%s needs one, in the header or the query",
    async (path) => {
      const missing = await host.get(path);
      expect([missing.status, missing.headers["access-control-allow-origin"]]).toEqual([401, "*"]);
      expect(JSON.parse(missing.body.toString()).message[0]).toMatch(/x-api-key is missing.*api_key.*Link/);
      expect((await host.get(path, { "x-api-key": "shut" })).status).toBe(401);
      const inQuery = `${path}${path.includes("?") ? "&" : "?"}api_key=open`;
      const expected = path.endsWith("nothing") ? 404 : 200;
      expect((await host.get(path, { "x-api-key": "open" })).status).toBe(expected);
      expect((await host.get(inQuery)).status).toBe(expected);
    },
  );

  test.each([
    "/%64ataset/manifest.json",
    "//dataset/manifest.json",
    "/dataset/./manifest.json",
    "/places/../dataset/manifest.json",
  ])("%s does not bypass them", async (path) => {
    const socket = connect(Number(new URL(host.url).port), "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("a key from the query is in no link", async () => {
    const { headers } = await host.get("/places?country=MC&limit=1&api_key=open");
    expect(headers.link).toMatch(/page=0/);
    expect(headers.link).not.toMatch(/open|api_key/);
  });

  test("a preflight needs none", async () => {
    const asks = { Origin: "https://other.example", "Access-Control-Request-Headers": "x-api-key" };
    const { status, headers } = await host.get("/dataset/manifest.json", asks, "OPTIONS");
    expect([status, headers["access-control-allow-headers"]]).toEqual([204, expect.stringContaining("x-api-key")]);
  });

  test("with keys no page is served, because it reads the dataset without one", async () => {
    await expect(startTestHost({ keys: "keys", files: { keys, ...PAGE } })).rejects.toThrow(
      "a page cannot be served with keys",
    );
  });
});

describe("an unknown path", () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  let host: TestHost;
  beforeAll(async () => {
    host = await start({ files: { ...PAGE, "page/embed/cairn.js": "1" } });
  });

  test("is a page for a person: it escapes the path, and its links work from any folder", async () => {
    const { status, headers, body } = await host.get("/nowhere/%3Cb%3E?q=1", BROWSER);
    expect([status, headers["content-type"], headers["content-security-policy"]]).toEqual([
      404,
      "text/html; charset=utf-8",
      "default-src 'none'",
    ]);
    expect(headers.vary).toContain("Accept");
    expect(String(body)).toContain("Requested path: <code>/nowhere/%3Cb%3E</code>");
    expect(String(body)).toContain('<a href="../">Search the map</a>');
  });

  test.each([
    ["a program", "/nowhere", {}],
    ["a program that takes all alike", "/nowhere", { Accept: "*/*" }],
    ["any caller of a path of the interface", "/places/no-such-id", BROWSER],
  ])("is JSON for %s", async (_, path, asked) => {
    const { status, headers, body } = await host.get(path, { ...asked });
    expect([status, headers["content-type"]]).toEqual([404, expect.stringMatching(/^application\/json/)]);
    expect(JSON.parse(String(body)).statusCode).toBe(404);
  });

  test("a module may be imported from any origin, also when revalidated", async () => {
    const asked = { Origin: "https://other.example" };
    const { status, headers } = await host.get("/embed/cairn.js", asked);
    expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
    const again = await host.get("/embed/cairn.js", { ...asked, "If-None-Match": headers.etag });
    expect([again.status, again.headers["access-control-allow-origin"]]).toEqual([304, "*"]);
  });
});
