import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardCallers, parseOrigin } from "./callers.ts";
import { startTestHost, type TestHost, type TestHostOptions } from "./testing/host.ts";

const PATHS = ["/places?country=MC", "/", "/index.html", "/openapi.json", "/dataset/manifest.json", "/nothing", "/mcp"];
const JSON_TYPE = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

const hosts: TestHost[] = [];
async function start(options: TestHostOptions = {}): Promise<TestHost> {
  const host = await startTestHost({ files: { "page/index.html": "<!doctype html>" }, ...options });
  hosts.push(host);
  return host;
}
afterAll(() => Promise.all(hosts.map((host) => host.close())));

const initialize = ({ url }: TestHost, headers: Record<string, string> = {}, path = "mcp") =>
  fetch(new URL(path, url), { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: INITIALIZE });

describe("a host on a loopback address", () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await start();
  });

  test.each([
    "evil.example",
    "evil.example:5173",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "0.0.0.0",
    "10.0.0.1",
  ])("refuses the Host %s on every path, for every method", async (name) => {
    for (const path of PATHS) {
      for (const method of ["GET", "OPTIONS", "POST"]) {
        const { status, headers, body } = await host.get(path, { Host: name }, method);
        expect([path, method, status, headers["access-control-allow-origin"]]).toEqual([path, method, 403, undefined]);
        expect(JSON.parse(String(body)).message).toEqual([
          `Host must be a name of this machine, such as localhost, got "${name}": the server listens only on 127.0.0.1; --origin http://${name} allows it`,
        ]);
      }
    }
  });

  test.each(["localhost", "LOCALHOST:80", "maps.localhost:8080", "127.0.0.1:1", "127.1.2.3", "[::1]:5173"])(
    "answers the Host %s of this machine",
    async (name) => {
      const { status, headers } = await host.get("/places?country=MC", { Host: name, Origin: "https://any.example" });
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, "*"]);
    },
  );

  test.each([
    "https://evil.example",
    "http://127.0.0.1.evil.example",
    "null",
    "file://",
    "http://10.0.0.1:5173",
    "nonsense",
  ])("refuses /mcp to pages of %s, and answers no preflight for it", async (origin) => {
    for (const path of ["mcp", "mcp/"]) {
      const refused = await initialize(host, { Origin: origin }, path);
      expect([refused.status, refused.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
      expect((await refused.json()).message[0]).toContain(
        `got ${JSON.stringify(origin)}; --origin ${origin} allows it`,
      );
      const asks = { Origin: origin, "Access-Control-Request-Method": "POST" };
      expect((await host.get(`/${path}`, asks, "OPTIONS")).status).toBe(403);
    }
  });

  test.each([undefined, "http://localhost:6274", "http://127.0.0.1:3000", "https://[::1]"])(
    "allows /mcp to programs and to pages of this machine: %s",
    async (origin) => {
      const answer = await initialize(host, origin === undefined ? {} : { Origin: origin });
      expect((await answer.json()).result.serverInfo.name).toBe("cairn");
    },
  );

  test("refuses what the transport does not allow", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const headers = { ...JSON_TYPE, "Mcp-Protocol-Version": "1999-01-01" };
    expect((await fetch(new URL("mcp", host.url), { method: "POST", headers, body })).status).toBe(400);
    expect((await initialize(host, { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await initialize(host, { Accept: "text/html" })).status).toBe(406);
  });
});

test("--origin and --public-url allow their origins and hosts, and no others", async () => {
  const host = await start({ origins: ["https://app.example"], publicUrl: "https://maps.example/maps/" });
  for (const name of ["app.example", "maps.example", "maps.example:443", "localhost"])
    expect((await host.get("/places?country=MC", { Host: name })).status).toBe(200);
  expect((await host.get("/places?country=MC", { Host: "evil.example" })).status).toBe(403);
  for (const Origin of ["https://app.example", "https://maps.example"])
    expect((await initialize(host, { Origin })).status).toBe(200);
  for (const Origin of ["http://app.example", "https://app.example:8443", "https://evil.app.example"])
    expect((await initialize(host, { Origin })).status).toBe(403);
});

test("--origin '*' allows any", async () => {
  const host = await start({ origins: ["*"] });
  expect((await host.get("/places?country=MC", { Host: "any.example" })).status).toBe(200);
  expect((await initialize(host, { Origin: "https://any.example" })).status).toBe(200);
});

test("behind a trusted proxy any Host is answered, and /mcp still checks origins", async () => {
  const host = await start({ trustProxy: true });
  expect((await host.get("/places?country=MC", { Host: "maps.example" })).status).toBe(200);
  expect((await initialize(host, { Origin: "https://maps.example" })).status).toBe(403);
});

test("/mcp needs a key like other paths, also with a slash at its end", async () => {
  const keys = `${createHash("sha256").update("open").digest("hex")}\n`;
  const host = await start({ keys: "keys", files: { keys } });
  for (const path of ["mcp", "mcp/"]) {
    expect((await initialize(host, {}, path)).status).toBe(401);
    expect((await initialize(host, { "x-api-key": "open" }, path)).status).toBe(200);
  }
});

describe("a host on a network address", () => {
  const guard = guardCallers({}, () => "0.0.0.0");
  async function statusOf(check: keyof typeof guard, headers: Record<string, string>): Promise<number> {
    const { Hono } = await import("hono");
    const app = new Hono().use("*", guard[check]).post("/mcp", (c) => c.text("ok"));
    return (await app.request("/mcp", { method: "POST", headers })).status;
  }

  test("answers any Host", async () => {
    expect(await statusOf("checkHost", { Host: "maps.example" })).toBe(200);
  });

  test.each([
    ["http://192.168.1.5:5173", "192.168.1.5:5173", 200],
    ["http://[fe80::1]", "[fe80::1]", 200],
    ["http://192.168.1.5:5173", "192.168.1.6:5173", 403],
    // the name may resolve to this host (DNS rebinding)
    ["http://evil.example:5173", "evil.example:5173", 403],
  ])("accepts a page of %s asking %s as its own only by IP address", async (Origin, Host, status) => {
    expect(await statusOf("checkOrigin", { Origin, Host })).toBe(status);
  });
});

test.each([
  ["https://app.example", "https://app.example"],
  ["HTTP://App.Example:80/", "http://app.example"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["*", "*"],
  ["null", "null"],
])("--origin %s", (text, origin) => {
  expect(parseOrigin(text)).toBe(origin);
});

test.each([
  "",
  "app.example",
  "https://app.example/path",
  "https://u@app.example",
  "https://app.example?x",
  "file:///x",
])("--origin %s is refused", (text) => {
  expect(() => parseOrigin(text)).toThrow(`got ${JSON.stringify(text)}`);
});
